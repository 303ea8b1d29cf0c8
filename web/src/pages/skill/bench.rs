//! What the parts of the skill page share: the draft, the preview of it, and what is done with them.

use crate::components::{NoticeKind, Notices, use_notices};
use crate::engine::use_engine;
use crate::navigate::{Navigation, use_navigation};
use crate::page::{Page, SkillView};
use crate::state::draft::{Draft, KeptDraft, Saving, set_aside};
use crate::state::findings::{Finding, findings};
use crate::state::margin::Margin;
use crate::state::pieces::utf16_of_byte;
use crate::state::preview::{Answer, Asked, Freshness, PreviewState, Shown, is_in_openings, request};
use crate::{api, drafts};
use leptos::ev;
use leptos::prelude::*;
use leptos::task::spawn_local;
use proem_core::api::{RoleDetail, SaveSkill, SkillDetail};
use proem_core::skill::Revision;
use proem_core::template::problem::Problem;
use proem_core::worker::PreviewAnswer;

/// What the page fetched.
#[derive(Clone)]
pub(super) struct Loaded {
    /// The skill's slug.
    pub slug: String,
    /// The role whose openings are shown.
    pub role: RoleDetail,
    /// All skills.
    pub skills: Vec<SkillDetail>,
}

impl Loaded {
    /// The skill of this page.
    pub(super) fn skill(&self) -> Option<&SkillDetail> {
        self.skills.iter().find(|skill| skill.skill.slug == self.slug)
    }
}

/// The page's state; a handle, copied freely.
#[derive(Clone, Copy)]
pub(super) struct Bench {
    /// What is chosen, from the address.
    pub view: Signal<SkillView>,
    /// What was fetched.
    pub loaded: StoredValue<Loaded>,
    /// What is in the editor.
    pub draft: RwSignal<Draft>,
    /// What the openings would be.
    pub preview: RwSignal<PreviewState>,
    /// A text for the editor, as one step that can be undone.
    pub replacement: RwSignal<Option<String>>,
    /// A place for the editor to go to, in UTF-16 units.
    pub reveal: RwSignal<Option<(usize, usize)>>,
    /// A place for the editor to light up, in UTF-16 units.
    pub highlight: RwSignal<Option<(usize, usize)>>,
    /// The selection in the editor, in UTF-16 units.
    pub selection: RwSignal<Option<(usize, usize)>>,
    /// Why the next revision is made.
    pub note: RwSignal<String>,
    /// What the server found in a text that it refused.
    pub refused: RwSignal<Option<(String, Vec<Problem>)>>,
    /// The newer revision that a save met.
    pub conflict: RwSignal<Option<Revision>>,
    /// Drafts of earlier visits.
    pub kept: RwSignal<Vec<KeptDraft>>,
    asked: Memo<Asked>,
    notices: Notices,
    navigation: Navigation,
}

impl Bench {
    /// Starts from the stored text, and keeps preview and kept draft up to date from then on.
    pub(super) fn new(view: Signal<SkillView>, loaded: Loaded) -> Bench {
        let head = loaded.skill().map(|skill| skill.head.clone());
        let head = head.expect("the page makes a bench only for a skill that was found");
        let kept = drafts::left_behind(&loaded.slug, &head.body);
        let draft = RwSignal::new(Draft::of(head));
        let asked = Memo::new(move |_| {
            let SkillView { variant, old_server, .. } = view.get();
            Asked { body: draft.with(|draft| draft.body.clone()), variant, old_server }
        });
        let bench = Bench {
            view,
            loaded: StoredValue::new(loaded),
            draft,
            preview: RwSignal::default(),
            replacement: RwSignal::new(None),
            reveal: RwSignal::new(None),
            highlight: RwSignal::new(None),
            selection: RwSignal::new(None),
            note: RwSignal::default(),
            refused: RwSignal::new(None),
            conflict: RwSignal::new(None),
            kept: RwSignal::new(kept),
            asked,
            notices: use_notices(),
            navigation: use_navigation(),
        };
        bench.ask_with_every_change();
        bench.keep_with_every_change();
        bench
    }

