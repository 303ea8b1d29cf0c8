//! Routes events to turns by turn id and sums each turn up (specs: iris-session-log, 7.2 to 7.5).

use super::model::{OpenedBy, Outcome, Turn, TurnDurationSource};
use super::name::turn_reference;
use std::collections::HashMap;

/// What routing and summing need to know of an event.
#[derive(Debug, Default)]
pub(crate) struct Glance {
    pub kind: String,
    /// Microseconds since 1970.
    pub us: Option<i64>,
    /// The stamp's text.
    pub ts: Option<String>,
    pub turn_id: Option<String>,
    pub session_id: Option<String>,
    /// It shows that the turn did some work.
    pub meaningful: bool,
    pub fact: Fact,
}

/// What an event says about its turn.
#[derive(Debug, Default)]
pub(crate) enum Fact {
    #[default]
    None,
    /// It opens a turn.
    Opening { by: OpenedBy, opener: Option<String>, request: String },
    /// It answers.
    Answer { refused: bool, has_errors: bool, reported_ms: Option<f64> },
    /// It spent tokens.
    Tokens(u64),
    /// A check stopped the answer.
    Halt,
    /// Something failed.
    Error,
    /// It goes on with a run.
    Resumes(Option<String>),
    /// It is a result of a run.
    ResultOf(String),
}

/// What is known of a turn while the log is read.
#[derive(Debug)]
pub(crate) struct TurnFacts {
    index: Option<u64>,
    /// The turn id that its first event carries.
    turn_id: Option<String>,
    /// An earlier turn has the same turn id, so this one is referenced by position.
    shadowed: bool,
    opened_by: OpenedBy,
    opener: Option<String>,
    request: String,
    started_us: Option<i64>,
    started_at: Option<String>,
    latest_us: Option<i64>,
    /// Positions of its events in the file's event list.
    pub events: Vec<u32>,
    tokens: u64,
    meaningful: bool,
    halted: bool,
    errors: u64,
    answers: u64,
    answer: Option<LastAnswer>,
    resumes: Option<String>,
    result_runs: Vec<String>,
}

#[derive(Clone, Copy, Debug)]
struct LastAnswer {
    us: Option<i64>,
    refused: bool,
    has_errors: bool,
    reported_ms: Option<f64>,
}

/// The turns so far.
#[derive(Debug, Default)]
pub(crate) struct Router {
    pub turns: Vec<TurnFacts>,
    /// Positions of the events before the first turn.
    pub preamble: Vec<u32>,
    owners: HashMap<String, usize>,
    openings: u64,
}

impl Router {
    /// Puts an event into its turn (7.2). `event` is its position in the file's event list.
    pub fn route(&mut self, event: u32, glance: Glance) {
        let turn = match (&glance.fact, &glance.turn_id) {
            (Fact::Opening { .. }, _) => Some(self.open(&glance)),
            (_, Some(id)) => match self.owners.get(id) {
                Some(owner) => Some(*owner),
                None if self.turns.last().is_none_or(|current| current.turn_id.is_some()) => Some(self.open(&glance)),
                None => Some(self.turns.len() - 1),
            },
            (_, None) => self.turns.len().checked_sub(1),
        };
        match turn {
            Some(turn) => self.turns[turn].add(event, glance),
            None => self.preamble.push(event),
        }
    }

    fn open(&mut self, glance: &Glance) -> usize {
        let turn = self.turns.len();
        let shadowed = glance.turn_id.as_ref().is_some_and(|id| self.owners.contains_key(id));
        if let Some(id) = glance.turn_id.as_ref().filter(|_| !shadowed) {
            self.owners.insert(id.clone(), turn);
        }
        let (opened_by, opener, request) = match &glance.fact {
            Fact::Opening { by, opener, request } => (*by, opener.clone(), request.clone()),
            _ => (OpenedBy::Unknown, None, String::new()),
        };
        let index = (opened_by != OpenedBy::Unknown).then_some(self.openings);
        self.openings += u64::from(index.is_some());
        self.turns.push(TurnFacts {
            index,
            turn_id: glance.turn_id.clone(),
            shadowed,
            opened_by,
            opener,
            request,
            started_us: glance.us,
            started_at: glance.ts.clone(),
            latest_us: None,
            events: Vec::new(),
            tokens: 0,
            meaningful: false,
            halted: false,
            errors: 0,
            answers: 0,
            answer: None,
            resumes: None,
            result_runs: Vec::new(),
        });
        turn
    }
}

