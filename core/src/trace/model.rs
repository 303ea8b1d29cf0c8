//! The shapes of a call trace and of its drawing. A drawing is numbers only; whoever paints it decides nothing.

use crate::ledger::{Decision, LedgerEntry};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// State of a node or step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// It ended well.
    Ok,
    /// It ended in an error.
    Error,
    /// Its end is not logged.
    Open,
}

/// Where a node's duration comes from (specs: iris-session-log, 7.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DurationSource {
    /// A duration field of the log.
    Measured,
    /// Two stamps of the same piece of work.
    Span,
    /// Up to the start of what came next.
    Gap,
    /// A constant; drawn hatched, written with a leading `≈`, left out of sums.
    Estimated,
    /// No end is logged; drawn without a right edge, left out of sums.
    Open,
    /// The turn's own, as the log reported it (the runtime node).
    Reported,
    /// Nothing is known; 0.
    None,
}

/// Tokens of a model call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tokens {
    /// Of the prompt.
    pub prompt: Option<u64>,
    /// Of the answer.
    pub completion: Option<u64>,
    /// Both, as logged.
    pub total: Option<u64>,
}

/// One call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Node {
    /// Unique in the trace: `runtime`, `agent0`, `tool1`.
    pub id: String,
    /// `runtime`, `intent_router`, `memory`, `task_planner`, `agent`, `handler`, `response_curator`, `guard`, `tool`, `llm`, `error`,
    /// `governance`.
    pub kind: String,
    /// Name for people.
    pub label: String,
    /// Start, milliseconds after the turn's opening, never negative.
    pub t_offset_ms: f64,
    /// Milliseconds, never negative.
    pub duration_ms: f64,
    /// Where that comes from.
    pub duration_source: DurationSource,
    /// Ok, error or open.
    pub status: Status,
    /// It started after the turn's last answer.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub after_answer: bool,
    /// What went in, as text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input: Option<String>,
    /// What came out, as text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<String>,
    /// Agent type.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// Model name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Who serves the model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provider: Option<String>,
    /// Model tier.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tier: Option<String>,
    /// Tokens of a model call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokens: Option<Tokens>,
    /// Exit code of a tool.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exit_code: Option<i64>,
    /// What a tool wrote to its error stream.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stderr: Option<String>,
    /// Name of a deterministic handler.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub handler: Option<String>,
    /// What a hook decided here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub governance: Option<GovernanceCard>,
}

/// What the checks of one hook decided about one call (specs: system-opened-turns, 1.3).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GovernanceCard {
    /// When it fired: `pre_response`, …
    pub hook: String,
    /// The worst decision of its rows.
    pub decision: Decision,
    /// `<check>: <reason>` of up to four rows, the worst first, at most 400 characters; addresses are masked.
    pub reason: String,
    /// Ids of its rows, in order.
    pub rows: Vec<i64>,
}

/// A row of the ledger in a trace.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GovernanceEvent {
    /// Id of the node that it is about: a tool, a model call, the guard, …; never the governance node that shows it.
    pub node: String,
    /// Milliseconds after the turn's opening, never negative.
    pub t_offset_ms: f64,
    /// The row.
    #[serde(flatten)]
    pub entry: LedgerEntry,
}

/// What an edge carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EdgeKind {
    /// The result of one is the input of the other.
    Data,
    /// One called the other.
    Control,
}

/// An arrow between two nodes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Edge {
    /// Unique in the trace.
    pub id: String,
    /// Id of the node it leaves.
    pub source: String,
    /// Id of the node it enters.
    pub target: String,
    /// Data or control.
    pub kind: EdgeKind,
    /// `llm`, `tool`, `guard` or `error` on control edges.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// From 1, in the order in which the targets started.
    pub seq: u64,
}

/// One line of the reasoning view (specs: iris-session-log, 4.5 and 7.9).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Step {
    /// From 0, in file order.
    pub seq: u64,
    /// `request`, `intent`, `llm`, `tool`, `guard`, `response`, …
    #[serde(rename = "type")]
    pub kind: String,
    /// One line for people.
    pub title: String,
    /// Start of the work, milliseconds after the opening.
    pub t_offset_ms: f64,
    /// Stamp of the event, on the same scale.
    pub logged_at_ms: f64,
    /// Milliseconds; null when the step has none.
    pub duration_ms: Option<f64>,
    /// Ok or error.
    pub status: Status,
    /// The agent's round, where logged.
    pub iteration: Option<i64>,
    /// Everything, as text.
    pub detail: Option<String>,
    /// Values by name, fixed per type.
    pub fields: Map<String, Value>,
    /// Its stamp could not be read, so its place is that of the step before.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub time_unknown: bool,
}

/// Answer of `proem log trace`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Trace {
    /// The turn's reference.
    #[serde(rename = "ref")]
    pub reference: String,
    /// `<session>~<index>`; absent for a turn without an opening event.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trace_id: Option<String>,
    /// Nobody typed.
    pub opened_by_system: bool,
    /// What was asked, or the opener's label.
    pub request: String,
    /// Stamp of the first event.
    pub started_at: Option<String>,
    /// The turn's duration, milliseconds.
    pub total_duration_ms: f64,
    /// Tokens of its model calls.
    pub total_tokens: u64,
    /// Sorted by start.
    pub nodes: Vec<Node>,
    /// Sorted by `seq`.
    pub edges: Vec<Edge>,
    /// In file order.
    pub steps: Vec<Step>,
    /// The decisions of the turn, by stamp and id.
    #[serde(default)]
    pub governance: Vec<GovernanceEvent>,
    /// Calls that could not be placed under a known one.
    pub unplaced: u64,
}

/// Where to draw a trace: rows from top to bottom, a time axis from left to right.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Layout {
    /// The time at the axis' right end, milliseconds, at least 1.
    pub scale_ms: f64,
    /// One box for each node, in row order.
    pub boxes: Vec<NodeBox>,
    /// One link for each edge, in `seq` order.
    pub links: Vec<Link>,
    /// Round axis positions with their texts (`0 ms`, `250 ms`, `1.2 s`).
    pub ticks: Vec<Tick>,
}

/// A node's place.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NodeBox {
    /// Position in [`Trace::nodes`].
    pub node: usize,
    /// From 0.
    pub row: u32,
    /// How deep it is in the control tree, from 0; for indenting its name.
    pub depth: u32,
    /// Left edge as a part of the axis, 0 to 0.992.
    pub left: f64,
    /// Width as a part of the axis, at least 0.008, never past the right end.
    pub width: f64,
    /// It started after the answer: drawn in its own band below, whose rows follow the others and whose times are off the axis.
    pub after_answer: bool,
    /// The duration as text: `12 ms`, `1.05 s`, `≈ 6 ms`, `open`.
    pub duration_text: String,
}

/// An edge's place, between two rows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Link {
    /// Position in [`Trace::edges`].
    pub edge: usize,
    /// Row it leaves.
    pub from_row: u32,
    /// Row it enters.
    pub to_row: u32,
    /// Place on the axis where it leaves.
    pub from: f64,
    /// Place on the axis where it enters.
    pub to: f64,
}

/// A mark on the axis.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tick {
    /// Place on the axis.
    pub at: f64,
    /// Its text.
    pub text: String,
}
