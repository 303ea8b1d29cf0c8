//! One item against one expectation.

use super::super::condition::{Condition, all_hold, phrase, quoted};
use super::super::context::{Context, Hit};
use super::super::field::Over;
use super::super::item::{Item, Row, Val};
use super::super::report::Spot;
use super::super::rule::{Count, Expect, Rule};
use super::super::tally::Tally;
use crate::log::Pace;

/// Events that meet the conditions of one query.
pub(super) struct Events {
    /// In file order; sorted by turn once somebody asks by turn.
    hits: Vec<Hit>,
    by_turn: bool,
}

impl Events {
    pub fn new(hits: Vec<Hit>) -> Events {
        Events { hits, by_turn: false }
    }

    /// Those of a turn, or of the whole log without one.
    fn of(&mut self, turn: Option<usize>) -> Vec<Hit> {
        let Some(turn) = turn else { return self.hits.iter().copied().filter(|hit| !hit.again).collect() };
        if !self.by_turn {
            // Stable: inside a turn the order of the file stays.
            self.hits.sort_by_key(|hit| hit.turn);
            self.by_turn = true;
        }
        let start = self.hits.partition_point(|hit| hit.turn < Some(turn));
        let end = self.hits.partition_point(|hit| hit.turn <= Some(turn));
        self.hits[start..end].to_vec()
    }
}

/// Every item of a log that a rule is about, with the position of its event.
pub(super) fn each(
    rule: &Rule,
    context: &Context,
    own: Option<&Events>,
    pace: &mut Pace,
    judge: &mut dyn FnMut(&Item, Option<usize>),
) {
    let mut offer = |item: Item| {
        if all_hold(&rule.conditions, &item) {
            judge(&item, None);
        }
    };
    match rule.over {
        Over::Session => offer(Item { context: Some(context), ..Item::default() }),
        Over::Turn => {
            for turn in 0..context.log.turns().len() {
                pace.step(0);
                offer(Item { context: Some(context), turn: Some(turn), ..Item::default() });
            }
        }
        Over::Event => {
            let reads = !matches!(rule.expect, Expect::Count(_));
            for hit in own.into_iter().flat_map(|events| &events.hits).filter(|hit| !hit.again) {
                pace.step(if reads { context.log.event_bytes(hit.event) } else { 0 });
                let event = reads.then(|| context.log.event(hit.event));
                let item = Item { context: Some(context), turn: hit.turn, event: event.as_ref(), row: None };
                judge(&item, Some(hit.event));
            }
        }
        Over::Row => {}
    }
}

/// Expectations that need nothing but the item itself.
pub(super) fn simple(tally: &mut Tally, over: Over, expect: &Expect, item: &Item, spot: impl Fn() -> Spot) {
    match expect {
        Expect::Must(conditions) => {
            tally.judged += 1;
            if let Some(failed) = conditions.iter().find(|condition| !condition.holds(item)) {
                tally.violated(|| (spot(), format!("{}.", failed.complaint(item))));
            }
        }
        Expect::Count(count) => {
            tally.judged += 1;
            tally.count(*count, over, spot);
        }
        Expect::Unique(field) => {
            for value in item.values(&field.what).unwrap_or_default() {
                tally.judged += 1;
                tally.value(&field.name, text(&value), &spot);
            }
        }
        Expect::Gapless { field, per } => {
            let number = item.values(&field.what).unwrap_or_default().first().and_then(whole);
            let writer = item.values(&per.what).unwrap_or_default().first().map(text);
            if let (Some(number), Some(writer)) = (number, writer) {
                tally.judged += 1;
                tally.number(&field.name, &writer, number, &spot);
            }
        }
        Expect::Disjoint(this, that) => {
            let (Some(these), Some(those)) = (item.values(&this.what), item.values(&that.what)) else { return };
            tally.judged += 1;
            let texts: std::collections::HashSet<&str> =
                these.iter().filter_map(Val::text).filter(|text| !text.is_empty()).collect();
            for both in those.iter().filter_map(Val::text).filter(|text| texts.contains(text)) {
                tally.violated(|| (spot(), format!("{} is in `{}` and in `{}`.", quoted(both), this.name, that.name)));
            }
        }
        // These look inside the item.
        Expect::Contains { .. } | Expect::Order { .. } => {}
    }
}

