//! The contract's JSON Schema and the reading of a facts document judge alike: all samples, and samples with one thing changed.
#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

use boon::{Compiler, SchemaIndex, Schemas};
use proem_core::opening::contract::json_schema;
use proem_core::opening::facts::Facts;
use proem_core::opening::kind::OpeningKind;
use proem_core::opening::sample::{Sample, Variant};
use proem_core::opening::shape::shape;
use proem_core::opening::table::FIELDS;
use proem_core::template::shape::Shape;
use serde_json::{Value, json};

/// The schema, itself judged by the standard's own, ready to judge.
struct Judge(Schemas, SchemaIndex);

impl Judge {
    fn new() -> Judge {
        let (mut compiler, mut schemas) = (Compiler::new(), Schemas::new());
        compiler.add_resource("facts.json", json_schema()).unwrap();
        let index = compiler.compile("facts.json", &mut schemas).unwrap_or_else(|error| panic!("{error:#}"));
        Judge(schemas, index)
    }

    /// Why it is not valid.
    fn refuses(&self, document: &Value) -> Option<String> {
        self.0.validate(document, self.1).err().map(|error| format!("{error:#}"))
    }
}

/// Where one thing can be changed: JSON pointers of every value in the document but itself.
fn places(document: &Value) -> Vec<String> {
    let mut found = Vec::new();
    let mut waiting = vec![(String::new(), document)];
    while let Some((at, value)) = waiting.pop() {
        let below: Vec<(String, &Value)> = match value {
            Value::Object(fields) => fields.iter().map(|(key, value)| (format!("{at}/{key}"), value)).collect(),
            Value::Array(items) => items.iter().enumerate().map(|(key, value)| (format!("{at}/{key}"), value)).collect(),
            _ => Vec::new(),
        };
        found.extend(below.iter().map(|(at, _)| at.clone()));
        waiting.extend(below);
    }
    found
}

/// The document with each change that one place allows.
fn changes(document: &Value, place: &str) -> Vec<Value> {
    let wrong = [
        json!(null),
        json!(true),
        json!(0),
        json!(2),
        json!(-1),
        json!(1.5),
        json!("x"),
        json!(""),
        json!([]),
        json!({}),
        json!(["x", 1]),
    ];
    let kinds = OpeningKind::ALL.map(|kind| json!(kind));
    let mut changed: Vec<Value> = wrong
        .into_iter()
        .chain(kinds)
        .map(|value| {
            let mut document = document.clone();
            *document.pointer_mut(place).unwrap() = value;
            document
        })
        .collect();
    let (parent, key) = place.rsplit_once('/').unwrap();
    let mut without = document.clone();
    if let Some(fields) = without.pointer_mut(parent).unwrap().as_object_mut() {
        fields.remove(key);
        let mut more = document.clone();
        more.pointer_mut(parent).unwrap()[format!("{key}x")] = json!(1);
        changed.extend([without, more]);
    }
    changed
}

#[test]
fn schema_and_reader_agree_on_every_sample_with_one_change() {
    let judge = Judge::new();
    let (mut taken, mut refused) = (0, 0);
    let mut judge = |document: &Value| {
        let (read, refusal) = (Facts::parse(&document.to_string()), judge.refuses(document));
        let valid = refusal.is_none();
        assert_eq!(read.is_ok(), valid, "{read:?}\n{refusal:?}\n{document}");
        *(if valid { &mut taken } else { &mut refused }) += 1;
    };
    for sample in Sample::all() {
        let facts = sample.facts();
        for document in [facts.document().clone(), facts.clone().without_opening().document().clone()] {
            judge(&document);
            for place in places(&document) {
                changes(&document, &place).iter().for_each(&mut judge);
            }
        }
    }
    for document in [json!(null), json!([]), json!({}), json!("x")] {
        judge(&document);
    }
    assert!(taken > 2_000 && refused > 7_000, "{taken} were taken, {refused} refused");
}

/// What JSON Schema cannot say, or its programs read differently. Each is refused by the reader and passes the schema.
#[test]
fn what_only_the_reader_refuses_is_known() {
    let judge = Judge::new();
    let document = "task-start/empty".parse::<Sample>().unwrap().facts().document().to_string();
    for (from, to, why) in [
        ("\"updates_omitted\":0", "\"updates_omitted\":4.0", "whole, but written with a fraction"),
        ("\"updates_omitted\":0", "\"updates_omitted\":-0", "a number below 0 that is 0"),
        (
            "\"updates_omitted\":0",
            "\"updates_omitted\":18446744073709551616",
            "rounded to the largest by the validator, not by us",
        ),
        ("\"updates_omitted\":0", "\"updates_omitted\":1,\"updates_omitted\":0", "a key said twice: JSON itself keeps the last"),
    ] {
        let changed = document.replace(from, to);
        assert_ne!(changed, document);
        assert_eq!(judge.refuses(&serde_json::from_str(&changed).unwrap()), None, "{why}");
        assert!(Facts::parse(&changed).is_err(), "{why}");
    }
}

#[test]
fn every_row_of_the_table_is_in_the_schema_with_its_meaning() {
    let schema = json_schema();
    for field in FIELDS {
        let pointer = field.path.replace("[]", "/items").replace('.', "/properties/");
        let found = schema.pointer(&format!("/properties/{pointer}")).unwrap_or_else(|| panic!("{} is not there", field.path));
        assert!(found["description"].as_str().unwrap().starts_with(field.meaning), "{found}");
    }
}

/// Samples and shapes have every row in every situation of its own, and nothing of it elsewhere.
#[test]
fn every_row_of_the_table_is_in_samples_and_shapes() {
    for kind in OpeningKind::ALL {
        let facts = Sample { kind, variant: Variant::Populated }.facts();
        let whole = shape(Some(kind));
        for field in FIELDS {
            let pointer = format!("/{}", field.path.replace("[]", "/0").replace('.', "/"));
            let value = facts.document().pointer(&pointer).cloned().unwrap_or_default();
            let there = match &value {
                Value::Array(items) => !items.is_empty(),
                value => !value.is_null() && *value != 0,
            };
            assert_eq!(there, field.kinds.include(kind), "{} in {kind} is {value}", field.path);
            let mut found = Some(&whole);
            for name in field.path.split('.') {
                found = found.and_then(|found| found.field(name.trim_end_matches("[]")));
                if let (true, Some(Shape::List(item))) = (name.ends_with("[]"), found) {
                    found = Some(item);
                }
            }
            let nothing = match found {
                None | Some(Shape::Null | Shape::Integer(Some(0))) => true,
                Some(Shape::List(item)) => **item == Shape::Null,
                Some(_) => false,
            };
            assert_eq!(nothing, !field.kinds.include(kind), "{} in {kind} is {found:?}", field.path);
        }
    }
}
