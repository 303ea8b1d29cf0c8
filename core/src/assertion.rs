//! Replay assertions: saved rules that logs and ledgers are held against. A rule says what it is about (sessions, turns, events or rows of the
//! ledger), which of those, and one thing that is expected of them; the predicates are a small closed set (docs: assertions). A rule with
//! nothing to judge never counts as one that holds. Knows logs and ledgers; knows nothing of templates or of who keeps the rules.

mod condition;
mod context;
mod field;
mod item;
mod path;
mod read;
mod report;
mod rule;
mod run;
mod tally;
mod yaml;

pub use field::{FIELDS, Field, Kind, Over};
pub use item::Row;
pub use read::{RULES, TEXT_BYTES};
pub use report::*;
pub use run::Run;

use crate::template::problem::Problem;

/// The rules that Proem is shipped with: those of a home, and the invariants of the proof bundle (specs: system-opened-turns, 6.6).
pub const BUILT_IN: &str = include_str!("assertion/builtin.yaml");

/// Rules that were read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rules {
    rules: Vec<rule::Rule>,
}

impl Rules {
    /// Reads rules written in YAML; a text without any has none.
    ///
    /// # Errors
    /// Everything that is wrong with the text, in its order, each fault with its place and what to do.
    pub fn parse(text: &str) -> Result<Rules, Vec<Problem>> {
        read::read(text).map(|rules| Rules { rules })
    }

    /// The built-in rules.
    ///
    /// # Panics
    /// Never: a test reads them.
    pub fn built_in() -> Rules {
        Rules::parse(BUILT_IN).expect("the built-in rules are read by a test")
    }

    /// Ids and sentences, in order.
    pub fn said(&self) -> impl ExactSizeIterator<Item = (&str, &str)> {
        self.rules.iter().map(|rule| (rule.id.as_str(), rule.says.as_str()))
    }
}
