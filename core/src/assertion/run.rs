//! Holds logs and rows against rules, one after the other. Of what was read only that stays which the next has to be compared with.

mod judge;

use super::Rules;
use super::condition::all_hold;
use super::context::Context;
use super::field::Over;
use super::item::{Item, Row};
use super::report::{LeftOut, Report, Spot};
use super::rule::Expect;
use super::tally::Tally;
use crate::ledger::LedgerEntry;
use crate::log::{Log, Pace};
use judge::{Events, each, in_order, simple};

/// Rules, and what has come of them so far.
#[derive(Debug)]
pub struct Run {
    rules: Rules,
    tallies: Vec<Tally>,
    report: Report,
}

impl Run {
    /// Before anything was read.
    pub fn new(rules: Rules) -> Run {
        let tallies = rules.rules.iter().map(|_| Tally::default()).collect();
        Run { rules, tallies, report: Report::default() }
    }

    /// Holds a log against the rules. `rows` are those of its session, others are passed over; without a ledger it is `None`, and rules
    /// that look for rows in this log's turns are not judged. `progress` is called every few hundred events, and oftener where they are
    /// large.
    pub fn log(&mut self, file: &str, log: &Log, rows: Option<&[LedgerEntry]>, progress: &mut dyn FnMut()) {
        let pace = &mut Pace::new(progress);
        let rules = &self.rules.rules;
        let looks_for_rows = rules.iter().any(|rule| rule.looks_for_rows());
        let asks_turns = rules.iter().any(|rule| rule.reads_what_events_tell());
        let context = Context::new(file, log, rows.filter(|_| looks_for_rows), asks_turns, pace);
        self.report.logs += 1;
        self.report.turns += log.turns().len() as u64;
        self.report.events += log.event_count() as u64;

        let mut queries = Vec::new();
        let mut places = Vec::new();
        for rule in rules {
            let own = (rule.over == Over::Event).then_some(rule.conditions.as_slice());
            let inner = rule.events_looked_for();
            places.push((queries.len(), usize::from(own.is_some()), inner.len()));
            queries.extend(own.into_iter().chain(inner));
        }
        let mut found = context.find(&queries, pace).into_iter().map(Events::new).collect::<Vec<_>>();
        for ((rule, tally), (at, own, inner)) in rules.iter().zip(&mut self.tallies).zip(places) {
            let (own, inner) = found[at..at + own + inner].split_at_mut(own);
            if rule.over == Over::Row {
                continue;
            }
            each(rule, &context, own.first(), pace, &mut |item, position| match &rule.expect {
                Expect::Contains { over, conditions, count } => {
                    judge::contains(tally, &context, item, (*over, conditions.as_slice(), *count), inner.first_mut());
                }
                Expect::Order { each, then, before } => {
                    in_order(tally, &context, item, inner, (each, then, before.as_deref()));
                }
                expect => simple(tally, rule.over, expect, item, || context.spot(item.turn, position, None)),
            });
        }
    }

    /// A log that could not be read: nothing in it is judged, and the report says so.
    pub fn left_out(&mut self, file: &str, message: impl Into<String>) {
        self.report.left_out.push(LeftOut { file: file.to_owned(), message: message.into() });
    }

    /// Holds rows of the ledger against the rules that are about rows, each row once. Rows that the ledger wrote about itself have
    /// record ids and numbers of their own, so that `unique` and `gapless` see them; other rules do not.
    pub fn rows<'a>(&mut self, rows: impl IntoIterator<Item = Row<'a>>, progress: &mut dyn FnMut()) {
        let mut pace = Pace::new(progress);
        for row in rows {
            pace.step(0);
            let own = row.is_of_the_ledger();
            self.report.rows += u64::from(!own);
            for (rule, tally) in self.rules.rules.iter().zip(&mut self.tallies) {
                let sees = !own || matches!(rule.expect, Expect::Unique(_) | Expect::Gapless { .. });
                let item = Item { row: Some(row), ..Item::default() };
                if rule.over == Over::Row && sees && all_hold(&rule.conditions, &item) {
                    simple(tally, Over::Row, &rule.expect, &item, || spot(row));
                }
            }
        }
    }

    /// What came of it.
    pub fn finish(self) -> Report {
        let Run { rules, tallies, mut report } = self;
        for (rule, tally) in rules.rules.iter().zip(tallies) {
            let seen = if rule.over == Over::Row { report.rows > 0 } else { report.logs > 0 };
            report.rules.push(tally.report(rule, seen));
        }
        let violated = report.rules.iter().any(|rule| rule.violation_count > 0);
        report.ok = !violated && report.left_out.is_empty();
        report
    }
}

/// Where a row of the ledger belongs.
fn spot(row: Row) -> Spot {
    let session = row.session_id();
    let turn = row.value("turn_id").and_then(|value| value.text());
    Spot {
        session: session.map(str::to_owned),
        turn: session.zip(turn).map(|(session, turn)| format!("{session}@{turn}")),
        row: Some(row.name()),
        ..Spot::default()
    }
}
