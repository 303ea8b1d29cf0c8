//! What came of a run, to be read, copied and saved.

use crate::components::{CopyButton, RuleResults};
use crate::state::judged::{Judged, Subjects, read, sum};
use leptos::prelude::*;
use proem_core::assertion::Report;
use std::sync::Arc;
use wasm_bindgen::prelude::*;
use web_sys::{Blob, BlobPropertyBag, HtmlAnchorElement, Url};

/// The results.
#[component]
pub(super) fn Results(judged: Arc<(Report, Subjects)>) -> impl IntoView {
    let (report, subjects) = &*judged;
    let rules: Vec<Judged> = report.rules.iter().map(|rule| Judged::of(rule, subjects)).collect();
    let told = format!("{}.", sum(report.rules.iter().map(|rule| rule.verdict)));
    let seen = format!("Read {}.", read(report));
    let left_out = report
        .left_out
        .iter()
        .map(|log| view! { <li><span class="foreign">{log.file.clone()}</span>": "{log.message.clone()}</li> });
    let left_out = (!report.left_out.is_empty()).then(|| {
        view! {
            <div class="failure" role="alert" data-left-out="">
                <p>"These could not be read, so nothing in them was judged:"</p>
                <ul>{left_out.collect_view()}</ul>
            </div>
        }
    });
    let json = StoredValue::new(serde_json::to_string_pretty(report).unwrap_or_default());
    let copied = Signal::derive(move || json.get_value());
    view! {
        <div data-results="" data-ok=report.ok.to_string()>
            <div class="list-head">
                <h3>"Results"</h3>
                <span class="decisions-export">
                    <CopyButton text=copied label="Copy as JSON" />
                    <button type="button" class="button" data-save-report="" on:click=move |_| json.with_value(|json| save_as_file(json))>"Save as a file"</button>
                </span>
            </div>
            <p role="status" data-sum="">{told} " " <span class="quiet">{seen}</span></p>
            {left_out}
            <RuleResults label="Results of the rules" rules=rules />
        </div>
    }
}

/// Hands a report to the browser as a download.
fn save_as_file(json: &str) {
    let kind = BlobPropertyBag::new();
    kind.set_type("application/json");
    let parts = js_sys::Array::of1(&json.into());
    let Ok(blob) = Blob::new_with_str_sequence_and_options(&parts, &kind) else { return };
    let Ok(url) = Url::create_object_url_with_blob(&blob) else { return };
    if let Some(link) = document().create_element("a").ok().and_then(|link| link.dyn_into::<HtmlAnchorElement>().ok()) {
        link.set_href(&url);
        link.set_download("rules-report.json");
        link.click();
    }
    // The browser has taken it by now; an address that stays costs memory until the page is closed.
    let _ = Url::revoke_object_url(&url);
}
