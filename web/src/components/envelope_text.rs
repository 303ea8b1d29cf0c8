//! A text with its envelopes: each under the name and colour of its trust, with what was made harmless and what only pretends.

use super::long_text::LongText;
use super::time::MomentText;
use super::trust_mark::TrustMark;
use crate::state::age::age;
use crate::state::envelopes::{Mark, Region, Run, cut, trust_name};
use crate::state::wording::{LONG_PIECE, counted};
use js_sys::Date;
use leptos::prelude::*;
use proem_core::context::preface::{Envelope, Envelopes};
use std::ops::Range;
use std::sync::Arc;

/// The text. The texts of all `data-run` elements, one after another, are the text, byte for byte.
#[component]
pub fn EnvelopeText(
    /// The text.
    #[prop(into)]
    text: Arc<str>,
    /// What was found in it.
    found: Envelopes,
    /// Places that were made harmless, beside those that the reader sees.
    #[prop(optional)]
    changed: Vec<Range<usize>>,
) -> impl IntoView {
    let cut = cut(&text, &found, &changed);
    let left_out = cut.left_out as u64;
    let region = |Region { envelope, runs }: Region| {
        let envelope = envelope.and_then(|at| Some((at, found.envelopes.get(at)?)));
        match envelope {
            Some((at, envelope)) => envelope_view(&text, at, envelope, runs).into_any(),
            None => {
                let is_blank = runs.iter().all(|run| text[run.range.clone()].trim().is_empty());
                view! { <div class="between code-text" class:between-blank=is_blank>{runs.into_iter().map(|run| run_view(&text, run, None)).collect_view()}</div> }
                    .into_any()
            }
        }
    };
    view! {
        <div class="envelopes" data-envelopes="">
            {cut.regions.into_iter().map(region).collect_view()}
            {(left_out > 0).then(|| view! { <p class="warn-text">{counted(left_out, "more tag")} " at the end, shown as plain text: there are too many to tell apart here."</p> })}
        </div>
    }
}

fn envelope_view(text: &str, at: usize, envelope: &Envelope, runs: Vec<Run>) -> impl IntoView + use<> {
    let name = format!("Envelope {}: {}", at + 1, trust_name(envelope.trust));
    let flags = envelope.flags.iter().map(|flag| view! { <p class="warn-text">{flag.sentence()}</p> }).collect_view();
    let fetched =
        envelope.tag.fetched_at.clone().filter(|stamp| !stamp.is_empty()).map(|stamp| view! { <FetchedAt stamp=stamp /> });
    let origin = match envelope.tag.origin.as_str() {
        "" => view! { <span class="quiet">"no origin"</span> }.into_any(),
        origin => view! { <span class="quiet">"from " <code class="foreign">{origin.to_owned()}</code></span> }.into_any(),
    };
    let is_lower = envelope.least_trusted() > envelope.trust.tier;
    view! {
        <div class="envelope" role="group" aria-label=name data-envelope=at data-trust=envelope.trust.tier.as_str()>
            <div class="envelope-head">
                <TrustMark trust=envelope.trust />
                <code class="foreign">{envelope.tag.provenance.clone()}</code>
                {origin}
                {fetched}
                {is_lower.then(|| view! { <span class="quiet">"with parts of " {envelope.least_trusted().as_str()}</span> })}
            </div>
            {flags}
            <div class="code-text envelope-text" dir="auto">{runs.into_iter().map(|run| run_view(text, run, Some(envelope))).collect_view()}</div>
        </div>
    }
}

fn run_view(text: &str, run: Run, envelope: Option<&Envelope>) -> AnyView {
    let content = text[run.range].to_owned();
    let section = run.section.and_then(|at| envelope?.sections.get(at));
    let tier = section.map(|section| section.trust.tier.as_str());
    if content.len() > LONG_PIECE {
        return view! { <div class="run-long" data-section-trust=tier><LongText text=content class="code-text" /></div> }
            .into_any();
    }
    let word = match (run.mark, section) {
        (Mark::SectionOpens, Some(section)) => Some(format!("section: {}", trust_name(section.trust))),
        (mark, _) => mark.word().map(str::to_owned),
    };
    view! { <span class=format!("run run-{}", run.mark.as_str()) data-run="" data-word=word data-section-trust=tier>{content}</span> }.into_any()
}

/// When something was fetched: its age, and the moment in the reader's zone.
#[component]
pub fn FetchedAt(
    /// As it was written.
    stamp: String,
) -> impl IntoView {
    let words = age(&stamp, Date::now()).words();
    view! { <span class="fetched" data-age="">"fetched " <MomentText at=stamp /> <span class="quiet">", " {words}</span></span> }
}
