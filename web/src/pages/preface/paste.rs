//! Entries as a JSON list, pasted.

use crate::engine::{EngineFault, use_engine};
use leptos::prelude::*;
use leptos::task::spawn_local;
use proem_core::context::preface::Entry;
use proem_core::worker::context::{ContextAnswer, ContextRequest};
use proem_core::worker::{ReaderAnswer, ReaderRequest};

/// A box for the list, and what is wrong with it.
#[component]
pub(super) fn Paste(
    /// They could be read.
    on_entries: Callback<Vec<Entry>>,
) -> impl IntoView {
    let engine = use_engine();
    let json = RwSignal::new(String::new());
    let fault = RwSignal::new(None::<String>);
    let is_open = RwSignal::new(false);
    let take = move |_| {
        let asked = json.get_untracked();
        spawn_local(async move {
            let request = ReaderRequest::Context(ContextRequest::Entries { json: asked });
            let said = match engine.read(request, None).await {
                Ok(ReaderAnswer::Context(ContextAnswer::Entries { entries })) => {
                    on_entries.try_run(entries);
                    json.try_set(String::new());
                    is_open.try_set(false);
                    None
                }
                Err(EngineFault::Refused(sentence)) => Some(sentence),
                Err(fault) => Some(format!("The reader failed: {fault}.")),
                Ok(_) => Some("The engine gave an answer to another question; reload the page.".to_owned()),
            };
            fault.try_set(said);
        });
    };
    view! {
        <details class="paste" data-paste="" prop:open=is_open on:toggle:target=move |event| is_open.set(event.target().open())>
            <summary>"Paste a JSON list"</summary>
            <div class="field">
                <label for="paste-json">"Entries, which take the place of those above"</label>
                <textarea
                    id="paste-json"
                    class="input input-code"
                    rows="6"
                    spellcheck="false"
                    placeholder="[{\"source\": \"external\", \"origin\": \"web:page\", \"body\": \"…\", \"fetched_at\": \"…\"}]"
                    aria-describedby="paste-fault"
                    prop:value=json
                    on:input:target=move |event| { json.set(event.target().value()); fault.set(None); }
                ></textarea>
                <p id="paste-fault" class="field-fault" role="alert" data-paste-fault="">{fault}</p>
            </div>
            <button type="button" class="button" data-take="" on:click=take>"Take these entries"</button>
        </details>
    }
}
