//! What is chosen on the pages about a model's context.

use super::query::Query;
use proem_core::context::preface::Mode;

/// What the preface page shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PrefaceView {
    /// Which part of it.
    pub show: PrefaceShow,
    /// Which bytes are made.
    pub mode: Mode,
}

/// A part of the preface page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PrefaceShow {
    /// Entries, and the text they make.
    #[default]
    Write,
    /// How requests are laid out for the prompt cache.
    Layout,
    /// The envelopes of a pasted text.
    Reader,
}

impl PrefaceShow {
    /// All of them.
    pub const ALL: [PrefaceShow; 3] = [PrefaceShow::Write, PrefaceShow::Layout, PrefaceShow::Reader];

    fn as_str(self) -> &'static str {
        match self {
            PrefaceShow::Write => "write",
            PrefaceShow::Layout => "layout",
            PrefaceShow::Reader => "reader",
        }
    }
}

impl PrefaceView {
    pub(super) fn read(query: &Query) -> PrefaceView {
        let show = PrefaceShow::ALL.into_iter().find(|show| query.get("show") == Some(show.as_str()));
        let mode = if query.get("mode") == Some("hardened") { Mode::Hardened } else { Mode::Parity };
        PrefaceView { show: show.unwrap_or_default(), mode }
    }

    pub(super) fn write(self, query: &mut Query) {
        if self.show != PrefaceShow::Write {
            query.push("show", self.show.as_str());
        }
        if self.mode == Mode::Hardened {
            query.push("mode", "hardened");
        }
    }
}

/// What the seed page shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SeedView {
    /// The example that comes with Proem, rather than a file of the reader's.
    pub is_example: bool,
    /// Position in the template's context of the message that is looked at.
    pub at: Option<usize>,
    /// The side in front where there is room for one.
    pub side: Side,
}

/// A side of the seed page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Side {
    /// The template's context.
    #[default]
    Template,
    /// The seed.
    Seed,
}

impl SeedView {
    pub(super) fn read(query: &Query) -> SeedView {
        SeedView {
            is_example: query.get("example").is_some(),
            at: query.get("at").and_then(|at| at.parse().ok()),
            side: if query.get("side") == Some("seed") { Side::Seed } else { Side::Template },
        }
    }

    pub(super) fn write(self, query: &mut Query) {
        if self.is_example {
            query.push("example", "trunk");
        }
        if let Some(at) = self.at {
            query.push("at", &at.to_string());
        }
        if self.side == Side::Seed {
            query.push("side", "seed");
        }
    }
}
