//! The engine as the pages see it: two workers, asked one thing at a time, replaced when they hang or break.

mod supervisor;

pub use crate::state::supervision::EngineFault;

use crate::state::supervision::{PREVIEW_MEMORY_LIMIT, Sort};
use js_sys::ArrayBuffer;
use leptos::prelude::*;
use proem_core::worker::{PreviewAnswer, PreviewRequest, ReaderAnswer, ReaderRequest};
use serde::{Serialize, de::DeserializeOwned};
use std::rc::Rc;
use supervisor::{Supervisor, WorkerConfig};

/// What a person is told about a worker that was ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineNotice {
    /// One sentence with the reason.
    pub text: String,
    /// The engine will not come back by itself.
    pub given_up: bool,
}

/// The two workers. Copy it freely; get it with [`use_engine`].
#[derive(Clone, Copy)]
pub struct Engine {
    preview: StoredValue<Rc<Supervisor>, LocalStorage>,
    reader: StoredValue<Rc<Supervisor>, LocalStorage>,
    notice: RwSignal<Option<EngineNotice>>,
    reader_generation: RwSignal<u32>,
}

impl Engine {
    /// Starts both workers and puts the engine into the context.
    pub fn provide() -> Engine {
        let notice = RwSignal::new(None);
        let reader_generation = RwSignal::new(1);
        let preview = Supervisor::start(WorkerConfig {
            name: "preview",
            memory_limit: Some(PREVIEW_MEMORY_LIMIT),
            // Whoever asked for a preview shows why there is none, where it would be.
            on_fault: Box::new(move |fault| {
                if matches!(fault, EngineFault::Unavailable(_)) {
                    notice.set(Some(describe("The preview", fault)));
                }
            }),
            on_restart: Box::new(|_| {}),
        });
        let reader = Supervisor::start(WorkerConfig {
            name: "reader",
            memory_limit: None,
            on_fault: Box::new(move |fault| notice.set(Some(describe("The log reader", fault)))),
            on_restart: Box::new(move |generation| reader_generation.set(generation)),
        });
        let engine = Engine {
            preview: StoredValue::new_local(preview),
            reader: StoredValue::new_local(reader),
            notice,
            reader_generation,
        };
        provide_context(engine);
        engine
    }

    /// The last thing that happened to a worker; the shell shows it.
    pub fn notice(&self) -> RwSignal<Option<EngineNotice>> {
        self.notice
    }

    /// Grows when the reader was replaced and has lost its logs: whoever opened one opens it again.
    pub fn reader_generation(&self) -> Signal<u32> {
        self.reader_generation.into()
    }

    /// Asks the preview worker. A newer request takes the place of one of its sort that still waits, which then ends as
    /// [`EngineFault::Superseded`]; an answer "failed" comes as [`EngineFault::Refused`].
    pub async fn preview(self, request: PreviewRequest) -> Result<PreviewAnswer, EngineFault> {
        let sort = if matches!(request, PreviewRequest::Preview { .. }) { Sort::Preview } else { Sort::Question };
        match ask(self.preview, &request, None, sort).await? {
            PreviewAnswer::Failed { message } => Err(EngineFault::Refused(message)),
            answer => Ok(answer),
        }
    }

    /// Ends what the reader is busy with; whoever waits for it gets [`EngineFault::Superseded`]. Its logs are lost.
    pub fn stop_reading(self) {
        if let Some(reader) = self.reader.try_get_value() {
            reader.abandon();
        }
    }

    /// Asks the reader worker; `bytes` is transferred, not copied. Requests are answered in order.
    pub async fn read(self, request: ReaderRequest, bytes: Option<ArrayBuffer>) -> Result<ReaderAnswer, EngineFault> {
        match ask(self.reader, &request, bytes, Sort::Other).await? {
            ReaderAnswer::Failed { message } => Err(EngineFault::Refused(message)),
            answer => Ok(answer),
        }
    }
}

/// The engine of this app.
pub fn use_engine() -> Engine {
    expect_context()
}

async fn ask<Answer: DeserializeOwned>(
    worker: StoredValue<Rc<Supervisor>, LocalStorage>,
    request: &impl Serialize,
    bytes: Option<ArrayBuffer>,
    sort: Sort,
) -> Result<Answer, EngineFault> {
    let json = serde_json::to_string(request).map_err(unreadable)?;
    serde_json::from_str(&ask_text(worker, json, bytes, sort).await?).map_err(unreadable)
}

/// Apart from writing and reading, which are in the program once for each worker.
async fn ask_text(
    worker: StoredValue<Rc<Supervisor>, LocalStorage>,
    json: String,
    bytes: Option<ArrayBuffer>,
    sort: Sort,
) -> Result<String, EngineFault> {
    let worker = worker.try_get_value().ok_or_else(|| EngineFault::Unavailable("the page was closed".to_owned()))?;
    worker.ask(json, bytes, sort).await
}

fn unreadable(error: serde_json::Error) -> EngineFault {
    EngineFault::Unreadable(error.to_string())
}

fn describe(what: &str, fault: &EngineFault) -> EngineNotice {
    let given_up = matches!(fault, EngineFault::Unavailable(_));
    let text = match fault {
        EngineFault::Silent => format!("{what} was stopped after 1 s without an answer; it has been restarted."),
        EngineFault::Crashed(words) => format!("{what} broke down ({words}); it has been restarted."),
        EngineFault::Unavailable(why) => format!("{what} could not be started ({why}). Reload the page to try again."),
        other => format!("{what}: {other}."),
    };
    EngineNotice { text, given_up }
}
