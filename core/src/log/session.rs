//! One log that was read: where its records are, which events they hold, and how these make turns.

use super::event::Event;
use super::import::iris;
use super::model::{SessionSummary, SkippedLine, Turn, TurnList};
use super::name::{Target, is_session_id, parse_reference, session_id};
use super::pace::Pace;
use super::record::{Bucket, Record, each_record, strict_text};
use super::turns::{Glance, Router, TurnFacts, sum_up};
use std::collections::{HashMap, HashSet};
use std::fmt;

/// Characters of a title.
const TITLE: usize = 60;
/// Characters shown of a line that was left out.
const EXCERPT: usize = 120;

/// A log that was read. Keeps the bytes, and where every record lies in them; events are read again when they are looked at.
#[derive(Debug)]
pub struct Log {
    bytes: Vec<u8>,
    session_id: String,
    records: Vec<Record>,
    kinds: Vec<String>,
    events: Vec<EventRow>,
    facts: Vec<TurnFacts>,
    preamble: Vec<u32>,
    turns: Vec<Turn>,
    summary: SessionSummary,
}

/// An event in the index.
#[derive(Clone, Copy, Debug)]
struct EventRow {
    us: Option<i64>,
    record: u32,
    kind: u32,
}

/// Why a file is not read at all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotALog {
    /// Nothing in it but white space and padding.
    Empty,
    /// No line of it is a record.
    NoRecord {
        /// Its lines with text.
        lines: u64,
    },
}

impl fmt::Display for NotALog {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            NotALog::Empty => f.write_str("There is no text in the file, so there is no session in it."),
            NotALog::NoRecord { lines: 1 } => {
                f.write_str("This is not a session log: its one line with text is no JSON object with a `kind`.")
            }
            NotALog::NoRecord { lines } => write!(
                f,
                "This is not a session log: none of its {} with text holds a JSON object with a `kind`.",
                counted(*lines, "line")
            ),
        }
    }
}

impl std::error::Error for NotALog {}

impl Log {
    /// Reads the bytes of a file called `name`. `progress` is called every few hundred records, and oftener
    /// where they are large.
    ///
    /// # Errors
    /// [`NotALog`] when not a single record can be read; everything else is counted and kept.
    pub fn read(name: &str, bytes: Vec<u8>, progress: &mut dyn FnMut()) -> Result<Log, NotALog> {
        let mut index = Index::default();
        let mut pace = Pace::new(progress);
        each_record(&bytes, iris::glance, |record, glance| {
            pace.step(record.length);
            index.take(record, glance);
        });
        if index.events.is_empty() {
            let lines = index.records.iter().filter(|r| matches!(r.bucket, Bucket::Skipped(_))).count() as u64;
            return Err(if lines == 0 { NotALog::Empty } else { NotALog::NoRecord { lines } });
        }
        let id = session_id(name).or_else(|| index.most_frequent_session()).unwrap_or_else(|| stem(name));
        let turns = sum_up(&id, &index.router.turns);
        let mut log = Log {
            summary: summarise(&id, &index, &turns, bytes.len() as u64),
            bytes,
            session_id: id,
            records: index.records,
            kinds: index.kinds,
            events: index.events,
            facts: index.router.turns,
            preamble: index.router.preamble,
            turns,
        };
        let latest = (0..log.events.len()).filter(|e| log.events[*e].us.is_some()).max_by_key(|e| log.events[*e].us);
        log.summary.last_activity_at = latest.and_then(|event| log.event(event).ts);
        Ok(log)
    }

    /// The session's id.
    pub fn session_id(&self) -> &str {
        &self.session_id
    }

    /// What is in it, in one row.
    pub fn summary(&self) -> &SessionSummary {
        &self.summary
    }

    /// All turns in file order, hidden ones included.
    pub fn turns(&self) -> &[Turn] {
        &self.turns
    }

    /// The answer of `proem log turns`.
    pub fn turn_list(&self) -> TurnList {
        TurnList { session_id: self.session_id.clone(), preamble_events: self.preamble.len() as u64, turns: self.turns.clone() }
    }

    /// Whether somebody conversed here: a turn that a user opened, or one that did some work (specs: system-opened-turns, 4.3).
    pub fn is_conversation(&self) -> bool {
        self.facts.iter().any(TurnFacts::is_conversation)
    }

    /// Position of the turn that a reference of any form means (specs: iris-session-log, 7.3).
    pub fn find_turn(&self, reference: &str) -> Option<usize> {
        let by_id = |id: &str| self.turns.iter().position(|turn| turn.turn_id.as_deref() == Some(id));
        self.turns.iter().position(|turn| turn.reference == reference).or_else(|| match parse_reference(reference) {
            Some(Target::TurnId(id)) => by_id(id),
            Some(Target::Index(index)) => self.turns.iter().position(|turn| turn.index == Some(index)),
            // Some logs have turn ids of another form.
            None => by_id(reference),
        })
    }

