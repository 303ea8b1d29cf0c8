//! Opening a log: from the server, the reader's disk or the example, through the reader worker, into a conversation.

use crate::api;
use crate::engine::{Engine, EngineFault, use_engine};
use crate::files::{self, Reading};
use crate::page::SessionSource;
use crate::state::conversation::Conversation;
use js_sys::ArrayBuffer;
use leptos::prelude::*;
use leptos::task::spawn_local;
use proem_core::api::{ApiError, StoredSession};
use proem_core::log::{SessionSummary, SkippedLine};
use proem_core::trace::{Layout, Trace};
use proem_core::worker::{ReaderAnswer, ReaderRequest};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

static NEXT: AtomicU32 = AtomicU32::new(1);

/// What a session page shows.
#[derive(Clone)]
pub enum Stage {
    /// On its way: what is being done.
    Opening(&'static str),
    /// The file is on the reader's disk and not open here.
    Ask,
    /// A sentence says why not.
    Failed(ApiError),
    /// Here it is.
    Ready(Arc<OpenedLog>),
}

/// A log that was read.
pub struct OpenedLog {
    /// The file's name.
    pub file_name: String,
    /// What is in it.
    pub summary: SessionSummary,
    /// The first lines that were left out.
    pub skipped: Vec<SkippedLine>,
    /// Turns and what was said.
    pub conversation: Arc<Conversation>,
}

/// A drawn trace.
pub type Drawn = Arc<(Trace, Layout)>;

/// The log of one page. Copy it freely.
#[derive(Clone, Copy)]
pub struct LogView {
    engine: Engine,
    number: u32,
    source: StoredValue<SessionSource>,
    stage: RwSignal<Stage>,
    /// The start of the worker that holds the log; 0 while none does.
    held_by: RwSignal<u32>,
    reading: StoredValue<Reading>,
    /// A turn whose trace broke the worker, and how: it is not asked for again by itself.
    breaks: StoredValue<Option<(String, String)>>,
}

impl LogView {
    /// Begins to open a log; closes it when the calling component goes.
    pub fn open(source: SessionSource) -> LogView {
        let engine = use_engine();
        let view = LogView {
            engine,
            number: NEXT.fetch_add(1, Ordering::Relaxed),
            source: StoredValue::new(source),
            stage: RwSignal::new(Stage::Opening("Opening the log…")),
            held_by: RwSignal::new(0),
            reading: StoredValue::new(Reading::new()),
            breaks: StoredValue::new(None),
        };
        view.start();
        Effect::new(move || {
            let generation = engine.reader_generation().get();
            let held_by = view.held_by.get_untracked();
            if held_by != 0 && held_by != generation {
                spawn_local(view.open_again());
            }
        });
        let number = view.number;
        let reading = view.reading();
        on_cleanup(move || {
            reading.cancelled.set(true);
            spawn_local(async move {
                // Nothing is lost when it was closed already.
                let _ = engine.read(ReaderRequest::Close { log: number }, None).await;
            });
        });
        view
    }

    /// What to show.
    pub fn stage(&self) -> RwSignal<Stage> {
        self.stage
    }

    /// How far the file is read.
    pub fn reading(&self) -> Reading {
        self.reading.get_value()
    }

    /// Begins again from the start.
    pub fn start(self) {
        let reading = self.reading();
        reading.cancelled.set(false);
        reading.read.set(0);
        self.stage.set(Stage::Opening("Opening the log…"));
        spawn_local(async move {
            let stage = match self.load().await {
                Ok(stage) => stage,
                Err(error) => Stage::Failed(error),
            };
            self.stage.try_set(stage);
        });
    }

    /// Stops whatever is going on.
    pub fn cancel(self) {
        self.reading().cancelled.set(true);
        self.engine.stop_reading();
    }

    async fn load(self) -> Result<Stage, ApiError> {
        let Some((file_name, bytes)) = self.fetch().await? else { return Ok(Stage::Ask) };
        self.stage.try_set(Stage::Opening("Finding the turns…"));
        let (summary, skipped) = self.read(&file_name, bytes).await?;
        match self.engine.read(ReaderRequest::Replay { log: self.number }, None).await.map_err(from_fault)? {
            ReaderAnswer::Replay { turns, messages } => {
                let conversation = Arc::new(Conversation::new(turns, messages));
                Ok(Stage::Ready(Arc::new(OpenedLog { file_name, summary, skipped, conversation })))
            }
            _ => Err(unexpected()),
        }
    }

