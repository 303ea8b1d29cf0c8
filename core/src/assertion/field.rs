//! What rules may read: the fields of sessions, turns, events and rows of the ledger, as one table.

use super::path::Path;
use crate::ledger::Decision;
use crate::template::nearest::nearest;

/// What a rule is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Over {
    /// One log.
    Session,
    /// A turn of a log.
    Turn,
    /// An event of a log.
    Event,
    /// A row of the governance ledger.
    Row,
}

impl Over {
    /// From the outermost inwards.
    pub const ALL: [Over; 4] = [Over::Session, Over::Turn, Over::Event, Over::Row];

    /// Its name in rules.
    pub fn as_str(self) -> &'static str {
        match self {
            Over::Session => "session",
            Over::Turn => "turn",
            Over::Event => "event",
            Over::Row => "row",
        }
    }

    /// What several are called.
    pub fn plural(self) -> &'static str {
        match self {
            Over::Session => "sessions",
            Over::Turn => "turns",
            Over::Event => "events",
            Over::Row => "rows",
        }
    }
}

/// What a field holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Any text.
    Text,
    /// One of these words.
    Word(&'static [&'static str]),
    /// A number.
    Number,
    /// True or false.
    Flag,
    /// Whatever the log holds there.
    Any,
}

/// A row of the table.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// What it is a field of.
    pub of: Over,
    /// Its name in rules.
    pub name: &'static str,
    /// What it holds.
    pub kind: Kind,
}

const OPENED_BY: &[&str] = &["user", "system", "agent", "unknown"];
const OUTCOMES: &[&str] = &["ok", "refused", "halted", "failed", "error", "unanswered"];
const SEVERITIES: &[&str] = &["info", "warn", "error", "critical"];
const VERDICTS: &[&str] = &["pass", "warn", "retry", "halt", "skipped"];
const DECISIONS: &[&str] = &["allow", "transform", "require_approval", "deny"];

const fn field(of: Over, name: &'static str, kind: Kind) -> Field {
    Field { of, name, kind }
}

/// Every field, the most important first.
pub const FIELDS: [Field; 56] = [
    field(Over::Session, "session_id", Kind::Text),
    field(Over::Session, "file", Kind::Text),
    field(Over::Session, "ephemeral", Kind::Flag),
    field(Over::Session, "conversation", Kind::Flag),
    field(Over::Session, "turns", Kind::Number),
    field(Over::Session, "preamble_events", Kind::Number),
    field(Over::Session, "skipped_lines", Kind::Number),
    field(Over::Session, "repaired_lines", Kind::Number),
    field(Over::Session, "foreign_events", Kind::Number),
    field(Over::Session, "total_tokens", Kind::Number),
    field(Over::Session, "total_duration_ms", Kind::Number),
    field(Over::Turn, "opened_by", Kind::Word(OPENED_BY)),
    field(Over::Turn, "opener", Kind::Text),
    field(Over::Turn, "handler", Kind::Text),
    field(Over::Turn, "verdict", Kind::Word(VERDICTS)),
    field(Over::Turn, "outcome", Kind::Word(OUTCOMES)),
    field(Over::Turn, "intent", Kind::Text),
    field(Over::Turn, "agent_type", Kind::Text),
    field(Over::Turn, "request", Kind::Text),
    field(Over::Turn, "answers", Kind::Number),
    field(Over::Turn, "errors", Kind::Number),
    field(Over::Turn, "records", Kind::Number),
    field(Over::Turn, "duration_ms", Kind::Number),
    field(Over::Turn, "total_tokens", Kind::Number),
    field(Over::Turn, "listed", Kind::Flag),
    field(Over::Turn, "turn_id", Kind::Text),
    field(Over::Turn, "ref", Kind::Text),
    field(Over::Turn, "index", Kind::Number),
    field(Over::Event, "kind", Kind::Text),
    field(Over::Event, "phase", Kind::Text),
    field(Over::Event, "agent_type", Kind::Text),
    field(Over::Event, "text", Kind::Text),
    field(Over::Event, "iteration", Kind::Number),
    field(Over::Event, "turn_id", Kind::Text),
    field(Over::Event, "session_id", Kind::Text),
    field(Over::Row, "hook_point", Kind::Text),
    field(Over::Row, "plugin", Kind::Text),
    field(Over::Row, "decision", Kind::Word(DECISIONS)),
    field(Over::Row, "severity", Kind::Word(SEVERITIES)),
    field(Over::Row, "reason", Kind::Text),
    field(Over::Row, "handler", Kind::Text),
    field(Over::Row, "deterministic", Kind::Flag),
    field(Over::Row, "caller", Kind::Text),
    field(Over::Row, "agent_type", Kind::Text),
    field(Over::Row, "tool_name", Kind::Text),
    field(Over::Row, "model", Kind::Text),
    field(Over::Row, "classification", Kind::Text),
    field(Over::Row, "tier", Kind::Text),
    field(Over::Row, "session_id", Kind::Text),
    field(Over::Row, "turn_id", Kind::Text),
    field(Over::Row, "run_id", Kind::Text),
    field(Over::Row, "call_id", Kind::Text),
    field(Over::Row, "step_id", Kind::Number),
    field(Over::Row, "record_id", Kind::Text),
    field(Over::Row, "writer_id", Kind::Text),
    field(Over::Row, "writer_seq", Kind::Number),
];