    /// Position of the turn that is shown when none is named: the last listed one, else the last.
    pub fn default_turn(&self) -> Option<usize> {
        self.turns.iter().rposition(|turn| turn.listed).or_else(|| self.turns.len().checked_sub(1))
    }

    /// Microseconds of a turn's first event.
    pub fn turn_started_us(&self, turn: usize) -> Option<i64> {
        self.facts.get(turn)?.started_us()
    }

    /// Positions of a turn's events, in file order.
    pub fn turn_events(&self, turn: usize) -> impl DoubleEndedIterator<Item = usize> + ExactSizeIterator + '_ {
        self.facts.get(turn).map_or(&[][..], |facts| &facts.events).iter().map(|event| *event as usize)
    }

    /// Positions of the events before the first turn.
    pub fn preamble(&self) -> impl ExactSizeIterator<Item = usize> + '_ {
        self.preamble.iter().map(|event| *event as usize)
    }

    /// How many events there are.
    pub fn event_count(&self) -> usize {
        self.events.len()
    }

    /// The kind of the event at a position, without reading the rest of it.
    pub fn kind(&self, event: usize) -> &str {
        self.events.get(event).and_then(|row| self.kinds.get(row.kind as usize)).map_or("", String::as_str)
    }

    /// Microseconds of the event at a position, without reading the rest of it.
    pub fn stamp_us(&self, event: usize) -> Option<i64> {
        self.events.get(event)?.us
    }

    /// Line of the event at a position, from 1.
    pub fn line(&self, event: usize) -> u64 {
        self.events.get(event).and_then(|row| self.records.get(row.record as usize)).map_or(0, |record| record.line)
    }

    /// Bytes of the record that holds the event at a position.
    pub(crate) fn event_bytes(&self, event: usize) -> u64 {
        self.events.get(event).and_then(|row| self.records.get(row.record as usize)).map_or(0, |record| record.length)
    }

    /// Reads the event at a position below [`event_count`](Log::event_count).
    pub fn event(&self, event: usize) -> Event {
        let position = self.events[event].record as usize;
        let record = &self.records[position];
        let text = strict_text(record.bytes(&self.bytes), record.bucket);
        iris::event(&text, position).unwrap_or_else(|| Event {
            // The glance took this record, so it is an object with a kind; only a value in it can be beyond reading.
            record: position,
            kind: self.kind(event).to_owned(),
            stamp: None,
            ts: None,
            session_id: None,
            turn_id: None,
            agent_type: None,
            iteration: None,
            phase: None,
            text: None,
            payload: serde_json::Map::new(),
        })
    }

    /// The file, range by range: every byte is in exactly one.
    pub fn records(&self) -> &[Record] {
        &self.records
    }

    /// The file.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The bytes of a record of this log, as they are in the file.
    pub fn raw(&self, record: &Record) -> &[u8] {
        record.bytes(&self.bytes)
    }

    /// The lines that were left out, in file order.
    pub fn skipped(&self) -> impl Iterator<Item = SkippedLine> + '_ {
        self.records.iter().filter_map(|record| match record.bucket {
            Bucket::Skipped(reason) => Some(SkippedLine { line: record.line, reason, excerpt: excerpt(self.raw(record)) }),
            _ => None,
        })
    }
}

/// What is gathered in the one pass over the file.
#[derive(Default)]
struct Index {
    records: Vec<Record>,
    kinds: Vec<String>,
    kind_numbers: HashMap<String, u32>,
    events: Vec<EventRow>,
    router: Router,
    /// Session ids in order of first use, and how often each is named.
    sessions: Vec<(String, u64)>,
    session_numbers: HashMap<String, usize>,
}

impl Index {
    fn take(&mut self, record: Record, glance: Option<Glance>) {
        let Some(mut glance) = glance else {
            return match self.records.last_mut() {
                // One range for a run of blank lines, so that a file of line ends costs nothing.
                Some(last) if last.bucket == record.bucket && matches!(record.bucket, Bucket::Blank | Bucket::Padding) => {
                    last.length += record.length;
                }
                _ => self.records.push(record),
            };
        };
        if let Some(session) = glance.session_id.take() {
            match self.session_numbers.get(&session) {
                Some(number) => self.sessions[*number].1 += 1,
                None => {
                    self.session_numbers.insert(session.clone(), self.sessions.len());
                    self.sessions.push((session, 1));
                }
            }
        }
        let kind = match self.kind_numbers.get(&glance.kind) {
            Some(number) => *number,
            None => {
                let number = narrow(self.kinds.len());
                self.kinds.push(glance.kind.clone());
                self.kind_numbers.insert(std::mem::take(&mut glance.kind), number);
                number
            }
        };
        let event = narrow(self.events.len());
        self.events.push(EventRow { us: glance.us, record: narrow(self.records.len()), kind });
        self.records.push(record);
        self.router.route(event, glance);
    }

