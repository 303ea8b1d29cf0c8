//! The first-chat welcome: due once in a home, run and recorded in one transaction, so that it is complete or has not happened
//! (specs: system-opened-turns, section 4).

use super::live::{self, Live, NoAnswer, Place, Ran, Turn};
use super::{ORG, Result, Store, audit, ledger, unsigned};
use crate::clock;
use proem_core::api::chat::WelcomeAnswer;
use proem_core::api::governance::WelcomeState;
use proem_core::ledger::LedgerRow;
use sqlx::sqlite::SqliteRow;
use sqlx::{Row, SqliteConnection};

/// What is recorded of the welcome. The key of its table is the lock: there is one in an organisation.
struct Record {
    skipped: bool,
    session_id: String,
    turn_id: String,
    response: String,
    reason: String,
    at: String,
}

/// A welcome that was tried, for the case that it fails.
struct Attempt {
    session_id: String,
    /// What it logged and decided, if it was the turn that failed.
    lines: String,
    rows: Vec<LedgerRow>,
}

impl Store {
    /// The welcome: as it is recorded, or run now because it is due (4.2). Whatever fails leaves no record, so that it is offered again.
    pub async fn welcome(&self, place: Place<'_>, turn: &mut dyn Turn) -> std::result::Result<WelcomeAnswer, NoAnswer> {
        let mut attempt = None;
        let mut tx = self.write().await?;
        let outcome = match ensure(&mut tx, place, turn, &mut attempt).await {
            Ok(answer) => tx.commit().await.map(|()| answer).map_err(NoAnswer::from),
            Err(error) => tx.rollback().await.map_err(NoAnswer::from).and(Err(error)),
        };
        match (&outcome, attempt) {
            (Ok(_), _) => {
                // It is stored: nothing can end it any more.
                let _ = turn.reached("committed");
            }
            (Err(error), Some(attempt)) => {
                if let Err(second) = self.keep_attempt(&attempt, error, place, turn).await {
                    tracing::error!("a welcome that failed could not be noted: {second}");
                }
            }
            (Err(_), None) => {}
        }
        outcome
    }

    /// Notes a welcome that failed, with as much of its session as was logged: lists show it, and no later welcome asks about it.
    async fn keep_attempt(
        &self,
        attempt: &Attempt,
        error: &NoAnswer,
        place: Place<'_>,
        turn: &mut dyn Turn,
    ) -> std::result::Result<(), NoAnswer> {
        let mut tx = self.write().await?;
        turn.reached("begin attempt")?;
        let live = Live::find(&mut tx, &attempt.session_id).await?;
        live.append(&mut tx, place, &attempt.lines, turn).await?;
        ledger::insert(&mut tx, &attempt.rows, "proem").await?;
        turn.reached("write ledger")?;
        sqlx::query("INSERT INTO welcome_attempt (org_id, session_id, at, error) VALUES (?, ?, ?, ?)")
            .bind(ORG)
            .bind(&attempt.session_id)
            .bind(clock::now())
            .bind(error.to_string())
            .execute(&mut *tx)
            .await?;
        turn.reached("write attempt")?;
        tx.commit().await?;
        let _ = turn.reached("attempt committed");
        Ok(())
    }

    /// Takes the record away, so that the next request runs the welcome again, whatever the home holds by then.
    pub async fn offer_welcome(&self, who: &str) -> Result<()> {
        let mut tx = self.write().await?;
        sqlx::query("DELETE FROM welcome_record WHERE org_id = ?").bind(ORG).execute(&mut *tx).await?;
        sqlx::query("INSERT INTO welcome_offer (org_id, at) VALUES (?, ?) ON CONFLICT DO NOTHING")
            .bind(ORG)
            .bind(clock::now())
            .execute(&mut *tx)
            .await?;
        audit(&mut tx, who, "welcome.offer", "welcome", serde_json::json!({})).await?;
        tx.commit().await?;
        Ok(())
    }

