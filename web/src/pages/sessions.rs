//! All sessions that the server stores, and the place to drop a log file on.

use super::{Loaded, PageHead};
use crate::api;
use crate::components::{Badge, EmptyState, FileChooser, TimeText, use_file_drop, use_list_keys};
use crate::files::{self, Reading, RecentFile};
use crate::navigate::use_navigation;
use crate::page::{Page, SessionSource, SessionView};
use crate::state::wording::{counted, file_size, number};
use leptos::prelude::*;
use leptos::task::spawn_local;
use proem_core::api::{SessionList, StoredSession};
use proem_core::log::SessionSummary;
use proem_core::trace::duration_text;
use web_sys::File;

/// The list of sessions.
#[component]
pub fn Sessions() -> impl IntoView {
    use_list_keys();
    let navigation = use_navigation();
    let sessions = LocalResource::new(api::sessions);
    let fault = RwSignal::new(None::<String>);
    let reading = RwSignal::new(None::<(RecentFile, Reading)>);
    let open = move |file: RecentFile| {
        if let Some((_, before)) = reading.get_untracked() {
            before.cancelled.set(true);
        }
        let now = Reading::new();
        let number = file.number;
        fault.set(None);
        reading.set(Some((file, now.clone())));
        spawn_local(async move {
            let found = files::identify(number, now).await;
            match found {
                Ok(link) => navigation.go(&Page::Session(SessionView::of(SessionSource::Local(link)))),
                Err(sentence) => {
                    if sentence.is_some() {
                        files::forget(number);
                        fault.try_set(sentence);
                    }
                    reading.try_update(|reading| {
                        if reading.as_ref().is_some_and(|(file, _)| file.number == number) {
                            *reading = None;
                        }
                    });
                }
            }
        });
    };
    on_cleanup(move || {
        if let Some((_, reading)) = reading.try_get_untracked().flatten() {
            reading.cancelled.set(true);
        }
    });
    let take = move |chosen: Vec<File>| {
        let kept: Vec<RecentFile> = chosen
            .into_iter()
            .map(|file| RecentFile { name: file.name(), size: file.size() as u64, number: files::keep(file) })
            .collect();
        if let Some(first) = kept.into_iter().next() {
            open(first);
        }
    };
    let hovering = use_file_drop(take);
    view! {
        <div class="page sessions-page">
            <PageHead title="Sessions" lead="What really happened, turn by turn: who opened each one, what was said, and which calls were made." />
            <section class="drop-zone" class:dropping=hovering data-drop-zone="" aria-label="Open a log file">
                {move || match reading.get() {
                    Some((file, now)) => view! { <Identifying file=file reading=now /> }.into_any(),
                    None => view! {
                        <p class="drop-zone-title">{move || if hovering.get() { "Let go to open it" } else { "Drop session logs anywhere on this page" }}</p>
                        <p class="drop-zone-text">"A .jsonl file is read on this device. Nothing is uploaded."</p>
                        <FileChooser id="log-files" label="Choose files" multiple=true on_files=take />
                    }
                    .into_any(),
                }}
                <p class="field-fault" role="alert" data-file-fault="">{fault}</p>
            </section>
            <Recent on_open=Callback::new(open) />
            <Loaded resource=sessions loading="Loading the sessions…" show=|list: SessionList| view! { <Stored sessions=list.sessions /> } />
        </div>
    }
}

#[component]
fn Identifying(file: RecentFile, reading: Reading) -> impl IntoView {
    let size = file.size;
    let Reading { read, cancelled } = reading;
    let (shown, bar) = (read.clone(), read);
    view! {
        <p class="drop-zone-title" role="status">"Reading " <span class="foreign">{file.name}</span></p>
        <div class="progress-line">
            <progress max=size.max(1) as f64 prop:value=move || bar.get() as f64 aria-label="Reading"></progress>
            <span class="numbers quiet">{move || format!("{} of {}", file_size(shown.get()), file_size(size))}</span>
            <button type="button" class="button" on:click=move |_| cancelled.set(true)>"Cancel"</button>
        </div>
    }
}

