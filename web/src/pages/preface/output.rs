//! The exact bytes of the preface, and what became of its entries.

use super::ask::Latest;
use super::write::mode_words;
use crate::components::{CopyButton, EnvelopeText, Failure, Loading, Segment, Segmented, code_words};
use crate::navigate::use_navigation;
use crate::page::Page;
use crate::page::context::PrefaceView;
use crate::state::wording::counted;
use leptos::prelude::*;
use proem_core::api::ApiError;
use proem_core::context::preface::Mode;
use proem_core::worker::context::ContextAnswer;

/// The text with its mode, size and copy.
#[component]
pub(super) fn Output(
    /// What is chosen.
    view: Signal<PrefaceView>,
    /// The preface.
    latest: Latest,
) -> impl IntoView {
    let navigation = use_navigation();
    let choose = move |mode| navigation.replace(&Page::Preface(PrefaceView { mode, ..view.get_untracked() }));
    let mode = Signal::derive(move || view.get().mode);
    let text = Signal::derive(move || match latest.answer().as_deref() {
        Some((_, Ok(ContextAnswer::Preface { preface, .. }))) => preface.text.clone(),
        _ => String::new(),
    });
    let size = Memo::new(move |_| text.with(String::len));
    let shown = move || match latest.answer() {
        None => view! { <Loading text="Making the text…" /> }.into_any(),
        Some(answer) => match &answer.1 {
            Ok(ContextAnswer::Preface { preface, envelopes, lints }) => {
                let changed: Vec<_> =
                    preface.entries.iter().flat_map(|entry| &entry.defanged).map(|one| one.after.clone()).collect();
                let harmless = changed.len() as u64;
                let remarks = lints.iter().filter(|lint| lint.entry.is_none());
                view! {
                    {remarks.map(|lint| view! { <p class="warn-text" data-remark="">{code_words(lint.message.clone())}</p> }).collect_view()}
                    {(harmless > 0).then(|| view! { <p class="quiet" data-changed=harmless>{counted(harmless, "place")} " made harmless"</p> })}
                    {if preface.text.is_empty() {
                        view! { <p class="preface-empty" data-empty="">"The text is empty: without entries nothing goes before the model, not even a blank line."</p> }.into_any()
                    } else {
                        view! { <EnvelopeText text=preface.text.clone() found=envelopes.clone() changed=changed /> }.into_any()
                    }}
                }
                .into_any()
            }
            Ok(_) => ().into_any(),
            Err(sentence) => {
                let error = ApiError { message: sentence.clone(), ..ApiError::default() };
                view! { <Failure error=error on_retry=Callback::new(move |()| latest.again()) /> }.into_any()
            }
        },
    };
    view! {
        <section class="preface-output" aria-labelledby="output-title" data-output=move || if mode.get() == Mode::Hardened { "hardened" } else { "parity" }>
            <div class="list-head">
                <h2 id="output-title">"The exact bytes"</h2>
                <span class="quiet numbers" data-bytes=size>{move || counted(size.get() as u64, "byte")}</span>
                <span class="entries-copy"><CopyButton text=text label="Copy the bytes" /></span>
            </div>
            <div class="preface-mode">
                <Segmented
                    label="Mode"
                    segments=vec![Segment::new(Mode::Parity, "Parity"), Segment::new(Mode::Hardened, "Hardened")]
                    value=mode
                    on_change=Callback::new(choose)
                />
                <p class="quiet">{move || mode_words(mode.get())}</p>
            </div>
            {shown}
        </section>
    }
}
