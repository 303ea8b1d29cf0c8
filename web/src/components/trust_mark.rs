//! How far a source is to be trusted: a name, and four steps of which one to four are filled.

use crate::state::envelopes::trust_name;
use leptos::prelude::*;
use proem_core::context::preface::{Tier, Trust};

/// The mark. Its words carry the meaning; colour and steps only help.
#[component]
pub fn TrustMark(
    /// What is known of the source.
    trust: Trust,
) -> impl IntoView {
    let filled = Tier::ALL.len() - trust.tier as usize;
    let step = |at: usize| {
        let (x, height) = (at * 4, 4 + at * 3);
        view! { <rect x=x y=13 - height width="3" height=height class=if at < filled { "trust-full" } else { "trust-empty" } /> }
    };
    let title = match trust.known {
        true => trust.tier.meaning().to_owned(),
        false => format!("neither a tier nor a content key, so treated as external: {}", trust.tier.meaning()),
    };
    view! {
        <span class="trust" data-trust=trust.tier.as_str() data-known=trust.known.to_string() title=title>
            <svg class="trust-steps" viewBox="0 0 15 13" aria-hidden="true">{(0..4).map(step).collect_view()}</svg>
            {trust_name(trust)}
        </span>
    }
}
