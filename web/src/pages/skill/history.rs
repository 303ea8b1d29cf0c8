//! The skill's revisions: a quiet list in a popover; each can be read, and brought back as a draft.

use super::bench::Bench;
use crate::api;
use crate::components::{Failure, Loading, TimeText, use_dialog};
use leptos::prelude::*;
use proem_core::skill::Revision;

/// The button, its list, and the text of the chosen revision.
#[component]
pub(super) fn History(bench: Bench) -> impl IntoView {
    let opened = RwSignal::new(false);
    let viewed = RwSignal::new(None::<Revision>);
    let number = Memo::new(move |_| bench.draft.with(|draft| draft.base.number));
    // Fetched when the list is first opened, and again after each save.
    let list = LocalResource::new(move || {
        let (wanted, _) = (opened.get(), number.get());
        let slug = bench.slug();
        async move { if wanted { Some(api::revisions(&slug).await) } else { None } }
    });
    view! {
        <button type="button" class="button button-quiet" popovertarget="revisions" data-revisions="" on:click=move |_| opened.set(true)>
            {move || format!("Revision {}", number.get())}
        </button>
        <div id="revisions" popover="auto" class="revisions" role="dialog" aria-label="Revisions" data-revision-list="">
            <h2>"Revisions"</h2>
            {move || match list.get().flatten() {
                None => view! { <Loading text="Loading the revisions…" /> }.into_any(),
                Some(Err(error)) => view! { <Failure error=error on_retry=move |()| list.refetch() /> }.into_any(),
                Some(Ok(list)) => {
                    let rows = list.revisions.into_iter().map(|revision| view! { <Row revision=revision viewed=viewed /> });
                    view! { <ol class="revision-rows">{rows.collect_view()}</ol> }.into_any()
                }
            }}
        </div>
        <View bench=bench viewed=viewed />
    }
}

#[component]
fn Row(revision: Revision, viewed: RwSignal<Option<Revision>>) -> impl IntoView {
    let shown = revision.clone();
    let name = format!("Show revision {}", revision.number);
    view! {
        <li class="revision-row" data-number=revision.number>
            <span class="revision-number">{revision.number}</span>
            <span>
                <span class="revision-note">{if revision.note.is_empty() { "No note".to_owned() } else { revision.note }}</span>
                <span class="quiet">{revision.author} ", " <TimeText at=revision.time /></span>
            </span>
            <button type="button" class="button" data-show="" aria-label=name on:click=move |_| viewed.set(Some(shown.clone()))>"Show"</button>
        </li>
    }
}

#[component]
fn View(bench: Bench, viewed: RwSignal<Option<Revision>>) -> impl IntoView {
    let dialog = use_dialog(Signal::derive(move || viewed.with(Option::is_some)));
    let bring_back = move |_| {
        if let Some(revision) = viewed.get_untracked() {
            bench.write(revision.body);
        }
        viewed.set(None);
    };
    view! {
        <dialog node_ref=dialog class="dialog-wide" aria-label="A revision's text" data-revision-view="" on:close=move |_| viewed.set(None)>
            {move || viewed.get().map(|revision| view! {
                <h2>"Revision " {revision.number}</h2>
                <p class="quiet">{revision.author} ", " <TimeText at=revision.time /></p>
                <pre class="code-text text-box" tabindex="0">{revision.body}</pre>
            })}
            <div class="dialog-actions">
                <button type="button" class="button" on:click=move |_| viewed.set(None)>"Close"</button>
                <button type="button" class="button button-primary" data-bring-back="" on:click=bring_back>"Bring back as draft"</button>
            </div>
        </dialog>
    }
}
