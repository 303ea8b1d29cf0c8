//! Joins the calls of a turn: data edges from stage to stage, control edges from owner to call (specs: iris-session-log, 4.4 and 7.7).

use super::model::{Edge, EdgeKind, Node};
use super::nodes::Call;

/// Two groups with more pairs than this are joined through the first member of each, so that two large waves cannot fill the memory.
const MOST_PAIRS: usize = 10_000;

/// Nodes sorted by start, and edges sorted by the start of their targets, numbered from 1.
pub(super) fn connect(calls: Vec<Call>, owners: &[Option<usize>]) -> (Vec<Node>, Vec<Edge>) {
    let mut joined: Vec<(usize, usize, EdgeKind)> = Vec::new();
    for pair in groups(&calls).windows(2) {
        let (from, to) = (&pair[0], &pair[1]);
        if from.len().saturating_mul(to.len()) <= MOST_PAIRS {
            joined.extend(from.iter().flat_map(|a| to.iter().map(|b| (*a, *b, EdgeKind::Data))));
        } else {
            joined.extend(to.iter().map(|b| (from[0], *b, EdgeKind::Data)));
            joined.extend(from.iter().skip(1).map(|a| (*a, to[0], EdgeKind::Data)));
        }
    }
    joined.extend(owners.iter().enumerate().filter_map(|(at, owner)| Some(((*owner)?, at, EdgeKind::Control))));

    let mut order: Vec<usize> = (0..calls.len()).collect();
    order.sort_by(|a, b| calls[*a].node.t_offset_ms.total_cmp(&calls[*b].node.t_offset_ms));
    let mut rank = vec![0; calls.len()];
    for (place, at) in order.iter().enumerate() {
        rank[*at] = place;
    }
    joined.sort_by_key(|(_, target, _)| rank[*target]);
    let edges = joined
        .into_iter()
        .zip(1..)
        .map(|((source, target, kind), seq)| edge(&calls[source].node, &calls[target].node, kind, seq));
    let edges = edges.collect();

    let mut nodes: Vec<(usize, Node)> = calls.into_iter().enumerate().map(|(at, call)| (rank[at], call.node)).collect();
    nodes.sort_by_key(|(rank, _)| *rank);
    (nodes.into_iter().map(|(_, node)| node).collect(), edges)
}

fn edge(source: &Node, target: &Node, kind: EdgeKind, seq: u64) -> Edge {
    let label = match target.kind.as_str() {
        _ if kind == EdgeKind::Data => None,
        "error" => Some(("err", "error")),
        "llm" => Some(("llm", "llm")),
        "governance" => Some(("gov", "guard")),
        _ => Some(("tool", "tool")),
    };
    Edge {
        id: match label {
            None => format!("e-{}-{}", source.id, target.id),
            Some((short, _)) => format!("e-{short}-{}", target.id),
        },
        source: source.id.clone(),
        target: target.id.clone(),
        kind,
        label: label.map(|(_, label)| label.to_owned()),
        seq,
    }
}

/// The groups that hand their results on, as far as present: runtime, router, memory, planner, the waves of agents, handler, curator, guard.
fn groups(calls: &[Call]) -> Vec<Vec<usize>> {
    let of = |kind: &str| -> Vec<usize> { (0..calls.len()).filter(|at| calls[*at].node.kind == kind).collect() };
    let mut groups: Vec<Vec<usize>> = ["runtime", "intent_router", "memory", "task_planner"].map(of).into();
    groups.extend(waves(calls, of("agent")));
    groups.extend(["handler", "response_curator", "guard"].map(of));
    groups.retain(|group| !group.is_empty());
    groups
}

/// An agent that starts before the latest end of a wave joins it, else it begins the next.
fn waves(calls: &[Call], mut agents: Vec<usize>) -> Vec<Vec<usize>> {
    agents.sort_by(|a, b| calls[*a].node.t_offset_ms.total_cmp(&calls[*b].node.t_offset_ms));
    let mut waves: Vec<Vec<usize>> = Vec::new();
    let mut latest_end = f64::NEG_INFINITY;
    for at in agents {
        let node = &calls[at].node;
        let end = node.t_offset_ms + node.duration_ms;
        match waves.last_mut() {
            Some(wave) if node.t_offset_ms < latest_end => {
                wave.push(at);
                latest_end = latest_end.max(end);
            }
            _ => {
                waves.push(vec![at]);
                latest_end = end;
            }
        }
    }
    waves
}
