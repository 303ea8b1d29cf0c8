//! The faults of a template as a list; a click leads to the place.

use super::icon::IconName;
use super::place_row::{PlaceRow, PlaceWords, sentence};
use crate::state::findings::Finding;
use leptos::prelude::*;
use proem_core::template::problem::{Problem, Severity};

/// Faults in the order given.
#[component]
pub fn ProblemList(
    /// What is wrong.
    #[prop(into)]
    findings: Signal<Vec<Finding>>,
    /// One was chosen: show its place.
    #[prop(into)]
    on_pick: Callback<Problem>,
) -> impl IntoView {
    let row = move |finding: Finding| {
        let met = finding.where_met();
        let problem = finding.problem;
        let (class, icon, word) = match problem.severity {
            Severity::Error => ("place-bad", IconName::Error, "Error"),
            Severity::Warning => ("place-warn", IconName::Warning, "Warning"),
        };
        let words = PlaceWords {
            class,
            icon: Some(icon),
            word,
            message: sentence(&problem.message),
            place: format!("line {}, column {}", problem.line, problem.column),
            more: [problem.suggestion.as_deref(), met.as_deref()].into_iter().flatten().map(sentence).collect(),
        };
        let (code, severity) = (problem.code.clone(), problem.severity.as_str());
        view! {
            <li data-problem=code.clone() data-severity=severity title=code>
                <PlaceRow words=words on_pick=move |()| on_pick.run(problem.clone()) />
            </li>
        }
    };
    view! { <ul class="problems" data-problems="">{move || findings.get().into_iter().map(row).collect_view()}</ul> }
}
