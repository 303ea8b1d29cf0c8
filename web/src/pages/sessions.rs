//! All sessions that the server stores.

use super::{Loaded, PageHead};
use crate::api;
use crate::components::{Badge, EmptyState, TimeText, use_list_keys};
use crate::page::{Page, SessionSource, SessionView};
use leptos::prelude::*;
use proem_core::api::{SessionList, StoredSession};

/// The list of sessions.
#[component]
pub fn Sessions() -> impl IntoView {
    use_list_keys();
    let sessions = LocalResource::new(api::sessions);
    view! {
        <div class="page">
            <PageHead title="Sessions" lead="What really happened, turn by turn: who opened each one, what was said, and which calls were made." />
            <Loaded
                resource=sessions
                loading="Loading the sessions…"
                show=|list: SessionList| view! { <List sessions=list.sessions /> }
            />
        </div>
    }
}

#[component]
fn List(sessions: Vec<StoredSession>) -> impl IntoView {
    if sessions.is_empty() {
        let example = Page::Session(SessionView::of(SessionSource::Example)).to_url();
        let text = "A session log shows how each turn opened and what came of it. The example is a short one of our own.";
        return view! {
            <EmptyState title="No sessions yet" text=text>
                <a class="button button-primary" href=example>"Open the example"</a>
            </EmptyState>
        }
        .into_any();
    }
    view! { <ul class="list">{sessions.into_iter().map(|session| view! { <Row session=session /> }).collect_view()}</ul> }
        .into_any()
}

#[component]
fn Row(session: StoredSession) -> impl IntoView {
    let StoredSession { id, file_name, summary, .. } = session;
    let title = if summary.title.is_empty() { file_name.clone() } else { summary.title };
    let turns = if summary.turn_count == 1 { "1 turn".to_owned() } else { format!("{} turns", summary.turn_count) };
    view! {
        <li class="list-row">
            <div>
                <a class="list-title" href=Page::Session(SessionView::of(SessionSource::Stored(id))).to_url()>{title}</a>
                <p class="list-text">{file_name}</p>
            </div>
            <div class="list-facts">
                {summary.openers.into_iter().map(|opener| view! { <Badge>{opener}</Badge> }).collect_view()}
                <span>{turns}</span>
                {summary.last_activity_at.map(|at| view! { <TimeText at=at /> })}
            </div>
        </li>
    }
}
