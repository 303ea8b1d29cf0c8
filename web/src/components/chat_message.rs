//! One thing said in a conversation with this server; an answer names its handler and leads to its turn.

use super::badge::{Badge, BadgeTone};
use super::copy_button::CopyButton;
use super::glyph::OpenerGlyph;
use super::long_text::LongText;
use super::time::ClockText;
use crate::state::talk::{Said, Voice, answered_by, verdict_word};
use crate::state::wording::opened_by;
use leptos::prelude::*;
use proem_core::log::OpenedBy;

/// Where an answer leads.
#[derive(Clone)]
pub struct SaidLinks {
    /// The turn as it was said.
    pub replay: String,
    /// The turn's calls.
    pub calls: String,
    /// The turn's rows in the ledger.
    pub decisions: String,
}

/// Something said.
#[component]
pub fn ChatMessage(
    /// What.
    said: Said,
    /// Where it leads, for an answer.
    links: Option<SaidLinks>,
) -> impl IntoView {
    let (class, code) = match said.voice {
        Voice::Person => ("message message-person", "person"),
        Voice::Answer => ("message message-answer", "answer"),
        Voice::Opener => ("message message-answer message-opener", "opener"),
        Voice::Notice => ("message message-answer message-notice", "notice"),
    };
    let who = match said.voice {
        Voice::Person => view! { <p class="visually-hidden">"You wrote"</p> }.into_any(),
        Voice::Opener => {
            view! { <p class="message-opened with-glyph"><OpenerGlyph by=OpenedBy::System />{opened_by(OpenedBy::System)}</p> }
                .into_any()
        }
        Voice::Answer | Voice::Notice => view! { <p class="visually-hidden">"The answer"</p> }.into_any(),
    };
    let tone = if said.verdict == "warn" || said.verdict == "retry" { BadgeTone::Warn } else { BadgeTone::Bad };
    let verdict = verdict_word(&said.verdict).map(str::to_owned).map(|word| view! { <Badge tone=tone>{word}</Badge> });
    let at = said.at.clone().map(|at| view! { <ClockText at=at /> });
    let foot = match links.filter(|_| said.voice != Voice::Person) {
        Some(links) => {
            let copy = said.text.clone();
            view! {
                <div class="message-foot numbers">
                    {verdict}
                    <span data-answered-by="">{answered_by(&said)}</span>
                    {at}
                    {(said.voice == Voice::Opener).then(|| view! { <a href=links.replay data-link="replay">"Replay"</a> })}
                    <a href=links.calls data-link="calls">"Call trace"</a>
                    <a href=links.decisions data-link="decisions">"Decisions"</a>
                    <CopyButton text=copy />
                </div>
            }
            .into_any()
        }
        None => view! { <div class="message-foot numbers">{at}</div> }.into_any(),
    };
    view! {
        <li class=class data-said=code data-turn=said.turn.clone() data-handler=said.handler.clone() data-verdict=said.verdict.clone()>
            {who}
            <LongText text=said.text class="reading reading-exact" />
            {foot}
        </li>
    }
}
