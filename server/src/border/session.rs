//! Who may ask: the holder of this start's token, in the cookie for people and as Bearer for programs.

use crate::app::AppState;
use crate::failure::Failure;
use axum::extract::{Request, State};
use axum::http::header::{AUTHORIZATION, LOCATION, SET_COOKIE};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use axum_extra::extract::cookie::{Cookie, CookieJar, SameSite};
use proem_core::api;
use std::sync::Arc;

/// Lets a request through that needs no token or carries it; and takes the token out of a page's address.
pub async fn check(State(app): State<Arc<AppState>>, request: Request, next: Next) -> Response {
    let path = request.uri().path();
    if !is_api(path) {
        return match token_in_address(&app, &request) {
            Some(clean) => signed_in(&app, &clean),
            None => next.run(request).await,
        };
    }
    if path == api::HEALTH || path == api::SIGN_IN || holds_token(&app, request.headers()) {
        return next.run(request).await;
    }
    Failure::unauthorized(
        "This needs the token of the running server: open the link that `proem serve` printed, or send `Authorization: Bearer TOKEN`.",
    )
    .into_response()
}

/// Whether a path is the API's rather than a page's or a file's.
pub fn is_api(path: &str) -> bool {
    path == "/api" || path.starts_with("/api/")
}

/// The cookie that carries the token. Its name has the port, since cookies do not tell ports apart and several servers may run.
pub fn cookie(app: &AppState) -> Cookie<'static> {
    Cookie::build((cookie_name(app), app.token.reveal().to_owned())).http_only(true).same_site(SameSite::Lax).path("/").build()
}

fn cookie_name(app: &AppState) -> String {
    format!("proem_{}", app.hosts.port())
}

fn holds_token(app: &AppState, headers: &HeaderMap) -> bool {
    let bearer = headers.get(AUTHORIZATION).and_then(|value| value.to_str().ok()).and_then(|value| value.split_once(' '));
    match bearer {
        Some((scheme, token)) => scheme.eq_ignore_ascii_case("bearer") && app.token.matches(token.trim()),
        None => CookieJar::from_headers(headers).get(&cookie_name(app)).is_some_and(|cookie| app.token.matches(cookie.value())),
    }
}

/// The address without its token, when it carries the right one.
fn token_in_address(app: &AppState, request: &Request) -> Option<String> {
    if request.method() != Method::GET {
        return None;
    }
    let query = request.uri().query()?;
    let (tokens, rest): (Vec<&str>, Vec<&str>) = query.split('&').partition(|field| field.starts_with("token="));
    if !tokens.iter().any(|field| app.token.matches(&field["token=".len()..])) {
        return None;
    }
    // One slash only: `//name/` would be another host's address.
    let path = request.uri().path().trim_start_matches(['/', '\\']);
    let mark = if rest.is_empty() { "" } else { "?" };
    Some(format!("/{path}{mark}{}", rest.join("&")))
}

fn signed_in(app: &AppState, address: &str) -> Response {
    let mut response = StatusCode::SEE_OTHER.into_response();
    for (name, value) in [(LOCATION, address.to_owned()), (SET_COOKIE, cookie(app).to_string())] {
        match HeaderValue::from_str(&value) {
            Ok(value) => response.headers_mut().insert(name, value),
            Err(error) => return Failure::internal(error).into_response(),
        };
    }
    response
}
