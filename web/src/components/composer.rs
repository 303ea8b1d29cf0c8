//! Where a message is written: Enter sends it, Shift and Enter begin a new line.

use leptos::ev::{KeyboardEvent, SubmitEvent};
use leptos::html::Textarea;
use leptos::prelude::*;

/// The field and its button.
#[component]
pub fn Composer(
    /// What is being written.
    draft: RwSignal<String>,
    /// Nothing can be written now.
    #[prop(into)]
    disabled: Signal<bool>,
    /// The field, for whoever moves the focus.
    field: NodeRef<Textarea>,
    /// It is to be sent.
    #[prop(into)]
    on_send: Callback<()>,
) -> impl IntoView {
    let submit = move |event: SubmitEvent| {
        event.prevent_default();
        on_send.run(());
    };
    let keys = move |event: KeyboardEvent| {
        // While letters are composed, Enter belongs to whatever composes them.
        if event.key() == "Enter" && !event.shift_key() && !event.is_composing() {
            event.prevent_default();
            on_send.run(());
        }
    };
    let empty = move || draft.with(|draft| draft.trim().is_empty());
    view! {
        <form class="composer" on:submit=submit>
            <label class="visually-hidden" for="composer">"Your message"</label>
            <textarea
                id="composer"
                class="input composer-field"
                rows="1"
                data-filter=""
                placeholder="Write a message"
                aria-describedby="composer-hint"
                node_ref=field
                disabled=disabled
                prop:value=draft
                on:input:target=move |event| draft.set(event.target().value())
                on:keydown=keys
            ></textarea>
            <button type="submit" class="button button-primary" data-send="" disabled=move || disabled.get() || empty()>"Send"</button>
            <p id="composer-hint" class="field-hint"><kbd>"Enter"</kbd>" sends, "<kbd>"Shift"</kbd>" + "<kbd>"Enter"</kbd>" begins a new line"</p>
        </form>
    }
}
