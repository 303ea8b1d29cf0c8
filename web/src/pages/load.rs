//! Something fetched: on its way, failed with a way on, or here.

use crate::components::{Failure, Loading};
use leptos::prelude::*;
use proem_core::api::ApiError;

/// Shows what a resource holds. `resource` comes from `LocalResource::new(|| api::…())`.
#[component]
pub fn Loaded<T, Shown, View>(
    /// What is fetched.
    resource: LocalResource<Result<T, ApiError>>,
    /// "Loading the skills…".
    #[prop(into)]
    loading: String,
    /// What to show once it is here.
    show: Shown,
) -> impl IntoView
where
    T: Clone + Send + Sync + 'static,
    Shown: Fn(T) -> View + Send + 'static,
    View: IntoView + 'static,
{
    move || match resource.get() {
        None => view! { <Loading text=loading.clone() /> }.into_any(),
        Some(Ok(value)) => show(value).into_any(),
        Some(Err(error)) => view! { <Failure error=error on_retry=Callback::new(move |()| resource.refetch()) /> }.into_any(),
    }
}
