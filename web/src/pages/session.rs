//! One session: opening it, and the panes once it is here.

mod ask;
mod ledger;
mod open;
mod panes;
mod store;

use super::PageHead;
use crate::components::Failure;
use crate::navigate::use_navigation;
use crate::page::{Page, SessionSource, SessionView};
use crate::state::wording::file_size;
use ask::AskFile;
use leptos::prelude::*;
use open::{LogView, Stage};
use panes::Panes;

/// The page of a session.
#[component]
pub fn Session(
    /// What is chosen on it.
    view: Signal<SessionView>,
) -> impl IntoView {
    let SessionView { source, turn, .. } = view.get_untracked();
    let name = Page::Session(SessionView::of(source.clone())).title();
    let log = LogView::open(source.clone(), turn);
    let stage = log.stage();
    let state = move || {
        stage.with(|stage| match stage {
            Stage::Opening(_) => "opening",
            Stage::Ask => "ask",
            Stage::Failed(_) => "failed",
            Stage::Ready(_) => "ready",
        })
    };
    // A new sentence does not build the page anew, so that the button under somebody's finger stays the same.
    let words = Memo::new(move |_| stage.with(|stage| if let Stage::Opening(words) = stage { *words } else { "" }));
    let is_opening = Memo::new(move |_| stage.with(|stage| matches!(stage, Stage::Opening(_))));
    let shown = move || match if is_opening.get() { stage.get_untracked() } else { stage.get() } {
        Stage::Opening(_) => {
            let size = if let SessionSource::Local(link) = &source { link.size } else { 0 };
            view! { <div class="page"><PageHead title=name.clone() /><Opening words=words size=size log=log /></div> }.into_any()
        }
        Stage::Ask => match source.clone() {
            SessionSource::Local(link) => view! {
                <div class="page">
                    <PageHead title=name.clone() />
                    <AskFile link=link on_here=move |()| log.start() />
                </div>
            }
            .into_any(),
            // Only local files are asked for.
            _ => ().into_any(),
        },
        Stage::Failed(error) => view! {
            <div class="page">
                <PageHead title=name.clone() />
                <Failure error=error on_retry=Callback::new(move |()| log.start()) />
                <p class="after-failure"><a href=Page::Sessions.to_url()>"Open another log"</a></p>
            </div>
        }
        .into_any(),
        Stage::Ready(opened) => view! { <Panes opened=opened source=source.clone() view=view log=log /> }.into_any(),
    };
    view! { <div data-session-page="" data-state=state>{shown}</div> }
}

#[component]
fn Opening(words: Memo<&'static str>, size: u64, log: LogView) -> impl IntoView {
    let navigation = use_navigation();
    let read = log.reading().read;
    let cancel = move |_| {
        log.cancel();
        navigation.go(&Page::Sessions);
    };
    // While bytes are read there is an amount; after that only "working".
    let now = Memo::new(move |_| read.get());
    let known = move || size > 0 && now.get() < size;
    view! {
        <div class="opening" data-opening="" role="status">
            <p>{words}</p>
            <div class="progress-line">
                {move || {
                    if known() {
                        view! { <progress max=size as f64 prop:value=move || now.get() as f64 aria-label="Opening"></progress> }.into_any()
                    } else {
                        view! { <progress aria-label="Opening"></progress> }.into_any()
                    }
                }}
                {move || known().then(|| view! { <span class="numbers quiet">{format!("{} of {}", file_size(now.get()), file_size(size))}</span> })}
                <button type="button" class="button" on:click=cancel>"Cancel"</button>
            </div>
        </div>
    }
}
