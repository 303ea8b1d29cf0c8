//! Opening a log: from the server, the reader's disk or the example, through the reader worker, into a conversation.

use super::ledger;
use crate::api;
use crate::components::Prompt;
use crate::engine::{Engine, EngineFault, use_engine};
use crate::files::{self, Reading};
use crate::page::SessionSource;
use crate::state::conversation::Conversation;
use crate::state::drawn::Drawn;
use crate::state::parts::{page_of, places_of};
use crate::state::said::Said;
use js_sys::ArrayBuffer;
use leptos::prelude::*;
use leptos::task::spawn_local;
use proem_core::api::{ApiError, StoredSession};
use proem_core::log::{Message, SessionSummary, SkippedLine, Turn};
use proem_core::trace::{Node, Step};
use proem_core::worker::context::{ContextAnswer, ContextRequest};
use proem_core::worker::{ReaderAnswer, ReaderRequest};
use std::ops::Range;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};

/// Rows of turns that are asked for together: one answer takes the page a few milliseconds to read.
const ROWS: usize = 500;

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
    /// The turns.
    pub conversation: Arc<Conversation>,
    /// What was said around the turn that is shown first; taken once.
    pub first_said: Mutex<Said>,
}

/// The log of one page. Copy it freely.
#[derive(Clone, Copy)]
pub struct LogView {
    engine: Engine,
    number: u32,
    source: StoredValue<SessionSource>,
    /// The turn that a link names.
    turn: StoredValue<Option<String>>,
    stage: RwSignal<Stage>,
    /// The start of the worker that holds the log; 0 while none does.
    held_by: RwSignal<u32>,
    reading: StoredValue<Reading>,
    /// Grows when the worker has got decisions of the ledger, which its traces then show.
    decided: RwSignal<u32>,
    /// Why it has none, or not all.
    ledger_note: RwSignal<Option<String>>,
    /// A turn whose trace broke the worker, and how: it is not asked for again by itself.
    breaks: StoredValue<Option<(String, String)>>,
}

impl LogView {
    /// Begins to open a log, to be shown from a turn on, or from its first; closes it when the calling component goes.
    pub fn open(source: SessionSource, turn: Option<String>) -> LogView {
        let engine = use_engine();
        let view = LogView {
            engine,
            number: NEXT.fetch_add(1, Ordering::Relaxed),
            source: StoredValue::new(source),
            turn: StoredValue::new(turn),
            stage: RwSignal::new(Stage::Opening("Opening the log…")),
            held_by: RwSignal::new(0),
            reading: StoredValue::new(Reading::new()),
            decided: RwSignal::new(0),
            ledger_note: RwSignal::new(None),
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
        let conversation = Arc::new(Conversation::new(self.turns().await?));
        let mut said = Said::default();
        let named = self.turn.try_get_value().flatten().and_then(|turn| conversation.find(&turn));
        if let Some(page) = named.or(conversation.first()).map(page_of) {
            let answer = self.messages(places_of(page)).await.unwrap_or_else(|| Err(restarting()));
            said.take(page, answer.map_err(|error| error.message), &[]);
        }
        Ok(Stage::Ready(Arc::new(OpenedLog { file_name, summary, skipped, conversation, first_said: Mutex::new(said) })))
    }

    /// The rows of all turns.
    async fn turns(self) -> Result<Vec<Turn>, ApiError> {
        let mut all = Vec::new();
        loop {
            let from = all.len();
            let request = ReaderRequest::Turns { log: self.number, from, to: from + ROWS };
            match self.ask(request).await.ok_or_else(restarting)?.map_err(from_fault)? {
                ReaderAnswer::Turns { turns, count } => {
                    let ended = turns.is_empty();
                    all.extend(turns);
                    if ended || all.len() >= count {
                        return Ok(all);
                    }
                }
                _ => return Err(unexpected()),
            }
            self.go_on()?;
        }
    }

    /// An error once somebody has cancelled or left the page.
    fn go_on(self) -> Result<(), ApiError> {
        match self.reading.try_get_value() {
            Some(reading) if !reading.cancelled.get_untracked() => Ok(()),
            _ => Err(cancelled()),
        }
    }

    /// Asks the worker about its log. None while it has none: ask again when [`Self::held`] changes.
    async fn ask(self, request: ReaderRequest) -> Option<Result<ReaderAnswer, EngineFault>> {
        let generation = self.engine.reader_generation();
        let held_by = self.held_by.try_get_untracked()?;
        if held_by != generation.get_untracked() {
            return None;
        }
        match self.engine.read(request, None).await {
            // The question waited while the worker was replaced: the next one did not have the log yet.
            Err(EngineFault::Refused(_)) if generation.try_get_untracked() != Some(held_by) => None,
            answer => Some(answer),
        }
    }

    /// What was said in the turns of a range, as far as the log has them, for each turn. None while the worker has no log: ask again when
    /// [`Self::held`] changes.
    pub async fn messages(self, range: Range<usize>) -> Option<Result<Vec<Vec<Message>>, ApiError>> {
        let mut all = Vec::new();
        while all.len() < range.len() {
            let request = ReaderRequest::Messages { log: self.number, from: range.start + all.len(), to: range.end };
            match self.ask(request).await? {
                Ok(ReaderAnswer::Messages { said }) if said.is_empty() => break,
                Ok(ReaderAnswer::Messages { said }) => all.extend(said),
                Ok(_) => return Some(Err(unexpected())),
                Err(fault) => return Some(Err(from_fault(fault))),
            }
        }
        Some(Ok(all))
    }

    /// One call of a turn with its texts in full.
    pub async fn call(self, turn: String, call: usize) -> Result<Node, ApiError> {
        match self.ask(ReaderRequest::Call { log: self.number, turn, call }).await {
            Some(Ok(ReaderAnswer::Call { node })) => Ok(*node),
            Some(Ok(_)) => Err(unexpected()),
            Some(Err(fault)) => Err(from_fault(fault)),
            None => Err(restarting()),
        }
    }

    /// The envelopes in what a call of a turn was given.
    pub async fn prompt(self, turn: String, node: String) -> Result<Prompt, ApiError> {
        let request = ReaderRequest::Context(ContextRequest::Prompt { log: self.number, turn, node });
        match self.ask(request).await {
            Some(Ok(ReaderAnswer::Context(ContextAnswer::Prompt { messages, count }))) => Ok(Prompt { messages, count }),
            Some(Ok(_)) => Err(unexpected()),
            Some(Err(fault)) => Err(from_fault(fault)),
            None => Err(restarting()),
        }
    }

    /// Some steps of a turn.
    pub async fn steps(self, turn: String, range: Range<usize>) -> Result<Vec<Step>, ApiError> {
        match self.ask(ReaderRequest::Steps { log: self.number, turn, from: range.start, to: range.end }).await {
            Some(Ok(ReaderAnswer::Steps { steps })) => Ok(steps),
            Some(Ok(_)) => Err(unexpected()),
            Some(Err(fault)) => Err(from_fault(fault)),
            None => Err(restarting()),
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
                Ok(Some((name.to_owned(), api::example(api::EXAMPLE_LOG).await?)))
            }
            SessionSource::Local(link) => match files::bytes_of(&link, reading).await {
                Ok(bytes) => Ok(bytes.map(|bytes| (link.name, bytes))),
                Err(sentence) => Err(sentence.map_or_else(cancelled, own_error)),
            },
        }
    }

