//! What the server logs of a template that is being typed: that a request came, and nothing of what stands in it. A process of its own,
//! since all that is logged in it is looked at.
#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

#[path = "api/server.rs"]
#[allow(dead_code, reason = "the other tests of the API use the rest")]
mod server;

use axum::http::{Method, StatusCode};
use serde_json::json;
use server::Server;
use std::io::{self, Write};
use std::sync::{Arc, Mutex};

/// What was logged.
#[derive(Clone, Default)]
struct Lines(Arc<Mutex<Vec<u8>>>);

impl Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Row 33 of the catalogue of faults: a half-typed template flooded the log with its errors.
#[tokio::test]
async fn row_33_a_half_typed_template_logs_its_request_only() {
    let lines = Lines::default();
    let writer = lines.clone();
    let subscriber = tracing_subscriber::fmt()
        .with_max_level(tracing_subscriber::filter::LevelFilter::TRACE)
        .with_ansi(false)
        .with_writer(move || writer.clone())
        .finish();
    tracing::subscriber::set_global_default(subscriber).unwrap();
    let server = Server::start().await;
    lines.0.lock().unwrap().clear();
    let text = "{{ opening.kidn|upper }} typed";
    let ends = [2, 3, 8, 12, 15, 17, 21, 22, 23, 30];
    for end in ends {
        let body = json!({ "base": 1, "body": text[..end] });
        let answer = server.json(Method::PUT, "/api/skills/opening-task-start", &body).await;
        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY, "{}", &text[..end]);
    }
    for sample in ["task-start/empty", "agent-conversation-resume/populated"] {
        let answer = server.json(Method::POST, "/api/openings/render", &json!({ "sample": sample })).await;
        assert_eq!(answer.status, StatusCode::OK);
    }
    let logged = String::from_utf8(lines.0.lock().unwrap().clone()).unwrap();
    let above_debug: Vec<&str> = logged.lines().filter(|line| !line.contains(" DEBUG ") && !line.contains(" TRACE ")).collect();
    assert_eq!(above_debug.len(), ends.len() + 2, "one line a request:\n{logged}");
    for line in above_debug {
        assert!(line.contains(" INFO ") && line.contains("/api/") && !line.contains("kidn") && !line.contains("typed"), "{line}");
    }
}
