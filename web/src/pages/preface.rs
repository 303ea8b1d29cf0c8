//! The text that is put before the model for one turn: its entries and its bytes, how it lies in a request, and how it is read again.

mod ask;
mod layout;
mod output;
mod paste;
mod reader;
mod write;

use super::{ContextSections, PageHead};
use crate::page::context::{PrefaceShow, PrefaceView};
use layout::Layout;
use leptos::prelude::*;
use reader::Reader;
use write::Write;

/// The page.
#[component]
pub fn Preface(
    /// What is chosen on it.
    view: Signal<PrefaceView>,
) -> impl IntoView {
    let show = Memo::new(move |_| view.get().show);
    let lead = Signal::derive(move || {
        match show.get() {
            PrefaceShow::Write => "Text that was fetched for one turn goes before the model in envelopes that say where it comes from.",
            PrefaceShow::Layout => "What of a request stays the same from one turn to the next comes from the cache; all behind the first change is sent anew.",
            PrefaceShow::Reader => "Paste any text to see which envelopes are in it, and what only looks like one.",
        }
        .to_owned()
    });
    let title = Signal::derive(move || {
        match show.get() {
            PrefaceShow::Write => "Preface",
            PrefaceShow::Layout => "Cache layout",
            PrefaceShow::Reader => "Envelope reader",
        }
        .to_owned()
    });
    view! {
        <div class="page context-page" data-page="preface">
            <PageHead title=title lead=lead />
            <ContextSections />
            {move || match show.get() {
                PrefaceShow::Write => view! { <Write view=view /> }.into_any(),
                PrefaceShow::Layout => view! { <Layout /> }.into_any(),
                PrefaceShow::Reader => view! { <Reader /> }.into_any(),
            }}
        </div>
    }
}