    /// What became of the welcome.
    pub async fn welcome_state(&self) -> Result<WelcomeState> {
        let record = sqlx::query(SELECT_RECORD).bind(ORG).fetch_optional(&self.reads).await?;
        let record = record.as_ref().map(Record::of).transpose()?;
        let failed = sqlx::query(
            "SELECT COUNT(*) AS failures, COALESCE(
                 (SELECT error FROM welcome_attempt WHERE org_id = ? ORDER BY at DESC, session_id LIMIT 1), '') AS last_error
             FROM welcome_attempt WHERE org_id = ?",
        )
        .bind(ORG)
        .bind(ORG)
        .fetch_one(&self.reads)
        .await?;
        let state = match &record {
            None => "due",
            Some(record) if record.skipped => "skipped",
            Some(_) => "done",
        };
        let (session_id, reason, at) = record.map(|record| (record.session_id, record.reason, record.at)).unwrap_or_default();
        Ok(WelcomeState {
            state: state.to_owned(),
            session_id,
            reason,
            at,
            failures: unsigned(failed.try_get("failures")?),
            last_error: failed.try_get("last_error")?,
        })
    }
}

/// The rule of 4.2, inside its transaction.
async fn ensure(
    tx: &mut SqliteConnection,
    place: Place<'_>,
    turn: &mut dyn Turn,
    attempt: &mut Option<Attempt>,
) -> std::result::Result<WelcomeAnswer, NoAnswer> {
    turn.reached("begin")?;
    if let Some(row) = sqlx::query(SELECT_RECORD).bind(ORG).fetch_optional(&mut *tx).await? {
        return Ok(Record::of(&row)?.answer(false));
    }
    let earlier = if is_offered(tx).await? { 0 } else { conversations(tx).await? };
    if earlier > 0 {
        let record = Record::skipped(earlier);
        record.write(tx, place).await?;
        turn.reached("write record")?;
        return Ok(record.answer(false));
    }
    let session_id = live::new_session(tx, "").await?;
    let Ran { lines, rows, ended } = turn.run(&session_id, &live::skills(tx).await?);
    let answer = match ended {
        Ok(answer) => answer,
        Err(error) => {
            *attempt = Some(Attempt { session_id, lines, rows });
            return Err(NoAnswer::Failed(error));
        }
    };
    *attempt = Some(Attempt { session_id: session_id.clone(), lines: String::new(), rows: Vec::new() });
    Live::find(tx, &session_id).await?.append(tx, place, &lines, turn).await?;
    ledger::insert(tx, &rows, "proem").await?;
    turn.reached("write ledger")?;
    let record = Record {
        skipped: false,
        session_id,
        turn_id: answer.turn_id,
        response: answer.masked,
        reason: String::new(),
        at: answer.at,
    };
    record.write(tx, place).await?;
    turn.reached("write record")?;
    sqlx::query("DELETE FROM welcome_offer WHERE org_id = ?").bind(ORG).execute(&mut *tx).await?;
    turn.reached("write offer")?;
    Ok(record.answer(true))
}

const SELECT_RECORD: &str = "SELECT state, session_id, turn_id, response, reason, at FROM welcome_record WHERE org_id = ?";

impl Record {
    /// The one of a home that had conversations before anybody asked for the welcome.
    fn skipped(earlier: u64) -> Record {
        let reason = match earlier {
            1 => "1 conversation existed before the first welcome request".to_owned(),
            _ => format!("{earlier} conversations existed before the first welcome request"),
        };
        let at = clock::stamp();
        Record { skipped: true, session_id: String::new(), turn_id: String::new(), response: String::new(), reason, at }
    }

    fn of(row: &SqliteRow) -> Result<Record> {
        Ok(Record {
            skipped: row.try_get::<&str, _>("state")? == "skipped",
            session_id: row.try_get("session_id")?,
            turn_id: row.try_get("turn_id")?,
            response: row.try_get("response")?,
            reason: row.try_get("reason")?,
            at: row.try_get("at")?,
        })
    }

    async fn write(&self, tx: &mut SqliteConnection, place: Place<'_>) -> Result<()> {
        sqlx::query(
            "INSERT INTO welcome_record (org_id, state, session_id, turn_id, response, channel, audience, reason, at)
             VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        )
        .bind(ORG)
        .bind(if self.skipped { "skipped" } else { "done" })
        .bind(&self.session_id)
        .bind(&self.turn_id)
        .bind(&self.response)
        .bind(place.channel)
        .bind(place.audience)
        .bind(&self.reason)
        .bind(&self.at)
        .execute(tx)
        .await?;
        Ok(())
    }

