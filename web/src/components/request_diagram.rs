//! Where a preface stands in a request to a model.

use leptos::prelude::*;

/// The parts of a request in their order, their time in the cache, and what they hold.
const PARTS: [(&str, &str, &str); 6] = [
    ("Tools", "1 h", "what the agent can call"),
    ("System block 1", "1 h", "the prompt, the same for weeks"),
    ("System block 2", "1 h", "workspace, skills, identity"),
    ("System block 3", "5 min", "onboarding and profile"),
    ("Preface", "", "position 0 of the messages, this turn only"),
    ("Messages", "", "the conversation as it is stored"),
];

/// The drawing: an ordered list.
#[component]
pub fn RequestDiagram() -> impl IntoView {
    let part = |(name, kept, holds): (&'static str, &'static str, &'static str)| {
        let is_preface = name == "Preface";
        view! {
            <li class="request-part" class:request-preface=is_preface class:request-kept=!kept.is_empty()>
                <span class="request-name">{name}</span>
                <span class="quiet">{holds}</span>
                <span class="request-ttl">{if kept.is_empty() { "not kept".to_owned() } else { format!("kept {kept}") }}</span>
            </li>
        }
    };
    view! {
        <figure class="request-diagram">
            <ol>{PARTS.map(part).collect_view()}</ol>
            <figcaption>
                "The preface is the first message of a request, made anew for every turn: ephemeral, never persisted. In a system block it would change the start of every request, and nothing behind it would come from the cache."
            </figcaption>
        </figure>
    }
}
