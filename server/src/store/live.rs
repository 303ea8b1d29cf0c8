//! Conversations that Proem runs: stored logs that grow by whole turns. A turn's lines, its decisions and its session's row are written in
//! one transaction.

use super::sessions::{LogFacts, pack_spans};
use super::{ORG, Result, Store, StoreError, contents, fresh_id, ledger, signed, unsigned};
use crate::clock;
use crate::ids::LogId;
use crate::token::random_hex;
use proem_core::ledger::LedgerRow;
use proem_core::log::{Log, is_ephemeral, is_session_id};
use proem_core::turn::{Answer, SkillLine, TurnError};
use sqlx::{Row, SqliteConnection};

/// Bytes that the log of a live conversation may have: it is read again at every turn.
pub const LIVE_MAX: u64 = 8 * 1024 * 1024;
/// Characters that file systems refuse in names; two hex digits stand for each (specs: iris-session-log, 1.10).
const ENCODED: [char; 8] = ['<', '>', ':', '"', '|', '?', '*', '%'];

/// Where a turn takes place.
#[derive(Clone, Copy, Debug)]
pub struct Place<'a> {
    /// `web`, `console`, …
    pub channel: &'a str,
    /// `owner` or `other`.
    pub audience: &'a str,
}

/// Which conversation a turn belongs to.
#[derive(Clone, Copy, Debug)]
pub enum Conversation<'a> {
    /// The one with this id, which begins with this turn if there is none.
    Of(&'a str),
    /// A new one, whose id begins like this.
    New(&'a str),
}

/// A turn as the store runs it: while nobody else writes, so that what it says and what is stored are one thing.
pub trait Turn: Send {
    /// Runs it to its end. Nothing outside is touched but [`Turn::reached`].
    fn run(&mut self, session_id: &str, skills: &[SkillLine]) -> Ran;

    /// Called at every named point: after each event and decision, and after each write. An error ends the turn as a failing disk would.
    fn reached(&mut self, point: &str) -> Result<()>;
}

/// What a turn left.
pub struct Ran {
    /// Its events, each a line with its end.
    pub lines: String,
    /// Its decisions.
    pub rows: Vec<LedgerRow>,
    /// How it ended.
    pub ended: std::result::Result<Answer, TurnError>,
}

/// A turn that was answered and is stored.
#[derive(Debug)]
pub struct Told {
    /// Its conversation.
    pub session_id: String,
    /// `<session>@<turn>`.
    pub reference: String,
    /// `<session>~<index>`.
    pub trace_id: String,
    /// What it said.
    pub answer: Answer,
}

/// Why there is no answer.
#[derive(Debug)]
pub enum NoAnswer {
    /// The text cannot be the id of a conversation.
    NoSession(String),
    /// The session was imported: it is somebody else's record.
    Imported(String),
    /// The conversation's log has grown as large as it may.
    Full(String),
    /// The turn failed; what it logged up to there is stored.
    Failed(TurnError),
    /// The store failed; nothing of the turn is stored.
    Store(StoreError),
}

impl std::fmt::Display for NoAnswer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            NoAnswer::NoSession(text) => write!(
                f,
                "`{}` is not the id of a conversation: 1 to 128 characters without control characters and slashes.",
                text.chars().take(128).filter(|c| !c.is_control()).collect::<String>()
            ),
            NoAnswer::Imported(id) => {
                write!(
                    f,
                    "Session {id} was imported, so it stays as it is: begin a new conversation, or go on with one of this home."
                )
            }
            NoAnswer::Full(id) => {
                write!(f, "The conversation {id} has reached the {LIVE_MAX} bytes that one may have: begin a new one.")
            }
            NoAnswer::Failed(error) => write!(f, "{error}"),
            NoAnswer::Store(error) => write!(f, "{error}"),
        }
    }
}

impl std::error::Error for NoAnswer {}

impl From<StoreError> for NoAnswer {
    fn from(error: StoreError) -> NoAnswer {
        NoAnswer::Store(error)
    }
}

impl From<sqlx::Error> for NoAnswer {
    fn from(error: sqlx::Error) -> NoAnswer {
        NoAnswer::Store(error.into())
    }
}

