//! What stands in the margin of the text, one view at a time. Only the open one is built, and what has to be asked for is asked for
//! only then.

mod branches;
mod question;

use super::bench::Bench;
use crate::components::{CopyButton, ProblemList, Tab, move_between_tabs};
use crate::state::findings::{Finding, counted};
use crate::state::margin::Margin as View;
use leptos::prelude::*;
use proem_core::template::problem::Problem;

/// The id of the element that holds the open view.
pub(super) const MARGIN_PANEL: &str = "margin";

/// Below the editor.
#[component]
pub(super) fn Margin(bench: Bench, findings: Memo<Vec<Finding>>) -> impl IntoView {
    let open = Memo::new(move |_| bench.view.with(|view| view.margin.tab()));
    let tab = move |own: View, words: &'static str, note: Signal<String>| {
        let chosen = Signal::derive(move || open.get() == own);
        let choose = move |()| bench.choose(|view| view.margin = own);
        view! { <Tab words=words note=note id=tab_id(own) panel=MARGIN_PANEL chosen=chosen on_choose=choose /> }
    };
    let count = Signal::derive(move || some(findings.with(Vec::len), ""));
    let never =
        Memo::new(move |_| bench.preview.with(|it| it.coverage.as_ref().map_or(0, |(_, coverage)| coverage.never().len())));
    let tabs = (
        tab(View::Problems, "Problems", count),
        tab(View::Branches, "Branches", Signal::derive(move || some(never.get(), " never"))),
        tab(View::Facts, "Facts", Signal::default()),
        tab(View::Why, "Why not here?", Signal::default()),
    );
    let status = move || match bench.is_stopped() {
        true => "Not checked, because the preview was stopped".to_owned(),
        false => findings.with(|findings| counted(findings)),
    };
    view! {
        <div class="margin">
            <div class="tabs margin-tabs" role="tablist" aria-label="About this text" on:keydown=move_between_tabs>{tabs}</div>
            <p class="visually-hidden" role="status">{status}</p>
            <div
                id=MARGIN_PANEL
                class="margin-panel"
                role="tabpanel"
                tabindex="0"
                aria-labelledby=move || tab_id(open.get())
                data-margin=move || open.get().as_str()
            >
                {move || match open.get() {
                    View::Branches | View::Never => branches::branches(bench).into_any(),
                    View::Facts | View::Read | View::Unused => question::facts(bench).into_any(),
                    View::Why => question::why(bench).into_any(),
                    View::Problems => problems(bench, findings, status).into_any(),
                }}
            </div>
        </div>
    }
}

fn problems(
    bench: Bench,
    findings: Memo<Vec<Finding>>,
    status: impl Fn() -> String + Copy + Send + Sync + 'static,
) -> impl IntoView {
    let all = Signal::derive(move || {
        let lines = findings.get().into_iter().map(|finding| finding.problem.one_line() + "\n");
        lines.collect::<String>()
    });
    view! {
        <div class="margin-head">
            <p class="quiet" aria-hidden="true">{status}</p>
            <Show when=move || findings.with(|findings| !findings.is_empty())><CopyButton text=all /></Show>
        </div>
        <ProblemList findings=findings on_pick=move |problem: Problem| bench.reveal.set(Some(problem.utf16)) />
    }
}

fn tab_id(view: View) -> &'static str {
    match view.tab() {
        View::Branches => "margin-branches",
        View::Facts => "margin-facts",
        View::Why => "margin-why",
        _ => "margin-problems",
    }
}

fn some(count: usize, word: &str) -> String {
    if count == 0 { String::new() } else { format!("{count}{word}") }
}
