//! What a host says to an engine worker and hears back. The browser's workers and the server's child processes speak it alike:
//! one JSON text a message, `{"check":{"body":…}}`: an object whose one key says what it is. (Reading a tag from among the fields would
//! need every shape twice, once from text and once from memory: a tenth of the pages' size.) The handlers live beside it, in `preview`
//! and `reader`.

pub mod assert;
pub mod context;
pub mod preview;
pub mod reader;

use crate::ledger::LedgerEntry;
use crate::log::{Message, SessionSummary, SkippedLine, Turn};
use crate::opening::complete::Completions;
use crate::opening::compose::{Opening, PartSource, PartText};
use crate::opening::reads::FactUse;
use crate::template::coverage::Coverage;
use crate::template::problem::Problem;
use crate::template::why::Why;
use crate::trace::{GovernanceEvent, Layout, Node, Step, Trace};
use serde::{Deserialize, Serialize};

/// The line by which the server's child process (`proem engine`) says that it is alive while it owes an answer: the host writes
/// one [`PreviewRequest`] a line to its standard input, and reads any number of these lines, at most one in 100 ms, and then one
/// [`PreviewAnswer`] on a line. No answer is spelled like it.
pub const PROGRESS_LINE: &str = r#""progress""#;

/// A request to the preview worker.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PreviewRequest {
    /// Render every text with each named sample and check one of them.
    Preview {
        /// In order: the role first, then the enabled ambient skills, the draft in its place.
        parts: Vec<PartText>,
        /// `KIND/VARIANT`.
        samples: Vec<String>,
        /// Leave `opening` out of the facts.
        old_server: bool,
        /// Position in `parts` of the text to check on all twelve samples.
        check: Option<usize>,
    },
    /// Render one opening from facts.
    Render {
        /// As above.
        parts: Vec<PartText>,
        /// The facts document, as JSON text, so that no digit is lost on the way.
        facts: String,
    },
    /// Parse a text and render it with all twelve samples in strict mode.
    Check {
        /// The template.
        body: String,
        /// What it is a template of: some warnings concern skills only.
        source: PartSource,
    },
    /// Render one sample's opening so that its values name the facts they came from.
    Inspect {
        /// As above.
        parts: Vec<PartText>,
        /// `KIND/VARIANT`.
        sample: String,
        /// As above.
        old_server: bool,
    },
    /// Say why a place of a text is not in what it prints.
    Why {
        /// The template.
        body: String,
        /// Byte position in it.
        position: usize,
        /// `KIND/VARIANT`.
        sample: String,
        /// As above.
        old_server: bool,
    },
    /// Say which facts a text reads in each of the twelve samples.
    Reads {
        /// The template.
        body: String,
    },
    /// Say what can be written at a place of a text.
    Complete {
        /// The template.
        body: String,
        /// The place, in UTF-16 units, as editors count.
        offset: usize,
    },
}

/// An answer of the preview worker.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PreviewAnswer {
    /// To `Preview`.
    Preview {
        /// One for each requested sample, in order.
        openings: Vec<Opening>,
        /// Faults of the checked text.
        problems: Vec<Problem>,
        /// Which arms of the checked text the requested samples reach, by their positions in the request; absent when nothing was to be
        /// checked or the text cannot be compiled.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        coverage: Option<Coverage>,
    },
    /// To `Render` and `Inspect`.
    Opening {
        /// The opening.
        opening: Opening,
    },
    /// To `Check`.
    Problems {
        /// Faults, errors first.
        problems: Vec<Problem>,
    },
    /// To `Why`.
    Why {
        /// The answer.
        why: Why,
    },
    /// To `Reads`.
    Reads {
        /// The samples, in the order of their columns.
        samples: Vec<String>,
        /// Rows of the facts table.
        facts: Vec<FactUse>,
    },
    /// To `Complete`.
    Completions {
        /// What fits there.
        completions: Completions,
    },
    /// The request could not be carried out: a sentence for a person.
    Failed {
        /// What is wrong.
        message: String,
    },
}

