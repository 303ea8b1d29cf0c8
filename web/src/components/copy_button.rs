//! A button that copies a text and says that it did.

use super::icon::{Icon, IconName};
use gloo_timers::future::TimeoutFuture;
use leptos::prelude::*;
use leptos::task::spawn_local;
use wasm_bindgen_futures::JsFuture;

#[derive(Clone, Copy, PartialEq)]
enum Copied {
    No,
    Yes,
    Refused,
}

/// Copies `text` as it is at the moment of the click.
#[component]
pub fn CopyButton(
    /// What to copy.
    #[prop(into)]
    text: Signal<String>,
    /// What the button says.
    #[prop(into, default = "Copy".into())]
    label: String,
) -> impl IntoView {
    let copied = RwSignal::new(Copied::No);
    let copy = move |_| {
        spawn_local(async move {
            let clipboard = window().navigator().clipboard();
            let done = JsFuture::from(clipboard.write_text(&text.get_untracked())).await.is_ok();
            copied.try_set(if done { Copied::Yes } else { Copied::Refused });
            TimeoutFuture::new(2_000).await;
            copied.try_set(Copied::No);
        });
    };
    let words = move || match copied.get() {
        Copied::No => label.clone(),
        Copied::Yes => "Copied".to_owned(),
        Copied::Refused => "The browser refused".to_owned(),
    };
    view! {
        <button type="button" class="button button-quiet" on:click=copy>
            {move || view! { <Icon name=if copied.get() == Copied::Yes { IconName::Check } else { IconName::Copy } /> }}
            <span aria-live="polite">{words}</span>
        </button>
    }
}
