//! The role whose openings are shown.

use crate::app::AppState;
use crate::failure::Failure;
use axum::Json;
use axum::extract::State;
use proem_core::api::RoleDetail;
use std::sync::Arc;

/// The role with its instruction.
pub async fn read(State(app): State<Arc<AppState>>) -> Result<Json<RoleDetail>, Failure> {
    Ok(Json(app.store.role().await?))
}
