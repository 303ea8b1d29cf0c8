//! The conversations that were held here, newest first.

use crate::components::{Badge, TimeText};
use crate::page::Page;
use crate::pages::Loaded;
use leptos::prelude::*;
use proem_core::api::{ApiError, SessionList, StoredSession};

/// More are found under Sessions.
const SHOWN: usize = 30;

/// The list.
#[component]
pub fn Recent(
    /// All sessions.
    sessions: LocalResource<Result<SessionList, ApiError>>,
    /// The one on screen.
    session: Signal<Option<String>>,
) -> impl IntoView {
    let row = move |StoredSession { id, file_name, summary, .. }: StoredSession| {
        let title = if summary.title.is_empty() { file_name } else { summary.title };
        let (href, own) = (Page::Chat(Some(id.clone())).to_url(), id.clone());
        let current = move || (session.get().as_ref() == Some(&own)).then_some("page");
        view! {
            <li class="list-row recent-row" data-conversation=id>
                <a class="list-title foreign" href=href aria-current=current>{title.clone()}</a>
                <div class="list-facts">
                    // A badge that says what the title says would be said twice.
                    {summary.openers.into_iter().filter(|opener| *opener != title).map(|opener| view! { <Badge>{opener}</Badge> }).collect_view()}
                    {summary.last_activity_at.map(|at| view! { <TimeText at=at /> })}
                </div>
            </li>
        }
    };
    let list = move |list: SessionList| {
        let mut held: Vec<StoredSession> = list.sessions.into_iter().filter(|session| session.live).collect();
        let more = held.len() > SHOWN;
        held.truncate(SHOWN);
        if held.is_empty() {
            return view! { <p class="list-note" data-recent="">"None yet. What is said here is kept, and found here again."</p> }.into_any();
        }
        view! {
            <ul class="list" data-recent="" aria-label="Conversations">{held.into_iter().map(row).collect_view()}</ul>
            {more.then(|| view! { <p class="list-note"><a href=Page::Sessions.to_url()>"Older ones are under Sessions"</a></p> })}
        }
        .into_any()
    };
    view! {
        <aside class="recent" aria-labelledby="recent-title">
            <h2 id="recent-title">"Conversations"</h2>
            <Loaded resource=sessions loading="Loading the conversations…" show=list />
        </aside>
    }
}
