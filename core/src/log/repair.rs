//! Reads one JSON value leniently and writes it again as strict JSON: what a writer meant although JSON has no form for it.

use std::fmt::Write;

/// serde_json reads values nested up to here.
const DEEPEST: usize = 128;
/// Objects are entered at least this deep before one is replaced, so that a deep value does not take its neighbours with it.
const KEPT_OBJECTS: usize = 8;

/// A value that was read leniently.
#[derive(Debug, PartialEq)]
pub(crate) struct Repaired {
    /// The value as strict JSON.
    pub text: String,
    /// Bytes of the input it took.
    pub used: usize,
    /// Whether it differs from the input.
    pub changed: bool,
}

/// What may come next.
#[derive(Clone, Copy, PartialEq)]
enum Next {
    Value,
    ValueOrEnd,
    KeyOrEnd,
    Key,
    Colon,
    CommaOrEnd,
}

/// An open array or object.
struct Open {
    array: bool,
    /// Where its text starts in the output.
    start: usize,
    /// How deep its content is nested, itself included.
    height: usize,
}

/// Reads the value at the start of `bytes`. Lone surrogates and broken UTF-8 become U+FFFD, raw control bytes are escaped, `NaN`, `Infinity`
/// and numbers that no float can hold become strings (so that no sum counts them), a value nested too deep becomes the text `nested 5,000 deep`.
///
/// # Errors
/// The position of the first byte that fits nowhere; the length of the input when it ends too early.
pub(crate) fn read_value(bytes: &[u8]) -> Result<Repaired, usize> {
    let mut out = String::with_capacity(bytes.len());
    let mut changed = false;
    let mut open: Vec<Open> = Vec::new();
    let mut next = Next::Value;
    let mut at = 0;
    loop {
        while bytes.get(at).is_some_and(|b| matches!(b, b' ' | b'\t' | b'\n' | b'\r')) {
            at += 1;
        }
        let Some(&byte) = bytes.get(at) else { return Err(bytes.len()) };
        let value_may_come = matches!(next, Next::Value | Next::ValueOrEnd);
        let mut value_ended = false;
        match byte {
            b'{' | b'[' if value_may_come => {
                let array = byte == b'[';
                open.push(Open { array, start: out.len(), height: 1 });
                out.push(byte as char);
                next = if array { Next::ValueOrEnd } else { Next::KeyOrEnd };
                at += 1;
            }
            b'}' | b']' => {
                let fits = match next {
                    Next::CommaOrEnd => true,
                    Next::ValueOrEnd => byte == b']',
                    Next::KeyOrEnd => byte == b'}',
                    _ => false,
                };
                let Some(closed) = open.pop().filter(|o| fits && o.array == (byte == b']')) else { return Err(at) };
                out.push(byte as char);
                at += 1;
                value_ended = true;
                let level = open.len() + 1;
                if level > 1 && level + closed.height > DEEPEST && (closed.array || level > KEPT_OBJECTS) {
                    out.truncate(closed.start);
                    let _ = write!(out, "\"nested {} deep\"", thousands(closed.height as u64));
                    changed = true;
                }
                if let Some(outer) = open.last_mut() {
                    outer.height = outer.height.max(closed.height + 1);
                }
            }
            b'"' if value_may_come || matches!(next, Next::Key | Next::KeyOrEnd) => {
                at = copy_string(bytes, at, &mut out, &mut changed)?;
                if value_may_come {
                    value_ended = true;
                } else {
                    next = Next::Colon;
                }
            }
            b':' if next == Next::Colon => {
                out.push(':');
                next = Next::Value;
                at += 1;
            }
            b',' if next == Next::CommaOrEnd => {
                out.push(',');
                next = if open.last().is_some_and(|o| o.array) { Next::Value } else { Next::Key };
                at += 1;
            }
            _ if value_may_come => {
                at = copy_scalar(bytes, at, &mut out, &mut changed)?;
                value_ended = true;
            }
            _ => return Err(at),
        }
        if value_ended {
            if open.is_empty() {
                return Ok(Repaired { text: out, used: at, changed });
            }
            next = Next::CommaOrEnd;
        }
    }
}

/// Copies the string that starts at `from`; answers the position after its closing quote.
fn copy_string(bytes: &[u8], from: usize, out: &mut String, changed: &mut bool) -> Result<usize, usize> {
    out.push('"');
    let mut at = from + 1;
    loop {
        let plain = bytes[at..].iter().take_while(|b| !matches!(b, b'"' | b'\\' | 0..=0x1F)).count();
        let run = String::from_utf8_lossy(&bytes[at..at + plain]);
        *changed |= matches!(run, std::borrow::Cow::Owned(_));
        out.push_str(&run);
        at += plain;
        match bytes.get(at) {
            None => return Err(bytes.len()),
            Some(b'"') => {
                out.push('"');
                return Ok(at + 1);
            }
            Some(b'\\') => at = copy_escape(bytes, at, out, changed)?,
            Some(control) => {
                let _ = write!(out, "\\u{control:04x}");
                *changed = true;
                at += 1;
            }
        }
    }
}

/// Copies the escape at `at`, or U+FFFD for half a surrogate pair; answers the position after it.
fn copy_escape(bytes: &[u8], at: usize, out: &mut String, changed: &mut bool) -> Result<usize, usize> {
    let Some(&kind) = bytes.get(at + 1) else { return Err(bytes.len()) };
    if kind != b'u' {
        if !matches!(kind, b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') {
            return Err(at);
        }
        out.push('\\');
        out.push(kind as char);
        return Ok(at + 2);
    }
    let code = hex(bytes, at + 2).ok_or(at)?;
    let length = match code {
        0xD800..=0xDBFF if low_half_follows(bytes, at + 6) => 12,
        0xD800..=0xDFFF => {
            out.push('\u{FFFD}');
            *changed = true;
            return Ok(at + 6);
        }
        _ => 6,
    };
    out.extend(bytes[at..at + length].iter().map(|b| *b as char));
    Ok(at + length)
}

