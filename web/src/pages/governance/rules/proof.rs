//! The proof bundle: what came of the built-in rules over what the server holds.

use crate::api;
use crate::components::{RuleResults, Segment, Segmented};
use crate::pages::Loaded;
use crate::state::judged::{Judged, sum};
use crate::state::wording::counted;
use leptos::prelude::*;
use proem_core::api::governance::ProofBundle;

/// The proof of the last days.
#[component]
pub(super) fn Proof() -> impl IntoView {
    let days = RwSignal::new(7u32);
    let proof = LocalResource::new(move || api::proof(days.get()));
    let shown = |bundle: ProofBundle| {
        let told = format!("{}.", sum(bundle.invariants.iter().map(|rule| rule.verdict)));
        let seen = [
            counted(bundle.logs, "log"),
            counted(bundle.turns, "turn"),
            format!("{} of the ledger", counted(bundle.ledger_rows, "row")),
        ];
        let rules: Vec<Judged> = bundle.invariants.iter().map(Judged::of_server).collect();
        let left_out = bundle
            .left_out
            .iter()
            .map(|log| view! { <li><span class="foreign">{log.file.clone()}</span>": "{log.message.clone()}</li> });
        let left_out =
            (!bundle.left_out.is_empty()).then(|| view! { <ul class="failure" role="alert">{left_out.collect_view()}</ul> });
        view! {
            <p role="status" data-proof-sum="" data-ok=bundle.ok.to_string()>{told} " " <span class="quiet">{format!("Read {}.", seen.join(", "))}</span></p>
            {left_out}
            <RuleResults label="Proof bundle" rules=rules />
        }
    };
    view! {
        <section class="rules-proof" aria-labelledby="proof-title" data-proof="">
            <div class="list-head">
                <h2 id="proof-title">"Proof bundle"</h2>
                <Segmented
                    label="How far back"
                    segments=vec![Segment::new(7, "7 days"), Segment::new(30, "30 days"), Segment::new(366, "A year")]
                    value=days
                    on_change=move |value| days.set(value)
                />
            </div>
            <p class="list-note">"The built-in rules over every session of that time that this server stores, and its ledger, judged by the server."</p>
            <Loaded resource=proof loading="The server is judging…" show=shown />
        </section>
    }
}
