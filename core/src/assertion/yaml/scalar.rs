//! Values of one line: plain and quoted texts, numbers, true, false and nothing; and keys.

use super::{Key, Node, Reader, Value};
use crate::template::problem::Problem;
use std::ops::Range;

/// Signs that mean something else to YAML at the start of a plain text.
const SIGNS: [char; 8] = ['&', '*', '!', '|', '>', '%', '@', '`'];

impl Reader<'_> {
    /// The key at a place and the end of its colon; none when no key is there.
    pub(super) fn key(&self, at: usize) -> Result<Option<(Key, usize)>, Problem> {
        if self.starts(at, &['"', '\'']) {
            let (name, end) = self.quoted(at)?;
            let colon = end + self.text[end..].len() - self.text[end..].trim_start_matches(' ').len();
            let is_key = self.starts(colon, &[':']) && self.is_gap(colon + 1);
            return Ok(is_key.then(|| (Key { place: at..end, name }, colon + 1)));
        }
        if self.starts(at, &['[', '{', ']', '}', ',', '?']) || self.starts(at, &SIGNS) {
            return Ok(None);
        }
        let line = without_comment(self.line(at));
        let Some(colon) = line.match_indices(':').map(|(colon, _)| colon).find(|colon| self.is_gap(at + colon + 1)) else {
            return Ok(None);
        };
        let name = line[..colon].trim_end();
        if name.is_empty() {
            return Err(self.fault(at..at + 1, "there is no key before this colon").suggest("write `key: value`"));
        }
        Ok(Some((Key { place: at..at + name.len(), name: name.to_owned() }, at + colon + 1)))
    }

    /// Any value at a place; the cursor stands behind it afterwards.
    pub(super) fn value(&mut self, at: usize, depth: usize) -> Result<Node, Problem> {
        if depth == 0 {
            return Err(self.too_deep(at));
        }
        match self.text[at..].chars().next() {
            Some('[') => self.flow_list(at, depth),
            Some('{') => self.flow_map(at, depth),
            Some('"' | '\'') => {
                let (text, end) = self.quoted(at)?;
                self.at = end;
                Ok(Node { place: at..end, value: Value::Text(text) })
            }
            _ => {
                let written = without_comment(self.line(at)).trim_end();
                if let Some(colon) = written.find(": ").or_else(|| written.ends_with(':').then(|| written.len() - 1)) {
                    let place = at..at + written.len();
                    let problem = self.fault(place, format!("`{}` holds a colon", &written[..=colon]));
                    return Err(problem.suggest(format!("put it in quotes: {}", in_quotes(written))));
                }
                self.plain(at..at + written.len())
            }
        }
    }

    /// A plain value that is known to end there.
    pub(super) fn plain(&mut self, place: Range<usize>) -> Result<Node, Problem> {
        let written = &self.text[place.clone()];
        self.at = place.end;
        if written.starts_with(SIGNS) {
            let (message, hint) = match &written[..1] {
                "|" | ">" => ("texts of several lines are not read here", "write it on one line".to_owned()),
                "&" | "*" => {
                    ("YAML's anchors are not read here", format!("if it is text, put it in quotes: {}", in_quotes(written)))
                }
                sign => {
                    let message = format!("this begins with `{sign}`, a sign of YAML's own");
                    return Err(self.fault(place, message).suggest(format!("put it in quotes: {}", in_quotes(written))));
                }
            };
            return Err(self.fault(place, message).suggest(hint));
        }
        if written.starts_with([']', '}', ',']) || (written.starts_with(['-', '?', ':']) && self.is_gap(place.start + 1)) {
            let problem = self.fault(place, format!("a value cannot begin with `{}` here", &written[..1]));
            return Err(problem.suggest(format!("if it is text, put it in quotes: {}", in_quotes(written))));
        }
        if let Some((control, c)) = written.char_indices().find(|(_, c)| c.is_control() && *c != '\t') {
            let at = place.start + control;
            return Err(self.fault(at..at + c.len_utf8(), "a control character stands here").suggest("remove it"));
        }
        if begins_with_zero(written) {
            let problem =
                self.fault(place, format!("`{written}` begins with 0, which YAML's readers take for different numbers"));
            return Err(problem.suggest(format!("if it is text, put it in quotes: {}", in_quotes(written))));
        }
        let value = match written {
            "" | "~" | "null" | "Null" | "NULL" => Value::Null,
            "true" | "True" | "TRUE" => Value::Bool(true),
            "false" | "False" | "FALSE" => Value::Bool(false),
            _ => number(written).map_or_else(|| Value::Text(written.to_owned()), Value::Number),
        };
        Ok(Node { place, value })
    }

    /// A quoted text at a place, and where it ends.
    pub(super) fn quoted(&self, at: usize) -> Result<(String, usize), Problem> {
        let line = self.line(at);
        let open = |quote: char| {
            let message = format!("the quote {quote} that opens here is not closed on this line");
            Err(self.fault(at..at + line.trim_end().len(), message).suggest(format!("close it with {quote}")))
        };
        let mut text = String::new();
        let mut signs = line.char_indices().skip(1).peekable();
        let double = line.starts_with('"');
        while let Some((offset, c)) = signs.next() {
            match c {
                '\'' if !double => {
                    if signs.next_if(|(_, next)| *next == '\'').is_none() {
                        return Ok((text, at + offset + 1));
                    }
                    text.push('\'');
                }
                '"' if double => return Ok((text, at + offset + 1)),
                '\\' if double => {
                    let rest = &line[offset + 1..];
                    let Some((c, length)) = escaped(rest) else {
                        let end = offset + 1 + rest.chars().next().map_or(0, char::len_utf8);
                        let problem = self.fault(at + offset..at + end, "there is no such escape");
                        return Err(problem.suggest("write \\\\ for a backslash, or use single quotes"));
                    };
                    text.push(c);
                    while signs.next_if(|(next, _)| *next < offset + 1 + length).is_some() {}
                }
                c => text.push(c),
            }
        }
        open(if double { '"' } else { '\'' })
    }
}

