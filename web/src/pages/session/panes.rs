//! An opened session: its head, the conversation, and beside it the trace of the chosen turn.

use super::open::{LogView, OpenedLog};
use super::store::StoreButton;
use crate::components::{CallTrace, Failure, LogNotes, Prompt, Replay, SessionFacts, Tab, Take, is_typing, move_between_tabs};
use crate::navigate::use_navigation;
use crate::page::{Page, SessionSource, SessionView};
use crate::pages::{PageHead, PartsView};
use crate::state::conversation::step;
use crate::state::drawn::Drawn;
use crate::state::filters;
use leptos::ev;
use leptos::prelude::*;
use leptos::task::spawn_local;
use proem_core::api::ApiError;
use proem_core::trace::{Node, Step};
use std::ops::Range;
use std::sync::Arc;

/// Which pane is in front where there is room for one.
#[derive(Clone, Copy, PartialEq)]
enum Front {
    Conversation,
    Trace,
}

/// The panes of a session.
#[component]
pub fn Panes(
    /// The log.
    opened: Arc<OpenedLog>,
    /// Where it comes from.
    source: SessionSource,
    /// What is chosen.
    view: Signal<SessionView>,
    /// For traces.
    log: LogView,
) -> impl IntoView {
    let navigation = use_navigation();
    let talk = opened.conversation.clone();
    // A lock that was broken by a panic has nothing to tell; the words are then fetched like all others.
    let first_said = opened.first_said.lock().map(|mut said| std::mem::take(&mut *said)).unwrap_or_default();
    let said = PartsView::new(first_said, log.held(), move |range| log.messages(range));
    let show_hidden = RwSignal::new(false);
    // A link to a call is about the trace.
    let front = RwSignal::new(if view.with_untracked(|view| view.node.is_some()) { Front::Trace } else { Front::Conversation });

    let finder = talk.clone();
    let found =
        Memo::new(move |_| view.with(|view| view.turn.as_ref().map(|turn| finder.find(turn).ok_or_else(|| turn.clone()))));
    let first = talk.first();
    let chosen = Memo::new(move |_| match found.get() {
        Some(Ok(position)) => Some(position),
        _ => first,
    });
    let missing = move || match found.get() {
        Some(Err(turn)) => Some(format!("There is no turn {turn} in this log; the first one is shown.")),
        _ => None,
    };
    let lister = talk.clone();
    // The chosen turn is always listed, but choosing another listed one changes nothing in the list.
    let extra = {
        let talk = talk.clone();
        Memo::new(move |_| chosen.get().filter(|at| talk.turn(*at).is_some_and(|turn| !turn.listed)))
    };
    let shown = Memo::new(move |_| lister.shown(show_hidden.get(), extra.get()));

    let page_of = {
        let (source, talk) = (source.clone(), talk.clone());
        move |position: usize, node: Option<String>| {
            let turn = talk.turn(position).map(|turn| turn.reference.clone());
            Page::Session(SessionView { source: source.clone(), turn, node })
        }
    };
    let href = {
        let page_of = page_of.clone();
        Callback::new(move |position: usize| page_of(position, None).to_url())
    };
    let choose = {
        let page_of = page_of.clone();
        Callback::new(move |position: usize| {
            if chosen.get_untracked() != Some(position) {
                navigation.go(&page_of(position, None));
            }
        })
    };
    let choose_node = Callback::new(move |node: Option<String>| {
        if let Some(position) = chosen.get_untracked() {
            navigation.replace(&page_of(position, node));
        }
    });
    let keys = {
        let (source, talk) = (source.clone(), talk.clone());
        window_event_listener(ev::keydown, move |event| {
            let modified = event.ctrl_key() || event.meta_key() || event.alt_key();
            if modified || event.default_prevented() || is_typing(&event) {
                return;
            }
            let by = match event.key().as_str() {
                "j" => 1,
                "k" => -1,
                _ => return,
            };
            event.prevent_default();
            if let Some(position) = step(&shown.get_untracked(), chosen.get_untracked(), by) {
                let turn = talk.turn(position).map(|turn| turn.reference.clone());
                navigation.replace(&Page::Session(SessionView { source: source.clone(), turn, node: None }));
            }
        })
    };
    on_cleanup(move || keys.remove());

    let turns = talk.clone();
    let reference = Memo::new(move |_| chosen.get().and_then(|at| turns.turn(at).map(|turn| turn.reference.clone())));
    let trace = LocalResource::new(move || {
        let turn = reference.get();
        let _ = (log.held().get(), log.decided().get());
        async move { (turn.clone(), log.trace(turn.unwrap_or_default()).await) }
    });
    // The trace on screen stays until the next one is here, so that stepping through turns does not flicker.
    let drawn = Memo::new(move |before: Option<&Shown>| {
        let now = trace.get().filter(|(turn, answer)| *turn == reference.get() && answer.is_some());
        match now {
            Some((Some(turn), Some(answer))) => Shown(Some((turn, answer))),
            _ => before.cloned().unwrap_or(Shown(None)),
        }
    });
    let node = Memo::new(move |_| view.with(|view| view.node.clone()));

    let turns = talk.clone();
    let trace_view = move || match drawn.get().0 {
        Some((turn, Ok(trace))) => {
            let of = turns.find(&turn).and_then(|at| turns.turn(at).cloned());
            let decisions = Page::Governance(Box::new(filters::of_turn(&turn))).to_url();
            let (reference, same, of_prompt) = (turn.clone(), turn.clone(), turn);
            let fetch_call = move |(call, take): (usize, Take<Node>)| {
                let turn = reference.clone();
                spawn_local(async move {
                    let answer = log.call(turn, call).await;
                    take.try_run(answer);
                });
            };
            let fetch_steps = move |(range, take): (Range<usize>, Take<Vec<Step>>)| {
                let turn = same.clone();
                spawn_local(async move {
                    let answer = log.steps(turn, range).await;
                    take.try_run(answer);
                });
            };
            let fetch_prompt = move |(node, take): (String, Take<Prompt>)| {
                let turn = of_prompt.clone();
                spawn_local(async move {
                    let answer = log.prompt(turn, node).await;
                    take.try_run(answer);
                });
            };
            view! { <CallTrace trace=trace turn=of node=node on_node=choose_node fetch_call=fetch_call fetch_prompt=fetch_prompt fetch_steps=fetch_steps decisions_href=decisions decisions_note=log.ledger_note() /> }.into_any()
        }
        Some((_, Err(error))) => {
            let again = move |()| {
                log.try_trace_again();
                trace.refetch();
            };
            view! { <Failure error=error on_retry=Callback::new(again) /> }.into_any()
        }
        None if reference.get().is_none() => {
            view! { <p class="quiet">"There is no turn in this log, so there are no calls."</p> }.into_any()
        }
        None => view! { <p class="loading" role="status">"Drawing the trace…"</p> }.into_any(),
    };

    let summary = opened.summary.clone();
    let title = summary.title.clone();
    let store = match source {
        SessionSource::Local(link) => Some(link),
        _ => None,
    };
    let tab = move |own: Front, words: &'static str, id: &'static str, panel: &'static str| {
        let chosen = Signal::derive(move || front.get() == own);
        view! { <Tab words=words id=id panel=panel chosen=chosen on_choose=move |()| front.set(own) /> }
    };
    view! {
        <div class="session" data-front=move || if front.get() == Front::Trace { "trace" } else { "conversation" }>
            <div class="session-head">
                <PageHead title=title>{store.map(|link| view! { <StoreButton link=link /> })}</PageHead>
                <SessionFacts summary=summary.clone() file_name=opened.file_name.clone() show_hidden=show_hidden />
                <LogNotes summary=summary skipped=opened.skipped.clone() />
                {move || missing().map(|words| view! { <p class="warn-text" role="status">{words}</p> })}
            </div>
            <div class="tabs session-tabs" role="tablist" aria-label="Conversation or trace" on:keydown=move_between_tabs>
                {tab(Front::Conversation, "Conversation", "tab-conversation", "pane-conversation")}
                {tab(Front::Trace, "Call trace", "tab-trace", "pane-trace")}
            </div>
            <section class="pane pane-conversation" id="pane-conversation" aria-label="Conversation" tabindex="-1">
                <Replay talk=talk shown=shown near=said.near() said=Callback::new(move |at| said.of(at)) on_again=Callback::new(move |()| said.again()) chosen=chosen href=href on_choose=choose on_calls=move |position| { choose.run(position); front.set(Front::Trace); } />
            </section>
            <section class="pane pane-trace" id="pane-trace" aria-label="Call trace">{trace_view}</section>
        </div>
    }
}

/// A trace that is here, or why not, by the turn's reference. Two are the same when they are the same answer.
#[derive(Clone)]
struct Shown(Option<(String, Result<Arc<Drawn>, ApiError>)>);

impl PartialEq for Shown {
    fn eq(&self, other: &Shown) -> bool {
        match (&self.0, &other.0) {
            (Some((left, Ok(one))), Some((right, Ok(two)))) => left == right && Arc::ptr_eq(one, two),
            (Some((left, Err(one))), Some((right, Err(two)))) => left == right && one == two,
            (None, None) => true,
            _ => false,
        }
    }
}