impl Store {
    /// Runs a turn and stores it. One that fails is stored as far as it came: it happened.
    pub async fn turn(
        &self,
        conversation: Conversation<'_>,
        place: Place<'_>,
        turn: &mut dyn Turn,
    ) -> std::result::Result<Told, NoAnswer> {
        let mut tx = self.write().await?;
        turn.reached("begin")?;
        let session_id = match conversation {
            Conversation::Of(id) => id.to_owned(),
            Conversation::New(prefix) => new_session(&mut tx, prefix).await?,
        };
        let live = Live::find(&mut tx, &session_id).await?;
        let Ran { lines, rows, ended } = turn.run(&session_id, &skills(&mut tx).await?);
        let kept = live.append(&mut tx, place, &lines, turn).await?;
        ledger::insert(&mut tx, &rows, "proem").await?;
        turn.reached("write ledger")?;
        tx.commit().await?;
        // It is stored: nothing can end it any more.
        let _ = turn.reached("committed");
        let answer = ended.map_err(NoAnswer::Failed)?;
        let (reference, trace_id) = kept.names_of(&answer.turn_id);
        Ok(Told { session_id, reference, trace_id, answer })
    }
}

/// The log of a live conversation, stored or about to be.
pub(super) struct Live {
    session_id: String,
    /// What is stored of it: the id of the stored log, where its bytes are, and how many.
    stored: Option<(String, String, u64)>,
}

/// The log of a live conversation with its newest turn in it.
pub(super) struct Kept(Option<Log>);

impl Kept {
    /// Reference and trace id of one of its turns.
    pub fn names_of(&self, turn_id: &str) -> (String, String) {
        let log = self.0.as_ref();
        let turn = log.and_then(|log| log.find_turn(turn_id).map(|turn| &log.turns()[turn]));
        turn.map_or_else(Default::default, |turn| (turn.reference.clone(), turn.trace_id.clone().unwrap_or_default()))
    }
}

impl Live {
    /// The conversation with this id, if it is one that can go on.
    pub async fn find(tx: &mut SqliteConnection, session_id: &str) -> std::result::Result<Live, NoAnswer> {
        if !is_session_id(session_id) || session_id.contains(['/', '\\']) {
            return Err(NoAnswer::NoSession(session_id.to_owned()));
        }
        let row = sqlx::query("SELECT id, content_id, bytes, live FROM session_log WHERE org_id = ? AND session_id = ?")
            .bind(ORG)
            .bind(session_id)
            .fetch_optional(tx)
            .await?;
        let session_id = session_id.to_owned();
        let Some(row) = row else { return Ok(Live { session_id, stored: None }) };
        let bytes = unsigned(row.try_get("bytes")?);
        if row.try_get::<i64, _>("live")? == 0 {
            return Err(NoAnswer::Imported(session_id));
        }
        if bytes >= LIVE_MAX {
            return Err(NoAnswer::Full(session_id));
        }
        Ok(Live { session_id, stored: Some((row.try_get("id")?, row.try_get("content_id")?, bytes)) })
    }

    /// Adds a turn's lines and brings the row up to date. A turn that logged nothing leaves nothing.
    pub async fn append(self, tx: &mut SqliteConnection, place: Place<'_>, lines: &str, turn: &mut dyn Turn) -> Result<Kept> {
        if lines.is_empty() {
            return Ok(Kept(None));
        }
        let Live { session_id, stored } = self;
        let (id, content, before) = match stored {
            Some(stored) => stored,
            None => {
                let (id, content) = (free_id(tx, &session_id).await?, fresh_id()?);
                contents::create(tx, &content).await?;
                turn.reached("write content")?;
                insert(tx, &id, &session_id, &content, place).await?;
                turn.reached("write session")?;
                (id, content, 0)
            }
        };
        let packed = contents::pack(lines.as_bytes().to_vec()).await?;
        contents::add(tx, &content, before, lines.len(), &packed).await?;
        turn.reached("write frame")?;
        let bytes = contents::all(tx, &content).await?;
        let log = read(&session_id, bytes).await?;
        update(tx, &id, &LogFacts::of(&log)).await?;
        turn.reached("write facts")?;
        Ok(Kept(Some(log)))
    }
}

/// A row that says nothing yet of what is in the log.
async fn insert(tx: &mut SqliteConnection, id: &str, session_id: &str, content: &str, place: Place<'_>) -> Result<()> {
    sqlx::query(
        "INSERT INTO session_log
         (org_id, id, session_id, fingerprint, content_id, file_name, stored_at, bytes, summary, live, channel, audience, ephemeral)
         VALUES (?, ?, ?, '', ?, ?, ?, 0, '', 1, ?, ?, ?)",
    )
    .bind(ORG)
    .bind(id)
    .bind(session_id)
    .bind(content)
    .bind(file_name(session_id))
    .bind(clock::now())
    .bind(place.channel)
    .bind(place.audience)
    .bind(is_ephemeral(session_id))
    .execute(tx)
    .await?;
    Ok(())
}

