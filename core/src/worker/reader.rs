//! The reader worker's side: keeps opened logs and answers questions about them.
//!
//! No answer grows with the log: rows, messages and steps are given by ranges, and a trace with its texts cut.

use super::assert::Asserter;
use super::context::{self, ContextAnswer, ContextRequest, KeptSeed};
use super::{ReaderAnswer, ReaderRequest};
use crate::ledger::LedgerEntry;
use crate::log::{Detail, Log, Message, Turn, cut, replay};
use crate::trace::{GovernanceEvent, Layout, Node, Step, Trace, layout, trace};
use std::collections::HashMap;
use std::ops::Range;

/// Characters of a request in the row of a turn.
pub const ROW_REQUEST: usize = 300;
/// Steps that come with a trace, and decisions.
pub const FIRST_STEPS: usize = 300;
/// Lines that were left out are listed up to here; the summary has the full count.
const SKIPPED_SHOWN: usize = 1000;
/// An answer to a question about a range ends before it holds more text than this, bytes.
pub(super) const ANSWER_BYTES: usize = 1 << 20;
/// Texts of a trace's calls are cut at their share of [`ANSWER_BYTES`], but never below so many characters, and all are at most so long.
const CALL_TEXT: Range<usize> = 40..4_000;

/// Opened logs by their number.
#[derive(Default)]
pub struct Reader {
    logs: HashMap<u32, Log>,
    /// Decisions of the ledger, by the number of the log they are kept for.
    ledgers: HashMap<u32, Vec<LedgerEntry>>,
    /// The trace that was asked for last: log, position of the turn, and the trace in full.
    traced: Option<(u32, usize, Trace)>,
    asserter: Asserter,
    /// The seed that was made last.
    seed: Option<KeptSeed>,
}

impl Reader {
    /// Carries out one request; `bytes` is the file of an `Open`. `progress` is called every few hundred records, and oftener
    /// where they are large.
    pub fn handle(&mut self, request: ReaderRequest, bytes: Option<Vec<u8>>, progress: &mut dyn FnMut()) -> ReaderAnswer {
        self.answer(request, bytes, progress).unwrap_or_else(|message| ReaderAnswer::Failed { message })
    }

    fn answer(
        &mut self,
        request: ReaderRequest,
        bytes: Option<Vec<u8>>,
        progress: &mut dyn FnMut(),
    ) -> Result<ReaderAnswer, String> {
        Ok(match request {
            ReaderRequest::Open { log, name } => self.open(log, &name, bytes, progress)?,
            ReaderRequest::Ledger { log, entries } => {
                self.log(log)?;
                self.forget_trace(log);
                let answer = ReaderAnswer::Ledger { entries: entries.len() };
                self.ledgers.insert(log, entries);
                answer
            }
            ReaderRequest::Turns { log, from, to } => {
                let turns = self.log(log)?.turns();
                ReaderAnswer::Turns { turns: as_many_as_fit(turns, from..to, row, row_bytes), count: turns.len() }
            }
            ReaderRequest::Messages { log, from, to } => {
                let log = self.log(log)?;
                let positions: Vec<usize> = (0..log.turns().len()).collect();
                let said = |turn: &usize| replay(log, Some(*turn), Detail::Conversation, progress).messages;
                let size = |messages: &Vec<Message>| messages.iter().map(|message| message.text.len()).sum();
                ReaderAnswer::Messages { said: as_many_as_fit(&positions, from..to, said, size) }
            }
            ReaderRequest::Trace { log, turn } => {
                let trace = self.trace(log, &turn, progress)?;
                let layout = layout(trace);
                progress();
                drawn(trace, layout)
            }
            ReaderRequest::Call { log, turn, call } => {
                let node = self.trace(log, &turn, progress)?.nodes.get(call).cloned();
                let node = node.ok_or_else(|| format!("There is no call {call} in turn {turn}."))?;
                ReaderAnswer::Call { node: Box::new(node) }
            }
            ReaderRequest::Steps { log, turn, from, to } => {
                ReaderAnswer::Steps { steps: some_steps(self.trace(log, &turn, progress)?, from..to) }
            }
            ReaderRequest::Governance { log, turn, from, to } => {
                ReaderAnswer::Governance { events: some_decisions(self.trace(log, &turn, progress)?, from..to) }
            }
            ReaderRequest::Context(request) => ReaderAnswer::Context(self.context(request, bytes, progress)?),
            ReaderRequest::Close { log } => {
                self.forget(log);
                ReaderAnswer::Closed
            }
            ReaderRequest::Assert(request) => ReaderAnswer::Assert(self.asserter.answer(request, bytes, progress)?),
        })
    }

