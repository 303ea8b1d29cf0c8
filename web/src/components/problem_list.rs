//! The faults of a template as a list; a click leads to the place.

use super::icon::{Icon, IconName};
use leptos::prelude::*;
use proem_core::template::problem::{Problem, Severity};

/// Faults in the order given.
#[component]
pub fn ProblemList(
    /// What is wrong.
    #[prop(into)]
    problems: Signal<Vec<Problem>>,
    /// One was chosen: show its place.
    #[prop(into)]
    on_pick: Callback<Problem>,
) -> impl IntoView {
    let row = move |problem: Problem| {
        let (class, icon, word) = match problem.severity {
            Severity::Error => ("problem", IconName::Error, "Error: "),
            Severity::Warning => ("problem problem-warning", IconName::Warning, "Warning: "),
        };
        let more = [problem.sample.clone().map(|sample| format!("In the sample {sample}.")), problem.suggestion.clone()];
        let more = more.into_iter().flatten().collect::<Vec<_>>().join(" ");
        let place = format!("line {}, column {}", problem.line, problem.column);
        let message = problem.message.clone();
        view! {
            <li>
                <button type="button" class=class on:click=move |_| on_pick.run(problem.clone())>
                    <Icon name=icon />
                    <span><span class="visually-hidden">{word}</span>{message}</span>
                    <span class="problem-place">{place}</span>
                    {(!more.is_empty()).then(|| view! { <span class="problem-more">{more}</span> })}
                </button>
            </li>
        }
    };
    view! { <ul class="problems">{move || problems.get().into_iter().map(row).collect_view()}</ul> }
}
