//! Asks the reader worker one question after the other, always the latest.

use crate::engine::{Engine, EngineFault, use_engine};
use leptos::prelude::*;
use leptos::task::spawn_local;
use proem_core::worker::context::{ContextAnswer, ContextRequest};
use proem_core::worker::{ReaderAnswer, ReaderRequest};
use std::sync::Arc;

/// A question and what was answered, or a sentence.
type Answered = Arc<(ContextRequest, Result<ContextAnswer, String>)>;

/// The latest answer. Copy it freely.
#[derive(Clone, Copy)]
pub(super) struct Latest {
    engine: Engine,
    question: Memo<Option<ContextRequest>>,
    answer: RwSignal<Option<Answered>>,
    is_busy: StoredValue<bool>,
}

impl Latest {
    /// Follows a question; None is none, and has no answer.
    pub(super) fn of(question: Memo<Option<ContextRequest>>) -> Latest {
        let latest = Latest { engine: use_engine(), question, answer: RwSignal::new(None), is_busy: StoredValue::new(false) };
        Effect::new(move || {
            latest.question.track();
            latest.ask();
        });
        latest
    }

    /// The answer to the question of now, or while that is on its way the one before it.
    pub(super) fn answer(self) -> Option<Answered> {
        self.answer.get()
    }

    /// What is shown belongs to the question of now.
    pub(super) fn is_fresh(self) -> bool {
        self.question.with(|question| self.answer.with(|answer| question.as_ref() == answer.as_ref().map(|answer| &answer.0)))
    }

    /// Asks once more.
    pub(super) fn again(self) {
        self.answer.set(None);
        self.ask();
    }

    fn ask(self) {
        if self.question.with_untracked(Option::is_none) {
            self.answer.set(None);
        }
        if self.is_busy.get_value() {
            return;
        }
        self.is_busy.set_value(true);
        spawn_local(async move {
            while let Some(question) = self.question.try_get_untracked().flatten() {
                let here = |answer: &Option<Answered>| answer.as_ref().is_some_and(|answer| answer.0 == question);
                if self.answer.try_with_untracked(here) != Some(false) {
                    break;
                }
                let answer = match self.engine.read(ReaderRequest::Context(question.clone()), None).await {
                    Ok(ReaderAnswer::Context(answer)) => Ok(answer),
                    Ok(_) => Err("The engine gave an answer to another question; reload the page.".to_owned()),
                    Err(EngineFault::Refused(sentence)) => Err(sentence),
                    Err(fault) => Err(format!("The reader failed: {fault}.")),
                };
                self.answer.try_set(Some(Arc::new((question, answer))));
            }
            self.is_busy.try_set_value(false);
        });
    }
}
