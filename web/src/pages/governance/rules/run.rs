//! Running rules: logs and rows are handed to the reader worker one after the other, and nothing of them stays on the page.

use crate::api;
use crate::engine::{Engine, EngineFault, use_engine};
use crate::files::{self, Reading, RecentFile};
use crate::page::SessionSource;
use crate::state::judged::Subjects;
use js_sys::ArrayBuffer;
use leptos::prelude::*;
use leptos::task::spawn_local;
use proem_core::api::governance::LedgerQuery;
use proem_core::api::{ApiError, StoredSession};
use proem_core::assertion::Report;
use proem_core::ledger::LedgerEntry;
use proem_core::worker::assert::{AssertAnswer, AssertRequest};
use proem_core::worker::{ReaderAnswer, ReaderRequest};
use std::sync::Arc;

/// Rows of the ledger that are asked for at once.
const ROWS: u32 = 500;

/// What rules are held against.
#[derive(Clone, Default)]
pub(super) struct Targets {
    /// Stored logs, and the ledger.
    pub stored: Option<Vec<StoredSession>>,
    /// Files of this device.
    pub files: Vec<RecentFile>,
}

/// Where a run is.
#[derive(Clone)]
pub(super) enum Stage {
    /// None yet, or it was cancelled.
    Idle,
    /// Under way.
    Running(Progress),
    /// It came to nothing: why.
    Failed(ApiError),
    /// What came of it, and where its logs are.
    Judged(Arc<(Report, Subjects)>),
}

/// How far a run is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Progress {
    /// Logs that were judged.
    pub done: usize,
    /// All of them; the ledger counts as one.
    pub total: usize,
    /// What is read now.
    pub name: String,
}

/// The runs of one page. Copy it freely.
#[derive(Clone, Copy)]
pub(super) struct RunView {
    /// Where the latest one is.
    pub stage: RwSignal<Stage>,
    /// Grows with every run and every cancel: an older run finds that it is over.
    current: StoredValue<u32>,
    reading: StoredValue<Reading>,
    engine: Engine,
}

/// Why a run ends before its report.
enum End {
    /// Somebody cancelled it, left the page or began another.
    Over,
    Fault(ApiError),
}

impl RunView {
    /// None yet; one that is under way ends when the calling component goes.
    pub(super) fn new() -> RunView {
        let view = RunView {
            stage: RwSignal::new(Stage::Idle),
            current: StoredValue::new(0),
            reading: StoredValue::new(Reading::new()),
            engine: use_engine(),
        };
        on_cleanup(move || view.end());
        view
    }

    /// Begins a run.
    pub(super) fn start(self, rules: String, targets: Targets) {
        self.end();
        let reading = Reading::new();
        self.reading.set_value(reading.clone());
        let number = self.current.get_value();
        let total = targets.stored.as_ref().map_or(0, |stored| stored.len() + 1) + targets.files.len();
        self.stage.set(Stage::Running(Progress { done: 0, total, name: String::new() }));
        spawn_local(async move {
            let stage = match self.work(number, rules, targets, reading).await {
                Ok(judged) => Stage::Judged(Arc::new(judged)),
                Err(End::Fault(error)) => Stage::Failed(error),
                Err(End::Over) => return,
            };
            if self.go_on(number).is_ok() {
                self.stage.try_set(stage);
            }
        });
    }

    /// Ends the run that is under way; what was shown before is gone.
    pub(super) fn cancel(self) {
        self.end();
        self.stage.set(Stage::Idle);
    }

    fn end(self) {
        self.current.try_update_value(|current| *current += 1);
        if let Some(reading) = self.reading.try_get_value() {
            reading.cancelled.set(true);
        }
        if matches!(self.stage.try_get_untracked(), Some(Stage::Running(_))) {
            self.engine.stop_reading();
        }
    }

    fn go_on(self, number: u32) -> Result<(), End> {
        if self.current.try_get_value() == Some(number) { Ok(()) } else { Err(End::Over) }
    }

    fn tell(self, number: u32, name: &str) -> Result<(), End> {
        self.go_on(number)?;
        self.stage.try_update(|stage| {
            if let Stage::Running(progress) = stage {
                name.clone_into(&mut progress.name);
            }
        });
        Ok(())
    }

    fn done(self) {
        self.stage.try_update(|stage| {
            if let Stage::Running(progress) = stage {
                progress.done += 1;
            }
        });
    }

