//! The paths of the server, each with its handler.

mod chat;
mod ledger;
mod openings;
mod role;
mod rules;
mod sessions;
mod sign_in;
mod skills;
mod ui;
mod uploads;

use crate::app::AppState;
use crate::border::session::is_api;
use crate::failure::Failure;
use axum::Router;
use axum::extract::{Request, State};
use axum::http::{Method, Uri};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use proem_core::api::{self, Health};
use std::sync::Arc;

/// All of them; what is no path of the API is a page or a file.
pub fn all(state: Arc<AppState>) -> Router {
    Router::new()
        .route(api::HEALTH, get(health))
        .route(api::SIGN_IN, post(sign_in::sign_in))
        .route(api::ROLE, get(role::read))
        .route(api::SKILLS, get(skills::list))
        .route(api::SKILL, get(skills::read).put(skills::save))
        .route(api::REVISIONS, get(skills::revisions))
        .route(api::RENDER, post(openings::render))
        .route(api::SESSIONS, get(sessions::list))
        .route(api::SESSION, get(sessions::read))
        .route(api::SESSION_RAW, get(sessions::raw))
        .route(api::SESSION_MESSAGES, get(chat::messages))
        .route(api::chat::WELCOME, post(chat::welcome).delete(chat::offer))
        .route(api::chat::CHAT, post(chat::say))
        .route(api::chat::OPENER, post(chat::try_opener))
        .route(api::governance::GOVERNANCE, get(chat::state))
        .route(api::governance::LEDGER, get(ledger::page))
        .route(api::governance::LEDGER_EXPORT, get(ledger::export))
        .route(api::governance::RULES, get(rules::read).put(rules::save))
        .route(api::governance::PROOF, get(rules::proof))
        .route(api::UPLOAD, get(uploads::state).put(uploads::put))
        .method_not_allowed_fallback(wrong_method)
        .fallback(other)
        .with_state(state)
}

async fn health() -> axum::Json<Health> {
    axum::Json(Health { status: "ok".to_owned(), version: env!("CARGO_PKG_VERSION").to_owned() })
}

async fn wrong_method(method: Method, uri: Uri) -> Failure {
    Failure::method_not_allowed(format!("{} does not take {method}; the header `Allow` says what it takes.", uri.path()))
}

async fn other(State(app): State<Arc<AppState>>, request: Request) -> Response {
    if is_api(request.uri().path()) {
        return Failure::not_found(format!("The API has no path {}.", request.uri().path())).into_response();
    }
    ui::serve(&app.assets, &request)
}
