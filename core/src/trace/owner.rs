//! Decides which call made which: tools, model calls and errors get an owner (specs: iris-session-log, 7.7).

use super::nodes::Call;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

/// For each call, the position of the call that made it; `None` for the stages, which follow each other instead.
pub(super) fn owners(calls: &[Call]) -> Vec<Option<usize>> {
    let by_id: HashMap<&str, usize> = calls.iter().enumerate().map(|(at, call)| (call.node.id.as_str(), at)).collect();
    let tools = enclosing_tools(calls);
    let agents = running_agents(calls);
    let curator = by_id.get("curator").copied();
    let last_resort = ["agent0", "task_planner", "runtime"].iter().find_map(|id| by_id.get(id).copied());
    let owner = |at: usize| {
        let call = &calls[at];
        let agent = call.node.agent.as_deref().unwrap_or_default();
        let is_tool = call.node.kind == "tool";
        let stage = stage_of(agent).filter(|_| !is_tool).and_then(|id| by_id.get(id).copied());
        let in_curator = || {
            let nameless = matches!(agent, "" | "unknown") && !is_tool;
            curator.filter(|curator| nameless && runs_at(&calls[*curator], call.start))
        };
        stage.or_else(|| tools[at].filter(|_| !is_tool)).or_else(in_curator).or(agents[at]).or(last_resort)
    };
    (0..calls.len()).map(|at| is_owned(&calls[at]).then(|| owner(at)).flatten()).collect()
}

fn is_owned(call: &Call) -> bool {
    matches!(call.node.kind.as_str(), "tool" | "llm" | "error")
}

/// The stage whose own model calls carry its name instead of an agent's.
fn stage_of(agent: &str) -> Option<&'static str> {
    match agent {
        "intent_router" => Some("intent_router"),
        "task_planner" => Some("task_planner"),
        "response_curator" => Some("curator"),
        "turn_capture" => Some("runtime"),
        _ => None,
    }
}

fn runs_at(call: &Call, at: Option<f64>) -> bool {
    let inside = |start: f64, at: f64| start <= at && call.end.is_none_or(|end| at <= end);
    call.start.zip(at).is_some_and(|(start, at)| inside(start, at))
}

/// For each call, the tool with the smallest window that contains it; tools without a logged end do not count. Calls are taken in order of
/// falling end; tools that end no earlier are then in a prefix-minimum tree over their starts, so that each question costs a logarithm.
fn enclosing_tools(calls: &[Call]) -> Vec<Option<usize>> {
    let window = |at: usize| calls[at].start.zip(calls[at].end);
    let kind = |at: &usize, kind: &str| calls[*at].node.kind == kind;
    let mut tools: Vec<usize> = (0..calls.len()).filter(|at| kind(at, "tool") && window(*at).is_some()).collect();
    let mut asking: Vec<usize> =
        (0..calls.len()).filter(|at| (kind(at, "llm") || kind(at, "error")) && window(*at).is_some()).collect();
    let by_start = |a: &usize, b: &usize| calls[*a].start.partial_cmp(&calls[*b].start).unwrap_or(std::cmp::Ordering::Equal);
    let by_falling_end = |a: &usize, b: &usize| calls[*b].end.partial_cmp(&calls[*a].end).unwrap_or(std::cmp::Ordering::Equal);
    tools.sort_by(by_start);
    let starts: Vec<f64> = tools.iter().filter_map(|at| calls[*at].start).collect();
    let rank: HashMap<usize, usize> = tools.iter().enumerate().map(|(rank, at)| (*at, rank)).collect();
    tools.sort_by(by_falling_end);
    asking.sort_by(by_falling_end);

    let mut found = vec![None; calls.len()];
    let mut smallest: Vec<Option<(f64, usize)>> = vec![None; tools.len() + 1];
    let mut entered = tools.iter().peekable();
    for at in asking {
        let Some((start, end)) = window(at) else { continue };
        while let Some(tool) = entered.next_if(|tool| calls[**tool].end.is_some_and(|tool_end| tool_end >= end)) {
            let Some((tool_start, tool_end)) = window(*tool) else { continue };
            let entry = (tool_end - tool_start, *tool);
            let mut node = rank[tool] + 1;
            while node < smallest.len() {
                if smallest[node].is_none_or(|best| entry < best) {
                    smallest[node] = Some(entry);
                }
                node += node & node.wrapping_neg();
            }
        }
        let mut node = starts.partition_point(|tool_start| *tool_start <= start);
        let mut best: Option<(f64, usize)> = None;
        while node > 0 {
            if let Some(entry) = smallest[node].filter(|entry| best.is_none_or(|best| *entry < best)) {
                best = Some(entry);
            }
            node -= node & node.wrapping_neg();
        }
        found[at] = best.map(|(_, tool)| tool);
    }
    found
}

/// For each call, the agent it belongs to: among those that run at its stamp the first of its type, else the first; else the latest of its type
/// that had started. One pass over time; agents that are over fall out of the heaps for good.
fn running_agents(calls: &[Call]) -> Vec<Option<usize>> {
    #[derive(Default)]
    struct Running<'a> {
        any: BinaryHeap<Reverse<usize>>,
        by_type: HashMap<&'a str, BinaryHeap<Reverse<usize>>>,
        latest: HashMap<&'a str, usize>,
    }
    let by_time = |a: Option<f64>, b: Option<f64>| a.partial_cmp(&b).unwrap_or(std::cmp::Ordering::Equal);
    let mut agents: Vec<usize> =
        (0..calls.len()).filter(|at| calls[*at].node.kind == "agent" && calls[*at].start.is_some()).collect();
    agents.sort_by(|a, b| by_time(calls[*a].start, calls[*b].start));
    let mut asking: Vec<usize> = (0..calls.len()).filter(|at| is_owned(&calls[*at]) && calls[*at].logged.is_some()).collect();
    asking.sort_by(|a, b| by_time(calls[*a].logged, calls[*b].logged));

    let mut found = vec![None; calls.len()];
    let mut running = Running::default();
    let mut starting = agents.into_iter().peekable();
    for at in asking {
        let call = &calls[at];
        while let Some(agent) = starting.next_if(|agent| calls[*agent].start <= call.logged) {
            let name = calls[agent].node.agent.as_deref().unwrap_or_default();
            running.any.push(Reverse(agent));
            running.by_type.entry(name).or_default().push(Reverse(agent));
            running.latest.insert(name, agent);
        }
        let first = |heap: &mut BinaryHeap<Reverse<usize>>| loop {
            let Reverse(agent) = *heap.peek()?;
            if runs_at(&calls[agent], call.logged) {
                return Some(agent);
            }
            heap.pop();
        };
        let name = call.node.agent.as_deref().unwrap_or_default();
        let own = running.by_type.get_mut(name).and_then(first);
        found[at] = own.or_else(|| first(&mut running.any)).or_else(|| running.latest.get(name).copied());
    }
    found
}
