//! From a row as it is kept to an entry as a screen may see it (specs: system-opened-turns, 1.1 and 1.4).

use super::mask::masked;
use super::row::{LedgerEntry, LedgerRow, PublicFields};
use serde_json::Value;

impl LedgerRow {
    /// Whether a hook decided here. Rows that a ledger writes about itself are for whoever checks the ledger, never for readers.
    pub fn is_decision(&self) -> bool {
        self.kind.is_none() && self.plugin != "audit"
    }
}

/// What a screen may see of each decision; rows of the ledger about itself are left out.
pub fn entries(rows: &[LedgerRow]) -> Vec<LedgerEntry> {
    rows.iter().filter(|row| row.is_decision()).map(entry).collect()
}

/// What a screen may see of a row: the reason masked, the public fields of the payload, no link yet.
pub fn entry(row: &LedgerRow) -> LedgerEntry {
    LedgerEntry {
        id: row.id,
        record_id: row.record_id.clone(),
        ts: row.ts.clone(),
        run_id: row.run_id.clone(),
        step_id: row.step_id,
        agent_type: row.agent_type.clone(),
        hook_point: row.hook_point.clone(),
        plugin: row.plugin.clone(),
        decision: row.decision.clone(),
        severity: row.severity.clone(),
        classification: row.classification.clone(),
        tier: row.tier.clone(),
        locality: row.tier.as_deref().map(|tier| if tier == "tier_3" { "cloud" } else { "local" }.to_owned()),
        reason: masked(&row.reason),
        public: public_fields(row),
        link: None,
    }
}

fn public_fields(row: &LedgerRow) -> PublicFields {
    let text = |key: &str| row.payload.get(key).and_then(Value::as_str).filter(|text| !text.is_empty()).map(str::to_owned);
    let either = |field: &Option<String>, key: &str| field.clone().filter(|text| !text.is_empty()).or_else(|| text(key));
    PublicFields {
        caller: either(&row.caller, "caller"),
        deterministic: row.deterministic.or_else(|| row.payload.get("deterministic")?.as_bool()),
        handler: either(&row.handler, "handler"),
        tool_name: text("tool_name"),
        tool_plugin: text("tool_plugin"),
        model: text("model"),
        provider: text("provider"),
        capability: text("capability"),
        method: text("method"),
        capability_provider: text("capability_provider"),
        digest_alg: text("digest_alg"),
        session_id: either(&row.session_id, "session_id"),
        audience: text("audience"),
        call_id: either(&row.call_id, "call_id"),
        held_call_id: text("held_call_id"),
        parent_call_id: either(&row.parent_call_id, "parent_call_id"),
        turn_id: either(&row.turn_id, "turn_id"),
        attempt: row.attempt.or_else(|| row.payload.get("attempt")?.as_i64()),
        replay_of: either(&row.replay_of, "replay_of"),
        resumed_from_run: either(&row.resumed_from_run, "resumed_from_run"),
    }
}
