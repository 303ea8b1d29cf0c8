//! The `<code-editor>` element as a component: plain Rust values in, callbacks out.

use js_sys::{Array, Object, Reflect};
use leptos::html;
use leptos::prelude::*;
use proem_core::template::problem::{Problem, Severity};
use wasm_bindgen::prelude::*;
use web_sys::CustomEvent;

/// A template editor. `doc` goes in only (loading, reverting, taking another's version): never feed it what `on_input` gave,
/// or an answer that comes late overwrites what was typed meanwhile. Setting `doc` makes no event and no step to undo.
#[component]
pub fn CodeEditor(
    /// What it is called for those who do not see it.
    #[prop(into)]
    label: Signal<String>,
    /// The text to start from.
    #[prop(into)]
    doc: Signal<String>,
    /// Faults to show at their place.
    #[prop(into, optional)]
    problems: Signal<Vec<Problem>>,
    /// A range to light up, in UTF-16 units.
    #[prop(into, optional)]
    highlight: Signal<Option<(usize, usize)>>,
    /// A range to select and scroll to, in UTF-16 units; the editor takes the focus.
    #[prop(into, optional)]
    reveal: Signal<Option<(usize, usize)>>,
    /// A text to put in place of what is there, as if a person had typed it: `on_input` hears of it, and undo takes it back.
    #[prop(into, optional)]
    replacement: Signal<Option<String>>,
    /// The text can be read and copied only.
    #[prop(into, optional)]
    readonly: Signal<bool>,
    /// The whole text after each change a person made.
    #[prop(into, optional)]
    on_input: Option<Callback<String>>,
    /// The selection, in UTF-16 units, when it or the text changed.
    #[prop(into, optional)]
    on_select: Option<Callback<(usize, usize)>>,
    /// Ctrl+S or Cmd+S.
    #[prop(into, optional)]
    on_save: Option<Callback<()>>,
) -> impl IntoView {
    let input = move |event: CustomEvent| {
        if let (Some(callback), Some(text)) = (on_input, event.detail().as_string()) {
            callback.run(text);
        }
    };
    let select = move |event: CustomEvent| {
        if let Some(callback) = on_select {
            let number = |name: &str| Reflect::get(&event.detail(), &name.into()).ok().and_then(|value| value.as_f64());
            callback.run((number("from").unwrap_or_default() as usize, number("to").unwrap_or_default() as usize));
        }
    };
    let save = move |_: CustomEvent| {
        if let Some(callback) = on_save {
            callback.run(());
        }
    };
    html::custom("code-editor")
        .prop("label", move || JsValue::from(label.get()))
        .prop("doc", move || JsValue::from(doc.get()))
        .prop("diagnostics", move || problems.with(|problems| diagnostics(problems)))
        .prop("highlight", move || range(highlight.get()))
        .prop("reveal", move || range(reveal.get()))
        .prop("replacement", move || replacement.get().map_or(JsValue::NULL, |text| Array::of1(&text.into()).into()))
        .prop("readonly", move || JsValue::from(readonly.get()))
        .on(leptos::ev::Custom::<CustomEvent>::new("code-input"), input)
        .on(leptos::ev::Custom::<CustomEvent>::new("code-select"), select)
        .on(leptos::ev::Custom::<CustomEvent>::new("code-save"), save)
}

fn range(range: Option<(usize, usize)>) -> JsValue {
    range.map_or(JsValue::NULL, |(from, to)| Array::of2(&units(from), &units(to)).into())
}

fn diagnostics(problems: &[Problem]) -> JsValue {
    let list = Array::new();
    for problem in problems {
        let severity = if problem.severity == Severity::Error { "error" } else { "warning" };
        let message = match &problem.suggestion {
            Some(suggestion) => format!("{} {suggestion}", problem.message),
            None => problem.message.clone(),
        };
        let entry = Object::new();
        let fields = [
            ("from", units(problem.utf16.0)),
            ("to", units(problem.utf16.1)),
            ("severity", severity.into()),
            ("message", message.into()),
        ];
        for (name, value) in fields {
            // Setting a field of a fresh object cannot fail.
            let _ = Reflect::set(&entry, &name.into(), &value);
        }
        list.push(&entry);
    }
    list.into()
}

fn units(position: usize) -> JsValue {
    JsValue::from_f64(position as f64)
}