    /// The worker was replaced: give its successor the log, without a change on screen.
    async fn open_again(self) {
        let again = async {
            let Some((file_name, bytes)) = self.fetch().await? else { return Ok(false) };
            self.read(&file_name, bytes).await.map(|_| true)
        };
        match again.await {
            Ok(true) => {}
            Ok(false) => drop(self.stage.try_set(Stage::Ask)),
            Err(error) => drop(self.stage.try_set(Stage::Failed(error))),
        }
    }

    /// Name and bytes of the log; None when it has to be asked for.
    async fn fetch(self) -> Result<Option<(String, ArrayBuffer)>, ApiError> {
        let (Some(source), Some(reading)) = (self.source.try_get_value(), self.reading.try_get_value()) else {
            return Err(cancelled());
        };
        match source {
            SessionSource::Stored(id) => {
                self.stage.try_update(|stage| {
                    if let Stage::Opening(words) = stage {
                        *words = "Fetching the log from the server…";
                    }
                });
                let StoredSession { file_name, .. } = api::session(&id).await?;
                Ok(Some((file_name, api::session_raw(&id).await?)))
            }
            SessionSource::Example => {
                let name = api::EXAMPLE_LOG.rsplit('/').next().unwrap_or(api::EXAMPLE_LOG);
                Ok(Some((name.to_owned(), api::example_log().await?)))
            }
            SessionSource::Local(link) => match files::bytes_of(&link, reading).await {
                Ok(bytes) => Ok(bytes.map(|bytes| (link.name, bytes))),
                Err(sentence) => Err(sentence.map_or_else(cancelled, own_error)),
            },
        }
    }

    async fn read(self, file_name: &str, bytes: ArrayBuffer) -> Result<(SessionSummary, Vec<SkippedLine>), ApiError> {
        let request = ReaderRequest::Open { log: self.number, name: file_name.to_owned() };
        match self.engine.read(request, Some(bytes)).await.map_err(from_fault)? {
            ReaderAnswer::Opened { summary, skipped } => {
                self.held_by.try_set(self.engine.reader_generation().get_untracked());
                Ok((summary, skipped))
            }
            _ => Err(unexpected()),
        }
    }

    /// The trace of one turn. None while the worker has no log: ask again when [`Self::held`] changes.
    pub async fn trace(self, turn: String) -> Option<Result<Drawn, ApiError>> {
        if self.held_by.try_get_untracked()? != self.engine.reader_generation().get_untracked() {
            return None;
        }
        let broken = self.breaks.try_get_value()?.filter(|(broken, _)| *broken == turn);
        if let Some((_, sentence)) = broken {
            return Some(Err(own_error(sentence)));
        }
        match self.engine.read(ReaderRequest::Trace { log: self.number, turn: turn.clone() }, None).await {
            Ok(ReaderAnswer::Trace { trace, layout }) => Some(Ok(Arc::new((*trace, layout)))),
            Ok(_) => Some(Err(unexpected())),
            Err(fault) => {
                let refused = matches!(fault, EngineFault::Refused(_) | EngineFault::Superseded);
                let error = from_fault(fault);
                if !refused {
                    self.breaks.try_set_value(Some((turn, error.message.clone())));
                }
                Some(Err(error))
            }
        }
    }

    /// Forgets that a trace broke the worker, so that it is tried once more.
    pub fn try_trace_again(self) {
        self.breaks.set_value(None);
    }

    /// Changes whenever a worker has got the log.
    pub fn held(&self) -> Signal<u32> {
        self.held_by.into()
    }
}

fn from_fault(fault: EngineFault) -> ApiError {
    match fault {
        EngineFault::Refused(sentence) => own_error(sentence),
        EngineFault::Superseded => cancelled(),
        other => own_error(format!("The log reader failed: {other}.")),
    }
}

fn unexpected() -> ApiError {
    own_error("The log reader gave an answer to another question; reload the page.".to_owned())
}

fn cancelled() -> ApiError {
    own_error("Opening was cancelled.".to_owned())
}

fn own_error(message: String) -> ApiError {
    ApiError { code: "reader".to_owned(), message, ..ApiError::default() }
}
