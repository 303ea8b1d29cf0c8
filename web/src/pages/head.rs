//! The heading of a page, which also names the window and takes the focus after navigation.

use leptos::prelude::*;

/// A page's heading. Each page has exactly one, from its first moment on.
#[component]
pub fn PageHead(
    /// What the page is called.
    #[prop(into)]
    title: Signal<String>,
    /// One sentence under it.
    #[prop(into, optional)]
    lead: Signal<String>,
    /// Actions and facts at its end.
    #[prop(optional)]
    children: Option<Children>,
) -> impl IntoView {
    Effect::new(move || document().set_title(&format!("{} · Proem", title.get())));
    view! {
        <div class="page-head">
            <div>
                <h1 tabindex="-1">{title}</h1>
                {move || {
                    let lead = lead.get();
                    (!lead.is_empty()).then(|| view! { <p class="page-lead">{lead}</p> })
                }}
            </div>
            {children.map(|children| children())}
        </div>
    }
}
