//! The frame round every page: header and navigation, the current page, and what the program says by itself.

use crate::api;
use crate::components::{NoticeKind, NoticeList, Notices, ThemeSwitch};
use crate::engine::Engine;
use crate::navigate::Navigation;
use crate::page::Page;
use crate::page::context::PrefaceView;
use crate::pages::{CurrentPage, SignIn};
use leptos::prelude::*;
use wasm_bindgen::prelude::*;
use web_sys::HtmlElement;

/// The whole of Proem in the browser.
#[component]
pub fn App() -> impl IntoView {
    let navigation = Navigation::provide();
    let notices = Notices::provide();
    let engine = Engine::provide();
    let signed_out = api::signed_out();

    Effect::new(move || {
        if let Some(notice) = engine.notice().get() {
            notices.say(if notice.given_up { NoticeKind::Error } else { NoticeKind::Warning }, notice.text);
        }
    });

    // What is mounted changes with the place, not with what is chosen on it.
    let place = Memo::new(move |_| navigation.page().get().map(|page| page.place()));
    Effect::new(move |before: Option<Option<Page>>| {
        let now = place.get();
        if before.is_some_and(|before| before != now) {
            request_animation_frame(focus_heading);
        }
        now
    });

    view! {
        <div class="shell">
            // The browser itself moves the focus to its target.
            <a class="skip-link" href="#main">"Skip to the page"</a>
            <Header place=place />
            <main id="main" class="outlet" tabindex="-1">
                <ErrorBoundary fallback=|errors| view! { <Broken errors=errors /> }>
                    {move || if signed_out.get() { view! { <SignIn /> }.into_any() } else { view! { <CurrentPage place=place /> }.into_any() }}
                </ErrorBoundary>
            </main>
            <NoticeList notices=notices />
        </div>
    }
}

#[component]
fn Header(place: Memo<Option<Page>>) -> impl IntoView {
    let current = move |section: Page| {
        place.with(|place| match (place, &section) {
            (Some(page), section) if page == section => Some("page"),
            (Some(Page::Skill(_)), Page::Skills)
            | (Some(Page::Session(_)), Page::Sessions)
            | (Some(Page::Rules), Page::Governance(_))
            | (Some(Page::Seed(_)), Page::Preface(_)) => Some("true"),
            _ => None,
        })
    };
    view! {
        <header class="header">
            <a class="wordmark" href=Page::Skills.to_url() aria-label="Proem">
                <span class="wordmark-initial">"P"</span>
                "roem"
            </a>
            <nav class="navigation" aria-label="Main">
                <a href=Page::Skills.to_url() aria-current=move || current(Page::Skills)>"Skills"</a>
                <a href=Page::Sessions.to_url() aria-current=move || current(Page::Sessions)>"Sessions"</a>
                <a href=Page::Chat(None).to_url() aria-current=move || current(Page::Chat(None))>"Chat"</a>
                <a href=Page::Governance(Box::default()).to_url() aria-current=move || current(Page::Governance(Box::default()))>"Governance"</a>
                <a href=Page::Preface(PrefaceView::default()).to_url() aria-current=move || current(Page::Preface(PrefaceView::default()))>"Context"</a>
            </nav>
            <div class="header-end"><ThemeSwitch /></div>
        </header>
    }
}

/// A part of a page that could not be built.
#[component]
fn Broken(errors: ArcRwSignal<Errors>) -> impl IntoView {
    let list = move || errors.get().into_iter().map(|(_, error)| view! { <p>{error.to_string()}</p> }).collect_view();
    view! {
        <div class="page">
            <div class="failure" role="alert">
                <h1 tabindex="-1">"This page could not be shown"</h1>
                {list}
                <p>"Reload it to try again."</p>
            </div>
        </div>
    }
}

/// After moving to another page the keyboard continues at its heading.
pub(crate) fn focus_heading() {
    let target = document().query_selector("main h1").ok().flatten().or_else(|| document().get_element_by_id("main"));
    if let Some(element) = target.and_then(|element| element.dyn_into::<HtmlElement>().ok()) {
        // An element that cannot take the focus leaves it where it is.
        let _ = element.focus();
    }
}
