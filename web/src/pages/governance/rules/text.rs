//! The text of the rules: what is typed, what is wrong with it, and how it is stored.

use crate::components::{NoticeKind, Notices, use_notices};
use crate::engine::{Engine, EngineFault, use_engine};
use crate::state::draft::{Draft, KeptDraft, Saving, set_aside};
use crate::state::findings::{Finding, findings};
use crate::{api, drafts};
use leptos::ev;
use leptos::prelude::*;
use leptos::task::spawn_local;
use proem_core::api::governance::{RulesDocument, SaveRules};
use proem_core::skill::Revision;
use proem_core::template::problem::Problem;
use proem_core::worker::assert::{AssertAnswer, AssertRequest};
use proem_core::worker::{ReaderAnswer, ReaderRequest};

/// What drafts of the rules are kept under: no slug of a skill has a slash.
const KEPT_AS: &str = "governance/rules";

/// The text; a handle, copied freely.
#[derive(Clone, Copy)]
pub(super) struct Text {
    /// What is in the editor.
    pub draft: RwSignal<Draft>,
    /// A text for the editor, as one step that can be undone.
    pub replacement: RwSignal<Option<String>>,
    /// A place for the editor to go to, in UTF-16 units.
    pub reveal: RwSignal<Option<(usize, usize)>>,
    /// The newer revision that a save met.
    pub conflict: RwSignal<Option<Revision>>,
    /// Drafts of earlier visits.
    pub kept: RwSignal<Vec<KeptDraft>>,
    /// The text that was looked at last, and its faults.
    checked: RwSignal<Option<(String, Vec<Problem>)>>,
    /// A look at the text is under way.
    checking: StoredValue<bool>,
    engine: Engine,
    notices: Notices,
}

impl Text {
    /// Starts from what is stored; from then on every change is checked and kept.
    pub(super) fn new(stored: RulesDocument) -> Text {
        let base = revision(stored);
        let kept = drafts::left_behind(KEPT_AS, &base.body);
        let text = Text {
            draft: RwSignal::new(Draft::of(base)),
            replacement: RwSignal::new(None),
            reveal: RwSignal::new(None),
            conflict: RwSignal::new(None),
            kept: RwSignal::new(kept),
            checked: RwSignal::new(None),
            checking: StoredValue::new(false),
            engine: use_engine(),
            notices: use_notices(),
        };
        text.check_with_every_change();
        text.keep_with_every_change();
        text
    }

    /// The text in the editor.
    pub(super) fn body(&self) -> String {
        self.draft.with(|draft| draft.body.clone())
    }

    /// Whether leaving would lose something.
    pub(super) fn is_dirty(&self) -> bool {
        self.draft.with(Draft::is_dirty)
    }

    /// Whether what is known of faults is about the text in the editor.
    pub(super) fn is_checked(&self) -> bool {
        self.draft.with(|draft| self.checked.with(|checked| checked.as_ref().is_some_and(|(body, _)| *body == draft.body)))
    }

    /// The faults that were found last. While new ones are on their way, those of the text before.
    pub(super) fn findings(&self) -> Vec<Finding> {
        self.checked.with(|checked| checked.as_ref().map_or_else(Vec::new, |(_, problems)| findings(problems)))
    }

    /// Whether the text can be run and saved as far as is known.
    pub(super) fn has_faults(&self) -> bool {
        self.is_checked() && self.checked.with(|checked| checked.as_ref().is_some_and(|(_, problems)| !problems.is_empty()))
    }

