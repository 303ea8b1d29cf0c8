//! Makes rules of a text, or says everything that is wrong with it, each fault with its place and what to do.

mod conditions;
mod expect;

use super::field::{Over, Scope};
use super::rule::Rule;
use super::yaml::{self, Key, Node, Value};
use crate::template::nearest::nearest;
use crate::template::problem::Problem;
use std::collections::HashSet;
use std::ops::Range;

/// Bytes of a text of rules.
pub const TEXT_BYTES: usize = 64 * 1024;
/// Rules of a text.
pub const RULES: usize = 200;
/// Faults that are told of one text.
const FAULTS: usize = 100;
/// Characters of an id, and of what a rule says.
const ID: usize = 60;
const SAYS: usize = 300;

/// The keys of a rule.
const KEYS: [&str; 13] = [
    "id", "says", "over", "where", "must", "contains", "order", "at_least", "at_most", "exactly", "unique", "gapless", "disjoint",
];

/// Reads the rules of a text.
pub(super) fn read(text: &str) -> Result<Vec<Rule>, Vec<Problem>> {
    if text.len() > TEXT_BYTES {
        let message = format!("the rules are longer than {} KiB", TEXT_BYTES / 1024);
        return Err(vec![Problem::error(text, 0..0, "too-long", message).suggest("take some rules out")]);
    }
    let node = yaml::read(text).map_err(|problem| vec![problem])?;
    let mut reader = RuleReader { text, problems: Vec::new() };
    let rules = reader.document(&node);
    let mut problems = reader.problems;
    if problems.is_empty() {
        return Ok(rules);
    }
    problems.sort_by_key(|problem| problem.range);
    problems.truncate(FAULTS);
    Err(problems)
}

struct RuleReader<'a> {
    text: &'a str,
    problems: Vec<Problem>,
}

impl<'a> RuleReader<'a> {
    /// Notes a fault. Of a place of several lines the first is marked. Past twice what is told nothing is kept, since finding a place costs.
    fn fault(&mut self, place: &Range<usize>, message: impl Into<String>, suggestion: impl Into<String>) {
        if self.problems.len() >= 2 * FAULTS {
            return;
        }
        let line = self.text[place.clone()].find('\n').map_or(place.end, |length| place.start + length);
        let place = place.start..place.start + self.text[place.start..line].trim_end().len();
        let problem = Problem::error(self.text, place, "rules", message);
        let suggestion = suggestion.into();
        self.problems.push(if suggestion.is_empty() { problem } else { problem.suggest(suggestion) });
    }

    fn document(&mut self, node: &Node) -> Vec<Rule> {
        let entries = match &node.value {
            Value::Null => return Vec::new(),
            Value::Map(entries) => entries,
            _ => {
                self.fault(
                    &node.place,
                    "the text is no list of rules",
                    "begin with a line `rules:` and write each rule below it after a dash",
                );
                return Vec::new();
            }
        };
        self.unknown(entries, &["rules"], "the text");
        let Some((_, list)) = entries.iter().find(|(key, _)| key.name == "rules") else { return Vec::new() };
        let items = match &list.value {
            Value::Null => return Vec::new(),
            Value::List(items) => items,
            _ => {
                self.fault(&list.place, "`rules` is no list", "write each rule below it after a dash");
                return Vec::new();
            }
        };
        if items.len() > RULES {
            self.fault(&items[RULES].place, format!("there are more than {RULES} rules"), "take some out");
        }
        let mut ids = HashSet::new();
        let mut rules = Vec::new();
        for item in items.iter().take(RULES) {
            if let Some(rule) = self.rule(item, &mut ids) {
                rules.push(rule);
            }
        }
        rules
    }

