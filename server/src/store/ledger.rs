//! The governance ledger: rows are only ever added.
//!
//! Nothing here takes rows away. Whoever will, with an organisation or by its rule of retention, has to leave a row with plugin `audit` and hook
//! point `ledger.removed` that counts them (specs: system-opened-turns, 1.2).

mod filter;
mod links;
mod page;

pub use filter::Filter;
pub use page::{Cursor, Export};

use super::{ORG, Result, Store, StoreError, unsigned};
use proem_core::ledger::{Decision, LedgerEntry, LedgerRow};
use proem_core::log::parse_stamp;
use sqlx::sqlite::SqliteRow;
use sqlx::{QueryBuilder, Row, Sqlite, SqliteConnection};

/// The columns of a row, as [`row_of`] reads them.
const COLUMNS: &str = "id, record_id, ts, session_id, turn_id, hook_point, plugin, decision, severity, reason, run_id, agent_type, step_id, \
     attempt, classification, tier, call_id, parent_call_id, replay_of, resumed_from_run, caller, deterministic, handler, payload_json, kind, \
     writer_id, writer_seq";

/// Rows that are read at once by who checks the ledger.
const CHECKED: u32 = 1_000;

/// Adds rows, numbered in order. One whose record id is there already adds nothing. Returns how many were added.
pub(super) async fn insert(tx: &mut SqliteConnection, rows: &[LedgerRow], origin: &str) -> Result<u64> {
    let mut added = 0;
    for row in rows {
        let payload = serde_json::to_string(&row.payload)
            .map_err(|error| StoreError::Damaged(format!("a decision's payload ({error})")))?;
        let done = sqlx::query(
            "INSERT INTO governance_ledger
             (org_id, id, record_id, ts, ts_us, session_id, turn_id, hook_point, plugin, decision, severity, reason, run_id, agent_type,
              step_id, attempt, classification, tier, call_id, parent_call_id, replay_of, resumed_from_run, caller, deterministic,
              handler, payload_json, origin, kind, writer_id, writer_seq)
             VALUES (?, (SELECT COALESCE(MAX(id), 0) + 1 FROM governance_ledger WHERE org_id = ?), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,
              ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (org_id, record_id) DO NOTHING",
        )
        .bind(ORG)
        .bind(ORG)
        .bind(&row.record_id)
        .bind(&row.ts)
        // A foreign stamp that cannot be read is the oldest there is.
        .bind(parse_stamp(&row.ts).unwrap_or(0))
        .bind(&row.session_id)
        .bind(&row.turn_id)
        .bind(&row.hook_point)
        .bind(&row.plugin)
        .bind(row.decision.as_str())
        .bind(&row.severity)
        .bind(&row.reason)
        .bind(&row.run_id)
        .bind(&row.agent_type)
        .bind(row.step_id)
        .bind(row.attempt)
        .bind(&row.classification)
        .bind(&row.tier)
        .bind(&row.call_id)
        .bind(&row.parent_call_id)
        .bind(&row.replay_of)
        .bind(&row.resumed_from_run)
        .bind(&row.caller)
        .bind(row.deterministic)
        .bind(&row.handler)
        .bind(payload)
        .bind(origin)
        .bind(&row.kind)
        .bind(&row.writer_id)
        .bind(row.writer_seq)
        .execute(&mut *tx)
        .await?;
        added += done.rows_affected();
    }
    Ok(added)
}

impl Store {
    /// How many decisions the ledger holds; rows of stores themselves are none.
    pub async fn decisions(&self) -> Result<u64> {
        let mut sql = QueryBuilder::<Sqlite>::new("SELECT COUNT(*)");
        Filter::default().push(None, &mut sql);
        let row = sql.build().fetch_one(&self.reads).await?;
        Ok(unsigned(row.try_get(0)?))
    }

    /// The next rows that were written at or after a moment (microseconds since 1970), the store's own included, in order of writing: for
    /// whoever checks the ledger. `after` is the id of the last one seen, 0 at first; none is left when none comes.
    pub async fn ledger_rows(&self, from_us: i64, after: i64) -> Result<Vec<LedgerRow>> {
        let sql = format!(
            "SELECT {COLUMNS} FROM governance_ledger WHERE org_id = ? AND ts_us >= ? AND id > ? ORDER BY id LIMIT {CHECKED}"
        );
        let rows = sqlx::query(sqlx::AssertSqlSafe(sql)).bind(ORG).bind(from_us).bind(after).fetch_all(&self.reads).await?;
        rows.iter().map(row_of).collect()
    }

    /// What a screen may see of every decision that may be about a session, in order of time, without links.
    pub async fn decisions_of(&self, session_id: &str) -> Result<Vec<LedgerEntry>> {
        let mut sql = QueryBuilder::<Sqlite>::new(format!("SELECT {COLUMNS}"));
        Filter { session: Some(session_id.to_owned()), ..Filter::default() }.push(None, &mut sql);
        sql.push(" ORDER BY ts_us, id");
        let rows = sql.build().fetch_all(&self.reads).await?;
        rows.iter().map(|row| Ok(proem_core::ledger::entry(&row_of(row)?))).collect()
    }
}

/// A row as it was written.
fn row_of(row: &SqliteRow) -> Result<LedgerRow> {
    let id: i64 = row.try_get("id")?;
    let payload: &str = row.try_get("payload_json")?;
    let payload =
        serde_json::from_str(payload).map_err(|error| StoreError::Damaged(format!("the payload of decision {id} ({error})")))?;
    Ok(LedgerRow {
        id,
        record_id: row.try_get("record_id")?,
        ts: row.try_get("ts")?,
        session_id: row.try_get("session_id")?,
        turn_id: row.try_get("turn_id")?,
        run_id: row.try_get("run_id")?,
        agent_type: row.try_get("agent_type")?,
        step_id: row.try_get("step_id")?,
        attempt: row.try_get("attempt")?,
        hook_point: row.try_get("hook_point")?,
        plugin: row.try_get("plugin")?,
        decision: Decision::from(row.try_get::<String, _>("decision")?),
        severity: row.try_get("severity")?,
        reason: row.try_get("reason")?,
        classification: row.try_get("classification")?,
        tier: row.try_get("tier")?,
        call_id: row.try_get("call_id")?,
        parent_call_id: row.try_get("parent_call_id")?,
        replay_of: row.try_get("replay_of")?,
        resumed_from_run: row.try_get("resumed_from_run")?,
        caller: row.try_get("caller")?,
        deterministic: row.try_get::<Option<i64>, _>("deterministic")?.map(|flag| flag != 0),
        handler: row.try_get("handler")?,
        payload,
        kind: row.try_get("kind")?,
        writer_id: row.try_get("writer_id")?,
        writer_seq: row.try_get("writer_seq")?,
    })
}
