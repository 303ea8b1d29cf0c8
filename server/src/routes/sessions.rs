//! Stored sessions: list, one, and the bytes of its log.

use crate::app::AppState;
use crate::extract::{Fields, Segment};
use crate::failure::Failure;
use crate::ids::LogId;
use crate::store::Finished;
use axum::Json;
use axum::body::Body;
use axum::extract::State;
use axum::http::header::{CONTENT_LENGTH, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use proem_core::api::{SessionList, StoredSession};
use serde::Deserialize;
use std::sync::Arc;

/// The query of a list.
#[derive(Deserialize)]
pub struct Which {
    /// Test, playground and evaluation runs as well.
    #[serde(default)]
    include_runs: bool,
}

/// All of them, but for runs that nobody asked for.
pub async fn list(State(app): State<Arc<AppState>>, Fields(which): Fields<Which>) -> Result<Json<SessionList>, Failure> {
    Ok(Json(SessionList { sessions: app.store.sessions(which.include_runs).await? }))
}

/// One of them.
pub async fn read(State(app): State<Arc<AppState>>, Segment(id): Segment<LogId>) -> Result<Json<StoredSession>, Failure> {
    Ok(Json(find(&app, &id).await?.session))
}

/// Its log, byte for byte as it was uploaded, one frame in memory at a time. Of a conversation that goes on meanwhile, what there was.
pub async fn raw(State(app): State<Arc<AppState>>, Segment(id): Segment<LogId>) -> Result<Response, Failure> {
    let Finished { content, bytes, .. } = find(&app, &id).await?;
    // Read before the answer begins, so that a log that cannot be read is an error and not a torn answer.
    let first = app.store.frame(&content, 0).await?.unwrap_or_default();
    let store = app.store.clone();
    let frames = stream::try_unfold((first, 0u64), move |(frame, start)| {
        let (store, content) = (store.clone(), content.clone());
        async move {
            if frame.is_empty() {
                return Ok::<_, crate::store::StoreError>(None);
            }
            let next = start + frame.len() as u64;
            let following = if next < bytes { store.frame(&content, next).await?.unwrap_or_default() } else { Vec::new() };
            Ok(Some((frame, (following, next))))
        }
    });
    let headers = [(CONTENT_TYPE, "application/octet-stream".to_owned()), (CONTENT_LENGTH, bytes.to_string())];
    Ok((headers, Body::from_stream(frames)).into_response())
}

async fn find(app: &AppState, id: &LogId) -> Result<Finished, Failure> {
    app.store.session(id).await?.ok_or_else(|| Failure::not_found(format!("There is no stored session `{id}`.")))
}
