//! The rows of the ledger that the address asks for, newest first, and the ways to fewer, older and all of them as a file.

use super::filters::Filters;
use crate::api;
use crate::components::{CopyButton, DecisionRow, EmptyState, Failure, Loading};
use crate::page::{Page, SessionSource, SessionView};
use crate::state::decisions::{Leads, leads};
use crate::state::filters::{self, PAGE_ROWS};
use crate::state::wording::{counted, number};
use leptos::html::H2;
use leptos::prelude::*;
use proem_core::api::ApiError;
use proem_core::api::governance::{LedgerPage, LedgerQuery};
use proem_core::ledger::LedgerEntry;

/// How rows of another program come in: a page cannot open its database.
const IMPORT: &str = "proem import audit.db";

type Answer = Result<LedgerPage, ApiError>;

/// Recent decisions.
#[component]
pub fn Decisions(
    /// Which.
    query: Signal<LedgerQuery>,
) -> impl IntoView {
    let fetched = LocalResource::new(move || {
        let wanted = query.get();
        async move {
            let answer = api::ledger(&wanted, PAGE_ROWS).await;
            (wanted, answer)
        }
    });
    let is_fetching =
        Memo::new(move |_| fetched.with(|fetched| fetched.as_ref().is_none_or(|(of, _)| query.with(|query| query != of))));
    // The rows on screen stay until the next are here.
    let shown = Memo::new(move |before: Option<&Option<Answer>>| match fetched.get() {
        Some((of, answer)) if query.with(|query| *query == of) => Some(answer),
        _ => before.cloned().flatten(),
    });
    let page = Memo::new(move |_| shown.with(|shown| shown.as_ref().and_then(|answer| answer.as_ref().ok().cloned())));
    let heading = NodeRef::<H2>::new();
    // Another part of the list is read from its beginning.
    Effect::new(move |before: Option<Option<String>>| {
        let cursor = query.with(|query| query.cursor.clone());
        if before.is_some_and(|before| before != cursor)
            && let Some(heading) = heading.get_untracked()
        {
            heading.scroll_into_view();
            // A heading that cannot take the focus leaves it where it is.
            let _ = heading.focus();
        }
        cursor
    });
    let title = move || {
        let on_screen = page.with(|page| page.as_ref().map(|page| (page.count, page.total)));
        match on_screen {
            Some((count, total)) if count == total => counted(total, "decision"),
            Some((count, total)) => format!("{} of {}", number(count), counted(total, "decision")),
            None => String::new(),
        }
    };
    let export = move |format: &'static str, words: &'static str| {
        view! { <a class="button" data-export=format download=format!("decisions.{format}") href=move || query.with(|query| api::ledger_export(query, format))>{words}</a> }
    };
    let rows = move || match shown.get() {
        None => view! { <Loading text="Loading the decisions…" /> }.into_any(),
        Some(Err(error)) => view! { <Failure error=error on_retry=Callback::new(move |()| fetched.refetch()) /> }.into_any(),
        Some(Ok(page)) if page.entries.is_empty() => view! { <Nothing query=query.get_untracked() /> }.into_any(),
        Some(Ok(page)) => {
            let older = page.next_cursor.clone().map(|cursor| LedgerQuery { cursor: Some(cursor), ..query.get_untracked() });
            view! {
                <ol class="list" aria-label="Decisions, newest first">{page.entries.into_iter().map(row).collect_view()}</ol>
                <Pager query=query.get_untracked() older=older />
            }
            .into_any()
        }
    };
    view! {
        <section class="decisions" aria-labelledby="decisions-title" data-decisions="" aria-busy=move || is_fetching.get().to_string()>
            <div class="list-head">
                <h2 id="decisions-title" tabindex="-1" node_ref=heading>"Recent decisions"</h2>
                <span class="quiet numbers" role="status" data-count="">{title}</span>
                <span class="decisions-export">"Export " {export("jsonl", "JSONL")} {export("csv", "CSV")}</span>
            </div>
            <Filters query=query page=page />
            {rows}
            <p class="list-note decisions-import">
                "A page cannot read a harness's audit.db. Bring its rows in on the command line: " <code>{IMPORT}" --home HOME"</code>
                <CopyButton text=format!("{IMPORT} --home HOME") label="Copy the command" />
            </p>
        </section>
    }
}

fn row(entry: LedgerEntry) -> impl IntoView + use<> {
    let leads = leads(&entry);
    let href = match &leads {
        Leads::Turn { stored, turn, .. } => {
            let source = SessionSource::Stored(stored.clone());
            Some(Page::Session(SessionView { turn: Some(turn.clone()), ..SessionView::of(source) }).to_url())
        }
        Leads::Nowhere(_) => None,
    };
    view! { <DecisionRow entry=entry leads=leads href=href /> }
}

fn address(query: LedgerQuery) -> String {
    Page::Governance(Box::new(query)).to_url()
}

#[component]
fn Pager(query: LedgerQuery, older: Option<LedgerQuery>) -> impl IntoView {
    let newest = query.cursor.is_some().then(|| filters::first_page(&query));
    if newest.is_none() && older.is_none() {
        return ().into_any();
    }
    view! {
        <nav class="pager" aria-label="More decisions">
            {newest.map(|query| view! { <a class="button" data-newest="" href=address(query)>"Newest"</a> })}
            {older.map(|query| view! { <a class="button" data-older="" href=address(query)>"Older"</a> })}
        </nav>
    }
    .into_any()
}

/// No rows, and what to do about that.
#[component]
fn Nothing(query: LedgerQuery) -> impl IntoView {
    if filters::count(&query) > 0 || query.cursor.is_some() {
        return view! {
            <EmptyState title="No decision matches" text="Every filter has to match a row.">
                <a class="button" data-clear="" href=address(LedgerQuery::default())>"Show all decisions"</a>
            </EmptyState>
        }
        .into_any();
    }
    view! {
        <EmptyState title="No decisions yet" text="Each answer is checked before it is shown, and each check leaves a row here. Say something in Chat to see one.">
            <a class="button button-primary" href=Page::Chat(None).to_url()>"Go to Chat"</a>
        </EmptyState>
    }
    .into_any()
}