/// How many of these the item holds.
pub(super) fn contains(
    tally: &mut Tally,
    context: &Context,
    item: &Item,
    (over, conditions, count): (Over, &[Condition], Count),
    events: Option<&mut Events>,
) {
    let spots: Vec<(Option<usize>, Option<usize>, Option<&crate::ledger::LedgerEntry>)> = match over {
        Over::Row => {
            let Some(rows) = context.rows(item.turn) else { return };
            let meets = |turn: Option<usize>, row| {
                all_hold(conditions, &Item { context: Some(context), turn, event: None, row: Some(Row::Shown(row)) })
            };
            rows.iter().filter(|(turn, row)| meets(*turn, row)).map(|(turn, row)| (*turn, None, Some(*row))).collect()
        }
        Over::Turn => {
            let meets =
                |turn: &usize| all_hold(conditions, &Item { context: Some(context), turn: Some(*turn), ..Item::default() });
            (0..context.log.turns().len()).filter(meets).map(|turn| (Some(turn), None, None)).collect()
        }
        _ => {
            let hits = events.map(|events| events.of(item.turn)).unwrap_or_default();
            hits.into_iter().map(|hit| (hit.turn, Some(hit.event), None)).collect()
        }
    };
    tally.judged += 1;
    let held = spots.len() as u64;
    if count.allows(held) {
        return;
    }
    // Too many: the first that is one too many; too few: the item itself.
    let surplus = count.most.filter(|most| held > *most).and_then(|most| spots.get(usize::try_from(most).ok()?));
    tally.violated(|| {
        let spot =
            surplus.map_or_else(|| context.spot(item.turn, None, None), |(turn, event, row)| context.spot(*turn, *event, *row));
        let holder = if item.turn.is_some() { Over::Turn } else { Over::Session };
        let message = format!(
            "The {} holds {held} {}{}, and {} should be there.",
            holder.as_str(),
            several(over, held),
            phrase(conditions),
            count.sentence()
        );
        (spot, message)
    });
}

/// Every event that meets the first conditions is followed by one that meets the second, before the next that meets the third. Where there is
/// a third and no such event comes, nothing is owed.
pub(super) fn in_order(
    tally: &mut Tally,
    context: &Context,
    item: &Item,
    events: &mut [Events],
    (each, then, before): (&[Condition], &[Condition], Option<&[Condition]>),
) {
    let mut lists = events.iter_mut().map(|events| events.of(item.turn));
    let (firsts, thens) = (lists.next().unwrap_or_default(), lists.next().unwrap_or_default());
    let befores = lists.next().unwrap_or_default();
    let next = |list: &[Hit], after: usize| list.get(list.partition_point(|hit| hit.event <= after)).copied();
    for hit in firsts {
        let (follows, ends) = (next(&thens, hit.event), next(&befores, hit.event));
        if before.is_some() && follows.is_none() && ends.is_none() {
            continue;
        }
        tally.judged += 1;
        let in_time = follows.is_some_and(|follows| ends.is_none_or(|ends| follows.event < ends.event));
        if !in_time {
            tally.violated(|| {
                let until = match ends {
                    Some(ends) => format!("before line {}", context.log.line(ends.event)),
                    None => "after it".to_owned(),
                };
                let message = format!("This event{} is not followed by one{} {until}.", phrase(each), phrase(then));
                (context.spot(hit.turn, Some(hit.event), None), message)
            });
        }
    }
}

fn several(over: Over, count: u64) -> &'static str {
    if count == 1 { over.as_str() } else { over.plural() }
}

/// A value as a text to compare it by.
fn text(value: &Val) -> String {
    match value {
        Val::Text(text) => (*text).to_owned(),
        Val::Number(number) => number.to_string(),
        Val::Flag(flag) => flag.to_string(),
        Val::Json(value) => value.as_str().map_or_else(|| value.to_string(), str::to_owned),
    }
}

/// A number without a fraction.
fn whole(value: &Val) -> Option<i64> {
    value.number().filter(|number| number.fract() == 0.0 && number.abs() < 9e15).map(|number| number as i64)
}
