//! Makes a seed: reads the dump, hands it to the reader worker with what was asked, and keeps what came back.

use crate::api;
use crate::engine::{Engine, EngineFault, use_engine};
use crate::files;
use js_sys::{ArrayBuffer, Uint8Array};
use leptos::prelude::*;
use leptos::task::spawn_local;
use proem_core::api::ApiError;
use proem_core::worker::context::{ContextAnswer, ContextRequest, SeedAsked, SeedRow, SeedSummary, too_large};
use proem_core::worker::{ReaderAnswer, ReaderRequest};
use std::ops::Range;
use std::sync::Arc;
use web_sys::File;

/// Where a dump comes from.
#[derive(Clone)]
pub(super) enum Source {
    /// The reader's disk.
    File(File),
    /// The example that comes with the pages.
    Example,
}

/// What the page shows.
#[derive(Clone)]
pub(super) enum Stage {
    /// Nothing was opened.
    Empty,
    /// On its way: what is being done.
    Making(&'static str),
    /// A sentence says why not.
    Failed(String),
    /// Here it is.
    Ready(Arc<SeedSummary>),
}

/// The seed of one page. Copy it freely.
#[derive(Clone, Copy)]
pub(super) struct SeedMaker {
    engine: Engine,
    source: StoredValue<Option<Source>, LocalStorage>,
    name: RwSignal<Option<String>>,
    /// What was typed or chosen beside the dump.
    asked: RwSignal<SeedAsked>,
    /// Name of the file with the fork's own messages.
    own_name: RwSignal<Option<String>>,
    stage: RwSignal<Stage>,
    is_making: RwSignal<bool>,
    /// The start of the worker that holds the seed; 0 while none does.
    held_by: RwSignal<u32>,
    /// Of two that were begun the later one counts.
    run: StoredValue<u32>,
}

impl SeedMaker {
    /// Nothing is open yet.
    pub(super) fn new() -> SeedMaker {
        let engine = use_engine();
        let maker = SeedMaker {
            engine,
            source: StoredValue::new_local(None),
            name: RwSignal::new(None),
            asked: RwSignal::default(),
            own_name: RwSignal::new(None),
            stage: RwSignal::new(Stage::Empty),
            is_making: RwSignal::new(false),
            held_by: RwSignal::new(0),
            run: StoredValue::new(0),
        };
        // A worker that was replaced has lost the seed: its successor makes it again.
        Effect::new(move || {
            let generation = engine.reader_generation().get();
            let held_by = maker.held_by.get_untracked();
            if held_by != 0 && held_by != generation {
                maker.make();
            }
        });
        maker
    }

    /// What to show.
    pub(super) fn stage(self) -> RwSignal<Stage> {
        self.stage
    }

    /// The dump's name.
    pub(super) fn name(self) -> Signal<Option<String>> {
        self.name.into()
    }

    /// A seed is being made, perhaps in place of the one that is shown.
    pub(super) fn is_making(self) -> Signal<bool> {
        self.is_making.into()
    }

    /// What was asked beside the dump.
    pub(super) fn asked(self) -> Signal<SeedAsked> {
        self.asked.into()
    }

    /// Name of the file with the fork's own messages.
    pub(super) fn own_name(self) -> Signal<Option<String>> {
        self.own_name.into()
    }

    /// Opens a dump; what was asked of the one before is forgotten.
    pub(super) fn open(self, source: Source) {
        self.name.set(Some(match &source {
            Source::File(file) => file.name(),
            Source::Example => api::EXAMPLE_SEED.rsplit('/').next().unwrap_or_default().to_owned(),
        }));
        self.source.set_value(Some(source));
        self.asked.set(SeedAsked::default());
        self.own_name.set(None);
        self.stage.set(Stage::Making("Reading the dump…"));
        self.make();
    }

    /// The address is no longer the example's.
    pub(super) fn leave_example(self) {
        if self.source.with_value(|source| matches!(source, Some(Source::Example))) {
            self.run.update_value(|run| *run += 1);
            self.source.set_value(None);
            self.name.set(None);
            self.held_by.set(0);
            self.is_making.set(false);
            self.stage.set(Stage::Empty);
        }
    }

    /// Asks for something else beside the dump, and makes the seed again.
    pub(super) fn ask(self, change: impl FnOnce(&mut SeedAsked)) {
        let before = self.asked.get_untracked();
        self.asked.update(change);
        if self.asked.with_untracked(|now| *now != before) {
            self.make();
        }
    }