    /// Chooses something on the page, without a step for the back button.
    pub(super) fn choose(self, change: impl FnOnce(&mut SkillView)) {
        let mut view = self.view.get_untracked();
        change(&mut view);
        self.navigation.replace(&Page::Skill(view));
    }

    /// The skill's slug.
    pub(super) fn slug(&self) -> String {
        self.loaded.with_value(|loaded| loaded.slug.clone())
    }

    /// Whether the skill is rendered into openings at all.
    pub(super) fn is_in_openings(&self) -> bool {
        self.loaded.with_value(|loaded| loaded.skill().is_some_and(|skill| is_in_openings(skill, &loaded.role)))
    }

    /// Whether leaving would lose something.
    pub(super) fn is_dirty(&self) -> bool {
        self.draft.with(Draft::is_dirty)
    }

    /// The text in the editor.
    pub(super) fn body(&self) -> String {
        self.draft.with(|draft| draft.body.clone())
    }

    /// Leads to a byte range of the text in the editor.
    pub(super) fn show_place(self, place: Option<(usize, usize)>) {
        if let Some((from, to)) = place {
            let place = self.draft.with_untracked(|draft| (utf16_of_byte(&draft.body, from), utf16_of_byte(&draft.body, to)));
            self.reveal.set(Some(place));
        }
    }

    /// What is shown belongs to what is in the editor.
    pub(super) fn is_fresh(&self) -> bool {
        let asked = self.asked.get();
        self.preview.with(|preview| {
            preview.freshness == Freshness::Fresh && preview.answer.as_ref().is_some_and(|answer| answer.asked == asked)
        })
    }

