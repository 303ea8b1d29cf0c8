//! Governance: what watches over turns here, and what it decided.

mod decisions;
mod filters;
mod posture;
mod rules;
mod sections;
mod welcome;

pub use rules::Rules;

use super::PageHead;
use crate::components::use_list_keys;
use decisions::Decisions;
use leptos::prelude::*;
use posture::Posture;
use proem_core::api::governance::LedgerQuery;
use sections::Sections;

/// The ledger, and beside it what is switched on.
#[component]
pub fn Governance(
    /// Which rows.
    query: Signal<LedgerQuery>,
) -> impl IntoView {
    use_list_keys();
    view! {
        <div class="page governance" data-page="governance">
            <PageHead title="Governance" lead="Which checks watch over turns here, and what they decided." />
            <Sections />
            <div class="governance-panes">
                <Decisions query=query />
                <Posture />
            </div>
        </div>
    }
}
