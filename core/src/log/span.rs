//! When each turn of a log was open: what it takes to lead a row of the ledger to its turn.

use super::session::Log;
use serde::{Deserialize, Serialize};

/// A turn's time, in the texts of its stamps: they are compared as texts (specs: system-opened-turns, 1.3).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TurnSpan {
    /// The turn's reference.
    #[serde(rename = "ref")]
    pub reference: String,
    /// The log's own id of the turn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<String>,
    /// Stamp of its first event.
    pub opened_at: Option<String>,
    /// Stamp of its last answer, or of its last event when it has none.
    pub closed_at: Option<String>,
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
            turn_id: of.turn_id.clone(),
            opened_at: of.started_at.clone(),
            closed_at: end.and_then(|event| self.event(event).ts),
        }
    }
}