    /// The preview's state as one word, for tests and styles.
    pub(super) fn preview_word(&self) -> &'static str {
        match self.is_stopped() {
            true => "stopped",
            false if self.is_fresh() => "fresh",
            false => "updating",
        }
    }

    /// The engine was stopped over the text in the editor, or could not answer.
    pub(super) fn is_stopped(&self) -> bool {
        self.preview.with(PreviewState::is_stopped)
    }

    /// The opening of the chosen situation.
    pub(super) fn shown(&self) -> Option<Shown> {
        let kind = self.view.get().situation;
        self.preview.with(|preview| self.loaded.with_value(|loaded| preview.shown(&loaded.slug, kind)))
    }

    /// The faults of the text in the editor. While they are on their way, those of the text before.
    pub(super) fn findings(&self) -> Vec<Finding> {
        let refused = self.refused.get();
        self.draft.with(|draft| match refused.filter(|(body, _)| *body == draft.body) {
            Some((_, problems)) => findings(&problems),
            None if self.is_stopped() => Vec::new(),
            None => {
                self.preview.with(|preview| preview.answer.as_ref().map_or_else(Vec::new, |answer| findings(&answer.problems)))
            }
        })
    }

    /// Whether saving is possible now, and the sentence when it is not.
    pub(super) fn may_save(&self) -> Result<(), &'static str> {
        self.draft.with(|draft| {
            let known =
                self.preview.with(|preview| preview.problems_of(&draft.body).map(<[Problem]>::to_vec)).unwrap_or_default();
            draft.may_save(&known).map_err(|why| why.sentence())
        })
    }

    /// Stores the draft as a new revision.
    pub(super) fn save(self) {
        if let Err(why) = untrack(|| self.may_save()) {
            self.notices.say(NoticeKind::Warning, why);
            return;
        }
        self.draft.update(|draft| draft.saving = Saving::Asked);
        let Draft { base, body, .. } = self.draft.get_untracked();
        let request = SaveSkill { base: base.number, body, note: self.note.get_untracked().trim().to_owned() };
        let slug = self.slug();
        spawn_local(async move {
            match api::save_skill(&slug, &request).await {
                Ok(detail) => self.saved(&request.body, detail.head),
                Err(error) => {
                    self.draft.try_update(Draft::not_saved);
                    match (error.head, error.problems) {
                        (Some(head), _) => {
                            self.conflict.try_set(Some(*head));
                        }
                        (None, problems) if !problems.is_empty() => {
                            self.refused.try_set(Some((request.body, problems)));
                            self.choose(|view| view.margin = Margin::Problems);
                            self.notices.say(NoticeKind::Error, error.message);
                        }
                        _ => self.notices.say(NoticeKind::Error, error.message),
                    }
                }
            }
        });
    }

    fn saved(self, sent: &str, head: Revision) {
        let (number, body) = (head.number, head.body.clone());
        if self.draft.try_update(|draft| draft.saved(sent, head)) == Some(true) {
            self.replacement.set(Some(body));
        }
        self.note.try_set(String::new());
        self.notices.say(NoticeKind::Done, format!("Revision {number} saved. Openings use it from now on."));
    }

    /// Back to the stored text; undo brings the draft again.
    pub(super) fn revert(self) {
        self.write(self.draft.with_untracked(|draft| draft.base.body.clone()));
    }

    /// Puts a text into the editor as one step that can be undone.
    pub(super) fn write(self, body: String) {
        self.replacement.set(Some(body));
    }

    /// Saves the draft on top of the revision that the last save met.
    pub(super) fn keep_mine(self) {
        if let Some(head) = self.conflict.get_untracked() {
            self.conflict.set(None);
            self.draft.update(|draft| draft.rebase(head));
            self.save();
        }
    }

    /// Goes on with the newer revision; the draft stays among the kept ones.
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

    /// Takes up a draft that was set aside.
    pub(super) fn restore(self, body: String) {
        self.change_kept(|drafts| drafts.retain(|draft| draft.body != body));
        self.write(body);
    }

    /// Changes the drafts that are set aside, here and in the browser's storage.
    pub(super) fn change_kept(self, change: impl FnOnce(&mut Vec<KeptDraft>)) {
        self.kept.update(change);
        self.kept.with_untracked(|kept| drafts::write_aside(&self.slug(), kept));
    }

    fn ask_with_every_change(self) {
        let engine = use_engine();
        Effect::new(move || {
            let asked = self.asked.get();
            self.preview.update(PreviewState::asked);
            let request = self.loaded.with_value(|loaded| request(&loaded.role, &loaded.skills, &loaded.slug, &asked));
            spawn_local(async move {
                let answer = engine.preview(request).await;
                let (Some(now), Some(slug)) = (self.asked.try_get_untracked(), self.loaded.try_with_value(|it| it.slug.clone()))
                else {
                    return;
                };
                self.preview.try_update(|preview| match answer {
                    Ok(PreviewAnswer::Preview { openings, problems, coverage }) => {
                        preview.answered(&slug, Answer { asked, openings, problems }, coverage, &now)
                    }
                    Ok(_) => {}
                    Err(fault) => preview.failed(&asked, &now, &fault),
                });
            });
        });
    }

    fn keep_with_every_change(self) {
        let slug = self.slug();
        Effect::new(move || self.draft.with(|draft| drafts::keep(&slug, draft.is_dirty().then(|| kept_draft(draft)).as_ref())));
        let guard = window_event_listener(ev::beforeunload, move |event| {
            if self.draft.with_untracked(Draft::is_dirty) {
                event.prevent_default();
            }
        });
        let notices = self.notices;
        let name = self.loaded.with_value(|loaded| loaded.skill().map(|skill| skill.skill.name.clone()).unwrap_or_default());
        on_cleanup(move || {
            guard.remove();
            if self.draft.try_with_untracked(Draft::is_dirty) == Some(true) {
                notices.say(NoticeKind::Warning, format!("Your draft of “{name}” is not saved. This browser keeps it for you."));
            }
        });
    }
}

fn kept_draft(draft: &Draft) -> KeptDraft {
    KeptDraft { base: draft.base.number, body: draft.body.clone(), time: drafts::now() }
}
