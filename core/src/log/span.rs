//! When each turn of a log was open: what it takes to lead a row of the ledger to its turn.

use super::name::{Target, parse_reference};
use super::session::Log;
use serde::{Deserialize, Serialize};

/// A turn's time, in the texts of its stamps: they are compared as texts (specs: system-opened-turns, 1.3).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TurnSpan {
    /// The turn's reference.
    #[serde(rename = "ref")]
    pub reference: String,
    /// `<session>~<index>`; absent for a turn without an opening event.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trace_id: Option<String>,
    /// The log's own id of the turn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<String>,
    /// Stamp of its first event.
    pub opened_at: Option<String>,
    /// Stamp of its last answer, or of its last event when it has none.
    pub closed_at: Option<String>,
}

/// Position of the turn that a reference of any form means among the spans of its session (specs: iris-session-log, 7.3).
pub fn find_span(spans: &[TurnSpan], reference: &str) -> Option<usize> {
    spans.iter().position(|span| span.reference == reference).or_else(|| match parse_reference(reference) {
        Some(Target::Index(index)) => {
            let ending = format!("~{index}");
            spans.iter().position(|span| span.trace_id.as_ref().is_some_and(|id| id.ends_with(&ending)))
        }
        Some(Target::TurnId(id)) => spans.iter().position(|span| span.turn_id.as_deref() == Some(id)),
        None => spans.iter().position(|span| span.turn_id.as_deref() == Some(reference)),
    })
}

impl Log {
    /// The spans of all turns, in file order.
    pub fn spans(&self) -> Vec<TurnSpan> {
        (0..self.turns().len()).map(|turn| self.span(turn)).collect()
    }

    /// The span of the turn at a position below the number of turns.
    pub fn span(&self, turn: usize) -> TurnSpan {
        let of = &self.turns()[turn];
        let answer = self.turn_events(turn).rfind(|event| self.kind(*event) == "agent_response");
        let end = answer.or_else(|| self.turn_events(turn).next_back());
        TurnSpan {
            reference: of.reference.clone(),
            trace_id: of.trace_id.clone(),
            turn_id: of.turn_id.clone(),
            opened_at: of.started_at.clone(),
            closed_at: end.and_then(|event| self.event(event).ts),
        }
    }
}
