//! Rules: their text, what they are held against, and what came of it.

mod proof;
mod results;
mod run;
mod targets;
mod text;
mod words;

use super::sections::Sections;
use crate::api;
use crate::components::{Conflict, use_list_keys};
use crate::pages::{Loaded, PageHead};
use leptos::prelude::*;
use proem_core::api::governance::RulesDocument;
use proof::Proof;
use run::RunView;
use targets::RunPane;
use text::Text;
use words::TextPane;

/// The page of rules.
#[component]
pub fn Rules() -> impl IntoView {
    use_list_keys();
    let rules = LocalResource::new(api::rules);
    view! {
        <div class="page page-wide governance rules-page" data-page="rules">
            <PageHead title="Rules" lead="What every recorded session has to keep, and whether it did." />
            <Sections />
            <Loaded resource=rules loading="Loading the rules…" show=|stored: RulesDocument| view! { <Bench stored=stored /> } />
            <Proof />
        </div>
    }
}

#[component]
fn Bench(stored: RulesDocument) -> impl IntoView {
    let text = Text::new(stored);
    let run = RunView::new();
    view! {
        <div
            class="rules-panes"
            data-rules=""
            data-revision=move || text.draft.with(|draft| draft.base.number)
            data-dirty=move || text.is_dirty().to_string()
            data-checked=move || text.is_checked().to_string()
        >
            <TextPane text=text />
            <RunPane text=text run=run />
        </div>
        <Conflict
            label="The rules were changed meanwhile"
            newer=text.conflict
            mine=Signal::derive(move || text.body())
            on_take=move |()| text.take_theirs()
            on_keep=move |()| text.keep_mine()
        />
    }
}
