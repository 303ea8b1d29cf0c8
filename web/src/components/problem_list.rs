//! The faults of a template as a list; a click leads to the place.

use super::icon::{Icon, IconName};
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
            Severity::Error => ("problem", IconName::Error, "Error"),
            Severity::Warning => ("problem problem-warning", IconName::Warning, "Warning"),
        };
        let more = [met, problem.suggestion.clone()].into_iter().flatten().map(sentence).collect::<Vec<_>>().join(" ");
        let place = format!("line {}, column {}", problem.line, problem.column);
        let message = capitalised(problem.message.clone());
        let (code, severity) = (problem.code.clone(), problem.severity.as_str());
        view! {
            <li data-problem=code data-severity=severity>
                <button type="button" class=class on:click=move |_| on_pick.run(problem.clone())>
                    <Icon name=icon />
                    <span><span class="problem-word">{word}</span>" "{message}</span>
                    <span class="problem-place">{place}</span>
                    {(!more.is_empty()).then(|| view! { <span class="problem-more">{more}</span> })}
                </button>
            </li>
        }
    };
    view! { <ul class="problems" data-problems="">{move || findings.get().into_iter().map(row).collect_view()}</ul> }
}

/// With its capital and its stop; a question keeps its mark.
fn sentence(text: String) -> String {
    let stop = if text.ends_with(['.', '?', '!', '…']) { "" } else { "." };
    capitalised(text) + stop
}

fn capitalised(text: String) -> String {
    let mut chars = text.chars();
    // A message that begins with a quoted name stays as it is.
    match chars.next() {
        Some(first) if first.is_lowercase() => first.to_uppercase().chain(chars).collect(),
        _ => text,
    }
}
