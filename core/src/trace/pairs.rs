//! Finds the two ends of each piece of work: tool calls, agent runs and curator passes (specs: iris-session-log, 7.7 and 7.8).

use crate::log::Event;
use std::collections::{HashMap, VecDeque};

/// Positions of the two events of a piece of work; one may be missing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Pair {
    pub start: Option<usize>,
    pub end: Option<usize>,
}

/// All work of a turn that has two events.
#[derive(Debug, Default)]
pub(super) struct Pairs {
    /// Tool calls with an end, in order of the ends; then those without, in order of the starts.
    pub tools: Vec<Pair>,
    /// Agent runs in order of the starts; every one has a start.
    pub agents: Vec<Pair>,
    /// Curator passes with an end, then those without.
    pub curators: Vec<Pair>,
    /// The start of the pair that ends at a position.
    starts: HashMap<usize, usize>,
    /// The end of the pair that starts at a position.
    ends: HashMap<usize, usize>,
}

impl Pairs {
    /// Position of the start that belongs to the end at a position.
    pub fn start_of(&self, end: usize) -> Option<usize> {
        self.starts.get(&end).copied()
    }

    /// Position of the end that belongs to the start at a position.
    pub fn end_of(&self, start: usize) -> Option<usize> {
        self.ends.get(&start).copied()
    }
}

/// Pairs the events of a turn.
pub(super) fn pair(events: &[Event]) -> Pairs {
    let mut tool_starts: HashMap<&str, Vec<usize>> = HashMap::new();
    let mut curator_starts: Vec<usize> = Vec::new();
    let mut open_agents = OpenAgents::default();
    let mut pairs = Pairs::default();
    for (at, event) in events.iter().enumerate() {
        match event.kind.as_str() {
            "tool.invoke.start" => tool_starts.entry(call_id(event)).or_default().push(at),
            "tool.invoke.end" => {
                let start = tool_starts.get_mut(call_id(event)).and_then(Vec::pop);
                pairs.tools.push(Pair { start, end: Some(at) });
            }
            "response_curator.start" => curator_starts.push(at),
            "response_curator.end" => pairs.curators.push(Pair { start: curator_starts.pop(), end: Some(at) }),
            "agent.trace" => match event.name() {
                Some("agent.start") => {
                    open_agents.push(pairs.agents.len(), agent_type(event));
                    pairs.agents.push(Pair { start: Some(at), end: None });
                }
                Some("agent.result") => {
                    if let Some(run) = open_agents.close(agent_type(event)) {
                        pairs.agents[run].end = Some(at);
                    }
                }
                _ => {}
            },
            _ => {}
        }
    }
    let mut left: Vec<usize> = tool_starts.into_values().flatten().collect();
    left.sort_unstable();
    pairs.tools.extend(left.into_iter().map(|start| Pair { start: Some(start), end: None }));
    pairs.curators.extend(curator_starts.into_iter().map(|start| Pair { start: Some(start), end: None }));
    let whole = pairs.tools.iter().chain(&pairs.agents).chain(&pairs.curators).filter_map(|pair| pair.start.zip(pair.end));
    let whole: Vec<(usize, usize)> = whole.collect();
    pairs.starts = whole.iter().map(|(start, end)| (*end, *start)).collect();
    pairs.ends = whole.into_iter().collect();
    pairs
}

/// The agent that an event of an agent's run is about.
pub(super) fn agent_type(event: &Event) -> &str {
    event.str("agent_type").unwrap_or_default()
}

/// The id of a tool call: the new name, else the old one; events without an id pair with each other.
pub(super) fn call_id(event: &Event) -> &str {
    event.str("call_id").filter(|id| !id.is_empty()).or_else(|| event.str("tool_call_id")).unwrap_or_default()
}

/// Agent runs without a result yet, oldest first: all of them, and by agent type.
#[derive(Default)]
struct OpenAgents<'a> {
    all: VecDeque<usize>,
    by_type: HashMap<&'a str, VecDeque<usize>>,
    closed: Vec<bool>,
}

impl<'a> OpenAgents<'a> {
    fn push(&mut self, run: usize, agent: &'a str) {
        self.all.push_back(run);
        self.by_type.entry(agent).or_default().push_back(run);
        self.closed.push(false);
    }

    /// Closes the oldest open run of this agent, else the oldest open one.
    fn close(&mut self, agent: &str) -> Option<usize> {
        let closed = &mut self.closed;
        let mut oldest = |queue: &mut VecDeque<usize>| loop {
            let run = queue.pop_front()?;
            if !std::mem::replace(&mut closed[run], true) {
                return Some(run);
            }
        };
        self.by_type.get_mut(agent).and_then(&mut oldest).or_else(|| oldest(&mut self.all))
    }
}
