//! Unsaved texts of earlier visits, each to be taken up again or thrown away.

use super::copy_button::CopyButton;
use super::time::TimeText;
use crate::state::draft::KeptDraft;
use leptos::prelude::*;

/// Drafts that earlier visits left.
#[component]
pub fn KeptDrafts(
    /// Which.
    #[prop(into)]
    kept: Signal<Vec<KeptDraft>>,
    /// Whether restoring one replaces something that is not saved.
    #[prop(into)]
    is_dirty: Signal<bool>,
    /// This text is to be taken up again.
    #[prop(into)]
    on_restore: Callback<String>,
    /// This text is to be forgotten.
    #[prop(into)]
    on_discard: Callback<String>,
) -> impl IntoView {
    view! {
        <For each=move || kept.get() key=|draft| (draft.time.clone(), draft.body.clone()) let:kept>
            {
                let (restored, discarded, copied) = (kept.body.clone(), kept.body.clone(), kept.body.clone());
                view! {
                    <div class="kept-draft" role="group" aria-label="Unsaved draft" data-kept-draft="">
                        <p>
                            "You have an unsaved draft of " <TimeText at=kept.time /> ", written on revision " {kept.base} "."
                            {move || is_dirty.get().then_some(" Restoring replaces what is in the editor; undo brings it back.")}
                        </p>
                        <div class="kept-actions">
                            <button type="button" class="button" data-restore="" on:click=move |_| on_restore.run(restored.clone())>"Restore"</button>
                            <CopyButton text=copied />
                            <button type="button" class="button button-quiet" data-discard="" on:click=move |_| on_discard.run(discarded.clone())>"Discard"</button>
                        </div>
                    </div>
                }
            }
        </For>
    }
}
