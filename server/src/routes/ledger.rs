//! The governance ledger: pages for screens, and files.

mod asked;

use crate::app::AppState;
use crate::failure::Failure;
use crate::store::StoreError;
use asked::{Asked, Form};
use axum::Json;
use axum::body::Body;
use axum::extract::State;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use proem_core::api::governance::LedgerPage;
use proem_core::ledger::{csv_head, csv_lines, to_jsonl};
use std::sync::Arc;

/// Rows of a file that are in memory at once.
const BATCH: u32 = 1_000;

/// Newest decisions first.
pub async fn page(State(app): State<Arc<AppState>>, asked: Asked) -> Result<Json<LedgerPage>, Failure> {
    app.store.ledger_page(&asked.filter, asked.cursor, asked.limit).await.map(Json).map_err(unreadable)
}

/// The decisions as a file, oldest first.
pub async fn export(State(app): State<Arc<AppState>>, asked: Asked) -> Result<Response, Failure> {
    let form = asked.form;
    let mut export = app.store.begin_export(asked.filter).await.map_err(unreadable)?;
    // Read before the answer begins, so that a ledger that cannot be read is an error and not a torn file.
    let first = app.store.next_of_export(&mut export, BATCH).await.map_err(unreadable)?;
    let head = match form {
        Form::Jsonl => String::new(),
        Form::Csv => csv_head(),
    };
    let store = app.store.clone();
    let pieces = stream::try_unfold(Some((head, first, export)), move |state| {
        let store = store.clone();
        async move {
            let Some((mut text, rows, mut export)) = state else { return Ok::<_, StoreError>(None) };
            text += &match form {
                Form::Jsonl => to_jsonl(&rows),
                Form::Csv => csv_lines(&rows),
            };
            let next = store.next_of_export(&mut export, BATCH).await?;
            let next = (!next.is_empty()).then_some((String::new(), next, export));
            Ok(Some((text, next)))
        }
    });
    let (kind, name) = match form {
        Form::Jsonl => ("application/x-ndjson", "governance-ledger.jsonl"),
        Form::Csv => ("text/csv; charset=utf-8; header=present", "governance-ledger.csv"),
    };
    let headers = [(CONTENT_TYPE, kind.to_owned()), (CONTENT_DISPOSITION, format!("attachment; filename=\"{name}\""))];
    Ok((headers, Body::from_stream(pieces)).into_response())
}

/// An error is an error: never an empty view, which would look like peace (specs: system-opened-turns, 6.12).
fn unreadable(error: StoreError) -> Failure {
    let message = "The ledger cannot be read now, so nothing is shown rather than a part of it; what happened is in the server's log, on \
                   the terminal where it was started.";
    Failure::unreadable(message, error)
}
