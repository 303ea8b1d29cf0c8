//! What is wrong with a template, in a form that a person, an editor and a program can each use.

use serde::{Deserialize, Serialize};
use std::ops::Range;

/// How much a [`Problem`] weighs: an error refuses a save, a warning never does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The text cannot be saved or rendered.
    Error,
    /// Worth a look.
    Warning,
}

impl Severity {
    /// The word that stands before a message.
    pub fn as_str(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
        }
    }
}

/// One fault of a template text, with its place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Problem {
    /// Error or warning.
    pub severity: Severity,
    /// Stable machine name, for example `syntax` or `undefined`.
    pub code: String,
    /// One sentence: what is wrong.
    pub message: String,
    /// Line of `range.0`, from 1.
    pub line: u32,
    /// Column of `range.0`, from 1, in characters.
    pub column: u32,
    /// Byte range in the template's text, on character boundaries.
    pub range: (usize, usize),
    /// The same range in UTF-16 units, which is how editors in a browser count.
    pub utf16: (usize, usize),
    /// The sample that failed (`task-start/populated`); absent when the fault does not depend on one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sample: Option<String>,
    /// What to do about it, as one sentence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suggestion: Option<String>,
}

impl Problem {
    /// An error at a byte range of `source`. The range may be out of bounds or inside a character: it is clamped and widened. Where there
    /// can be many problems, see [`Places`].
    pub fn error(source: &str, range: Range<usize>, code: &str, message: impl Into<String>) -> Problem {
        Places::new(source).error(range, code, message)
    }

    /// The same as a warning.
    pub fn warning(source: &str, range: Range<usize>, code: &str, message: impl Into<String>) -> Problem {
        Problem { severity: Severity::Warning, ..Problem::error(source, range, code, message) }
    }

    /// The same problem in a longer text that holds this one's text at byte `offset`: positions become the longer text's.
    pub fn moved(self, longer: &str, offset: usize) -> Problem {
        let place = Problem::error(longer, self.range.0 + offset..self.range.1 + offset, "", "");
        Problem { line: place.line, column: place.column, range: place.range, utf16: place.utf16, ..self }
    }

    /// With a sentence that says what to do.
    pub fn suggest(mut self, suggestion: impl Into<String>) -> Problem {
        self.suggestion = Some(in_one_line(suggestion.into()));
        self
    }

    /// The line the problem begins in, cut around it when it is long; how many columns stand before the mark; and the mark's columns.
    fn excerpt(&self, source: &str) -> (String, usize, usize) {
        let from = self.range.0.min(source.len());
        let start = source[..from].rfind('\n').map_or(0, |at| at + 1);
        let line: Vec<char> = source[start..].split('\n').next().unwrap_or_default().chars().collect();
        let column = source[start..from].chars().count();
        let marked = source[from..self.range.1.clamp(from, source.len())].split('\n').next().unwrap_or_default().chars().count();
        let first = if line.len() > EXCERPT { column.saturating_sub(EXCERPT / 2) } else { 0 };
        let last = (first + EXCERPT).min(line.len());
        let cut = (if first > 0 { "…" } else { "" }, if line.len() > last { "…" } else { "" });
        let shown: String = line[first..last].iter().map(|c| if *c == '\t' { TAB.to_owned() } else { c.to_string() }).collect();
        let columns = |from: usize, to: usize| line[from..to].iter().copied().map(columns).sum::<usize>();
        let before = usize::from(first > 0) + columns(first, column);
        (format!("{}{shown}{}", cut.0, cut.1), before, columns(column, (column + marked).min(last)).max(1))
    }

    /// The plain form, in one line: `3:8: error: …`, the suggestion behind it.
    pub fn one_line(&self) -> String {
        let mut text = format!("{}:{}: {}: {}", self.line, self.column, self.severity.as_str(), self.message);
        if let Some(suggestion) = &self.suggestion {
            text.push_str(" (");
            text.push_str(suggestion);
            text.push(')');
        }
        text
    }

