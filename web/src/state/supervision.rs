//! The life of one worker as a state machine: who waits, what is in flight, when it is ended and started again. It is told what
//! happened and says what to do; it touches no worker and no clock.

use std::collections::VecDeque;
use std::fmt;

/// A worker that owes an answer and says nothing for this long is ended.
pub const SILENCE_MS: u32 = 1_000;
/// So many starts in a row without "ready", and the worker is given up.
pub const MAX_FAILED_STARTS: u32 = 3;
/// A preview worker whose memory has grown past this is replaced before its next request (bytes).
pub const PREVIEW_MEMORY_LIMIT: f64 = 256.0 * 1024.0 * 1024.0;

/// What a request is, to those that wait beside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sort {
    /// A newer preview takes the place of one that still waits.
    Preview,
    /// A newer question about a text takes the place of one that still waits.
    Question,
    /// Each is answered.
    Other,
}

/// Why a request has no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EngineFault {
    /// A newer request of the same sort took its place. Nothing to show.
    Superseded,
    /// The worker was silent for [`SILENCE_MS`] and was ended.
    Silent,
    /// The worker broke down; its last words.
    Crashed(String),
    /// The worker cannot be started; why.
    Unavailable(String),
    /// The engine answered that it cannot do this: a sentence for a person.
    Refused(String),
    /// What came back is not an answer to this request: page and engine are of different versions.
    Unreadable(String),
}

impl fmt::Display for EngineFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EngineFault::Superseded => f.write_str("a newer request took the place of this one"),
            EngineFault::Silent => f.write_str("it was stopped after 1 s without an answer"),
            EngineFault::Crashed(words) => write!(f, "it broke down ({words})"),
            EngineFault::Unavailable(why) => write!(f, "the engine could not be started ({why}); reload the page to try again"),
            EngineFault::Refused(message) => f.write_str(message),
            EngineFault::Unreadable(why) => write!(f, "the engine's answer could not be read ({why}); reload the page"),
        }
    }
}

impl std::error::Error for EngineFault {}

/// What the host of a worker has to do, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// End the worker, if there is one, and start another.
    Start,
    /// End the worker for good.
    Stop,
    /// Send the request of that number.
    Post(u32),
    /// Hand the worker's answer to whoever waits for that number.
    Deliver(u32),
    /// Tell whoever waits for that number why there is none.
    Fail(u32, EngineFault),
    /// Tell the person what happened to the worker.
    Report(EngineFault),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Starting,
    Idle,
    Busy(u32),
    GivenUp,
}

#[derive(Debug)]
struct Waiting {
    id: u32,
    sort: Sort,
}

/// One worker's supervision.
#[derive(Debug)]
pub struct Supervision {
    phase: Phase,
    queue: VecDeque<Waiting>,
    next_id: u32,
    failed_starts: u32,
    last_words: String,
    memory_limit: Option<f64>,
    starts: u32,
}

impl Supervision {
    /// A worker that is about to be started: the host starts one at once. `memory_limit`: bytes above which it is replaced.
    pub fn new(memory_limit: Option<f64>) -> Supervision {
        let queue = VecDeque::new();
        Supervision {
            phase: Phase::Starting,
            queue,
            next_id: 1,
            failed_starts: 0,
            last_words: String::new(),
            memory_limit,
            starts: 1,
        }
    }

    /// Whether the worker owes an answer, so that the clock must run.
    pub fn owes_an_answer(&self) -> bool {
        matches!(self.phase, Phase::Busy(_))
    }

    /// How often a worker was started: whoever keeps something in a worker compares this number.
    pub fn generation(&self) -> u32 {
        self.starts
    }

