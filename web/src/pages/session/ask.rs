//! A link to a file that only the reader has: asks for it and looks whether it is the same.

use crate::components::{FileChooser, use_file_drop};
use crate::files::{self, Reading};
use crate::page::LocalFile;
use crate::state::fingerprint::check;
use crate::state::wording::file_size;
use leptos::prelude::*;
use leptos::task::spawn_local;
use web_sys::File;

/// Asks for the file that a link means.
#[component]
pub fn AskFile(
    /// What the link says of it.
    link: LocalFile,
    /// It is here now.
    #[prop(into)]
    on_here: Callback<()>,
) -> impl IntoView {
    let fault = RwSignal::new(None::<String>);
    let label = format!("Choose {} again ({})", link.name, file_size(link.size));
    let name = link.name.clone();
    let take = move |files: Vec<File>| {
        let Some(file) = files.into_iter().next() else { return };
        let link = link.clone();
        fault.set(None);
        spawn_local(async move {
            let number = files::keep(file);
            let found = files::identify(number, Reading::new()).await;
            let difference = match found {
                Ok(chosen) => check(&link, &chosen).err(),
                Err(sentence) => sentence,
            };
            if difference.is_some() {
                files::forget(number);
                fault.try_set(difference);
            } else {
                on_here.try_run(());
            }
        });
    };
    use_file_drop(take.clone());
    view! {
        <div class="empty" data-ask-file="">
            <p class="empty-title">"This log is on your own disk"</p>
            <p class="empty-text">
                "The link names " <strong class="foreign">{name}</strong>
                ", but a page cannot open a file by itself. Choose it again, or drop it here; it is read on this device and not uploaded."
            </p>
            <FileChooser id="log-again" label=label primary=true on_files=take />
            <p class="field-fault" role="alert" data-file-fault="">{fault}</p>
        </div>
    }
}
