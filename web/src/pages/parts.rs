//! Fetches the parts of a long list near those on screen, one page after the other, always the one that is wanted now.

use crate::state::parts::{Part, Parts, places_of};
use leptos::prelude::*;
use leptos::task::spawn_local;
use proem_core::api::ApiError;
use std::ops::Range;
use std::pin::Pin;
use std::rc::Rc;

/// The entries of a range, as many as the list has; None while whoever keeps it has lost it: it is asked again when it has it.
type Answer<T> = Option<Result<Vec<T>, ApiError>>;
type Fetch<T> = Rc<dyn Fn(Range<usize>) -> Pin<Box<dyn Future<Output = Answer<T>>>>>;

/// The parts that are here. Copy it freely.
pub struct PartsView<T: Send + Sync + 'static> {
    parts: RwSignal<Parts<T>>,
    near: RwSignal<Vec<usize>>,
    is_asking: StoredValue<bool>,
    fetch: StoredValue<Fetch<T>, LocalStorage>,
}

impl<T: Send + Sync + 'static> Clone for PartsView<T> {
    fn clone(&self) -> PartsView<T> {
        *self
    }
}

impl<T: Send + Sync + 'static> Copy for PartsView<T> {}

impl<T: Send + Sync + 'static> PartsView<T> {
    /// Begins with what is here already. `held` changes when the list can be asked again.
    pub fn new<Asked: Future<Output = Answer<T>> + 'static>(
        first: Parts<T>,
        held: Signal<u32>,
        fetch: impl Fn(Range<usize>) -> Asked + 'static,
    ) -> PartsView<T> {
        let fetch: Fetch<T> = Rc::new(move |range| Box::pin(fetch(range)));
        let view = PartsView {
            parts: RwSignal::new(first),
            near: RwSignal::new(Vec::new()),
            is_asking: StoredValue::new(false),
            fetch: StoredValue::new_local(fetch),
        };
        Effect::new(move || {
            view.near.track();
            held.track();
            view.ask();
        });
        view
    }

    /// Positions that are wanted: whoever shows them keeps it up to date.
    pub fn near(self) -> RwSignal<Vec<usize>> {
        self.near
    }

    /// The entry at a position. Follows changes.
    pub fn of(self, position: usize) -> Part<T> {
        self.parts.with(|parts| parts.of(position))
    }

    /// Asks again for what failed.
    pub fn again(self) {
        self.parts.update(Parts::forget_failures);
        self.ask();
    }

    fn missing(self) -> Option<usize> {
        self.near.try_with_untracked(|near| self.parts.try_with_untracked(|parts| parts.missing(near)))??
    }

    fn ask(self) {
        if self.is_asking.get_value() || self.missing().is_none() {
            return;
        }
        self.is_asking.set_value(true);
        spawn_local(async move {
            while let Some(page) = self.missing() {
                let Some(fetch) = self.fetch.try_get_value() else { break };
                let Some(answer) = fetch(places_of(page)).await else { break };
                let near = self.near.try_get_untracked().unwrap_or_default();
                let answer = answer.map_err(|error| error.message);
                if self.parts.try_update(|parts| parts.take(page, answer, &near)).is_none() {
                    break;
                }
            }
            self.is_asking.try_set_value(false);
        });
    }
}
