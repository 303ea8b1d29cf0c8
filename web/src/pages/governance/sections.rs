//! The pages of Governance side by side, each a link.

use crate::navigate::use_navigation;
use crate::page::Page;
use leptos::prelude::*;

/// Links to the pages of Governance; nothing while there is only one.
#[component]
pub fn Sections() -> impl IntoView {
    let all: Vec<(Page, &'static str)> = vec![(Page::Governance(Box::default()), "Decisions")];
    let page = use_navigation().page();
    let link = move |(own, words): (Page, &'static str)| {
        let href = own.to_url();
        let current = move || page.with(|page| page.as_ref().map(Page::place) == Some(own.clone())).then_some("page");
        view! { <a class="tab" href=href aria-current=current>{words}</a> }
    };
    let links = (all.len() > 1).then(|| all.into_iter().map(link).collect_view());
    links.map(|links| view! { <nav class="tabs" aria-label="Governance">{links}</nav> })
}
