//! A facts document: what one run may know. Read against the facts table, so that nothing else can be in it.

mod text;

pub use text::FACTS_DEPTH;

use super::kind::OpeningKind;
use super::shape::contract;
use super::table::{CONTRACT, Field, Kinds, Type, roots};
use crate::template::engine::Context;
use crate::template::nearest::nearest;
use crate::template::shape::Shape;
use serde_json::{Map, Value};

/// Largest facts document, in bytes of JSON.
pub const FACTS_LIMIT: usize = 1_048_576;

/// Most faults of one document that are told.
const TOLD: usize = 50;

/// Facts that satisfy the contract: every key of the table is there, in its order, and no other.
#[derive(Clone, Debug, PartialEq)]
pub struct Facts {
    kind: Option<OpeningKind>,
    document: Value,
}

/// Why a document is not facts. Each is one sentence that names the path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FactsErrors(pub Vec<String>);

impl std::fmt::Display for FactsErrors {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0.join("; "))
    }
}

impl std::error::Error for FactsErrors {}

impl Facts {
    /// Reads JSON text. All faults are reported at once. Nothing is rounded: a number that 64 bits do not hold is a fault, and so is a
    /// key that is said twice, since one of its values would be lost.
    pub fn parse(text: &str) -> Result<Facts, FactsErrors> {
        if text.len() > FACTS_LIMIT {
            return Err(FactsErrors(vec!["the facts are larger than 1 MB".to_owned()]));
        }
        let faults = text::faults(text);
        if !faults.is_empty() {
            return Err(FactsErrors(faults));
        }
        let document: Value = serde_json::from_str(text).map_err(|error| FactsErrors(vec![not_json(&error)]))?;
        Facts::from_json(document)
    }

    /// Reads a JSON value.
    pub fn from_json(document: Value) -> Result<Facts, FactsErrors> {
        let Value::Object(mut given) = document else {
            return Err(FactsErrors(vec![format!("the facts must be an object, not {}", word(&document))]));
        };
        let mut reader = Reader { kind: None, errors: Vec::new() };
        reader.kind = reader.read_kind(&given);
        let document = reader.object("", roots(), &mut given);
        if reader.errors.len() > TOLD {
            let more = reader.errors.split_off(TOLD).len();
            reader.errors.push(format!("and {more} more"));
        }
        if reader.errors.is_empty() {
            Ok(Facts { kind: reader.kind, document: Value::Object(document) })
        } else {
            Err(FactsErrors(reader.errors))
        }
    }

    /// The situation; absent when there is no `opening`.
    pub fn kind(&self) -> Option<OpeningKind> {
        self.kind
    }

    /// The same facts as an older server sends them.
    pub fn without_opening(mut self) -> Facts {
        if let Value::Object(document) = &mut self.document {
            document.remove("opening");
        }
        self.kind = None;
        self
    }

    /// The whole document.
    pub fn document(&self) -> &Value {
        &self.document
    }

    /// What templates read.
    pub fn context(&self) -> Context {
        Context::typed(self.shape(), &self.document)
    }

    /// What can be read in their situation.
    pub fn shape(&self) -> &'static Shape {
        // An older server's is the last.
        let at = OpeningKind::ALL.iter().position(|kind| Some(*kind) == self.kind).unwrap_or(OpeningKind::ALL.len());
        &contract().situations[at].shape
    }
}

/// Walks the table and a document together.
struct Reader {
    kind: Option<OpeningKind>,
    errors: Vec<String>,
}

impl Reader {
    fn read_kind(&mut self, given: &Map<String, Value>) -> Option<OpeningKind> {
        given.get("opening")?.get("kind")?.as_str()?.parse().ok()
    }

    fn object(
        &mut self,
        path: &str,
        fields: impl Iterator<Item = &'static Field>,
        given: &mut Map<String, Value>,
    ) -> Map<String, Value> {
        let mut known = Vec::new();
        let mut object = Map::new();
        for field in fields {
            known.push(field.name());
            let place = place_of(path, field.name());
            match given.remove(field.name()) {
                None if place == "opening" => {}
                // An older server's null is the same as no `opening` at all.
                Some(Value::Null) if place == "opening" => {}
                value => {
                    let value = self.field(&place, field, value);
                    object.insert(field.name().to_owned(), value);
                }
            }
        }
        for key in given.keys() {
            let place = cut(&place_of(path, key));
            let hint = nearest(key, known.iter().copied()).map_or(String::new(), |name| format!("; did you mean `{name}`?"));
            self.errors.push(format!("`{place}` is not a fact{hint}"));
        }
        object
    }

