//! A moment, shown in the reader's own time zone and manner; what the log says stays readable as its title.

use js_sys::{Array, Date, Intl, Object, Reflect};
use leptos::prelude::*;
use wasm_bindgen::prelude::*;

/// A moment with its day. A text that is no time is shown as it is.
#[component]
pub fn TimeText(
    /// As it stands in the log, for example RFC 3339.
    #[prop(into)]
    at: String,
) -> impl IntoView {
    let shown = in_readers_zone(&at, &[("dateStyle", "medium"), ("timeStyle", "short")]).unwrap_or_else(|| at.clone());
    view! { <time datetime=at.clone() title=at>{shown}</time> }
}

/// A moment with its day and seconds.
#[component]
pub fn MomentText(
    /// As it stands in the log.
    #[prop(into)]
    at: String,
) -> impl IntoView {
    let shown = in_readers_zone(&at, &[("dateStyle", "medium"), ("timeStyle", "medium")]).unwrap_or_else(|| at.clone());
    view! { <time datetime=at.clone() title=at>{shown}</time> }
}

/// The time of day of a moment, with seconds.
#[component]
pub fn ClockText(
    /// As it stands in the log.
    #[prop(into)]
    at: String,
) -> impl IntoView {
    let shown = in_readers_zone(&at, &[("timeStyle", "medium")]).unwrap_or_else(|| at.clone());
    view! { <time datetime=at.clone() title=at>{shown}</time> }
}

/// A moment as a `datetime-local` field has it, in the reader's zone; empty when the text is no time.
pub fn field_of_moment(at: &str) -> String {
    let date = Date::new(&at.into());
    if date.get_time().is_nan() {
        return String::new();
    }
    let day = format!("{:04}-{:02}-{:02}", date.get_full_year(), date.get_month() + 1, date.get_date());
    format!("{day}T{:02}:{:02}", date.get_hours(), date.get_minutes())
}

/// The moment that such a field says, as a stamp in UTC; empty when it says none.
pub fn moment_of_field(text: &str) -> String {
    let date = Date::new(&text.into());
    if date.get_time().is_nan() { String::new() } else { date.to_iso_string().into() }
}

fn in_readers_zone(at: &str, style: &[(&str, &str)]) -> Option<String> {
    let date = Date::new(&at.into());
    if date.get_time().is_nan() {
        return None;
    }
    let options = Object::new();
    for (name, value) in style {
        Reflect::set(&options, &(*name).into(), &(*value).into()).ok()?;
    }
    let format = Intl::DateTimeFormat::new(&Array::new(), &options).format();
    format.call1(&JsValue::UNDEFINED, &date).ok()?.as_string()
}
