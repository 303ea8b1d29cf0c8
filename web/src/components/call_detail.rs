//! One call in full: what it was, when, for how long and how one knows, and what went in and came out.

use super::badge::{Badge, BadgeTone};
use super::copy_button::CopyButton;
use super::decision_mark::DecisionMark;
use super::long_text::LongText;
use crate::state::wording::{call_kind, duration_source, number};
use leptos::prelude::*;
use proem_core::ledger::LedgerEntry;
use proem_core::trace::{DurationSource, Node, Status, duration_text};

/// A call.
#[component]
pub fn CallDetail(
    /// The call.
    node: Node,
    /// Why its texts are not here in full, if they are not.
    rest: Option<String>,
    /// The decisions that a governance node stands for.
    decisions: Vec<LedgerEntry>,
) -> impl IntoView {
    let kind = call_kind(&node.kind).to_owned();
    let status = match (&node.governance, node.status) {
        (Some(card), _) => view! { <DecisionMark decision=card.decision.clone() /> }.into_any(),
        (None, Status::Ok) => view! { <Badge tone=BadgeTone::Good>"Ended well"</Badge> }.into_any(),
        (None, Status::Error) => view! { <Badge tone=BadgeTone::Bad>"Error"</Badge> }.into_any(),
        (None, Status::Open) => view! { <Badge tone=BadgeTone::Warn>"No end logged"</Badge> }.into_any(),
    };
    let (hook, reason) = node.governance.map(|card| (card.hook, card.reason)).unzip();
    let duration = match node.duration_source {
        _ if node.status == Status::Open => format!("at least {}", duration_text(node.duration_ms)),
        DurationSource::Estimated => format!("≈ {}", duration_text(node.duration_ms)),
        DurationSource::None => "unknown".to_owned(),
        _ => duration_text(node.duration_ms),
    };
    let tokens = node.tokens.map(|tokens| {
        let part = |count: Option<u64>, word: &str| count.map(|count| format!("{} {word}", number(count)));
        let parts = [part(tokens.total, "in all"), part(tokens.prompt, "prompt"), part(tokens.completion, "answer")];
        parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
    });
    let facts = [
        ("Hook", hook),
        // Its rows say it in full.
        ("Reason", reason.filter(|reason| !reason.is_empty() && decisions.is_empty())),
        ("Agent", node.agent),
        ("Model", node.model),
        ("Provider", node.provider),
        ("Tier", node.tier),
        ("Tokens", tokens.filter(|text| !text.is_empty())),
        ("Handler", node.handler),
        ("Exit code", node.exit_code.map(|code| code.to_string())),
    ];
    let fact = |(name, value): (&'static str, Option<String>)| {
        value.map(|value| view! { <div><dt>{name}</dt><dd class="foreign" dir="auto">{value}</dd></div> })
    };
    let texts = [("Input", node.input), ("Output", node.output), ("Error stream", node.stderr)];
    let text = |(name, text): (&'static str, Option<String>)| {
        text.map(|text| {
            let copy = text.clone();
            let empty = text.is_empty();
            view! {
                <section class="call-text" aria-label=name>
                    <div class="call-text-head"><h4>{name}</h4>{(!empty).then(|| view! { <CopyButton text=copy /> })}</div>
                    {if empty { view! { <p class="quiet">"(empty)"</p> }.into_any() } else { view! { <LongText text=text /> }.into_any() }}
                </section>
            }
        })
    };
    let decision = |LedgerEntry { id, plugin, decision, reason, .. }: LedgerEntry| {
        view! { <li data-entry=id><DecisionMark decision=decision /> <span class="foreign">{plugin}</span> <span class="foreign quiet" dir="auto">{reason}</span></li> }
    };
    view! {
        <div class="call-detail" data-node-detail=node.id>
            <div class="call-detail-head"><h3 class="foreign">{node.label}</h3><span class="quiet">{kind}</span>{status}</div>
            <dl class="call-facts numbers">
                <div><dt>"Began"</dt><dd>{duration_text(node.t_offset_ms)} " after the opening"{node.after_answer.then_some(", after the answer")}</dd></div>
                <div><dt>"Took"</dt><dd>{duration} <span class="quiet">" · " {duration_source(node.duration_source)}</span></dd></div>
                {facts.into_iter().filter_map(fact).collect_view()}
            </dl>
            {(!decisions.is_empty()).then(|| view! { <ul class="call-decisions" aria-label="Rows of the ledger">{decisions.into_iter().map(decision).collect_view()}</ul> })}
            {rest.map(|rest| view! { <p class="quiet" role="status">{rest}</p> })}
            {texts.into_iter().filter_map(text).collect_view()}
        </div>
    }
}
