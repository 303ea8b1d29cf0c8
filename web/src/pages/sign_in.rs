//! What is shown when the server does not know us: paste the token of this start.

use super::PageHead;
use crate::api;
use leptos::prelude::*;
use leptos::task::spawn_local;

/// Asks for the token; on success the page that was asked for comes back.
#[component]
pub fn SignIn() -> impl IntoView {
    let token = RwSignal::new(String::new());
    let fault = RwSignal::new(None::<String>);
    let busy = RwSignal::new(false);
    let submit = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        if token.with_untracked(|token| token.trim().is_empty()) {
            fault.set(Some("The token is empty. Paste what comes after token= in the printed link.".to_owned()));
            return;
        }
        busy.set(true);
        spawn_local(async move {
            let pasted = token.get_untracked();
            let result = api::sign_in(token_in(&pasted)).await;
            busy.try_set(false);
            fault.try_set(result.err().map(|error| error.message));
        });
    };
    view! {
        <div class="sign-in">
            <PageHead title="Sign in" lead="Open the link that proem serve printed, or paste it here." />
            <form on:submit=submit>
                <div class="field">
                    <label for="token">"The link, or its token"</label>
                    <input
                        id="token"
                        class="input"
                        type="password"
                        autocomplete="off"
                        spellcheck="false"
                        prop:value=token
                        aria-describedby="token-fault"
                        aria-invalid=move || fault.with(Option::is_some).then_some("true")
                        on:input:target=move |event| token.set(event.target().value())
                    />
                    <p id="token-fault" class="field-fault" role="alert">{fault}</p>
                </div>
                <div><button type="submit" class="button button-primary" disabled=busy>"Sign in"</button></div>
            </form>
        </div>
    }
}

/// The token in what was pasted: the whole link as it was printed, or the token alone.
fn token_in(pasted: &str) -> &str {
    let token = pasted.split_once("token=").map_or(pasted, |(_, token)| token);
    token.split(['&', '#']).next().unwrap_or(token).trim()
}
