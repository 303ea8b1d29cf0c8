//! Fetches what was said in the turns near those on screen, one page after the other, always the one that is wanted now.

use super::open::LogView;
use crate::state::said::{Heard, Said, turns_of};
use leptos::prelude::*;
use leptos::task::spawn_local;

/// What was said, as far as it is here. Copy it freely.
#[derive(Clone, Copy)]
pub struct SaidView {
    log: LogView,
    said: RwSignal<Said>,
    near: RwSignal<Vec<usize>>,
    is_asking: StoredValue<bool>,
}

impl SaidView {
    /// Begins with what is here already.
    pub fn new(log: LogView, first: Said) -> SaidView {
        let view =
            SaidView { log, said: RwSignal::new(first), near: RwSignal::new(Vec::new()), is_asking: StoredValue::new(false) };
        Effect::new(move || {
            view.near.track();
            // A worker that has just got the log can be asked again.
            log.held().track();
            view.ask();
        });
        view
    }

    /// Positions of the turns whose words are wanted: whoever shows them keeps it up to date.
    pub fn near(self) -> RwSignal<Vec<usize>> {
        self.near
    }

    /// What was said in the turn at a position. Follows changes.
    pub fn of(self, position: usize) -> Heard {
        self.said.with(|said| said.of(position))
    }

    /// Asks again for what failed.
    pub fn again(self) {
        self.said.update(Said::forget_failures);
        self.ask();
    }

    fn missing(self) -> Option<usize> {
        self.near.try_with_untracked(|near| self.said.try_with_untracked(|said| said.missing(near)))??
    }

    fn ask(self) {
        if self.is_asking.get_value() || self.missing().is_none() {
            return;
        }
        self.is_asking.set_value(true);
        spawn_local(async move {
            while let Some(page) = self.missing() {
                let Some(answer) = self.log.messages(turns_of(page)).await else { break };
                let near = self.near.try_get_untracked().unwrap_or_default();
                let answer = answer.map_err(|error| error.message);
                if self.said.try_update(|said| said.take(page, answer, &near)).is_none() {
                    break;
                }
            }
            self.is_asking.try_set_value(false);
        });
    }
}
