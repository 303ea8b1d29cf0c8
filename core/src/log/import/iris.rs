//! Reads the records of an IRIS session log (specs: iris-session-log, section 1).

use crate::log::event::Event;
use crate::log::model::{OpenedBy, SkipReason, TURN_OPENING_KINDS};
use crate::log::record::Found;
use crate::log::stamp::{Stamp, parse_stamp};
use crate::log::turns::{Fact, Glance};
use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use std::borrow::Cow;
use std::fmt;

/// The format's name in summaries.
pub(crate) const FORMAT: &str = "iris";

/// Kinds that make a turn worth listing (section 2).
const MEANINGFUL: [&str; 5] = ["llm_call", "intent_router.end", "agent.trace", "tool_run", "handler.end"];

/// Reads what routing and summing need of a record, and no more.
pub(crate) fn glance(text: &str, found: Found) -> Result<Glance, SkipReason> {
    let head: Head =
        serde_json::from_str(text).map_err(|e| if e.is_data() { SkipReason::NotObject } else { SkipReason::NotJson })?;
    let kind = head.text(Field::Kind).ok_or(SkipReason::NoKind)?;
    let ts = head.text(Field::Ts);
    if found == Found::Inside && ts.is_none() {
        return Err(SkipReason::NoKind);
    }
    Ok(Glance {
        meaningful: MEANINGFUL.contains(&&*kind),
        fact: head.fact(&kind),
        us: ts.as_deref().and_then(parse_stamp),
        ts: ts.map(Cow::into_owned),
        turn_id: head.text(Field::TurnId).filter(|id| !id.is_empty()).map(Cow::into_owned),
        session_id: head.text(Field::SessionId).filter(|id| !id.is_empty()).map(Cow::into_owned),
        kind: kind.into_owned(),
    })
}

/// Reads a whole record; `None` for what is no record of this format.
pub(crate) fn event(text: &str, record: usize) -> Option<Event> {
    let Ok(Value::Object(mut map)) = serde_json::from_str(text) else { return None };
    let Some(Value::String(kind)) = map.shift_remove("kind") else { return None };
    let ts = take_text(&mut map, "ts");
    let stamp = ts.as_ref().and_then(|ts| Some(Stamp { us: parse_stamp(ts)?, text: ts.clone() }));
    let session_id = take_text(&mut map, "session_id");
    let turn_id = take_text(&mut map, "turn_id").filter(|id| !id.is_empty());
    let agent_type = take_text(&mut map, "agent_type");
    let phase = take_text(&mut map, "phase");
    let text = take_text(&mut map, "text");
    let iteration = map.get("iteration").and_then(Value::as_i64);
    if iteration.is_some() || map.get("iteration").is_some_and(Value::is_null) {
        map.shift_remove("iteration");
    }
    let mut payload = match map.shift_remove("payload") {
        Some(Value::Object(payload)) => payload,
        Some(Value::Null) | None => Map::new(),
        Some(other) => Map::from_iter([("payload".to_owned(), other)]),
    };
    for (key, value) in map {
        payload.entry(key).or_insert(value);
    }
    Some(Event { record, kind, stamp, ts, session_id, turn_id, agent_type, iteration, phase, text, payload })
}

/// Takes a text out; null goes too, a value of another type stays among the other values.
fn take_text(map: &mut Map<String, Value>, key: &str) -> Option<String> {
    match map.get(key) {
        Some(Value::String(_) | Value::Null) => map.shift_remove(key).and_then(|v| v.as_str().map(str::to_owned)),
        _ => None,
    }
}

/// The top-level fields that a glance may need.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Field {
    Kind,
    Ts,
    SessionId,
    TurnId,
    AgentType,
    Phase,
    Text,
    Payload,
    Opener,
    Label,
    Intent,
    HasErrors,
    Duration,
    Tokens,
    Message,
}

const FIELDS: [(&str, Field); 15] = [
    ("kind", Field::Kind),
    ("ts", Field::Ts),
    ("session_id", Field::SessionId),
    ("turn_id", Field::TurnId),
    ("agent_type", Field::AgentType),
    ("phase", Field::Phase),
    ("text", Field::Text),
    ("payload", Field::Payload),
    ("opener", Field::Opener),
    ("label", Field::Label),
    ("intent", Field::Intent),
    ("has_errors", Field::HasErrors),
    ("total_duration_ms", Field::Duration),
    ("tokens", Field::Tokens),
    ("message", Field::Message),
];