fn low_half_follows(bytes: &[u8], at: usize) -> bool {
    bytes[at..].starts_with(b"\\u") && hex(bytes, at + 2).is_some_and(|code| (0xDC00..=0xDFFF).contains(&code))
}

fn hex(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..at + 4)?.iter().try_fold(0, |sum, b| Some(sum * 16 + (*b as char).to_digit(16)?))
}

/// Copies a number or a word; answers the position after it.
fn copy_scalar(bytes: &[u8], at: usize, out: &mut String, changed: &mut bool) -> Result<usize, usize> {
    let length = bytes[at..].iter().take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.')).count();
    let word = std::str::from_utf8(&bytes[at..at + length]).map_err(|_| at)?;
    match word {
        "true" | "false" | "null" => out.push_str(word),
        "NaN" | "Infinity" | "-Infinity" => {
            let _ = write!(out, "\"{word}\"");
            *changed = true;
        }
        _ if serde_json::from_str::<f64>(word).is_ok() => out.push_str(word),
        _ if too_large(word) => {
            let _ = write!(out, "\"{word}\"");
            *changed = true;
        }
        _ => return Err(at),
    }
    Ok(at + length)
}

/// A number in JSON's form that no float holds: `1e400`.
fn too_large(word: &str) -> bool {
    serde_json::from_str::<&serde_json::value::RawValue>(word).is_ok() && word.parse::<f64>().is_ok_and(f64::is_infinite)
}

/// Whether strict JSON text needs a repair all the same: half a surrogate pair, or nesting too deep to read.
pub(crate) fn hides_damage(text: &str) -> bool {
    has_lone_surrogate(text.as_bytes()) || is_deep(text.as_bytes())
}

fn has_lone_surrogate(bytes: &[u8]) -> bool {
    let mut from = 0;
    while let Some(found) = memchr::memchr(b'\\', &bytes[from..]) {
        let at = from + found;
        from = (at + 2).min(bytes.len());
        if bytes.get(at + 1) == Some(&b'u') {
            match hex(bytes, at + 2) {
                Some(0xD800..=0xDBFF) if low_half_follows(bytes, at + 6) => from = at + 12,
                Some(0xD800..=0xDFFF) => return true,
                _ => {}
            }
        }
    }
    false
}

fn is_deep(bytes: &[u8]) -> bool {
    // Without that many brackets nothing can be that deep; counting them is far cheaper than following strings.
    if bytes.len() <= DEEPEST || memchr::memchr2_iter(b'[', b'{', bytes).take(DEEPEST).count() < DEEPEST {
        return false;
    }
    let (mut depth, mut deepest, mut at) = (0usize, 0, 0);
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'"' => {
                at += 1;
                while let Some(found) = memchr::memchr2(b'"', b'\\', &bytes[at.min(bytes.len())..]) {
                    at += found;
                    if bytes[at] == b'"' {
                        break;
                    }
                    at += 2;
                }
            }
            b'[' | b'{' => {
                depth += 1;
                deepest = deepest.max(depth);
            }
            b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        at += 1;
    }
    deepest >= DEEPEST
}

/// `5,000`.
pub(crate) fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{hides_damage, read_value};

    fn repaired(text: &str) -> String {
        read_value(text.as_bytes()).map(|r| r.text).unwrap_or_else(|at| format!("broken at {at}"))
    }

    #[test]
    fn writes_what_was_meant() {
        assert_eq!(repaired(r#"{"a":NaN,"b":[-Infinity,1e400,-2.5E3]}"#), r#"{"a":"NaN","b":["-Infinity","1e400",-2.5E3]}"#);
        assert_eq!(repaired("{\"a\":\"x\ty\u{0}\"}"), r#"{"a":"x\u0009y\u0000"}"#);
        assert_eq!(repaired(r#""\ud83d""#), "\"\u{FFFD}\"");
        assert_eq!(repaired(r#""\ud83d\ude00 \udc00""#), "\"\\ud83d\\ude00 \u{FFFD}\"");
        assert_eq!(read_value(b"\"\xFFa\"").map(|r| r.text), Ok("\"\u{FFFD}a\"".to_owned()));
        assert_eq!(repaired(r#" {"a" : [ ] } rest"#), r#"{"a":[]}"#);
    }

    #[test]
    fn says_where_it_breaks() {
        for (text, at) in
            [("{", 1), (r#"{"a":1,}"#, 7), ("[1 2]", 3), ("nul", 0), (r#"{"a":"b{"c":1}"#, 9), ("[1}", 2), ("", 0), ("01", 0)]
        {
            assert_eq!(read_value(text.as_bytes()).map(|r| r.text), Err(at), "{text}");
        }
    }

    #[test]
    fn a_deep_value_leaves_its_neighbours() {
        let deep = format!(r#"{{"kind":"k","payload":{{"n":1,"x":{}{}}}}}"#, "[".repeat(5000), "]".repeat(5000));
        assert!(hides_damage(&deep));
        assert_eq!(repaired(&deep), r#"{"kind":"k","payload":{"n":1,"x":"nested 5,000 deep"}}"#);
        let fits = format!("{}{}", "[".repeat(127), "]".repeat(127));
        assert!(!hides_damage(&fits));
        assert_eq!(repaired(&fits), fits);
    }
}
