//! The reader worker's answers about what stands around an opening: prefaces, envelopes in recorded prompts, cache layouts, seeds of forks.

mod prompt;
mod seed;

pub(super) use prompt::prompt;
pub use seed::too_large;
pub(super) use seed::{KeptSeed, make_seed};

use crate::context::cache::{self, Meter};
use crate::context::preface::{self, Entry, Envelopes, Lint, Mode, Preface};
use crate::context::seed::{Counts, Leak, LeakPlace, Reason, Term};
use serde::{Deserialize, Serialize};

/// Terms that a summary lists.
pub const FOUND_SHOWN: usize = 500;
/// Speakers that a summary lists.
pub const SPEAKERS_SHOWN: usize = 20;

/// A question.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ContextRequest {
    /// Make a preface.
    Preface {
        /// The entries.
        entries: Vec<Entry>,
        /// Which bytes.
        mode: Mode,
    },
    /// Read pasted entries.
    Entries {
        /// A JSON list.
        json: String,
    },
    /// Find the envelopes of a text.
    Envelopes {
        /// The text.
        text: String,
    },
    /// Hold two requests to a model against each other.
    Meter {
        /// Body of the first, JSON.
        earlier: String,
        /// Body of the one after it.
        later: String,
    },
    /// Find the envelopes in what a model call of an opened log was given, or in the message that opened the turn.
    Prompt {
        /// As opened.
        log: u32,
        /// Any reference form.
        turn: String,
        /// Id of the node: `llm0`, `runtime`.
        node: String,
    },
    /// Make a fork's seed and keep it; the bytes beside the message are the dump of the template's store.
    Seed(SeedAsked),
    /// Some rows of the seed that was made last.
    SeedRows {
        /// Position of the first message of the template's context.
        from: usize,
        /// Position past the last.
        to: usize,
    },
}

/// What makes a seed, beside the dump.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct SeedAsked {
    /// The template's name; empty for the one that the dump names, or who speaks most in it beside the user.
    pub template: String,
    /// The fork's name; empty for the one that the dump or the logged line names.
    pub fork: String,
    /// The fork's own first messages.
    pub own: Option<String>,
    /// A line that the spawn logged.
    pub line: Option<String>,
}

/// An answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ContextAnswer {
    /// To `Preface`.
    Preface {
        /// The text.
        preface: Preface,
        /// What is found in it again.
        envelopes: Envelopes,
        /// Remarks.
        lints: Vec<Lint>,
    },
    /// To `Entries`.
    Entries {
        /// The entries.
        entries: Vec<Entry>,
    },
    /// To `Envelopes`.
    Envelopes {
        /// What was found.
        envelopes: Envelopes,
        /// It holds no envelope, or also the rule that tells a model what envelopes are.
        states_the_rule: bool,
    },
    /// To `Meter`.
    Meter {
        /// The comparison.
        meter: Meter,
    },
    /// To `Prompt`.
    Prompt {
        /// The messages that hold tags of envelopes, as many as fit into an answer.
        messages: Vec<PromptMessage>,
        /// How many messages do.
        count: usize,
    },
    /// To `Seed`.
    Seed(Box<SeedSummary>),
    /// To `SeedRows`.
    SeedRows {
        /// From `from` on: fewer than were asked for, but at least one, where they are large; none only at the end.
        rows: Vec<SeedRow>,
    },
}

/// A recorded message with envelopes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PromptMessage {
    /// Its place among the messages, from 0.
    pub position: usize,
    /// Its role.
    pub role: String,
    /// Its text.
    pub text: String,
    /// What is in it.
    pub envelopes: Envelopes,
    /// Sentences about what should not be.
    pub findings: Vec<String>,
}

/// A seed in one view.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SeedSummary {
    /// The template's name.
    pub template: String,
    /// The fork's name; empty when nobody said it.
    pub fork: String,
    /// Messages of the template's context.
    pub context: usize,
    /// Messages of the seed.
    pub seeded: usize,
    /// What was left out.
    pub counts: Counts,
    /// The line of the spawn.
    pub line: Option<String>,
    /// The line that was logged: as it was asked, or as the dump holds it.
    pub logged: Option<String>,
    /// Sentences about where the logged line says something else; absent when none was given.
    pub reconciled: Option<Vec<String>>,
    /// How the fork's own first messages compare; absent when none were given.
    pub compared: Option<Compared>,
    /// How many terms of other conversations the store holds.
    pub terms: usize,
    /// The terms that the seed still holds, by where they stand; the first [`FOUND_SHOWN`].
    pub found: Vec<Found>,
    /// How many there are.
    pub found_count: usize,
    /// Who speaks in the dump, and how often: the [`SPEAKERS_SHOWN`] who speak most.
    pub participants: Vec<(String, usize)>,
    /// What could not be read.
    pub remarks: Vec<String>,
}

/// The fork's own first messages beside the seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Compared {
    /// How many there are.
    pub own: usize,
    /// How many from the start are those of the seed.
    pub same: usize,
}

/// How often a term stands somewhere.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Found {
    /// The term.
    pub term: Term,
    /// Where it stands.
    pub place: LeakPlace,
    /// How often.
    pub count: usize,
    /// Position in the template's context of the first message that holds it.
    pub first: usize,
}

/// One message of the template's context, and what became of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SeedRow {
    /// Position in the context.
    pub position: usize,
    /// Who speaks there.
    pub participant: String,
    /// Position in the seed; absent when it was left out.
    pub seeded: Option<usize>,
    /// Who speaks in the seed.
    pub speaks: String,
    /// In the seed one placeholder stands for all its blocks.
    pub placeholder: bool,
    /// Its blocks.
    pub blocks: Vec<SeedRowBlock>,
}

/// A block of a row.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SeedRowBlock {
    /// Its type.
    pub kind: String,
    /// Its words, or its JSON; cut where it is long.
    pub text: String,
    /// Why it was left out.
    pub reason: Option<Reason>,
    /// Position in the template's context of the marked message that [`Reason::Repeats`] means; absent when only the store holds it.
    pub marked: Option<usize>,
    /// What it still holds of other conversations.
    pub leaks: Vec<Leak>,
}
/// Answers what needs no log and no seed.
pub(super) fn answer(request: ContextRequest) -> Result<ContextAnswer, String> {
    Ok(match request {
        ContextRequest::Preface { entries, mode } => {
            let preface = preface::preface(&entries, mode);
            let envelopes = preface::read(&preface.text);
            ContextAnswer::Preface { envelopes, lints: preface::lint(&entries, mode), preface }
        }
        ContextRequest::Entries { json } => {
            let entries = serde_json::from_str(json.trim_start_matches('\u{feff}'));
            let entries = entries.map_err(|error| {
                format!("This is no list of entries, [{{\"source\", \"origin\", \"body\", \"fetched_at\"}}]: {error}.")
            })?;
            ContextAnswer::Entries { entries }
        }
        ContextRequest::Envelopes { text } => {
            ContextAnswer::Envelopes { envelopes: preface::read(&text), states_the_rule: preface::states_the_rule(&text) }
        }
        ContextRequest::Meter { earlier, later } => {
            let read = |json: &str, which: &str| cache::request(json).map_err(|error| format!("The {which} request: {error}"));
            let (earlier, later) = (read(&earlier, "first")?, read(&later, "second")?);
            ContextAnswer::Meter { meter: cache::meter(&earlier, &later) }
        }
        ContextRequest::Prompt { .. } | ContextRequest::Seed(_) | ContextRequest::SeedRows { .. } => {
            return Err("This is asked of something that is open, and nothing is.".to_owned());
        }
    })
}
