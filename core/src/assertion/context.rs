//! A log while rules look at it: which turn each event belongs to, which rows, and which events meet which conditions, found in one pass.

use super::condition::{Condition, all_hold};
use super::item::{Item, Row};
use super::report::Spot;
use crate::ledger::{LedgerEntry, TurnIndex};
use crate::log::{Log, Pace};
use std::collections::HashMap;

/// A log, its rows and what is known of its turns.
pub(super) struct Context<'a> {
    pub file: &'a str,
    pub log: &'a Log,
    /// For each turn what its events tell of it; empty where no rule asks.
    pub told: Vec<Told>,
    /// The turn of each event, [`NONE`] before the first.
    turn_of: Vec<u32>,
    /// Opening events that carry the turn id of an earlier turn, which they belong to as well.
    also: HashMap<usize, usize>,
    /// The rows of the session by their turns, those without a turn first; none where no ledger was read.
    rows: Option<Vec<(Option<usize>, &'a LedgerEntry)>>,
}

const NONE: u32 = u32::MAX;

/// What the events of a turn tell of it.
#[derive(Clone, Debug, Default)]
pub(super) struct Told {
    /// The handler that answered.
    pub handler: Option<String>,
    /// What the last response check said.
    pub verdict: Option<String>,
    /// Of the last answer.
    pub intent: Option<String>,
    /// Of the last answer.
    pub agent_type: Option<String>,
}

/// An event that meets conditions.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hit {
    /// Its position in the log.
    pub event: usize,
    pub turn: Option<usize>,
    /// It is there a second time, for the earlier turn whose id it carries.
    pub again: bool,
}

impl<'a> Context<'a> {
    pub fn new(file: &'a str, log: &'a Log, rows: Option<&'a [LedgerEntry]>, asks_turns: bool, pace: &mut Pace) -> Context<'a> {
        let turns = log.turns();
        let mut turn_of = vec![NONE; log.event_count()];
        let mut owners: HashMap<&str, usize> = HashMap::new();
        let mut also = HashMap::new();
        for (turn, of) in turns.iter().enumerate() {
            pace.step(0);
            for event in log.turn_events(turn) {
                turn_of[event] = turn as u32;
            }
            let Some(id) = of.turn_id.as_deref() else { continue };
            let owner = *owners.entry(id).or_insert(turn);
            if let Some(first) = log.turn_events(turn).next().filter(|_| owner != turn) {
                also.insert(first, owner);
            }
        }
        let told = if asks_turns { (0..turns.len()).map(|turn| told(log, turn, pace)).collect() } else { Vec::new() };
        let rows = rows.map(|rows| placed(log, rows, pace));
        Context { file, log, told, turn_of, also, rows }
    }

    /// Of each list of conditions the events that meet it, in file order. Events are read only where a condition asks for more than their
    /// kind, and then once for all.
    pub fn find(&self, queries: &[&[Condition]], pace: &mut Pace) -> Vec<Vec<Hit>> {
        let mut found: Vec<Vec<Hit>> = vec![Vec::new(); queries.len()];
        let mut by_kind: HashMap<&str, Vec<usize>> = HashMap::new();
        for position in 0..self.log.event_count() {
            let kind = self.log.kind(position);
            let candidates = by_kind.entry(kind).or_insert_with(|| {
                let may = |query: &[Condition]| query.iter().filter(|c| c.is_of_kind()).all(|c| c.holds_for_kind(kind));
                (0..queries.len()).filter(|query| may(queries[*query])).collect()
            });
            if candidates.is_empty() {
                pace.step(0);
                continue;
            }
            let mut event = None;
            let turn = Some(self.turn_of[position] as usize).filter(|_| self.turn_of[position] != NONE);
            let again = self.also.get(&position).copied();
            for query in candidates.iter().copied() {
                let conditions = queries[query];
                let known = conditions.iter().all(Condition::is_of_kind);
                if !known && event.is_none() {
                    pace.step(self.log.event_bytes(position));
                    event = Some(self.log.event(position));
                }
                let places = [Some((turn, false)), again.map(|owner| (Some(owner), true))];
                for (turn, again) in places.into_iter().flatten() {
                    let item = Item { context: Some(self), turn, event: event.as_ref(), row: None };
                    if known || all_hold(conditions, &item) {
                        found[query].push(Hit { event: position, turn, again });
                    }
                }
            }
            pace.step(0);
        }
        found
    }

    /// The rows of a turn, or of the whole session without one; none where no ledger was read.
    pub fn rows(&self, turn: Option<usize>) -> Option<&[(Option<usize>, &'a LedgerEntry)]> {
        let rows = self.rows.as_deref()?;
        if turn.is_none() {
            return Some(rows);
        }
        let start = rows.partition_point(|(of, _)| *of < turn);
        Some(&rows[start..rows.partition_point(|(of, _)| *of <= turn)])
    }

    /// Where a turn, an event in it or a row of it is. Of a turn without an event it is its first line, of nothing at all the log's.
    pub fn spot(&self, turn: Option<usize>, event: Option<usize>, row: Option<&LedgerEntry>) -> Spot {
        let first = || turn.and_then(|turn| self.log.turn_events(turn).next()).unwrap_or(0);
        Spot {
            session: Some(self.log.session_id().to_owned()),
            file: Some(self.file.to_owned()),
            turn: turn.map(|turn| self.log.turns()[turn].reference.clone()),
            line: Some(self.log.line(event.unwrap_or_else(first))),
            row: row.map(|row| Row::Shown(row).name()),
        }
    }
}

fn told(log: &Log, turn: usize, pace: &mut Pace) -> Told {
    let mut told = Told::default();
    for event in log.turn_events(turn) {
        let kind = log.kind(event);
        if !matches!(kind, "handler.end" | "guard.end" | "agent_response") {
            pace.step(0);
            continue;
        }
        pace.step(log.event_bytes(event));
        let event = log.event(event);
        let text = |key: &str| event.str(key).map(str::to_owned);
        match event.kind.as_str() {
            "handler.end" => told.handler = told.handler.take().or_else(|| text("handler")),
            "guard.end" => told.verdict = text("verdict"),
            _ => (told.intent, told.agent_type) = (text("intent"), event.agent_type.clone()),
        }
    }
    told
}

/// The rows of this session, each with its turn. Rows of other sessions and those that the ledger wrote about itself are left out.
fn placed<'a>(log: &Log, rows: &'a [LedgerEntry], pace: &mut Pace) -> Vec<(Option<usize>, &'a LedgerEntry)> {
    if rows.is_empty() {
        return Vec::new();
    }
    let spans = log.spans();
    let index = TurnIndex::new(log.session_id(), &spans);
    let mut placed = Vec::new();
    for row in rows.iter().filter(|row| !Row::Shown(row).is_of_the_ledger()) {
        pace.step(0);
        let turn = index.turn_of(row).map(|(turn, _)| turn);
        let id = Some(log.session_id());
        if turn.is_some() || row.run_id.as_deref() == id || row.public.session_id.as_deref() == id {
            placed.push((turn, row));
        }
    }
    // Stable: inside a turn the order of the ledger stays.
    placed.sort_by_key(|(turn, _)| *turn);
    placed
}
