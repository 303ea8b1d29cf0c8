//! Unsaved drafts, kept in the browser's storage for each skill; and the entries of the preface page. Storage may be switched off or
//! full: then nothing is kept, and leaving the page asks first as always.

use crate::state::draft::{KeptDraft, set_aside};
use leptos::prelude::window;
use web_sys::Storage;

/// What is being written, replaced with every change; None once there is nothing unsaved.
pub fn keep(slug: &str, draft: Option<&KeptDraft>) {
    let Some(storage) = storage() else { return };
    let key = live_key(slug);
    // A full storage keeps the older draft.
    let _ = match draft.and_then(|draft| serde_json::to_string(draft).ok()) {
        Some(json) => storage.set_item(&key, &json),
        None => storage.remove_item(&key),
    };
}

/// Whether something unsaved is kept of a skill.
pub fn is_kept(slug: &str) -> bool {
    storage()
        .is_some_and(|storage| [live_key(slug), aside_key(slug)].iter().any(|key| storage.get_item(key).ok().flatten().is_some()))
}

/// The drafts that earlier visits left, newest first, without those that say what is stored. What was being written becomes one
/// of them, so that typing does not overwrite it.
pub fn left_behind(slug: &str, stored_body: &str) -> Vec<KeptDraft> {
    let mut drafts = aside(slug);
    if let Some(live) = read::<KeptDraft>(&live_key(slug)) {
        set_aside(&mut drafts, live);
        keep(slug, None);
    }
    drafts.retain(|draft| draft.body != stored_body);
    write_aside(slug, &drafts);
    drafts
}

/// Replaces the drafts that were set aside.
pub fn write_aside(slug: &str, drafts: &[KeptDraft]) {
    let Some(storage) = storage() else { return };
    let json = (!drafts.is_empty()).then(|| serde_json::to_string(drafts).ok()).flatten();
    let _ = match json {
        Some(json) => storage.set_item(&aside_key(slug), &json),
        None => storage.remove_item(&aside_key(slug)),
    };
}

/// Now, as drafts are stamped.
pub fn now() -> String {
    js_sys::Date::new_0().to_iso_string().into()
}

/// Key of the preface page's entries.
const ENTRIES: &str = "proem.preface.entries";

/// Replaces the entries of the preface page, as JSON.
pub fn keep_entries(json: &str) {
    if let Some(storage) = storage() {
        // A full storage keeps the older ones.
        let _ = storage.set_item(ENTRIES, json);
    }
}

/// The entries that an earlier visit left.
pub fn kept_entries() -> Option<String> {
    storage()?.get_item(ENTRIES).ok()?
}

fn aside(slug: &str) -> Vec<KeptDraft> {
    read(&aside_key(slug)).unwrap_or_default()
}

fn read<T: serde::de::DeserializeOwned>(key: &str) -> Option<T> {
    serde_json::from_str(&storage()?.get_item(key).ok()??).ok()
}

fn storage() -> Option<Storage> {
    window().local_storage().ok().flatten()
}

fn live_key(slug: &str) -> String {
    format!("proem.draft.{slug}")
}

fn aside_key(slug: &str) -> String {
    format!("proem.aside.{slug}")
}
