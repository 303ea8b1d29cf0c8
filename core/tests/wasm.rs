//! The engine's message handling where it runs for real: in wasm. Messages go in and come out as the JSON texts of the workers.
#![cfg(target_arch = "wasm32")]
#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

use proem_core::opening::builtin::{BUILTINS, DEFAULT_ROLE};
use proem_core::worker::preview::Preview;
use proem_core::worker::reader::Reader;
use serde_json::{Value, json};
use wasm_bindgen_test::wasm_bindgen_test;

/// Asks the preview worker; what it answered, by name and content.
fn preview(engine: &mut Preview, request: Value) -> (String, Value) {
    let mut beats = 0;
    heard(&engine.handle(serde_json::from_value(request).unwrap(), &mut || beats += 1))
}

/// Asks the reader worker.
fn reader(engine: &mut Reader, request: Value, bytes: Option<&[u8]>) -> (String, Value) {
    heard(&engine.handle(serde_json::from_value(request).unwrap(), bytes.map(<[u8]>::to_vec), &mut || {}))
}

/// An answer has one key, which names it.
fn heard(answer: &impl serde::Serialize) -> (String, Value) {
    let Value::Object(answer) = serde_json::to_value(answer).unwrap() else { panic!("not an object") };
    assert_eq!(answer.len(), 1);
    answer.into_iter().next().unwrap()
}

fn product() -> Vec<Value> {
    let role = json!({"body": DEFAULT_ROLE});
    let skills = BUILTINS.iter().map(|builtin| json!({"slug": builtin.slug, "name": builtin.name, "body": builtin.body}));
    std::iter::once(role).chain(skills).collect()
}

#[wasm_bindgen_test]
fn a_preview_answers_every_sample_and_checks_the_draft() {
    let mut parts = product();
    parts[1]["body"] = json!("{{ opening.kidn }}");
    let request = json!({"preview": {"parts": parts, "samples": ["task-start/populated", "task-start/empty"], "old_server": false, "check": 1}});
    let (is, answer) = preview(&mut Preview::default(), request);
    assert_eq!(is, "preview");
    assert_eq!(answer["openings"].as_array().unwrap().len(), 2);
    assert_eq!(answer["openings"][0]["parts"][1]["status"], "failed");
    let errors = answer["problems"].as_array().unwrap().iter().filter(|problem| problem["severity"] == "error").count();
    assert_eq!(errors, 12, "one for each sample");
    assert_eq!(answer["problems"][0]["message"], "there is no `kidn` in `opening`");
    assert!(answer["openings"][0]["text"].as_str().unwrap().starts_with("You are **Release engineer** at Harbour & Sons."));
}

#[wasm_bindgen_test]
fn facts_travel_as_text_and_keep_their_digits() {
    let facts = r#"{"organization":{"id":"1","name":"O"},"role":{"id":"1","name":"R"},"task":{"id":"1","title":"T","status":"s"},
        "opening":{"kind":"task-start","contract":1,"updates_omitted":1234567890123456789}}"#;
    let request = json!({"render": {"parts": [{"body": "{{ opening.updates_omitted }}"}], "facts": facts}});
    assert_eq!(preview(&mut Preview::default(), request).1["opening"]["text"], "1234567890123456789\n");
    let request = json!({"render": {"parts": [], "facts": "{\"role\": 1}"}});
    let (is, answer) = preview(&mut Preview::default(), request);
    assert_eq!(is, "failed");
    assert!(answer["message"].as_str().unwrap().contains("`organization` is missing"));
}

#[wasm_bindgen_test]
fn hostile_templates_are_refused_and_the_engine_goes_on() {
    let mut engine = Preview::default();
    let hostile = [
        (format!("{{{{ a{} }}}}", "+a".repeat(20_000)), "this expression has more than 400 operators"),
        (format!("{{% if 0 %}}{}{{% endif %}}", "{% elif 0 %}".repeat(5_000)), "more than 200 elif in one if"),
        (format!("{{{{ {}{} }}}}", "[".repeat(10_000), "]".repeat(10_000)), "nested deeper than 60"),
        (
            "{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}".to_owned(),
            "the macro `m` calls itself, which can end in too deep recursion",
        ),
        ("{{ 'x' * 100000000 }}".to_owned(), "this template does too much work for one opening"),
    ];
    for (body, message) in hostile {
        let (_, answer) = preview(&mut engine, json!({"check": {"body": body, "source": "skill"}}));
        assert_eq!(answer["problems"][0]["message"], message);
    }
    let (_, answer) = preview(&mut engine, json!({"check": {"body": "fine {{ role.name }}", "source": "role"}}));
    assert_eq!(answer["problems"], json!([]));
}

#[wasm_bindgen_test]
fn the_reader_opens_replays_and_traces_a_log() {
    let mut engine = Reader::default();
    let bytes = include_bytes!("../../tests/cases/iris/session-3fa9c07be21d.jsonl");
    let (_, opened) = reader(&mut engine, json!({"open": {"log": 1, "name": "session-3fa9c07be21d.jsonl"}}), Some(bytes));
    assert_eq!(opened["summary"]["session_id"], "3fa9c07be21d");
    assert_eq!(opened["summary"]["skipped_lines"], 2);
    let (_, rows) = reader(&mut engine, json!({"turns": {"log": 1, "from": 0, "to": 100}}), None);
    assert_eq!((rows["turns"].as_array().unwrap().len(), &rows["count"]), (5, &json!(5)));
    let (_, words) = reader(&mut engine, json!({"messages": {"log": 1, "from": 4, "to": 100}}), None);
    assert_eq!(words["said"].as_array().unwrap().len(), 1);
    assert_eq!(words["said"][0][0]["ref"], rows["turns"][4]["ref"]);
    let (_, trace) = reader(&mut engine, json!({"trace": {"log": 1, "turn": "0"}}), None);
    let labels: Vec<_> = trace["trace"]["nodes"].as_array().unwrap().iter().map(|node| node["label"].clone()).collect();
    assert_eq!(labels, ["IrisRuntime.open_turn", "welcome", "response check"]);
    assert_eq!(reader(&mut engine, json!({"messages": {"log": 9, "from": 0, "to": 1}}), None).0, "failed");
    assert_eq!(reader(&mut engine, json!({"open": {"log": 2, "name": "x.jsonl"}}), Some(b"\x00\xff")).0, "failed");
}
