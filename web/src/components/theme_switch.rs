//! Light, dark, or as the system says; remembered by the browser.

use super::icon::{Icon, IconName};
use super::segmented::{Segment, Segmented};
use leptos::prelude::*;

/// Where the choice is kept; web/js/boot.js reads it before the pages start.
const KEY: &str = "proem.theme";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Theme {
    System,
    Light,
    Dark,
}

impl Theme {
    fn as_str(self) -> &'static str {
        match self {
            Theme::System => "system",
            Theme::Light => "light",
            Theme::Dark => "dark",
        }
    }
}

/// The switch in the header.
#[component]
pub fn ThemeSwitch() -> impl IntoView {
    let theme = RwSignal::new(stored());
    let choose = move |chosen: Theme| {
        theme.set(chosen);
        apply(chosen);
    };
    let segment = |value, label, icon| Segment { value, label, glyph: Some((move || view! { <Icon name=icon /> }).into()) };
    let segments = vec![
        segment(Theme::System, "Theme of the system", IconName::System),
        segment(Theme::Light, "Light", IconName::Sun),
        segment(Theme::Dark, "Dark", IconName::Moon),
    ];
    view! { <Segmented label="Theme" segments=segments value=theme on_change=choose glyphs_only=true /> }
}

fn stored() -> Theme {
    let value = window().local_storage().ok().flatten().and_then(|storage| storage.get_item(KEY).ok().flatten());
    match value.as_deref() {
        Some("light") => Theme::Light,
        Some("dark") => Theme::Dark,
        _ => Theme::System,
    }
}

/// Storage may be switched off and then forgets; the page still changes.
fn apply(theme: Theme) {
    if let Some(root) = document().document_element() {
        let _ = match theme {
            Theme::System => root.remove_attribute("data-theme"),
            chosen => root.set_attribute("data-theme", chosen.as_str()),
        };
    }
    if let Ok(Some(storage)) = window().local_storage() {
        let _ = storage.set_item(KEY, theme.as_str());
    }
}