    /// The long form for a terminal: sentence, place, the line with the place underlined, suggestion, sample.
    /// `source` is the text the positions belong to, `name` what to call it.
    pub fn long(&self, source: &str, name: &str) -> String {
        let mut text = format!("{}: {}\n", self.severity.as_str(), self.message);
        let number = self.line.to_string();
        let margin = " ".repeat(number.len());
        text.push_str(&format!("{margin}--> {name}:{}:{}\n", self.line, self.column));
        let (line, before, marked) = self.excerpt(source);
        text.push_str(&format!("{margin} |\n{number} | {line}\n{margin} | {}{}\n", " ".repeat(before), "^".repeat(marked)));
        if let Some(suggestion) = &self.suggestion {
            text.push_str(&format!("{margin} = {suggestion}\n"));
        }
        if let Some(sample) = &self.sample {
            text.push_str(&format!("{margin} = with the sample {sample}\n"));
        }
        // A terminal obeys control characters; a text that is shown on one must not speak to it.
        text.chars().map(|c| if c.is_control() && !matches!(c, '\n' | '\t') { '\u{fffd}' } else { c }).collect()
    }
}

/// Positions in a text, each counted from the one before: problems that are told in the order of their places cost little more than one pass
/// over the text, however many they are.
pub struct Places<'a> {
    source: &'a str,
    at: usize,
    line: u32,
    column: u32,
    utf16: usize,
}