    /// Takes a file with the fork's own first messages, or none.
    pub(super) fn compare(self, file: Option<File>) {
        let Some(file) = file else {
            self.own_name.set(None);
            return self.ask(|asked| asked.own = None);
        };
        let name = file.name();
        spawn_local(async move {
            let text = match too_large(file.size() as u64) {
                Some(sentence) => Err(sentence),
                None => files::whole(&file).await.map(|bytes| text_of(&bytes)),
            };
            match text {
                Ok(text) if !self.own_name.is_disposed() => {
                    self.own_name.set(Some(name));
                    self.ask(|asked| asked.own = Some(text));
                }
                Ok(_) => {}
                Err(sentence) => drop(self.stage.try_set(Stage::Failed(sentence))),
            }
        });
    }

    /// Makes the seed.
    pub(super) fn make(self) {
        self.run.update_value(|run| *run += 1);
        let run = self.run.get_value();
        let Some(source) = self.source.get_value() else { return };
        if self.stage.with_untracked(|stage| !matches!(stage, Stage::Ready(_))) {
            self.stage.set(Stage::Making("Making the seed…"));
        }
        self.is_making.set(true);
        spawn_local(async move {
            let made = self.made(source, run).await;
            if self.run.try_get_value() != Some(run) {
                return;
            }
            self.is_making.try_set(false);
            self.stage.try_set(match made {
                Ok(summary) => Stage::Ready(Arc::new(summary)),
                Err(sentence) => Stage::Failed(sentence),
            });
        });
    }

    async fn made(self, source: Source, run: u32) -> Result<SeedSummary, String> {
        let bytes = match source {
            Source::File(file) => match too_large(file.size() as u64) {
                Some(sentence) => return Err(sentence),
                None => files::whole(&file).await?,
            },
            Source::Example => api::example(api::EXAMPLE_SEED).await.map_err(|error| error.message)?,
        };
        let gone = || "A later dump took its place.".to_owned();
        let asked = self.asked.try_get_untracked().filter(|_| self.run.try_get_value() == Some(run)).ok_or_else(gone)?;
        self.held_by.try_set(0);
        let answer = self.engine.read(ReaderRequest::Context(ContextRequest::Seed(asked)), Some(bytes)).await;
        match answer.map_err(sentence_of)? {
            ReaderAnswer::Context(ContextAnswer::Seed(summary)) => {
                self.held_by.try_set(self.engine.reader_generation().get_untracked());
                Ok(*summary)
            }
            _ => Err(unexpected()),
        }
    }

    /// Changes when there are rows to be asked for.
    pub(super) fn held(self) -> Signal<u32> {
        self.held_by.into()
    }

    /// Some rows. None while no worker has the seed.
    pub(super) async fn rows(self, range: Range<usize>) -> Option<Result<Vec<SeedRow>, ApiError>> {
        let held_by = self.held_by.try_get_untracked().filter(|held_by| *held_by != 0)?;
        let mut all: Vec<SeedRow> = Vec::new();
        while all.len() < range.len() {
            let request = ContextRequest::SeedRows { from: range.start + all.len(), to: range.end };
            match self.engine.read(ReaderRequest::Context(request), None).await {
                Ok(ReaderAnswer::Context(ContextAnswer::SeedRows { rows })) if rows.is_empty() => break,
                Ok(ReaderAnswer::Context(ContextAnswer::SeedRows { rows })) => all.extend(rows),
                Ok(_) => return Some(Err(own_error(unexpected()))),
                // Another seed is being made meanwhile, or the worker was replaced.
                Err(_) if self.held_by.try_get_untracked() != Some(held_by) => return None,
                Err(fault) => return Some(Err(own_error(sentence_of(fault)))),
            }
        }
        Some(Ok(all))
    }
}

fn text_of(bytes: &ArrayBuffer) -> String {
    String::from_utf8_lossy(&Uint8Array::new(bytes).to_vec()).into_owned()
}

fn sentence_of(fault: EngineFault) -> String {
    match fault {
        EngineFault::Refused(sentence) => sentence,
        other => format!("The reader failed: {other}."),
    }
}

fn unexpected() -> String {
    "The reader gave an answer to another question; reload the page.".to_owned()
}

fn own_error(message: String) -> ApiError {
    ApiError { message, ..ApiError::default() }
}
