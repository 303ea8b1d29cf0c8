//! Where things stand in the front matter of a SKILL.md: its lines, its top-level keys and their values. Knows of YAML only what finding
//! them takes; what a value means is the parser's matter. Works on files as they are on disk, whatever their line ends.

use std::ops::Range;

/// The parts of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Front {
    /// The lines between the two `---`.
    pub yaml: Range<usize>,
    /// Where the body begins, behind the closing line.
    pub body: usize,
}

/// Why a file has no front matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NoFront {
    /// It does not begin with `---`.
    Missing,
    /// Nothing closes it.
    Open,
}

/// Finds the front matter.
pub(super) fn split(file: &str) -> Result<Front, NoFront> {
    let start = if file.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let mut lines = Lines { text: file, at: start, end: file.len() };
    let first = lines.next().filter(|line| file[line.text.clone()].trim_end() == "---").ok_or(NoFront::Missing)?;
    let last = lines.find(|line| file[line.text.clone()].trim_end() == "---").ok_or(NoFront::Open)?;
    Ok(Front { yaml: first.next..last.text.start, body: last.next })
}

/// A line of a text.
#[derive(Clone, Debug)]
pub(super) struct Line {
    /// Without its end.
    pub text: Range<usize>,
    /// Where the next one begins.
    pub next: usize,
}

/// The lines of a part of a text, which end with CRLF, LF or CR.
#[derive(Clone)]
pub(super) struct Lines<'a> {
    pub text: &'a str,
    pub at: usize,
    pub end: usize,
}

impl Iterator for Lines<'_> {
    type Item = Line;

    fn next(&mut self) -> Option<Line> {
        if self.at >= self.end {
            return None;
        }
        let (start, rest) = (self.at, &self.text.as_bytes()[self.at..self.end]);
        let length = memchr::memchr2(b'\n', b'\r', rest).unwrap_or(rest.len());
        let ending = match &rest[length..] {
            [b'\r', b'\n', ..] => 2,
            [_, ..] => 1,
            [] => 0,
        };
        self.at = start + length + ending;
        Some(Line { text: start..start + length, next: self.at })
    }
}

/// How a value is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    /// Nothing behind the colon and below it.
    Empty,
    /// Plain, quoted or in brackets.
    Flow,
    /// `|` or `>` and the lines below.
    Block,
    /// Lines below the key: a list with dashes, or keys of their own.
    Below,
}

/// One top-level key with its value.
#[derive(Clone, Debug)]
pub(super) struct Entry<'a> {
    /// The key, without quotes.
    pub key: &'a str,
    /// The key as it is written.
    pub place: Range<usize>,
    /// Past the colon.
    pub colon: usize,
    /// The value, from its first to its last character.
    pub value: Range<usize>,
    /// How it is written.
    pub style: Style,
    /// The comment behind the value, or behind the mark of a block.
    pub comment: Option<Range<usize>>,
    /// Where the next line begins.
    pub end: usize,
}

/// The top-level keys in order. Lines that are none are passed over.
pub(super) fn entries(file: &str, yaml: Range<usize>) -> Vec<Entry<'_>> {
    let mut lines = Lines { text: file, at: yaml.start, end: yaml.end };
    let mut found = Vec::new();
    while let Some(line) = lines.next() {
        if let Some((key, place, colon)) = key(file, &line) {
            let entry = value(file, &mut lines, line, colon);
            found.push(Entry { key, place, ..entry });
        }
    }
    found
}

/// The key of a line, its place, and the end of its colon.
fn key<'a>(file: &'a str, line: &Line) -> Option<(&'a str, Range<usize>, usize)> {
    let text = &file[line.text.clone()];
    if text.starts_with([' ', '\t', '#', '-', '?', '[', '{', '&', '*', '!', '|', '>', '%', '@', '`']) {
        return None;
    }
    let from = match text.chars().next() {
        Some(quote @ ('"' | '\'')) => 2 + text[1..].find(quote)?,
        _ => 0,
    };
    let colon = from
        + text[from..]
            .match_indices(':')
            .find(|(at, _)| {
                let after = text[from + at + 1..].chars().next();
                after.is_none_or(|c| c == ' ' || c == '\t')
            })?
            .0;
    let written = text[..colon].trim_end();
    let start = line.text.start;
    Some((written.trim_matches(['"', '\'']), start..start + written.len(), start + colon + 1))
}

