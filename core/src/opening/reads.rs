//! Which facts a text reads in each situation, which it was offered there and left alone, and which it read although they are absent.

use super::facts::Facts;
use super::table::{FIELDS, Field};
use crate::template::trace::{Trace, Tracing};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What a text does with a fact in one situation. A fact is there when it is not null, not an empty list and not an empty text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Use {
    /// It is there and is read.
    Read,
    /// It is not there and is asked for: a guard, or something that a reader will miss.
    ReadAbsent,
    /// It is there and is not read.
    Unused,
    /// It is not there and is not read.
    Absent,
}

/// A row of the facts table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FactUse {
    /// Its path; `[]` stands for each item of a list.
    pub path: String,
    /// One for each set of facts that was asked for, in their order.
    pub uses: Vec<Use>,
}

/// What a text reads of some facts, as rows of the facts table in its order; rows that are absent and not read everywhere are left out.
/// A text that fails counts up to where it fails.
pub fn reads(tracing: &Tracing, facts: &[&Facts]) -> Vec<FactUse> {
    let columns: Vec<(Vec<String>, &Facts)> = facts.iter().map(|facts| (folded(&trace(tracing, facts)), *facts)).collect();
    let rows = FIELDS.iter().map(|field| FactUse {
        path: field.path.to_owned(),
        uses: columns
            .iter()
            .map(|(read, facts)| {
                let read = read.iter().any(|path| path == field.path);
                match (read, is_there(field, facts)) {
                    (true, true) => Use::Read,
                    (true, false) => Use::ReadAbsent,
                    (false, true) => Use::Unused,
                    (false, false) => Use::Absent,
                }
            })
            .collect(),
    });
    rows.filter(|row| row.uses.iter().any(|used| *used != Use::Absent)).collect()
}

/// Renders once with these facts and notes what happens.
pub fn trace(tracing: &Tracing, facts: &Facts) -> Trace {
    tracing.trace(facts.shape(), facts.document())
}

/// The rows of the table that were read: `opening.messages[0].text` is `opening.messages[].text`, an item alone is its list.
fn folded(trace: &Trace) -> Vec<String> {
    let mut rows: Vec<String> = Vec::new();
    for read in trace.reads() {
        let mut row = String::with_capacity(read.path.len());
        for (at, piece) in read.path.split('[').enumerate() {
            if at > 0 {
                row.push_str("[]");
            }
            row.push_str(piece.trim_start_matches(|c: char| c.is_ascii_digit()).trim_start_matches(']'));
        }
        let row = row.strip_suffix("[]").unwrap_or(&row);
        if !rows.iter().any(|known| known == row) {
            rows.push(row.to_owned());
        }
    }
    rows
}

fn is_there(field: &Field, facts: &Facts) -> bool {
    let applies = facts.kind().is_none_or(|kind| field.kinds.include(kind));
    applies && found(facts.document(), field.path)
}

/// Whether a path leads to a value, through any item of a list.
fn found(value: &Value, path: &str) -> bool {
    if path.is_empty() {
        return match value {
            Value::Null => false,
            Value::Array(items) => !items.is_empty(),
            Value::String(text) => !text.is_empty(),
            _ => true,
        };
    }
    let (step, rest) = path.split_once('.').unwrap_or((path, ""));
    match step.strip_suffix("[]") {
        None => value.get(step).is_some_and(|inner| found(inner, rest)),
        Some(list) => value.get(list).and_then(Value::as_array).is_some_and(|items| items.iter().any(|item| found(item, rest))),
    }
}
