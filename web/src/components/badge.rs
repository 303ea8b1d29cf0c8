//! A word about the thing beside it.

use leptos::prelude::*;

/// How much a badge asks to be seen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BadgeTone {
    /// A fact.
    #[default]
    Plain,
    /// Chosen, changed or beginning.
    Rubric,
    /// Went well.
    Good,
    /// Worth a look.
    Warn,
    /// Went wrong.
    Bad,
}

/// A badge; its words carry the meaning, the tone only helps.
#[component]
pub fn Badge(
    /// How it looks.
    #[prop(optional)]
    tone: BadgeTone,
    /// The words, perhaps with a glyph.
    children: Children,
) -> impl IntoView {
    let class = match tone {
        BadgeTone::Plain => "badge",
        BadgeTone::Rubric => "badge badge-rubric",
        BadgeTone::Good => "badge badge-good",
        BadgeTone::Warn => "badge badge-warn",
        BadgeTone::Bad => "badge badge-bad",
    };
    view! { <span class=class>{children()}</span> }
}
