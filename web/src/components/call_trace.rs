//! The call trace of one turn: its calls on a time axis, or its steps in words; and the chosen call in full.

use super::call_detail::CallDetail;
use super::call_rows::CallRows;
use super::decision_timeline::DecisionTimeline;
use super::list_keys::move_between_tabs;
use super::recorded_prompt::{Prompt, RecordedPrompt, has_prompt};
use super::step_list::StepList;
use super::tab::Tab;
use crate::state::drawn::Drawn;
use crate::state::wording::{counted, opened_by, turn_duration};
use leptos::prelude::*;
use proem_core::api::ApiError;
use proem_core::log::{OpenedBy, Turn};
use proem_core::trace::{Node, Step};
use std::ops::Range;
use std::sync::Arc;

/// Is handed what was fetched, or why it could not be.
pub type Take<T> = Callback<Result<T, ApiError>>;

#[derive(Clone, Copy, PartialEq)]
enum View {
    Calls,
    Steps,
}

/// A trace with its drawing.
#[component]
pub fn CallTrace(
    /// The trace.
    trace: Arc<Drawn>,
    /// The turn they belong to.
    turn: Option<Turn>,
    /// Id of the chosen call.
    node: Memo<Option<String>>,
    /// Another call was chosen, or none.
    on_node: Callback<Option<String>>,
    /// Fetches the call at a position in full and hands it over.
    #[prop(into)]
    fetch_call: Callback<(usize, Take<Node>)>,
    /// Fetches the envelopes in what a call, by its id, was given.
    #[prop(into)]
    fetch_prompt: Callback<(String, Take<Prompt>)>,
    /// Fetches some steps and hands them over.
    #[prop(into)]
    fetch_steps: Callback<(Range<usize>, Take<Vec<Step>>)>,
    /// Where the ledger has what was decided about the turn.
    decisions_href: String,
    /// Why what was decided is not here, or not all of it.
    #[prop(into)]
    decisions_note: Signal<Option<String>>,
) -> impl IntoView {
    let drawn = trace;
    let trace = drawn.drawing.clone();
    let view = RwSignal::new(View::Calls);
    // A call that the pointer rests on is shown in place of the chosen one.
    let pointed = RwSignal::new(None::<usize>);
    let finder = trace.clone();
    let chosen =
        Memo::new(move |_| node.with(|id| id.as_ref().and_then(|id| finder.0.nodes.iter().position(|node| node.id == *id))));
    let heading = turn.as_ref().map(|turn| {
        let name = turn.index.map_or_else(|| "Resumed run".to_owned(), |index| format!("Turn {index}"));
        let (duration, source) = turn_duration(turn);
        // A resumed run is called so in the heading already.
        let who = (turn.opened_by != OpenedBy::Unknown).then(|| opened_by(turn.opened_by));
        view! {
            <h2 class="trace-title">{name}</h2>
            <p class="trace-facts numbers">
                {who.map(|who| view! { <span>{who}</span> })}
                <span title=source>{duration}</span>
                <span>{counted(trace.0.nodes.len() as u64, "call")}</span>
                {(trace.0.total_tokens > 0).then(|| view! { <span>{counted(trace.0.total_tokens, "token")}</span> })}
                {(trace.0.unplaced > 0).then(|| view! { <span>{counted(trace.0.unplaced, "call")} " unplaced"</span> })}
            </p>
        }
    });
    let tab = move |own: View, words: &'static str, id: &'static str, panel: &'static str| {
        let chosen = Signal::derive(move || view.get() == own);
        view! { <Tab words=words id=id panel=panel chosen=chosen on_choose=move |()| view.set(own) /> }
    };
    let calls = trace.clone();
    let reference = trace.0.reference.clone();
    let steps = drawn.clone();
    let decisions = {
        let count = drawn.decision_count;
        view! { <DecisionTimeline trace=trace.clone() count=count href=decisions_href note=decisions_note on_node=on_node /> }
    };
    let missing = {
        let trace = trace.clone();
        move || {
            let wanted = node.get()?;
            let unknown = !trace.0.nodes.iter().any(|node| node.id == wanted);
            unknown.then(|| view! { <p class="warn-text">"There is no call " <code>{wanted}</code> " in this turn."</p> })
        }
    };
    // The chosen call in full, where its texts were cut.
    let whole = RwSignal::new(None::<(usize, Result<Node, ApiError>)>);
    let cut = drawn.clone();
    Effect::new(move |_| {
        let wanted = chosen.get().filter(|at| cut.is_cut(*at));
        if let Some(at) = wanted.filter(|at| whole.with_untracked(|whole| whole.as_ref().is_none_or(|(have, _)| have != at))) {
            let take = move |answer| {
                if chosen.try_get_untracked() == Some(Some(at)) {
                    whole.try_set(Some((at, answer)));
                }
            };
            fetch_call.run((at, Callback::new(take)));
        }
    });
    // The envelopes in what the chosen call was given.
    let prompt = RwSignal::new(None::<(String, Result<Prompt, ApiError>)>);
    Effect::new(move |_| {
        let wanted = node.get().filter(|id| has_prompt(id));
        if let Some(id) = wanted.filter(|id| prompt.with_untracked(|have| have.as_ref().is_none_or(|(have, _)| have != id))) {
            let own = id.clone();
            let take = move |answer| {
                if node.try_get_untracked().flatten().as_ref() == Some(&own) {
                    prompt.try_set(Some((own.clone(), answer)));
                }
            };
            fetch_prompt.run((id, Callback::new(take)));
        }
    });
    let detail = move || {
        let at = pointed.get().or(chosen.get());
        match at.and_then(|at| Some((at, trace.0.nodes.get(at)?))) {
            Some((at, node)) => {
                let whole = whole.get().filter(|(have, _)| *have == at).map(|(_, answer)| answer);
                let rest = match &whole {
                    None if !drawn.is_cut(at) => None,
                    None if chosen.get() == Some(at) => {
                        Some("The texts of this call are long; the rest is being fetched…".to_owned())
                    }
                    None => Some("The texts of this call are long; choose it to read them in full.".to_owned()),
                    Some(Ok(_)) => None,
                    Some(Err(error)) => Some(format!("Only the beginning of its texts is here. {}", error.message)),
                };
                let node = whole.and_then(Result::ok).unwrap_or_else(|| node.clone());
                let rows = node.governance.as_ref().map(|card| card.rows.as_slice()).unwrap_or_default();
                let of_node = trace.0.governance.iter().filter(|event| rows.contains(&event.entry.id));
                let decisions = of_node.map(|event| event.entry.clone()).collect::<Vec<_>>();
                let prompt = prompt
                    .get()
                    .filter(|(have, _)| *have == node.id)
                    .map(|(_, prompt)| view! { <RecordedPrompt prompt=prompt /> });
                view! { <CallDetail node=node rest=rest decisions=decisions /> {prompt} }.into_any()
            }
            None => view! { <p class="trace-hint">"Choose a call to read what went in and what came out."</p> }.into_any(),
        }
    };
    view! {
        <div class="trace" data-trace=reference>
            <div class="trace-head">
                <div>{heading}</div>
                <div class="tabs trace-tabs" role="tablist" aria-label="Trace views" on:keydown=move_between_tabs>
                    {tab(View::Calls, "Calls", "tab-calls", "panel-calls")}
                    {tab(View::Steps, "Steps", "tab-steps", "panel-steps")}
                </div>
            </div>
            <div id="panel-calls" role="tabpanel" aria-labelledby="tab-calls" hidden=move || view.get() != View::Calls>
                <CallRows trace=calls chosen=chosen pointed=pointed on_node=on_node />
                {missing}
                {detail}
            </div>
            <div id="panel-steps" role="tabpanel" aria-labelledby="tab-steps" hidden=move || view.get() != View::Steps>
                {move || (view.get() == View::Steps).then(|| view! { <StepList trace=steps.clone() fetch=fetch_steps /> })}
            </div>
            {decisions}
        </div>
    }
}
