//! A session, turn, event or row while a rule looks at it, and the values of its fields.

use super::condition::quoted;
use super::context::Context;
use super::field::{Over, What};
use crate::ledger::{LedgerEntry, LedgerRow};
use crate::log::{Event, OpenedBy};
use serde_json::Value;

/// What is looked at, and what it is part of. Fields of what is not there have no value.
#[derive(Clone, Copy, Default)]
pub(super) struct Item<'a> {
    pub context: Option<&'a Context<'a>>,
    /// Position of the turn.
    pub turn: Option<usize>,
    pub event: Option<&'a Event>,
    pub row: Option<Row<'a>>,
}

/// A row, whole or as a screen may see it.
#[derive(Clone, Copy, Debug)]
pub enum Row<'a> {
    /// As it is kept.
    Kept(&'a LedgerRow),
    /// As it is shown: who wrote it, and as which number, is not in it.
    Shown(&'a LedgerEntry),
}

/// A value of a field.
#[derive(Clone, Copy, Debug)]
pub(super) enum Val<'a> {
    Text(&'a str),
    Number(f64),
    Flag(bool),
    Json(&'a Value),
}

impl<'a> Val<'a> {
    pub fn text(&self) -> Option<&'a str> {
        match self {
            Val::Text(text) => Some(text),
            Val::Json(value) => value.as_str(),
            _ => None,
        }
    }

    pub fn number(&self) -> Option<f64> {
        match self {
            Val::Number(number) => Some(*number),
            Val::Json(value) => value.as_f64(),
            _ => None,
        }
    }

    pub fn flag(&self) -> Option<bool> {
        match self {
            Val::Flag(flag) => Some(*flag),
            Val::Json(value) => value.as_bool(),
            _ => None,
        }
    }

    pub fn is_same(&self, other: &Val) -> bool {
        let text = self.text().is_some_and(|text| other.text() == Some(text));
        let number = self.number().is_some_and(|number| other.number() == Some(number));
        text || number || self.flag().is_some_and(|flag| other.flag() == Some(flag))
    }

    /// For a sentence.
    pub fn shown(&self) -> String {
        match self {
            Val::Text(text) => quoted(text),
            Val::Number(number) => number.to_string(),
            Val::Flag(flag) => flag.to_string(),
            Val::Json(Value::String(text)) => quoted(text),
            Val::Json(value) => quoted(&value.to_string()),
        }
    }
}

impl<'a> Item<'a> {
    /// The values of a field; none when it is absent.
    pub fn values(&self, what: &'a What) -> Option<Vec<Val<'a>>> {
        match what {
            What::Payload(path) => {
                let values = path.values(&self.event?.payload)?;
                Some(values.into_iter().filter(|value| !value.is_null()).map(Val::Json).collect())
            }
            What::Field(of, name) => {
                let value = match of {
                    Over::Session => self.of_session(name),
                    Over::Turn => self.of_turn(name),
                    Over::Event => self.of_event(name),
                    Over::Row => self.row.and_then(|row| row.value(name)),
                };
                value.map(|value| vec![value])
            }
        }
    }

    fn of_session(&self, name: &str) -> Option<Val<'a>> {
        let context = self.context?;
        let summary = context.log.summary();
        Some(match name {
            "session_id" => Val::Text(context.log.session_id()),
            "file" => Val::Text(context.file),
            "ephemeral" => Val::Flag(crate::log::is_ephemeral(context.log.session_id())),
            "conversation" => Val::Flag(context.log.is_conversation()),
            "turns" => count(context.log.turns().len() as u64),
            "preamble_events" => count(summary.preamble_events),
            "skipped_lines" => count(summary.skipped_lines),
            "repaired_lines" => count(summary.repaired_lines),
            "foreign_events" => count(summary.foreign_events),
            "total_tokens" => count(summary.total_tokens),
            "total_duration_ms" => Val::Number(summary.total_duration_ms),
            _ => return None,
        })
    }

    fn of_turn(&self, name: &str) -> Option<Val<'a>> {
        let context = self.context?;
        let turn = context.log.turns().get(self.turn?)?;
        let told = context.told.get(self.turn?);
        Some(match name {
            "opened_by" => Val::Text(match turn.opened_by {
                OpenedBy::User => "user",
                OpenedBy::System => "system",
                OpenedBy::Agent => "agent",
                OpenedBy::Unknown => "unknown",
            }),
            "opener" => Val::Text(turn.opener.as_deref()?),
            "handler" => Val::Text(told?.handler.as_deref()?),
            "verdict" => Val::Text(told?.verdict.as_deref()?),
            "intent" => Val::Text(told?.intent.as_deref()?),
            "agent_type" => Val::Text(told?.agent_type.as_deref()?),
            "outcome" => Val::Text(turn.outcome.as_str()),
            "request" => Val::Text(&turn.request),
            "answers" => count(turn.answers),
            "errors" => count(turn.errors),
            "records" => count(turn.records),
            "duration_ms" => Val::Number(turn.duration_ms),
            "total_tokens" => count(turn.total_tokens),
            "listed" => Val::Flag(turn.listed),
            "turn_id" => Val::Text(turn.turn_id.as_deref()?),
            "ref" => Val::Text(&turn.reference),
            "index" => count(turn.index?),
            _ => return None,
        })
    }

    fn of_event(&self, name: &str) -> Option<Val<'a>> {
        let event = self.event?;
        Some(match name {
            "kind" => Val::Text(&event.kind),
            "phase" => Val::Text(event.phase.as_deref()?),
            "agent_type" => Val::Text(event.agent_type.as_deref()?),
            "text" => Val::Text(event.text.as_deref()?),
            "iteration" => Val::Number(event.iteration? as f64),
            "turn_id" => Val::Text(event.turn_id.as_deref()?),
            "session_id" => Val::Text(event.session_id.as_deref()?),
            _ => return None,
        })
    }
}

