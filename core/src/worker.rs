//! What a host says to an engine worker and hears back. The browser's workers and the server's child processes speak it alike:
//! one JSON text a message, `{"check":{"body":…}}`: an object whose one key says what it is. (Reading a tag from among the fields would
//! need every shape twice, once from text and once from memory: a tenth of the pages' size.) The handlers live beside it, in `preview`
//! and `reader`.

pub mod preview;
pub mod reader;

use crate::log::{Message, SessionSummary, SkippedLine, Turn};
use crate::opening::compose::{Opening, PartSource, PartText};
use crate::template::problem::Problem;
use crate::trace::{Layout, Trace};
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
    },
    /// To `Render`.
    Opening {
        /// The opening.
        opening: Opening,
    },
    /// To `Check`.
    Problems {
        /// Faults, errors first.
        problems: Vec<Problem>,
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
    /// The conversation: all turns and what was said in them.
    Replay {
        /// As opened.
        log: u32,
    },
    /// The call trace of one turn and its drawing.
    Trace {
        /// As opened.
        log: u32,
        /// Any reference form (specs: iris-session-log, 7.3).
        turn: String,
    },
    /// Forget a log.
    Close {
        /// As opened.
        log: u32,
    },
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
    /// To `Replay`.
    Replay {
        /// In file order, hidden ones included.
        turns: Vec<Turn>,
        /// In order of turns.
        messages: Vec<Message>,
    },
    /// To `Trace`.
    Trace {
        /// The calls.
        trace: Box<Trace>,
        /// Where to draw them.
        layout: Layout,
    },
    /// To `Close`.
    Closed,
    /// The request could not be carried out: a sentence for a person.
    Failed {
        /// What is wrong.
        message: String,
    },
}
