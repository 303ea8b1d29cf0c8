//! Who forks from whom, and what was left out: counts, the line of the spawn, and what others say about it.

use super::DUMPS;
use super::open::{SeedMaker, Stage};
use crate::components::{CopyButton, FileChooser, Icon, IconName, code_words};
use crate::state::seeding::{compared_words, counts, misses_a_name};
use crate::state::wording::{counted, number};
use leptos::prelude::*;
use proem_core::worker::context::SeedSummary;
use std::sync::Arc;

/// What is asked beside the dump: names, a logged line, the fork's own messages.
#[component]
pub(super) fn Asked(
    /// The seed.
    maker: SeedMaker,
) -> impl IntoView {
    let asked = maker.asked();
    let stage = maker.stage();
    // What was not typed is as the dump or the logged line has it.
    let known = move |pick: fn(&SeedSummary) -> String| {
        stage.with(|stage| if let Stage::Ready(summary) = stage { pick(summary) } else { String::new() })
    };
    let speakers = Memo::new(move |_| {
        stage.with(|stage| if let Stage::Ready(summary) = stage { summary.participants.clone() } else { Vec::new() })
    });
    let template = move || {
        Some(asked.get().template).filter(|name| !name.is_empty()).unwrap_or_else(|| known(|summary| summary.template.clone()))
    };
    let fork =
        move || Some(asked.get().fork).filter(|name| !name.is_empty()).unwrap_or_else(|| known(|summary| summary.fork.clone()));
    let line = move || asked.get().line.unwrap_or_else(|| known(|summary| summary.logged.clone().unwrap_or_default()));
    let said = |text: String| Some(text.trim().to_owned()).filter(|text| !text.is_empty());
    let own = maker.own_name();
    view! {
        <form class="seed-asked" on:submit=move |event: leptos::ev::SubmitEvent| event.prevent_default()>
            <div class="field">
                <label for="seed-template">"Template"</label>
                <input id="seed-template" class="input" list="seed-speakers" autocomplete="off" spellcheck="false" prop:value=template
                    on:change:target=move |event| { let name = event.target().value(); maker.ask(|asked| asked.template = name.trim().to_owned()) } />
                <datalist id="seed-speakers">
                    {move || speakers.get().into_iter().map(|(name, count)| view! { <option value=name>{counted(count as u64, "message")}</option> }).collect_view()}
                </datalist>
            </div>
            <div class="field">
                <label for="seed-fork">"Fork"</label>
                <input id="seed-fork" class="input" autocomplete="off" spellcheck="false" placeholder="conversation-slack-C1-g1" prop:value=fork
                    on:change:target=move |event| { let name = event.target().value(); maker.ask(|asked| asked.fork = name.trim().to_owned()) } />
            </div>
            <div class="field seed-line-field">
                <label for="seed-line">"Line that the spawn logged, to be compared"</label>
                <input id="seed-line" class="input input-code" autocomplete="off" spellcheck="false" placeholder="[conversation] … seeded from … without …" prop:value=line
                    on:change:target=move |event| { let line = said(event.target().value()); maker.ask(|asked| asked.line = line) } />
            </div>
            <div class="field">
                <span class="field-label">"The fork's own first messages, to be compared"</span>
                {move || match own.get() {
                    Some(name) => view! {
                        <span class="seed-own">
                            <span class="foreign">{name}</span>
                            <button type="button" class="button button-quiet" on:click=move |_| maker.compare(None)>"Take away"</button>
                        </span>
                    }
                    .into_any(),
                    None => view! { <FileChooser id="seed-own" label="Choose a file" accept=DUMPS on_files=move |files| maker.compare(files.into_iter().next()) /> }.into_any(),
                }}
            </div>
        </form>
    }
}

/// What was left out.
#[component]
pub(super) fn Summary(
    /// The seed.
    summary: Arc<SeedSummary>,
) -> impl IntoView {
    let count = |(words, count): (&'static str, u64)| view! { <div data-count=words><dt>{words}</dt><dd class="numbers">{number(count)}</dd></div> };
    let check = |is_good: bool, words: String| {
        let icon = if is_good { IconName::Check } else { IconName::Warning };
        view! { <li class=if is_good { "good-text" } else { "warn-text" } data-good=is_good.to_string()><Icon name=icon /><span>{code_words(words)}</span></li> }
    };
    let reconciled = summary.reconciled.clone().map(|said| match said.is_empty() {
        true => view! { {check(true, "The logged line says the same.".to_owned())} }.into_any(),
        false => said.into_iter().map(|sentence| check(false, sentence)).collect_view().into_any(),
    });
    let compared = summary.compared.map(|compared| {
        let (words, is_good) = compared_words(compared, summary.seeded);
        check(is_good, words)
    });
    let missing = misses_a_name(&summary);
    let line = match summary.line.clone() {
        None => view! { <p class="quiet" data-line="">"Nothing was left out, so a spawn logs no line."</p> }.into_any(),
        // A line without names is none.
        Some(_) if missing.is_some() => ().into_any(),
        Some(line) => view! {
            <p class="seed-line"><code class="foreign" data-line="">{line.clone()}</code><CopyButton text=line label="Copy the line" /></p>
        }
        .into_any(),
    };
    view! {
        <section class="seed-summary" aria-labelledby="summary-title" data-summary="">
            <h2 id="summary-title">"Left out"</h2>
            <p class="numbers">
                {counted(summary.context as u64, "message")} " of the template, " {counted(summary.seeded as u64, "message")} " in the seed"
            </p>
            <dl class="seed-counts">{counts(&summary.counts).map(count).collect_view()}</dl>
            {line}
            <ul class="seed-checks" data-reconciled="">{reconciled} {compared}</ul>
            {missing.map(|words| view! { <p class="warn-text">{words}</p> })}
            {summary.remarks.iter().map(|remark| view! { <p class="warn-text" data-remark="">{code_words(remark.clone())}</p> }).collect_view()}
        </section>
    }
}
