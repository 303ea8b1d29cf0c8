//! What comes in from a harness beside logs: decisions, and what it recorded of its welcome.

use super::{ORG, Result, Store, audit, ledger};
use proem_core::ledger::LedgerRow;

/// What a harness recorded of its first-chat welcome (specs: system-opened-turns, 4.1). Empty fields say nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ForeignWelcome {
    /// It was not run.
    pub skipped: bool,
    /// Its session.
    pub session_id: String,
    /// Its text, masked.
    pub response: String,
    /// Where it was asked for.
    pub channel: String,
    /// Why it was not run.
    pub reason: String,
    /// When: a stamp of the session log's form.
    pub at: String,
}

impl Store {
    /// Adds decisions that came from elsewhere, all or none. Each must have a record id; one that is there already adds nothing. Returns how
    /// many were added.
    pub async fn import_rows(&self, rows: &[LedgerRow]) -> Result<u64> {
        let mut tx = self.write().await?;
        let added = ledger::insert(&mut tx, rows, "import").await?;
        tx.commit().await?;
        Ok(added)
    }

    /// Takes a harness's record of its welcome as this home's. False, and nothing is changed, when there is one already: a record is final.
    pub async fn import_welcome(&self, welcome: &ForeignWelcome, who: &str) -> Result<bool> {
        let mut tx = self.write().await?;
        let done = sqlx::query(
            "INSERT INTO welcome_record (org_id, state, session_id, turn_id, response, channel, audience, reason, at)
             VALUES (?, ?, ?, '', ?, ?, 'owner', ?, ?) ON CONFLICT (org_id) DO NOTHING",
        )
        .bind(ORG)
        .bind(if welcome.skipped { "skipped" } else { "done" })
        .bind(&welcome.session_id)
        .bind(&welcome.response)
        .bind(&welcome.channel)
        .bind(&welcome.reason)
        .bind(&welcome.at)
        .execute(&mut *tx)
        .await?;
        if done.rows_affected() == 0 {
            return Ok(false);
        }
        let detail = serde_json::json!({ "session_id": welcome.session_id, "skipped": welcome.skipped });
        audit(&mut tx, who, "welcome.import", "welcome", detail).await?;
        tx.commit().await?;
        Ok(true)
    }
}