    async fn read(self, file_name: &str, bytes: ArrayBuffer) -> Result<(SessionSummary, Vec<SkippedLine>), ApiError> {
        // A log that arrives after its page has gone would stay in the worker for ever.
        self.go_on()?;
        let request = ReaderRequest::Open { log: self.number, name: file_name.to_owned() };
        match self.engine.read(request, Some(bytes)).await.map_err(from_fault)? {
            ReaderAnswer::Opened { summary, skipped } => {
                self.held_by.try_set(self.engine.reader_generation().get_untracked());
                spawn_local(self.take_ledger(summary.session_id.clone()));
                Ok((summary, skipped))
            }
            _ => Err(unexpected()),
        }
    }

    /// Hands the worker what the ledger holds about the session. Without it traces are drawn all the same, with a sentence beside them.
    async fn take_ledger(self, session: String) {
        let fetched = ledger::fetch(&session).await;
        let note = match fetched {
            Ok((entries, _)) if entries.is_empty() => None,
            Ok((entries, note)) => match self.ask(ReaderRequest::Ledger { log: self.number, entries }).await {
                Some(Ok(_)) => {
                    self.decided.try_update(|count| *count = count.wrapping_add(1));
                    note
                }
                Some(Err(fault)) => Some(from_fault(fault).message),
                // A worker that was replaced meanwhile gets the log, and with it the ledger, again.
                None => None,
            },
            Err(error) => Some(format!("What the checks decided could not be fetched. {}", error.message)),
        };
        self.ledger_note.try_set(note);
    }

    /// Changes when traces have decisions to show that they had not before.
    pub fn decided(&self) -> Signal<u32> {
        self.decided.into()
    }

    /// Why a trace has no decisions, or not all.
    pub fn ledger_note(&self) -> Signal<Option<String>> {
        self.ledger_note.into()
    }

    /// The trace of one turn. None while the worker has no log: ask again when [`Self::held`] changes.
    pub async fn trace(self, turn: String) -> Option<Result<Arc<Drawn>, ApiError>> {
        let broken = self.breaks.try_get_value()?.filter(|(broken, _)| *broken == turn);
        if let Some((_, sentence)) = broken {
            return Some(Err(own_error(sentence)));
        }
        match self.ask(ReaderRequest::Trace { log: self.number, turn: turn.clone() }).await? {
            Ok(ReaderAnswer::Trace { trace, layout, cut, step_count, governance_count }) => {
                let decision_count = governance_count;
                Some(Ok(Arc::new(Drawn { drawing: Arc::new((*trace, layout)), cut, step_count, decision_count })))
            }
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

fn restarting() -> ApiError {
    own_error("The log reader is being started again; try once more in a moment.".to_owned())
}

fn cancelled() -> ApiError {
    own_error("Opening was cancelled.".to_owned())
}

fn own_error(message: String) -> ApiError {
    ApiError { code: "reader".to_owned(), message, ..ApiError::default() }
}
