//! One of a few choices, drawn as a strip of words; radio buttons underneath, so the arrow keys work.

use leptos::prelude::*;
use std::sync::atomic::{AtomicU32, Ordering};

static NEXT: AtomicU32 = AtomicU32::new(0);

/// One choice of a [`Segmented`].
#[derive(Clone)]
pub struct Segment<T> {
    /// What it stands for.
    pub value: T,
    /// Its words.
    pub label: &'static str,
    /// A drawing before, or in place of, the words.
    pub glyph: Option<ViewFn>,
}

impl<T> Segment<T> {
    /// A choice in words.
    pub fn new(value: T, label: &'static str) -> Segment<T> {
        Segment { value, label, glyph: None }
    }
}

/// A choice among a few.
#[component]
pub fn Segmented<T>(
    /// What is chosen here, for those who do not see it.
    #[prop(into)]
    label: String,
    /// The choices.
    segments: Vec<Segment<T>>,
    /// The chosen one.
    #[prop(into)]
    value: Signal<T>,
    /// Another was chosen.
    #[prop(into)]
    on_change: Callback<T>,
    /// Show the drawings alone; the words stay for those who do not see them, and as a tip.
    #[prop(optional)]
    glyphs_only: bool,
) -> impl IntoView
where
    T: Clone + PartialEq + Send + Sync + 'static,
{
    // Radio buttons of one strip share a name that no other strip has.
    let name = format!("segmented-{}", NEXT.fetch_add(1, Ordering::Relaxed));
    let options = segments
        .into_iter()
        .map(|Segment { value: own, label, glyph }| {
            let same = own.clone();
            view! {
                <label class="segmented-option" title=glyphs_only.then_some(label)>
                    <input
                        type="radio"
                        name=name.clone()
                        value=label.to_lowercase()
                        prop:checked=move || value.with(|value| *value == same)
                        on:change=move |_| on_change.run(own.clone())
                    />
                    <span>
                        {glyph.map(|glyph| glyph.run())}
                        <span class:visually-hidden=glyphs_only>{label}</span>
                    </span>
                </label>
            }
        })
        .collect_view();
    view! {
        <fieldset class="segmented" class:segmented-glyphs=glyphs_only>
            <legend class="visually-hidden">{label}</legend>
            {options}
        </fieldset>
    }
}
