//! From the bytes of a log to a stored session: read it, and settle with what is stored already.

mod files;
mod harness;

pub use files::{Found, find};
pub use harness::{Rows, ledger, welcome};

use crate::failure::Failure;
use crate::store::{FRAME_BYTES, Finished, LogFacts, Replaces, Store, StoreError, Upload};
use crate::token::random_hex;
use proem_core::api::StoredSession;
use proem_core::log::Log;
use tokio::sync::Semaphore;

/// Who does what is done through this server today.
pub const OWNER: &str = "owner";
/// Largest log, in bytes.
pub const LOG_MAX: u64 = 2 * 1024 * 1024 * 1024;

/// How often the store may change under an import before it gives up.
const ATTEMPTS: u32 = 5;

/// What became of a log.
#[derive(Debug)]
pub enum Imported {
    /// Its session is new here.
    Added(StoredSession),
    /// It took the place of a shorter copy.
    Replaced(StoredSession),
    /// It was here already, byte for byte.
    Known(StoredSession),
}

/// Why a log was not stored.
#[derive(Debug)]
pub enum NotImported {
    /// It is none: the reader's sentence.
    NotALog(String),
    /// It is at odds with what is stored: a sentence.
    Conflict(String),
    /// The store failed.
    Store(StoreError),
}

impl From<StoreError> for NotImported {
    fn from(error: StoreError) -> Self {
        NotImported::Store(error)
    }
}

impl From<NotImported> for Failure {
    fn from(error: NotImported) -> Self {
        match error {
            NotImported::NotALog(sentence) => Failure::refused(sentence),
            NotImported::Conflict(sentence) => Failure::conflict(sentence),
            NotImported::Store(error) => error.into(),
        }
    }
}

/// Reads the log that was uploaded and stores its session. `reading` lets one log at a time be in memory.
pub async fn finish(store: &Store, reading: &Semaphore, upload: &Upload) -> Result<StoredSession, Failure> {
    let read = {
        let _alone = reading.acquire().await.map_err(Failure::internal)?;
        let bytes = store.content(upload.content(), upload.size).await?;
        let name = upload.file_name.clone();
        let read = move || Log::read(&name, bytes, &mut || {}).map(|log| LogFacts::of(&log)).map_err(|error| error.to_string());
        tokio::task::spawn_blocking(read).await.map_err(Failure::internal)?
    };
    match read {
        Ok(facts) => match settle(store, upload, &facts).await? {
            Imported::Added(session) | Imported::Replaced(session) | Imported::Known(session) => Ok(session),
        },
        Err(sentence) => {
            store.drop_upload(upload).await?;
            Err(Failure::refused(sentence))
        }
    }
}

/// Stores the session of a log that was read from a file called `name`.
pub async fn log(store: &Store, name: &str, log: Log) -> Result<Imported, NotImported> {
    let facts = LogFacts::of(&log);
    let size = log.bytes().len() as u64;
    // What is here already is not written once more.
    if let Some(stored) = store.log_of_session(log.session_id()).await?.filter(|stored| stored.bytes == size)
        && is_content(store, &stored, log.bytes()).await?
    {
        return Ok(Imported::Known(stored.session));
    }
    let random = random_hex(16).map_err(|error| StoreError::Damaged(format!("no random bytes for an id ({error})")))?;
    let id = random.parse().map_err(StoreError::Damaged)?;
    let name = name.parse().map_err(NotImported::NotALog)?;
    let mut upload = store.begin_upload(&id, &name, size).await?;
    for frame in log.bytes().chunks(FRAME_BYTES) {
        if !store.append(&mut upload, frame.to_vec()).await? {
            return Err(NotImported::Conflict(format!("The upload of `{name}` was forgotten while it went on; try again.")));
        }
    }
    drop(log);
    settle(store, &upload, &facts).await
}

/// Stores the session of a complete upload (specs: iris-session-log, 7.12): text that continues the stored text of its session replaces it,
/// the same text changes nothing, and other text is a conflict. The upload is gone afterwards.
async fn settle(store: &Store, upload: &Upload, facts: &LogFacts) -> Result<Imported, NotImported> {
    let session_id = &facts.summary.session_id;
    for _ in 0..ATTEMPTS {
        let stored = store.log_of_session(session_id).await?;
        let replaces = match &stored {
            None => Replaces::Nothing,
            Some(stored) => {
                let common = store.common_prefix(&stored.content, upload.content()).await?;
                if common == stored.bytes && common == upload.size {
                    store.drop_upload(upload).await?;
                    return Ok(Imported::Known(stored.session.clone()));
                }
                if common < stored.bytes || stored.session.live {
                    store.drop_upload(upload).await?;
                    return Err(NotImported::Conflict(conflict(stored, upload, common)));
                }
                Replaces::Copy(stored)
            }
        };
        let is_new = matches!(replaces, Replaces::Nothing);
        if let Some(session) = store.finish(upload, facts, replaces, OWNER).await? {
            return Ok(if is_new { Imported::Added(session) } else { Imported::Replaced(session) });
        }
        // Another request may have finished this very upload.
        if let Some(done) = store.log_of_file(&upload.id).await?.filter(|done| done.content == upload.content()) {
            return Ok(Imported::Added(done.session));
        }
    }
    Err(NotImported::Conflict(format!("The stored log of session {session_id} keeps changing; try again.")))
}

/// Whether a stored log has exactly these bytes.
async fn is_content(store: &Store, stored: &Finished, bytes: &[u8]) -> Result<bool, StoreError> {
    let mut rest = bytes;
    while !rest.is_empty() {
        let Some(frame) = store.frame(&stored.content, (bytes.len() - rest.len()) as u64).await? else { return Ok(false) };
        match rest.strip_prefix(frame.as_slice()) {
            Some(more) if !frame.is_empty() => rest = more,
            _ => return Ok(false),
        }
    }
    Ok(true)
}

fn conflict(stored: &Finished, upload: &Upload, common: u64) -> String {
    let (session, name) = (&stored.session.summary.session_id, &stored.session.file_name);
    if stored.session.live {
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
    }
}
