//! The six situations as tabs; each says at a glance what became of a skill there.

use super::glyph::SituationGlyph;
use leptos::prelude::*;
use proem_core::opening::compose::PartStatus;
use proem_core::opening::kind::OpeningKind;
use wasm_bindgen::prelude::*;
use web_sys::{HtmlElement, KeyboardEvent};

/// What became of a skill, in words, and as a machine's word.
pub fn status_word(status: Option<PartStatus>) -> (&'static str, &'static str) {
    match status {
        Some(PartStatus::Contributed) => ("speaks", "contributed"),
        Some(PartStatus::Omitted) => ("not sent", "omitted"),
        Some(PartStatus::Failed) => ("failed", "failed"),
        None => ("not known", "pending"),
    }
}

/// Tabs over one panel, whose id is `panel`.
#[component]
pub fn SituationTabs(
    /// The open one.
    #[prop(into)]
    value: Signal<OpeningKind>,
    /// What became of the skill in each.
    #[prop(into)]
    status: Callback<OpeningKind, Option<PartStatus>>,
    /// The id of the panel.
    panel: &'static str,
    /// Another was chosen.
    #[prop(into)]
    on_change: Callback<OpeningKind>,
) -> impl IntoView {
    let move_by = move |event: KeyboardEvent| {
        let at = OpeningKind::ALL.iter().position(|kind| *kind == value.get_untracked()).unwrap_or_default();
        let last = OpeningKind::ALL.len() - 1;
        let to = match event.key().as_str() {
            "ArrowRight" => (at + 1) % (last + 1),
            "ArrowLeft" => (at + last) % (last + 1),
            "Home" => 0,
            "End" => last,
            _ => return,
        };
        event.prevent_default();
        on_change.run(OpeningKind::ALL[to]);
        let tab = document().get_element_by_id(&tab_id(panel, OpeningKind::ALL[to]));
        if let Some(tab) = tab.and_then(|tab| tab.dyn_into::<HtmlElement>().ok()) {
            // A tab that cannot take the focus leaves it where it is.
            let _ = tab.focus();
        }
    };
    let tab = move |kind: OpeningKind| {
        let chosen = Memo::new(move |_| value.get() == kind);
        let words = Memo::new(move |_| status_word(status.run(kind)));
        view! {
            <button
                type="button"
                role="tab"
                class="tab situation-tab"
                id=tab_id(panel, kind)
                aria-controls=panel
                aria-selected=move || chosen.get().to_string()
                tabindex=move || if chosen.get() { "0" } else { "-1" }
                data-situation=kind.as_str()
                data-state=move || words.get().1
                on:click=move |_| on_change.run(kind)
            >
                <SituationGlyph kind=kind />
                <span class="situation-label">{kind.label()}</span>
                <span class="situation-state">{move || words.get().0}</span>
            </button>
        }
    };
    view! {
        <div class="tabs situation-tabs" role="tablist" aria-label="Situation" on:keydown=move_by>
            {OpeningKind::ALL.map(tab).collect_view()}
        </div>
    }
}

/// The id of a situation's tab.
fn tab_id(panel: &str, kind: OpeningKind) -> String {
    format!("{panel}-{kind}")
}
