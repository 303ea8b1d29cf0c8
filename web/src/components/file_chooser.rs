//! A button that opens the browser's file dialog, and the whole window as a place to drop files on.

use super::icon::{Icon, IconName};
use leptos::ev;
use leptos::prelude::*;
use web_sys::{DragEvent, File, FileList, HtmlInputElement};

/// A button that lets a person choose files.
#[component]
pub fn FileChooser(
    /// The input's id.
    id: &'static str,
    /// What the button says.
    #[prop(into)]
    label: String,
    /// More than one at once.
    #[prop(optional)]
    multiple: bool,
    /// Which files: what their names end with.
    #[prop(default = ".jsonl,.ndjson,.log,.txt")]
    accept: &'static str,
    /// It is the one thing to do here.
    #[prop(optional)]
    primary: bool,
    /// Files were chosen.
    on_files: impl Fn(Vec<File>) + 'static,
) -> impl IntoView {
    let chosen = move |event: ev::Targeted<ev::Event, HtmlInputElement>| {
        let input = event.target();
        let files = input.files().map(|list| list_of(&list)).unwrap_or_default();
        // So that choosing the same file again is heard again.
        input.set_value("");
        if !files.is_empty() {
            on_files(files);
        }
    };
    view! {
        <span class="file-chooser">
            <input id=id class="visually-hidden" type="file" multiple=multiple accept=accept on:change:target=chosen />
            <label class="button" class:button-primary=primary for=id><Icon name=IconName::Upload />{label}</label>
        </span>
    }
}

/// Takes files dropped anywhere on the window while the calling component is mounted. The signal is true while some hover.
pub fn use_file_drop(on_files: impl Fn(Vec<File>) + 'static) -> RwSignal<bool> {
    let hovering = RwSignal::new(false);
    let over = window_event_listener(ev::dragover, move |event: DragEvent| {
        if has_files(&event) {
            event.prevent_default();
            if !hovering.get_untracked() {
                hovering.set(true);
            }
        }
    });
    let leave = window_event_listener(ev::dragleave, move |event: DragEvent| {
        // Leaving the window has no element to enter; leaving an element for another one has.
        if event.related_target().is_none() {
            hovering.set(false);
        }
    });
    let drop = window_event_listener(ev::drop, move |event: DragEvent| {
        if has_files(&event) {
            event.prevent_default();
            hovering.set(false);
            let files = event.data_transfer().and_then(|data| data.files()).map(|list| list_of(&list)).unwrap_or_default();
            if !files.is_empty() {
                on_files(files);
            }
        }
    });
    on_cleanup(move || {
        over.remove();
        leave.remove();
        drop.remove();
    });
    hovering
}

fn has_files(event: &DragEvent) -> bool {
    event.data_transfer().is_some_and(|data| data.types().includes(&"Files".into(), 0))
}

fn list_of(list: &FileList) -> Vec<File> {
    (0..list.length()).filter_map(|at| list.get(at)).collect()
}
