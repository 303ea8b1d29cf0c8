//! The facts table as JSON Schema (draft 2020-12): it refuses what reading a facts document refuses, as far as the language goes.

use super::kind::OpeningKind;
use super::table::{CONTRACT, FIELDS, Field, Kinds, Type, roots};
use serde_json::{Map, Value, json};

/// The schema of a facts document. Three things it cannot say: numbers that are whole but written with a fraction (`1.0`) or above 2^53
/// depend on the program that reads them, a key may be said twice, and size and depth are not limited.
pub fn json_schema() -> Value {
    let mut schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": format!("Facts of an opening, contract {CONTRACT}"),
        "description": "What a template may read. Keys that may be null may be left out.",
    });
    let root = object_schema(roots(), Kinds::All);
    extend(&mut schema, root);
    extend(&mut schema, json!({"allOf": groups().iter().map(|group| rule(group)).collect::<Vec<_>>()}));
    schema
}

/// The kinds in groups that the table does not tell apart.
fn groups() -> Vec<Vec<OpeningKind>> {
    let alike = |a: OpeningKind, b: OpeningKind| FIELDS.iter().all(|field| field.kinds.include(a) == field.kinds.include(b));
    let mut groups: Vec<Vec<OpeningKind>> = Vec::new();
    for kind in OpeningKind::ALL {
        match groups.iter_mut().find(|group| alike(group[0], kind)) {
            Some(group) => group.push(kind),
            None => groups.push(vec![kind]),
        }
    }
    groups
}

/// Properties of an object, whatever the situation. `kinds` are the object's own.
fn object_schema(fields: impl Iterator<Item = &'static Field>, kinds: Kinds) -> Value {
    let (mut properties, mut required) = (Map::new(), Vec::new());
    for field in fields {
        properties.insert(field.name().to_owned(), field_schema(field, kinds));
        if field.kinds == kinds && !field.optional() && field.path != "opening" {
            required.push(field.name());
        }
    }
    let mut schema = json!({"type": "object", "properties": properties, "additionalProperties": false});
    if !required.is_empty() {
        extend(&mut schema, json!({"required": required}));
    }
    schema
}

fn field_schema(field: &'static Field, parents_kinds: Kinds) -> Value {
    let description = match field.kinds {
        Kinds::All => field.meaning.to_owned(),
        kinds => format!("{} (only in {})", field.meaning, kinds.as_str()),
    };
    let mut schema = json!({"description": description});
    extend(&mut schema, type_schema(field));
    let examples: Vec<Value> = match field.ty {
        Type::Text => distinct(field).map(Value::from).collect(),
        Type::Integer if !field.is_contract() => {
            distinct(field).filter_map(|text| text.parse::<u64>().ok()).map(Value::from).collect()
        }
        Type::TextList => vec![field.examples.iter().copied().collect()],
        _ => Vec::new(),
    };
    if !examples.is_empty() {
        extend(&mut schema, json!({"examples": examples}));
    }
    let is_list = matches!(field.ty, Type::ObjectList | Type::TextList);
    if field.nullable || is_list || field.kinds != parents_kinds || field.path == "opening" {
        let mut types = vec![schema["type"].take()];
        types.push("null".into());
        schema["type"] = Value::Array(types);
        if let Some(words) = schema.get_mut("enum").and_then(Value::as_array_mut) {
            words.push(Value::Null);
        }
    }
    schema
}

fn distinct(field: &Field) -> impl Iterator<Item = &'static str> {
    let [first, second] = field.examples;
    [first, second].into_iter().take(if first == second { 1 } else { 2 }).filter(|text| !text.is_empty())
}

fn type_schema(field: &'static Field) -> Value {
    match field.ty {
        Type::Text => json!({"type": "string"}),
        Type::Word(words) => json!({"type": "string", "enum": words}),
        Type::Kind => json!({"type": "string", "enum": OpeningKind::ALL}),
        Type::Integer if field.is_contract() => json!({"type": "integer", "const": CONTRACT}),
        Type::Integer => json!({"type": "integer", "minimum": 0, "maximum": u64::MAX}),
        Type::Object => object_schema(field.fields(), field.kinds),
        Type::ObjectList => json!({"type": "array", "items": object_schema(field.fields(), field.kinds)}),
        Type::TextList => json!({"type": "array", "items": {"type": "string"}}),
    }
}

/// What holds in one group of kinds.
fn rule(group: &[OpeningKind]) -> Value {
    let of_kind = json!({
        "properties": {"opening": {"type": "object", "properties": {"kind": {"enum": group}}, "required": ["kind"]}},
        "required": ["opening"],
    });
    json!({"if": of_kind, "then": narrowed(roots(), Kinds::All, group[0])})
}

/// For those fields of an object that are not in each of its situations: that they are there, or that they are not.
fn narrowed(fields: impl Iterator<Item = &'static Field>, kinds: Kinds, kind: OpeningKind) -> Value {
    let (mut properties, mut required) = (Map::new(), Vec::new());
    for field in fields {
        let mut rule = json!({});
        if !field.kinds.include(kind) {
            rule = nothing(field.ty);
        } else {
            if field.kinds != kinds && !field.optional() {
                required.push(field.name());
            }
            if field.kinds != kinds && !field.nullable && !matches!(field.ty, Type::ObjectList | Type::TextList) {
                rule = json!({"type": type_schema(field)["type"]});
            }
            if field.ty == Type::Object {
                extend(&mut rule, narrowed(field.fields(), field.kinds, kind));
            }
        }
        if rule.as_object().is_some_and(|rule| !rule.is_empty()) {
            properties.insert(field.name().to_owned(), rule);
        }
    }
    let mut schema = json!({});
    if !properties.is_empty() {
        extend(&mut schema, json!({"properties": properties}));
    }
    if !required.is_empty() {
        extend(&mut schema, json!({"required": required}));
    }
    schema
}

/// What a field may hold where it does not apply.
fn nothing(ty: Type) -> Value {
    match ty {
        Type::ObjectList | Type::TextList => json!({"maxItems": 0}),
        Type::Integer => json!({"enum": [0, null]}),
        _ => json!({"type": "null"}),
    }
}

fn extend(schema: &mut Value, more: Value) {
    if let (Value::Object(schema), Value::Object(more)) = (schema, more) {
        schema.extend(more);
    }
}
