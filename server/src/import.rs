//! From a complete upload to a stored session: read it, and settle with what is stored already.

use crate::app::AppState;
use crate::failure::Failure;
use crate::store::{Finished, LogFacts, Replaces, Upload};
use proem_core::api::StoredSession;
use proem_core::log::Log;

/// Who does what is done through this server today.
pub const OWNER: &str = "owner";

/// How often the store may change under an import before it gives up.
const ATTEMPTS: u32 = 5;

/// Reads the log that was uploaded and stores its session (specs: iris-session-log, 7.12): text that continues the stored text of
/// its session replaces it, the same text changes nothing, and other text is a conflict.
pub async fn finish(app: &AppState, upload: &Upload) -> Result<StoredSession, Failure> {
    let facts = match read(app, upload).await? {
        Ok(facts) => facts,
        Err(sentence) => {
            app.store.drop_upload(upload).await?;
            return Err(Failure::refused(sentence));
        }
    };
    let summary = &facts.summary;
    for _ in 0..ATTEMPTS {
        let stored = app.store.log_of_session(&summary.session_id).await?;
        let replaces = match &stored {
            None => Replaces::Nothing,
            Some(stored) => {
                let common = app.store.common_prefix(&stored.content, upload.content()).await?;
                if common == stored.bytes && common == upload.size {
                    app.store.drop_upload(upload).await?;
                    return Ok(stored.session.clone());
                }
                if common < stored.bytes || stored.session.live {
                    app.store.drop_upload(upload).await?;
                    return Err(conflict(stored, upload, common));
                }
                Replaces::Copy(stored)
            }
        };
        if let Some(session) = app.store.finish(upload, &facts, replaces, OWNER).await? {
            return Ok(session);
        }
        // Another request may have finished this very upload.
        if let Some(done) = app.store.log_of_file(&upload.id).await?.filter(|done| done.content == upload.content()) {
            return Ok(done.session);
        }
    }
    Err(Failure::conflict(format!("The stored log of session {} keeps changing; try again.", summary.session_id)))
}

/// What a log holds; the inner error is the reader's sentence about something that is none.
async fn read(app: &AppState, upload: &Upload) -> Result<Result<LogFacts, String>, Failure> {
    let _alone = app.reading.acquire().await.map_err(Failure::internal)?;
    let bytes = app.store.content(upload.content(), upload.size).await?;
    let name = upload.file_name.clone();
    let read = move || Log::read(&name, bytes, &mut || {}).map(|log| LogFacts::of(&log)).map_err(|error| error.to_string());
    tokio::task::spawn_blocking(read).await.map_err(Failure::internal)
}

fn conflict(stored: &Finished, upload: &Upload, common: u64) -> Failure {
    let (session, name) = (&stored.session.summary.session_id, &stored.session.file_name);
    Failure::conflict(if stored.session.live {
        format!(
            "Session {session} is a conversation of this home, so no file takes its place: to keep this one beside it, give it another \
             session id in its name (`session-ID.jsonl`)."
        )
    } else if common == upload.size {
        format!("Session {session} is already stored from `{name}` with more text: all of this file is in it.")
    } else {
        format!(
            "Session {session} is already stored from `{name}`, and this file has other text from byte {common} on: \
             to keep both, give this one another session id in its name (`session-ID.jsonl`)."
        )
    })
}
