//! The skill's text: the editor, its faults, drafts of earlier visits, and what stores it.

use super::bench::Bench;
use super::history::History;
use super::margin::Margin;
use crate::components::{CodeEditor, KeptDrafts};
use crate::state::draft::Saving;
use leptos::prelude::*;

/// The left pane.
#[component]
pub(super) fn TextPane(bench: Bench) -> impl IntoView {
    let findings = Memo::new(move |_| bench.findings());
    let problems = Signal::derive(move || findings.get().into_iter().map(|finding| finding.problem).collect::<Vec<_>>());
    let label = bench.loaded.with_value(|loaded| loaded.skill().map(|skill| skill.skill.name.clone()).unwrap_or_default());
    let first = bench.draft.with_untracked(|draft| draft.body.clone());
    let input = move |text: String| bench.draft.update(|draft| draft.body = text);
    view! {
        <section class="text-pane" aria-label="Template">
            <KeptDrafts
                kept=bench.kept
                is_dirty=Signal::derive(move || bench.is_dirty())
                on_restore=move |body: String| bench.restore(body)
                on_discard=move |body: String| bench.change_kept(|drafts| drafts.retain(|draft| draft.body != body))
            />
            <CodeEditor
                label=format!("Template of {label}")
                doc=first
                problems=problems
                highlight=bench.highlight
                reveal=bench.reveal
                replacement=bench.replacement
                on_input=input
                on_select=move |range| bench.selection.set(Some(range))
                on_save=move |()| bench.save()
                {..}
                data-draft-editor=""
            />
            <Margin bench=bench findings=findings />
        </section>
    }
}

/// Save, note, revert, and the revisions.
#[component]
pub(super) fn SaveBar(bench: Bench) -> impl IntoView {
    let why_not = Memo::new(move |_| bench.may_save().err());
    let label = move || {
        bench.draft.with(|draft| match draft.saving {
            Saving::Asked => format!("Saving revision {}…", draft.next_number()),
            Saving::No => format!("Save revision {}", draft.next_number()),
        })
    };
    view! {
        <div class="save-bar">
            <span class="unsaved" role="status">{move || bench.is_dirty().then_some("Unsaved changes")}</span>
            <History bench=bench />
            <button type="button" class="button button-quiet" data-revert="" disabled=move || !bench.is_dirty() on:click=move |_| bench.revert()>
                "Revert"
            </button>
            <label class="visually-hidden" for="save-note">"Note for this revision"</label>
            <input
                id="save-note"
                class="input save-note"
                data-note=""
                autocomplete="off"
                placeholder="Note (optional)"
                prop:value=bench.note
                on:input:target=move |event| bench.note.set(event.target().value())
                on:keydown=move |event| if event.key() == "Enter" { bench.save() }
            />
            // Not `disabled`: the keyboard still reaches it and hears why.
            <button
                type="button"
                class="button button-primary"
                data-save=""
                aria-disabled=move || why_not.get().is_some().to_string()
                aria-describedby="save-why"
                title=move || why_not.get().unwrap_or("Ctrl+S or ⌘S")
                on:click=move |_| bench.save()
            >
                {label}
            </button>
            <span id="save-why" class="visually-hidden">{move || why_not.get().unwrap_or("Ctrl+S or ⌘S saves too.")}</span>
        </div>
    }
}
