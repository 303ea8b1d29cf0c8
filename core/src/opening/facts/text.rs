//! What JSON allows and a facts document may not hold: nesting without end, and a key that is said twice. Found in the text, in one
//! pass without recursion, before anything is built from it.

use super::{TOLD, cut, place_of};
use serde_json::{Map, Value};

/// Deepest facts document; the contract itself needs five.
pub const FACTS_DEPTH: usize = 64;

/// One list or object that is open.
enum Open {
    /// The keys so far, and the one whose value is next.
    Object(Map<String, Value>, String),
    /// Items so far.
    List(usize),
}

/// The faults of a text that the parser would not report. Text that is no JSON has none here: the parser says where it breaks.
pub(super) fn faults(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut open: Vec<Open> = Vec::new();
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'{' => open.push(Open::Object(Map::new(), String::new())),
            b'[' => open.push(Open::List(0)),
            b'}' | b']' => {
                open.pop();
            }
            b',' => {
                if let Some(Open::List(items)) = open.last_mut() {
                    *items += 1;
                }
            }
            b'"' => {
                let end = string_end(bytes, at);
                if is_key(bytes, end)
                    && let Some(Open::Object(keys, key)) = open.last_mut()
                    && let Ok(name) = serde_json::from_str::<String>(&text[at..end])
                {
                    key.clone_from(&name);
                    if keys.insert(name, Value::Null).is_some() && found.len() < TOLD {
                        found.push(format!("`{}` is said twice; say it once", path(&open)));
                    }
                }
                at = end - 1;
            }
            _ => {}
        }
        if open.len() > FACTS_DEPTH {
            return vec![format!("the facts are nested deeper than {FACTS_DEPTH}")];
        }
        at += 1;
    }
    found
}

/// Past the closing quote, or the end of the text.
fn string_end(bytes: &[u8], quote: usize) -> usize {
    let mut at = quote + 1;
    while let Some(offset) = bytes.get(at..).and_then(|rest| memchr::memchr2(b'"', b'\\', rest)) {
        at += offset;
        if bytes[at] == b'"' {
            return at + 1;
        }
        at += 2;
    }
    bytes.len()
}

fn is_key(bytes: &[u8], end: usize) -> bool {
    bytes[end..].iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b':')
}

fn path(open: &[Open]) -> String {
    let mut path = String::new();
    for open in open {
        path = match open {
            Open::Object(_, key) => place_of(&path, key),
            Open::List(items) => format!("{path}[{items}]"),
        };
    }
    cut(&path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_said_twice_is_named_with_its_path_however_it_is_spelled() {
        let text = r#"{"a": {"b": 1, "c": [{"b": 2}, {"d": "\"}", "\u0064": 4}], "b": 3}, "e": "a\\"}"#;
        assert_eq!(faults(text), ["`a.c[1].d` is said twice; say it once", "`a.b` is said twice; say it once"]);
        assert_eq!(faults(r#"{"a": {"a": {"a": ["a", "a"]}}, "b": "a"}"#), Vec::<String>::new());
    }

    #[test]
    fn the_deepest_is_taken_and_the_next_refused() {
        let nested = |depth: usize| "[".repeat(depth) + &"]".repeat(depth);
        assert_eq!(faults(&nested(FACTS_DEPTH)), Vec::<String>::new());
        assert_eq!(faults(&nested(FACTS_DEPTH + 1)), ["the facts are nested deeper than 64"]);
        assert_eq!(faults(&"{\"a\":".repeat(200_000)).len(), 1);
    }

    #[test]
    fn text_that_is_no_json_is_the_parsers_matter() {
        for text in ["", "\"", "{\"a", "{\"a\\", "]}]}", "{\"a\":}", "[,,,{\"\\ud800\":1}", "{\"é🙂\" \n: 1"] {
            assert_eq!(faults(text), Vec::<String>::new(), "{text}");
        }
    }
}