/// What stands behind a backslash, and its bytes.
fn escaped(rest: &str) -> Option<(char, usize)> {
    let code = |digits: usize| {
        let hex = rest.get(1..=digits).filter(|hex| hex.bytes().all(|b| b.is_ascii_hexdigit()))?;
        Some((char::from_u32(u32::from_str_radix(hex, 16).ok()?)?, 1 + digits))
    };
    match rest.chars().next()? {
        c @ ('"' | '\\' | '/') => Some((c, 1)),
        'n' => Some(('\n', 1)),
        'r' => Some(('\r', 1)),
        't' => Some(('\t', 1)),
        'x' => code(2),
        'u' => code(4),
        'U' => code(8),
        _ => None,
    }
}

/// A decimal number.
fn number(text: &str) -> Option<f64> {
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    let decimal = unsigned.strip_prefix('.').unwrap_or(unsigned).starts_with(|c: char| c.is_ascii_digit())
        && unsigned.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | 'e' | 'E' | '+' | '-'));
    text.parse().ok().filter(|n: &f64| decimal && n.is_finite())
}

/// Digits alone, with a 0 before the others.
fn begins_with_zero(text: &str) -> bool {
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    unsigned.len() > 1 && unsigned.starts_with('0') && unsigned.bytes().all(|b| b.is_ascii_digit())
}

/// A line up to its comment.
pub(super) fn without_comment(line: &str) -> &str {
    let comment = line.match_indices('#').find(|(at, _)| *at == 0 || line[..*at].ends_with([' ', '\t']));
    comment.map_or(line, |(at, _)| &line[..at])
}

/// A text in double quotes, for a suggestion.
pub(super) fn in_quotes(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
