//! Templates made to break an engine: each gets a clear sentence, and the page goes on working.

use super::browser::run;
use super::server::Server;
use super::workbench::{SKILL, expected, fresh, open, opening, write};
use axum::http::{Method, StatusCode};
use proem_core::api::ApiError;
use proem_core::opening::kind::OpeningKind;
use serde_json::json;

/// What is wrong with each, and the words the page must find for it.
fn templates() -> [(&'static str, String, &'static str); 4] {
    [
        ("20,000 terms", format!("{{{{ a{} }}}}", "+a".repeat(20_000)), "400 operators"),
        ("5,000 elif", format!("{{% if 0 %}}{}{{% endif %}}", "{% elif 0 %}".repeat(5_000)), "200 elif in one if"),
        ("a list 10,000 deep", format!("{{{{ {}{} }}}}", "[".repeat(10_000), "]".repeat(10_000)), "deeper than 60"),
        (
            "endless doubling",
            "{% set it = namespace(text='ab') %}{% for i in range(10000) %}{% set it.text = it.text ~ it.text %}{% endfor %}{{ it.text }}".to_owned(),
            "",
        ),
    ]
}

#[tokio::test]
async fn each_gets_a_clear_error_and_the_page_goes_on() {
    run("hostile", Server::guarded().await, &[], async |page| {
        open(page, SKILL).await;
        for (name, text, words) in templates() {
            write(page, &text).await;
            // Either the text is refused, or its rendering was stopped; both are said.
            let said = "[...document.querySelectorAll('[data-problems] li[data-severity=error], [data-stopped]')].map(it => it.textContent).find(it => it.includes(a[0]))";
            let sentence: String = page.until(&format!("a clear error for {name}"), said, &[json!(words)]).await;
            assert!(sentence.split_whitespace().count() > 3, "{name}: {sentence:?} is no sentence");
            let fine = format!("After {name}: {{{{ role.name }}}}.\n");
            write(page, &fine).await;
            fresh(page).await;
            let now = opening(page, OpeningKind::TaskStart).await;
            assert!(now.contains(&format!("After {name}: Release engineer.")), "{now}");
            assert_eq!(now, expected(page, SKILL, &fine, OpeningKind::TaskStart).await);
            page.gone("[data-problems] li[data-severity=error], [data-stopped]").await;
        }
    })
    .await;
}

#[tokio::test]
async fn the_server_refuses_each_and_goes_on() {
    let server = Server::guarded().await;
    for (name, text, words) in templates() {
        let (status, body) =
            server.ask(Method::PUT, &format!("/api/skills/{SKILL}"), json!({ "base": 1, "body": text }).to_string()).await;
        let body = String::from_utf8_lossy(&body).into_owned();
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{name}: {body}");
        let error: ApiError = serde_json::from_str(&body).unwrap();
        assert!(error.problems.iter().any(|problem| problem.message.contains(words)), "{name}: {body}");
        let sample = json!({ "sample": "task-start/populated" });
        let opening = server.json(Method::POST, "/api/openings/render", sample).await;
        assert_eq!(opening["parts"][1]["status"], "contributed", "{name}");
    }
}
