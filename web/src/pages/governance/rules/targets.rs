//! What to run and over what, with the button that does it.

use super::results::Results;
use super::run::{Progress, RunView, Stage, Targets};
use super::text::Text;
use crate::api;
use crate::components::{EmptyState, Failure, FileChooser, Loading, Segment, Segmented, use_file_drop};
use crate::files;
use crate::page::Page;
use crate::state::wording::number;
use leptos::prelude::*;
use proem_core::api::SessionList;
use proem_core::assertion::BUILT_IN;
use web_sys::File;

/// Which rules are run.
#[derive(Clone, Copy, PartialEq)]
enum Which {
    Own,
    BuiltIn,
}

/// The right pane.
#[component]
pub(super) fn RunPane(text: Text, run: RunView) -> impl IntoView {
    let starts_blank = text.draft.with_untracked(|draft| draft.body.trim().is_empty());
    let which = RwSignal::new(if starts_blank { Which::BuiltIn } else { Which::Own });
    let with_stored = RwSignal::new(true);
    let with_files = RwSignal::new(true);
    let sessions = LocalResource::new(api::sessions);
    let take = move |chosen: Vec<File>| {
        for file in chosen {
            files::keep(file);
        }
        with_files.set(true);
    };
    let hovering = use_file_drop(take);
    let local = Memo::new(move |_| files::recent());
    let stored_count =
        Memo::new(move |_| sessions.get().and_then(Result::ok).map(|list: SessionList| list.sessions.len() as u64));
    let stored_words = move || match sessions.get() {
        None => "All stored sessions…".to_owned(),
        Some(Ok(list)) => format!("All stored sessions ({}) and the ledger", number(list.sessions.len() as u64)),
        Some(Err(_)) => "All stored sessions (they could not be listed)".to_owned(),
    };
    let targets = move || Targets {
        stored: with_stored.get().then(|| sessions.get().and_then(Result::ok).map(|list| list.sessions)).flatten(),
        files: if with_files.get() { local.get() } else { Vec::new() },
    };
    let why_not = Memo::new(move |_| {
        let Targets { stored, files } = targets();
        match which.get() {
            Which::Own if text.has_faults() => Some("Mend the errors first."),
            _ if stored.is_none_or(|stored| stored.is_empty()) && files.is_empty() => Some("Choose something to run over."),
            _ => None,
        }
    });
    let start = move |_| {
        if why_not.get_untracked().is_none() {
            let rules = match which.get_untracked() {
                Which::Own => text.draft.with_untracked(|draft| draft.body.clone()),
                Which::BuiltIn => BUILT_IN.to_owned(),
            };
            run.start(rules, untrack(targets));
        }
    };
    let is_running = Memo::new(move |_| run.stage.with(|stage| matches!(stage, Stage::Running(_))));
    let state = move || {
        run.stage.with(|stage| match stage {
            Stage::Idle => "idle",
            Stage::Running(_) => "running",
            Stage::Failed(_) => "failed",
            Stage::Judged(_) => "judged",
        })
    };
    let shown = move || {
        match run.stage.get() {
        Stage::Idle if stored_count.get() == Some(0) && local.with(Vec::is_empty) => view! {
            <EmptyState title="Nothing to run over yet" text="Rules are held against recorded sessions. Say something in Chat, or choose session logs of your own.">
                <a class="button" href=Page::Chat(None).to_url()>"Go to Chat"</a>
            </EmptyState>
        }
        .into_any(),
        Stage::Idle => ().into_any(),
        Stage::Running(_) => ().into_any(),
        Stage::Failed(error) => view! { <Failure error=error /> }.into_any(),
        Stage::Judged(judged) => view! { <Results judged=judged /> }.into_any(),
    }
    };
    // The bar stays the same element while it moves.
    let progress = Memo::new(move |_| match run.stage.get() {
        Stage::Running(progress) => Some(progress),
        _ => None,
    });
    // A run that is under way does not build what stands below it anew.
    let below = Memo::new(move |_| is_running.get());
    view! {
        <section class="rules-run" aria-labelledby="run-title" class:dropping=hovering data-run-state=state>
            <h2 id="run-title">"Run them"</h2>
            <Segmented
                label="Which rules"
                segments=vec![Segment::new(Which::Own, "These rules"), Segment::new(Which::BuiltIn, "Built-in rules")]
                value=which
                on_change=move |value| which.set(value)
            />
            <fieldset class="rules-targets">
                <legend class="visually-hidden">"Over what"</legend>
                <label><input type="checkbox" data-over-stored="" prop:checked=with_stored on:change:target=move |event| with_stored.set(event.target().checked()) />" "{stored_words}</label>
                <label><input type="checkbox" data-over-files="" prop:checked=with_files on:change:target=move |event| with_files.set(event.target().checked()) />" "{move || format!("Files of this device ({})", number(local.with(Vec::len) as u64))}</label>
                <FileChooser id="rule-files" label="Choose files" multiple=true on_files=take />
            </fieldset>
            <p class="list-note">"Everything is read and judged on this device. Files are not uploaded."</p>
            {move || match (is_running.get(), sessions.get()) {
                (true, _) => view! { <Bar progress=progress run=run /> }.into_any(),
                (false, None) => view! { <Loading text="Looking for stored sessions…" /> }.into_any(),
                (false, Some(_)) => view! {
                    <p>
                        <button type="button" class="button button-primary" data-run="" aria-disabled=move || why_not.get().is_some().to_string() aria-describedby="run-why" on:click=start>"Run"</button>
                        " " <span id="run-why" class="quiet">{move || why_not.get()}</span>
                    </p>
                }
                .into_any(),
            }}
            {move || (!below.get()).then(shown)}
        </section>
    }
}

#[component]
fn Bar(progress: Memo<Option<Progress>>, run: RunView) -> impl IntoView {
    let of = move |pick: fn(&Progress) -> usize| progress.with(|progress| progress.as_ref().map_or(0, pick)) as f64;
    let words = move || {
        progress.with(|progress| {
            progress.as_ref().map(|progress| format!("{} of {}", number(progress.done as u64), number(progress.total as u64)))
        })
    };
    let name = move || progress.with(|progress| progress.as_ref().map(|progress| progress.name.clone()));
    view! {
        <div class="progress-line" data-run-progress="">
            <progress max=move || of(|progress| progress.total) prop:value=move || of(|progress| progress.done) aria-label="Running the rules"></progress>
            <span class="numbers quiet" role="status">{words}</span>
            <button type="button" class="button" data-cancel="" on:click=move |_| run.cancel()>"Cancel"</button>
        </div>
        <p class="quiet foreign">{name}</p>
    }
}
