//! What stands where content will be: loading, nothing yet, or a failure with a way on.

use leptos::prelude::*;
use proem_core::api::ApiError;

/// A list or page that is on its way.
#[component]
pub fn Loading(
    /// What is being loaded: "Loading the skills…".
    #[prop(into)]
    text: String,
) -> impl IntoView {
    view! { <p class="loading" role="status">{text}</p> }
}

/// Nothing here yet: one sentence that teaches, and one action.
#[component]
pub fn EmptyState(
    /// What is missing.
    #[prop(into)]
    title: String,
    /// One sentence.
    #[prop(into)]
    text: String,
    /// The action.
    #[prop(optional)]
    children: Option<Children>,
) -> impl IntoView {
    view! {
        <div class="empty">
            <p class="empty-title">{title}</p>
            <p class="empty-text">{text}</p>
            {children.map(|children| children())}
        </div>
    }
}

/// Something could not be loaded.
#[component]
pub fn Failure(
    /// Why.
    error: ApiError,
    /// Try again.
    #[prop(into, optional)]
    on_retry: Option<Callback<()>>,
) -> impl IntoView {
    view! {
        <div class="failure" role="alert">
            <p>{error.message}</p>
            {on_retry
                .map(|retry| view! { <button type="button" class="button" on:click=move |_| retry.run(())>"Try again"</button> })}
        </div>
    }
}
