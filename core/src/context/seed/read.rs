//! Reads stores, contexts and seeds: documents of messages. What is not understood is kept as it was written.

use super::{Block, Mark, Message, PLACEHOLDER, Stored};
use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::Value;
use serde_json::value::RawValue;
use std::fmt;

/// Fields that only a store gives a message; a seed has none of them.
const STORE_ONLY: [&str; 5] = ["id", "sequence", "metadata", "timestamp", "causedBy"];

/// Everything that makes a seed.
#[derive(Clone, Debug)]
pub struct SeedCase {
    /// The template's name.
    pub template: String,
    /// The fork's name.
    pub fork: String,
    /// The template's store.
    pub store: Vec<Stored>,
    /// The template's compiled context.
    pub compiled: Vec<Message>,
}

/// Reads `{"template","fork","store":[message],"compiled":[message]}`.
///
/// # Errors
/// A sentence with the place.
pub fn case(text: &str) -> Result<SeedCase, String> {
    #[derive(Deserialize)]
    struct Document {
        template: String,
        fork: String,
        store: Vec<Fields>,
        compiled: Vec<Fields>,
    }
    let document: Document = serde_json::from_str(text.trim_start_matches('\u{feff}')).map_err(|error| {
        format!("This is not what a seed is made of, `{{\"template\", \"fork\", \"store\": […], \"compiled\": […]}}`: {error}.")
    })?;
    Ok(SeedCase {
        template: document.template,
        fork: document.fork,
        store: numbered(document.store, "store", stored)?,
        compiled: numbered(document.compiled, "compiled", message)?,
    })
}

/// Reads a dump of a store, or of a fork's messages: a JSON list of messages, an object with the list under `messages` or `store`, or one
/// message a line. Lines that are none are left out and named.
///
/// # Errors
/// A sentence when there is no message in it.
pub fn dump(text: &str) -> Result<(Vec<Stored>, Vec<String>), String> {
    let (fields, remarks) = rows(text)?;
    Ok((numbered(fields, "messages", stored)?, remarks))
}

/// As [`dump`], read as messages of a context.
///
/// # Errors
/// As [`dump`].
pub fn messages(text: &str) -> Result<(Vec<Message>, Vec<String>), String> {
    let (fields, remarks) = rows(text)?;
    Ok((numbered(fields, "messages", message)?, remarks))
}

fn rows(text: &str) -> Result<(Vec<Fields>, Vec<String>), String> {
    #[derive(Deserialize)]
    struct Wrapped {
        #[serde(alias = "store")]
        messages: Vec<Fields>,
    }
    let text = text.trim_start_matches('\u{feff}').trim();
    if text.starts_with('[') {
        return serde_json::from_str(text)
            .map(|fields| (fields, Vec::new()))
            .map_err(|error| format!("This list of messages cannot be read: {error}."));
    }
    if let Ok(Wrapped { messages }) = serde_json::from_str(text) {
        return Ok((messages, Vec::new()));
    }
    let (mut fields, mut remarks) = (Vec::new(), Vec::new());
    for (line, number) in text.lines().zip(1u64..).filter(|(line, _)| !line.trim().is_empty()) {
        match serde_json::from_str::<Fields>(line) {
            Ok(message) if message.get("content").is_some() => fields.push(message),
            Ok(_) => remarks.push(format!("Line {number} has no `content`, so it is no message.")),
            Err(error) => {
                let what = error.to_string();
                // The line that the parser counts is always the first.
                let what = what.rsplit_once(" at line").map_or(&*what, |(what, _)| what);
                remarks.push(format!("Line {number} cannot be read: {what} at column {}.", error.column()));
            }
        }
    }
    if fields.is_empty() {
        return Err("There is no message in it. A dump is a JSON list of messages, or one message a line, each with `participant` and `content`.".to_owned());
    }
    Ok((fields, remarks))
}

