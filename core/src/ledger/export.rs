//! Entries as files: one JSON object a line, or a table for spreadsheets.

use super::row::LedgerEntry;
use serde_json::Value;

/// The columns of the table, in order. `ref` and `how` are those of the link.
const COLUMNS: [&str; 36] = [
    "id",
    "record_id",
    "ts",
    "hook_point",
    "plugin",
    "decision",
    "severity",
    "reason",
    "session_id",
    "turn_id",
    "ref",
    "how",
    "run_id",
    "step_id",
    "agent_type",
    "classification",
    "tier",
    "locality",
    "caller",
    "deterministic",
    "handler",
    "tool_name",
    "tool_plugin",
    "model",
    "provider",
    "capability",
    "method",
    "capability_provider",
    "digest_alg",
    "audience",
    "call_id",
    "held_call_id",
    "parent_call_id",
    "attempt",
    "replay_of",
    "resumed_from_run",
];

/// One entry a line, as JSON. [`rows_of_json`](super::rows_of_json) reads it again.
pub fn to_jsonl(entries: &[LedgerEntry]) -> String {
    let line =
        |entry| serde_json::to_string(entry).expect("an entry has text keys and finite numbers, so it has a JSON form") + "\n";
    entries.iter().map(line).collect()
}

/// A table (RFC 4180): a line of names, then one line for each entry. See [`csv_head`] and [`csv_lines`] for its parts.
pub fn to_csv(entries: &[LedgerEntry]) -> String {
    csv_head() + &csv_lines(entries)
}

/// The first line of the table.
pub fn csv_head() -> String {
    COLUMNS.join(",") + "\r\n"
}

/// The other lines. A text that a spreadsheet would take for a formula gets an apostrophe before it, which shows it as text.
pub fn csv_lines(entries: &[LedgerEntry]) -> String {
    let mut out = String::new();
    for entry in entries {
        let fields = serde_json::to_value(entry).expect("an entry has text keys and finite numbers, so it has a JSON form");
        let cells = COLUMNS.map(|column| match column {
            "ref" | "how" => cell(&fields["link"][column]),
            _ => cell(&fields[column]),
        });
        out.push_str(&cells.join(","));
        out.push_str("\r\n");
    }
    out
}

fn cell(value: &Value) -> String {
    let text = match value {
        Value::Null => return String::new(),
        Value::String(text) if text.starts_with(['=', '+', '-', '@', '\t', '\r']) => format!("'{text}"),
        Value::String(text) => text.clone(),
        // Numbers and flags: their own texts are no formulas.
        other => return other.to_string(),
    };
    if text.contains([',', '"', '\r', '\n']) || text.starts_with(' ') || text.ends_with(' ') {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text
    }
}
