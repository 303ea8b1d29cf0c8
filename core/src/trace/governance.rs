//! Joins the rows of the ledger to the calls they are about (specs: system-opened-turns, 1.3 and 6.4).

use super::model::{GovernanceCard, GovernanceEvent, Status};
use super::nodes::{Call, governance_call};
use super::scene::Scene;
use crate::ledger::{Decision, LedgerEntry, Windows};
use crate::log::{Pace, parse_stamp};
use std::collections::HashMap;
use std::collections::hash_map::Entry;

/// Reasons in the text of a node.
const PARTS: usize = 4;
/// Characters of that text.
const REASON: usize = 400;

/// Rows that one hook fired at one call.
struct Firing<'a> {
    hook: &'a str,
    host: usize,
    rows: Vec<&'a LedgerEntry>,
}

/// Adds a call for each firing, with its host as the owner, and gives the rows with their hosts; `rows` are the turn's, in order.
pub(super) fn join(
    scene: &Scene,
    rows: &[&LedgerEntry],
    calls: &mut Vec<Call>,
    owners: &mut Vec<Option<usize>>,
    progress: &mut dyn FnMut(),
) -> Vec<GovernanceEvent> {
    if rows.is_empty() {
        return Vec::new();
    }
    let mut pace = Pace::new(progress);
    let hosts = Hosts::new(calls);
    let mut firings: Vec<Firing> = Vec::new();
    let mut known: HashMap<(&str, usize), usize> = HashMap::new();
    let mut events = Vec::with_capacity(rows.len());
    for row in rows {
        pace.step(row.reason.len() as u64);
        let t_offset_ms = offset(scene, row);
        let host = hosts.of(row, t_offset_ms);
        let firing = match known.entry((row.hook_point.as_str(), host)) {
            Entry::Occupied(entry) => *entry.get(),
            Entry::Vacant(entry) => {
                firings.push(Firing { hook: &row.hook_point, host, rows: Vec::new() });
                *entry.insert(firings.len() - 1)
            }
        };
        firings[firing].rows.push(row);
        events.push(GovernanceEvent { node: calls[host].node.id.clone(), t_offset_ms, entry: (*row).clone() });
    }
    for (i, firing) in firings.iter().enumerate() {
        let earliest = firing.rows.iter().filter_map(|row| moment(scene, row)).reduce(f64::min);
        let mut call = governance_call(scene, i, firing.hook, earliest);
        let card = card(firing);
        if card.decision == Decision::Deny {
            call.node.status = Status::Error;
        }
        let plugins: Vec<&str> = firing.rows.iter().map(|row| row.plugin.as_str()).collect();
        call.node.input = Some(format!("{}: {}", firing.hook, plugins.join(", ")));
        let many = if plugins.len() == 1 { "" } else { "s" };
        call.node.output = Some(format!("{} ({} plugin{many})", card.decision, plugins.len()));
        call.node.governance = Some(card);
        calls.push(call);
        owners.push(Some(firing.host));
    }
    events
}

/// The worst decision of a firing, and why: the reasons of up to four rows, the worst first.
fn card(firing: &Firing) -> GovernanceCard {
    let worst = |row: &&&LedgerEntry| std::cmp::Reverse(weight(&row.decision));
    let mut by_weight: Vec<&&LedgerEntry> = firing.rows.iter().collect();
    by_weight.sort_by_key(worst);
    let parts: Vec<String> = by_weight
        .iter()
        .filter(|row| !row.reason.is_empty())
        .take(PARTS)
        .map(|row| format!("{}: {}", row.plugin, row.reason))
        .collect();
    GovernanceCard {
        hook: firing.hook.to_owned(),
        // A firing begins with its first row.
        decision: by_weight[0].decision.clone(),
        reason: parts.join("; ").chars().take(REASON).collect(),
        rows: firing.rows.iter().map(|row| row.id).collect(),
    }
}

/// How bad a decision is. A word of another program stops nothing that we know of, so it weighs less than any of the four.
fn weight(decision: &Decision) -> Option<usize> {
    Decision::ALL.iter().position(|known| known == decision)
}

fn moment(scene: &Scene, row: &LedgerEntry) -> Option<f64> {
    parse_stamp(&row.ts).map(|us| scene.at_us(us))
}

fn offset(scene: &Scene, row: &LedgerEntry) -> f64 {
    scene.shown(moment(scene, row))
}

/// Calls that can be a host: by kind, and tools by the id of their call.
struct Hosts<'a> {
    by_kind: HashMap<&'a str, Candidates>,
    by_call_id: HashMap<&'a str, Candidates>,
}

impl Hosts<'_> {
    fn new(calls: &[Call]) -> Hosts<'_> {
        let mut kinds: HashMap<&str, Vec<usize>> = HashMap::new();
        let mut ids: HashMap<&str, Vec<usize>> = HashMap::new();
        for (at, call) in calls.iter().enumerate() {
            kinds.entry(&call.node.kind).or_default().push(at);
            if let Some(id) = &call.call_id {
                ids.entry(id).or_default().push(at);
            }
        }
        let candidates =
            |of: HashMap<_, Vec<usize>>| of.into_iter().map(|(key, at)| (key, Candidates::new(calls, &at))).collect();
        Hosts { by_kind: candidates(kinds), by_call_id: candidates(ids) }
    }

    /// Position of the call that a row is about: the tool whose call it names, else by its hook and time, else the runtime.
    fn of(&self, row: &LedgerEntry, at: f64) -> usize {
        let parent = row.public.parent_call_id.as_deref().filter(|_| row.hook_point.ends_with("_egress"));
        let ids = [row.public.call_id.as_deref(), parent];
        let named = ids.into_iter().flatten().find_map(|id| self.by_call_id.get(id));
        let by_kind = || kinds(&row.hook_point).iter().find_map(|kind| self.by_kind.get(kind));
        // The runtime is the first of all calls.
        named.or_else(by_kind).map_or(0, |candidates| candidates.nearest(at))
    }
}

/// The kinds of call that a hook fires at; the first that there is one of counts. None of them: the runtime.
fn kinds(hook: &str) -> &'static [&'static str] {
    match hook {
        "pre_classify" => &["intent_router"],
        "pre_llm_call" => &["llm", "agent"],
        "pre_tool_use" | "post_tool_use" | "pre_egress" | "post_egress" => &["tool", "agent"],
        "post_step" => &["agent"],
        "pre_response" => &["response_curator", "guard"],
        _ => &[],
    }
}

/// Calls that may be meant: at least one.
struct Candidates(Windows<f64>);

impl Candidates {
    fn new(calls: &[Call], at: &[usize]) -> Candidates {
        let window = |at: &usize| {
            let node = &calls[*at].node;
            (node.t_offset_ms, node.t_offset_ms + node.duration_ms, *at)
        };
        // Of calls that start together the earlier counts, and the last given is the one that is found.
        Candidates(Windows::new(at.iter().rev().map(window).collect()))
    }

    /// Among those that run at the moment, if any do, the one that started nearest to it; the earlier of two.
    fn nearest(&self, at: f64) -> usize {
        // The nearest start of those that run is the last one.
        if let Some(running) = self.0.last_opened(at) {
            return running;
        }
        let nearest = self
            .0
            .neighbours(at)
            .into_iter()
            .flatten()
            .min_by(|(a, i), (b, j)| (a - at).abs().total_cmp(&(b - at).abs()).then_with(|| i.cmp(j)));
        nearest.map_or(0, |(_, call)| call)
    }
}
