//! The template's context and the seed, side by side, message by message. Rows far from what is seen are not built.

use super::open::SeedMaker;
use crate::components::{Frame, Frames, SeedRowView, Segment, Segmented, is_typing};
use crate::navigate::use_navigation;
use crate::page::Page;
use crate::page::context::{SeedView, Side};
use crate::pages::PartsView;
use crate::state::parts::{Part, Parts};
use leptos::ev;
use leptos::prelude::*;
use proem_core::worker::context::{SeedRow, SeedSummary};
use std::ops::Range;
use std::sync::Arc;

/// Both sides.
#[component]
pub(super) fn Sides(
    /// The seed.
    summary: Arc<SeedSummary>,
    /// What is chosen.
    view: Signal<SeedView>,
    /// For rows.
    maker: SeedMaker,
) -> impl IntoView {
    let navigation = use_navigation();
    let count = summary.context;
    let rows = PartsView::new(Parts::default(), maker.held(), move |range| maker.rows(range));
    let shown = Memo::new(move |_| (0..count).collect::<Vec<usize>>());
    let frames = Frames::new(shown, "seed-row", rows.near(), Callback::new(move |at| rows.of(at) == Part::Waiting));
    let at = Memo::new(move |_| view.get().at);
    Effect::new(move || {
        if let Some(at) = at.get().filter(|at| *at < count) {
            frames.bring(Some(at));
        }
    });
    let href = Callback::new(move |at: usize| Page::Seed(SeedView { at: Some(at), side: Side::Template, ..view.get() }).to_url());
    let keys = window_event_listener(ev::keydown, move |event| {
        if event.ctrl_key() || event.meta_key() || event.alt_key() || event.default_prevented() || is_typing(&event) {
            return;
        }
        let now = at.get_untracked();
        let next = match event.key().as_str() {
            "j" => now.map_or(0, |at| (at + 1).min(count.saturating_sub(1))),
            "k" => now.map_or(0, |at| at.saturating_sub(1)),
            _ => return,
        };
        if next < count {
            event.prevent_default();
            navigation.replace(&Page::Seed(SeedView { at: Some(next), ..view.get_untracked() }));
        }
    });
    on_cleanup(move || keys.remove());
    let choose = move |side| navigation.replace(&Page::Seed(SeedView { side, ..view.get_untracked() }));
    let side = Signal::derive(move || view.get().side);
    let chunks = frames
        .cut(count)
        .into_iter()
        .map(|(frame, range)| view! { <Rows frame=frame range=range rows=rows at=at href=href /> })
        .collect_view();
    view! {
        <section class="seed-sides" aria-label="Context and seed" data-side=move || if side.get() == Side::Seed { "seed" } else { "template" }>
            <div class="seed-switch">
                <Segmented
                    label="Side in front"
                    segments=vec![Segment::new(Side::Template, "Template's context"), Segment::new(Side::Seed, "Seed")]
                    value=side
                    on_change=Callback::new(choose)
                />
            </div>
            <div class="seed-heads">
                <h2 class="seed-left">"Context of " <span class="foreign">{summary.template.clone()}</span></h2>
                <h2 class="seed-right">"Seed of " <span class="foreign">{if summary.fork.is_empty() { "the fork".to_owned() } else { summary.fork.clone() }}</span></h2>
            </div>
            {(count == 0).then(|| view! { <p class="quiet">"The template's context is empty, and so is the seed."</p> })}
            <div class="seed-rows" data-seed-rows=count on:wheel=move |_| frames.let_go() on:touchmove=move |_| frames.let_go()>{chunks}</div>
        </section>
    }
}

/// Some rows, built while they are near what is seen.
#[component]
fn Rows(
    frame: Frame,
    range: Range<usize>,
    rows: PartsView<SeedRow>,
    at: Memo<Option<usize>>,
    href: Callback<usize, String>,
) -> impl IntoView {
    let positions = range.clone();
    let is_whole = Memo::new(move |_| frame.is_built.get() && positions.clone().all(|at| rows.of(at) != Part::Waiting));
    let row = move |position: usize| {
        let part = Memo::new(move |_| rows.of(position));
        let is_chosen = Memo::new(move |_| at.get() == Some(position));
        let inside = move || {
            match part.get() {
            Part::Here(row) => view! { <SeedRowView row=row href=href /> }.into_any(),
            Part::Waiting => view! { <div class="seed-waiting"></div> }.into_any(),
            Part::Failed(sentence) => view! {
                <p class="warn-text">{sentence} " " <button type="button" class="button button-quiet" on:click=move |_| rows.again()>"Try again"</button></p>
            }
            .into_any(),
        }
        };
        view! { <div class="seed-row" id=format!("seed-row-{position}") data-row=position aria-current=move || is_chosen.get().then_some("true")>{inside}</div> }
    };
    let inside = move || frame.is_built.get().then(|| range.clone().map(row).collect_view());
    let spare = move || if is_whole.get() { String::new() } else { format!("{}px", frame.height.get_value()) };
    view! { <div class="seed-chunk" node_ref=frame.element style:min-height=spare>{inside}</div> }
}