/// What a name in a rule means.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Named {
    /// As written.
    pub name: String,
    pub what: What,
    pub kind: Kind,
}

/// Where the value is.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum What {
    Field(Over, &'static str),
    /// In an event, below its payload.
    Payload(Path),
}

/// Where a name stands: what is looked at there, and whether its turn and session are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Scope {
    pub over: Over,
    pub in_turn: bool,
    pub in_session: bool,
}

impl Scope {
    /// Of a rule's own items. A row of the ledger stands for itself there: no log has to be there for it.
    pub fn of_rule(over: Over) -> Scope {
        Scope { over, in_turn: over == Over::Event, in_session: matches!(over, Over::Turn | Over::Event) }
    }

    /// Of what is looked for inside a session or turn.
    pub fn inside(outer: Over, over: Over) -> Scope {
        Scope { over, in_turn: over == Over::Event || (outer == Over::Turn && over == Over::Row), in_session: true }
    }

    /// Finds a field by its name. The error is a sentence and a suggestion.
    pub fn resolve(self, name: &str) -> Result<Named, (String, Option<String>)> {
        let (of, own) = match name.split_once('.') {
            Some(("turn", field)) if self.in_turn => (Over::Turn, field),
            Some(("session", field)) if self.in_session => (Over::Session, field),
            Some(("payload", path)) if self.over == Over::Event => {
                let path = Path::parse(path).map_err(|message| (format!("`{name}`: {message}"), None))?;
                return Ok(Named { name: name.to_owned(), what: What::Payload(path), kind: Kind::Any });
            }
            _ => (self.over, name),
        };
        if let Some(field) = FIELDS.iter().find(|field| field.of == of && field.name == own) {
            return Ok(Named { name: name.to_owned(), what: What::Field(of, field.name), kind: field.kind });
        }
        let article = if of == Over::Event { "an" } else { "a" };
        let sentence = format!("{article} {} has no field `{own}`", of.as_str());
        let front = &name[..name.len() - own.len()];
        let near = nearest(own, FIELDS.iter().filter(|field| field.of == of).map(|field| field.name));
        let elsewhere = || {
            let reachable = [(Over::Turn, self.in_turn), (Over::Session, self.in_session)];
            let field = |of: Over| FIELDS.iter().find(|field| field.of == of && field.name == own && of != self.over);
            let found = reachable.into_iter().filter(|(_, in_it)| *in_it).find_map(|(of, _)| field(of));
            found.map(|field| format!("did you mean `{}.{}`?", field.of.as_str(), field.name))
        };
        let payload = || (self.over == Over::Event && !name.contains('.')).then(|| format!("did you mean `payload.{name}`?"));
        let suggestion = near.map(|near| format!("did you mean `{front}{near}`?")).or_else(elsewhere).or_else(payload);
        Err((sentence, suggestion.or_else(|| Some(self.known()))))
    }

    fn known(self) -> String {
        let names: Vec<&str> = FIELDS.iter().filter(|field| field.of == self.over).map(|field| field.name).collect();
        format!("it has {}", names.join(", "))
    }
}

/// The words that a decision may be are the ledger's.
const _: () = assert!(DECISIONS.len() == Decision::ALL.len());
