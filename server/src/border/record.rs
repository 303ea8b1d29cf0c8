//! One line of log for each request. Queries, cookies and other headers are never part of it: they hold tokens.

use axum::extract::Request;
use axum::middleware::Next;
use axum::response::Response;
use std::time::Instant;

/// Notes method, path, status and how long it took to begin the answer.
pub async fn request(request: Request, next: Next) -> Response {
    let (method, path) = (request.method().clone(), request.uri().path().to_owned());
    let start = Instant::now();
    let response = next.run(request).await;
    let ms = start.elapsed().as_secs_f64() * 1_000.0;
    tracing::info!("{method} {path} {} {ms:.1} ms", response.status().as_u16());
    response
}
