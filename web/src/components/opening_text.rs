//! An opening as an agent receives it: the exact text, with its parts and values quietly told apart, and each run of it tied to
//! the place in the template that made it.

use crate::state::pieces::{Passage, Piece, Show, passages, touches};
use leptos::prelude::*;
use proem_core::opening::compose::Opening;
use std::ops::Range;
use wasm_bindgen::prelude::*;
use web_sys::{Element, MouseEvent};

/// What an [`OpeningText`] shows.
#[derive(Clone, Debug, PartialEq)]
pub struct OpeningView {
    /// The opening.
    pub opening: Opening,
    /// `KIND/VARIANT`.
    pub sample: String,
    /// As an older server would.
    pub old_server: bool,
    /// The skill in whose light it is shown.
    pub own: String,
    /// All of it, or only the skill's part.
    pub show: Show,
    /// It is an earlier draft's.
    pub dimmed: bool,
    /// Length of the skill's template, in bytes.
    pub template_length: usize,
}

/// The text; the content of the `pre` is the opening, byte for byte.
#[component]
pub fn OpeningText(
    /// What to show.
    what: OpeningView,
    /// A range of the skill's template (bytes) whose output lights up.
    #[prop(into)]
    lit: Signal<Option<Range<usize>>>,
    /// The pointer came to output of this range of the skill's template; None when it left.
    #[prop(into)]
    on_point: Callback<Option<Range<usize>>>,
    /// Output of this range of the skill's template was clicked.
    #[prop(into)]
    on_pick: Callback<Range<usize>>,
) -> impl IntoView {
    let OpeningView { opening, sample, old_server, own, show, dimmed, template_length } = what;
    let is_own = |passage: &Passage| passage.part.is_some_and(|part| opening.parts[part].slug.as_deref() == Some(own.as_str()));
    let content = passages(&opening)
        .into_iter()
        .filter(|passage| show == Show::Whole || is_own(passage))
        .map(|passage| {
            let Some(part) = passage.part else {
                return text_of(&opening, &passage.pieces).into_any();
            };
            if !is_own(&passage) {
                let name = opening.parts[part].slug.clone().unwrap_or_else(|| "role".to_owned());
                return view! { <span class="part" data-part=name>{quiet_pieces(&opening, passage.pieces)}</span> }.into_any();
            }
            let pieces = own_pieces(&opening, passage.pieces, lit, template_length);
            view! { <span class="part part-own" data-part=own.clone()>{pieces}</span> }.into_any()
        })
        .collect_view();
    view! {
        <pre
            class="opening"
            class:opening-dimmed=dimmed
            class:opening-whole=show == Show::Whole
            data-opening=sample
            data-old-server=old_server.to_string()
            data-stale=dimmed.to_string()
            on:mouseover=move |event| on_point.run(template_range(&event))
            on:mouseleave=move |_| on_point.run(None)
            on:click=move |event| {
                if let Some(range) = template_range(&event).filter(|_| nothing_is_selected()) {
                    on_pick.run(range);
                }
            }
        >
            {content}
        </pre>
    }
}

/// The skill's own runs: each can light up, and says where it comes from.
fn own_pieces(opening: &Opening, pieces: Vec<Piece>, lit: Signal<Option<Range<usize>>>, length: usize) -> impl IntoView + use<> {
    let show = |piece: Piece| {
        let text = opening.text.get(piece.output).unwrap_or_default().to_owned();
        let Some(template) = piece.template else { return view! { <span class="span-heading">{text}</span> }.into_any() };
        let name = format!("{}-{}", template.start, template.end);
        let is_lit = move || lit.with(|lit| lit.as_ref().is_some_and(|lit| touches(&template, lit, length)));
        view! { <span class="span" class:span-value=piece.is_value class:lit=is_lit data-span=name>{text}</span> }.into_any()
    };
    pieces.into_iter().map(show).collect_view()
}

/// Other parts' runs: only values are told apart.
fn quiet_pieces(opening: &Opening, pieces: Vec<Piece>) -> impl IntoView + use<> {
    let show = |piece: Piece| {
        let text = opening.text.get(piece.output).unwrap_or_default().to_owned();
        if piece.is_value { view! { <span class="span-value">{text}</span> }.into_any() } else { text.into_any() }
    };
    pieces.into_iter().map(show).collect_view()
}

fn text_of(opening: &Opening, pieces: &[Piece]) -> String {
    pieces.iter().filter_map(|piece| opening.text.get(piece.output.clone())).collect()
}

/// The template range that an event's target names.
fn template_range(event: &MouseEvent) -> Option<Range<usize>> {
    let target = event.target()?.dyn_into::<Element>().ok()?;
    let name = target.closest("[data-span]").ok()??.get_attribute("data-span")?;
    let (start, end) = name.split_once('-')?;
    Some(start.parse().ok()?..end.parse().ok()?)
}

/// A click that ends a selection with the mouse is not meant for the template.
fn nothing_is_selected() -> bool {
    window().get_selection().ok().flatten().is_none_or(|selection| selection.is_collapsed())
}
