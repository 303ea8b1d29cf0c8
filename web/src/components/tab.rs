//! One tab of a `role=tablist`; the arrow keys between tabs are [`move_between_tabs`](super::move_between_tabs).

use leptos::prelude::*;

/// A tab.
#[component]
pub fn Tab(
    /// What it says.
    words: &'static str,
    /// How much is in it, behind the words.
    #[prop(into, optional)]
    note: Signal<String>,
    /// Its own id, which names its panel.
    id: &'static str,
    /// The id of its panel.
    panel: &'static str,
    /// Whether it is the chosen one.
    #[prop(into)]
    chosen: Signal<bool>,
    /// It was chosen.
    #[prop(into)]
    on_choose: Callback<()>,
) -> impl IntoView {
    view! {
        <button
            type="button"
            role="tab"
            class="tab"
            id=id
            aria-controls=panel
            aria-selected=move || chosen.get().to_string()
            tabindex=move || if chosen.get() { "0" } else { "-1" }
            on:click=move |_| on_choose.run(())
        >
            {words}
            <span class="tab-note">{note}</span>
        </button>
    }
}
