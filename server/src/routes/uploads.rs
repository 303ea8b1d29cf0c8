//! Uploads: a log's bytes in any number of requests, each kept as it arrives (the contract is in the core's `api`).

use crate::app::AppState;
use crate::extract::{Fields, Segment};
use crate::failure::Failure;
use crate::ids::{FileName, UploadId};
use crate::import::{self, LOG_MAX};
use crate::store::{FRAME_BYTES, Upload};
use axum::Json;
use axum::body::Body;
use axum::extract::State;
use futures_util::StreamExt;
use proem_core::api::UploadState;
use serde::Deserialize;
use std::sync::Arc;

/// The query of an upload.
#[derive(Deserialize)]
pub struct Piece {
    /// The file's name.
    name: String,
    /// The file's size.
    size: u64,
    /// Where in the file the body begins.
    offset: u64,
}

/// How far the upload of a file has come.
pub async fn state(State(app): State<Arc<AppState>>, Segment(id): Segment<UploadId>) -> Result<Json<UploadState>, Failure> {
    if let Some(upload) = app.store.upload(&id).await? {
        return Ok(Json(UploadState { received: upload.received, session: None }));
    }
    let stored = app.store.log_of_file(&id).await?;
    Ok(Json(match stored {
        Some(stored) => UploadState { received: stored.bytes, session: Some(stored.session) },
        None => UploadState { received: 0, session: None },
    }))
}

/// Takes the next bytes of a file; with the last ones, its session is stored.
pub async fn put(
    State(app): State<Arc<AppState>>,
    Segment(id): Segment<UploadId>,
    Fields(piece): Fields<Piece>,
    body: Body,
) -> Result<Json<UploadState>, Failure> {
    let name: FileName = piece.name.parse().map_err(Failure::bad_request)?;
    if piece.size > LOG_MAX {
        return Err(Failure::too_large(format!("`{name}` has {} bytes; a log may have {LOG_MAX}.", piece.size)));
    }
    let mut upload = match app.store.upload(&id).await? {
        Some(upload) if upload.size == piece.size => upload,
        // Nothing, or another file that came by the same fingerprint: this one starts afresh.
        _ if piece.offset == 0 => app.store.begin_upload(&id, &name, piece.size).await?,
        Some(upload) => {
            let message =
                format!("The upload `{id}` is of a file of {} bytes, not {}: begin again at 0.", upload.size, piece.size);
            return Err(Failure::stale(message).with_received(0));
        }
        None => {
            // The request that completed the file may have lost its answer.
            let stored = app.store.log_of_file(&id).await?.filter(|stored| stored.bytes == piece.size);
            let stored = stored.ok_or_else(|| elsewhere(&id, 0, piece.offset))?;
            return Ok(Json(UploadState { received: stored.bytes, session: Some(stored.session) }));
        }
    };
    if upload.received != piece.offset {
        return Err(elsewhere(&id, upload.received, piece.offset));
    }
    receive(&app, &mut upload, body).await?;
    let session =
        if upload.received == upload.size { Some(import::finish(&app.store, &app.reading, &upload).await?) } else { None };
    Ok(Json(UploadState { received: upload.received, session }))
}

/// Stores a body frame by frame; what does not fill a frame is stored at its end. When the body breaks off, its whole frames stay.
async fn receive(app: &AppState, upload: &mut Upload, body: Body) -> Result<(), Failure> {
    let mut chunks = body.into_data_stream();
    let mut frame = Vec::with_capacity(FRAME_BYTES);
    while let Some(chunk) = chunks.next().await {
        let broken = |_| Failure::bad_request(format!("The body broke off; {} bytes are stored.", upload.received));
        let mut chunk: &[u8] = &chunk.map_err(broken)?;
        if upload.received + (frame.len() + chunk.len()) as u64 > upload.size {
            let message = format!(
                "The body goes past the {} bytes that `size` gives the file; {} are stored.",
                upload.size, upload.received
            );
            return Err(Failure::bad_request(message).with_received(upload.received));
        }
        while !chunk.is_empty() {
            let (fits, rest) = chunk.split_at(chunk.len().min(FRAME_BYTES - frame.len()));
            frame.extend_from_slice(fits);
            chunk = rest;
            if frame.len() == FRAME_BYTES {
                keep(app, upload, std::mem::replace(&mut frame, Vec::with_capacity(FRAME_BYTES))).await?;
            }
        }
    }
    if !frame.is_empty() {
        keep(app, upload, frame).await?;
    }
    Ok(())
}

async fn keep(app: &AppState, upload: &mut Upload, frame: Vec<u8>) -> Result<(), Failure> {
    if app.store.append(upload, frame).await? {
        return Ok(());
    }
    // Another request for the same file was faster.
    let received = app.store.upload(&upload.id).await?.map_or(0, |now| now.received);
    Err(elsewhere(&upload.id, received, upload.received))
}

fn elsewhere(id: &UploadId, received: u64, offset: u64) -> Failure {
    let message = format!("{received} bytes of the upload `{id}` are stored, so it goes on at {received}, not at {offset}.");
    Failure::stale(message).with_received(received)
}