/// The value behind a colon; takes the lines that belong to it.
fn value<'a>(file: &'a str, lines: &mut Lines<'a>, line: Line, colon: usize) -> Entry<'a> {
    let entry = Entry { key: "", place: 0..0, colon, value: colon..colon, style: Style::Empty, comment: None, end: line.next };
    let mut at = skip_blanks(file, colon..line.text.end);
    // An anchor or a tag belongs to the value that follows.
    let mut start = at;
    while file[at..line.text.end].starts_with(['&', '!']) {
        let word = file[at..line.text.end].find([' ', '\t']).map_or(line.text.end, |length| at + length);
        at = skip_blanks(file, word..line.text.end);
    }
    let comment = |from: usize| comment_at(file, from..line.text.end);
    let rest = &file[at..line.text.end];
    match rest.chars().next() {
        None | Some('#') => {
            let below = below(file, lines, Kind::Nested);
            match below {
                // The comment stands behind the key, not behind the value.
                Some(below) => Entry { value: below.text.clone(), style: Style::Below, end: below.next, ..entry },
                None if start < at => {
                    Entry { value: start..file[..at].trim_end().len(), style: Style::Flow, comment: comment(at), ..entry }
                }
                None => Entry { comment: comment(at), ..entry },
            }
        }
        Some('|' | '>') => {
            let below = below(file, lines, Kind::Block);
            let head = file[at..line.text.end].trim_end();
            let (end, next) = below.map_or((at + head.len(), line.next), |below| (below.text.end, below.next));
            Entry { value: start..end, style: Style::Block, comment: comment(at), end: next, ..entry }
        }
        Some(first) => {
            let end = match first {
                '"' | '\'' | '[' | '{' => flow_end(file, at..lines.end),
                _ => None,
            };
            start = start.min(at);
            match end {
                Some(end) => {
                    let mut last = line;
                    while last.next <= end && last.next > last.text.end {
                        match lines.next() {
                            Some(next) => last = next,
                            None => break,
                        }
                    }
                    Entry {
                        value: start..end,
                        style: Style::Flow,
                        comment: comment_at(file, end..last.text.end),
                        end: last.next,
                        ..entry
                    }
                }
                None => plain(file, lines, &line, start, entry),
            }
        }
    }
}

/// A value without quotes: to the end of the line or its comment, and on over the lines that are further in.
fn plain<'a>(file: &'a str, lines: &mut Lines<'a>, line: &Line, start: usize, entry: Entry<'a>) -> Entry<'a> {
    let comment = comment_at(file, start..line.text.end);
    let end = comment.as_ref().map_or(line.text.end, |comment| comment.start);
    let end = start + file[start..end].trim_end().len();
    match below(file, lines, Kind::Plain).filter(|_| comment.is_none()) {
        Some(below) => Entry { value: start..below.text.end, style: Style::Flow, end: below.next, ..entry },
        None => Entry { value: start..end, style: Style::Flow, comment, ..entry },
    }
}

/// What the lines below a key can be.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// The text of a block, in which `#` is text.
    Block,
    /// More of a value without quotes, which a comment ends.
    Plain,
    /// A list, whose dashes may stand below the key, or keys; comments may stand between.
    Nested,
}

/// From the first to the last of the lines that belong to the key above them, with what is between; takes them.
fn below<'a>(file: &'a str, lines: &mut Lines<'a>, kind: Kind) -> Option<Line> {
    let mut found: Option<Line> = None;
    let mut ahead = lines.clone();
    while let Some(line) = ahead.next() {
        let text = &file[line.text.clone()];
        let trimmed = text.trim_start_matches([' ', '\t']);
        let is_comment = trimmed.starts_with('#') && kind != Kind::Block;
        if trimmed.is_empty() || (is_comment && kind == Kind::Nested) {
            continue;
        }
        let dash = kind == Kind::Nested && (text == "-" || text.starts_with("- "));
        if is_comment || (trimmed.len() == text.len() && !dash) {
            break;
        }
        let start = found.map_or(line.text.start, |found| found.text.start);
        found = Some(Line { text: start..line.text.start + text.trim_end().len(), next: line.next });
        *lines = ahead.clone();
    }
    found
}

