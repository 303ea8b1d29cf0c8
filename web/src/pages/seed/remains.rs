//! The leak lens: what of other conversations the seed still names, and where.

use crate::page::Page;
use crate::page::context::{SeedView, Side};
use crate::state::seeding::{by_place, term_word};
use crate::state::wording::{counted, number};
use leptos::prelude::*;
use proem_core::context::seed::LeakPlace;
use proem_core::worker::context::{Found, SeedSummary};
use std::sync::Arc;

/// Terms by where they stand.
#[component]
pub(super) fn Remains(
    /// The seed.
    summary: Arc<SeedSummary>,
    /// What is chosen; links keep the rest of it.
    view: Signal<SeedView>,
) -> impl IntoView {
    let row = move |found: Found| {
        let at = found.first;
        let href = move || Page::Seed(SeedView { at: Some(at), side: Side::Seed, ..view.get() }).to_url();
        let text = found.term.text.clone();
        let channel = found.term.channel.clone().filter(|channel| *channel != found.term.text);
        view! {
            <li class="remain" data-term=found.term.text.clone()>
                <code class="foreign">{text}</code>
                <span class="quiet">{term_word(found.term.kind)}{channel.map(|channel| format!(" of {channel}"))}</span>
                <span class="quiet numbers">{(found.count > 1).then(|| format!("{} times", number(found.count as u64)))}</span>
                <a href=href>"message " {at + 1}</a>
            </li>
        }
    };
    let group = |(place, found): (LeakPlace, Vec<Found>)| {
        view! {
            <section class="remain-group" data-place=format!("{place:?}")>
                <h3>"In " {place.words()}</h3>
                <ul>{found.into_iter().map(row).collect_view()}</ul>
            </section>
        }
    };
    let more = (summary.found_count - summary.found.len().min(summary.found_count)) as u64;
    view! {
        <section class="seed-remains" aria-labelledby="remains-title" data-remains=summary.found_count>
            <h2 id="remains-title">"What remains of other conversations"</h2>
            <p class="remains-known">
                "These are known to remain: a seed leaves out whole notices, and nothing is taken out of tool results, summaries or the template's own words."
            </p>
            {if summary.found.is_empty() {
                view! { <p class="quiet">"Nothing was found. " {counted(summary.terms as u64, "term")} " of the store " {if summary.terms == 1 { "was" } else { "were" }} " looked for."</p> }.into_any()
            } else {
                by_place(&summary.found).into_iter().map(group).collect_view().into_any()
            }}
            {(more > 0).then(|| view! { <p class="quiet">"and " {counted(more, "more place")}</p> })}
        </section>
    }
}