fn count(count: u64) -> Val<'static> {
    Val::Number(count as f64)
}

impl<'a> Row<'a> {
    /// Whether the ledger wrote it about itself (specs: system-opened-turns, 1.2).
    pub(super) fn is_of_the_ledger(self) -> bool {
        match self {
            Row::Kept(row) => !row.is_decision(),
            Row::Shown(row) => row.plugin == "audit",
        }
    }

    /// What to call it: its record id, else its number.
    pub(super) fn name(self) -> String {
        let (record, id) = match self {
            Row::Kept(row) => (&row.record_id, row.id),
            Row::Shown(row) => (&row.record_id, row.id),
        };
        record.clone().unwrap_or_else(|| id.to_string())
    }

    /// The session it names.
    pub(super) fn session_id(self) -> Option<&'a str> {
        self.value("session_id").and_then(|value| value.text())
    }

    pub(super) fn value(self, name: &str) -> Option<Val<'a>> {
        match self {
            Row::Kept(row) => of_kept(row, name),
            Row::Shown(row) => of_shown(row, name),
        }
    }
}

fn of_kept<'a>(row: &'a LedgerRow, name: &str) -> Option<Val<'a>> {
    let payload = |key: &str| Some(Val::Text(row.payload.get(key)?.as_str()?));
    Some(match name {
        "hook_point" => Val::Text(&row.hook_point),
        "plugin" => Val::Text(&row.plugin),
        "decision" => Val::Text(row.decision.as_str()),
        "severity" => Val::Text(&row.severity),
        "reason" => Val::Text(&row.reason),
        "handler" => Val::Text(row.handler.as_deref()?),
        "deterministic" => Val::Flag(row.deterministic?),
        "caller" => Val::Text(row.caller.as_deref()?),
        "agent_type" => Val::Text(row.agent_type.as_deref()?),
        "tool_name" | "model" => payload(name)?,
        "classification" => Val::Text(row.classification.as_deref()?),
        "tier" => Val::Text(row.tier.as_deref()?),
        "session_id" => Val::Text(row.session_id.as_deref()?),
        "turn_id" => Val::Text(row.turn_id.as_deref()?),
        "run_id" => Val::Text(row.run_id.as_deref()?),
        "call_id" => Val::Text(row.call_id.as_deref()?),
        "step_id" => Val::Number(row.step_id? as f64),
        "record_id" => Val::Text(row.record_id.as_deref()?),
        "writer_id" => Val::Text(row.writer_id.as_deref()?),
        "writer_seq" => Val::Number(row.writer_seq? as f64),
        _ => return None,
    })
}

fn of_shown<'a>(row: &'a LedgerEntry, name: &str) -> Option<Val<'a>> {
    Some(match name {
        "hook_point" => Val::Text(&row.hook_point),
        "plugin" => Val::Text(&row.plugin),
        "decision" => Val::Text(row.decision.as_str()),
        "severity" => Val::Text(&row.severity),
        "reason" => Val::Text(&row.reason),
        "handler" => Val::Text(row.public.handler.as_deref()?),
        "deterministic" => Val::Flag(row.public.deterministic?),
        "caller" => Val::Text(row.public.caller.as_deref()?),
        "agent_type" => Val::Text(row.agent_type.as_deref()?),
        "tool_name" => Val::Text(row.public.tool_name.as_deref()?),
        "model" => Val::Text(row.public.model.as_deref()?),
        "classification" => Val::Text(row.classification.as_deref()?),
        "tier" => Val::Text(row.tier.as_deref()?),
        "session_id" => Val::Text(row.public.session_id.as_deref()?),
        "turn_id" => Val::Text(row.public.turn_id.as_deref()?),
        "run_id" => Val::Text(row.run_id.as_deref()?),
        "call_id" => Val::Text(row.public.call_id.as_deref()?),
        "step_id" => Val::Number(row.step_id? as f64),
        "record_id" => Val::Text(row.record_id.as_deref()?),
        _ => return None,
    })
}
