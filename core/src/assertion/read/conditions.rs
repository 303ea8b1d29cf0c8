//! Conditions of a rule, read: which field, what is asked of it, and whether that can be asked.

use super::super::condition::{Condition, Scalar, Test};
use super::super::field::{Kind, Named, Scope};
use super::super::yaml::{Key, Node, Value};
use super::RuleReader;
use crate::template::nearest::nearest;

/// What can be asked of a field beside being a value.
const TESTS: [&str; 8] = ["not", "in", "contains", "starts", "exists", "at_least", "at_most", "same"];

impl RuleReader<'_> {
    /// The conditions of a map; `may_be_empty` where none means all.
    pub(super) fn conditions(&mut self, node: &Node, scope: Scope, may_be_empty: bool) -> Option<Vec<Condition>> {
        let entries = match &node.value {
            Value::Map(entries) => entries.as_slice(),
            Value::Null if may_be_empty => &[],
            _ => return self.wrong(node, "conditions are fields with what is asked of them", "write {field: value}"),
        };
        if entries.is_empty() && !may_be_empty {
            return self.wrong(node, "no condition stands here", "write {field: value}");
        }
        let before = self.problems.len();
        let conditions = entries.iter().filter_map(|(key, value)| self.condition(key, value, scope)).collect();
        (self.problems.len() == before).then_some(conditions)
    }

    fn condition(&mut self, key: &Key, value: &Node, scope: Scope) -> Option<Condition> {
        let field = self.named(&key.name, &key.place, scope)?;
        let tests = match &value.value {
            Value::Null => {
                let message = format!("nothing is asked of `{}`", key.name);
                self.fault(&key.place, message, format!("write `{}: value`, or {{exists: false}} for its absence", key.name));
                return None;
            }
            Value::List(_) => {
                let written = &self.text[value.place.clone()];
                let hint = if written.contains('\n') { "{in: [a, b]}".to_owned() } else { format!("{{in: {written}}}") };
                return self.wrong(value, "a list is no value of a field", &format!("for one of several write {hint}"));
            }
            Value::Map(entries) => {
                if entries.is_empty() {
                    return self.wrong(value, &format!("nothing is asked of `{}`", key.name), "write {exists: true}");
                }
                self.unknown(entries, &TESTS, "a condition");
                entries.iter().filter_map(|(key, value)| self.test(&field, key, value, scope)).collect()
            }
            _ => vec![Test::Is(self.scalar(&field, value)?)],
        };
        Some(Condition { field, tests })
    }

    /// A field by its name.
    pub(super) fn named(&mut self, name: &str, place: &std::ops::Range<usize>, scope: Scope) -> Option<Named> {
        match scope.resolve(name) {
            Ok(named) => Some(named),
            Err((message, suggestion)) => {
                self.fault(place, message, suggestion.unwrap_or_default());
                None
            }
        }
    }

    fn test(&mut self, field: &Named, key: &Key, value: &Node, scope: Scope) -> Option<Test> {
        let numbers = matches!(field.kind, Kind::Number | Kind::Any);
        let texts = matches!(field.kind, Kind::Text | Kind::Any);
        match key.name.as_str() {
            "not" => Some(Test::Not(self.scalar(field, value)?)),
            "in" => match &value.value {
                Value::List(items) if !items.is_empty() => {
                    let values: Vec<Scalar> = items.iter().filter_map(|item| self.scalar(field, item)).collect();
                    (values.len() == items.len()).then_some(Test::In(values))
                }
                _ => self.wrong(value, "`in` takes a list", "write {in: [a, b]}"),
            },
            "contains" | "starts" if !texts => self.misplaced(field, key, "texts"),
            "contains" | "starts" => match self.written(value) {
                Some(text) if key.name == "contains" => Some(Test::Contains(text)),
                Some(text) => Some(Test::Starts(text)),
                None => self.wrong(value, &format!("`{}` takes a text", key.name), ""),
            },
            "exists" => match value.value {
                Value::Bool(wanted) => Some(Test::Exists(wanted)),
                _ => self.wrong(value, "`exists` is true or false", ""),
            },
            "at_least" | "at_most" if !numbers => self.misplaced(field, key, "numbers"),
            "at_least" | "at_most" => match value.value {
                Value::Number(number) if key.name == "at_least" => Some(Test::AtLeast(number)),
                Value::Number(number) => Some(Test::AtMost(number)),
                _ => self.wrong(value, &format!("`{}` takes a number", key.name), ""),
            },
            "same" => match &value.value {
                Value::Text(name) => Some(Test::Same(self.named(name, &value.place, scope)?)),
                _ => self.wrong(value, "`same` takes the name of a field", "write {same: turn.handler}"),
            },
            // Told by `unknown`.
            _ => None,
        }
    }

    fn misplaced(&mut self, field: &Named, key: &Key, of: &str) -> Option<Test> {
        let holds = match field.kind {
            Kind::Number => "a number",
            Kind::Flag => "true or false",
            Kind::Word(_) => "one of a few words",
            Kind::Text | Kind::Any => "a text",
        };
        let hint = if matches!(field.kind, Kind::Word(_)) { "write {in: [a, b]}" } else { "" };
        self.fault(&key.place, format!("`{}` is for {of}, and `{}` is {holds}", key.name, field.name), hint);
        None
    }

    /// A value that a field of this kind can have.
    fn scalar(&mut self, field: &Named, node: &Node) -> Option<Scalar> {
        match (field.kind, &node.value) {
            (_, Value::Null | Value::List(_) | Value::Map(_)) => {
                self.wrong(node, "a single value has to stand here", "write a text, a number, true or false")
            }
            (Kind::Number, Value::Number(number)) | (Kind::Any, Value::Number(number)) => Some(Scalar::Number(*number)),
            (Kind::Flag, Value::Bool(flag)) | (Kind::Any, Value::Bool(flag)) => Some(Scalar::Flag(*flag)),
            (Kind::Number, _) => self.wrong(node, &format!("`{}` is a number", field.name), ""),
            (Kind::Flag, _) => self.wrong(node, &format!("`{}` is true or false", field.name), ""),
            (Kind::Word(words), _) => {
                let written = self.written(node)?;
                if words.contains(&written.as_str()) {
                    return Some(Scalar::Text(written));
                }
                let hint = match nearest(&written, words.iter().copied()) {
                    Some(near) => format!("did you mean {near}?"),
                    None => format!("it is one of {}", words.join(", ")),
                };
                self.wrong(node, &format!("`{}` is never `{written}`", field.name), &hint)
            }
            (Kind::Text | Kind::Any, _) => self.written(node).map(Scalar::Text),
        }
    }

    /// A single value as the text it is written with: an id of digits is a text where a text is asked for.
    fn written(&self, node: &Node) -> Option<String> {
        match &node.value {
            Value::Text(text) => Some(text.clone()),
            Value::Number(_) | Value::Bool(_) => Some(self.text[node.place.clone()].to_owned()),
            Value::Null | Value::List(_) | Value::Map(_) => None,
        }
    }
}
