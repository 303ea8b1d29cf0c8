//! A text being edited: what it is based on, what was typed, and whether it may be saved now.

use proem_core::skill::Revision;
use proem_core::template::problem::{Problem, Severity};
use serde::{Deserialize, Serialize};

/// What is being done with a draft.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Saving {
    /// Nothing.
    #[default]
    No,
    /// The server was asked to store it.
    Asked,
}

/// A draft on top of a stored revision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Draft {
    /// The revision a save names as its base.
    pub base: Revision,
    /// What is in the editor.
    pub body: String,
    /// Whether a save is under way.
    pub saving: Saving,
}

/// Why there is nothing to save now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotNow {
    /// The text is the stored one.
    Unchanged,
    /// The text has errors.
    Errors,
    /// A save is under way.
    Saving,
}

impl NotNow {
    /// For the person who wonders.
    pub fn sentence(self) -> &'static str {
        match self {
            NotNow::Unchanged => "Nothing has changed since the last save.",
            NotNow::Errors => "Mend the errors first; a text with errors is not stored.",
            NotNow::Saving => "Saving…",
        }
    }
}

impl Draft {
    /// A stored revision, not yet changed.
    pub fn of(base: Revision) -> Draft {
        Draft { body: base.body.clone(), base, saving: Saving::No }
    }

    /// Whether leaving would lose something.
    pub fn is_dirty(&self) -> bool {
        self.body != self.base.body
    }

    /// The number the next save makes, as far as we know.
    pub fn next_number(&self) -> u32 {
        self.base.number + 1
    }

    /// Whether it may be saved, judged by the faults of exactly this text.
    pub fn may_save(&self, problems: &[Problem]) -> Result<(), NotNow> {
        if self.saving == Saving::Asked {
            return Err(NotNow::Saving);
        }
        if !self.is_dirty() {
            return Err(NotNow::Unchanged);
        }
        if problems.iter().any(|problem| problem.severity == Severity::Error) {
            return Err(NotNow::Errors);
        }
        Ok(())
    }

    /// The server stored `sent` as `head`. What was typed meanwhile stays. True when the editor has to show another text than it
    /// does, because the server stored it in its own spelling.
    pub fn saved(&mut self, sent: &str, head: Revision) -> bool {
        self.saving = Saving::No;
        let respelled = self.body == sent && head.body != sent;
        if respelled {
            self.body.clone_from(&head.body);
        }
        self.base = head;
        respelled
    }

    /// The save came to nothing; the draft is as it was.
    pub fn not_saved(&mut self) {
        self.saving = Saving::No;
    }

    /// Goes on from a newer revision with the same words: the next save stands on top of it.
    pub fn rebase(&mut self, head: Revision) {
        self.base = head;
        self.saving = Saving::No;
    }
}

/// A draft as the browser keeps it, so that neither leaving nor reloading loses it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptDraft {
    /// The revision it was written on.
    pub base: u32,
    /// The text.
    pub body: String,
    /// When it was last changed, RFC 3339, UTC.
    pub time: String,
}

/// Adds a draft to those that were set aside: newest first, each text once, not more than [`MOST_KEPT`].
pub fn set_aside(kept: &mut Vec<KeptDraft>, draft: KeptDraft) {
    kept.retain(|other| other.body != draft.body);
    kept.insert(0, draft);
    kept.truncate(MOST_KEPT);
}

/// So many drafts of one skill are offered at most.
pub const MOST_KEPT: usize = 5;

#[cfg(test)]
mod tests {
    use super::*;

    fn revision(number: u32, body: &str) -> Revision {
        Revision { number, body: body.into(), author: "a".into(), time: String::new(), note: String::new(), contract: 1 }
    }

    #[test]
    fn a_draft_is_saved_only_when_it_is_changed_and_sound() {
        let mut draft = Draft::of(revision(3, "one"));
        assert_eq!(draft.may_save(&[]), Err(NotNow::Unchanged));
        draft.body = "two".into();
        assert_eq!(draft.may_save(&[]), Ok(()));
        assert_eq!(draft.may_save(&[Problem::warning("two", 0..1, "x", "m")]), Ok(()));
        assert_eq!(draft.may_save(&[Problem::error("two", 0..1, "x", "m")]), Err(NotNow::Errors));
        draft.saving = Saving::Asked;
        assert_eq!(draft.may_save(&[]), Err(NotNow::Saving));
    }

    #[test]
    fn what_was_typed_while_saving_stays() {
        let mut draft = Draft::of(revision(1, "one"));
        draft.body = "two".into();
        draft.saving = Saving::Asked;
        draft.body = "two and more".into();
        assert!(!draft.saved("two", revision(2, "two")));
        assert!(draft.is_dirty());
        assert_eq!((draft.body.as_str(), draft.next_number()), ("two and more", 3));
    }

    #[test]
    fn the_server_s_spelling_is_taken_over() {
        let mut draft = Draft::of(revision(1, "one"));
        draft.body = "\u{feff}two".into();
        assert!(draft.saved("\u{feff}two", revision(2, "two")));
        assert!(!draft.is_dirty());
    }

    #[test]
    fn a_rebased_draft_keeps_its_words() {
        let mut draft = Draft::of(revision(1, "one"));
        draft.body = "mine".into();
        draft.rebase(revision(2, "theirs"));
        assert_eq!((draft.body.as_str(), draft.base.number, draft.is_dirty()), ("mine", 2, true));
    }

    #[test]
    fn drafts_set_aside_are_few_and_each_once() {
        let mut kept = Vec::new();
        for body in ["a", "b", "a", "c", "d", "e", "f"] {
            set_aside(&mut kept, KeptDraft { base: 1, body: body.into(), time: String::new() });
        }
        assert_eq!(kept.iter().map(|draft| draft.body.as_str()).collect::<String>(), "fedca");
    }
}
