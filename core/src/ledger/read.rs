//! Reads rows from text: a list of objects, one object a line, or an export of Proem's own (specs: system-opened-turns, 1.2).

use super::row::{Decision, LedgerRow};
use serde_json::{Map, Value};

/// Payload fields that an export shows beside the columns; they go back into the payload.
const SHOWN_BESIDE: [&str; 10] = [
    "tool_name",
    "tool_plugin",
    "model",
    "provider",
    "capability",
    "method",
    "capability_provider",
    "digest_alg",
    "audience",
    "held_call_id",
];

/// The rows in a text, the store's own included, and a sentence about each row that was left out.
///
/// # Errors
/// A sentence, when there is text and not one row in it.
pub fn rows_of_json(text: &str) -> Result<(Vec<LedgerRow>, Vec<String>), String> {
    let text = text.trim_start_matches('\u{feff}').trim();
    let (mut rows, mut left_out) = (Vec::new(), Vec::new());
    let mut take = |position: i64, what: &str, value: Result<Value, serde_json::Error>| {
        let row = match value {
            Ok(Value::Object(fields)) => row_of_fields(fields, position),
            Ok(_) => Err("is JSON but no object".to_owned()),
            Err(_) => Err("is not JSON".to_owned()),
        };
        match row {
            Ok(row) => rows.push(row),
            Err(why) => left_out.push(format!("{what} {position} {why}")),
        }
    };
    match list(text) {
        Some(values) => (1..).zip(values).for_each(|(position, value)| take(position, "row", Ok(value))),
        None => {
            let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
            lines.for_each(|(position, line)| take(position, "line", serde_json::from_str(line)));
        }
    }
    match left_out.first() {
        Some(first) if rows.is_empty() => Err(format!(
            "This is no ledger: it has to be a list of rows, or one row a line, each an object with `ts`, `hook_point`, `plugin` and \
             `decision`; {first}."
        )),
        _ => Ok((rows, left_out)),
    }
}

/// The rows of a text that is one JSON document: a list, the entries of a page, or a single row.
fn list(text: &str) -> Option<Vec<Value>> {
    match serde_json::from_str(text).ok()? {
        Value::Array(values) => Some(values),
        Value::Object(mut page) => Some(match page.get_mut("entries").map(Value::take) {
            Some(Value::Array(values)) => values,
            _ => vec![Value::Object(page)],
        }),
        _ => None,
    }
}

/// One row from fields by the names of the columns. The payload is an object under `payload`, or its text under `payload_json`. What a column
/// does not say the payload may. `position` is the id of a row that has none.
///
/// # Errors
/// What is missing, to follow a row's number: `has no `ts``.
pub fn row_of_fields(mut fields: Map<String, Value>, position: i64) -> Result<LedgerRow, String> {
    let mut payload =
        match fields.remove("payload").filter(|payload| !payload.is_null()).or_else(|| parsed(fields.get("payload_json")?)) {
            Some(Value::Object(payload)) => payload,
            _ => Map::new(),
        };
    for key in SHOWN_BESIDE {
        if let Some(value) = fields.remove(key).filter(|value| !value.is_null()) {
            payload.entry(key).or_insert(value);
        }
    }
    let text = |key: &str| fields.get(key).and_then(Value::as_str).filter(|text| !text.is_empty()).map(str::to_owned);
    let whole = |key: &str| fields.get(key).and_then(Value::as_i64);
    let needed = |key: &str| text(key).ok_or_else(|| format!("has no `{key}`"));
    let lifted = |key: &str| text(key).or_else(|| payload.get(key)?.as_str().filter(|text| !text.is_empty()).map(str::to_owned));
    Ok(LedgerRow {
        id: whole("id").unwrap_or(position),
        record_id: text("record_id"),
        ts: needed("ts")?,
        session_id: lifted("session_id"),
        turn_id: lifted("turn_id"),
        run_id: text("run_id"),
        agent_type: text("agent_type"),
        step_id: whole("step_id"),
        attempt: whole("attempt").or_else(|| payload.get("attempt")?.as_i64()),
        hook_point: needed("hook_point")?,
        plugin: needed("plugin")?,
        decision: Decision::from(needed("decision")?),
        severity: text("severity").unwrap_or_else(|| "info".to_owned()),
        reason: text("reason").unwrap_or_default(),
        classification: text("classification"),
        tier: text("tier"),
        call_id: lifted("call_id"),
        parent_call_id: lifted("parent_call_id"),
        replay_of: lifted("replay_of"),
        resumed_from_run: lifted("resumed_from_run"),
        caller: lifted("caller"),
        deterministic: fields.get("deterministic").and_then(Value::as_bool).or_else(|| payload.get("deterministic")?.as_bool()),
        handler: lifted("handler"),
        kind: text("kind"),
        writer_id: text("writer_id"),
        writer_seq: whole("writer_seq"),
        payload,
    })
}

fn parsed(payload: &Value) -> Option<Value> {
    serde_json::from_str(payload.as_str()?).ok()
}
