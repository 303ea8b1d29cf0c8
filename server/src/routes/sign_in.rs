//! Signing in: the token, typed or pasted, becomes the cookie.

use crate::app::AppState;
use crate::border::session::cookie;
use crate::extract::Json;
use crate::failure::Failure;
use axum::extract::State;
use axum::http::StatusCode;
use axum_extra::extract::cookie::CookieJar;
use proem_core::api::SignIn;
use std::sync::Arc;

/// Sets the cookie.
pub async fn sign_in(State(app): State<Arc<AppState>>, Json(given): Json<SignIn>) -> Result<(StatusCode, CookieJar), Failure> {
    if !app.token.matches(given.token.trim()) {
        return Err(Failure::unauthorized(
            "This is not the token of the running server. It is in the link that `proem serve` printed, and a new one is made at every start.",
        ));
    }
    Ok((StatusCode::NO_CONTENT, CookieJar::new().add(cookie(&app))))
}
