//! A session in a few figures, and what of its file could not be read as it was.

use super::badge::Badge;
use super::time::TimeText;
use crate::state::wording::{counted, file_size, number};
use leptos::prelude::*;
use proem_core::log::{SessionSummary, SkippedLine};
use proem_core::trace::duration_text;

/// The line of figures under a session's title.
#[component]
pub fn SessionFacts(
    /// What is in the log.
    summary: SessionSummary,
    /// The file's name.
    file_name: String,
    /// Whether hidden turns are shown.
    show_hidden: RwSignal<bool>,
) -> impl IntoView {
    let hidden = summary.hidden_turns;
    let file = format!("{}, {}", file_name, file_size(summary.bytes));
    view! {
        <div class="session-facts numbers" data-session-counts="">
            {summary.openers.into_iter().map(|opener| view! { <Badge>{opener}</Badge> }).collect_view()}
            <span>{counted(summary.turn_count, "turn")}</span>
            {(hidden > 0)
                .then(|| {
                    view! {
                        <label class="check" title="Turns without work of their own, such as a bare “approve”">
                            <input id="show-hidden" type="checkbox" prop:checked=show_hidden on:change:target=move |event| show_hidden.set(event.target().checked()) />
                            "Show " {number(hidden)} " hidden"
                        </label>
                    }
                })}
            <span>{counted(summary.total_tokens, "token")}</span>
            <span>{duration_text(summary.total_duration_ms)} " of work"</span>
            {summary.last_activity_at.map(|at| view! { <span>"Last activity " <TimeText at=at /></span> })}
            <span class="foreign quiet">{file}</span>
        </div>
    }
}

/// What was before the first turn, repaired or left out; nothing when there is nothing to say.
#[component]
pub fn LogNotes(
    /// What is in the log.
    summary: SessionSummary,
    /// The first lines that were left out.
    skipped: Vec<SkippedLine>,
) -> impl IntoView {
    let notes: Vec<String> = [
        (summary.preamble_events, "event", " before the first turn"),
        (summary.repaired_lines, "line", " repaired"),
        (summary.foreign_events, "event", " of another session"),
    ]
    .into_iter()
    .filter(|(count, _, _)| *count > 0)
    .map(|(count, word, rest)| counted(count, word) + rest)
    .collect();
    let left_out = summary.skipped_lines;
    if notes.is_empty() && left_out == 0 {
        return ().into_any();
    }
    let unlisted = left_out.saturating_sub(skipped.len() as u64);
    let row = |line: SkippedLine| {
        view! {
            <li data-line=line.line>
                <span class="numbers">"Line " {number(line.line)}</span>
                " " {line.reason.sentence()} ": " <code class="foreign" dir="auto">{line.excerpt}</code>
            </li>
        }
    };
    view! {
        <div class="log-notes numbers" data-log-notes="">
            {(!notes.is_empty()).then(|| view! { <span>{notes.join(" · ")}</span> })}
            {(left_out > 0)
                .then(|| {
                    view! {
                        <details class="skipped" data-skipped="">
                            <summary>{counted(left_out, "line")} " left out"</summary>
                            <ul>{skipped.into_iter().map(row).collect_view()}</ul>
                            {(unlisted > 0).then(|| view! { <p class="quiet">"And " {counted(unlisted, "line")} " more."</p> })}
                        </details>
                    }
                })}
        </div>
    }
    .into_any()
}
