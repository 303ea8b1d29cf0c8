//! What stands in the margin of a skill's text: its problems, its branches, the facts it reads, and why a place is not in an opening.

/// One view of the margin.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Margin {
    /// What is wrong.
    #[default]
    Problems,
    /// Every way that conditions and loops can go.
    Branches,
    /// Those that no sample reaches.
    Never,
    /// Every fact that is offered or asked for.
    Facts,
    /// Those that are read.
    Read,
    /// Those that are offered and read nowhere.
    Unused,
    /// Why the place of the cursor is not in the opening.
    Why,
}

impl Margin {
    /// All of them.
    pub const ALL: [Margin; 7] =
        [Margin::Problems, Margin::Branches, Margin::Never, Margin::Facts, Margin::Read, Margin::Unused, Margin::Why];

    /// The word in addresses.
    pub fn as_str(self) -> &'static str {
        match self {
            Margin::Problems => "problems",
            Margin::Branches => "branches",
            Margin::Never => "never",
            Margin::Facts => "facts",
            Margin::Read => "read",
            Margin::Unused => "unused",
            Margin::Why => "why",
        }
    }

    /// The view that a word in an address means; the problems for any other.
    pub fn named(word: Option<&str>) -> Margin {
        Margin::ALL.into_iter().find(|margin| word == Some(margin.as_str())).unwrap_or_default()
    }

    /// The tab it belongs to: itself, or what it is a part of.
    pub fn tab(self) -> Margin {
        match self {
            Margin::Never => Margin::Branches,
            Margin::Read | Margin::Unused => Margin::Facts,
            tab => tab,
        }
    }
}
