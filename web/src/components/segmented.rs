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
    let (values, words): (Vec<T>, Vec<_>) =
        segments.into_iter().map(|Segment { value, label, glyph }| (value, (label, glyph))).unzip();
    let values = StoredValue::new(values);
    let chosen =
        Signal::derive(move || values.with_value(|values| value.with(|value| values.iter().position(|own| own == value))));
    let choose = move |at: usize| {
        if let Some(own) = values.with_value(|values| values.get(at).cloned()) {
            on_change.run(own);
        }
    };
    strip(label, words, chosen, Callback::new(choose), glyphs_only)
}

/// The strip itself, the same for choices of every type, so that it is in the program once.
fn strip(
    label: String,
    words: Vec<(&'static str, Option<ViewFn>)>,
    chosen: Signal<Option<usize>>,
    choose: Callback<usize>,
    glyphs_only: bool,
) -> AnyView {
    // Radio buttons of one strip share a name that no other strip has.
    let name = format!("segmented-{}", NEXT.fetch_add(1, Ordering::Relaxed));
    let option = |(at, (label, glyph)): (usize, (&'static str, Option<ViewFn>))| {
        view! {
            <label class="segmented-option" title=glyphs_only.then_some(label)>
                <input
                    type="radio"
                    name=name.clone()
                    value=label.to_lowercase()
                    prop:checked=move || chosen.get() == Some(at)
                    on:change=move |_| choose.run(at)
                />
                <span>
                    {glyph.map(|glyph| glyph.run())}
                    <span class:visually-hidden=glyphs_only>{label}</span>
                </span>
            </label>
        }
    };
    let options = words.into_iter().enumerate().map(option).collect_view();
    view! {
        <fieldset class="segmented" class:segmented-glyphs=glyphs_only>
            <legend class="visually-hidden">{label}</legend>
            {options}
        </fieldset>
    }
    .into_any()
}
