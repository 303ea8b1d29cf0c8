//! Where we are, as one signal of the current page, and how to go elsewhere. The address bar, the back button and clicks on links are
//! kept here: which page an address means `Page` alone knows, so a router with routes of its own would have nothing to do.

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
    /// Reads the address, follows it from then on, and puts itself into the context. The root's address becomes that of the skills.
    pub fn provide() -> Navigation {
        let navigation = Navigation { page: RwSignal::new(None) };
        provide_context(navigation);
        navigation.arrive();
        // The app is never taken down, so both listen for ever.
        window_event_listener(ev::popstate, move |_| navigation.arrive());
        window_event_listener(ev::click, move |event| {
            if let Some(page) = linked(&event) {
                event.prevent_default();
                navigation.go(&page);
            }
        });
        navigation
    }

    /// The current page.
    pub fn page(&self) -> Signal<Option<Page>> {
        self.page.into()
    }

    /// Goes to a page, as a click on a link does: the back button leads back.
    pub fn go(&self, page: &Page) {
        let url = page.to_url();
        let elsewhere = self.page.with_untracked(|old| old.as_ref().map(Page::place) != Some(page.place()));
        if url != address() {
            self.moved(|history| history.push_state_with_url(&JsValue::NULL, "", Some(&url)));
        }
        if elsewhere {
            window().scroll_to_with_x_and_y(0.0, 0.0);
        }
    }

    /// Changes what is chosen on a page without a step for the back button.
    pub fn replace(&self, page: &Page) {
        self.moved(|history| history.replace_state_with_url(&JsValue::NULL, "", Some(&page.to_url())));
    }

    fn moved(&self, change: impl FnOnce(&web_sys::History) -> Result<(), JsValue>) {
        // A browser refuses when there are too many in a short time; then we stay where the address says we are.
        let _ = window().history().and_then(|history| change(&history));
        self.arrive();
    }

    /// Takes over what the address says.
    fn arrive(&self) {
        let address = address();
        let (path, query) = address.split_once('?').unwrap_or((&address, ""));
        let page = Page::parse(path, query);
        if path == "/"
            && let Ok(history) = window().history()
        {
            // A browser that refuses leaves the short address.
            let _ = history.replace_state_with_url(&JsValue::NULL, "", Some(&Page::Skills.to_url()));
        }
        if self.page.with_untracked(|old| *old != page) {
            self.page.set(page);
        }
    }
}

/// Path and query.
fn address() -> String {
    let location = window().location();
    location.pathname().and_then(|path| Ok(path + &location.search()?)).unwrap_or_default()
}

/// The page that a click leads to, when it is a plain click on a link to one of ours. All else is the browser's.
fn linked(event: &MouseEvent) -> Option<Page> {
    let modified = event.ctrl_key() || event.meta_key() || event.alt_key() || event.shift_key();
    if event.default_prevented() || event.button() != 0 || modified {
        return None;
    }
    let link = event.target()?.dyn_into::<Element>().ok()?.closest("a[href]").ok()??.dyn_into::<HtmlAnchorElement>().ok()?;
    let ours = window().location().origin().is_ok_and(|origin| origin == link.origin());
    if !ours || !link.hash().is_empty() || !link.target().is_empty() || link.has_attribute("download") {
        return None;
    }
    Page::parse(&link.pathname(), link.search().trim_start_matches('?'))
}

/// The navigation of this app.
pub fn use_navigation() -> Navigation {
    expect_context()
}
