//! What is remembered of one rule from log to log: how much it was judged on, its violations, and what the next log has to be held against.

use super::condition::quoted;
use super::field::Over;
use super::report::{LISTED, RuleReport, Spot, Verdict, Violation};
use super::rule::{Count, Expect, Rule};
use std::collections::{BTreeMap, HashMap};

/// Everything of one rule.
#[derive(Debug, Default)]
pub(super) struct Tally {
    pub judged: u64,
    violation_count: u64,
    violations: Vec<Violation>,
    /// How many were counted, and where the first was.
    counted: u64,
    first: String,
    /// Where each value was.
    values: HashMap<String, String>,
    /// The numbers of each writer.
    sequences: HashMap<String, Sequence>,
}

impl Tally {
    /// Something violates the rule; only what is listed is put into words.
    pub fn violated(&mut self, make: impl FnOnce() -> (Spot, String)) {
        self.violation_count += 1;
        if self.violations.len() < LISTED {
            let (spot, message) = make();
            self.violations.push(Violation { spot, message });
        }
    }

    /// One more of what is counted.
    pub fn count(&mut self, count: Count, over: Over, spot: impl Fn() -> Spot) {
        self.counted += 1;
        if self.counted == 1 {
            self.first = spot().words();
        }
        if count.most.is_some_and(|most| self.counted > most) {
            let (number, first) = (self.counted, self.first.clone());
            self.violated(|| {
                let before = if number > 1 { format!("; the first is {first}") } else { String::new() };
                let message = format!(
                    "This is number {number} of the {}, and there should be {}{before}.",
                    over.plural(),
                    count.sentence()
                );
                (spot(), message)
            });
        }
    }

    /// One more value that has to be the only one of its kind.
    pub fn value(&mut self, field: &str, value: String, spot: impl Fn() -> Spot) {
        match self.values.get(&value).cloned() {
            None => {
                self.values.insert(value, spot().words());
            }
            Some(earlier) => self.violated(|| (spot(), format!("`{field}` is {} here and at {earlier}.", quoted(&value)))),
        }
    }

    /// One more number of a writer.
    pub fn number(&mut self, field: &str, per: &str, number: i64, spot: impl Fn() -> Spot) {
        let sequence = self.sequences.entry(per.to_owned()).or_default();
        if let Err(()) = sequence.add(number, &spot) {
            self.violated(|| (spot(), format!("`{field}` {number} of {} is there twice.", quoted(per))));
        }
    }

    /// What came of the rule, once everything was read; `seen` when there was anything that it could be about.
    pub fn report(mut self, rule: &Rule, seen: bool) -> RuleReport {
        if let Expect::Count(count) = rule.expect
            && seen
            && count.least.is_some_and(|least| self.counted < least)
        {
            let counted = self.counted;
            self.violated(|| {
                let found = if counted == 0 { "none".to_owned() } else { format!("only {counted}") };
                (
                    Spot::default(),
                    format!("There should be {} of the {}, and there is {found}.", count.sentence(), rule.over.plural()),
                )
            });
        }
        let mut sequences: Vec<(String, Sequence)> = std::mem::take(&mut self.sequences).into_iter().collect();
        sequences.sort_by(|a, b| a.0.cmp(&b.0));
        if let Expect::Gapless { field, .. } = &rule.expect {
            for (per, sequence) in sequences {
                for (gap, before, after) in sequence.gaps() {
                    self.violated(|| {
                        let message =
                            format!("`{}` of {} goes from {} at {before} on to {}.", field.name, quoted(&per), gap.0, gap.1);
                        (after.clone(), message)
                    });
                }
            }
        }
        let verdict = match (self.violation_count, self.judged) {
            (0, 0) => Verdict::Nothing,
            (0, _) => Verdict::Holds,
            _ => Verdict::Violated,
        };
        let over = if matches!(rule.expect, Expect::Order { .. }) { Over::Event } else { rule.over };
        RuleReport {
            id: rule.id.clone(),
            says: rule.says.clone(),
            verdict,
            over: over.plural().to_owned(),
            judged: self.judged,
            violation_count: self.violation_count,
            violations: self.violations,
        }
    }
}

/// Numbers as stretches without a gap: the first, with the last and where both were seen.
#[derive(Debug, Default)]
struct Sequence {
    stretches: BTreeMap<i64, (i64, Spot, Spot)>,
}

impl Sequence {
    /// Adds a number, in any order; an error when it is there.
    fn add(&mut self, number: i64, spot: impl Fn() -> Spot) -> Result<(), ()> {
        let before = self.stretches.range(..=number).next_back().map(|(start, stretch)| (*start, stretch.0));
        if before.is_some_and(|(_, end)| end >= number) {
            return Err(());
        }
        let after = number.checked_add(1).and_then(|next| self.stretches.remove(&next));
        let joins = before.filter(|(_, end)| end.checked_add(1) == Some(number)).map(|(start, _)| start);
        let (end, last) = after.map_or_else(|| (number, spot()), |(end, _, last)| (end, last));
        match joins.and_then(|start| self.stretches.get_mut(&start)) {
            Some(stretch) => (stretch.0, stretch.2) = (end, last),
            None => {
                self.stretches.insert(number, (end, spot(), last));
            }
        }
        Ok(())
    }

    /// The numbers around each gap, where the one before was, and the place of the one after.
    fn gaps(&self) -> impl Iterator<Item = ((i64, i64), String, &Spot)> {
        self.stretches
            .iter()
            .zip(self.stretches.iter().skip(1))
            .map(|((_, before), (start, after))| ((before.0, *start), before.2.words(), &after.1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sequence_joins_what_arrives_in_any_order() {
        let mut sequence = Sequence::default();
        let spot = |number: i64| move || Spot { row: Some(number.to_string()), ..Spot::default() };
        for number in [5, 3, 9, 4, 0, 10, i64::MAX, i64::MIN] {
            assert_eq!(sequence.add(number, spot(number)), Ok(()), "{number}");
        }
        assert_eq!(sequence.add(4, spot(4)), Err(()));
        let gaps: Vec<String> =
            sequence.gaps().map(|(gap, before, after)| format!("{gap:?} {before} {}", after.words())).collect();
        assert_eq!(
            gaps,
            [
                "(-9223372036854775808, 0) row -9223372036854775808 row 0",
                "(0, 3) row 0 row 3",
                "(5, 9) row 5 row 9",
                "(10, 9223372036854775807) row 10 row 9223372036854775807",
            ]
        );
    }
}
