//! What came of rules: a verdict in words, how much it was judged on, and the violations, each a link to its place.

use super::badge::{Badge, BadgeTone};
use super::icon::{Icon, IconName};
use super::place_row::code_words;
use crate::state::judged::{Found, Judged, verdict_words};
use crate::state::wording::counted;
use leptos::prelude::*;
use proem_core::assertion::Verdict;

/// So many violations are in sight at once; more have to be opened.
const IN_SIGHT: usize = 10;

/// Rules in the order given.
#[component]
pub fn RuleResults(
    /// What they are results of, for those who do not see it.
    #[prop(into)]
    label: String,
    /// The rules.
    rules: Vec<Judged>,
) -> impl IntoView {
    view! {
        <ol class="rule-results" aria-label=label>{rules.into_iter().map(|rule| view! { <RuleResult rule=rule /> }).collect_view()}</ol>
    }
}

/// One rule.
#[component]
pub fn RuleResult(
    /// With what came of it.
    rule: Judged,
) -> impl IntoView {
    let Judged { id, says, verdict, evidence, violation_count, violations } = rule;
    let (tone, icon) = match verdict {
        Verdict::Holds => (BadgeTone::Good, Some(IconName::Check)),
        Verdict::Violated => (BadgeTone::Bad, Some(IconName::Close)),
        // Neither good nor bad: nothing is known.
        Verdict::Nothing => (BadgeTone::Plain, None),
    };
    let word = match verdict {
        Verdict::Holds => "holds",
        Verdict::Violated => "violated",
        Verdict::Nothing => "nothing",
    };
    let hook = id.clone();
    let listed = violations.len();
    let title = match violation_count > listed as u64 {
        true => format!("{}, the first {listed}", counted(violation_count, "violation")),
        false => counted(violation_count, "violation"),
    };
    let found = (listed > 0).then(|| {
        view! {
            <details class="rule-violations" open=listed <= IN_SIGHT>
                <summary>{title}</summary>
                <ul>{violations.into_iter().map(violation).collect_view()}</ul>
            </details>
        }
    });
    view! {
        <li class="rule-result" data-rule=hook data-verdict=word>
            <p class="rule-head">
                <Badge tone=tone>{icon.map(|name| view! { <Icon name=name /> })}{verdict_words(verdict)}</Badge>
                " " <span class="rule-says foreign">{says}</span>
            </p>
            <p class="rule-facts"><code class="foreign">{id}</code>{(!evidence.is_empty()).then(|| view! { " · " <span>{evidence}</span> })}</p>
            {found}
        </li>
    }
}

fn violation(found: Found) -> impl IntoView {
    let Found { place, message, href } = found;
    let place = match href {
        Some(href) => {
            view! { <a class="list-title foreign" href=href>{if place.is_empty() { "Show".to_owned() } else { place }}</a> }
                .into_any()
        }
        None => view! { <span class="foreign">{place}</span> }.into_any(),
    };
    view! { <li data-violation=""><span class="rule-place">{place}</span> " " <span class="foreign">{code_words(message)}</span></li> }
}
