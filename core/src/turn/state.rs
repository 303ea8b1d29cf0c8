//! What a screen shows of the checks and handlers that are set up.

use serde::{Deserialize, Serialize};

/// A check.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckState {
    /// Stable name: `empty`, `aws_key`, `forbidden`, …
    pub name: String,
    /// What it looks for, for people.
    pub label: String,
    /// Whether it can find anything: lists of the organisation may be empty.
    pub on: bool,
    /// How it is set, where there is something to set: `3 phrases`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
}

/// An opener or intercept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HandlerState {
    /// Its name.
    pub name: String,
    /// Its label in traces.
    pub label: String,
    /// Who answers.
    pub handler: String,
    /// Whether it may.
    pub enabled: bool,
    /// When, for people: `says exactly "help"`; absent on openers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub when: Option<String>,
}