async fn update(tx: &mut SqliteConnection, id: &str, facts: &LogFacts) -> Result<()> {
    let summary = serde_json::to_string(&facts.summary).map_err(|error| StoreError::Damaged(format!("a summary ({error})")))?;
    sqlx::query(
        "UPDATE session_log SET bytes = ?, last_activity_at = ?, summary = ?, conversation = ?, spans = ? WHERE org_id = ? AND id = ?",
    )
    .bind(signed(facts.summary.bytes))
    .bind(&facts.summary.last_activity_at)
    .bind(summary)
    .bind(facts.conversation)
    .bind(pack_spans(&facts.spans).await?)
    .bind(ORG)
    .bind(id)
    .execute(tx)
    .await?;
    Ok(())
}

async fn read(session_id: &str, bytes: Vec<u8>) -> Result<Log> {
    let name = file_name(session_id);
    let damaged = |error: &dyn std::fmt::Display| StoreError::Damaged(format!("the log of session {session_id} ({error})"));
    let read = tokio::task::spawn_blocking(move || Log::read(&name, bytes, &mut || {})).await;
    read.map_err(|error| damaged(&error))?.map_err(|error| damaged(&error))
}

/// The name under which a session's log is exported.
fn file_name(session_id: &str) -> String {
    let mut name = String::from("session-");
    for c in session_id.chars() {
        match ENCODED.contains(&c) {
            true => name += &format!("%{:02X}", u32::from(c)),
            false => name.push(c),
        }
    }
    name + ".jsonl"
}

/// A session id that nothing here has: the prefix, then 12 hex digits.
pub(super) async fn new_session(tx: &mut SqliteConnection, prefix: &str) -> Result<String> {
    loop {
        let random = random_hex(6).map_err(|error| StoreError::Damaged(format!("no random bytes for a session id ({error})")))?;
        let id = format!("{prefix}{random}");
        let taken = sqlx::query("SELECT 1 FROM session_log WHERE org_id = ? AND session_id = ?")
            .bind(ORG)
            .bind(&id)
            .fetch_optional(&mut *tx)
            .await?;
        if taken.is_none() {
            return Ok(id);
        }
    }
}

/// The id of a new stored log: the session's own, where that can be one and is free.
async fn free_id(tx: &mut SqliteConnection, session_id: &str) -> Result<String> {
    if session_id.parse::<LogId>().is_err() {
        return fresh_id();
    }
    let taken = sqlx::query("SELECT 1 FROM session_log WHERE org_id = ? AND id = ?")
        .bind(ORG)
        .bind(session_id)
        .fetch_optional(tx)
        .await?;
    if taken.is_some() { fresh_id() } else { Ok(session_id.to_owned()) }
}

/// The enabled skills, in their order (specs: system-opened-turns, 4.5).
pub(super) async fn skills(tx: &mut SqliteConnection) -> Result<Vec<SkillLine>> {
    let rows = sqlx::query("SELECT name, summary FROM skill WHERE org_id = ? AND enabled = 1 ORDER BY position, name, slug")
        .bind(ORG)
        .fetch_all(tx)
        .await?;
    rows.iter().map(|row| Ok(SkillLine { name: row.try_get("name")?, summary: row.try_get("summary")? })).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_conversation_that_is_full_takes_no_turn() {
        let home = tempfile::tempdir().unwrap();
        let store = Store::open(home.path()).await.unwrap();
        let mut tx = store.write().await.unwrap();
        contents::create(&mut tx, "c").await.unwrap();
        insert(&mut tx, "full", "full", "c", Place { channel: "web", audience: "owner" }).await.unwrap();
        for (bytes, takes) in [(LIVE_MAX - 1, true), (LIVE_MAX, false)] {
            sqlx::query("UPDATE session_log SET bytes = ?").bind(signed(bytes)).execute(&mut *tx).await.unwrap();
            let found = Live::find(&mut tx, "full").await;
            assert_eq!(!matches!(found, Err(NoAnswer::Full(_))), takes, "{bytes}");
        }
    }

    #[tokio::test]
    async fn the_name_of_a_log_tells_its_session() {
        let home = tempfile::tempdir().unwrap();
        let store = Store::open(home.path()).await.unwrap();
        let mut tx = store.write().await.unwrap();
        for id in ["telegram:42", "default", "100%", "a b", "<>\"|?*%3A", "Ü", "…"] {
            assert_eq!(proem_core::log::session_id(&file_name(id)).as_deref(), Some(id));
            assert!(Live::find(&mut tx, id).await.is_ok(), "{id}");
        }
        for id in ["", ".", "..", "a/b", "a\\b", "a\nb", &"x".repeat(129)] {
            assert!(matches!(Live::find(&mut tx, id).await, Err(NoAnswer::NoSession(_))), "{id}");
        }
    }
}
