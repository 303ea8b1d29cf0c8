//! What became of the first-chat welcome, and the way to have it once more.

use crate::components::{NoticeKind, TimeText, use_dialog, use_notices};
use crate::page::Page;
use crate::state::wording::counted;
use crate::{api, greeting};
use leptos::prelude::*;
use leptos::task::spawn_local;
use proem_core::api::governance::WelcomeState;

/// The welcome.
#[component]
pub fn Welcome(
    /// What became of it.
    state: WelcomeState,
    /// It is offered again.
    on_change: Callback<()>,
) -> impl IntoView {
    let asks = RwSignal::new(false);
    let dialog = use_dialog(asks.into());
    let notices = use_notices();
    let again = move |_| {
        asks.set(false);
        spawn_local(async move {
            match api::offer_welcome_again().await {
                Ok(()) => {
                    greeting::ask_again();
                    greeting::remember(None);
                    notices.say(NoticeKind::Done, "The welcome is offered again: the next visit to Chat begins with it.");
                }
                Err(error) => notices.say(NoticeKind::Error, error.message),
            }
            on_change.try_run(());
        });
    };
    let WelcomeState { state, session_id, reason, at, failures, last_error } = state;
    let words = match state.as_str() {
        "done" => "Made",
        "skipped" => "Skipped",
        "due" => "Due: the first visit to Chat begins with it",
        other => other,
    }
    .to_owned();
    let is_settled = state != "due";
    view! {
        <section class="posture-part" data-welcome=state.clone()>
            <h3>"First-chat welcome"</h3>
            <p>
                {words} {(!at.is_empty()).then(|| view! { ", " <TimeText at=at /> })}
                {(!session_id.is_empty()).then(|| view! { ". " <a href=Page::Chat(Some(session_id)).to_url()>"Open its conversation"</a> })}
            </p>
            {(!reason.is_empty()).then(|| view! { <p class="quiet foreign">{reason}</p> })}
            {(failures > 0).then(|| view! { <p class="warn-text foreign">"Failed " {counted(failures, "time")} ". " {last_error}</p> })}
            {is_settled.then(|| view! { <button type="button" class="button" data-welcome-again="" on:click=move |_| asks.set(true)>"Offer the welcome again"</button> })}
            <dialog node_ref=dialog aria-labelledby="welcome-again-title" on:close=move |_| asks.set(false)>
                <h2 id="welcome-again-title">"Offer the welcome again?"</h2>
                <p class="dialog-text">"The next visit to Chat, here or on the command line, begins a new conversation with the welcome. What was recorded before stays."</p>
                <div class="dialog-actions">
                    <button type="button" class="button" on:click=move |_| asks.set(false)>"Leave it"</button>
                    <button type="button" class="button button-primary" data-confirm="" on:click=again>"Offer it again"</button>
                </div>
            </dialog>
        </section>
    }
}
