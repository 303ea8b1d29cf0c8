//! What a row of the ledger says on screen: its decision in a word, its facts, and where it leads.

use proem_core::ledger::{Decision, LedgerEntry, LinkedHow};

/// A decision in a word.
pub fn decision_word(decision: &Decision) -> &str {
    match decision {
        Decision::Allow => "Allowed",
        Decision::Transform => "Changed",
        Decision::RequireApproval => "Needs approval",
        Decision::Deny => "Denied",
        Decision::Other(word) => word,
    }
}

/// What is known about a row beside its decision, hook and reason: names and values, in the order of the screen
/// (specs: system-opened-turns, 1.6).
pub fn facts(entry: &LedgerEntry) -> Vec<(&'static str, String)> {
    let public = &entry.public;
    let answered = match (public.deterministic, &public.handler) {
        (Some(true), Some(handler)) => Some(format!("{handler}, no model")),
        (Some(true), None) => Some("a handler, no model".to_owned()),
        (_, handler) => handler.clone(),
    };
    let beside = |name: &Option<String>, from: &Option<String>| {
        name.as_ref().map(|name| from.as_ref().map_or_else(|| name.clone(), |from| format!("{name}, {from}")))
    };
    let capability = match (&public.capability, &public.method) {
        (Some(capability), Some(method)) => Some(format!("{capability}.{method}")),
        (Some(one), None) | (None, Some(one)) => Some(one.clone()),
        (None, None) => None,
    };
    let facts = [
        ("Caller", public.caller.clone()),
        ("Answered by", answered),
        ("Tool", beside(&public.tool_name, &public.tool_plugin)),
        ("Capability", beside(&capability, &public.capability_provider)),
        ("Model", beside(&public.model, &public.provider)),
        ("Keyed digest", public.digest_alg.clone()),
        ("Attempt", public.attempt.map(|attempt| attempt.to_string())),
        ("Step", entry.step_id.map(|step| step.to_string())),
    ];
    facts.into_iter().filter_map(|(name, value)| value.map(|value| (name, value))).collect()
}

/// Where a row leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Leads {
    /// To a turn of a stored log.
    Turn {
        /// Id of the stored log.
        stored: String,
        /// The turn's reference.
        turn: String,
        /// Only its time says so.
        by_time: bool,
    },
    /// To none, and why.
    Nowhere(&'static str),
}

/// Where a row leads (specs: system-opened-turns, 6.4).
pub fn leads(entry: &LedgerEntry) -> Leads {
    let Some(link) = &entry.link else { return Leads::Nowhere("no turn") };
    match (&link.reference, &link.stored) {
        (Some(turn), Some(stored)) if link.how != LinkedHow::None => {
            Leads::Turn { stored: stored.clone(), turn: turn.clone(), by_time: link.how == LinkedHow::Window }
        }
        (Some(_), None) => Leads::Nowhere("its log is not stored here"),
        _ => Leads::Nowhere("no turn"),
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::{Leads, decision_word, facts, leads};
    use proem_core::ledger::{Decision, LedgerEntry};
    use serde_json::{Value, json};

    /// A row of an answer check, with more said about it.
    pub(crate) fn entry(more: Value) -> LedgerEntry {
        let mut row = json!({
            "id": 7, "ts": "2026-10-05T08:00:00.000000+00:00", "run_id": "s1", "step_id": null, "agent_type": "chat", "hook_point": "pre_response",
            "plugin": "response_safety", "decision": "allow", "severity": "info", "classification": null, "tier": null, "locality": null,
            "reason": "nothing matched",
        });
        for (name, value) in more.as_object().into_iter().flatten() {
            row[name] = value.clone();
        }
        serde_json::from_value(row).unwrap()
    }

    #[test]
    fn facts_are_what_is_known() {
        assert_eq!(facts(&entry(json!({}))), []);
        let all = entry(json!({
            "caller": "mcp:editor", "deterministic": true, "handler": "help", "tool_name": "search", "tool_plugin": "web",
            "capability": "files", "method": "read", "digest_alg": "hmac-sha256", "attempt": 2,
        }));
        let wanted = [
            ("Caller", "mcp:editor"),
            ("Answered by", "help, no model"),
            ("Tool", "search, web"),
            ("Capability", "files.read"),
            ("Keyed digest", "hmac-sha256"),
            ("Attempt", "2"),
        ];
        assert_eq!(facts(&all), wanted.map(|(name, value)| (name, value.to_owned())));
    }

    #[test]
    fn a_row_leads_to_its_turn_or_says_that_it_does_not() {
        let link = |link: Value| leads(&entry(json!({ "link": link })));
        let turn = |by_time| Leads::Turn { stored: "s1".to_owned(), turn: "s1@cc".to_owned(), by_time };
        assert_eq!(link(json!({ "ref": "s1@cc", "how": "exact", "stored": "s1" })), turn(false));
        assert_eq!(link(json!({ "ref": "s1@cc", "how": "window", "stored": "s1" })), turn(true));
        assert_eq!(link(json!({ "ref": "s1@cc", "how": "exact" })), Leads::Nowhere("its log is not stored here"));
        assert_eq!(link(json!({ "how": "none" })), Leads::Nowhere("no turn"));
        assert_eq!(leads(&entry(json!({}))), Leads::Nowhere("no turn"));
    }

    #[test]
    fn a_foreign_decision_keeps_its_word() {
        assert_eq!(decision_word(&Decision::from("approved".to_owned())), "approved");
        assert_eq!(decision_word(&Decision::Deny), "Denied");
    }
}
