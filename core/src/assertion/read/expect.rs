//! What a rule expects, read: exactly one thing.

use super::super::field::{Kind, Named, Over, Scope};
use super::super::rule::{Count, Expect};
use super::super::yaml::{Key, Node, Value};
use super::{RuleReader, find};

/// The keys that say what is expected, and which of them go together.
const EXPECTATIONS: [&[&str]; 7] =
    [&["must"], &["contains"], &["order"], &["at_least", "at_most", "exactly"], &["unique"], &["gapless"], &["disjoint"]];
const COUNTS: [&str; 3] = ["at_least", "at_most", "exactly"];

impl RuleReader<'_> {
    pub(super) fn expect(&mut self, node: &Node, entries: &[(Key, Node)], over: Over) -> Option<Expect> {
        let group = |key: &str| EXPECTATIONS.iter().position(|group| group.contains(&key));
        let mut given = entries.iter().filter_map(|(key, value)| Some((group(&key.name)?, key, value)));
        let Some((chosen, key, value)) = given.next() else {
            let names: Vec<&str> = EXPECTATIONS.iter().flat_map(|group| group.iter().copied()).collect();
            return self.wrong(node, "the rule expects nothing", &format!("add one of {}", names.join(", ")));
        };
        if let Some((_, other, _)) = given.find(|(group, _, _)| *group != chosen) {
            let message = format!("the rule expects `{}` already", key.name);
            self.fault(&other.place, message, format!("make a rule of its own for `{}`", other.name));
            return None;
        }
        let scope = Scope::of_rule(over);
        match key.name.as_str() {
            "must" => Some(Expect::Must(self.conditions(value, scope, false)?)),
            "contains" => self.contains(key, value, over),
            "order" => self.order(key, value, over),
            "unique" => Some(Expect::Unique(self.field(value, scope)?)),
            "gapless" => self.gapless(value, scope),
            "disjoint" => self.disjoint(value, scope),
            _ => match self.count(&key.place, entries)? {
                // Where none is there, nothing would have been judged.
                Count { most: Some(0), .. } => {
                    let message = "a rule for none of them has nothing to be judged on";
                    self.fault(&key.place, message, "write `must` with what holds instead, or `contains` of the session or turn");
                    None
                }
                count => Some(Expect::Count(count)),
            },
        }
    }

    fn contains(&mut self, key: &Key, node: &Node, outer: Over) -> Option<Expect> {
        let inner: &[Over] = match outer {
            Over::Session => &[Over::Turn, Over::Event, Over::Row],
            Over::Turn => &[Over::Event, Over::Row],
            Over::Event | Over::Row => return self.only_of_sessions_and_turns(key),
        };
        let entries = self.map(node, "contains", "{over: event, where: {kind: error}, exactly: 0}")?;
        self.unknown(entries, &["over", "where", "at_least", "at_most", "exactly"], "`contains`");
        let over = self.required(node, entries, "over").and_then(|value| self.over(value, inner));
        let count = self.count(&node.place, entries);
        let over = over?;
        let conditions = match find(entries, "where") {
            Some((_, value)) => self.conditions(value, Scope::inside(outer, over), true)?,
            None => Vec::new(),
        };
        Some(Expect::Contains { over, conditions, count: count? })
    }

    fn order(&mut self, key: &Key, node: &Node, outer: Over) -> Option<Expect> {
        if matches!(outer, Over::Event | Over::Row) {
            return self.only_of_sessions_and_turns(key);
        }
        let entries = self.map(node, "order", "{each: {kind: a}, then: {kind: b}, before: {kind: c}}")?;
        self.unknown(entries, &["each", "then", "before"], "`order`");
        let scope = Scope::inside(outer, Over::Event);
        let each = self.required(node, entries, "each").and_then(|value| self.conditions(value, scope, false));
        let then = self.required(node, entries, "then").and_then(|value| self.conditions(value, scope, false));
        let before = match find(entries, "before") {
            Some((_, value)) => Some(self.conditions(value, scope, false)?),
            None => None,
        };
        Some(Expect::Order { each: each?, then: then?, before })
    }

    fn only_of_sessions_and_turns(&mut self, key: &Key) -> Option<Expect> {
        self.fault(&key.place, format!("`{}` looks inside sessions and turns only", key.name), "write `over: turn`");
        None
    }

    fn gapless(&mut self, node: &Node, scope: Scope) -> Option<Expect> {
        let entries = self.map(node, "gapless", "{field: writer_seq, per: writer_id}")?;
        self.unknown(entries, &["field", "per"], "`gapless`");
        let field = self.required(node, entries, "field").and_then(|value| {
            let field = self.field(value, scope)?;
            match field.kind {
                Kind::Number | Kind::Any => Some(field),
                _ => self.wrong(value, &format!("`{}` is no number", field.name), ""),
            }
        });
        let per = self.required(node, entries, "per").and_then(|value| self.field(value, scope));
        Some(Expect::Gapless { field: field?, per: per? })
    }

    fn disjoint(&mut self, node: &Node, scope: Scope) -> Option<Expect> {
        match &node.value {
            Value::List(items) if items.len() == 2 => {
                let (this, that) = (self.field(&items[0], scope), self.field(&items[1], scope));
                Some(Expect::Disjoint(this?, that?))
            }
            _ => self.wrong(node, "`disjoint` takes two fields", "write [payload.a, payload.b]"),
        }
    }

    fn field(&mut self, node: &Node, scope: Scope) -> Option<Named> {
        match &node.value {
            Value::Text(name) => self.named(name, &node.place, scope),
            _ => self.wrong(node, "the name of a field has to stand here", ""),
        }
    }

    fn map<'n>(&mut self, node: &'n Node, key: &str, example: &str) -> Option<&'n [(Key, Node)]> {
        match &node.value {
            Value::Map(entries) => Some(entries),
            _ => self.wrong(node, &format!("`{key}` takes keys of its own"), &format!("write {example}")),
        }
    }

    /// How many, from the three keys that say it.
    fn count(&mut self, place: &std::ops::Range<usize>, entries: &[(Key, Node)]) -> Option<Count> {
        let mut values = [None; 3];
        for (value, name) in values.iter_mut().zip(COUNTS) {
            let Some((_, node)) = find(entries, name) else { continue };
            match node.value {
                Value::Number(number) if number >= 0.0 && number.fract() == 0.0 && number <= 1e9 => *value = Some(number as u64),
                _ => return self.wrong(node, &format!("`{name}` is a whole number from 0 up"), ""),
            }
        }
        match values {
            [None, None, None] => {
                self.fault(place, "nothing says how many", "add at_least, at_most or exactly");
                None
            }
            [None, None, Some(exactly)] => Some(Count { least: Some(exactly), most: Some(exactly) }),
            [_, _, Some(_)] => {
                let (key, _) = find(entries, "exactly")?;
                self.fault(&key.place, "`exactly` stands alone", "take at_least and at_most out");
                None
            }
            [Some(0), None, None] => {
                let (_, node) = find(entries, "at_least")?;
                self.wrong(node, "at least none is always so", "write at least 1, or exactly: 0 for none")
            }
            [Some(least), Some(most), None] if least > most => {
                let (_, node) = find(entries, "at_most")?;
                self.wrong(node, &format!("at most {most} is less than at least {least}"), "make it at least as many")
            }
            [least, most, None] => Some(Count { least, most }),
        }
    }
}