/// Files that were opened since the page was loaded.
#[component]
fn Recent(on_open: Callback<RecentFile>) -> impl IntoView {
    let row = move |file: RecentFile| {
        let (name, shown, size, again) = (file.name.clone(), file.name.clone(), file_size(file.size), file.clone());
        view! {
            <li class="list-row" data-local-file=shown>
                <button type="button" class="list-title foreign" on:click=move |_| on_open.run(again.clone())>{name}</button>
                <div class="list-facts"><span>{size}</span></div>
            </li>
        }
    };
    move || {
        let recent = files::recent();
        (!recent.is_empty()).then(|| {
            view! {
                <section class="list-section">
                    <h2>"Opened from this device"</h2>
                    <p class="list-note">"Kept here until this page is closed."</p>
                    <ul class="list" aria-label="Opened from this device">{recent.into_iter().map(row).collect_view()}</ul>
                </section>
            }
        })
    }
}

#[component]
fn Stored(sessions: Vec<StoredSession>) -> impl IntoView {
    let example = Page::Session(SessionView::of(SessionSource::Example)).to_url();
    if sessions.is_empty() {
        let text = "A session log shows how each turn opened and what came of it. The example is a short one of our own.";
        return view! {
            <EmptyState title="No sessions yet" text=text>
                <a class="button button-primary" href=example>"Open the example log"</a>
            </EmptyState>
        }
        .into_any();
    }
    let filter = RwSignal::new(String::new());
    let count = sessions.len() as u64;
    let rows = StoredValue::new(sessions.into_iter().map(|session| (words_of(&session), session)).collect::<Vec<_>>());
    let matching = Memo::new(move |_| {
        let wanted = filter.get().trim().to_lowercase();
        rows.with_value(|rows| (0..rows.len()).filter(|at| rows[*at].0.contains(&wanted)).collect::<Vec<usize>>())
    });
    let show = move |at: usize| rows.with_value(|rows| rows.get(at).map(|(_, session)| session.clone()));
    view! {
        <section class="list-section">
            <div class="list-head">
                <h2>"Stored on this server"</h2>
                <span class="quiet numbers" role="status">
                    {move || match matching.with(Vec::len) as u64 {
                        shown if shown == count => counted(count, "session"),
                        shown => format!("{} of {}", number(shown), counted(count, "session")),
                    }}
                </span>
                <input
                    class="input list-filter"
                    type="search"
                    data-filter=""
                    aria-label="Filter sessions"
                    placeholder="Filter  /"
                    prop:value=filter
                    on:input:target=move |event| filter.set(event.target().value())
                />
            </div>
            <Show
                when=move || matching.with(|matching| !matching.is_empty())
                fallback=move || view! { <p class="list-nothing">"No stored session matches “" {filter} "”. "<button type="button" class="button" on:click=move |_| filter.set(String::new())>"Show all"</button></p> }
            >
                <ul class="list" aria-label="Stored sessions">
                    <For each=move || matching.get() key=|at| *at let:at>{show(at).map(|session| view! { <Row session=session /> })}</For>
                </ul>
            </Show>
            <p class="list-note"><a href=example.clone()>"Open the example log"</a></p>
        </section>
    }
    .into_any()
}

/// What the filter looks at.
fn words_of(session: &StoredSession) -> String {
    let summary = &session.summary;
    [summary.title.as_str(), &session.file_name, &summary.session_id, &summary.openers.join(" ")].join("\n").to_lowercase()
}

#[component]
fn Row(session: StoredSession) -> impl IntoView {
    let StoredSession { id, file_name, summary, .. } = session;
    let SessionSummary {
        title,
        openers,
        turn_count,
        hidden_turns,
        skipped_lines,
        total_tokens,
        total_duration_ms,
        last_activity_at,
        ..
    } = summary;
    let title = if title.is_empty() { file_name.clone() } else { title };
    let stored_id = id.clone();
    let turns = match hidden_turns {
        0 => counted(turn_count, "turn"),
        hidden => format!("{}, {} hidden", counted(turn_count, "turn"), number(hidden)),
    };
    view! {
        <li class="list-row" data-session=stored_id>
            <div>
                <a class="list-title foreign" href=Page::Session(SessionView::of(SessionSource::Stored(id))).to_url()>{title}</a>
                <p class="list-text foreign">{file_name}</p>
            </div>
            <div class="list-facts">
                {openers.into_iter().map(|opener| view! { <Badge>{opener}</Badge> }).collect_view()}
                {(skipped_lines > 0).then(|| view! { <span class="warn-text">{counted(skipped_lines, "line")} " left out"</span> })}
                <span>{turns}</span>
                <span>{counted(total_tokens, "token")}</span>
                <span>{duration_text(total_duration_ms)}</span>
                {last_activity_at.map(|at| view! { <TimeText at=at /> })}
            </div>
        </li>
    }
}
