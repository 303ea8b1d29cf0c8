//! Pages: each reads its part of the address, fetches, and puts components together.

mod chat;
mod governance;
mod head;
mod load;
mod parts;
mod preface;
mod sections;
mod seed;
mod session;
mod sessions;
mod sign_in;
mod skill;
mod skills;

pub use head::PageHead;
pub use load::Loaded;
pub use parts::PartsView;
pub use sections::ContextSections;
pub use sign_in::SignIn;

use crate::components::EmptyState;
use crate::navigate::use_navigation;
use crate::page::context::{PrefaceView, SeedView};
use crate::page::{Page, SessionView, SkillView};
use leptos::prelude::*;
use proem_core::api::governance::LedgerQuery;

/// The page of the current place; None is an address that is no page.
#[component]
pub fn CurrentPage(
    /// Where we are, without what is chosen there.
    place: Memo<Option<Page>>,
) -> impl IntoView {
    move || match place.get() {
        Some(Page::Skills) => view! { <skills::Skills /> }.into_any(),
        Some(Page::Skill(first)) => view! { <skill::Skill view=skill_view(first) /> }.into_any(),
        Some(Page::Sessions) => view! { <sessions::Sessions /> }.into_any(),
        Some(Page::Session(first)) => view! { <session::Session view=session_view(first) /> }.into_any(),
        Some(Page::Chat(_)) => view! { <chat::Chat session=conversation() /> }.into_any(),
        Some(Page::Governance(_)) => view! { <governance::Governance query=ledger_query() /> }.into_any(),
        Some(Page::Rules) => view! { <governance::Rules /> }.into_any(),
        Some(Page::Preface(_)) => view! { <preface::Preface view=preface_view() /> }.into_any(),
        Some(Page::Seed(_)) => view! { <seed::Seed view=seed_view() /> }.into_any(),
        None => view! { <NotFound /> }.into_any(),
    }
}

/// What is chosen on a skill's page, as it changes.
fn skill_view(first: SkillView) -> Signal<SkillView> {
    let page = use_navigation().page();
    Memo::new(move |before: Option<&SkillView>| match page.get() {
        Some(Page::Skill(view)) if view.slug == first.slug => view,
        _ => before.unwrap_or(&first).clone(),
    })
    .into()
}

/// What is chosen on a session's page, as it changes.
fn session_view(first: SessionView) -> Signal<SessionView> {
    let page = use_navigation().page();
    Memo::new(move |before: Option<&SessionView>| match page.get() {
        Some(Page::Session(view)) if view.source == first.source => view,
        _ => before.unwrap_or(&first).clone(),
    })
    .into()
}

/// Which conversation is on the Chat page, as it changes.
fn conversation() -> Signal<Option<String>> {
    let page = use_navigation().page();
    Memo::new(move |before: Option<&Option<String>>| match page.get() {
        Some(Page::Chat(session)) => session,
        _ => before.cloned().flatten(),
    })
    .into()
}

/// Which rows the Governance page asks for, as that changes.
fn ledger_query() -> Signal<LedgerQuery> {
    let page = use_navigation().page();
    Memo::new(move |before: Option<&LedgerQuery>| match page.get() {
        Some(Page::Governance(query)) => *query,
        _ => before.cloned().unwrap_or_default(),
    })
    .into()
}

/// What is chosen on the preface page, as it changes.
fn preface_view() -> Signal<PrefaceView> {
    let page = use_navigation().page();
    Memo::new(move |before: Option<&PrefaceView>| match page.get() {
        Some(Page::Preface(view)) => view,
        _ => before.copied().unwrap_or_default(),
    })
    .into()
}

/// What is chosen on the seed page, as it changes.
fn seed_view() -> Signal<SeedView> {
    let page = use_navigation().page();
    Memo::new(move |before: Option<&SeedView>| match page.get() {
        Some(Page::Seed(view)) => view,
        _ => before.copied().unwrap_or_default(),
    })
    .into()
}

#[component]
fn NotFound() -> impl IntoView {
    view! {
        <div class="page">
            <PageHead title="No such page" />
            <EmptyState title="Nothing begins here" text="This address belongs to no page of Proem. It may have been typed by hand or cut off.">
                <a class="button" href=Page::Skills.to_url()>"Go to the skills"</a>
            </EmptyState>
        </div>
    }
}
