//! A moment, shown in the reader's own time zone and manner; what the log says stays readable as its title.

use js_sys::{Array, Date, Intl, Object, Reflect};
use leptos::prelude::*;
use wasm_bindgen::prelude::*;

/// A moment. A text that is no time is shown as it is.
#[component]
pub fn TimeText(
    /// As it stands in the log, for example RFC 3339.
    #[prop(into)]
    at: String,
) -> impl IntoView {
    let shown = in_readers_zone(&at).unwrap_or_else(|| at.clone());
    view! { <time datetime=at.clone() title=at>{shown}</time> }
}

fn in_readers_zone(at: &str) -> Option<String> {
    let date = Date::new(&at.into());
    if date.get_time().is_nan() {
        return None;
    }
    let options = Object::new();
    Reflect::set(&options, &"dateStyle".into(), &"medium".into()).ok()?;
    Reflect::set(&options, &"timeStyle".into(), &"short".into()).ok()?;
    let format = Intl::DateTimeFormat::new(&Array::new(), &options).format();
    format.call1(&JsValue::UNDEFINED, &date).ok()?.as_string()
}
