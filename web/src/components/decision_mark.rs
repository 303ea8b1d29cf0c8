//! A decision of the ledger as a sign and a word; the colour only helps.

use super::badge::{Badge, BadgeTone};
use super::icon::{Icon, IconName};
use crate::state::decisions::decision_word;
use leptos::prelude::*;
use proem_core::ledger::Decision;

/// A decision.
#[component]
pub fn DecisionMark(
    /// Which.
    decision: Decision,
) -> impl IntoView {
    let (tone, icon) = match decision {
        Decision::Allow => (BadgeTone::Good, Some(IconName::Check)),
        Decision::Transform => (BadgeTone::Warn, Some(IconName::Change)),
        Decision::RequireApproval => (BadgeTone::Warn, Some(IconName::Warning)),
        Decision::Deny => (BadgeTone::Bad, Some(IconName::Close)),
        Decision::Other(_) => (BadgeTone::Plain, None),
    };
    let word = decision_word(&decision).to_owned();
    view! { <Badge tone=tone>{icon.map(|name| view! { <Icon name=name /> })}{word}</Badge> }
}