    /// Whether saving is possible now, and the sentence when it is not.
    pub(super) fn may_save(&self) -> Result<(), &'static str> {
        let known = self.checked.with(|checked| checked.clone()).filter(|_| self.is_checked()).unwrap_or_default().1;
        self.draft.with(|draft| draft.may_save(&known).map_err(|why| why.sentence()))
    }

    /// Puts a text into the editor as one step that can be undone.
    pub(super) fn write(self, body: String) {
        self.replacement.set(Some(body));
    }

    /// Takes up a draft that was set aside.
    pub(super) fn restore(self, body: String) {
        self.discard(&body);
        self.write(body);
    }

    /// Forgets a draft that was set aside.
    pub(super) fn discard(self, body: &str) {
        self.change_kept(|kept| kept.retain(|draft| draft.body != body));
    }

    /// Stores the text as a new revision.
    pub(super) fn save(self) {
        if let Err(why) = untrack(|| self.may_save()) {
            self.notices.say(NoticeKind::Warning, why);
            return;
        }
        self.draft.update(|draft| draft.saving = Saving::Asked);
        let Draft { base, body, .. } = self.draft.get_untracked();
        let request = SaveRules { base: base.number, body };
        spawn_local(async move {
            match api::save_rules(&request).await {
                Ok(stored) => {
                    let head = revision(stored);
                    let (number, body) = (head.number, head.body.clone());
                    if self.draft.try_update(|draft| draft.saved(&request.body, head)) == Some(true) {
                        self.replacement.set(Some(body));
                    }
                    self.notices.say(NoticeKind::Done, format!("Revision {number} of the rules is saved."));
                }
                Err(error) => {
                    self.draft.try_update(Draft::not_saved);
                    match error.head {
                        Some(head) => drop(self.conflict.try_set(Some(*head))),
                        None => {
                            if !error.problems.is_empty() {
                                self.checked.try_set(Some((request.body, error.problems)));
                            }
                            self.notices.say(NoticeKind::Error, error.message);
                        }
                    }
                }
            }
        });
    }

    /// Saves the text on top of the revision that the last save met.
    pub(super) fn keep_mine(self) {
        if let Some(head) = self.conflict.get_untracked() {
            self.conflict.set(None);
            self.draft.update(|draft| draft.rebase(head));
            self.save();
        }
    }

    /// Goes on with the newer revision; the text stays among the kept drafts.
    pub(super) fn take_theirs(self) {
        if let Some(head) = self.conflict.get_untracked() {
            self.conflict.set(None);
            let mine = self.draft.with_untracked(kept_draft);
            self.change_kept(|kept| set_aside(kept, mine));
            let body = head.body.clone();
            self.draft.update(|draft| draft.rebase(head));
            self.write(body);
        }
    }

    fn change_kept(self, change: impl FnOnce(&mut Vec<KeptDraft>)) {
        self.kept.update(change);
        self.kept.with_untracked(|kept| drafts::write_aside(KEPT_AS, kept));
    }

    /// One look at a time: what was typed meanwhile is looked at afterwards.
    fn check_with_every_change(self) {
        Effect::new(move || {
            self.draft.with(|draft| draft.body.len());
            if !self.is_checked() && !self.checking.get_value() {
                self.checking.set_value(true);
                spawn_local(self.check());
            }
        });
    }

    async fn check(self) {
        while let Some(body) = self.draft.try_with_untracked(|draft| draft.body.clone()) {
            let request = ReaderRequest::Assert(AssertRequest::Check { rules: body.clone() });
            match self.engine.read(request, None).await {
                Ok(ReaderAnswer::Assert(AssertAnswer::Faults { problems, .. })) => {
                    self.checked.try_set(Some((body.clone(), problems)));
                }
                // A run was cancelled, and the worker with it: the next one is asked.
                Err(EngineFault::Superseded) => continue,
                // The server looks before it saves.
                _ => break,
            }
            if self.draft.try_with_untracked(|draft| draft.body == body) != Some(false) {
                break;
            }
        }
        self.checking.try_set_value(false);
    }

    fn keep_with_every_change(self) {
        Effect::new(move || {
            self.draft.with(|draft| drafts::keep(KEPT_AS, draft.is_dirty().then(|| kept_draft(draft)).as_ref()));
        });
        let guard = window_event_listener(ev::beforeunload, move |event| {
            if self.draft.with_untracked(Draft::is_dirty) {
                event.prevent_default();
            }
        });
        let notices = self.notices;
        on_cleanup(move || {
            guard.remove();
            if self.draft.try_with_untracked(Draft::is_dirty) == Some(true) {
                notices.say(NoticeKind::Warning, "Your draft of the rules is not saved. This browser keeps it for you.");
            }
        });
    }
}

fn kept_draft(draft: &Draft) -> KeptDraft {
    KeptDraft { base: draft.base.number, body: draft.body.clone(), time: drafts::now() }
}

fn revision(stored: RulesDocument) -> Revision {
    let RulesDocument { revision, body, author, time } = stored;
    Revision { number: revision, body, author, time, note: String::new(), contract: 0 }
}
