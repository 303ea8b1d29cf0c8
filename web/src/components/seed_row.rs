//! One message of a template's context, and beside it what the seed has of it.

use crate::state::seeding::{absent_words, cut_at_terms, mentions, reason_meaning, reason_words};
use leptos::prelude::*;
use proem_core::context::seed::{LeakPlace, PLACEHOLDER, Reason};
use proem_core::worker::context::{SeedRow, SeedRowBlock};
use std::sync::Arc;

/// Both sides of a message.
#[component]
pub fn SeedRowView(
    /// The message.
    row: Arc<SeedRow>,
    /// The address of a message of the context.
    href: Callback<usize, String>,
) -> impl IntoView {
    let left = row.blocks.iter().map(|block| template_block(block, href)).collect_view();
    let right = match row.seeded {
        None => view! { <p class="seed-absent quiet">{absent_words(&row)}</p> }.into_any(),
        Some(seeded) => {
            let was = (row.speaks != row.participant).then(|| row.participant.clone());
            let placeholder = row.placeholder.then(|| {
                view! { <div class="seed-block"><span class="badge">"placeholder"</span><div class="code-text seed-placeholder" data-placeholder="">{PLACEHOLDER}</div></div> }
            });
            view! {
                <p class="seed-head">
                    <span class="quiet numbers">{seeded + 1}</span>
                    <span class="seed-speaks foreign">{if row.speaks.is_empty() { "the fork".to_owned() } else { row.speaks.clone() }}</span>
                    {was.map(|was| view! { <span class="quiet">"was " <span class="foreign">{was}</span></span> })}
                </p>
                {placeholder}
                {row.blocks.iter().filter(|block| block.reason.is_none()).map(seed_block).collect_view()}
            }
            .into_any()
        }
    };
    view! {
        <div class="seed-left">
            <p class="seed-head"><span class="quiet numbers">{row.position + 1}</span><span class="seed-speaks foreign">{row.participant.clone()}</span></p>
            {left}
        </div>
        <div class="seed-right" data-seeded=row.seeded>{right}</div>
    }
}

fn template_block(block: &SeedRowBlock, href: Callback<usize, String>) -> AnyView {
    let text = block.text.clone();
    let Some(reason) = &block.reason else {
        return view! { <div class="seed-block">{kind(block)}<div class=text_class(block) dir="auto">{text}</div></div> }
            .into_any();
    };
    let marked = block.marked.map(|at| view! { <a class="seed-marked" href=move || href.run(at)>"to message " {at + 1}</a> });
    view! {
        <div class="seed-block seed-omitted" data-reason=reason_words(reason)>
            <p class="seed-reason"><span class="badge badge-rubric" title=reason_meaning(reason)>{reason_words(reason)}</span>{kind(block)}{marked}</p>
            <del class=text_class(block) dir="auto">{text}</del>
        </div>
    }
    .into_any()
}

fn seed_block(block: &SeedRowBlock) -> impl IntoView + use<> {
    let terms = mentions(block);
    let pieces = cut_at_terms(&block.text, &terms).into_iter().map(|(range, is_term)| {
        let text = block.text[range].to_owned();
        if is_term { view! { <mark data-leak="">{text}</mark> }.into_any() } else { text.into_any() }
    });
    let pieces = pieces.collect_view();
    let place = block.leaks.first().map(|leak| leak.place);
    let hint = place.map(|place| {
        let words = if matches!(place, LeakPlace::Summary | LeakPlace::ToolResult) { "may still mention it: " } else { "still names: " };
        view! { <p class="seed-hint warn-text" data-hint="">{place_word(place)} {words} <span class="foreign">{terms.join(", ")}</span></p> }
    });
    view! { <div class="seed-block">{kind(block)}<div class=text_class(block) dir="auto">{pieces}</div>{hint}</div> }
}

fn place_word(place: LeakPlace) -> &'static str {
    match place {
        LeakPlace::ToolResult => "This tool result ",
        LeakPlace::ToolUse => "This tool call ",
        LeakPlace::Summary => "This summary ",
        LeakPlace::OwnWords => "The template's own words ",
        LeakPlace::Message => "This message ",
        LeakPlace::Other => "This block ",
    }
}

/// Words are read; what tools and machines say is code.
fn text_class(block: &SeedRowBlock) -> &'static str {
    if matches!(block.kind.as_str(), "text" | "thinking") { "seed-text" } else { "seed-text seed-code" }
}

/// The type of a block that is not plain text.
fn kind(block: &SeedRowBlock) -> Option<impl IntoView + use<>> {
    // What was left out as thinking says so already.
    let is_told = block.kind == "text" || block.reason == Some(Reason::Thinking);
    (!is_told).then(|| view! { <span class="badge foreign">{if block.kind.is_empty() { "block without a type".to_owned() } else { block.kind.clone() }}</span> })
}
