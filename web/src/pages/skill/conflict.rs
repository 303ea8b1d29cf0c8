//! A save met a newer revision: both texts side by side, and a choice that loses neither.

use super::bench::Bench;
use crate::components::{CopyButton, TimeText, use_dialog};
use crate::state::lines::differing_lines;
use leptos::prelude::*;

/// Open while there is a newer revision to decide about; Escape goes on editing.
#[component]
pub(super) fn Conflict(bench: Bench) -> impl IntoView {
    let dialog = use_dialog(Signal::derive(move || bench.conflict.with(Option::is_some)));
    let number = move || bench.conflict.with(|head| head.as_ref().map_or(0, |head| head.number));
    let content = move || {
        let head = bench.conflict.get()?;
        let mine = bench.draft.with_untracked(|draft| draft.body.clone());
        let (in_mine, in_theirs) = differing_lines(&mine, &head.body);
        Some(view! {
            <h2>{format!("Revision {} was saved meanwhile", head.number)}</h2>
            <p class="quiet">
                {head.author.clone()} " saved it " <TimeText at=head.time.clone() />
                {(!head.note.is_empty()).then(|| format!(": {}", head.note))} ". Nothing is lost; choose how to go on. Lines that differ are marked."
            </p>
            <div class="both-texts">
                <Side title="Yours".to_owned() text=mine differing=in_mine hook="mine" />
                <Side title=format!("Revision {}", head.number) text=head.body differing=in_theirs hook="theirs" />
            </div>
        })
    };
    view! {
        <dialog
            node_ref=dialog
            class="dialog-wide"
            aria-label="The skill was changed meanwhile"
            data-conflict=""
            on:close=move |_| bench.conflict.set(None)
        >
            {content}
            <div class="dialog-actions">
                <button type="button" class="button" data-keep-editing="" on:click=move |_| bench.conflict.set(None)>"Keep editing"</button>
                <button type="button" class="button" data-take-theirs="" title="Your text stays among the unsaved drafts" on:click=move |_| bench.take_theirs()>
                    "Take theirs, keep mine as a draft"
                </button>
                <button type="button" class="button button-primary" data-keep-mine="" on:click=move |_| bench.keep_mine()>
                    {move || format!("Save mine on top of revision {}", number())}
                </button>
            </div>
        </dialog>
    }
}

#[component]
fn Side(title: String, text: String, differing: Vec<bool>, hook: &'static str) -> impl IntoView {
    let lines: Vec<String> = text.split_inclusive('\n').map(str::to_owned).collect();
    let line = |(differs, line): (bool, String)| match differs {
        true => view! { <mark class="line-differs">{line}</mark> }.into_any(),
        false => line.into_any(),
    };
    let name = title.clone();
    view! {
        <section aria-label=name>
            <div class="side-head"><h3>{title}</h3><CopyButton text=text /></div>
            <pre class="code-text text-box" tabindex="0" data-mine=(hook == "mine").then_some("") data-theirs=(hook == "theirs").then_some("")>
                {differing.into_iter().zip(lines).map(line).collect_view()}
            </pre>
        </section>
    }
}
