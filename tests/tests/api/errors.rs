//! What the API says when something is wrong: status, code and sentence of each kind of failure, as one list to read.

use super::server::{Answer, Server, bearer, plain};
use axum::body::Body;
use axum::http::Method;
use proem_core::api::ApiError;
use std::fmt::Write;

struct Report(String);

impl Report {
    fn add(&mut self, what: &str, answer: &Answer) {
        let ApiError { code, message, .. } = answer.json();
        assert_eq!(answer.header("content-type"), "application/json", "{what}");
        writeln!(self.0, "{what}\n  {} {code}: {message}", answer.status.as_u16()).unwrap();
    }
}

#[tokio::test]
async fn each_failure_has_its_sentence() {
    let server = Server::start().await;
    let mut report = Report(String::new());
    let request = plain(Method::GET, "/api/skills").body(Body::empty()).unwrap();
    report.add("no token", &server.send(request).await);
    let request = plain(Method::POST, "/api/sign-in").header("content-type", "application/json");
    report.add("wrong token", &server.send(request.body(Body::from(r#"{"token":"x"}"#)).unwrap()).await);
    let request = axum::http::Request::builder().uri("/api/health").header("host", "evil.example");
    report.add("foreign host", &server.send(request.body(Body::empty()).unwrap()).await);
    let request = bearer(Method::PUT, "/api/skills/a").header("origin", "http://evil.example");
    report.add("foreign page", &server.send(request.body(Body::empty()).unwrap()).await);
    for path in [
        "/api/nothing",
        "/api/skills/none-such",
        "/api/skills/none-such/revisions",
        "/api/skills/Not_A%20Slug",
        "/api/skills/%ff",
        "/api/sessions/abc123",
        "/api/sessions/abc123/raw",
        "/api/sessions/..%2f..%2fetc",
        "/api/uploads/short",
    ] {
        report.add(&format!("GET {path}"), &server.get(path).await);
    }
    for (method, path) in [(Method::DELETE, "/api/skills"), (Method::GET, "/api/openings/render"), (Method::POST, "/skills")] {
        let answer = server.send(bearer(method.clone(), path).body(Body::empty()).unwrap()).await;
        assert!(!answer.header("allow").is_empty());
        report.add(&format!("{method} {path}"), &answer);
    }
    let skill = "/api/skills/opening-task-start";
    let request = bearer(Method::PUT, skill).body(Body::from(r#"{"base":1,"body":"x"}"#)).unwrap();
    report.add("PUT without a content type", &server.send(request).await);
    for body in ["", "{", "[]", r#"{"base":1}"#, r#"{"base":"one","body":"x"}"#, r#"{"base":-1,"body":"x"}"#] {
        report.add(&format!("PUT {skill} {body}"), &server.text(Method::PUT, skill, body).await);
    }
    let long = format!(r#"{{"base":1,"body":"{}"}}"#, "x".repeat(2 * 1024 * 1024));
    report.add("PUT of more than 2 MiB", &server.text(Method::PUT, skill, &long).await);
    let render = "/api/openings/render";
    for body in [
        r#"{}"#,
        r#"{"sample":"task-start/populated","facts":{}}"#,
        r#"{"facts":{},"subject":"task"}"#,
        r#"{"facts":{},"subject":"tasks","session":"created"}"#,
        r#"{"sample":"task-start/half"}"#,
        r#"{"sample":"task-begin/empty"}"#,
        r#"{"facts":{},"subject":"task","session":"created"}"#,
        r#"{"facts":[1],"subject":"task","session":"created"}"#,
    ] {
        report.add(&format!("POST {render} {body}"), &server.text(Method::POST, render, body).await);
    }
    let long = format!(r#"{{"facts":"{}","subject":"task","session":"created"}}"#, "x".repeat(1024 * 1024));
    report.add("POST of facts of more than 1 MiB", &server.text(Method::POST, render, &long).await);
    for query in [
        "",
        "?name=a&size=1",
        "?name=a&size=x&offset=0",
        "?name=a%00b&size=1&offset=0",
        "?name=a&size=3000000000&offset=0",
        "?name=a&size=9&offset=4",
    ] {
        let path = format!("/api/uploads/0123456789abcdef{query}");
        let answer = server.send(bearer(Method::PUT, &path).body(Body::empty()).unwrap()).await;
        report.add(&format!("PUT {path}"), &answer);
    }
    let path = "/api/uploads/0123456789abcdef?name=a&size=3&offset=0";
    let answer = server.send(bearer(Method::PUT, path).body(Body::from("four")).unwrap()).await;
    report.add(&format!("PUT {path} of four bytes"), &answer);
    insta::assert_snapshot!(report.0);
}
