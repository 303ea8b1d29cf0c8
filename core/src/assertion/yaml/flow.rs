//! Lists and keys in brackets; they may go on over several lines.

use super::scalar::without_comment;
use super::{Key, Node, Reader, Value};
use crate::template::problem::Problem;

impl Reader<'_> {
    pub(super) fn flow_list(&mut self, open: usize, depth: usize) -> Result<Node, Problem> {
        let mut items = Vec::new();
        let mut at = self.inside(open + 1, open, ']')?;
        while !self.starts(at, &[']']) {
            items.push(self.flow_value(at, depth)?);
            at = self.after_item(open, ']')?;
        }
        self.at = at + 1;
        Ok(Node { place: open..at + 1, value: Value::List(items) })
    }

    pub(super) fn flow_map(&mut self, open: usize, depth: usize) -> Result<Node, Problem> {
        let mut entries: Vec<(Key, Node)> = Vec::new();
        let mut at = self.inside(open + 1, open, '}')?;
        while !self.starts(at, &['}']) {
            let (key, colon) = self.flow_key(at)?;
            self.once(&entries, &key)?;
            let value = self.inside(colon, open, '}')?;
            let value = match self.starts(value, &[',', '}']) {
                true => {
                    self.at = value;
                    Node { place: colon..colon, value: Value::Null }
                }
                false => self.flow_value(value, depth)?,
            };
            entries.push((key, value));
            at = self.after_item(open, '}')?;
        }
        self.at = at + 1;
        Ok(Node { place: open..at + 1, value: Value::Map(entries) })
    }

    fn flow_value(&mut self, at: usize, depth: usize) -> Result<Node, Problem> {
        if self.starts(at, &['[', '{', '"', '\'']) {
            return self.value(at, depth - 1);
        }
        let written = self.flow_plain(at);
        if written.is_empty() {
            return Err(self.fault(at..at + 1, "a value is missing before this sign").suggest("write it, or remove the comma"));
        }
        self.plain(at..at + written.len())
    }

    fn flow_key(&self, at: usize) -> Result<(Key, usize), Problem> {
        if self.starts(at, &['"', '\'']) {
            let (name, end) = self.quoted(at)?;
            if self.starts(end, &[':']) {
                return Ok((Key { place: at..end, name }, end + 1));
            }
        }
        let name = self.flow_plain(at);
        let end = at + name.len();
        if self.starts(end, &[':']) && !name.is_empty() {
            return Ok((Key { place: at..end, name: name.to_owned() }, end + 1));
        }
        match name.split_once(':') {
            Some((key, value)) if !key.is_empty() => {
                let problem = self.fault(at..end, "there is no space behind the colon");
                Err(problem.suggest(format!("write {key}: {value}")))
            }
            _ => Err(self
                .fault(at..end.max(at + 1), "there is no colon behind this")
                .suggest("write `key: value` in these brackets")),
        }
    }

    /// A plain text up to a sign of the brackets, a colon with a gap behind it, a comment or the line's end.
    fn flow_plain(&self, at: usize) -> &str {
        let line = without_comment(self.line(at));
        let ends = |(offset, c): &(usize, char)| match c {
            ',' | '[' | ']' | '{' | '}' => true,
            ':' => self.is_gap(at + offset + 1) || self.starts(at + offset + 1, &[',', '[', ']', '{', '}']),
            _ => false,
        };
        let end = line.char_indices().find(ends).map_or(line.len(), |(offset, _)| offset);
        line[..end].trim_end()
    }

    /// Behind an item: past a comma, or at the closing bracket.
    fn after_item(&mut self, open: usize, close: char) -> Result<usize, Problem> {
        let at = self.inside(self.at, open, close)?;
        if self.starts(at, &[',']) {
            return self.inside(at + 1, open, close);
        }
        if self.starts(at, &[close]) {
            return Ok(at);
        }
        let end = at + self.text[at..].chars().next().map_or(0, char::len_utf8);
        Err(self.fault(at..end, format!("a comma or {close} has to stand before this")).suggest(match close {
            ']' => "write [a, b]",
            _ => "write {key: value, key: value}",
        }))
    }

    /// The next thing inside brackets: past spaces, line ends and comments.
    fn inside(&self, from: usize, open: usize, close: char) -> Result<usize, Problem> {
        let mut at = from;
        loop {
            at = self.skip_blanks(at);
            if at == self.text.len() {
                let sign = &self.text[open..=open];
                return Err(self
                    .fault(open..open + 1, format!("{sign} is not closed"))
                    .suggest(format!("close it with {close}")));
            }
            if !self.starts(at, &['\n']) {
                return Ok(at);
            }
            at += 1;
        }
    }
}
