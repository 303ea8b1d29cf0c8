//! What an agent will be told: one opening at a time in full, in six situations, with two samples and as an older server would.

use super::bench::Bench;
use super::margin::MARGIN_PANEL;
use crate::components::{CopyButton, Icon, IconName, OpeningText, OpeningView, Segment, Segmented, SituationTabs, code_words};
use crate::state::margin::Margin;
use crate::state::pieces::{Show, byte_of_utf16, shown_text, utf16_of_byte};
use crate::state::preview::{Freshness, Shown};
use leptos::prelude::*;
use proem_core::opening::compose::PartStatus;
use proem_core::opening::sample::Variant;
use proem_core::template::problem::Problem;
use std::ops::Range;
use wasm_bindgen::prelude::*;
use web_sys::HtmlElement;

/// The right pane.
#[component]
pub(super) fn PreviewPane(bench: Bench) -> impl IntoView {
    let view = bench.view;
    let shown = Memo::new(move |_| bench.shown());
    let text = Signal::derive(move || {
        let show = effective_show(bench);
        shown.with(|shown| {
            shown.as_ref().map(|shown| shown_text(&shown.opening, &bench.slug(), show).to_owned()).unwrap_or_default()
        })
    });
    let status = move |kind| bench.preview.with(|preview| preview.status(&bench.slug(), kind));
    view! {
        <section class="preview-pane" aria-label="What the agent is told">
            <SituationTabs
                value=Signal::derive(move || view.get().situation)
                status=status
                panel="opening"
                on_change=move |situation| bench.choose(|view| view.situation = situation)
            />
            <Switches bench=bench text=text />
            <div id="opening" class="opening-panel" role="tabpanel" tabindex="0" aria-label=move || view.get().situation.label()>
                <Stopped bench=bench />
                {move || shown.with(|shown| shown.as_ref().map(|shown| notes(bench, shown)))}
                {move || shown.get().map(|shown| opening(bench, shown))}
                {move || {
                    let waiting = shown.with(Option::is_none) && bench.preview_word() == "updating";
                    waiting.then(|| view! { <p class="loading">"Setting the first preview…"</p> })
                }}
            </div>
        </section>
    }
}

/// Which sample, which server, how much, and how long it is.
#[component]
fn Switches(bench: Bench, text: Signal<String>) -> impl IntoView {
    let view = bench.view;
    let samples = vec![Segment::new(Variant::Populated, "Populated"), Segment::new(Variant::Empty, "Empty")];
    let parts = vec![Segment::new(Show::Whole, "Whole opening"), Segment::new(Show::Own, "This skill only")];
    let counts = move || text.with(|text| format!("{} bytes, {} characters", grouped(text.len()), grouped(text.chars().count())));
    view! {
        <div class="preview-switches">
            <div data-sample-switch="">
                <Segmented
                    label="Sample"
                    segments=samples
                    value=Signal::derive(move || view.get().variant)
                    on_change=move |variant| bench.choose(|view| view.variant = variant)
                />
            </div>
            {bench.is_in_openings().then(|| view! {
                <div data-show-switch="">
                    <Segmented
                        label="How much is shown"
                        segments=parts
                        value=Signal::derive(move || view.get().show)
                        on_change=move |show| bench.choose(|view| view.show = show)
                    />
                </div>
            })}
            <label class="check" title="Facts without `opening`, as servers send them that do not know it">
                <input
                    type="checkbox"
                    data-old-server=""
                    prop:checked=move || view.get().old_server
                    on:change:target=move |event| bench.choose(|view| view.old_server = event.target().checked())
                />
                "Older server"
            </label>
            <span class="preview-end">
                <span class="preview-word" aria-live="off">{move || (bench.preview_word() == "updating").then_some("updating")}</span>
                <span class="preview-counts" data-counts="">{counts}</span>
                <span data-copy-opening=""><CopyButton text=text /></span>
            </span>
        </div>
    }
}

/// The preview has no answer, and why.
#[component]
fn Stopped(bench: Bench) -> impl IntoView {
    let why = Memo::new(move |_| {
        bench.preview.with(|preview| match &preview.freshness {
            Freshness::Stopped(why) => Some(why.clone()),
            _ => None,
        })
    });
    view! {
        {move || why.get().map(|why| view! {
            <div class="preview-note preview-note-bad" role="alert" data-stopped="">
                <Icon name=IconName::Error />
                <p>{why}</p>
            </div>
        })}
    }
}

