//! The call trace of a turn: what was called, when, by whom, and where to draw it.

mod axis;
mod edges;
mod governance;
mod layout;
mod model;
mod nodes;
mod owner;
mod pairs;
mod scene;
mod steps;
mod title;

pub use axis::duration as duration_text;
pub use layout::layout;
pub use model::*;

use crate::ledger::{LedgerEntry, of_turn};
use crate::log::{Event, Log, OpenedBy, Pace};
use scene::Scene;

/// The call trace of the turn at a position below the number of turns (specs: iris-session-log, 4.4, 4.5 and 7.4 to 7.9). `entries` are
/// decisions of the ledger, of any session: those of the turn are drawn at the calls they are about. `progress` is called every few hundred
/// events, and oftener where they are large.
pub fn trace(log: &Log, turn: usize, entries: &[LedgerEntry], progress: &mut dyn FnMut()) -> Trace {
    let mut events: Vec<Event> = Vec::with_capacity(log.turn_events(turn).len());
    let mut pace = Pace::new(progress);
    for event in log.turn_events(turn) {
        pace.step(log.event_bytes(event));
        events.push(log.event(event));
    }
    let of = &log.turns()[turn];
    let scene = Scene::new(of, log.session_id(), log.turn_started_us(turn), &events);
    let pairs = pairs::pair(&events);
    let mut calls = nodes::calls(&scene, &pairs, progress);
    progress();
    let mut owners = owner::owners(&calls);
    let governance = governance::join(&scene, &of_turn(entries, log, turn), &mut calls, &mut owners, progress);
    let (nodes, edges) = edges::connect(calls, &owners);
    progress();
    Trace {
        reference: of.reference.clone(),
        trace_id: of.trace_id.clone(),
        opened_by_system: of.opened_by == OpenedBy::System,
        request: of.request.clone(),
        started_at: of.started_at.clone(),
        total_duration_ms: scene::round3(of.duration_ms),
        total_tokens: of.total_tokens,
        nodes,
        edges,
        steps: steps::steps(&scene, &pairs, progress),
        governance,
        // Every call of this format has an owner by rule (7.7, 6).
        unplaced: 0,
    }
}
