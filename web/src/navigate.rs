//! Moves between pages: the address bar, the back button and clicks on links, as one signal of the current page.

use crate::page::Page;
use leptos::ev;
use leptos::prelude::*;
use wasm_bindgen::prelude::*;
use web_sys::{Element, HtmlAnchorElement, MouseEvent};

/// Where we are; None is an address that is no page. Get it with [`use_navigation`].
#[derive(Clone, Copy)]
pub struct Navigation {
    page: RwSignal<Option<Page>>,
}

impl Navigation {
    /// Reads the address, listens to it and puts itself into the context. The root's address becomes that of the skills.
    pub fn provide() -> Navigation {
        let navigation = Navigation { page: RwSignal::new(current()) };
        provide_context(navigation);
        if window().location().pathname().is_ok_and(|path| path == "/") {
            navigation.replace(&Page::Skills);
        }
        let pop = window_event_listener(ev::popstate, move |_| navigation.page.set(current()));
        let click = window_event_listener(ev::click, move |event| navigation.follow(&event));
        on_cleanup(move || {
            pop.remove();
            click.remove();
        });
        navigation
    }

    /// The current page.
    pub fn page(&self) -> Signal<Option<Page>> {
        self.page.into()
    }

    /// Goes to a page, as a click on a link does: the back button leads back.
    pub fn go(&self, page: &Page) {
        self.write(page, |history, url| history.push_state_with_url(&JsValue::NULL, "", Some(url)));
        if self.page.with_untracked(|old| old.as_ref().map(Page::place) != Some(page.place())) {
            window().scroll_to_with_x_and_y(0.0, 0.0);
        }
        self.page.set(Some(page.clone()));
    }

    /// Changes what is chosen on a page without a step for the back button.
    pub fn replace(&self, page: &Page) {
        self.write(page, |history, url| history.replace_state_with_url(&JsValue::NULL, "", Some(url)));
        self.page.set(Some(page.clone()));
    }

    fn write(&self, page: &Page, write: impl Fn(&web_sys::History, &str) -> Result<(), JsValue>) {
        // A browser refuses when a page asks too often; the view still changes.
        let _ = window().history().and_then(|history| write(&history, &page.to_url()));
    }

    /// Takes over plain clicks on links to our own pages; everything else is the browser's.
    fn follow(&self, event: &MouseEvent) {
        let modified = event.ctrl_key() || event.meta_key() || event.shift_key() || event.alt_key();
        if event.default_prevented() || event.button() != 0 || modified {
            return;
        }
        let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
        let Some(link) = target.and_then(|target| target.closest("a[href]").ok().flatten()) else { return };
        let Ok(link) = link.dyn_into::<HtmlAnchorElement>() else { return };
        let ours = window().location().origin().is_ok_and(|origin| origin == link.origin());
        let within = link.get_attribute("href").is_some_and(|href| href.starts_with('#'));
        if !ours || within || !link.target().is_empty() || link.has_attribute("download") {
            return;
        }
        if let Some(page) = Page::parse(&link.pathname(), link.search().trim_start_matches('?')) {
            event.prevent_default();
            self.go(&page);
        }
    }
}

/// The navigation of this app.
pub fn use_navigation() -> Navigation {
    expect_context()
}

fn current() -> Option<Page> {
    let location = window().location();
    let query = location.search().unwrap_or_default();
    Page::parse(&location.pathname().ok()?, query.trim_start_matches('?'))
}
