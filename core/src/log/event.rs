//! The neutral event that every log format is read into, and lenient access to the values in it.

use super::stamp::Stamp;
use serde_json::{Map, Value};

/// One thing that happened. Everything but `kind` may be missing.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// Position among the file's records ([`Log::records`](super::Log::records)); the raw line is found through it.
    pub record: usize,
    /// What kind of thing, in the words of the log.
    pub kind: String,
    /// When it was written down, if that can be read.
    pub stamp: Option<Stamp>,
    /// The text of the stamp, readable or not.
    pub ts: Option<String>,
    /// The session that the event names.
    pub session_id: Option<String>,
    /// The turn that the event names.
    pub turn_id: Option<String>,
    /// The agent that it names.
    pub agent_type: Option<String>,
    /// The agent's round.
    pub iteration: Option<i64>,
    /// The phase, where it is more than the kind.
    pub phase: Option<String>,
    /// Its text.
    pub text: Option<String>,
    /// All other values: those of the payload, then those beside it.
    pub payload: Map<String, Value>,
}

impl Event {
    /// A value as text; `None` when it is missing or no string.
    pub fn str(&self, key: &str) -> Option<&str> {
        self.payload.get(key)?.as_str()
    }

    /// A value as a finite number.
    pub fn number(&self, key: &str) -> Option<f64> {
        self.payload.get(key)?.as_f64().filter(|n| n.is_finite())
    }

    /// A value as a duration in milliseconds: a number that is not negative.
    pub fn duration_ms(&self, key: &str) -> Option<f64> {
        self.number(key).filter(|n| *n >= 0.0)
    }

    /// A value as true or false.
    pub fn flag(&self, key: &str) -> Option<bool> {
        self.payload.get(key)?.as_bool()
    }

    /// A value as it is; null when it is missing.
    pub fn value(&self, key: &str) -> Value {
        self.payload.get(key).cloned().unwrap_or(Value::Null)
    }

    /// A list of texts; what is no text is left out.
    pub fn strings(&self, key: &str) -> Vec<&str> {
        self.payload.get(key).and_then(Value::as_array).map(|a| a.iter().filter_map(Value::as_str).collect()).unwrap_or_default()
    }

    /// What the event is called inside its kind: its phase, else the name in its payload.
    pub fn name(&self) -> Option<&str> {
        self.phase.as_deref().or_else(|| self.str("name"))
    }

    /// The payload as compact JSON.
    pub fn payload_json(&self) -> String {
        compact(&self.payload)
    }
}

/// Compact JSON of an object.
pub(crate) fn compact(map: &Map<String, Value>) -> String {
    serde_json::to_string(map).expect("a map with text keys has a JSON form")
}