/// What became of the skill here, where it is not simply in the text.
fn notes(bench: Bench, shown: &Shown) -> impl IntoView + use<> {
    let slug = bench.slug();
    let status = shown.opening.parts.iter().find(|part| part.slug.as_deref() == Some(&slug)).map(|part| part.status);
    let pick = move |problem: &Problem| bench.reveal.set(Some(problem.utf16));
    let failed = shown.problem.clone().map(|problem| {
        let place = format!("line {}, column {}", problem.line, problem.column);
        let (message, dimmed) = (problem.message.clone(), shown.dimmed);
        let rest =
            if dimmed { "Below is what the last sound text gave." } else { "An agent would get the opening without this part." };
        view! {
            <div class="preview-note preview-note-bad" data-part-failed="">
                <Icon name=IconName::Error />
                <p>
                    <strong>"This skill fails here: "</strong> {code_words(message)} " ("
                    <button type="button" class="link-button" on:click=move |_| pick(&problem)>{place}</button>
                    "). " {rest}
                </p>
            </div>
        }
    });
    let not_sent = (shown.problem.is_none() && status == Some(PartStatus::Omitted)).then(|| {
        view! {
            <div class="preview-note" data-not-sent="">
                <p>
                    <strong>"Not sent in this situation."</strong>
                    " With this sample the skill prints nothing, so it leaves no trace in the opening. "
                    <button type="button" class="link-button" data-ask-why="" on:click=move |_| ask_why(bench)>"Why is it not here?"</button>
                </p>
            </div>
        }
    });
    let outside = (!bench.is_in_openings()).then(|| {
        view! {
            <div class="preview-note">
                <p>"This skill is not part of openings: it is switched off, given on request only, or meant for other roles. Here it stands alone."</p>
            </div>
        }
    });
    (outside, failed, not_sent)
}

/// The answer stands in the margin, which may be above what is seen.
fn ask_why(bench: Bench) {
    bench.choose(|view| view.margin = Margin::Why);
    let panel = document().get_element_by_id(MARGIN_PANEL).and_then(|panel| panel.dyn_into::<HtmlElement>().ok());
    if let Some(panel) = panel {
        // What cannot take the focus leaves it where it is.
        let _ = panel.focus();
    }
}

fn opening(bench: Bench, shown: Shown) -> impl IntoView {
    let template = bench.draft.with_untracked(|draft| draft.body.clone());
    let dimmed = shown.dimmed;
    // Places in an earlier draft are not places in this one.
    let in_editor = move |range: Range<usize>| {
        (!dimmed && untrack(|| bench.is_fresh())).then(|| {
            bench.draft.with_untracked(|draft| (utf16_of_byte(&draft.body, range.start), utf16_of_byte(&draft.body, range.end)))
        })
    };
    let lit = Memo::new(move |_| {
        let (from, to) = bench.selection.get().filter(|_| !dimmed && bench.is_fresh())?;
        bench.draft.with(|draft| Some(byte_of_utf16(&draft.body, from)..byte_of_utf16(&draft.body, to)))
    });
    let what = OpeningView {
        sample: shown.sample.to_string(),
        old_server: shown.old_server,
        opening: shown.opening,
        own: bench.slug(),
        show: effective_show(bench),
        dimmed,
        template_length: template.len(),
    };
    let point = move |range: Option<Range<usize>>| bench.highlight.set(range.and_then(in_editor));
    let pick = move |range| {
        if let Some(place) = in_editor(range) {
            bench.reveal.set(Some(place));
        }
    };
    view! {
        <OpeningText
            what=what
            lit=lit
            on_point=point
            on_pick=pick
        />
    }
}

/// A skill outside openings is all there is to show.
fn effective_show(bench: Bench) -> Show {
    if bench.is_in_openings() { bench.view.get().show } else { Show::Own }
}

/// 12345 as "12 345", with a narrow space that does not break.
fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push('\u{202f}');
        }
        text.push(digit);
    }
    text
}
