//! Stored session logs: one row of extracted facts each, beside the bytes as they came.

use super::{ORG, Result, Store, StoreError, Upload, audit, contents, fresh_id, signed, unsigned};
use crate::clock;
use crate::ids::{LogId, UploadId};
use proem_core::api::StoredSession;
use proem_core::log::{Log, SessionSummary, TurnSpan, is_ephemeral};
use sqlx::Row;
use sqlx::sqlite::SqliteRow;

/// A stored log and where its bytes are.
#[derive(Clone, Debug)]
pub struct Finished {
    /// What clients see.
    pub session: StoredSession,
    /// Where its bytes are: for the store's reading functions.
    pub content: String,
    /// How many there are.
    pub bytes: u64,
}

/// What the reading of a log found, to be kept beside its bytes.
#[derive(Clone, Debug)]
pub struct LogFacts {
    /// In one row.
    pub summary: SessionSummary,
    /// When each turn was open.
    pub spans: Vec<TurnSpan>,
    /// Whether somebody conversed in it.
    pub conversation: bool,
}

impl LogFacts {
    /// Those of a log.
    pub fn of(log: &Log) -> LogFacts {
        LogFacts { summary: log.summary().clone(), spans: log.spans(), conversation: log.is_conversation() }
    }
}

/// What a finished upload takes the place of.
pub enum Replaces<'a> {
    /// Nothing: its session is new.
    Nothing,
    /// An earlier, shorter copy.
    Copy(&'a Finished),
}

impl Store {
    /// All stored logs, latest activity first; logs without a readable stamp come last, latest stored first. `runs`: those of tests,
    /// playgrounds and evaluations as well (specs: iris-session-log, 7.11).
    pub async fn sessions(&self, runs: bool) -> Result<Vec<StoredSession>> {
        let rows = sqlx::query(
            "SELECT id, content_id, file_name, stored_at, bytes, summary, live, channel FROM session_log
             WHERE org_id = ? AND (? OR ephemeral = 0) ORDER BY last_activity_at IS NULL, last_activity_at DESC, stored_at DESC, id",
        )
        .bind(ORG)
        .bind(runs)
        .fetch_all(&self.reads)
        .await?;
        rows.iter().map(|row| finished_of(row).map(|finished| finished.session)).collect()
    }

    /// One stored log.
    pub async fn session(&self, id: &LogId) -> Result<Option<Finished>> {
        let row = sqlx::query(
            "SELECT id, content_id, file_name, stored_at, bytes, summary, live, channel FROM session_log WHERE org_id = ? AND id = ?",
        )
        .bind(ORG)
        .bind(id.as_str())
        .fetch_optional(&self.reads)
        .await?;
        row.as_ref().map(finished_of).transpose()
    }

    /// The stored log of a session, by the id that the log itself gives.
    pub async fn log_of_session(&self, session_id: &str) -> Result<Option<Finished>> {
        let row = sqlx::query(
            "SELECT id, content_id, file_name, stored_at, bytes, summary, live, channel FROM session_log WHERE org_id = ? AND session_id = ?",
        )
        .bind(ORG)
        .bind(session_id)
        .fetch_optional(&self.reads)
        .await?;
        row.as_ref().map(finished_of).transpose()
    }

    /// The stored log that came from a file with this fingerprint.
    pub async fn log_of_file(&self, fingerprint: &UploadId) -> Result<Option<Finished>> {
        let row = sqlx::query(
            "SELECT id, content_id, file_name, stored_at, bytes, summary, live, channel FROM session_log WHERE org_id = ? AND fingerprint = ?
             ORDER BY stored_at DESC LIMIT 1",
        )
        .bind(ORG)
        .bind(fingerprint.as_str())
        .fetch_optional(&self.reads)
        .await?;
        row.as_ref().map(finished_of).transpose()
    }