    async fn work(self, number: u32, rules: String, targets: Targets, reading: Reading) -> Result<(Report, Subjects), End> {
        let mut subjects = Subjects::default();
        if let AssertAnswer::Faults { problems, .. } = self.ask(AssertRequest::Begin { rules }, None).await? {
            let message = "The rules have faults, so nothing was run: mend them first.".to_owned();
            return Err(End::Fault(ApiError { problems, ..own_error(message) }));
        }
        let has_ledger = targets.stored.is_some();
        for session in targets.stored.into_iter().flatten() {
            self.tell(number, &session.file_name)?;
            let source = SessionSource::Stored(session.id.clone());
            let name = subjects.add(&session.file_name, source, Some(&session.summary.session_id));
            let fetched = stored(&session).await;
            self.go_on(number)?;
            self.judge(name, fetched).await?;
            self.done();
        }
        for file in targets.files {
            self.tell(number, &file.name)?;
            let fetched = local(&file, &reading).await;
            self.go_on(number)?;
            let source = fetched.as_ref().ok().map(|(link, _)| link.clone());
            let name = subjects.add(&file.name, source.map_or(SessionSource::Example, SessionSource::Local), None);
            self.judge(name, fetched.map(|(_, bytes)| (None, bytes))).await?;
            self.done();
        }
        if has_ledger {
            self.tell(number, "the ledger")?;
            self.ledger(number).await?;
            self.done();
        }
        match self.ask(AssertRequest::End, None).await? {
            AssertAnswer::Report { report } => Ok((*report, subjects)),
            _ => Err(unexpected()),
        }
    }

    /// A log that did not arrive is part of the report as well.
    async fn judge(self, name: String, log: Result<(Option<Vec<LedgerEntry>>, ArrayBuffer), ApiError>) -> Result<(), End> {
        let (request, bytes) = match log {
            Ok((entries, bytes)) => (AssertRequest::Log { name, entries }, Some(bytes)),
            Err(error) => (AssertRequest::LeftOut { name, message: error.message }, None),
        };
        self.ask(request, bytes).await.map(drop)
    }

    /// All rows, a page at a time.
    async fn ledger(self, number: u32) -> Result<(), End> {
        let mut query = LedgerQuery::default();
        loop {
            let page = api::ledger(&query, ROWS).await.map_err(End::Fault)?;
            self.go_on(number)?;
            self.ask(AssertRequest::Rows { entries: page.entries }, None).await?;
            query.cursor = page.next_cursor;
            if query.cursor.is_none() {
                return Ok(());
            }
        }
    }

    async fn ask(self, request: AssertRequest, bytes: Option<ArrayBuffer>) -> Result<AssertAnswer, End> {
        match self.engine.read(ReaderRequest::Assert(request), bytes).await {
            Ok(ReaderAnswer::Assert(answer)) => Ok(answer),
            Ok(_) => Err(unexpected()),
            Err(EngineFault::Superseded) => Err(End::Over),
            Err(EngineFault::Refused(sentence)) => Err(End::Fault(own_error(sentence))),
            Err(other) => Err(End::Fault(own_error(format!("The log reader failed: {other}. Run the rules again.")))),
        }
    }
}

/// A stored log, and the rows of its session if the ledger knows it: one that this server ran, or that has rows.
async fn stored(session: &StoredSession) -> Result<(Option<Vec<LedgerEntry>>, ArrayBuffer), ApiError> {
    let bytes = api::session_raw(&session.id).await?;
    let mut query = LedgerQuery { session: Some(session.summary.session_id.clone()), ..LedgerQuery::default() };
    let mut entries = Vec::new();
    loop {
        let page = api::ledger(&query, ROWS).await?;
        entries.extend(page.entries);
        query.cursor = page.next_cursor;
        if query.cursor.is_none() {
            let known = session.live || !entries.is_empty();
            return Ok((known.then_some(entries), bytes));
        }
    }
}

/// A file of this device, and what links call it.
async fn local(file: &RecentFile, reading: &Reading) -> Result<(crate::page::LocalFile, ArrayBuffer), ApiError> {
    let gone = || own_error(format!("{} is no longer open here; choose it again.", file.name));
    let failed = |sentence: Option<String>| sentence.map_or_else(gone, own_error);
    let link = files::identify(file.number, reading.clone()).await.map_err(failed)?;
    let bytes = files::bytes_of(&link, reading.clone()).await.map_err(failed)?.ok_or_else(gone)?;
    Ok((link, bytes))
}

fn unexpected() -> End {
    End::Fault(own_error("The log reader gave an answer to another question; reload the page.".to_owned()))
}

fn own_error(message: String) -> ApiError {
    ApiError { code: "reader".to_owned(), message, ..ApiError::default() }
}