    fn most_frequent_session(&self) -> Option<String> {
        let usable = self.sessions.iter().enumerate().filter(|(_, (id, _))| is_session_id(id));
        usable.max_by_key(|(first, (_, count))| (*count, std::cmp::Reverse(*first))).map(|(_, (id, _))| id.clone())
    }
}

/// A position as four bytes; a record takes at least twelve bytes, so a file in memory does not come near the limit.
fn narrow(position: usize) -> u32 {
    u32::try_from(position).unwrap_or(u32::MAX)
}

/// An id for a file that names no session anywhere.
fn stem(name: &str) -> String {
    let name = name.rsplit(['/', '\\']).next().unwrap_or_default();
    let stem: String = name.split('.').next().unwrap_or_default().chars().filter(|c| !c.is_control()).take(128).collect();
    if is_session_id(&stem) { stem } else { "log".to_owned() }
}

fn summarise(session_id: &str, index: &Index, turns: &[Turn], bytes: u64) -> SessionSummary {
    let mut openers: Vec<String> = Vec::new();
    let mut seen = HashSet::new();
    for turn in turns.iter().filter(|turn| turn.opener.is_some() || turn.opened_by == super::OpenedBy::System) {
        if seen.insert(&turn.request) && !turn.request.is_empty() {
            openers.push(turn.request.clone());
        }
    }
    let first = (0..turns.len()).filter(|turn| index.router.turns[*turn].started_us().is_some());
    let started_at =
        first.min_by_key(|turn| index.router.turns[*turn].started_us()).and_then(|turn| turns[turn].started_at.clone());
    let skipped = index.records.iter().filter(|record| matches!(record.bucket, Bucket::Skipped(_))).count();
    let mut repaired: Vec<u64> = index.records.iter().filter(|r| r.bucket == Bucket::Repaired).map(|r| r.line).collect();
    // One line may have been taken apart into several records.
    repaired.dedup();
    let foreign = index.sessions.iter().filter(|(id, _)| id != session_id).map(|(_, count)| count).sum();
    let listed = turns.iter().filter(|turn| turn.listed);
    SessionSummary {
        format: iris::FORMAT.to_owned(),
        session_id: session_id.to_owned(),
        title: title(turns),
        openers,
        started_at,
        last_activity_at: None,
        turn_count: listed.clone().count() as u64,
        hidden_turns: turns.iter().filter(|turn| !turn.listed).count() as u64,
        preamble_events: index.router.preamble.len() as u64,
        skipped_lines: skipped as u64,
        repaired_lines: repaired.len() as u64,
        foreign_events: foreign,
        total_tokens: turns.iter().fold(0, |sum, turn| sum.saturating_add(turn.total_tokens)),
        // Kept finite: JSON has no infinity.
        total_duration_ms: listed.fold(0.0, |sum, turn| sum + turn.duration_ms).min(f64::MAX),
        records: index.events.len() as u64,
        bytes,
    }
}

/// The first typed, non-blank request among the listed turns, else the first non-blank one (specs: iris-session-log, 7.11).
fn title(turns: &[Turn]) -> String {
    let mut asked = turns.iter().filter(|turn| !turn.request.trim().is_empty());
    let typed = asked.clone().find(|turn| turn.listed && turn.opened_by == super::OpenedBy::User);
    let Some(turn) = typed.or_else(|| asked.next()) else { return "(untitled)".to_owned() };
    let one_line = turn.request.split_whitespace().collect::<Vec<_>>().join(" ");
    cut(&one_line, TITLE)
}

/// The first `limit` characters, trailing space removed, with an ellipsis when something was left out.
pub(crate) fn cut(text: &str, limit: usize) -> String {
    match text.char_indices().nth(limit) {
        Some((end, _)) => format!("{}…", text[..end].trim_end()),
        None => text.to_owned(),
    }
}

/// A number with its noun: `1 line`, `2,000 lines`.
pub fn counted(count: u64, what: &str) -> String {
    format!("{} {what}{}", super::repair::thousands(count), if count == 1 { "" } else { "s" })
}

fn excerpt(bytes: &[u8]) -> String {
    // Four bytes a character is the most UTF-8 takes; the rest of a long line is not looked at.
    let start = &bytes[..bytes.len().min(EXCERPT * 4 + 4)];
    String::from_utf8_lossy(start).trim().chars().take(EXCERPT).collect()
}