/// A request to the reader worker. The bytes of `Open` travel beside the message, as a transferred buffer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ReaderRequest {
    /// Read a log and keep it under `log`, replacing what was there.
    Open {
        /// The host's number for it.
        log: u32,
        /// File name.
        name: String,
    },
    /// Keep the decisions of the ledger for a log, in place of those kept before: traces are drawn with them. They may be of any session.
    Ledger {
        /// As opened.
        log: u32,
        /// In any order.
        entries: Vec<LedgerEntry>,
    },
    /// The rows of some turns. Positions count all turns of the log from 0, in file order, hidden ones included.
    Turns {
        /// As opened.
        log: u32,
        /// Position of the first.
        from: usize,
        /// Position past the last; past the log's end means its end.
        to: usize,
    },
    /// What was said in some turns.
    Messages {
        /// As opened.
        log: u32,
        /// As above.
        from: usize,
        /// As above.
        to: usize,
    },
    /// The call trace of one turn and its drawing.
    Trace {
        /// As opened.
        log: u32,
        /// Any reference form (specs: iris-session-log, 7.3).
        turn: String,
    },
    /// One call of a trace with its texts in full.
    Call {
        /// As opened.
        log: u32,
        /// As above.
        turn: String,
        /// Position in the trace's nodes.
        call: usize,
    },
    /// Some steps of a trace.
    Steps {
        /// As opened.
        log: u32,
        /// As above.
        turn: String,
        /// Position of the first.
        from: usize,
        /// Position past the last; past the end means the end.
        to: usize,
    },
    /// Some decisions of a trace.
    Governance {
        /// As opened.
        log: u32,
        /// As above.
        turn: String,
        /// Position of the first.
        from: usize,
        /// Position past the last; past the end means the end.
        to: usize,
    },
    /// A question about what stands around an opening.
    Context(context::ContextRequest),
    /// Forget a log, and the decisions kept for it.
    Close {
        /// As opened.
        log: u32,
    },
    /// Hold logs against rules.
    Assert(assert::AssertRequest),
}

/// An answer of the reader worker.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ReaderAnswer {
    /// To `Open`.
    Opened {
        /// What is in it.
        summary: SessionSummary,
        /// The first 1,000 lines that were left out.
        skipped: Vec<SkippedLine>,
    },
    /// To `Ledger`.
    Ledger {
        /// How many are kept.
        entries: usize,
    },
    /// To `Turns`.
    Turns {
        /// From `from` on. Requests are cut at [`reader::ROW_REQUEST`] characters; messages and traces hold them in full. Fewer than were
        /// asked for, but at least one, where they are large or the log ends; none only at its end.
        turns: Vec<Turn>,
        /// How many turns the log has.
        count: usize,
    },
    /// To `Messages`.
    Messages {
        /// For each turn from `from` on what was said in it, in full. Fewer turns than were asked for, but at least one, where they are
        /// large or the log ends; none only at its end.
        said: Vec<Vec<Message>>,
    },
    /// To `Trace`.
    Trace {
        /// The calls, with the first steps and decisions only, none if the very first is large. Long texts are cut where they are many;
        /// the request is cut like that of a row.
        trace: Box<Trace>,
        /// Where to draw them.
        layout: Layout,
        /// Positions of the nodes with a text that is cut, rising: `Call` gives them in full.
        cut: Vec<usize>,
        /// How many steps the trace has.
        step_count: usize,
        /// How many decisions.
        governance_count: usize,
    },
    /// To `Call`.
    Call {
        /// The call in full.
        node: Box<Node>,
    },
    /// To `Steps`.
    Steps {
        /// From `from` on, in full. Fewer than were asked for, but at least one, where they are large or the trace ends; none only at
        /// its end.
        steps: Vec<Step>,
    },
    /// To `Governance`.
    Governance {
        /// From `from` on. Fewer than were asked for, but at least one, where they are large or the trace ends; none only at its end.
        events: Vec<GovernanceEvent>,
    },
    /// To `Context`.
    Context(context::ContextAnswer),
    /// To `Close`.
    Closed,
    /// To `Assert`.
    Assert(assert::AssertAnswer),
    /// The request could not be carried out: a sentence for a person.
    Failed {
        /// What is wrong.
        message: String,
    },
}
