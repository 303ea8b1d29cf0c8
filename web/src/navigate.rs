//! Where we are, as one signal of the current page, and how to go elsewhere; leptos_router keeps the address bar, the back button
//! and the clicks on links.

use crate::page::Page;
use leptos::prelude::*;
use leptos_router::NavigateOptions;
use leptos_router::hooks::{use_location, use_navigate};
use std::sync::Arc;

type Navigate = Arc<dyn Fn(&str, NavigateOptions) + Send + Sync>;

/// Where we are; None is an address that is no page. Get it with [`use_navigation`].
#[derive(Clone, Copy)]
pub struct Navigation {
    page: Memo<Option<Page>>,
    navigate: StoredValue<Navigate>,
}

impl Navigation {
    /// Reads the router's address and puts itself into the context. The root's address becomes that of the skills.
    pub fn provide() -> Navigation {
        let location = use_location();
        let (path, search) = (location.pathname, location.search);
        let navigate: Navigate = Arc::new(use_navigate());
        let navigation = Navigation {
            page: Memo::new(move |_| Page::parse(&path.get(), &search.get())),
            navigate: StoredValue::new(navigate),
        };
        provide_context(navigation);
        // Also when somebody comes to the root later, through a link or the back button.
        Effect::new(move || {
            if path.get() == "/" {
                navigation.replace(&Page::Skills);
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
        let elsewhere = self.page.with_untracked(|old| old.as_ref().map(Page::place) != Some(page.place()));
        self.move_to(page, NavigateOptions { scroll: elsewhere, ..options() });
    }

    /// Changes what is chosen on a page without a step for the back button.
    pub fn replace(&self, page: &Page) {
        self.move_to(page, NavigateOptions { replace: true, ..options() });
    }

    fn move_to(&self, page: &Page, options: NavigateOptions) {
        if let Some(navigate) = self.navigate.try_get_value() {
            navigate(&page.to_url(), options);
        }
    }
}

/// Our addresses are whole, and most of our moves stay where the reader is.
fn options() -> NavigateOptions {
    NavigateOptions { resolve: false, scroll: false, ..NavigateOptions::default() }
}

/// The navigation of this app.
pub fn use_navigation() -> Navigation {
    expect_context()
}