    fn open(
        &mut self,
        number: u32,
        name: &str,
        bytes: Option<Vec<u8>>,
        progress: &mut dyn FnMut(),
    ) -> Result<ReaderAnswer, String> {
        // The earlier log goes first, so that two large ones are never held at once.
        self.forget(number);
        let bytes = bytes.ok_or_else(|| format!("The bytes of {name} did not arrive; open the file again."))?;
        let log = Log::read(name, bytes, progress).map_err(|error| error.to_string())?;
        let skipped = log.skipped().take(SKIPPED_SHOWN).collect();
        let summary = log.summary().clone();
        self.logs.insert(number, log);
        Ok(ReaderAnswer::Opened { summary, skipped })
    }

    fn context(
        &mut self,
        request: ContextRequest,
        bytes: Option<Vec<u8>>,
        progress: &mut dyn FnMut(),
    ) -> Result<ContextAnswer, String> {
        match request {
            ContextRequest::Prompt { log, turn, node } => {
                let log = self.log(log)?;
                let position = log.find_turn(&turn).ok_or_else(|| no_turn(log, &turn))?;
                context::prompt(log, position, &node)
            }
            ContextRequest::Seed(asked) => {
                // The earlier seed goes first, so that two large ones are never held at once.
                self.seed = None;
                let bytes = bytes.ok_or_else(|| "The bytes of the dump did not arrive; open the file again.".to_owned())?;
                let (summary, kept) = context::make_seed(&asked, &String::from_utf8_lossy(&bytes), progress)?;
                self.seed = Some(kept);
                Ok(ContextAnswer::Seed(Box::new(summary)))
            }
            ContextRequest::SeedRows { from, to } => {
                let seed = self.seed.as_ref().ok_or_else(|| "No seed is open; open the dump again.".to_owned())?;
                Ok(seed.rows(from, to))
            }
            other => context::answer(other),
        }
    }

    fn log(&self, number: u32) -> Result<&Log, String> {
        self.logs.get(&number).ok_or_else(not_open)
    }

    /// The trace of a turn, made anew unless it was the last one asked for.
    fn trace(&mut self, number: u32, turn: &str, progress: &mut dyn FnMut()) -> Result<&Trace, String> {
        let log = self.logs.get(&number).ok_or_else(not_open)?;
        let position = log.find_turn(turn).ok_or_else(|| no_turn(log, turn))?;
        let kept = self.traced.take().filter(|(of, at, _)| (*of, *at) == (number, position));
        let entries = self.ledgers.get(&number).map_or(&[][..], Vec::as_slice);
        let made = kept.unwrap_or_else(|| (number, position, trace(log, position, entries, progress)));
        Ok(&self.traced.insert(made).2)
    }

    fn forget(&mut self, number: u32) {
        self.logs.remove(&number);
        self.ledgers.remove(&number);
        self.forget_trace(number);
    }

    fn forget_trace(&mut self, number: u32) {
        self.traced = self.traced.take().filter(|(of, _, _)| *of != number);
    }
}

fn no_turn(log: &Log, turn: &str) -> String {
    format!("There is no turn {turn} in session {}.", log.session_id())
}

fn not_open() -> String {
    "That log is no longer open; open the file again.".to_owned()
}

