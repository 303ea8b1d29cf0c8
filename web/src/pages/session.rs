//! One session.

use super::{Loaded, PageHead};
use crate::api;
use crate::components::EmptyState;
use crate::page::{Page, SessionSource, SessionView};
use leptos::prelude::*;
use proem_core::api::StoredSession;

/// The page of a session.
#[component]
pub fn Session(
    /// What is chosen on it.
    view: Signal<SessionView>,
) -> impl IntoView {
    match view.get_untracked().source {
        SessionSource::Stored(id) => view! { <Stored id=id /> }.into_any(),
        source => {
            let title = Page::Session(SessionView::of(source)).title();
            view! { <div class="page"><PageHead title=title /></div> }.into_any()
        }
    }
}

#[component]
fn Stored(id: String) -> impl IntoView {
    let session = LocalResource::new(move || {
        let id = id.clone();
        async move { api::session(&id).await }
    });
    let title =
        Signal::derive(move || session.get().and_then(Result::ok).map_or_else(|| "Session".to_owned(), |found| found.file_name));
    let show = |found: StoredSession| {
        let text =
            format!("{} turns, {} records, {} bytes.", found.summary.turn_count, found.summary.records, found.summary.bytes);
        view! { <EmptyState title=found.summary.title text=text /> }
    };
    view! {
        <div class="page">
            <PageHead title=title />
            <Loaded resource=session loading="Loading the session…" show=show />
        </div>
    }
}
