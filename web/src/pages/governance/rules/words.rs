//! The editor of the rules, its faults, and what stores it.

use super::text::Text;
use crate::components::{CodeEditor, KeptDrafts, ProblemList};
use crate::state::draft::Saving;
use crate::state::findings::counted;
use leptos::prelude::*;
use proem_core::assertion::BUILT_IN;
use proem_core::template::problem::Problem;

/// The left pane.
#[component]
pub(super) fn TextPane(text: Text) -> impl IntoView {
    let findings = Memo::new(move |_| text.findings());
    let problems = Signal::derive(move || findings.get().into_iter().map(|finding| finding.problem).collect::<Vec<_>>());
    let first = text.draft.with_untracked(|draft| draft.body.clone());
    let input = move |body: String| text.draft.update(|draft| draft.body = body);
    let pick = move |problem: Problem| text.reveal.set(Some(problem.utf16));
    let is_blank = Memo::new(move |_| text.draft.with(|draft| draft.body.trim().is_empty()));
    view! {
        <section class="rules-text" aria-labelledby="rules-title">
            <div class="list-head"><h2 id="rules-title">"Rules of this organisation"</h2><SaveBar text=text /></div>
            <KeptDrafts
                kept=text.kept
                is_dirty=Signal::derive(move || text.is_dirty())
                on_restore=move |body: String| text.restore(body)
                on_discard=move |body: String| text.discard(&body)
            />
            {move || {
                is_blank.get().then(|| view! {
                    <p class="list-note" data-no-rules="">
                        "No rules yet. A rule names what it is about, which of those, and what is expected of them, in YAML. "
                        <button type="button" class="button" data-start-built-in="" on:click=move |_| text.write(BUILT_IN.to_owned())>"Begin with the built-in rules"</button>
                    </p>
                })
            }}
            <CodeEditor
                label="Rules in YAML"
                doc=first
                problems=problems
                reveal=text.reveal
                replacement=text.replacement
                on_input=input
                on_save=move |()| text.save()
                {..}
                data-rules-editor=""
            />
            <p class="rules-faults" role="status" data-fault-count="">{move || counted(&findings.get())}</p>
            <ProblemList findings=findings on_pick=pick />
        </section>
    }
}

#[component]
fn SaveBar(text: Text) -> impl IntoView {
    let why_not = Memo::new(move |_| text.may_save().err());
    let label = move || {
        text.draft.with(|draft| match draft.saving {
            Saving::Asked => format!("Saving revision {}…", draft.next_number()),
            Saving::No => format!("Save revision {}", draft.next_number()),
        })
    };
    let revert = move |_| text.write(text.draft.with_untracked(|draft| draft.base.body.clone()));
    view! {
        <div class="save-bar">
            <span class="unsaved" role="status">{move || text.is_dirty().then_some("Unsaved changes")}</span>
            <button type="button" class="button button-quiet" data-revert="" disabled=move || !text.is_dirty() on:click=revert>"Revert"</button>
            // Not `disabled`: the keyboard still reaches it and hears why.
            <button
                type="button"
                class="button button-primary"
                data-save=""
                aria-disabled=move || why_not.get().is_some().to_string()
                aria-describedby="rules-save-why"
                title=move || why_not.get().unwrap_or("Ctrl+S or ⌘S")
                on:click=move |_| text.save()
            >
                {label}
            </button>
            <span id="rules-save-why" class="visually-hidden">{move || why_not.get().unwrap_or("Ctrl+S or ⌘S saves too.")}</span>
        </div>
    }
}