    /// As clients see it. A record that was imported may name no turn, or not even a session.
    fn answer(self, created: bool) -> WelcomeAnswer {
        let Record { skipped, session_id, turn_id, response, reason, at } = self;
        let trace_id = if session_id.is_empty() { String::new() } else { format!("{session_id}~0") };
        let reference = if turn_id.is_empty() { trace_id.clone() } else { format!("{session_id}@{turn_id}") };
        WelcomeAnswer { session_id, created, response, trace_id, at, skipped, skip_reason: reason, reference }
    }
}

/// Whether an admin offered the welcome again.
async fn is_offered(tx: &mut SqliteConnection) -> Result<bool> {
    Ok(sqlx::query("SELECT 1 FROM welcome_offer WHERE org_id = ?").bind(ORG).fetch_optional(tx).await?.is_some())
}

/// How many conversations the home holds, live and imported: no runs, and no welcomes that failed (4.3).
async fn conversations(tx: &mut SqliteConnection) -> Result<u64> {
    let row = sqlx::query(
        "SELECT COUNT(*) FROM session_log WHERE org_id = ? AND conversation = 1 AND ephemeral = 0
         AND session_id NOT IN (SELECT session_id FROM welcome_attempt WHERE org_id = ?)",
    )
    .bind(ORG)
    .bind(ORG)
    .fetch_one(tx)
    .await?;
    Ok(unsigned(row.try_get(0)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proem_core::turn::{SkillLine, TurnError};

    /// A turn that only fails.
    struct NoTurn;

    impl Turn for NoTurn {
        fn run(&mut self, _: &str, _: &[SkillLine]) -> Ran {
            Ran { lines: String::new(), rows: Vec::new(), ended: Err(TurnError::NotNamed) }
        }

        fn reached(&mut self, _: &str) -> Result<()> {
            Ok(())
        }
    }

    const WEB: Place<'static> = Place { channel: "web", audience: "owner" };

    async fn session(store: &Store, id: &str, conversation: bool) {
        for statement in [
            "INSERT INTO content (org_id, id) VALUES (?, ?)",
            "INSERT INTO session_log (org_id, id, session_id, fingerprint, content_id, file_name, stored_at, bytes, summary)
             VALUES (?1, ?2, ?2, '', ?2, '', '', 0, '')",
        ] {
            sqlx::query(statement).bind(ORG).bind(id).execute(&store.writes).await.unwrap();
        }
        let statement = "UPDATE session_log SET conversation = ? WHERE id = ?";
        sqlx::query(statement).bind(conversation).bind(id).execute(&store.writes).await.unwrap();
    }

    #[tokio::test]
    async fn what_was_skipped_stays_skipped_when_the_sessions_are_gone() {
        let home = tempfile::tempdir().unwrap();
        let store = Store::open(home.path()).await.unwrap();
        for (id, conversation) in [("a", true), ("b", false), ("c", true)] {
            session(&store, id, conversation).await;
        }
        let skipped = store.welcome(WEB, &mut NoTurn).await.unwrap();
        assert_eq!(skipped.skip_reason, "2 conversations existed before the first welcome request");
        sqlx::query("DELETE FROM session_log").execute(&store.writes).await.unwrap();
        assert_eq!(store.welcome(WEB, &mut NoTurn).await.unwrap(), skipped);
    }

    #[tokio::test]
    async fn an_imported_record_counts_as_done_whatever_it_lacks() {
        for (session_id, trace_id) in [("", ""), ("3fa9c07be21d", "3fa9c07be21d~0")] {
            let home = tempfile::tempdir().unwrap();
            let store = Store::open(home.path()).await.unwrap();
            let empty = String::new;
            let record = Record {
                skipped: false,
                session_id: session_id.to_owned(),
                turn_id: empty(),
                response: empty(),
                reason: empty(),
                at: empty(),
            };
            record.write(&mut store.writes.acquire().await.unwrap(), WEB).await.unwrap();
            let answer = store.welcome(WEB, &mut NoTurn).await.unwrap();
            assert_eq!((answer.created, answer.skipped, answer.session_id.as_str()), (false, false, session_id));
            assert_eq!((answer.trace_id.as_str(), answer.reference.as_str()), (trace_id, trace_id));
        }
    }
}
