//! The pages about a model's context side by side, each a link.

use crate::navigate::use_navigation;
use crate::page::Page;
use crate::page::context::{PrefaceShow, PrefaceView, SeedView};
use leptos::prelude::*;

/// Links to the pages about a model's context.
#[component]
pub fn ContextSections() -> impl IntoView {
    let page = use_navigation().page();
    let preface = |show| Page::Preface(PrefaceView { show, ..PrefaceView::default() });
    let all = [
        (preface(PrefaceShow::Write), "Preface"),
        (preface(PrefaceShow::Layout), "Cache layout"),
        (preface(PrefaceShow::Reader), "Reader"),
        (Page::Seed(SeedView::default()), "Fork seed"),
    ];
    let link = move |(own, words): (Page, &'static str)| {
        let href = own.to_url();
        let current = move || {
            let is_here = page.with(|page| match (page, &own) {
                (Some(Page::Preface(here)), Page::Preface(own)) => here.show == own.show,
                (Some(Page::Seed(_)), Page::Seed(_)) => true,
                _ => false,
            });
            is_here.then_some("page")
        };
        view! { <a class="tab" href=href aria-current=current>{words}</a> }
    };
    view! { <nav class="tabs" aria-label="Context">{all.map(link).collect_view()}</nav> }
}