impl TurnFacts {
    /// Microseconds of its first event.
    pub fn started_us(&self) -> Option<i64> {
        self.started_us
    }

    /// A person opened it, or it did some work.
    pub fn is_conversation(&self) -> bool {
        self.meaningful || self.opened_by == OpenedBy::User
    }

    fn add(&mut self, event: u32, glance: Glance) {
        self.events.push(event);
        self.latest_us = self.latest_us.max(glance.us);
        self.meaningful |= glance.meaningful;
        match glance.fact {
            Fact::Answer { refused, has_errors, reported_ms } => {
                self.answers += 1;
                self.answer = Some(LastAnswer { us: glance.us, refused, has_errors, reported_ms });
            }
            Fact::Tokens(tokens) => self.tokens = self.tokens.saturating_add(tokens),
            Fact::Halt => self.halted = true,
            Fact::Error => self.errors += 1,
            Fact::Resumes(run) => self.resumes = self.resumes.take().or(run),
            Fact::ResultOf(run) => self.result_runs.push(run),
            Fact::Opening { .. } | Fact::None => {}
        }
    }

    /// Where the duration comes from, and the duration (7.4).
    fn duration(&self) -> (f64, TurnDurationSource) {
        if let Some(ms) = self.answer.and_then(|a| a.reported_ms).filter(|ms| *ms > 0.0) {
            return (ms, TurnDurationSource::Reported);
        }
        let end = self.answer.map_or(self.latest_us, |a| a.us);
        match self.started_us.zip(end) {
            Some((start, end)) if end > start => (millis(end - start), TurnDurationSource::Span),
            _ => (0.0, TurnDurationSource::None),
        }
    }

    fn outcome(&self) -> Outcome {
        match self.answer {
            Some(answer) if answer.refused => Outcome::Refused,
            _ if self.halted => Outcome::Halted,
            None if self.opened_by == OpenedBy::System => Outcome::Failed,
            Some(answer) if answer.has_errors => Outcome::Error,
            None if self.errors > 0 => Outcome::Error,
            Some(_) => Outcome::Ok,
            None => Outcome::Unanswered,
        }
    }
}

/// Milliseconds of a span in microseconds.
pub(crate) fn millis(us: i64) -> f64 {
    us as f64 / 1000.0
}

/// Sums all turns up.
pub(crate) fn sum_up(session_id: &str, turns: &[TurnFacts]) -> Vec<Turn> {
    let references = references(session_id, turns);
    let mut runs: HashMap<&str, usize> = HashMap::new();
    let mut summed = Vec::with_capacity(turns.len());
    for (position, turn) in turns.iter().enumerate() {
        let (duration_ms, duration_source) = turn.duration();
        let outcome = turn.outcome();
        let continues = turn.resumes.as_deref().filter(|_| turn.opened_by == OpenedBy::Unknown).and_then(|run| runs.get(run));
        summed.push(Turn {
            index: turn.index,
            reference: references[position].clone(),
            trace_id: turn.index.map(|index| format!("{session_id}~{index}")),
            turn_id: turn.turn_id.clone(),
            opened_by: turn.opened_by,
            opener: turn.opener.clone(),
            request: turn.request.clone(),
            started_at: turn.started_at.clone(),
            duration_ms,
            duration_source,
            reported_duration_ms: turn.answer.and_then(|a| a.reported_ms),
            total_tokens: turn.tokens,
            records: turn.events.len() as u64,
            answers: turn.answers,
            errors: turn.errors,
            listed: turn.meaningful || outcome != Outcome::Ok,
            outcome,
            continues: continues.map(|earlier| references[*earlier].clone()),
        });
        runs.extend(turn.result_runs.iter().map(|run| (run.as_str(), position)));
    }
    summed
}

/// The stable references (7.3). A turn without an opening event always has a turn id, else it would not be a turn.
fn references(session_id: &str, turns: &[TurnFacts]) -> Vec<String> {
    let mut openings = 0;
    let reference = |turn: &TurnFacts| {
        let id = turn.turn_id.as_deref().filter(|_| !turn.shadowed);
        let index = turn.index.unwrap_or(openings);
        openings += u64::from(turn.index.is_some());
        turn_reference(session_id, id, index)
    };
    turns.iter().map(reference).collect()
}
