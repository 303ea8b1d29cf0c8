//! Leads rows to their turns (specs: system-opened-turns, 1.3 and 6.4).

use super::row::{LedgerEntry, Link, LinkedHow};
use super::windows::Windows;
use crate::log::{Log, TurnSpan};
use std::collections::HashMap;

/// The turns of a session, ready to be asked for the turn of a row.
pub struct TurnIndex<'a> {
    session_id: &'a str,
    by_id: HashMap<&'a str, usize>,
    /// All turns, and those without an id of their own.
    all: Windows<&'a str>,
    nameless: Windows<&'a str>,
}

impl<'a> TurnIndex<'a> {
    /// Of the turns of one session, in file order.
    pub fn new(session_id: &'a str, spans: &'a [TurnSpan]) -> TurnIndex<'a> {
        let mut by_id = HashMap::new();
        for (position, span) in spans.iter().enumerate() {
            if let Some(id) = &span.turn_id {
                by_id.entry(id.as_str()).or_insert(position);
            }
        }
        let windows = |wanted: fn(&TurnSpan) -> bool| {
            let numbered = spans.iter().enumerate().filter(|(_, span)| wanted(span));
            Windows::new(numbered.filter_map(|(position, span)| window(span, position)).collect())
        };
        TurnIndex { session_id, by_id, all: windows(|_| true), nameless: windows(|span| span.turn_id.is_none()) }
    }

    /// Position of a row's turn and how that is known. A row that names a turn belongs to that one or to none, whenever it was written;
    /// only a turn without an id may still be the one it means.
    pub fn turn_of(&self, row: &LedgerEntry) -> Option<(usize, LinkedHow)> {
        let ours = is_of_session(row, self.session_id);
        let named = row.public.turn_id.as_deref();
        if let Some(position) = named.and_then(|id| self.by_id.get(id)).filter(|_| ours || row.public.session_id.is_none()) {
            return Some((*position, LinkedHow::Exact));
        }
        let windows = if named.is_some() { &self.nameless } else { &self.all };
        windows.last_opened(row.ts.as_str()).filter(|_| ours).map(|position| (position, LinkedHow::Window))
    }
}

/// Where a row leads among the turns of a session: a turn that it names beats one that was open at the time; stamps are compared as text, both
/// ends inclusive; of several open turns it is the one with the latest opening stamp.
pub fn link(entry: &LedgerEntry, session_id: &str, spans: &[TurnSpan]) -> Link {
    match TurnIndex::new(session_id, spans).turn_of(entry) {
        Some((turn, how)) => Link { reference: Some(spans[turn].reference.clone()), how, stored: None },
        None => Link { reference: None, how: LinkedHow::None, stored: None },
    }
}

/// The rows of the turn at a position, ordered by stamp and id: exactly those that [`link`] leads to it.
pub fn of_turn<'a>(entries: &'a [LedgerEntry], log: &Log, turn: usize) -> Vec<&'a LedgerEntry> {
    let session_id = log.session_id();
    if !entries.iter().any(|entry| may_be_of(entry, session_id)) {
        return Vec::new();
    }
    // Ends of turns are read from the log only where they matter: of this turn, and of those that opened while it was open.
    let mut spans: Vec<TurnSpan> = Vec::with_capacity(log.turns().len());
    let this = log.span(turn);
    for (position, of) in log.turns().iter().enumerate() {
        let inside = of.started_at.is_some() && of.started_at >= this.opened_at && of.started_at <= this.closed_at;
        spans.push(match position {
            _ if position == turn => this.clone(),
            _ if inside => log.span(position),
            _ => TurnSpan {
                reference: of.reference.clone(),
                trace_id: of.trace_id.clone(),
                turn_id: of.turn_id.clone(),
                opened_at: of.started_at.clone(),
                closed_at: None,
            },
        });
    }
    let index = TurnIndex::new(session_id, &spans);
    let of = |entry: &&LedgerEntry| entry.plugin != "audit" && index.turn_of(entry).is_some_and(|(position, _)| position == turn);
    let mut rows: Vec<&LedgerEntry> = entries.iter().filter(of).collect();
    rows.sort_by(|a, b| (&a.ts, a.id).cmp(&(&b.ts, b.id)));
    rows
}

fn window(span: &TurnSpan, position: usize) -> Option<(&str, &str, usize)> {
    Some((span.opened_at.as_deref()?, span.closed_at.as_deref()?, position))
}

fn is_of_session(row: &LedgerEntry, session_id: &str) -> bool {
    row.run_id.as_deref() == Some(session_id) || row.public.session_id.as_deref() == Some(session_id)
}

fn may_be_of(row: &LedgerEntry, session_id: &str) -> bool {
    is_of_session(row, session_id) || (row.public.session_id.is_none() && row.public.turn_id.is_some())
}
