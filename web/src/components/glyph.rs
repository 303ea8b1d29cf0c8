//! Small drawings of one family: what a turn opens on, and who opened it. Always beside words, so hidden from readers of screens.
//!
//! A situation is a sheet (task), a round bubble (person) or a cornered bubble (agent). A new one begins with a red initial, as a
//! manuscript does; a continued one goes on after three dots.

use crate::state::wording::call_family;
use leptos::prelude::*;
use proem_core::log::OpenedBy;
use proem_core::opening::kind::OpeningKind;

/// The glyph of a situation.
#[component]
pub fn SituationGlyph(
    /// Which of the six.
    kind: OpeningKind,
) -> impl IntoView {
    use OpeningKind as Kind;
    let frame = match kind {
        Kind::TaskStart | Kind::TaskResume => "M4.5 2.5h8l3 3v12h-11z M12.5 2.5v3h3",
        Kind::HumanConversationStart | Kind::HumanConversationResume => {
            "M10 3c-4.4 0-7.5 2.7-7.5 6.2 0 2 1 3.7 2.7 4.8-.1 1-.5 2-1.2 2.9 1.6-.1 3-.7 4-1.6.6.1 1.3.2 2 .2 4.4 0 7.5-2.8 7.5-6.3S14.4 3 10 3z"
        }
        Kind::AgentConversationStart | Kind::AgentConversationResume => {
            "M5 4.5h10l2.5 2.5v6l-2.5 2.5h-6.5l-3 2.5v-2.5H5l-2.5-2.5v-6z M10 4.5V2.2 M9 2.2h2"
        }
    };
    // Where the text inside the frame begins, and how wide it is.
    let (x, y, width) = match kind {
        Kind::TaskStart | Kind::TaskResume => (6.8, 8.0, 6.4),
        Kind::HumanConversationStart | Kind::HumanConversationResume => (6.4, 6.8, 7.4),
        Kind::AgentConversationStart | Kind::AgentConversationResume => (6.2, 7.6, 7.6),
    };
    let resumed = matches!(kind, Kind::TaskResume | Kind::HumanConversationResume | Kind::AgentConversationResume);
    let inside = if resumed {
        let dot = move |step: f64| view! { <circle class="glyph-mark" cx=x + 0.7 + step cy=y + 0.8 r="0.8" /> };
        view! { {dot(0.0)} {dot(2.4)} {dot(4.8)} <path d=format!("M{x} {}h{width}", y + 4.0) /> }.into_any()
    } else {
        view! {
            <rect class="glyph-mark" x=x y=y - 0.4 width="3" height="3" />
            <path d=format!("M{} {}h{} M{x} {}h{width}", x + 4.6, y + 1.1, width - 4.6, y + 4.4) />
        }
        .into_any()
    };
    view! { <svg class="glyph" viewBox="0 0 20 20" aria-hidden="true"><path d=frame />{inside}</svg> }
}

/// The glyph of who opened a turn.
#[component]
pub fn OpenerGlyph(
    /// Who.
    by: OpenedBy,
) -> impl IntoView {
    let drawing = match by {
        OpenedBy::User => {
            view! { <circle cx="10" cy="6.6" r="3.2" /><path d="M3.8 17c.5-3.8 2.9-5.7 6.2-5.7s5.7 1.9 6.2 5.7" /> }.into_any()
        }
        // The pilcrow, which scribes set in red where a new thought begins.
        OpenedBy::System => view! {
            <path class="glyph-mark" d="M10.2 3H9a3.9 3.9 0 0 0 0 7.8h1.2z" />
            <path class="glyph-mark-line" d="M8.8 3H16 M10.2 3v14 M13.6 3v14" />
        }
        .into_any(),
        OpenedBy::Agent => view! {
            <path d="M5 6h10l2 2v6.5l-2 2H5l-2-2V8z M10 6V3.5 M8.8 3.5h2.4" />
            <circle class="glyph-solid" cx="7.4" cy="11.2" r="1.2" />
            <circle class="glyph-solid" cx="12.6" cy="11.2" r="1.2" />
        }
        .into_any(),
        OpenedBy::Unknown => view! {
            <circle cx="10" cy="10" r="7.2" stroke-dasharray="2.6 2.6" />
            <circle class="glyph-solid" cx="10" cy="10" r="1.3" />
        }
        .into_any(),
    };
    view! { <svg class="glyph" viewBox="0 0 20 20" aria-hidden="true">{drawing}</svg> }
}

/// The glyph of a kind of call, in the colour of its family.
#[component]
pub fn CallGlyph(
    /// The kind, in the words of the trace.
    kind: String,
) -> impl IntoView {
    let path = match kind.as_str() {
        "runtime" => "M8 2l6 6-6 6-6-6z M8 6l2 2-2 2-2-2z",
        "intent_router" => "M2 8h4 M6 8l5-5h3 M6 8l5 5h3 M12 1l2 2-2 2 M12 11l2 2-2 2",
        "memory" => "M3 4c0-2.4 10-2.4 10 0v8c0 2.4-10 2.4-10 0z M3 4c0 2.4 10 2.4 10 0",
        "task_planner" => "M2.5 4h1 M6.5 4h7 M2.5 8h1 M6.5 8h7 M2.5 12h1 M6.5 12h7",
        "agent" => "M3 5h10v8H3z M8 5V2.5 M6 8.5v1 M10 8.5v1",
        "handler" => "M9 1.5L3.5 9H8l-1 5.5L12.5 7H8z",
        "response_curator" => "M2.5 8.5l3.5 4 7.5-9",
        "guard" => "M8 1.8l5.2 2v3.8c0 3.2-2.4 5.4-5.2 6.6-2.8-1.2-5.2-3.4-5.2-6.6V3.8z",
        "governance" => "M8 2v11.5 M5 13.5h6 M3 4.5h10 M3 4.5l-1.7 4h3.4z M13 4.5l-1.7 4h3.4z",
        "tool" => "M13.6 4.6a3.4 3.4 0 0 1-4.5 4L4.6 13 3 11.4l4.4-4.5a3.4 3.4 0 0 1 4-4.5L9.6 4.2l.4 1.8 1.8.4z",
        "llm" => "M8 1.8l1.6 4.6 4.6 1.6-4.6 1.6L8 14.2 6.4 9.6 1.8 8l4.6-1.6z",
        "error" => "M3.5 3.5l9 9 M12.5 3.5l-9 9",
        _ => "M8 6a2 2 0 1 0 0 4 2 2 0 0 0 0-4z",
    };
    view! { <svg class=format!("call-glyph call-{}", call_family(&kind)) viewBox="0 0 16 16" aria-hidden="true"><path d=path /></svg> }
}