fn numbered<T>(rows: Vec<Fields>, list: &str, read: fn(Fields) -> Result<T, String>) -> Result<Vec<T>, String> {
    let read = |(at, fields): (usize, Fields)| read(fields).map_err(|what| format!("Message {} of `{list}`: {what}", at + 1));
    rows.into_iter().enumerate().map(read).collect()
}

fn stored(fields: Fields) -> Result<Stored, String> {
    let whole = fields.whole()?;
    let metadata = &whole["metadata"];
    let is_system = metadata["system"] == Value::Bool(true);
    let mark = match metadata {
        _ if is_system && metadata["kind"] == "channel-notice" => Some(Mark::ChannelNotice),
        _ if is_system && !metadata["speaker"].is_null() => Some(Mark::Speaker),
        _ => None,
    };
    let id = match &whole["id"] {
        Value::String(id) => id.clone(),
        Value::Null => String::new(),
        other => other.to_string(),
    };
    Ok(Stored { id, content: content(&fields)?, mark, whole })
}

fn message(fields: Fields) -> Result<Message, String> {
    let participant = match fields.get("participant").map(|raw| serde_json::from_str(raw.get())) {
        None => return Err("it has no `participant`.".to_owned()),
        Some(Ok(Value::String(name))) => name,
        Some(_) => return Err("its `participant` is no text.".to_owned()),
    };
    let content = content(&fields)?;
    let own = |name: &str| name == "participant" || name == "content" || STORE_ONLY.contains(&name);
    Ok(Message { participant, content, others: fields.0.into_iter().filter(|(name, _)| !own(name)).collect() })
}

fn content(fields: &Fields) -> Result<Vec<Block>, String> {
    let raw = fields.get("content").ok_or("it has no `content`.")?;
    let blocks: Vec<Box<RawValue>> =
        serde_json::from_str(raw.get()).map_err(|_| "its `content` is no list of blocks.".to_owned())?;
    Ok(blocks.into_iter().map(block).collect())
}

fn block(raw: Box<RawValue>) -> Block {
    // A block that is no object, or whose fields have other types, is one that nothing is known of.
    let value: Value = serde_json::from_str(raw.get()).unwrap_or(Value::Null);
    let text = |key: &str| value[key].as_str().map(str::to_owned);
    let kind = text("type").unwrap_or_default();
    let call = match kind.as_str() {
        "tool_use" => text("id"),
        "tool_result" => text("toolUseId"),
        _ => None,
    };
    Block { text: text("text").filter(|_| kind == "text"), kind, call, raw }
}

/// The block that stands for tool blocks that were left out.
pub(super) fn placeholder() -> Block {
    let json = format!("{{\"type\":\"text\",\"text\":\"{PLACEHOLDER}\"}}");
    let raw = RawValue::from_string(json).unwrap_or_default();
    Block { kind: "text".to_owned(), text: Some(PLACEHOLDER.to_owned()), call: None, raw }
}

/// An object's fields in their order, as they were written. Of a repeated field the last counts.
#[derive(Debug)]
struct Fields(Vec<(String, Box<RawValue>)>);

impl Fields {
    fn get(&self, name: &str) -> Option<&RawValue> {
        self.0.iter().rev().find(|(field, _)| field == name).map(|(_, value)| &**value)
    }

    fn whole(&self) -> Result<Value, String> {
        let mut map = serde_json::Map::new();
        for (name, raw) in &self.0 {
            let value = serde_json::from_str(raw.get()).map_err(|error| format!("its `{name}` cannot be read: {error}."))?;
            map.insert(name.clone(), value);
        }
        Ok(Value::Object(map))
    }
}

impl<'de> Deserialize<'de> for Fields {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Fields, D::Error> {
        struct Object;
        impl<'de> Visitor<'de> for Object {
            type Value = Fields;
            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("a message, which is an object")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Fields, A::Error> {
                let mut fields = Vec::new();
                while let Some(field) = map.next_entry::<String, Box<RawValue>>()? {
                    fields.push(field);
                }
                Ok(Fields(fields))
            }
        }
        deserializer.deserialize_map(Object)
    }
}
