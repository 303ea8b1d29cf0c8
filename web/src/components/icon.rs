//! Signs on buttons, in the manner of the glyphs. Always beside words or under a label.

use leptos::prelude::*;

/// The signs there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IconName {
    /// Two sheets.
    Copy,
    /// Done.
    Check,
    /// Take away.
    Close,
    /// The system's theme.
    System,
    /// Light.
    Sun,
    /// Dark.
    Moon,
    /// A fault.
    Error,
    /// Worth a look.
    Warning,
    /// Bring a file in.
    Upload,
    /// Find.
    Search,
    /// Something became something else.
    Change,
    /// One place up.
    Up,
    /// One place down.
    Down,
    /// One more.
    Add,
}

/// A sign.
#[component]
pub fn Icon(
    /// Which.
    name: IconName,
) -> impl IntoView {
    let path = match name {
        IconName::Copy => "M7 7h9v10H7z M13 7V3H4v10h3",
        IconName::Check => "M4 10.5l4 4 8-9",
        IconName::Close => "M5 5l10 10 M15 5L5 15",
        IconName::System => "M3 4h14v9.5H3z M7.5 17h5 M10 13.5V17",
        IconName::Sun => {
            "M10 6.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7z M10 2v1.5 M10 16.5V18 M2 10h1.5 M16.5 10H18 M4.3 4.3l1.1 1.1 M14.6 14.6l1.1 1.1 M4.3 15.7l1.1-1.1 M14.6 5.4l1.1-1.1"
        }
        IconName::Moon => "M16.5 12A7 7 0 0 1 8 3.5 7 7 0 1 0 16.5 12z",
        IconName::Error => "M10 2.8a7.2 7.2 0 1 0 0 14.4 7.2 7.2 0 0 0 0-14.4z M10 6.3v4.7 M10 13.6v.1",
        IconName::Warning => "M10 3l7.5 13.5h-15z M10 8.3v3.7 M10 14.2v.1",
        IconName::Upload => "M10 13V3.5 M6 7.2l4-3.7 4 3.7 M3.5 13v3.5h13V13",
        IconName::Change => "M3 7.5h13l-3.5-3.5 M17 12.5H4l3.5 3.5",
        IconName::Up => "M10 16V4.5 M5.5 9l4.5-4.5 4.5 4.5",
        IconName::Down => "M10 4v11.5 M5.5 11l4.5 4.5 4.5-4.5",
        IconName::Add => "M10 4v12 M4 10h12",
        IconName::Search => "M8.5 3a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11z M12.5 12.5L17 17",
    };
    view! { <svg class="glyph glyph-small" viewBox="0 0 20 20" aria-hidden="true"><path d=path /></svg> }
}
