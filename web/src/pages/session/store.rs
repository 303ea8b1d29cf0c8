//! Stores an opened log on this server: piece by piece, with progress, to be stopped and gone on with.

use crate::api::{self, UploadPiece};
use crate::components::{NoticeKind, use_notices};
use crate::files;
use crate::navigate::use_navigation;
use crate::page::{LocalFile, Page, SessionSource, SessionView};
use crate::state::upload::Progress;
use crate::state::wording::file_size;
use leptos::prelude::*;
use leptos::task::spawn_local;
use proem_core::api::{ApiError, StoredSession};
use web_sys::{AbortController, AbortSignal};

#[derive(Clone, Copy, PartialEq)]
enum Storing {
    No,
    Running,
    Stopped,
}

/// The button and what becomes of it.
#[component]
pub fn StoreButton(
    /// The file.
    link: LocalFile,
) -> impl IntoView {
    let navigation = use_navigation();
    let notices = use_notices();
    let storing = RwSignal::new(Storing::No);
    let progress = RwSignal::new(Progress { sent: 0, size: link.size });
    let fault = RwSignal::new(None::<String>);
    let link = StoredValue::new(link);
    // A piece that is under way when somebody stops and goes on again belongs to an earlier run.
    let run = StoredValue::new(0u32);
    let stop = StoredValue::new_local(None::<AbortController>);
    let end_piece = move || {
        if let Some(controller) = stop.try_update_value(Option::take).flatten() {
            controller.abort();
        }
    };
    on_cleanup(end_piece);
    let cancel = move |_| {
        storing.set(Storing::Stopped);
        end_piece();
    };
    let start = move |_| {
        run.update_value(|run| *run += 1);
        let mine = run.get_value();
        storing.set(Storing::Running);
        fault.set(None);
        // Where the browser has none, the piece under way is sent to its end.
        let controller = AbortController::new().ok();
        let signal = controller.as_ref().map(AbortController::signal);
        stop.set_value(controller);
        spawn_local(async move {
            let Some(link) = link.try_get_value() else { return };
            let current = move || run.try_get_value() == Some(mine);
            let wanted = move || current() && storing.try_get_untracked() == Some(Storing::Running);
            match store(&link, progress, signal.as_ref(), wanted).await {
                Ok(Some(session)) => {
                    notices.say(NoticeKind::Done, format!("{} is stored on this server.", session.file_name));
                    if wanted() {
                        let source = SessionSource::Stored(session.id);
                        let view = match navigation.page().get_untracked() {
                            // The same log, so the same turn and call.
                            Some(Page::Session(view)) => SessionView { source, ..view },
                            _ => SessionView::of(source),
                        };
                        navigation.go(&Page::Session(view));
                    }
                }
                Err(error) if current() => {
                    fault.try_set(Some(error.message));
                    storing.try_set(Storing::Stopped);
                }
                // Of the piece that was cut off the server may have kept a part.
                Ok(None) if current() => {
                    if let Ok(state) = api::upload_state(&link.fingerprint).await
                        && current()
                        && state.session.is_none()
                    {
                        progress.try_set(Progress { sent: state.received, size: link.size });
                    }
                }
                Ok(None) | Err(_) => {}
            }
        });
    };
    view! {
        <div class="storing" data-storing=move || (storing.get() == Storing::Running).then_some("")>
            {move || match storing.get() {
                Storing::No => {
                    view! { <button type="button" class="button" data-store="" on:click=start>"Store on this server"</button> }.into_any()
                }
                Storing::Running => view! {
                    <progress max="100" prop:value=move || progress.get().percent() as f64 aria-label="Storing"></progress>
                    <span class="numbers quiet">
                        {move || format!("{} of {}", file_size(progress.get().sent), file_size(progress.get().size))}
                    </span>
                    <button type="button" class="button" on:click=cancel>"Cancel"</button>
                }
                .into_any(),
                Storing::Stopped => view! {
                    <span class="quiet">{move || format!("Stopped at {} %", progress.get().percent())}</span>
                    <button type="button" class="button" data-store="" on:click=start>"Go on"</button>
                }
                .into_any(),
            }}
            <p class="field-fault" role="alert">{fault}</p>
        </div>
    }
}

/// Sends what the server does not have yet. None when it was stopped.
async fn store(
    link: &LocalFile,
    progress: RwSignal<Progress>,
    stop: Option<&AbortSignal>,
    wanted: impl Fn() -> bool,
) -> Result<Option<StoredSession>, ApiError> {
    let gone = || ApiError { message: "The file is no longer open here; open it again.".to_owned(), ..ApiError::default() };
    let file = files::find(link).ok_or_else(gone)?;
    let mut state = api::upload_state(&link.fingerprint).await?;
    let mut at = Progress { sent: state.received, size: link.size };
    while state.session.is_none() {
        progress.try_set(at);
        if !wanted() {
            return Ok(None);
        }
        let (from, to) = at.next_piece();
        let bytes = file.slice_with_f64_and_f64(from as f64, to as f64).map_err(|_| gone())?;
        let piece = UploadPiece { fingerprint: link.fingerprint.clone(), name: link.name.clone(), size: link.size, offset: from };
        match api::upload(&piece, &bytes, stop).await {
            Ok(next) => {
                if next.session.is_none() && next.received <= at.sent {
                    let message = "The server stored nothing of what was sent; try again later.".to_owned();
                    return Err(ApiError { message, ..ApiError::default() });
                }
                at.sent = next.received;
                state = next;
            }
            Err(_) if !wanted() => return Ok(None),
            Err(error) => {
                if !at.corrected_by(&error) {
                    return Err(error);
                }
            }
        }
    }
    progress.try_set(Progress { sent: link.size, ..at });
    Ok(state.session)
}
