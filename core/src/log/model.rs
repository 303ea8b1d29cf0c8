//! The neutral shapes that every log format is read into. Their JSON forms are the answers of `proem log` (docs: the command line).

use serde::{Deserialize, Serialize};

/// The kinds of event that open a turn; all other events belong to one.
pub const TURN_OPENING_KINDS: [&str; 2] = ["user_message", "turn_open"];

/// Who opened a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OpenedBy {
    /// A person typed.
    User,
    /// The system opened it; nobody typed.
    System,
    /// Another agent.
    Agent,
    /// The log does not say: a resumed run.
    Unknown,
}

/// How a turn ended (specs: iris-session-log, 7.5).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// Answered.
    Ok,
    /// Refused by the input screen.
    Refused,
    /// A check stopped the answer.
    Halted,
    /// Opened by the system and never answered.
    Failed,
    /// The answer carries errors, or there is none and an error was logged.
    Error,
    /// No answer was logged.
    Unanswered,
}

impl Outcome {
    /// Its name in JSON and on the command line.
    pub fn as_str(self) -> &'static str {
        match self {
            Outcome::Ok => "ok",
            Outcome::Refused => "refused",
            Outcome::Halted => "halted",
            Outcome::Failed => "failed",
            Outcome::Error => "error",
            Outcome::Unanswered => "unanswered",
        }
    }
}

/// Where a turn's duration comes from (specs: iris-session-log, 7.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TurnDurationSource {
    /// The log reported it.
    Reported,
    /// From the opening stamp to the last answer, or to the latest stamp.
    Span,
    /// Nothing is known.
    None,
}

/// Why a line could not be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SkipReason {
    /// Not JSON, and not repairable.
    NotJson,
    /// JSON, but not an object.
    NotObject,
    /// An object without a string `kind`.
    NoKind,
}

impl SkipReason {
    /// What is wrong with the line, to follow its number: `is not JSON`.
    pub fn sentence(self) -> &'static str {
        match self {
            SkipReason::NotJson => "is not JSON",
            SkipReason::NotObject => "is JSON but no object",
            SkipReason::NoKind => "has no `kind`",
        }
    }
}

/// A line that was left out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SkippedLine {
    /// From 1, as an editor counts.
    pub line: u64,
    /// Why.
    pub reason: SkipReason,
    /// Its first 120 characters.
    pub excerpt: String,
}

/// What one file holds, in one row.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SessionSummary {
    /// The format it was read as: `iris`.
    pub format: String,
    /// The session's id, opaque text.
    pub session_id: String,
    /// First typed request, else first request, at most 60 characters.
    pub title: String,
    /// Labels of the openers in it (`First-chat welcome`), in order of first use; shown as badges.
    pub openers: Vec<String>,
    /// Smallest opening stamp, as it stands in the log; absent when none can be read.
    pub started_at: Option<String>,
    /// Latest stamp of any event.
    pub last_activity_at: Option<String>,
    /// Listed turns.
    pub turn_count: u64,
    /// Turns that lists leave out.
    pub hidden_turns: u64,
    /// Events before the first turn.
    pub preamble_events: u64,
    /// Lines that could not be read.
    pub skipped_lines: u64,
    /// Lines that were read after a repair.
    pub repaired_lines: u64,
    /// Events that carry another session's id.
    pub foreign_events: u64,
    /// Sum over all turns.
    pub total_tokens: u64,
    /// Sum over listed turns, milliseconds.
    pub total_duration_ms: f64,
    /// Events.
    pub records: u64,
    /// Size of the file.
    pub bytes: u64,
}

/// One turn, in one row.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Turn {
    /// Position among the opening events, from 0; absent for a turn without one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub index: Option<u64>,
    /// Stable reference: `<session>@<turn id>` or `<session>~<index>`.
    #[serde(rename = "ref")]
    pub reference: String,
    /// The id the harness prints: `<session>~<index>`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trace_id: Option<String>,
    /// The log's own id of the turn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<String>,
    /// Who opened it.
    pub opened_by: OpenedBy,
    /// Which opener, when the system did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opener: Option<String>,
    /// What was asked, or the opener's label; empty for an empty message and for a resumed run.
    pub request: String,
    /// Stamp of its first event.
    pub started_at: Option<String>,
    /// Milliseconds.
    pub duration_ms: f64,
    /// Where that number comes from.
    pub duration_source: TurnDurationSource,
    /// The number in the log, also 0.0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reported_duration_ms: Option<f64>,
    /// Tokens of its model calls.
    pub total_tokens: u64,
    /// Its events.
    pub records: u64,
    /// How many answers it holds.
    pub answers: u64,
    /// How many errors it holds.
    pub errors: u64,
    /// Whether lists show it by default.
    pub listed: bool,
    /// How it ended.
    pub outcome: Outcome,
    /// The turn whose run this one continues.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub continues: Option<String>,
}

/// Answer of `proem log turns`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TurnList {
    /// The session.
    pub session_id: String,
    /// Events before the first turn.
    pub preamble_events: u64,
    /// All turns in file order, hidden ones included.
    pub turns: Vec<Turn>,
}

/// Who speaks in a replay.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// A person.
    User,
    /// The agent.
    Assistant,
    /// Proem: why there is no answer, or that a run was resumed.
    Notice,
    /// Anything else that happened; only when everything is asked for.
    Tool,
}

/// One entry of a replay.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Message {
    /// Who.
    pub role: Role,
    /// What, in full.
    pub text: String,
    /// When, as it stands in the log.
    pub ts: Option<String>,
    /// The turn's reference; empty for what happened before the first turn.
    #[serde(rename = "ref")]
    pub reference: String,
    /// True on the last answer of a turn.
    #[serde(default, rename = "final", skip_serializing_if = "std::ops::Not::not")]
    pub is_final: bool,
    /// On answers: how the turn ended (the last one), else `ok`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<Outcome>,
    /// On notices: `resumed` or an outcome; on tool entries: the label of the event.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
}

/// Answer of `proem log replay`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Replay {
    /// In order.
    pub messages: Vec<Message>,
}
