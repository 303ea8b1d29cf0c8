//! Reads the part of YAML that rules are written in, with the place of every word: keys and lists by indentation, both also in brackets,
//! plain and quoted texts of one line, numbers, true and false, comments. What a text means here it means to every reader of YAML. Anchors,
//! tags and texts of several lines are no part of it; a whole YAML reader would double what the browser's workers weigh.

mod flow;
mod scalar;

use crate::template::problem::Problem;
use std::ops::Range;

/// How deep values may stand in each other.
const DEPTH: usize = 12;
/// Keys beside each other.
const KEYS: usize = 64;

/// A value and where it is written.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Node {
    /// From its first to past its last byte.
    pub place: Range<usize>,
    /// What it says.
    pub value: Value,
}

/// What a [`Node`] says.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    /// Nothing, `null` or `~`.
    Null,
    Bool(bool),
    Number(f64),
    Text(String),
    List(Vec<Node>),
    /// Keys in order, each once.
    Map(Vec<(Key, Node)>),
}

/// A key and where it is written.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Key {
    pub place: Range<usize>,
    pub name: String,
}

/// Reads a text. The error is the first fault.
pub(super) fn read(text: &str) -> Result<Node, Problem> {
    let mut reader = Reader { text, at: if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 } };
    if let Some(line) = reader.next_line()?
        && scalar::without_comment(reader.line(line.at)).trim_end() == "---"
    {
        reader.at = line.at + 3;
    }
    let Some(first) = reader.next_line()? else {
        return Ok(Node { place: text.len()..text.len(), value: Value::Null });
    };
    let node = reader.block(first, DEPTH)?;
    match reader.next_line()? {
        None => Ok(node),
        Some(line) => Err(reader.stray(line, first.column)),
    }
}

/// A line with something on it: where that begins, and how far in.
#[derive(Clone, Copy, Debug)]
struct Line {
    at: usize,
    column: usize,
}

struct Reader<'a> {
    text: &'a str,
    /// Everything before was read.
    at: usize,
}

impl<'a> Reader<'a> {
    fn fault(&self, place: Range<usize>, message: impl Into<String>) -> Problem {
        Problem::error(self.text, place, "yaml", message)
    }

