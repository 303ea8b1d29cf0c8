//! One row of the ledger: the decision, who made it where, what is known about it, and why.

use super::decision_mark::DecisionMark;
use super::long_text::LongText;
use super::time::MomentText;
use crate::state::decisions::{Leads, facts};
use leptos::prelude::*;
use proem_core::ledger::LedgerEntry;

/// A row.
#[component]
pub fn DecisionRow(
    /// The row.
    entry: LedgerEntry,
    /// Where it leads.
    leads: Leads,
    /// The address of its turn, when it leads to one.
    href: Option<String>,
) -> impl IntoView {
    let code = entry.decision.as_str().to_owned();
    let known: Vec<(&'static str, String)> = facts(&entry);
    let LedgerEntry { id, ts, hook_point, plugin, decision, severity, classification, locality, reason, .. } = entry;
    let how = match &leads {
        Leads::Turn { by_time: false, .. } => "→ its turn",
        Leads::Turn { by_time: true, .. } => "→ its turn, by time",
        Leads::Nowhere(why) => why,
    };
    let title = match href {
        Some(href) => view! { <a class="list-title foreign" data-turn-link="" href=href>{plugin}</a> }.into_any(),
        // It takes the focus like a link, so that the keys of lists reach it.
        None => view! { <span class="list-title foreign" tabindex="-1">{plugin}</span> }.into_any(),
    };
    let beside = [Some(severity).filter(|severity| severity != "info"), classification, locality];
    let fact = |(name, value): (&'static str, String)| {
        view! { <div><dt>{name}</dt><dd class="foreign" dir="auto">{value}</dd></div> }
    };
    view! {
        <li class="list-row decision" data-entry=id data-decision=code>
            <div class="decision-word"><DecisionMark decision=decision /></div>
            <div class="decision-what">
                {title}
                " " <code class="decision-hook foreign">{hook_point}</code>
                {(!known.is_empty()).then(|| view! { <dl class="decision-facts">{known.into_iter().map(fact).collect_view()}</dl> })}
                {(!reason.is_empty()).then(|| view! { <div class="list-text"><LongText text=reason class="foreign" /></div> })}
            </div>
            <div class="list-facts">
                {beside.into_iter().flatten().map(|word| view! { <span>{word}</span> }).collect_view()}
                <MomentText at=ts />
                <span class="decision-how">{how}</span>
            </div>
        </li>
    }
}
