//! The decisions of one turn in order, each in a few words (specs: system-opened-turns, 1.6).

use super::decisions::facts;
use proem_core::ledger::Decision;
use proem_core::trace::{GovernanceEvent, Trace, duration_text};

/// A decision of a turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Firing {
    /// The row's id.
    pub id: i64,
    /// From 1.
    pub ordinal: usize,
    /// `PRE_RESPONSE`.
    pub hook: String,
    /// Round of the agent, classification, locality, who answered: what is known of them.
    pub known: Vec<String>,
    /// What was decided.
    pub decision: Decision,
    /// By whom.
    pub plugin: String,
    /// Why.
    pub reason: String,
    /// `+12 ms`.
    pub offset: String,
    /// Id of the governance node that shows it.
    pub node: Option<String>,
}

/// The decisions that came with a trace, in its order.
pub fn timeline(trace: &Trace) -> Vec<Firing> {
    trace.governance.iter().enumerate().map(|(at, event)| firing(trace, at, event)).collect()
}

fn firing(trace: &Trace, at: usize, GovernanceEvent { entry, t_offset_ms, .. }: &GovernanceEvent) -> Firing {
    let step = entry.step_id.map(|step| format!("step {step}"));
    let answered = facts(entry).into_iter().find(|(name, _)| *name == "Answered by").map(|(_, who)| who);
    let known = [step, entry.classification.clone(), entry.locality.clone(), answered];
    let shows = |node: &&proem_core::trace::Node| node.governance.as_ref().is_some_and(|card| card.rows.contains(&entry.id));
    Firing {
        id: entry.id,
        ordinal: at + 1,
        hook: entry.hook_point.to_uppercase(),
        known: known.into_iter().flatten().collect(),
        decision: entry.decision.clone(),
        plugin: entry.plugin.clone(),
        reason: entry.reason.clone(),
        offset: format!("+{}", duration_text(*t_offset_ms)),
        node: trace.nodes.iter().find(shows).map(|node| node.id.clone()),
    }
}

#[cfg(test)]
mod tests {
    use super::timeline;
    use crate::state::decisions::tests::entry;
    use proem_core::log::Log;
    use proem_core::trace::trace;
    use serde_json::json;

    #[test]
    fn decisions_stand_in_their_order_with_what_is_known() {
        let bytes = include_bytes!("../../../public/example/session-example.jsonl").to_vec();
        let log = Log::read("session-example.jsonl", bytes, &mut || ()).unwrap();
        let opened = log.turns()[0].started_at.clone().unwrap();
        let row = |id: i64, more: serde_json::Value| {
            let mut row = json!({ "id": id, "ts": opened, "run_id": "example", "deterministic": true, "handler": "welcome" });
            row.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            entry(row)
        };
        let rows = [
            row(
                3,
                json!({ "decision": "deny", "plugin": "output_safety", "classification": "secret", "locality": "local", "step_id": 2 }),
            ),
            row(2, json!({})),
        ];
        let trace = trace(&log, 0, &rows, &mut || ());
        let shown = timeline(&trace);
        let order: Vec<_> = shown.iter().map(|firing| (firing.ordinal, firing.id, firing.hook.as_str())).collect();
        assert_eq!(order, [(1, 2, "PRE_RESPONSE"), (2, 3, "PRE_RESPONSE")]);
        assert_eq!(shown[0].known, ["welcome, no model"]);
        assert_eq!(shown[1].known, ["step 2", "secret", "local", "welcome, no model"]);
        assert_eq!((shown[1].offset.as_str(), shown[1].node.as_deref()), ("+0 ms", Some("gov0")));
    }
}
