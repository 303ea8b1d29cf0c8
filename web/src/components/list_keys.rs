//! The keys of every list: j and k go down and up, `/` goes to the filter. They do nothing while somebody types.

use leptos::ev;
use leptos::prelude::*;
use wasm_bindgen::prelude::*;
use web_sys::{Element, HtmlElement, KeyboardEvent};

/// Listens while the calling component is mounted. Rows are the `.list-title` elements of the page, in document order; the filter
/// is the element with `data-filter`.
pub fn use_list_keys() {
    let handle = window_event_listener(ev::keydown, |event| {
        if event.ctrl_key() || event.meta_key() || event.alt_key() || event.default_prevented() || is_typing(&event) {
            return;
        }
        let target = match event.key().as_str() {
            "j" => row_beside(1),
            "k" => row_beside(-1),
            "/" => document().query_selector("main [data-filter]").ok().flatten(),
            _ => None,
        };
        if let Some(target) = target.and_then(|target| target.dyn_into::<HtmlElement>().ok()) {
            event.prevent_default();
            // An element that cannot take the focus leaves it where it is.
            let _ = target.focus();
        }
    });
    on_cleanup(move || handle.remove());
}

/// The row `step` away from the focused one; the first when none is.
fn row_beside(step: i64) -> Option<Element> {
    let rows = document().query_selector_all("main .list-title").ok()?;
    let count = i64::from(rows.length());
    let active = document().active_element();
    let at = (0..count).find(|at| rows.get(*at as u32).as_ref() == active.as_ref().map(AsRef::as_ref));
    let next = at.map_or(0, |at| (at + step).clamp(0, count - 1));
    rows.get(u32::try_from(next).ok()?)?.dyn_into().ok()
}

/// Left and right arrows in a `role=tablist` go to the tab beside and choose it, as people expect of tabs.
pub fn move_between_tabs(event: KeyboardEvent) {
    let step = match event.key().as_str() {
        "ArrowRight" => 1,
        "ArrowLeft" => -1,
        _ => return,
    };
    let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
    let Some(list) = target.as_ref().and_then(|target| target.closest("[role=tablist]").ok().flatten()) else { return };
    let Ok(tabs) = list.query_selector_all("[role=tab]") else { return };
    let count = i64::from(tabs.length());
    let at = (0..count).find(|at| tabs.get(*at as u32).as_ref() == target.as_ref().map(AsRef::as_ref));
    let next = at.and_then(|at| tabs.get((at + step).rem_euclid(count) as u32));
    if let Some(tab) = next.and_then(|tab| tab.dyn_into::<HtmlElement>().ok()) {
        event.prevent_default();
        let _ = tab.focus();
        tab.click();
    }
}

/// Whether a key is meant for something that takes text.
pub fn is_typing(event: &KeyboardEvent) -> bool {
    let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
    target.is_some_and(|target| {
        target.closest("input:not([type=radio]), textarea, select, [contenteditable], code-editor").ok().flatten().is_some()
    })
}
