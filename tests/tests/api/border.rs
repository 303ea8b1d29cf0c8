//! Who may ask, through which name, and from which page.

use super::server::{Server, TOKEN, bearer, plain};
use axum::body::Body;
use axum::http::{Method, StatusCode};

async fn status(server: &Server, request: axum::http::request::Builder) -> StatusCode {
    server.send(request.body(Body::empty()).unwrap()).await.status
}

#[tokio::test]
async fn the_api_needs_the_token() {
    let server = Server::start().await;
    let get = |path| plain(Method::GET, path);
    assert_eq!(status(&server, get("/api/health")).await, StatusCode::OK);
    for path in ["/api/skills", "/api/role", "/api/sessions", "/api", "/api/nothing-here", "/api/uploads/0123456789abcdef"] {
        assert_eq!(status(&server, get(path)).await, StatusCode::UNAUTHORIZED, "{path}");
    }
    let skills = || get("/api/skills");
    for (name, value, expected) in [
        ("authorization", format!("Bearer {TOKEN}"), StatusCode::OK),
        ("authorization", format!("bearer {TOKEN}"), StatusCode::OK),
        ("authorization", format!("Bearer {TOKEN}x"), StatusCode::UNAUTHORIZED),
        ("authorization", format!("Basic {TOKEN}"), StatusCode::UNAUTHORIZED),
        ("authorization", TOKEN.to_owned(), StatusCode::UNAUTHORIZED),
        ("cookie", format!("other=1; proem_7878={TOKEN}"), StatusCode::OK),
        ("cookie", format!("proem_7879={TOKEN}"), StatusCode::UNAUTHORIZED),
        ("cookie", "proem_7878=".to_owned(), StatusCode::UNAUTHORIZED),
    ] {
        assert_eq!(status(&server, skills().header(name, &value)).await, expected, "{name}: {value}");
    }
    // A query is no place for a program's token: it ends up in logs and histories.
    assert_eq!(status(&server, get(&format!("/api/skills?token={TOKEN}"))).await, StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn the_link_signs_in_and_loses_its_token() {
    let server = Server::start().await;
    for (address, clean) in [
        (format!("/?token={TOKEN}"), "/"),
        (format!("/skills/opening-task-start?sample=empty&token={TOKEN}&old=1"), "/skills/opening-task-start?sample=empty&old=1"),
        (format!("//evil.example/?token={TOKEN}"), "/evil.example/"),
    ] {
        let answer = server.send(plain(Method::GET, &address).body(Body::empty()).unwrap()).await;
        assert_eq!(answer.status, StatusCode::SEE_OTHER, "{address}");
        assert_eq!(answer.header("location"), clean);
        assert_eq!(answer.header("set-cookie"), format!("proem_7878={TOKEN}; HttpOnly; SameSite=Lax; Path=/"));
    }
    let wrong = server.send(plain(Method::GET, "/?token=wrong").body(Body::empty()).unwrap()).await;
    assert_eq!(wrong.status, StatusCode::OK);
    assert!(wrong.headers.get("set-cookie").is_none());
}

#[tokio::test]
async fn signing_in_by_hand() {
    let server = Server::start().await;
    let sign_in = |token: &str| {
        let body = serde_json::json!({ "token": token }).to_string();
        plain(Method::POST, "/api/sign-in").header("content-type", "application/json").body(Body::from(body)).unwrap()
    };
    let right = server.send(sign_in(&format!(" {TOKEN}\n"))).await;
    assert_eq!(right.status, StatusCode::NO_CONTENT);
    let cookie = right.header("set-cookie").split(';').next().unwrap().to_owned();
    assert_eq!(status(&server, plain(Method::GET, "/api/skills").header("cookie", cookie)).await, StatusCode::OK);
    let wrong = server.send(sign_in("guess")).await;
    assert_eq!(wrong.status, StatusCode::UNAUTHORIZED);
    assert!(wrong.headers.get("set-cookie").is_none());
}

#[tokio::test]
async fn only_its_own_names() {
    let server = Server::start().await;
    let named = |host: &str| axum::http::Request::builder().uri("/api/health").header("host", host);
    for host in ["127.0.0.1:7878", "localhost:7878", "[::1]:7878"] {
        assert_eq!(status(&server, named(host)).await, StatusCode::OK, "{host}");
    }
    for host in ["evil.example", "evil.example:7878", "127.0.0.1", "127.0.0.1:7879", ""] {
        assert_eq!(status(&server, named(host)).await, StatusCode::FORBIDDEN, "{host}");
    }
    assert_eq!(status(&server, named("127.0.0.1:7878").header("host", "evil.example")).await, StatusCode::FORBIDDEN);
    assert_eq!(status(&server, axum::http::Request::builder().uri("/api/health")).await, StatusCode::FORBIDDEN);
}

#[tokio::test]
async fn only_its_own_pages_change_something() {
    let server = Server::start().await;
    let cookie = format!("proem_7878={TOKEN}");
    let save =
        || plain(Method::PUT, "/api/skills/none-such").header("content-type", "application/json").header("cookie", &cookie);
    // 400: it came through to the handler, which wants a body.
    for (name, value, expected) in [
        ("origin", "http://127.0.0.1:7878", StatusCode::BAD_REQUEST),
        ("sec-fetch-site", "same-origin", StatusCode::BAD_REQUEST),
        ("origin", "http://127.0.0.1:9999", StatusCode::FORBIDDEN),
        ("origin", "http://evil.example", StatusCode::FORBIDDEN),
        ("origin", "null", StatusCode::FORBIDDEN),
        ("sec-fetch-site", "same-site", StatusCode::FORBIDDEN),
        ("sec-fetch-site", "cross-site", StatusCode::FORBIDDEN),
    ] {
        assert_eq!(status(&server, save().header(name, value)).await, expected, "{name}: {value}");
    }
    let program = bearer(Method::PUT, "/api/skills/none-such").header("content-type", "application/json");
    assert_eq!(status(&server, program).await, StatusCode::BAD_REQUEST);
}