    /// A new request: its number and what to do. It may take the place of those of its sort that still wait.
    pub fn request(&mut self, sort: Sort) -> (u32, Vec<Step>) {
        let id = self.next_id;
        self.next_id = self.next_id.wrapping_add(1);
        if self.phase == Phase::GivenUp {
            return (id, vec![Step::Fail(id, EngineFault::Unavailable(self.last_words.clone()))]);
        }
        let mut steps = Vec::new();
        if sort != Sort::Other {
            let (older, kept) = self.queue.drain(..).partition::<VecDeque<_>, _>(|waiting| waiting.sort == sort);
            self.queue = kept;
            steps.extend(older.into_iter().map(|waiting| Step::Fail(waiting.id, EngineFault::Superseded)));
        }
        self.queue.push_back(Waiting { id, sort });
        self.post_next(&mut steps);
        (id, steps)
    }

    /// The worker said "ready".
    pub fn ready(&mut self) -> Vec<Step> {
        let mut steps = Vec::new();
        if self.phase == Phase::Starting {
            self.failed_starts = 0;
            self.phase = Phase::Idle;
            self.post_next(&mut steps);
        }
        steps
    }

    /// The worker answered `id` and holds `memory` bytes.
    pub fn answered(&mut self, id: u32, memory: f64) -> Vec<Step> {
        if self.phase != Phase::Busy(id) {
            return Vec::new();
        }
        let mut steps = vec![Step::Deliver(id)];
        self.phase = Phase::Idle;
        if self.memory_limit.is_some_and(|limit| memory > limit) {
            self.restart(&mut steps);
        } else {
            self.post_next(&mut steps);
        }
        steps
    }

    /// The clock ran out: nothing was heard for [`SILENCE_MS`].
    pub fn silent(&mut self) -> Vec<Step> {
        let mut steps = Vec::new();
        if let Phase::Busy(id) = self.phase {
            steps.push(Step::Fail(id, EngineFault::Silent));
            steps.push(Step::Report(EngineFault::Silent));
            self.restart(&mut steps);
        }
        steps
    }

    /// A person no longer wants what the worker is busy with: it is replaced, and nobody is told of a fault.
    pub fn abandoned(&mut self) -> Vec<Step> {
        let mut steps = Vec::new();
        if let Phase::Busy(id) = self.phase {
            steps.push(Step::Fail(id, EngineFault::Superseded));
            self.restart(&mut steps);
        }
        steps
    }

    /// The worker reported an error of its own, or could not be loaded.
    pub fn crashed(&mut self, words: &str) -> Vec<Step> {
        let mut steps = Vec::new();
        let fault = EngineFault::Crashed(words.to_owned());
        match self.phase {
            Phase::GivenUp => {}
            Phase::Starting => {
                self.last_words = words.to_owned();
                self.failed_starts += 1;
                if self.failed_starts < MAX_FAILED_STARTS {
                    self.restart(&mut steps);
                } else {
                    self.give_up(&mut steps);
                }
            }
            Phase::Idle => {
                steps.push(Step::Report(fault));
                self.restart(&mut steps);
            }
            Phase::Busy(id) => {
                steps.push(Step::Fail(id, fault.clone()));
                steps.push(Step::Report(fault));
                self.restart(&mut steps);
            }
        }
        steps
    }

    fn post_next(&mut self, steps: &mut Vec<Step>) {
        if self.phase == Phase::Idle
            && let Some(Waiting { id, .. }) = self.queue.pop_front()
        {
            self.phase = Phase::Busy(id);
            steps.push(Step::Post(id));
        }
    }

    fn restart(&mut self, steps: &mut Vec<Step>) {
        self.phase = Phase::Starting;
        self.starts = self.starts.wrapping_add(1);
        steps.push(Step::Start);
    }

    fn give_up(&mut self, steps: &mut Vec<Step>) {
        self.phase = Phase::GivenUp;
        let fault = EngineFault::Unavailable(self.last_words.clone());
        steps.push(Step::Stop);
        steps.extend(self.queue.drain(..).map(|waiting| Step::Fail(waiting.id, fault.clone())));
        steps.push(Step::Report(fault));
    }
}

#[cfg(test)]
mod tests;