    /// The rest of a line, without its end.
    fn line(&self, at: usize) -> &'a str {
        let rest = &self.text[at..];
        &rest[..rest.find('\n').unwrap_or(rest.len())]
    }

    fn starts(&self, at: usize, with: &[char]) -> bool {
        self.text[at..].starts_with(with)
    }

    /// Whether a space or the line's end is there.
    fn is_gap(&self, at: usize) -> bool {
        self.text[at..].chars().next().is_none_or(|c| matches!(c, ' ' | '\t' | '\r' | '\n'))
    }

    /// Past spaces, and past a comment if a space or the line's start stands before it.
    fn skip_blanks(&self, from: usize) -> usize {
        let rest = &self.text[from..];
        let at = from + rest.len() - rest.trim_start_matches([' ', '\t', '\r']).len();
        let apart = self.text[..at].chars().next_back().is_none_or(|c| matches!(c, ' ' | '\t' | '\r' | '\n'));
        if apart && self.starts(at, &['#']) { at + self.line(at).len() } else { at }
    }

    /// The next line with something on it that is no comment; the cursor stands at a line's start or at what is left of one.
    fn next_line(&mut self) -> Result<Option<Line>, Problem> {
        loop {
            let at = self.skip_blanks(self.at);
            if at == self.text.len() {
                self.at = at;
                return Ok(None);
            }
            if !self.starts(at, &['\n']) {
                let start = self.text[..at].rfind('\n').map_or(0, |end| end + 1);
                let indent = &self.text[start..at];
                if let Some(tab) = indent.find('\t') {
                    let place = start + tab..start + tab + 1;
                    let problem = self.fault(place, "this line is indented with a tab, which YAML does not take");
                    return Err(problem.suggest("indent it with spaces"));
                }
                return Ok(Some(Line { at, column: indent.trim_start_matches('\u{feff}').len() }));
            }
            self.at = at + 1;
        }
    }

    /// What stands from a line's content on, at that column or further in.
    fn block(&mut self, line: Line, depth: usize) -> Result<Node, Problem> {
        if depth == 0 {
            return Err(self.too_deep(line.at));
        }
        if self.is_dash(line.at) {
            return self.list(line, depth);
        }
        match self.key(line.at)? {
            Some(_) => self.map(line, depth),
            None => self.inline(line.at, depth),
        }
    }

    fn too_deep(&self, at: usize) -> Problem {
        let problem = self.fault(at..at + 1, format!("values stand in each other more than {DEPTH} deep"));
        problem.suggest("a rule needs five or six")
    }

    fn is_dash(&self, at: usize) -> bool {
        self.starts(at, &['-']) && self.is_gap(at + 1)
    }

    fn list(&mut self, first: Line, depth: usize) -> Result<Node, Problem> {
        let mut items = Vec::new();
        let mut line = first;
        loop {
            let dash = line.at;
            let at = self.skip_blanks(dash + 1);
            self.at = at;
            let item = if at == self.text.len() || self.starts(at, &['\n']) {
                self.below(dash + 1, line.column, false, depth)?
            } else {
                // What follows the dash counts from its own column.
                self.block(Line { at, column: line.column + (at - dash) }, depth - 1)?
            };
            items.push(item);
            match self.next_line()? {
                Some(next) if next.column == first.column && self.is_dash(next.at) => line = next,
                Some(next) if next.column > first.column => return Err(self.stray(next, first.column)),
                _ => break,
            }
        }
        let end = items.last().map_or(first.at, |item| item.place.end);
        Ok(Node { place: first.at..end.max(first.at + 1), value: Value::List(items) })
    }

    fn map(&mut self, first: Line, depth: usize) -> Result<Node, Problem> {
        let mut entries: Vec<(Key, Node)> = Vec::new();
        let mut line = first;
        loop {
            let Some((key, colon)) = self.key(line.at)? else { return Err(self.no_key(line)) };
            self.once(&entries, &key)?;
            let at = self.skip_blanks(colon);
            self.at = at;
            let value = if at == self.text.len() || self.starts(at, &['\n']) {
                self.below(colon, line.column, true, depth)?
            } else {
                self.inline(at, depth - 1)?
            };
            entries.push((key, value));
            match self.next_line()? {
                Some(next) if next.column == first.column && !self.is_dash(next.at) => line = next,
                Some(next) if next.column > first.column => return Err(self.stray(next, first.column)),
                _ => break,
            }
        }
        let end = entries.last().map_or(first.at, |(_, value)| value.place.end);
        Ok(Node { place: first.at..end, value: Value::Map(entries) })
    }

    /// The value of a key or dash with nothing behind it on its line: what stands further in below it. The list of a key may also stand at the
    /// key's own column.
    fn below(&mut self, end: usize, column: usize, of_key: bool, depth: usize) -> Result<Node, Problem> {
        match self.next_line()? {
            Some(line) if line.column > column || (of_key && line.column == column && self.is_dash(line.at)) => {
                self.block(line, depth - 1)
            }
            _ => Ok(Node { place: end..end, value: Value::Null }),
        }
    }

    /// A key that may follow these: none of them, and not one too many.
    fn once(&self, entries: &[(Key, Node)], key: &Key) -> Result<(), Problem> {
        if entries.len() >= KEYS {
            return Err(self.fault(key.place.clone(), format!("there are more than {KEYS} keys beside each other")));
        }
        if entries.iter().all(|(earlier, _)| earlier.name != key.name) {
            return Ok(());
        }
        Err(self.fault(key.place.clone(), format!("`{}` is said twice", key.name)).suggest("keep one of them"))
    }

    /// A value on the rest of a line, which ends with it.
    fn inline(&mut self, at: usize, depth: usize) -> Result<Node, Problem> {
        let node = self.value(at, depth)?;
        let end = self.skip_blanks(self.at);
        if end == self.text.len() || self.starts(end, &['\n']) {
            self.at = end;
            return Ok(node);
        }
        let rest = end..end + self.line(end).trim_end().len();
        Err(self.fault(rest, "the value before this has ended").suggest("remove this, or put the whole value in quotes"))
    }

    /// A line that stands where nothing can.
    fn stray(&self, line: Line, column: usize) -> Problem {
        let place = line.at..line.at + self.line(line.at).trim_end().len();
        if line.column > column {
            let problem = self.fault(place, "this line is further in than the line above it allows");
            return problem.suggest(match column {
                0 => "begin it at the start of the line; a text stands on one line".to_owned(),
                _ => format!("begin it after {column} space{}; a text stands on one line", if column == 1 { "" } else { "s" }),
            });
        }
        if line.column < column {
            return self.fault(place, "this line is further out than the first one").suggest("begin both at the same column");
        }
        if self.is_dash(line.at) {
            return self.fault(place, "a list begins here among keys").suggest("write it below a key, further in");
        }
        self.fault(place, "the text is over before this line").suggest("remove this line")
    }

    /// A line among keys that has none.
    fn no_key(&self, line: Line) -> Problem {
        let written = self.line(line.at).trim_end();
        let place = line.at..line.at + written.len();
        match written.split_once(':') {
            Some((key, value)) if !value.is_empty() && !written.starts_with(['"', '\'', '[', '{']) => {
                let problem = self.fault(place, "there is no space behind the colon");
                problem.suggest(format!("write {}: {}", key.trim(), value.trim()))
            }
            _ => self.fault(place, "there is no colon in this line").suggest("write `key: value`"),
        }
    }
}
