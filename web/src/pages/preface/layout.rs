//! The cache-layout meter: two requests, and what the second one finds in the cache.

use super::ask::Latest;
use crate::components::{CacheTable, Failure, Loading};
use crate::state::meter::example;
use leptos::prelude::*;
use proem_core::api::ApiError;
use proem_core::worker::context::{ContextAnswer, ContextRequest};

/// Two boxes and the comparison.
#[component]
pub(super) fn Layout() -> impl IntoView {
    let (first, second) = example();
    let earlier = RwSignal::new(first);
    let later = RwSignal::new(second);
    let question = Memo::new(move |_| {
        let (earlier, later) = (earlier.get(), later.get());
        (!earlier.trim().is_empty() && !later.trim().is_empty()).then_some(ContextRequest::Meter { earlier, later })
    });
    let latest = Latest::of(question);
    let again = move |_| {
        let (first, second) = example();
        earlier.set(first);
        later.set(second);
    };
    let request = |id: &'static str, words: &'static str, value: RwSignal<String>| {
        view! {
            <div class="field">
                <label for=id>{words}</label>
                <textarea id=id class="input input-code" rows="12" spellcheck="false" prop:value=value on:input:target=move |event| value.set(event.target().value())></textarea>
            </div>
        }
    };
    let found = move || {
        match latest.answer() {
        None if question.with(Option::is_none) => {
            view! { <p class="quiet" data-empty="">"Paste the bodies of two requests that followed each other, or " <button type="button" class="button" data-example="" on:click=again>"bring the example back"</button></p> }.into_any()
        }
        None => view! { <Loading text="Reading the requests…" /> }.into_any(),
        Some(answer) => match &answer.1 {
            Ok(ContextAnswer::Meter { meter }) => view! { <CacheTable meter=meter.clone() /> }.into_any(),
            Ok(_) => ().into_any(),
            Err(sentence) => view! { <Failure error=ApiError { message: sentence.clone(), ..ApiError::default() } /> }.into_any(),
        },
    }
    };
    view! {
        <div class="layout-meter" data-layout-page="" data-state=move || if latest.is_fresh() { "fresh" } else { "updating" }>
            <div class="layout-requests">
                {request("request-earlier", "A request's body, JSON", earlier)}
                {request("request-later", "The request after it", later)}
            </div>
            <section aria-labelledby="meter-title">
                <h2 id="meter-title">"What the second request finds in the cache"</h2>
                {found}
            </section>
        </div>
    }
}
