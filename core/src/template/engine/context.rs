//! Values that know the contract: a name that is no field fails wherever it is read, also in a guard, and reads can be recorded
//! (specs: engine notes, section 9).

use super::super::nearest::nearest;
use super::super::shape::Shape;
use super::probe::{RESERVED, Shared};
use minijinja::value::{Enumerator, Object, ObjectRepr, Serde, Value};
use minijinja::{Error, ErrorKind};
use serde_json::Value as Json;
use std::sync::Arc;

/// The values a template reads.
#[derive(Clone, Debug)]
pub struct Context(pub(super) Value);

impl Context {
    /// From JSON, without a contract: an unknown name is undefined. Integers keep their digits up to 64 bits.
    pub fn from_json(value: &Json) -> Context {
        Context(Value::from(Serde(value)))
    }

    /// From JSON that has this shape. A name that is no field of its object fails also in a guard and under `is defined`; a field
    /// that the JSON does not have is null. At the top an unknown name is undefined: functions, macros and set variables are looked
    /// up there as well.
    pub fn typed(shape: &Shape, value: &Json) -> Context {
        Context(build(shape, value, &|| "".into(), None))
    }

    /// The same, every read of which is noted in `log`.
    pub(super) fn recorded(shape: &Shape, value: &Json, log: &Shared) -> Context {
        Context(build(shape, value, &|| "".into(), Some(log)))
    }
}

/// A name that an object of the contract does not have; travels as the source of the engine's error.
#[derive(Clone, Debug)]
pub(super) struct UnknownField {
    /// Path of the object, with `[]` for items.
    pub(super) parent: Arc<str>,
    pub(super) name: String,
    pub(super) nearest: Option<String>,
}

impl std::fmt::Display for UnknownField {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "no field `{}` in {}", self.name, self.parent)?;
        self.nearest.as_ref().map_or(Ok(()), |name| write!(f, "; did you mean `{name}`?"))
    }
}

impl std::error::Error for UnknownField {}

/// An object or a list of the contract. It must print, compare, iterate and count as the engine's own maps and lists do.
#[derive(Debug)]
pub(super) struct Node {
    /// Empty at the top; items are `[]`, in a recorded context `[3]`.
    pub(super) path: Arc<str>,
    items: Items,
    log: Option<Shared>,
}

#[derive(Debug)]
enum Items {
    /// In the order of the shape.
    Fields(Vec<(Value, Value)>),
    List(Vec<Value>),
}

/// Most values are leaves and need no path unless reads are recorded.
fn build(shape: &Shape, json: &Json, path: &dyn Fn() -> Arc<str>, log: Option<&Shared>) -> Value {
    let (path, items) = match (shape, json) {
        (Shape::Optional(inner), _) => return build(inner, json, path, log),
        (Shape::Object(fields), Json::Object(given)) => {
            let path = path();
            let field = |(name, shape): &(String, Shape)| {
                let value = given.get(name).map_or(Value::from(()), |value| build(shape, value, &|| join(&path, name), log));
                (Value::from(name.as_str()), value)
            };
            let fields = fields.iter().map(field).collect();
            (path, Items::Fields(fields))
        }
        (Shape::List(item), Json::Array(given)) => {
            let path = path();
            let shared: Arc<str> = format!("{path}[]").into();
            let of = |at: usize| if log.is_some() { format!("{path}[{at}]").into() } else { shared.clone() };
            let items = given.iter().enumerate().map(|(at, value)| build(item, value, &|| of(at), log)).collect();
            (path, Items::List(items))
        }
        (_, Json::String(text)) if log.is_some() => {
            // A text of its own: it is known again wherever it is printed unchanged.
            let text: Arc<str> = text.as_str().into();
            if let Some(Ok(mut log)) = log.map(|log| log.lock()) {
                log.leaf(&text, path());
            }
            return Value::from(text);
        }
        _ => return Value::from(Serde(json)),
    };
    Value::from_object(Node { path, items, log: log.cloned() })
}

fn join(path: &str, name: &str) -> Arc<str> {
    if path.is_empty() { name.into() } else { format!("{path}.{name}").into() }
}

impl Node {
    fn note(&self, path: impl FnOnce() -> Arc<str>, there: bool) {
        if let Some(Ok(mut log)) = self.log.as_ref().map(|log| log.lock()) {
            log.read(path(), there);
        }
    }

    fn field(&self, name: &str) -> Option<Value> {
        let Items::Fields(fields) = &self.items else { return None };
        let found = fields.iter().find(|(known, _)| known.as_str() == Some(name)).map(|(_, value)| value);
        // At the top everything is looked up, also what turns out to be a fact that an older server does not send.
        if found.is_some() || (self.path.is_empty() && !RESERVED.contains(&name)) {
            self.note(|| join(&self.path, name), found.is_some_and(is_there));
        }
        found.cloned()
    }

    fn unknown(&self, name: &str) -> Value {
        let Items::Fields(fields) = &self.items else { return Value::UNDEFINED };
        let nearest = nearest(name, fields.iter().filter_map(|(known, _)| known.as_str())).map(str::to_owned);
        let unknown = UnknownField { parent: self.path.clone(), name: name.to_owned(), nearest };
        Value::from(Error::new(ErrorKind::UndefinedError, unknown.to_string()).with_source(unknown))
    }
}

/// Whether a value is more than null, an empty list or an empty text.
pub(super) fn is_there(value: &Value) -> bool {
    !value.is_none() && value.len() != Some(0)
}

impl Object for Node {
    fn repr(self: &Arc<Self>) -> ObjectRepr {
        match self.items {
            Items::Fields(_) => ObjectRepr::Map,
            Items::List(_) => ObjectRepr::Seq,
        }
    }

    /// Subscripts and `in`: a key that is not there is no error, as `in` asks for nothing else.
    fn get_value(self: &Arc<Self>, key: &Value) -> Option<Value> {
        let Items::List(items) = &self.items else { return self.field(key.as_str()?) };
        let at = key.as_usize()?;
        let value = items.get(at)?;
        self.note(|| format!("{}[{at}]", self.path).into(), is_there(value));
        Some(value.clone())
    }

    /// Attributes: `task.title`.
    fn get_value_by_str(self: &Arc<Self>, name: &str) -> Option<Value> {
        let value = self.field(name);
        let unknown = value.is_none() && !self.path.is_empty() && matches!(self.items, Items::Fields(_));
        if unknown { Some(self.unknown(name)) } else { value }
    }

    /// Keys only, so that each value that is taken passes `get_value`.
    fn enumerate(self: &Arc<Self>) -> Enumerator {
        match &self.items {
            Items::Fields(fields) => Enumerator::Values(fields.iter().map(|(name, _)| name.clone()).collect()),
            Items::List(items) => Enumerator::Seq(items.len()),
        }
    }

    fn enumerator_len(self: &Arc<Self>) -> Option<usize> {
        Some(match &self.items {
            Items::Fields(fields) => fields.len(),
            Items::List(items) => items.len(),
        })
    }
}
