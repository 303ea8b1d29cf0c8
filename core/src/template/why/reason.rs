//! Which part of a condition decided, and what it was.

use super::super::engine::probe::Event;
use super::super::logic::{Leaf, Logic};
use super::super::trace::{Trace, Tracing};
use super::{Reason, Wanted};
use std::collections::HashMap;
use std::ops::Range;

/// Most reasons that are listed.
const REASONS: usize = 8;
/// Most reasons that are told apart before the most frequent are taken.
const DISTINCT: usize = 64;
/// Longest piece of a template in a sentence, in characters.
const QUOTED: usize = 60;

/// Values that were seen, by id.
type Seen<'a> = HashMap<usize, (bool, &'a str)>;

impl Tracing {
    /// Why a condition was never what it had to be, most frequent first.
    pub(super) fn reasons(&self, source: &str, trace: &Trace, id: usize, wanted: Wanted) -> Vec<Reason> {
        let mut reasons: Vec<Reason> = Vec::new();
        for (at, _) in self.rounds(trace, id, wanted) {
            let Some(Event::Seen { from, yes, value, .. }) = trace.events.get(at) else { continue };
            let mut found: Vec<(Range<usize>, String)> = Vec::new();
            match self.logic.get(&id) {
                Some(logic) => {
                    let inside = &trace.events[*from..at];
                    let seen = inside.iter().filter_map(|event| match event {
                        Event::Seen { id, yes, value, .. } => Some((*id, (*yes, value.as_str()))),
                        _ => None,
                    });
                    self.deciding(source, logic, *yes, &seen.collect(), &mut found);
                }
                None => {
                    let range = self.sites[id].range.clone();
                    found.push((range.clone(), format!("{} is {value}", quoted(source, range))));
                }
            }
            for (range, text) in found {
                match reasons.iter().position(|known| known.text == text) {
                    Some(known) => reasons[known].rounds += 1,
                    None if reasons.len() == DISTINCT => {}
                    None => reasons.push(Reason { range: (range.start, range.end), text, rounds: 1 }),
                }
            }
        }
        reasons.sort_by_key(|reason| std::cmp::Reverse(reason.rounds));
        reasons.truncate(REASONS);
        reasons
    }

    /// The operands that made a condition what it was: of an `and` the one that was false, of an `or` that is false all of them.
    fn deciding(&self, source: &str, logic: &Logic, was: bool, seen: &Seen, found: &mut Vec<(Range<usize>, String)>) {
        match logic {
            Logic::Not(inner) => self.deciding(source, inner, !was, seen, found),
            Logic::And(parts) | Logic::Or(parts) => {
                let all = was == matches!(logic, Logic::And(_));
                for part in parts.iter().filter(|part| all || self.value(part, seen) == Some(was)) {
                    self.deciding(source, part, was, seen, found);
                }
            }
            Logic::Leaf(leaf) => found.push((leaf.range.clone(), self.describe(source, leaf, was, seen))),
        }
    }

    /// What a part was; nothing where it was not looked at.
    fn value(&self, logic: &Logic, seen: &Seen) -> Option<bool> {
        match logic {
            Logic::Not(inner) => self.value(inner, seen).map(|value| !value),
            Logic::And(parts) | Logic::Or(parts) => {
                let short = matches!(logic, Logic::Or(_));
                let values: Vec<bool> = parts.iter().map_while(|part| self.value(part, seen)).collect();
                let decided = values.contains(&short);
                if decided { Some(short) } else { (values.len() == parts.len()).then_some(!short) }
            }
            Logic::Leaf(leaf) => self.seen(&leaf.range, seen).map(|(yes, _)| yes),
        }
    }

    fn seen<'a>(&self, range: &Range<usize>, seen: &Seen<'a>) -> Option<(bool, &'a str)> {
        seen.get(self.values.get(&(range.start, range.end))?).copied()
    }

    fn describe(&self, source: &str, leaf: &Leaf, was: bool, seen: &Seen) -> String {
        let whole = quoted(source, leaf.range.clone());
        let value =
            |range: &Option<Range<usize>>| range.as_ref().and_then(|range| self.seen(range, seen)).map(|(_, value)| value);
        let (Some(left), Some(value_left)) = (&leaf.left, value(&leaf.left)) else {
            let value = self.seen(&leaf.range, seen).map_or(if was { "true" } else { "false" }, |(_, value)| value);
            return format!("{whole} is {value}");
        };
        let name = quoted(source, left.clone());
        let (Some(right), Some(value_right)) = (&leaf.right, value(&leaf.right)) else {
            let test = source[left.end..leaf.range.end].trim();
            return match test.trim_start_matches("is").trim_start().trim_start_matches("not").trim() {
                "none" | "defined" | "undefined" | "null" => format!("{name} is {value_left}"),
                _ => format!("{whole} is {was}, as {name} is {value_left}"),
            };
        };
        let other = quoted(source, right.clone());
        let operator = source[left.end..right.start].split_whitespace().collect::<Vec<_>>().join(" ");
        match operator.as_str() {
            "==" | "!=" if (operator == "==") == was => format!("{name} is {value_left}"),
            "==" | "!=" => format!("{name} is {value_left}, not {value_right}"),
            "in" | "not in" => {
                let inside = if (operator == "in") == was { "in" } else { "not in" };
                if is_literal(source, left) {
                    format!("{value_left} is {inside} {other}, which is {value_right}")
                } else {
                    format!("{name} is {value_left}, which is {inside} {other}")
                }
            }
            _ if is_literal(source, right) => format!("{whole} is {was}, as {name} is {value_left}"),
            _ => format!("{whole} is {was}, as {name} is {value_left} and {other} is {value_right}"),
        }
    }
}

fn is_literal(source: &str, range: &Range<usize>) -> bool {
    source[range.clone()].starts_with(|c: char| c.is_ascii_digit() || matches!(c, '"' | '\''))
}

/// A piece of the template, on one line.
pub(super) fn quoted(source: &str, range: Range<usize>) -> String {
    let text = source[range].split_whitespace().collect::<Vec<_>>().join(" ");
    let cut: String = text.chars().take(QUOTED).collect();
    let mark = if cut.len() < text.len() { "…" } else { "" };
    format!("`{cut}{mark}`")
}
