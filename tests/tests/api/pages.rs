//! The pages and their files: what is sent in which form, how long it is kept, and the page that stands in for none.

use super::server::{Answer, Server, plain};
use axum::body::Body;
use axum::http::{Method, StatusCode};
use proem::assets::Assets;

const WASM: &str = "/proem-web-1f2e3d4c5b6a7988_bg.wasm";

async fn built() -> Server {
    Server::with_pages(Assets::given([
        ("index.html", b"<!doctype html>shell".as_slice()),
        ("proem-web-1f2e3d4c5b6a7988_bg.wasm", b"plain"),
        ("proem-web-1f2e3d4c5b6a7988_bg.wasm.br", b"brotli"),
        ("proem-web-1f2e3d4c5b6a7988_bg.wasm.gz", b"gzipped"),
        ("icon.svg", b"<svg/>"),
    ]))
    .await
}

async fn fetch(server: &Server, method: Method, path: &str, headers: &[(&str, &str)]) -> Answer {
    let request = headers.iter().fold(plain(method, path), |request, (name, value)| request.header(*name, *value));
    server.send(request.body(Body::empty()).unwrap()).await
}

#[tokio::test]
async fn views_get_the_shell_and_missing_files_do_not() {
    let server = built().await;
    let html = [("accept", "text/html,*/*;q=0.8")];
    for path in ["/", "/skills", "/skills/opening-task-start?sample=empty", "/sessions/abc/turns"] {
        let answer = fetch(&server, Method::GET, path, &html).await;
        assert_eq!((answer.status, answer.body().as_str()), (StatusCode::OK, "<!doctype html>shell"), "{path}");
        assert_eq!(answer.header("content-type"), "text/html; charset=utf-8");
        assert_eq!(answer.header("cache-control"), "no-cache");
    }
    for (path, headers) in [
        ("/missing.js", &html[..]),
        ("/skills/a.html", &html[..]),
        ("/skills", &[("accept", "*/*")][..]),
        ("/../Cargo.toml", &html[..]),
        ("/unbuilt.css", &html[..]),
        ("/proem-web-1f2e3d4c5b6a7988_bg.wasm.br", &html[..]),
    ] {
        assert_eq!(fetch(&server, Method::GET, path, headers).await.status, StatusCode::NOT_FOUND, "{path}");
    }
}

#[tokio::test]
async fn files_come_packed_when_that_is_accepted() {
    let server = built().await;
    for (accepted, body, encoding) in [
        ("gzip, deflate, br, zstd", "brotli", Some("br")),
        ("gzip", "gzipped", Some("gzip")),
        ("br;q=0, gzip", "gzipped", Some("gzip")),
        ("identity", "plain", None),
        ("", "plain", None),
    ] {
        let answer = fetch(&server, Method::GET, WASM, &[("accept-encoding", accepted)]).await;
        assert_eq!(answer.body(), body, "{accepted}");
        assert_eq!(answer.headers.get("content-encoding").map(|value| value.to_str().unwrap()), encoding);
        assert_eq!(answer.header("content-type"), "application/wasm");
        assert_eq!(answer.header("vary"), "accept-encoding");
        assert_eq!(answer.header("cache-control"), "public, max-age=31536000, immutable");
    }
    let icon = fetch(&server, Method::GET, "/icon.svg", &[("accept-encoding", "br")]).await;
    assert_eq!((icon.header("cache-control"), icon.header("content-type")), ("no-cache", "image/svg+xml"));
    let head = fetch(&server, Method::HEAD, WASM, &[]).await;
    assert_eq!((head.status, head.bytes.len()), (StatusCode::OK, 0));
    assert_eq!(head.header("content-length"), "5", "as long as what GET sends");
}

#[tokio::test]
async fn a_file_that_is_known_is_not_sent_again() {
    let server = built().await;
    let plain = fetch(&server, Method::GET, WASM, &[]).await.header("etag").to_owned();
    let brotli = fetch(&server, Method::GET, WASM, &[("accept-encoding", "br")]).await.header("etag").to_owned();
    assert_ne!(plain, brotli);
    for (known, expected) in [
        (plain.clone(), StatusCode::NOT_MODIFIED),
        (format!("\"other\", W/{plain}"), StatusCode::NOT_MODIFIED),
        ("*".to_owned(), StatusCode::NOT_MODIFIED),
        (brotli.clone(), StatusCode::OK),
    ] {
        let answer = fetch(&server, Method::GET, WASM, &[("if-none-match", &known)]).await;
        assert_eq!(answer.status, expected, "{known}");
        assert_eq!(answer.header("etag"), plain);
        assert_eq!(answer.bytes.is_empty(), expected == StatusCode::NOT_MODIFIED);
    }
}

#[tokio::test]
async fn without_pages_one_says_how_to_build_them() {
    let server = Server::start().await;
    let html = [("accept", "text/html")];
    for path in ["/", "/skills/opening-task-start"] {
        let page = fetch(&server, Method::GET, path, &html).await;
        assert_eq!(page.status, StatusCode::OK);
        assert!(page.body().contains("scripts/run") && page.body().contains(r#"href="/unbuilt.css""#));
        // The policy forbids both.
        assert!(!page.body().contains("<style") && !page.body().contains("<script") && !page.body().contains("style="));
    }
    let style = fetch(&server, Method::GET, "/unbuilt.css", &[]).await;
    assert_eq!((style.status, style.header("content-type")), (StatusCode::OK, "text/css; charset=utf-8"));
    assert_eq!(fetch(&server, Method::GET, "/app.js", &html).await.status, StatusCode::NOT_FOUND);
}