/// What `make` gives for a range of `all`, until the next would be too much for one answer.
pub(super) fn as_many_as_fit<T, Made>(
    all: &[T],
    range: Range<usize>,
    mut make: impl FnMut(&T) -> Made,
    bytes: impl Fn(&Made) -> usize,
) -> Vec<Made> {
    let mut made = Vec::new();
    let mut sum = 0usize;
    for one in all.get(range.start..range.end.min(all.len())).unwrap_or_default() {
        let one = make(one);
        sum = sum.saturating_add(bytes(&one));
        if sum > ANSWER_BYTES && !made.is_empty() {
            break;
        }
        made.push(one);
    }
    made
}

fn row(turn: &Turn) -> Turn {
    Turn { request: cut(&turn.request, ROW_REQUEST), ..turn.clone() }
}

/// About what a row takes: the texts that a log can make long, and the rest.
fn row_bytes(turn: &Turn) -> usize {
    let texts = [&turn.turn_id, &turn.opener, &turn.started_at].into_iter().flatten().map(String::len).sum::<usize>();
    200 + turn.request.len() + 2 * turn.reference.len() + texts
}

fn some_steps(trace: &Trace, range: Range<usize>) -> Vec<Step> {
    as_many_as_fit(&trace.steps, range, Step::clone, step_bytes)
}

fn some_decisions(trace: &Trace, range: Range<usize>) -> Vec<GovernanceEvent> {
    as_many_as_fit(&trace.governance, range, GovernanceEvent::clone, decision_bytes)
}

/// About what a decision takes: the reason can be long, the other texts are names.
fn decision_bytes(event: &GovernanceEvent) -> usize {
    600 + event.entry.reason.len()
}

fn step_bytes(step: &Step) -> usize {
    200 + step.title.len() + step.detail.as_ref().map_or(0, String::len)
}

/// A trace as it is sent: with its first steps, and its texts cut where they are long.
fn drawn(trace: &Trace, layout: Layout) -> ReaderAnswer {
    let limit = (ANSWER_BYTES / trace.nodes.len().max(1)).clamp(CALL_TEXT.start, CALL_TEXT.end);
    let mut short = Vec::new();
    let mut nodes = Vec::with_capacity(trace.nodes.len());
    for (at, node) in trace.nodes.iter().enumerate() {
        let texts = [&node.input, &node.output, &node.stderr].map(|text| text.as_ref().map(|text| cut(text, limit)));
        let is_cut = texts.iter().zip([&node.input, &node.output, &node.stderr]).any(|(cut, whole)| cut != whole);
        if is_cut {
            short.push(at);
        }
        let [input, output, stderr] = texts;
        nodes.push(without_texts(node, input, output, stderr));
    }
    let steps = match trace.steps.first() {
        Some(step) if step_bytes(step) > ANSWER_BYTES => Vec::new(),
        _ => some_steps(trace, 0..FIRST_STEPS),
    };
    let governance = match trace.governance.first() {
        Some(event) if decision_bytes(event) > ANSWER_BYTES => Vec::new(),
        _ => some_decisions(trace, 0..FIRST_STEPS),
    };
    let sent = Trace {
        reference: trace.reference.clone(),
        trace_id: trace.trace_id.clone(),
        request: cut(&trace.request, ROW_REQUEST),
        started_at: trace.started_at.clone(),
        nodes,
        edges: trace.edges.clone(),
        steps,
        governance,
        ..*trace
    };
    let (step_count, governance_count) = (trace.steps.len(), trace.governance.len());
    ReaderAnswer::Trace { trace: Box::new(sent), layout, cut: short, step_count, governance_count }
}

/// A copy of a node with other texts; the long ones are never copied.
fn without_texts(node: &Node, input: Option<String>, output: Option<String>, stderr: Option<String>) -> Node {
    Node {
        id: node.id.clone(),
        kind: node.kind.clone(),
        label: node.label.clone(),
        input,
        output,
        stderr,
        agent: node.agent.clone(),
        model: node.model.clone(),
        provider: node.provider.clone(),
        tier: node.tier.clone(),
        tokens: node.tokens.clone(),
        handler: node.handler.clone(),
        governance: node.governance.clone(),
        ..*node
    }
}
