//! Any text, and the envelopes in it.

use super::ask::Latest;
use crate::components::{EnvelopeText, Failure};
use crate::state::wording::counted_as;
use leptos::prelude::*;
use proem_core::api::ApiError;
use proem_core::context::preface::Envelopes;
use proem_core::worker::context::{ContextAnswer, ContextRequest};

/// A box and what is in it.
#[component]
pub(super) fn Reader() -> impl IntoView {
    let text = RwSignal::new(String::new());
    let question = Memo::new(move |_| {
        let text = text.get();
        (!text.is_empty()).then_some(ContextRequest::Envelopes { text })
    });
    let latest = Latest::of(question);
    let found = move || {
        let Some(answer) = latest.answer() else {
            return view! { <p class="quiet" data-empty="">"What is pasted here stays on this device."</p> }.into_any();
        };
        match (&answer.0, &answer.1) {
            (ContextRequest::Envelopes { text }, Ok(ContextAnswer::Envelopes { envelopes, states_the_rule })) => view! {
                <p class="numbers" role="status" data-found="">{sum(envelopes)}</p>
                {(!states_the_rule).then(|| view! { <p class="quiet">"Nothing in it states the rule that tells a model what envelopes are (retrieved_content_hygiene)."</p> })}
                <EnvelopeText text=text.clone() found=envelopes.clone() />
            }
            .into_any(),
            (_, Err(sentence)) => {
                let error = ApiError { message: sentence.clone(), ..ApiError::default() };
                view! { <Failure error=error on_retry=Callback::new(move |()| latest.again()) /> }.into_any()
            }
            _ => ().into_any(),
        }
    };
    view! {
        <div class="reader-panes" data-reader=move || if latest.is_fresh() { "fresh" } else { "updating" }>
            <div class="field">
                <label for="reader-text">"Text"</label>
                <textarea id="reader-text" class="input input-code" rows="14" spellcheck="false" dir="auto" prop:value=text on:input:target=move |event| text.set(event.target().value())></textarea>
            </div>
            <section aria-labelledby="found-title">
                <h2 id="found-title">"What is in it"</h2>
                {found}
            </section>
        </div>
    }
}

/// What was found, in a line.
fn sum(found: &Envelopes) -> String {
    let mut parts = vec![counted_as(found.envelopes.len(), "envelope", "envelopes")];
    let mut part = |count: usize, one: &str, many: &str| {
        if count > 0 {
            parts.push(counted_as(count, one, many));
        }
    };
    part(found.envelopes.iter().map(|envelope| envelope.defanged.len()).sum(), "tag made harmless", "tags made harmless");
    part(found.strays.len(), "closing tag that ends nothing", "closing tags that end nothing");
    part(found.loose.len(), "opening tag that nothing closes", "opening tags that nothing closes");
    parts.join(" · ")
}
