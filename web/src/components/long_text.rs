//! A text as it is, with its white space; one that is very long shows its beginning first. Never markup, never a link.

use super::copy_button::CopyButton;
use crate::state::wording::{LONG_PIECE, beginning, number, pieces_to_show};
use leptos::prelude::*;
use std::sync::Arc;

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
    let text: Arc<str> = text.into();
    // Bytes on screen; nothing but the beginning is 0.
    let shown = RwSignal::new(0usize);
    let length = text.len();
    let count = number(text.chars().count() as u64);
    let is_huge = length > LONG_PIECE;
    let words = text.clone();
    let visible = move || match shown.get() {
        0 => format!("{begin}…"),
        end if end < length => format!("{}…", &words[..end]),
        _ => words.to_string(),
    };
    let next = text.clone();
    let more = move |_| shown.update(|shown| *shown = pieces_to_show(&next, *shown));
    let label = move || match is_huge {
        true => format!("Show {} characters more (of {count})", number(LONG_PIECE as u64)),
        false => format!("Show all ({count} characters)"),
    };
    let copied = text.clone();
    view! {
        <div class=class dir="auto">{visible}</div>
        <p class="long-text-actions">
            {move || {
                (shown.get() < length)
                    .then(|| view! { <button type="button" class="button button-quiet long-text-more" aria-expanded="false" on:click=more.clone()>{label.clone()}</button> })
            }}
            {move || {
                (shown.get() > 0)
                    .then(|| view! { <button type="button" class="button button-quiet long-text-more" aria-expanded="true" on:click=move |_| shown.set(0)>"Show less"</button> })
            }}
            {is_huge.then(|| view! { <CopyButton text=Signal::derive(move || copied.to_string()) label="Copy all" /> })}
        </p>
    }
    .into_any()
}
