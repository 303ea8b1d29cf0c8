//! Two requests held against each other, part by part.

use super::place_row::code_words;
use crate::state::meter::{cost_words, layout_words, percent, stable_words, sum_words, ttl_words};
use crate::state::wording::number;
use leptos::prelude::*;
use proem_core::context::cache::{Measured, Meter};

/// What the meter found.
#[component]
pub fn CacheTable(
    /// The comparison.
    meter: Meter,
) -> impl IntoView {
    let sum = sum_words(&meter);
    let Meter { layout, parts, findings, cached, cacheable } = meter;
    let largest = parts.iter().map(|part| part.bytes).max().unwrap_or_default();
    let row = |part: Measured| {
        let (stable, cost) = (stable_words(&part), cost_words(&part));
        let name = part.label.clone();
        let Measured { label, ttl, bytes, preface, .. } = part;
        let (width, same) = (percent(bytes, largest), percent(part.stable, largest));
        view! {
            <tr data-part=label.clone() data-stable=part.stable data-cost=part.turn_local_cost>
                <th scope="row">{name} {preface.then(|| view! { <span class="quiet">" (preface)"</span> })}</th>
                <td>{ttl_words(ttl)}</td>
                <td class="numbers">{number(bytes as u64)}</td>
                <td>
                    <svg class="meter-bar" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
                        <rect class="meter-all" width=width height="6" />
                        <rect class="meter-same" width=same height="6" />
                    </svg>
                    <span class="quiet">{stable}</span>
                </td>
                <td>{cost}</td>
            </tr>
        }
    };
    view! {
        <div class="meter-found" data-meter="">
            <p class="meter-layout" data-layout="">{layout_words(layout)}"."</p>
            <p data-cached=cached data-cacheable=cacheable>{sum}</p>
            {(!findings.is_empty())
                .then(|| view! { <ul class="meter-findings" data-findings="">{findings.into_iter().map(|finding| view! { <li class="warn-text">{code_words(finding)}</li> }).collect_view()}</ul> })}
            <div class="table-scroll" role="region" aria-label="Parts of the second request" tabindex="0">
                <table class="table meter-table">
                    <thead>
                        <tr>
                            <th scope="col">"Part"</th>
                            <th scope="col">"Kept"</th>
                            <th scope="col" class="numbers">"Bytes"</th>
                            <th scope="col">"Beside the first request"</th>
                            <th scope="col">"A byte that changes every turn, at its start, would cost"</th>
                        </tr>
                    </thead>
                    <tbody>{parts.into_iter().map(row).collect_view()}</tbody>
                </table>
            </div>
        </div>
    }
}
