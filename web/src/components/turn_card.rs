//! One turn of a replay: who opened it, what was said, and how it ended.

use super::badge::{Badge, BadgeTone};
use super::glyph::OpenerGlyph;
use super::long_text::LongText;
use super::time::ClockText;
use crate::state::said::Heard;
use crate::state::wording::{counted, opened_by, outcome, turn_duration};
use leptos::ev::MouseEvent;
use leptos::prelude::*;
use proem_core::log::{Message, OpenedBy, Outcome, Role, Turn};

/// A turn.
#[component]
pub fn TurnCard(
    /// Position among all turns.
    position: usize,
    /// The turn.
    turn: Turn,
    /// What was said in it.
    said: Signal<Heard>,
    /// The turn whose run this one goes on with: its position and name.
    continues: Option<(usize, String)>,
    /// The chosen turn.
    chosen: Memo<Option<usize>>,
    /// The address of a turn.
    href: Callback<usize, String>,
    /// It was chosen.
    on_choose: Callback<usize>,
    /// What was said is asked for once more, after it could not be read.
    on_again: Callback<()>,
    /// Its calls are wanted.
    on_calls: Callback<usize>,
) -> impl IntoView {
    let is_chosen = Memo::new(move |_| chosen.get() == Some(position));
    let name = turn.index.map_or_else(|| "Resumed".to_owned(), |index| format!("Turn {index}"));
    let (duration, source) = turn_duration(&turn);
    let (tone, word) = (tone(turn.outcome), outcome(turn.outcome));
    let choose = move |event: MouseEvent| {
        // Whoever marks text, or uses a button inside, does not choose a turn.
        let marking = window().get_selection().ok().flatten().is_some_and(|selection| !selection.is_collapsed());
        if !marking && !event.default_prevented() {
            on_choose.run(position);
        }
    };
    let calls = move |event: MouseEvent| {
        event.prevent_default();
        on_calls.run(position);
    };
    let spoken = format!("{name}: {}", opened_by(turn.opened_by));
    let system = turn.opened_by == OpenedBy::System;
    let label = if turn.request.is_empty() { turn.opener.clone().unwrap_or_default() } else { turn.request.clone() };
    let request = system.then(|| {
        let label = if label.is_empty() { "(no label)".to_owned() } else { label };
        view! { <p class="turn-request foreign" data-request="" dir="auto">{label}</p> }
    });
    let by = turn.opened_by;
    let words = move || {
        match said.get() {
        // Its height is about that of a question with its answer, so that little moves when they arrive.
        Heard::Waiting => view! { <div class="turn-waiting" aria-hidden="true"></div> }.into_any(),
        Heard::Here(messages) => {
            messages.iter().cloned().map(|message| view! { <Said message=message by=by /> }).collect_view().into_any()
        }
        Heard::Failed(sentence) => view! {
            <div class="said said-notice">
                <p>"What was said here could not be read: "{sentence}</p>
                <button type="button" class="button" on:click=move |event: MouseEvent| { event.prevent_default(); on_again.run(()); }>"Try again"</button>
            </div>
        }
        .into_any(),
    }
    };
    view! {
        <article
            class="turn"
            id=format!("turn-{position}")
            data-turn=turn.reference.clone()
            data-opened-by=opener_code(turn.opened_by)
            data-outcome=turn.outcome.as_str()
            aria-current=move || is_chosen.get().then_some("true")
            aria-label=spoken
            on:click=choose
        >
            <header class="turn-head">
                <OpenerGlyph by=turn.opened_by />
                <div class="turn-who">
                    <p class="turn-opened">{opened_by(turn.opened_by)}</p>
                    {request}
                    <p class="turn-facts numbers">
                        <a class="turn-link" data-turn-link="" href=href.run(position)>{name}</a>
                        {turn.started_at.clone().map(|at| view! { <ClockText at=at /> })}
                        <span title=source>{duration}</span>
                        {(turn.total_tokens > 0).then(|| view! { <span>{counted(turn.total_tokens, "token")}</span> })}
                        {continues.map(|(of, name)| view! { <a class="turn-link" href=href.run(of)>"goes on from " {name}</a> })}
                        {(turn.errors > 0).then(|| view! { <span class="bad-text">{counted(turn.errors, "error")}</span> })}
                        {(!turn.listed).then(|| view! { <span>"Hidden by default"</span> })}
                    </p>
                </div>
                <Badge tone=tone>{word}</Badge>
                <button type="button" class="button turn-calls" on:click=calls>"Calls"</button>
            </header>
            <div class="turn-said" aria-busy=move || (said.get() == Heard::Waiting).then_some("true")>{words}</div>
        </article>
    }
}

#[component]
fn Said(message: Message, by: OpenedBy) -> impl IntoView {
    let Message { role, text, is_final, code, .. } = message;
    let code = code.unwrap_or_default();
    let empty = text.trim().is_empty();
    match role {
        Role::User => {
            // What another agent wrote never looks like a person's words.
            let (class, code, who) = match by {
                OpenedBy::Agent => ("said said-peer", "agent", "Another agent wrote"),
                _ => ("said said-user", "user", "A person wrote"),
            };
            view! {
                <div class=class data-message=code>
                    <p class="visually-hidden">{who}</p>
                    {if empty {
                        view! { <p class="said-empty">"(empty message)"</p> }.into_any()
                    } else {
                        view! { <LongText text=text class="reading reading-exact" /> }.into_any()
                    }}
                </div>
            }
            .into_any()
        }
        Role::Assistant => view! {
            <div class="said said-assistant" class:said-earlier=!is_final data-message="assistant">
                <p class="visually-hidden">{if is_final { "The agent answered" } else { "The agent answered first" }}</p>
                {(!is_final).then(|| view! { <p class="said-note">"An earlier answer in this turn"</p> })}
                {if empty {
                    view! { <p class="said-empty">"(empty answer)"</p> }.into_any()
                } else {
                    view! { <LongText text=text class="reading reading-exact" /> }.into_any()
                }}
            </div>
        }
        .into_any(),
        Role::Notice => {
            let words = notice(&code, empty);
            view! {
                <div class="said said-notice" data-message="notice" data-code=code>
                    <p>{words}</p>
                    {(!empty).then(|| view! { <LongText text=text class="code-text" /> })}
                </div>
            }
            .into_any()
        }
        Role::Tool => {
            view! { <div class="said said-notice" data-message="tool"><LongText text=text class="code-text" /></div> }.into_any()
        }
    }
}

/// What a notice says before its own text.
fn notice(code: &str, empty: bool) -> &'static str {
    match (code, empty) {
        ("resumed", true) => "A run that had paused went on.",
        ("resumed", false) => "A run that had paused went on:",
        ("unanswered", true) => "The log ends this turn without an answer.",
        ("failed", true) => "The opening failed; there is no answer.",
        (_, true) => "There is no answer.",
        (_, false) => "There is no answer. The last error says:",
    }
}

fn tone(outcome: Outcome) -> BadgeTone {
    match outcome {
        Outcome::Ok => BadgeTone::Good,
        Outcome::Refused | Outcome::Unanswered => BadgeTone::Warn,
        Outcome::Halted | Outcome::Failed | Outcome::Error => BadgeTone::Bad,
    }
}

fn opener_code(by: OpenedBy) -> &'static str {
    match by {
        OpenedBy::User => "user",
        OpenedBy::System => "system",
        OpenedBy::Agent => "agent",
        OpenedBy::Unknown => "unknown",
    }
}