    fn field(&mut self, place: &str, field: &'static Field, value: Option<Value>) -> Value {
        let applies = self.kind.is_none_or(|kind| field.kinds.include(kind));
        // Without a kind nothing says that there must be a task or a conversation; what is there must be whole.
        let required = match self.kind {
            _ if field.nullable => false,
            Some(kind) => field.kinds.include(kind),
            None => field.kinds == Kinds::All || !field.parent().is_empty(),
        };
        let is_list = matches!(field.ty, Type::ObjectList | Type::TextList);
        let missing = value.is_none();
        let value = match value {
            None | Some(Value::Null) if is_list => return Value::Array(Vec::new()),
            None if field.ty == Type::Integer && !field.is_contract() => return Value::from(0),
            Some(Value::Null) if field.ty == Type::Integer && !required => return Value::from(0),
            None | Some(Value::Null) if !required => return Value::Null,
            None | Some(Value::Null) => {
                let what = if missing { "is missing" } else { "must not be null" };
                self.errors.push(format!("`{place}` {what}"));
                return Value::Null;
            }
            Some(value) => value,
        };
        if let Some(kind) = self.kind.filter(|_| !applies && !is_empty(&value)) {
            self.errors.push(format!("`{place}` does not exist when opening.kind is {kind}; leave it out"));
            return value;
        }
        self.typed(place, field, value)
    }

    fn typed(&mut self, place: &str, field: &'static Field, value: Value) -> Value {
        match (field.ty, value) {
            (Type::Text, value @ Value::String(_)) => value,
            (Type::Kind, Value::String(text)) => {
                if let Err(error) = cut(&text).parse::<OpeningKind>() {
                    self.errors.push(format!("`{place}`: {error}"));
                }
                Value::String(text)
            }
            (Type::Word(words), Value::String(text)) => {
                if !words.contains(&text.as_str()) {
                    self.errors.push(format!("`{place}` must be {}, not `{}`", words.join(" or "), cut(&text)));
                }
                Value::String(text)
            }
            (Type::Integer, Value::Number(number)) if number.is_u64() => {
                if field.is_contract() && number.as_u64() != Some(u64::from(CONTRACT)) {
                    self.errors.push(format!("`{place}` is {number}; this Proem knows contract {CONTRACT}"));
                }
                Value::Number(number)
            }
            (Type::Object, Value::Object(mut given)) => Value::Object(self.object(place, field.fields(), &mut given)),
            (Type::ObjectList, Value::Array(items)) => {
                let items = items.into_iter().enumerate().map(|(at, item)| {
                    let place = format!("{place}[{at}]");
                    match item {
                        Value::Object(mut given) => Value::Object(self.object(&place, field.fields(), &mut given)),
                        other => {
                            self.errors.push(format!("`{place}` must be an object, not {}", word(&other)));
                            other
                        }
                    }
                });
                Value::Array(items.collect())
            }
            (Type::TextList, Value::Array(items)) => {
                for (at, item) in items.iter().enumerate().filter(|(_, item)| !item.is_string()) {
                    self.errors.push(format!("`{place}[{at}]` must be text, not {}", word(item)));
                }
                Value::Array(items)
            }
            (Type::Integer, Value::Number(_)) => {
                self.errors.push(format!("`{place}` must be a whole number from 0 to {}", u64::MAX));
                Value::Null
            }
            (ty, value) => {
                self.errors.push(format!("`{place}` must be {}, not {}", type_word(ty), word(&value)));
                value
            }
        }
    }
}

/// A path in a sentence: a key may be as long as the document, and hold what a terminal obeys.
fn cut(text: &str) -> String {
    let shown = text.chars().take(80).map(|c| if c.is_control() { '\u{fffd}' } else { c });
    shown.chain(text.chars().nth(80).map(|_| '…')).collect()
}

fn place_of(path: &str, key: &str) -> String {
    if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") }
}

fn not_json(error: &serde_json::Error) -> String {
    let message = error.to_string();
    match message.strip_prefix("number out of range") {
        Some(place) => format!("the facts hold a number that is too large to keep{place}"),
        None => format!("the facts are not JSON: {message}"),
    }
}

fn is_empty(value: &Value) -> bool {
    value.as_array().is_some_and(Vec::is_empty) || value.as_u64() == Some(0)
}

fn type_word(ty: Type) -> &'static str {
    match ty {
        Type::Text | Type::Word(_) | Type::Kind => "text",
        Type::Integer => "a whole number",
        Type::Object => "an object",
        Type::ObjectList | Type::TextList => "a list",
    }
}

fn word(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "this number",
        Value::String(_) => "text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}
