//! What came out: each rule with how much it was judged on, and where it is violated.

use serde::{Deserialize, Serialize};

/// Violations of a rule that are listed; all are counted.
pub const LISTED: usize = 100;

/// What came of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// It was judged, and nothing violates it.
    Holds,
    /// Something does.
    Violated,
    /// There was nothing to judge it on, which proves nothing.
    Nothing,
}

impl Verdict {
    /// In words for people.
    pub fn words(self) -> &'static str {
        match self {
            Verdict::Holds => "ok",
            Verdict::Violated => "VIOLATED",
            Verdict::Nothing => "nothing to judge",
        }
    }
}

/// Where something is. What is not known, or not in a log, is absent.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Spot {
    /// The session's id.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// The log's file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The turn's reference.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turn: Option<String>,
    /// Line of the file, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u64>,
    /// Record id of a row of the ledger, or its number where it has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub row: Option<String>,
}

impl Spot {
    /// `a.jsonl:3`, `row 12`, or both.
    pub fn words(&self) -> String {
        let place = match (&self.file, self.line) {
            (Some(file), Some(line)) => Some(format!("{file}:{line}")),
            (Some(file), None) => Some(file.clone()),
            (None, _) => self.session.as_ref().map(|session| format!("session {session}")),
        };
        let row = self.row.as_ref().map(|row| format!("row {row}"));
        [place, row].into_iter().flatten().collect::<Vec<_>>().join(", ")
    }
}

/// One violation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Violation {
    /// Where.
    #[serde(flatten)]
    pub spot: Spot,
    /// A sentence that says what is wrong.
    pub message: String,
}

/// What came of one rule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RuleReport {
    /// The rule's id.
    pub id: String,
    /// What it says.
    pub says: String,
    /// What came of it.
    pub verdict: Verdict,
    /// What it is judged on: `sessions`, `turns`, `events` or `rows`.
    pub over: String,
    /// How many of them.
    pub judged: u64,
    /// All violations.
    pub violation_count: u64,
    /// The first [`LISTED`].
    pub violations: Vec<Violation>,
}

/// A log that could not be read, so that nothing in it was judged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeftOut {
    /// The log's file.
    pub file: String,
    /// Why.
    pub message: String,
}

/// What came of all rules.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Report {
    /// No rule is violated, and every log could be read.
    pub ok: bool,
    /// Logs that were read.
    pub logs: u64,
    /// Turns in them.
    pub turns: u64,
    /// Events in them.
    pub events: u64,
    /// Rows of the ledger that were read.
    pub rows: u64,
    /// Logs that could not be read.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<LeftOut>,
    /// In the order of the rules.
    pub rules: Vec<RuleReport>,
}