impl<'a> Places<'a> {
    /// At the start of a text.
    pub fn new(source: &'a str) -> Places<'a> {
        Places { source, at: 0, line: 1, column: 1, utf16: 0 }
    }

    /// See [`Problem::error`].
    pub fn error(&mut self, range: Range<usize>, code: &str, message: impl Into<String>) -> Problem {
        let range = widen(self.source, range);
        self.go(range.start);
        Problem {
            severity: Severity::Error,
            code: code.to_owned(),
            message: in_one_line(message.into()),
            line: self.line,
            column: self.column,
            utf16: (self.utf16, self.utf16 + utf16_len(&self.source[range.clone()])),
            range: (range.start, range.end),
            sample: None,
            suggestion: None,
        }
    }

    /// The same as a warning.
    pub fn warning(&mut self, range: Range<usize>, code: &str, message: impl Into<String>) -> Problem {
        Problem { severity: Severity::Warning, ..self.error(range, code, message) }
    }

    /// The line of a byte, from 1.
    pub fn line(&mut self, offset: usize) -> u32 {
        self.go(offset);
        self.line
    }

    fn go(&mut self, offset: usize) {
        let back = offset < self.at;
        let passed = &self.source[offset.min(self.at)..offset.max(self.at)];
        let (lines, units) = (memchr::memchr_iter(b'\n', passed.as_bytes()).count() as u32, utf16_len(passed));
        let columns = |text: &str| text.chars().count() as u32;
        if lines > 0 {
            let start = self.source[..offset].rfind('\n').map_or(0, |newline| newline + 1);
            self.column = 1 + columns(&self.source[start..offset]);
        } else if back {
            self.column -= columns(passed);
        } else {
            self.column += columns(passed);
        }
        if back {
            self.line -= lines;
            self.utf16 -= units;
        } else {
            self.line += lines;
            self.utf16 += units;
        }
        self.at = offset;
    }
}

/// A sentence is one line, also where it quotes several of a template.
fn in_one_line(sentence: String) -> String {
    if sentence.contains(['\n', '\r']) { sentence.split_whitespace().collect::<Vec<_>>().join(" ") } else { sentence }
}

/// Longest excerpt of a line, in characters.
const EXCERPT: usize = 110;

/// What a tab in an excerpt is shown as, so that its width is known.
const TAB: &str = "    ";

/// How many columns of a terminal a character takes: two where scripts and emoji are wide, none where it joins the one before.
fn columns(c: char) -> usize {
    match c as u32 {
        0x9 => TAB.len(),
        0x300..=0x36f
        | 0x483..=0x489
        | 0x591..=0x5bd
        | 0x610..=0x61a
        | 0x64b..=0x65f
        | 0x200b..=0x200f
        | 0x202a..=0x202e
        | 0x2060..=0x2069
        | 0x20d0..=0x20ff
        | 0xfe00..=0xfe0f
        | 0xfeff
        | 0x1f3fb..=0x1f3ff
        | 0xe0000..=0xe01ef => 0,
        0x1100..=0x115f
        | 0x231a..=0x231b
        | 0x23e9..=0x23ec
        | 0x2705
        | 0x274c
        | 0x274e
        | 0x2753..=0x2755
        | 0x2757
        | 0x2795..=0x2797
        | 0x2b50
        | 0x2e80..=0x303e
        | 0x3041..=0xa4cf
        | 0xa960..=0xa97c
        | 0xac00..=0xd7a3
        | 0xf900..=0xfaff
        | 0xfe30..=0xfe6f
        | 0xff00..=0xff60
        | 0xffe0..=0xffe6
        | 0x1f300..=0x1f64f
        | 0x1f680..=0x1f6ff
        | 0x1f7e0..=0x1f7eb
        | 0x1f900..=0x1faff
        | 0x20000..=0x3fffd => 2,
        _ => 1,
    }
}

/// Clamps a range to the text and widens it to character boundaries. All slicing by the engine's ranges goes through here:
/// the engine points inside characters in some syntax errors.
pub fn widen(source: &str, range: Range<usize>) -> Range<usize> {
    let mut start = range.start.min(source.len());
    let mut end = range.end.clamp(start, source.len());
    while !source.is_char_boundary(start) {
        start -= 1;
    }
    while !source.is_char_boundary(end) {
        end += 1;
    }
    start..end
}

/// Line and column of a byte offset, both from 1, the column in characters.
pub fn line_and_column(source: &str, offset: usize) -> (u32, u32) {
    let before = &source[..offset];
    let line = memchr::memchr_iter(b'\n', before.as_bytes()).count() + 1;
    let column = before[before.rfind('\n').map_or(0, |at| at + 1)..].chars().count() + 1;
    (line as u32, column as u32)
}

/// Length in UTF-16 units.
pub fn utf16_len(text: &str) -> usize {
    text.chars().map(char::len_utf16).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_what_each_reader_counts() {
        let source = "é世界 {{ a }}\n🙂{{ missing }}";
        let at = source.find("missing").unwrap();
        let problem = Problem::error(source, at..at + 7, "undefined", "x");
        assert_eq!((problem.line, problem.column), (2, 5));
        assert_eq!(problem.range, (at, at + 7));
        assert_eq!(problem.utf16, (17, 24));
    }

    #[test]
    fn places_are_the_same_in_any_order() {
        let source = "é世\n界🙂 a\n\n🙂{{ b }}\n";
        let mut places = Places::new(source);
        let starts: Vec<usize> = (0..=source.len()).chain((0..source.len()).rev().step_by(3)).collect();
        for start in starts {
            let problem = places.error(start..start + 2, "x", "x");
            assert_eq!(problem, Problem::error(source, start..start + 2, "x", "x"), "{start}");
            let before = &source[..problem.range.0];
            assert_eq!((problem.line, problem.column), line_and_column(source, problem.range.0));
            assert_eq!(problem.line as usize, before.matches('\n').count() + 1);
            assert_eq!(problem.column as usize, before.rsplit('\n').next().unwrap().chars().count() + 1);
            assert_eq!(problem.utf16.0, before.encode_utf16().count());
        }
    }

    #[test]
    fn a_sentence_is_one_line_whatever_it_quotes() {
        let problem = Problem::error("a", 0..1, "undefined", "`a\r\n  .b` is undefined").suggest("write `c\nd`");
        assert_eq!(problem.one_line(), "1:1: error: `a .b` is undefined (write `c d`)");
    }

    #[test]
    fn ranges_inside_characters_and_past_the_end_are_widened_and_clamped() {
        let source = "“a”";
        assert_eq!(widen(source, 1..2), 0..3);
        assert_eq!(widen(source, 5..99), 4..7);
        assert_eq!(widen(source, 99..120), 7..7);
    }

    /// The excerpt with its mark, as lines without the margin.
    fn shown(source: &str, marked: &str) -> String {
        let at = source.find(marked).unwrap();
        let long = Problem::error(source, at..at + marked.len(), "x", "x").long(source, "x");
        long.lines().skip(3).take(2).map(|line| line.split_once("| ").unwrap().1).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn the_mark_stands_below_its_text_whatever_stands_before_it() {
        assert_eq!(shown("\ta\t{{ b }}", "b"), "    a    {{ b }}\n            ^");
        assert_eq!(shown("計画 🙂 e\u{301} {{ 値 }}", "値"), "計画 🙂 e\u{301} {{ 値 }}\n             ^^");
        assert_eq!(shown("a\n  {% if x\n  %}\nb", "{% if x\n  %}"), "  {% if x\n  ^^^^^^^");
        assert_eq!(shown("a\tb", "\tb"), "a    b\n ^^^^^");
        let long = format!("{}{{{{ oops }}}}{}", "x".repeat(300), "y".repeat(300));
        let lines = shown(&long, "oops");
        let (line, mark) = lines.split_once('\n').unwrap();
        assert!(line.starts_with("…x") && line.ends_with("y…") && line.chars().count() == EXCERPT + 2, "{line}");
        assert_eq!(line.chars().position(|c| c == 'o'), mark.find('^'));
        assert_eq!((mark.trim(), shown("ab", "")), ("^^^^", "ab\n^".to_owned()));
    }
}
