//! What a fork is given of its template's context: the context, the seed, what was left out and why, and what remains.

mod open;
mod remains;
mod sides;
mod summary;

use super::{ContextSections, PageHead};
use crate::components::{EmptyState, Failure, FileChooser, Loading, use_file_drop};
use crate::navigate::use_navigation;
use crate::page::Page;
use crate::page::context::SeedView;
use leptos::prelude::*;
use open::{SeedMaker, Source, Stage};
use proem_core::api::ApiError;
use remains::Remains;
use sides::Sides;
use summary::Summary;
use web_sys::File;

/// Files that dumps are in.
pub(self) const DUMPS: &str = ".json,.jsonl,.ndjson,.txt";

/// The page.
#[component]
pub fn Seed(
    /// What is chosen on it.
    view: Signal<SeedView>,
) -> impl IntoView {
    let navigation = use_navigation();
    let maker = SeedMaker::new();
    let is_example = Memo::new(move |_| view.get().is_example);
    Effect::new(move || {
        if is_example.get() {
            maker.open(Source::Example);
        } else {
            maker.leave_example();
        }
    });
    let take = move |files: Vec<File>| {
        let Some(file) = files.into_iter().next() else { return };
        maker.open(Source::File(file));
        // The example's address would bring it back.
        navigation.replace(&Page::Seed(SeedView { is_example: false, at: None, ..view.get_untracked() }));
    };
    let hovering = use_file_drop(take);
    let stage = maker.stage();
    let state = move || {
        stage.with(|stage| match stage {
            Stage::Empty => "empty",
            Stage::Making(_) => "making",
            Stage::Failed(_) => "failed",
            Stage::Ready(_) => "ready",
        })
    };
    let example = Page::Seed(SeedView { is_example: true, ..SeedView::default() }).to_url();
    let shown = move || match stage.get() {
        Stage::Empty => {
            let example = example.clone();
            view! {
                <EmptyState title="No dump is open" text="Open a template's store to see which of its messages a new fork would be given, what is left out, and what still names other conversations.">
                    <a class="button" data-example="" href=example>"Open the example"</a>
                </EmptyState>
            }
            .into_any()
        }
        Stage::Making(words) => view! { <Loading text=words /> }.into_any(),
        Stage::Failed(message) => {
            let error = ApiError { message, ..ApiError::default() };
            view! { <Failure error=error on_retry=Callback::new(move |()| maker.make()) /> }.into_any()
        }
        Stage::Ready(summary) => view! {
            <div class="seed-found">
                <div class="seed-beside">
                    <Summary summary=summary.clone() />
                    <Remains summary=summary.clone() view=view />
                </div>
                <Sides summary=summary view=view maker=maker />
            </div>
        }
        .into_any(),
    };
    let name = maker.name();
    view! {
        <div class="page context-page" data-page="seed" data-state=state aria-busy=move || maker.is_making().get().to_string()>
            <PageHead title="Fork seed" lead="A fork begins with its template's context, without thinking, without notices written for the template alone, and without halves of tool calls." />
            <ContextSections />
            <section class="drop-zone seed-open" class:dropping=hovering data-drop-zone="" aria-label="Open a store dump">
                <p class="drop-zone-title">
                    {move || match (hovering.get(), name.get()) {
                        (true, _) => view! { "Let go to open it" }.into_any(),
                        (false, Some(name)) => view! { <span class="foreign" data-dump="">{name}</span> }.into_any(),
                        (false, None) => view! { "Drop a store dump anywhere on this page" }.into_any(),
                    }}
                </p>
                <p class="drop-zone-text">"Messages as a JSON list, or one a line. Read on this device; nothing is uploaded."</p>
                <FileChooser id="seed-dump" label="Choose a dump" accept=DUMPS on_files=take />
            </section>
            {move || name.get().is_some().then(|| view! { <summary::Asked maker=maker /> })}
            {shown}
        </div>
    }
}
