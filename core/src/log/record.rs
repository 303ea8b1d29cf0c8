//! Turns the lines of a file into records, repairing and taking apart what can be saved. Every byte is in exactly one record.

use super::lines::{Content, each_stretch};
use super::model::SkipReason;
use super::repair::{Repaired, hides_damage, read_value};
use memchr::memmem;
use std::borrow::Cow;

/// How often in one line a place inside is tried as the start of another record, and how many bytes are read in vain for it: as many as
/// the line has, and some more for short lines.
const TRIES: u32 = 64;
const READ_LEAST: usize = 64 * 1024;

/// What became of a range of bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Bucket {
    /// Read as it stands.
    Read,
    /// Read after a repair.
    Repaired,
    /// Not read, and why.
    Skipped(SkipReason),
    /// White space and line ends.
    Blank,
    /// NUL bytes or a byte order mark.
    Padding,
}

/// A range of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Record {
    /// First byte.
    pub offset: u64,
    /// Bytes, the line end included.
    pub length: u64,
    /// From 1, as an editor counts.
    pub line: u64,
    /// What became of it.
    pub bucket: Bucket,
}

impl Record {
    /// Its bytes.
    pub fn bytes<'a>(&self, file: &'a [u8]) -> &'a [u8] {
        let start = usize::try_from(self.offset).unwrap_or(usize::MAX);
        let end = usize::try_from(self.offset.saturating_add(self.length)).unwrap_or(usize::MAX);
        file.get(start..end).unwrap_or_default()
    }
}

/// Where a text that may be a record was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Found {
    /// It begins a line, or follows a whole value.
    Apart,
    /// Inside a torn record, where an object of its own could also stand: only what looks like a whole record is one.
    Inside,
}

/// Reads the records of a file. `accept` is given strict JSON text and says whether the format knows it; it may be
/// asked about texts that are no record in the end, so it only reads.
pub(crate) fn each_record<T>(
    file: &[u8],
    mut accept: impl FnMut(&str, Found) -> Result<T, SkipReason>,
    mut take: impl FnMut(Record, Option<T>),
) {
    each_stretch(file, |stretch| {
        let record = |start: usize, end: usize, bucket| Record {
            offset: start as u64,
            length: (end - start) as u64,
            line: stretch.line,
            bucket,
        };
        match stretch.content {
            Content::Blank => return take(record(stretch.start, stretch.end, Bucket::Blank), None),
            Content::Padding => return take(record(stretch.start, stretch.end, Bucket::Padding), None),
            Content::Text => {}
        }
        let bytes = &file[stretch.start..stretch.end];
        if let Some(read) = intact(bytes).and_then(|text| accept(text, Found::Apart).ok()) {
            let bucket = if stretch.trimmed { Bucket::Repaired } else { Bucket::Read };
            return take(record(stretch.start, stretch.end, bucket), Some(read));
        }
        let mut pieces = take_apart(bytes, &mut accept);
        if pieces.iter().all(|p| p.read.is_err()) {
            let reason = whole_line_reason(bytes, &pieces);
            pieces = vec![Piece { start: 0, read: Err(reason) }];
        }
        let ends: Vec<usize> = pieces.iter().skip(1).map(|p| p.start).chain([bytes.len()]).collect();
        for (piece, end) in pieces.into_iter().zip(ends) {
            let (bucket, read) = match piece.read {
                Ok(read) => (Bucket::Repaired, Some(read)),
                Err(reason) => (Bucket::Skipped(reason), None),
            };
            take(record(stretch.start + piece.start, stretch.start + end, bucket), read);
        }
    });
}

/// The strict JSON text of a record that was kept.
pub(crate) fn strict_text(bytes: &[u8], bucket: Bucket) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) if bucket == Bucket::Read => Cow::Borrowed(text),
        _ => read_value(bytes).map(|r| Cow::Owned(r.text)).unwrap_or(Cow::Borrowed("null")),
    }
}

/// The text of a line that looks undamaged.
fn intact(bytes: &[u8]) -> Option<&str> {
    std::str::from_utf8(bytes).ok().filter(|text| !hides_damage(text))
}

/// A part of a line, up to the start of the next.
struct Piece<T> {
    start: usize,
    read: Result<T, SkipReason>,
}

/// Reads a line as values written one after the other, where any but the last may be torn.
fn take_apart<T>(line: &[u8], accept: &mut impl FnMut(&str, Found) -> Result<T, SkipReason>) -> Vec<Piece<T>> {
    let mut pieces = Vec::new();
    let mut budget = Budget { tries: TRIES, bytes: line.len().saturating_add(READ_LEAST) };
    let mut at = 0;
    while !line[at..].trim_ascii().is_empty() {
        match read_value(&line[at..]) {
            Ok(Repaired { text, used, .. }) => {
                pieces.push(Piece { start: at, read: accept(&text, Found::Apart) });
                at += used;
            }
            Err(broken) => {
                let (next, read) = match next_record(&line[at..], broken, &mut budget, accept) {
                    Some((next, used, read)) => (at + next, Some((used, read))),
                    None => (line.len(), None),
                };
                pieces.push(Piece { start: at, read: Err(SkipReason::NotJson) });
                at = next;
                if let Some((used, read)) = read {
                    pieces.push(Piece { start: at, read: Ok(read) });
                    at += used;
                }
            }
        }
    }
    pieces
}

/// Finds the next record in bytes whose first value breaks at `broken`: its start, its length and what was read.
fn next_record<T>(
    bytes: &[u8],
    broken: usize,
    budget: &mut Budget,
    accept: &mut impl FnMut(&str, Found) -> Result<T, SkipReason>,
) -> Option<(usize, usize, T)> {
    let mut attempt = |start: usize, found: Found| -> Option<(usize, usize, T)> {
        let value = budget.read(&bytes[start..])?;
        accept(&value.text, found).ok().map(|read| (start, value.used, read))
    };
    // A record that was cut while it wrote a string swallows the opening brace and quote of the one behind it, and breaks right there.
    let near = (broken + 2).min(bytes.len());
    if broken < bytes.len() {
        let start = memmem::rfind(&bytes[..near], b"{\"").filter(|start| *start > 0 && start + 4 >= near);
        if let Some(read) = start.and_then(|start| attempt(start, Found::Apart)) {
            return Some(read);
        }
    }
    // Otherwise it may stand anywhere behind the break, or inside a record that never ends.
    let from = if broken < bytes.len() { broken } else { 1 };
    let places = memmem::find_iter(bytes.get(from..)?, b"{\"").map(|start| from + start);
    places.take(TRIES as usize).find_map(|start| attempt(start, Found::Inside))
}

/// What may still be spent on a line.
struct Budget {
    tries: u32,
    bytes: usize,
}

impl Budget {
    /// Reads a value, if that can be afforded.
    fn read(&mut self, bytes: &[u8]) -> Option<Repaired> {
        self.tries = self.tries.checked_sub(1)?;
        if self.bytes == 0 {
            return None;
        }
        let value = read_value(bytes);
        let spent = value.as_ref().map_or_else(|broken| *broken, |value| value.used);
        self.bytes = self.bytes.saturating_sub(spent);
        value.ok()
    }
}

/// Why a line without any record was left out.
fn whole_line_reason<T>(bytes: &[u8], pieces: &[Piece<T>]) -> SkipReason {
    match pieces {
        [Piece { read: Err(reason), .. }] if read_value(bytes).is_ok() => *reason,
        _ => SkipReason::NotJson,
    }
}
