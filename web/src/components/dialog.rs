//! A native modal dialog that follows a signal: the browser gives it its focus, its Escape key and its backdrop.

use leptos::html::Dialog;
use leptos::prelude::*;

/// The reference for a `<dialog>` that is open while `open` says so. Its `close` event has to make `open` false.
pub fn use_dialog(open: Signal<bool>) -> NodeRef<Dialog> {
    let dialog = NodeRef::<Dialog>::new();
    Effect::new(move || {
        let wanted = open.get();
        if let Some(dialog) = dialog.get().filter(|dialog| dialog.open() != wanted) {
            if wanted {
                // A dialog that is not in the document any more cannot be shown.
                let _ = dialog.show_modal();
            } else {
                dialog.close();
            }
        }
    });
    dialog
}