    /// Turns a complete upload into a stored log. Absent, and nothing is changed, when what is stored for its session is no
    /// longer what `replaces` says.
    pub async fn finish(
        &self,
        upload: &Upload,
        facts: &LogFacts,
        replaces: Replaces<'_>,
        who: &str,
    ) -> Result<Option<StoredSession>> {
        let summary = &facts.summary;
        let spans = pack_spans(&facts.spans).await?;
        let mut tx = self.write().await?;
        let stored = sqlx::query("SELECT id, content_id FROM session_log WHERE org_id = ? AND session_id = ?")
            .bind(ORG)
            .bind(&summary.session_id)
            .fetch_optional(&mut *tx)
            .await?;
        let stored: Option<(String, String)> =
            stored.map(|row| Ok::<_, sqlx::Error>((row.try_get("id")?, row.try_get("content_id")?))).transpose()?;
        let (id, what) = match (stored, replaces) {
            (None, Replaces::Nothing) => (fresh_id()?, "session.import"),
            (Some((id, content)), Replaces::Copy(copy)) if content == copy.content => {
                sqlx::query("DELETE FROM session_log WHERE org_id = ? AND id = ?").bind(ORG).bind(&id).execute(&mut *tx).await?;
                contents::remove(&mut tx, &content).await?;
                (id, "session.replace")
            }
            _ => return Ok(None),
        };
        let gone = sqlx::query("DELETE FROM upload WHERE org_id = ? AND id = ? AND content_id = ?")
            .bind(ORG)
            .bind(upload.id.as_str())
            .bind(&upload.content)
            .execute(&mut *tx)
            .await?;
        if gone.rows_affected() == 0 {
            return Ok(None);
        }
        let session = StoredSession {
            id: id.clone(),
            file_name: upload.file_name.clone(),
            live: false,
            channel: None,
            stored_at: clock::now(),
            summary: summary.clone(),
        };
        let json = serde_json::to_string(summary).map_err(|error| StoreError::Damaged(format!("a summary ({error})")))?;
        sqlx::query(
            "INSERT INTO session_log
             (org_id, id, session_id, fingerprint, content_id, file_name, stored_at, bytes, last_activity_at, summary, ephemeral,
              conversation, spans)
             VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        )
        .bind(ORG)
        .bind(&id)
        .bind(&summary.session_id)
        .bind(upload.id.as_str())
        .bind(&upload.content)
        .bind(&upload.file_name)
        .bind(&session.stored_at)
        .bind(signed(upload.size))
        .bind(&summary.last_activity_at)
        .bind(json)
        .bind(is_ephemeral(&summary.session_id))
        .bind(facts.conversation)
        .bind(spans)
        .execute(&mut *tx)
        .await?;
        let detail = serde_json::json!({ "session_id": summary.session_id, "file_name": upload.file_name, "bytes": upload.size });
        audit(&mut tx, who, what, &id, detail).await?;
        tx.commit().await?;
        Ok(Some(session))
    }
}

/// Spans as they are kept: packed JSON.
pub(super) async fn pack_spans(spans: &[TurnSpan]) -> Result<Vec<u8>> {
    let json = serde_json::to_vec(spans).map_err(|error| StoreError::Damaged(format!("the times of turns ({error})")))?;
    contents::pack(json).await
}

/// The way back.
pub(super) fn unpack_spans(packed: &[u8]) -> Result<Vec<TurnSpan>> {
    let damaged = |error: &dyn std::fmt::Display| StoreError::Damaged(format!("the times of turns ({error})"));
    let json = zstd::stream::decode_all(packed).map_err(|error| damaged(&error))?;
    serde_json::from_slice(&json).map_err(|error| damaged(&error))
}

fn finished_of(row: &SqliteRow) -> Result<Finished> {
    let id: String = row.try_get("id")?;
    let summary: &str = row.try_get("summary")?;
    let summary =
        serde_json::from_str(summary).map_err(|error| StoreError::Damaged(format!("the summary of log {id} ({error})")))?;
    Ok(Finished {
        session: StoredSession {
            id,
            file_name: row.try_get("file_name")?,
            live: row.try_get::<i64, _>("live")? != 0,
            channel: row.try_get("channel")?,
            stored_at: row.try_get("stored_at")?,
            summary,
        },
        content: row.try_get("content_id")?,
        bytes: unsigned(row.try_get("bytes")?),
    })
}
