//! Turns that need no model: those the system opens, and typed ones that a deterministic handler answers (specs: system-opened-turns, 2
//! and 3). A turn is a list of stages. Clock, ids, the log and the ledger are passed in as a [`World`]; nothing here touches them otherwise.

mod checks;
mod config;
mod handlers;
mod running;
mod stage;
mod state;
mod steps;
mod welcome;
mod write;

pub use checks::{OutputPhrase, ResponseChecks};
pub use config::{
    BUILT_IN_INTERCEPTS, BUILT_IN_RESPONSE_CHECKS, BUILT_IN_WELCOME, Config, ConfigProblem, ConfigTexts, INTERCEPTS_FILE, Match,
    RESPONSE_CHECKS_FILE, Row, WELCOME_FILE,
};
pub use handlers::handler_names;
pub use stage::{CHAT_STAGES, OPENER_STAGES, Stage};
pub use state::{CheckState, HandlerState};
pub use welcome::Wording;

use crate::ledger::LedgerRow;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::fmt;

/// What a person reads in place of an answer that a check stopped, and of one to a message that was refused.
pub const REFUSAL: &str =
    "A check of this organisation stopped this turn, so there is no answer to show. Governance says which check and why.";

/// What opens a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opening<'a> {
    /// Somebody typed this.
    Message(&'a str),
    /// The system, with the opener of this name.
    Opener(&'a str),
}

/// An enabled skill, as a turn may speak of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SkillLine {
    /// Its name.
    pub name: String,
    /// One line for owners; may be empty.
    pub summary: String,
}

/// A turn to run.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// The conversation it belongs to.
    pub session_id: &'a str,
    /// Where it came from: `console`, `web`, `telegram`.
    pub channel: &'a str,
    /// `owner` or `other`.
    pub audience: &'a str,
    /// What opens it.
    pub opening: Opening<'a>,
    /// The skills that are switched on, in skill order.
    pub skills: &'a [SkillLine],
}

/// What a turn needs of the world.
pub trait World {
    /// Microseconds since 1970, UTC. May go back: stamps of a turn do not.
    fn now_us(&mut self) -> i64;
    /// A new id of a turn: 32 lower-case hex digits.
    fn turn_id(&mut self) -> String;
    /// A new id of a ledger row: a ULID.
    fn record_id(&mut self) -> String;
    /// Takes an event: its kind, and its finished line of JSON with the line end.
    ///
    /// # Errors
    /// Why it cannot be kept. The turn ends with it.
    fn event(&mut self, kind: &str, line: String) -> Result<(), String>;
    /// Takes a ledger row. Its `id` is 0: who keeps rows numbers them.
    ///
    /// # Errors
    /// Why it cannot be kept. The turn ends with it.
    fn decision(&mut self, row: LedgerRow) -> Result<(), String>;
}

/// What the checks made of a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// The answer is unchanged.
    Pass,
    /// A banner stands before the answer.
    Warn,
    /// The same; a model would have been asked again.
    Retry,
    /// The answer was replaced by [`REFUSAL`].
    Halt,
    /// There was nothing to check with.
    Skipped,
    /// The message was refused before anything answered. No verdict of a response check.
    Refused,
}

impl Verdict {
    /// Its name in logs.
    pub fn as_str(self) -> &'static str {
        match self {
            Verdict::Pass => "pass",
            Verdict::Warn => "warn",
            Verdict::Retry => "retry",
            Verdict::Halt => "halt",
            Verdict::Skipped => "skipped",
            Verdict::Refused => "refused",
        }
    }
}

/// A turn that ran to its end.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Answer {
    /// The turn.
    pub turn_id: String,
    /// The answer as it was logged, but for the log's cut.
    pub response: String,
    /// The answer for display: e-mail addresses masked.
    pub masked: String,
    /// Which handler answered; `governance` when the message was refused.
    pub handler: String,
    /// What it was about: `welcome`, `system`, `governance`.
    pub intent: String,
    /// Who answered: `system`, `governance`.
    pub agent_type: String,
    /// What the checks said.
    pub verdict: Verdict,
    /// Whether the answer stands for an error.
    pub has_errors: bool,
    /// Stamp of the answer.
    pub at: String,
    /// How many skills a welcome told of.
    pub capabilities: Option<u64>,
    /// What else the handler and the checks said: `model`, `provider`, and after a halt `governance_guard`, `pattern` and `halted_by`.
    pub metadata: Map<String, Value>,
}

