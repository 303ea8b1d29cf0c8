//! A row of a list that leads to a place in a text, and the sentences that stand in such rows.

use super::icon::{Icon, IconName};
use leptos::prelude::*;

/// What a [`PlaceRow`] says.
#[derive(Clone, Debug)]
pub struct PlaceWords {
    /// A class beside `place-row`, for its colour.
    pub class: &'static str,
    /// The sign before it, if any.
    pub icon: Option<IconName>,
    /// What it is, in a word or two; may be empty.
    pub word: &'static str,
    /// What it says; code stands in backticks.
    pub message: String,
    /// Where: `line 3`.
    pub place: String,
    /// More, below, each on a line of its own.
    pub more: Vec<String>,
}

/// A button as a row.
#[component]
pub fn PlaceRow(
    /// What it says.
    words: PlaceWords,
    /// It was chosen: show the place.
    #[prop(into)]
    on_pick: Callback<()>,
) -> impl IntoView {
    let PlaceWords { class, icon, word, message, place, more } = words;
    let more = more.into_iter().map(|line| view! { <span class="place-more">{code_words(line)}</span> }).collect_view();
    view! {
        <button type="button" class=format!("place-row {class}") on:click=move |_| on_pick.run(())>
            {icon.map(|name| view! { <Icon name=name /> })}
            <span class="place-words"><span class="place-word">{word}</span>" "{code_words(message)}</span>
            <span class="place-line">{place}</span>
            {more}
        </button>
    }
}

/// A sentence with what stands between backticks set as code.
pub fn code_words(text: String) -> AnyView {
    // Where one is left open, nothing is known to be code.
    if text.matches('`').count() % 2 == 1 {
        return text.into_any();
    }
    let pieces = text.split('`').map(str::to_owned).enumerate();
    pieces
        .map(|(at, piece)| if at % 2 == 1 { view! { <code>{piece}</code> }.into_any() } else { piece.into_any() })
        .collect_view()
        .into_any()
}

/// With its capital and its stop; a question keeps its mark.
pub fn sentence(text: &str) -> String {
    let stop = if text.ends_with(['.', '?', '!', '…']) { "" } else { "." };
    let mut chars = text.chars();
    // A message that begins with a quoted name stays as it is.
    match chars.next() {
        Some(first) => first.to_uppercase().chain(chars).chain(stop.chars()).collect(),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::sentence;

    #[test]
    fn sentences_begin_and_end() {
        assert_eq!(sentence("did you mean `a`?"), "Did you mean `a`?");
        assert_eq!(sentence("`a` is null"), "`a` is null.");
        assert_eq!(sentence("ärgerlich…"), "Ärgerlich…");
        assert_eq!(sentence(""), "");
    }
}
