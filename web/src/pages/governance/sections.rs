//! The pages of Governance side by side, each a link.

use crate::navigate::use_navigation;
use crate::page::Page;
use leptos::prelude::*;

/// Links to the pages of Governance.
#[component]
pub fn Sections() -> impl IntoView {
    let all = [(Page::Governance(Box::default()), "Decisions"), (Page::Rules, "Rules")];
    let page = use_navigation().page();
    let link = move |(own, words): (Page, &'static str)| {
        let href = own.to_url();
        let current = move || page.with(|page| page.as_ref().map(Page::place) == Some(own.clone())).then_some("page");
        view! { <a class="tab" href=href aria-current=current>{words}</a> }
    };
    view! { <nav class="tabs" aria-label="Governance">{all.into_iter().map(link).collect_view()}</nav> }
}