/// Why a turn did not end. What was logged until then stays logged (specs: system-opened-turns, 3.4).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TurnError {
    /// The caller names no opener. Nothing was logged.
    NotNamed,
    /// There is no opener of that name, or it is disabled. Nothing was logged.
    NotDeclared {
        /// What the caller named.
        opener: String,
        /// What could be named.
        declared: Vec<String>,
    },
    /// The opener's handler does not exist. Opening and start are logged.
    NoHandler {
        /// The opener.
        opener: String,
        /// What it wants to answer.
        handler: String,
    },
    /// An event or a decision could not be kept.
    NotKept {
        /// Which: `the event guard.end`, `the decision of response_safety`.
        what: String,
        /// Why.
        reason: String,
    },
}

impl TurnError {
    /// Stable machine name: `not_named`, `not_declared`, `no_handler`, `not_kept`.
    pub fn code(&self) -> &'static str {
        match self {
            TurnError::NotNamed => "not_named",
            TurnError::NotDeclared { .. } => "not_declared",
            TurnError::NoHandler { .. } => "no_handler",
            TurnError::NotKept { .. } => "not_kept",
        }
    }
}

impl fmt::Display for TurnError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            TurnError::NotNamed => f.write_str("No opener is named; a turn that nobody typed needs one."),
            TurnError::NotDeclared { opener, declared } if declared.is_empty() => {
                write!(f, "The opener `{opener}` is not declared: {INTERCEPTS_FILE} declares no opener that is enabled.")
            }
            TurnError::NotDeclared { opener, declared } => {
                write!(f, "The opener `{opener}` is not declared; {INTERCEPTS_FILE} declares `{}`.", declared.join("`, `"))
            }
            TurnError::NoHandler { opener, handler } if handler.starts_with(config::PLUGIN) => {
                write!(
                    f,
                    "The opener `{opener}` names the handler `{handler}`, and plugins cannot answer a turn that the system opens."
                )
            }
            TurnError::NoHandler { opener, handler } => {
                let known = handlers::handler_names().join("`, `");
                write!(f, "The opener `{opener}` names the handler `{handler}`, which does not exist; there are `{known}`.")
            }
            TurnError::NotKept { what, reason } => write!(f, "The turn ended early, because {what} could not be kept: {reason}"),
        }
    }
}

impl std::error::Error for TurnError {}

/// What a caller hears while a turn runs (specs: system-opened-turns, 3.2).
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "event", rename_all = "lowercase")]
pub enum TraceEvent {
    /// Something happened: `turn.start`, `<handler>.end`, `guard.end`; the payload's `name` says which.
    Trace {
        /// For people: the handler's label, else the name.
        text: String,
        /// What, in values.
        payload: Map<String, Value>,
    },
    /// The turn is over: the masked answer.
    Done {
        /// The turn.
        turn_id: String,
        /// The answer, masked.
        response: String,
    },
    /// The turn failed; nothing follows.
    Error {
        /// [`TurnError::code`].
        code: String,
        /// A sentence.
        message: String,
    },
}

/// Runs a turn.
///
/// # Errors
/// [`TurnError`]; a check that halts the answer is no error.
pub fn run(config: &Config, request: &Request, world: &mut dyn World) -> Result<Answer, TurnError> {
    running::run(config, request, world, &mut |_| ())
}

/// Runs a turn and tells of it while it runs; an error becomes an event. The last event is `Done` or `Error`.
pub fn stream(config: &Config, request: &Request, world: &mut dyn World, emit: &mut dyn FnMut(TraceEvent)) {
    let last = match running::run(config, request, world, emit) {
        Ok(answer) => TraceEvent::Done { turn_id: answer.turn_id, response: answer.masked },
        Err(error) => TraceEvent::Error { code: error.code().to_owned(), message: error.to_string() },
    };
    emit(last);
}
