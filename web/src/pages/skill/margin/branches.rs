//! Every way that the text's conditions and loops can go, and which of the shown samples go it.

use super::super::bench::Bench;
use crate::components::{Segment, Segmented, SituationMatrix};
use crate::state::margin::Margin;
use crate::state::matrix::{branch_rows, branch_words};
use leptos::prelude::*;
use proem_core::opening::sample::Variant;

pub(super) fn branches(bench: Bench) -> impl IntoView {
    let view = Memo::new(move |_| bench.view.with(|view| view.margin));
    let rows = Memo::new(move |_| {
        let only_never = view.get() == Margin::Never;
        bench.preview.with(|preview| {
            preview.coverage.as_ref().map_or_else(Vec::new, |(body, coverage)| branch_rows(body, coverage, only_never))
        })
    });
    let words = Memo::new(move |_| {
        let body = bench.body();
        bench.preview.with(|it| branch_words(&body, it.coverage.as_ref(), it.is_stopped(), rows.with(Vec::len)))
    });
    let samples = move || match bench.view.get().variant {
        Variant::Populated => "In the six populated samples.",
        Variant::Empty => "In the six empty samples.",
    };
    // Places in an earlier text are not places in this one.
    let pick = move |at: usize| {
        let place = bench.preview.with_untracked(|preview| {
            let (body, coverage) = preview.coverage.as_ref()?;
            let arm = coverage.arms.get(at)?;
            bench.draft.with_untracked(|draft| draft.body == *body).then_some(arm.condition)
        });
        bench.show_place(place);
    };
    let segments = vec![Segment::new(Margin::Branches, "All"), Segment::new(Margin::Never, "Never reached")];
    view! {
        <div class="margin-head">
            <Segmented label="Which branches" segments=segments value=view on_change=move |margin| bench.choose(|view| view.margin = margin) />
            <p class="quiet" data-branch-words="">{move || words.get().unwrap_or_else(|| samples().to_owned())}</p>
        </div>
        <SituationMatrix title="Branch" rows=rows on_pick=pick />
    }
}