    fn rule<'n>(&mut self, node: &'n Node, ids: &mut HashSet<&'n str>) -> Option<Rule> {
        let Value::Map(entries) = &node.value else {
            self.fault(&node.place, "this is no rule", "write `id: …`, `says: …`, `over: …` and what is expected");
            return None;
        };
        self.unknown(entries, &KEYS, "a rule");
        let id = self.required(node, entries, "id").and_then(|value| self.id(value, ids));
        let says = self.required(node, entries, "says").and_then(|value| self.says(value));
        let over = self.required(node, entries, "over").and_then(|value| self.over(value, &Over::ALL));
        let over = over?;
        let scope = Scope::of_rule(over);
        let conditions = match find(entries, "where") {
            Some((_, value)) => self.conditions(value, scope, true),
            None => Some(Vec::new()),
        };
        let expect = self.expect(node, entries, over);
        Some(Rule { id: id?, says: says?, over, conditions: conditions?, expect: expect? })
    }

    fn id<'n>(&mut self, value: &'n Node, ids: &mut HashSet<&'n str>) -> Option<String> {
        let written = match &value.value {
            Value::Text(id) => id,
            _ => return self.wrong(value, "an id is a text of small letters, digits and -", ""),
        };
        let fits = written.len() <= ID && written.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-');
        if !fits || written.is_empty() {
            let plain: String = written.to_lowercase().chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
            let plain = plain.trim_matches('-');
            let hint = if plain.is_empty() || plain.len() > ID { String::new() } else { format!("write {plain}") };
            return self.wrong(value, &format!("an id is 1 to {ID} small letters, digits and -"), &hint);
        }
        if !ids.insert(written) {
            return self.wrong(value, &format!("the id `{written}` is taken by a rule above"), "give each rule an id of its own");
        }
        Some(written.clone())
    }

    fn says(&mut self, value: &Node) -> Option<String> {
        match &value.value {
            Value::Text(says) if !says.trim().is_empty() && says.chars().count() <= SAYS => Some(says.trim().to_owned()),
            _ => self.wrong(
                value,
                &format!("`says` is a sentence of at most {SAYS} characters"),
                "say in plain words what the rule asks",
            ),
        }
    }

    /// One of these words.
    fn over(&mut self, value: &Node, allowed: &[Over]) -> Option<Over> {
        let words: Vec<&str> = allowed.iter().map(|over| over.as_str()).collect();
        let written = self.text[value.place.clone()].trim_end();
        match allowed.iter().find(|over| value.value == Value::Text(over.as_str().to_owned())) {
            Some(over) => Some(*over),
            None => {
                let near = nearest(written, words.iter().copied()).map(|near| format!("did you mean {near}?"));
                self.wrong(value, &format!("`over` is one of {}", words.join(", ")), &near.unwrap_or_default())
            }
        }
    }

    fn wrong<T>(&mut self, node: &Node, message: &str, suggestion: &str) -> Option<T> {
        self.fault(&node.place, message, suggestion);
        None
    }

    /// The value of a key that has to be there.
    fn required<'n>(&mut self, node: &Node, entries: &'n [(Key, Node)], key: &str) -> Option<&'n Node> {
        match find(entries, key) {
            Some((at, value)) if value.value == Value::Null => {
                self.fault(&at.place, format!("`{key}` is empty"), format!("write `{key}: …`"));
                None
            }
            Some((_, value)) => Some(value),
            None => {
                self.fault(&node.place, format!("`{key}` is missing"), format!("add `{key}: …`"));
                None
            }
        }
    }

    /// Notes the keys that are none of these.
    fn unknown(&mut self, entries: &[(Key, Node)], known: &[&str], of: &str) {
        for (key, _) in entries {
            if known.contains(&key.name.as_str()) {
                continue;
            }
            let free = known.iter().copied().filter(|known| entries.iter().all(|(key, _)| key.name != *known));
            let hint = match nearest(&key.name, free) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("it has {}", known.join(", ")),
            };
            self.fault(&key.place, format!("{of} has no key `{}`", key.name), hint);
        }
    }
}

fn find<'n>(entries: &'n [(Key, Node)], key: &str) -> Option<&'n (Key, Node)> {
    entries.iter().find(|(known, _)| known.name == key)
}
