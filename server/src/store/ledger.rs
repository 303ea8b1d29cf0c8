//! The governance ledger: rows are only ever added.

use super::{ORG, Result, Store, StoreError, unsigned};
use proem_core::ledger::LedgerRow;
use proem_core::log::parse_stamp;
use sqlx::{Row, SqliteConnection};

/// Adds rows, numbered in order. One whose record id is there already adds nothing. Returns how many were added.
pub(super) async fn insert(tx: &mut SqliteConnection, rows: &[LedgerRow], origin: &str) -> Result<u64> {
    let mut added = 0;
    for row in rows {
        let ts_us = parse_stamp(&row.ts).ok_or_else(|| StoreError::Damaged(format!("the time `{}` of a decision", row.ts)))?;
        let payload =
            serde_json::to_string(&row.payload).map_err(|error| StoreError::Damaged(format!("a decision's payload ({error})")))?;
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
        .bind(ts_us)
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
        let row =
            sqlx::query("SELECT COUNT(*) FROM governance_ledger WHERE org_id = ? AND kind IS NULL AND plugin <> 'audit'")
                .bind(ORG)
                .fetch_one(&self.reads)
                .await?;
        Ok(unsigned(row.try_get(0)?))
    }
}
