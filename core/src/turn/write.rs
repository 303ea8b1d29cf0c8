//! How an event is written: compact ASCII JSON, a line each, and cut to the log's limits (specs: iris-session-log, 1.2 and 1.4).

use serde::Serialize;
use serde_json::Value;
use serde_json::ser::{Formatter, Serializer};
use std::io;

/// Characters of a typed message and of an opener's label.
pub(super) const MESSAGE_LIMIT: usize = 8192;
/// Characters of an answer.
pub(super) const ANSWER_LIMIT: usize = 16_384;
/// Characters of any text in a payload.
const PAYLOAD_LIMIT: usize = 4096;
/// Items of any list in a payload.
const ITEM_LIMIT: usize = 50;
const MARKER: &str = "…[truncated]";

/// The first `limit` characters, with a marker when something was left out.
pub(super) fn cut(text: &str, limit: usize) -> String {
    match text.char_indices().nth(limit) {
        Some((end, _)) => format!("{}{MARKER}", &text[..end]),
        None => text.to_owned(),
    }
}

/// A payload with its texts and lists cut. Payloads are our own and a few levels deep.
pub(super) fn capped(value: Value) -> Value {
    match value {
        Value::String(text) => Value::String(cut(&text, PAYLOAD_LIMIT)),
        Value::Array(items) => items.into_iter().take(ITEM_LIMIT).map(capped).collect(),
        Value::Object(map) => map.into_iter().map(|(key, value)| (key, capped(value))).collect(),
        other => other,
    }
}

/// The line of an event, with its end.
pub(super) fn line(event: &Value) -> String {
    let mut bytes = Vec::new();
    event.serialize(&mut Serializer::with_formatter(&mut bytes, Ascii)).expect("a value in memory has a JSON form");
    bytes.push(b'\n');
    String::from_utf8(bytes).expect("only ASCII is written")
}

/// Writes what is not ASCII as `\uXXXX`, in pairs where one is not enough.
struct Ascii;

impl Formatter for Ascii {
    fn write_string_fragment<W: io::Write + ?Sized>(&mut self, writer: &mut W, fragment: &str) -> io::Result<()> {
        let mut plain = 0;
        for (at, c) in fragment.char_indices().filter(|(_, c)| !c.is_ascii()) {
            writer.write_all(&fragment.as_bytes()[plain..at])?;
            for unit in c.encode_utf16(&mut [0; 2]) {
                write!(writer, "\\u{unit:04x}")?;
            }
            plain = at + c.len_utf8();
        }
        writer.write_all(&fragment.as_bytes()[plain..])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_is_not_ascii_is_escaped() {
        assert_eq!(line(&json!({"a": "é😀\u{7f}\u{0}\n\"/"})), "{\"a\":\"\\u00e9\\ud83d\\ude00\u{7f}\\u0000\\n\\\"/\"}\n");
    }

    #[test]
    fn limits_count_characters() {
        assert_eq!(cut("ééé", 3), "ééé");
        assert_eq!(cut("éééé", 3), "ééé…[truncated]");
        let long = capped(json!({"a": ["x".repeat(4097)], "b": vec![1; 51]}));
        assert_eq!(long["a"][0].as_str().map(|text| text.chars().count()), Some(4096 + 12));
        assert_eq!(long["b"].as_array().map(Vec::len), Some(50));
    }
}
