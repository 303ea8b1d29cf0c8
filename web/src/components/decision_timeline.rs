//! What the checks decided about one turn, in order, under its trace.

use super::decision_mark::DecisionMark;
use crate::state::timeline::{Firing, timeline};
use crate::state::wording::{counted, number};
use leptos::prelude::*;
use proem_core::trace::{Layout, Trace};
use std::sync::Arc;

/// The decisions of a turn.
#[component]
pub fn DecisionTimeline(
    /// The turn's trace.
    trace: Arc<(Trace, Layout)>,
    /// How many decisions there are: those of a long turn do not all come with its trace.
    count: usize,
    /// Where the ledger has all of them.
    href: String,
    /// Why some or all are not here.
    note: Signal<Option<String>>,
    /// The node that shows a decision was chosen.
    on_node: Callback<Option<String>>,
) -> impl IntoView {
    let rows = timeline(&trace.0);
    let left = (count - rows.len().min(count)) as u64;
    let none = rows.is_empty();
    let row = move |firing: Firing| {
        let Firing { id, ordinal, hook, known, decision, plugin, reason, offset, node } = firing;
        let code = decision.as_str().to_owned();
        let choose = move |_| on_node.run(node.clone());
        view! {
            <li class="firing" data-firing=id data-decision=code>
                <span class="firing-ordinal numbers">{ordinal}</span>
                <button type="button" class="firing-hook foreign" on:click=choose>{hook}</button>
                <DecisionMark decision=decision />
                <span class="firing-plugin foreign">{plugin}</span>
                <span class="firing-known foreign">{known.join(" · ")}</span>
                <span class="firing-offset numbers">{offset}</span>
                {(!reason.is_empty()).then(|| view! { <p class="firing-reason foreign">{reason}</p> })}
            </li>
        }
    };
    view! {
        <section class="firings" aria-labelledby="firings-title" data-firings=count>
            <div class="firings-head">
                <h3 id="firings-title">"Decisions on this turn" {(count > 0).then(|| view! { <span class="tab-note">{number(count as u64)}</span> })}</h3>
                {(!none).then(|| view! { <a href=href.clone() data-link="decisions">"In Governance"</a> })}
            </div>
            {move || note.get().map(|note| view! { <p class="warn-text" role="status" data-ledger-note="">{note}</p> })}
            <ol>{rows.into_iter().map(row).collect_view()}</ol>
            {(left > 0).then(|| view! { <p class="quiet">"And " <a href=href>{counted(left, "more decision")}</a> "."</p> })}
            {move || (none && note.with(Option::is_none)).then(|| view! { <p class="quiet">"The ledger holds no decision about this turn."</p> })}
        </section>
    }
}
