//! The views that ask the engine about the text: which facts it reads, and why a place of it is not in the opening. They ask when the
//! writer rests, and only while they are open.

use super::super::bench::Bench;
use crate::components::{IconName, PlaceRow, PlaceWords, Segment, Segmented, SituationMatrix, code_words, sentence};
use crate::engine::{EngineFault, use_engine};
use crate::state::conditions::told;
use crate::state::margin::Margin;
use crate::state::matrix::fact_rows;
use crate::state::pieces::byte_of_utf16;
use gloo_timers::future::TimeoutFuture;
use leptos::prelude::*;
use leptos::task::spawn_local;
use proem_core::opening::sample::Sample;
use proem_core::template::why::{Condition, Why};
use proem_core::worker::{PreviewAnswer, PreviewRequest};

/// A question is asked when nothing has changed for this long.
const REST_MS: u32 = 150;

type Answered = Option<(PreviewRequest, Result<PreviewAnswer, EngineFault>)>;

/// Asks whenever there is another question, and gives the newest answer. An answer to a question that is no longer asked is dropped.
fn ask(question: Memo<Option<PreviewRequest>>) -> RwSignal<Answered> {
    let engine = use_engine();
    let answered: RwSignal<Answered> = RwSignal::new(None);
    Effect::new(move || {
        let Some(asked) = question.get() else { return };
        spawn_local(async move {
            let is_asked = |asked: &PreviewRequest| question.try_get_untracked().flatten().as_ref() == Some(asked);
            TimeoutFuture::new(REST_MS).await;
            if is_asked(&asked) {
                let answer = engine.preview(asked.clone()).await;
                if is_asked(&asked) && answer != Err(EngineFault::Superseded) {
                    answered.try_set(Some((asked, answer)));
                }
            }
        });
    });
    answered
}

/// What stands there instead of an answer.
fn words(bench: Bench, answered: RwSignal<Answered>) -> Option<String> {
    if bench.is_stopped() {
        return Some("There is no answer, because the preview was stopped.".to_owned());
    }
    answered.with(|answered| match answered {
        None => Some("Looking…".to_owned()),
        Some((_, Err(fault))) => Some(sentence(&fault.to_string())),
        Some(_) => None,
    })
}

pub(super) fn facts(bench: Bench) -> impl IntoView {
    let question = Memo::new(move |_| bench.is_fresh().then(|| PreviewRequest::Reads { body: bench.body() }));
    let answered = ask(question);
    let view = Memo::new(move |_| bench.view.with(|view| view.margin));
    let rows = Memo::new(move |_| {
        let variant = bench.view.with(|view| view.variant);
        answered.with(|answered| match answered {
            Some((_, Ok(PreviewAnswer::Reads { samples, facts }))) => fact_rows(samples, facts, variant, view.get()),
            _ => Vec::new(),
        })
    });
    let segments =
        vec![Segment::new(Margin::Facts, "All"), Segment::new(Margin::Read, "Read"), Segment::new(Margin::Unused, "Never read")];
    view! {
        <div class="margin-head">
            <Segmented label="Which facts" segments=segments value=view on_change=move |margin| bench.choose(|view| view.margin = margin) />
            <p class="quiet matrix-key">{move || words(bench, answered).map_or_else(key, IntoAny::into_any)}</p>
        </div>
        <SituationMatrix title="Fact" rows=rows on_pick=|_| {} />
    }
}

/// What the signs of the table mean.
fn key() -> AnyView {
    ["read", "not read", "asked for, not there"]
        .map(|word| view! { <span data-mark=word>{word}</span> })
        .collect_view()
        .into_any()
}

pub(super) fn why(bench: Bench) -> impl IntoView {
    let question = Memo::new(move |_| {
        bench.is_fresh().then(|| {
            let view = bench.view.get();
            let body = bench.body();
            let position = bench.selection.get().map(|(from, _)| byte_of_utf16(&body, from));
            // Before the cursor stands anywhere: the first text that a condition decides on.
            let first = || bench.preview.with_untracked(|it| Some(it.coverage.as_ref()?.1.arms.first()?.body?.0));
            let position = position.or_else(first).unwrap_or_default();
            let sample = Sample { kind: view.situation, variant: view.variant }.to_string();
            PreviewRequest::Why { body, position, sample, old_server: view.old_server }
        })
    });
    let answered = ask(question);
    let answer = move || match answered.get() {
        _ if bench.is_stopped() => None,
        Some((PreviewRequest::Why { body, position, .. }, Ok(PreviewAnswer::Why { why }))) => {
            Some(explained(bench, body, position, why))
        }
        _ => None,
    };
    view! {
        <p class="margin-head quiet">
            {move || words(bench, answered).unwrap_or_else(|| format!("The place of the cursor, in “{}”:", bench.view.get().situation.label()))}
        </p>
        <div aria-live="polite">{answer}</div>
    }
}

fn explained(bench: Bench, body: String, position: usize, why: Why) -> impl IntoView {
    let line = body.get(..position).map_or(1, |before| before.matches('\n').count() + 1);
    let row = |(at, condition): (usize, Condition)| {
        let blocks = why.blocking == Some(at);
        let words = PlaceWords {
            class: if blocks { "place-bad" } else { "" },
            icon: if blocks { Some(IconName::Error) } else { (condition.met > 0).then_some(IconName::Check) },
            word: if blocks { "Keeps it out:" } else { "" },
            message: format!("`{}`", condition.text),
            place: format!("line {}", condition.line),
            more: vec![told(&condition)],
        };
        let body = body.clone();
        let pick = move |()| bench.show_place(bench.draft.with_untracked(|draft| draft.body == body).then_some(condition.range));
        view! { <li data-blocking=blocks.to_string()><PlaceRow words=words on_pick=pick /></li> }
    };
    let conditions = why.conditions.into_iter().enumerate().map(row).collect_view();
    view! {
        <p class="why-sentence" data-why=line>{code_words(why.sentence)}</p>
        <ol class="problems">{conditions}</ol>
    }
}
