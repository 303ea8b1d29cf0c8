//! A save met a newer revision: both texts side by side, and a choice that loses neither.

use super::copy_button::CopyButton;
use super::dialog::use_dialog;
use super::time::TimeText;
use crate::state::lines::differing_lines;
use leptos::prelude::*;
use proem_core::skill::Revision;

/// Open while there is a newer revision to decide about; Escape goes on editing.
#[component]
pub fn Conflict(
    /// What it says to those who do not see it: "The skill was changed meanwhile".
    label: &'static str,
    /// The newer revision; taken away to go on editing.
    newer: RwSignal<Option<Revision>>,
    /// The text in the editor.
    #[prop(into)]
    mine: Signal<String>,
    /// Go on with the newer one.
    #[prop(into)]
    on_take: Callback<()>,
    /// Save the own text on top of it.
    #[prop(into)]
    on_keep: Callback<()>,
) -> impl IntoView {
    let dialog = use_dialog(Signal::derive(move || newer.with(Option::is_some)));
    let number = move || newer.with(|head| head.as_ref().map_or(0, |head| head.number));
    let content = move || {
        let head = newer.get()?;
        let mine = mine.get_untracked();
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
            aria-label=label
            data-conflict=""
            on:close=move |_| newer.set(None)
        >
            {content}
            <div class="dialog-actions">
                <button type="button" class="button" data-keep-editing="" on:click=move |_| newer.set(None)>"Keep editing"</button>
                <button type="button" class="button" data-take-theirs="" title="Your text stays among the unsaved drafts" on:click=move |_| on_take.run(())>
                    "Take theirs, keep mine as a draft"
                </button>
                <button type="button" class="button button-primary" data-keep-mine="" on:click=move |_| on_keep.run(())>
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