fn skip_blanks(file: &str, range: Range<usize>) -> usize {
    let text = &file[range.clone()];
    range.start + text.len() - text.trim_start_matches([' ', '\t']).len()
}

/// A comment in the rest of a line, which a blank parts from what stands before it.
fn comment_at(file: &str, rest: Range<usize>) -> Option<Range<usize>> {
    let text = &file[rest.clone()];
    let before = |at: usize| file[..rest.start + at].ends_with([' ', '\t', ':']);
    let at = text.match_indices('#').map(|(at, _)| at).find(|at| before(*at))?;
    Some(rest.start + at..rest.start + text.trim_end().len())
}

/// Past the end of a quoted text or a list or map in brackets; none when nothing closes it.
fn flow_end(file: &str, range: Range<usize>) -> Option<usize> {
    let bytes = &file.as_bytes()[..range.end];
    let mut at = range.start;
    let mut depth = 0;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' | b'\'' if depth == 0 || matches!(bytes[at - 1], b' ' | b'\t' | b'\n' | b'\r' | b'[' | b'{' | b',' | b':') => {
                at = quoted_end(bytes, at)? - 1;
            }
            b'[' | b'{' => depth += 1,
            b']' | b'}' => depth -= 1,
            b'#' if matches!(bytes[at - 1], b' ' | b'\t') => {
                at += memchr::memchr2(b'\n', b'\r', &bytes[at..])?;
            }
            _ => {}
        }
        at += 1;
        if depth <= 0 {
            return Some(at);
        }
    }
    None
}

fn quoted_end(bytes: &[u8], start: usize) -> Option<usize> {
    let quote = bytes[start];
    let mut at = start + 1;
    loop {
        match bytes.get(at)? {
            b'\\' if quote == b'"' => at += 2,
            byte if *byte == quote && quote == b'\'' && bytes.get(at + 1) == Some(&quote) => at += 2,
            byte if *byte == quote => return Some(at + 1),
            _ => at += 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(yaml: &str) -> Vec<String> {
        let show = |entry: Entry| {
            let comment = entry.comment.map_or(String::new(), |comment| format!(" {}", &yaml[comment]));
            format!("{}={:?} {:?}{comment}", entry.key, &yaml[entry.value], entry.style)
        };
        entries(yaml, 0..yaml.len()).into_iter().map(show).collect()
    }

    #[test]
    fn values_are_found_however_they_are_written() {
        let yaml = "# top\nname: A b # why\n\"mode\" : 'it''s # not' # yes\r\nroles:\n  # who\n  - a\n  - b # c\n\n# next\nlist:\n- x\n- y\n\
            text: |- # head\n  one\n\n  # two\n    ---\n\nfolded: >\n  a\nplain: one\n  two\n\nflow: [a, \"]\", # c\n  b]  # end\nempty:\nshort: a\n  # further in\nlast: &x !!str v\n";
        assert_eq!(
            found(yaml),
            [
                "name=\"A b\" Flow # why",
                "mode=\"'it''s # not'\" Flow # yes",
                "roles=\"  - a\\n  - b # c\" Below",
                "list=\"- x\\n- y\" Below",
                "text=\"|- # head\\n  one\\n\\n  # two\\n    ---\" Block # head",
                "folded=\">\\n  a\" Block",
                "plain=\"one\\n  two\" Flow",
                "flow=\"[a, \\\"]\\\", # c\\n  b]\" Flow # end",
                "empty=\"\" Empty",
                "short=\"a\" Flow",
                "last=\"&x !!str v\" Flow",
            ]
        );
    }

    #[test]
    fn the_front_matter_ends_at_the_first_line_of_dashes() {
        let file = "\u{feff}---  \r\na: |\r\n  ---\r\n---\t\r\nbody\r\n---\r\n";
        let front = split(file).unwrap();
        assert_eq!((&file[front.yaml], &file[front.body..]), ("a: |\r\n  ---\r\n", "body\r\n---\r\n"));
        assert_eq!(split("---\na: b\n"), Err(NoFront::Open));
        assert_eq!(split("text\n---\n"), Err(NoFront::Missing));
        assert_eq!(split("---\n---").map(|front| front.body), Ok(7));
        assert_eq!(split(""), Err(NoFront::Missing));
    }
}