/// The raw values of a record's fields. Of a repeated field the last counts, as everywhere in JSON's practice.
#[derive(Default)]
struct Head<'a> {
    raw: [Option<&'a RawValue>; FIELDS.len()],
}

impl<'a> Head<'a> {
    fn text(&self, field: Field) -> Option<Cow<'a, str>> {
        let inner = self.raw[field as usize]?.get().strip_prefix('"')?.strip_suffix('"')?;
        if inner.contains('\\') {
            return serde_json::from_str(self.raw[field as usize]?.get()).ok().map(Cow::Owned);
        }
        Some(Cow::Borrowed(inner))
    }

    fn value(&self, field: Field) -> Value {
        self.raw[field as usize].and_then(|raw| serde_json::from_str(raw.get()).ok()).unwrap_or(Value::Null)
    }

    fn fact(&self, kind: &str) -> Fact {
        let owned = |field| self.text(field).map(Cow::into_owned);
        let not_empty = |field| owned(field).filter(|text| !text.is_empty());
        match kind {
            kind if kind == TURN_OPENING_KINDS[0] => {
                Fact::Opening { by: OpenedBy::User, opener: None, request: owned(Field::Text).unwrap_or_default() }
            }
            kind if kind == TURN_OPENING_KINDS[1] => {
                let opener = not_empty(Field::Opener);
                let request = not_empty(Field::Label).or_else(|| opener.clone()).unwrap_or_default();
                Fact::Opening { by: OpenedBy::System, opener, request }
            }
            "agent_response" => {
                let governance = |field| self.text(field).is_some_and(|text| text == "governance");
                Fact::Answer {
                    refused: governance(Field::Intent) && governance(Field::AgentType),
                    has_errors: self.value(Field::HasErrors) == Value::Bool(true),
                    reported_ms: self.value(Field::Duration).as_f64().filter(|ms| ms.is_finite()),
                }
            }
            "llm_call" => Fact::Tokens(count(&self.value(Field::Tokens)["total_tokens"])),
            "error" => Fact::Error,
            "guard.end" if self.value(Field::Payload)["verdict"] == "halt" => Fact::Halt,
            "response_curator.end" if self.value(Field::Payload)["metadata"]["judge_bundle"]["halted"] == true => Fact::Halt,
            "pipeline.phase" if self.text(Field::Phase).is_some_and(|phase| phase == "planner.resume") => {
                Fact::Resumes(run_id(&self.value(Field::Payload)))
            }
            "agent.trace" if self.text(Field::Phase).is_some_and(|phase| phase == "agent.result") => {
                run_id(&self.value(Field::Payload)).map_or(Fact::None, Fact::ResultOf)
            }
            _ => Fact::None,
        }
    }
}

fn run_id(payload: &Value) -> Option<String> {
    payload["run_id"].as_str().filter(|id| !id.is_empty()).map(str::to_owned)
}

/// A count of tokens; anything that is no number from 0 up counts nothing.
pub(crate) fn count(value: &Value) -> u64 {
    // A float counts too: writers in other languages know no integers. The cast saturates.
    value.as_u64().unwrap_or_else(|| value.as_f64().map_or(0, |n| n as u64))
}

/// Recognises a field by its name without keeping the name.
struct Known(Option<Field>);

impl<'de> Deserialize<'de> for Known {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Name;
        impl Visitor<'_> for Name {
            type Value = Known;
            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("a field name")
            }
            fn visit_str<E>(self, name: &str) -> Result<Known, E> {
                Ok(Known(FIELDS.iter().find(|(known, _)| *known == name).map(|(_, field)| *field)))
            }
        }
        deserializer.deserialize_identifier(Name)
    }
}

impl<'de> Deserialize<'de> for Head<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Fields;
        impl<'de> Visitor<'de> for Fields {
            type Value = Head<'de>;
            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Head<'de>, A::Error> {
                let mut head = Head::default();
                while let Some(Known(field)) = map.next_key()? {
                    match field {
                        Some(field) => head.raw[field as usize] = Some(map.next_value()?),
                        None => {
                            map.next_value::<IgnoredAny>()?;
                        }
                    }
                }
                Ok(head)
            }
        }
        deserializer.deserialize_map(Fields)
    }
}
