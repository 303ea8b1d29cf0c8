//! A text as it is, with its white space; one that is very long shows its beginning first. Never markup, never a link.

use crate::state::wording::{beginning, number};
use leptos::prelude::*;

/// Foreign text.
#[component]
pub fn LongText(
    /// The text.
    #[prop(into)]
    text: String,
    /// How it is set: `reading reading-exact` or `code-text`.
    #[prop(default = "code-text")]
    class: &'static str,
) -> impl IntoView {
    let Some(begin) = beginning(&text).map(str::to_owned) else {
        return view! { <div class=class dir="auto">{text}</div> }.into_any();
    };
    let whole = RwSignal::new(false);
    let count = number(text.chars().count() as u64);
    view! {
        <div class=class dir="auto">{move || if whole.get() { text.clone() } else { format!("{begin}…") }}</div>
        <button type="button" class="button button-quiet long-text-more" aria-expanded=move || whole.get().to_string() on:click=move |_| whole.update(|whole| *whole = !*whole)>
            {move || if whole.get() { "Show less".to_owned() } else { format!("Show all ({count} characters)") }}
        </button>
    }
    .into_any()
}
