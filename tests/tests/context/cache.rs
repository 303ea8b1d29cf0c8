//! The cache-layout meter (specs: retrieved-content, section 8).

use proem_core::context::cache::{LayoutName, Meter, Ttl, meter, request};
use proptest::prelude::*;
use serde_json::{Value, json};

const PREFACE: &str = "<retrieved_content provenance=\"external\" origin=\"web:x\">\nnews\n</retrieved_content>";

fn block(text: &str, ttl: &str) -> Value {
    match ttl {
        "" => json!({"type": "text", "text": text}),
        "5m" => json!({"type": "text", "text": text, "cache_control": {"type": "ephemeral"}}),
        ttl => json!({"type": "text", "text": text, "cache_control": {"type": "ephemeral", "ttl": ttl}}),
    }
}

fn layout_c(fourth: &str, preface: &str) -> Value {
    json!({
        "system": [block("static prompt", "1h"), block("skills", "1h"), block("profile", "5m"), block(fourth, "5m")],
        "messages": [{"role": "user", "content": preface}, {"role": "user", "content": "Question?"}],
    })
}

fn of(earlier: &Value, later: &Value) -> Meter {
    meter(&request(&earlier.to_string()).unwrap(), &request(&later.to_string()).unwrap())
}

#[test]
fn a_changed_block_costs_itself_and_what_is_behind_it() {
    let measured = of(&layout_c("status: a", PREFACE), &layout_c("status: b", "other"));
    assert_eq!(measured.layout, LayoutName::C);
    let stable: Vec<(usize, usize)> = measured.parts.iter().map(|part| (part.stable, part.bytes)).collect();
    assert_eq!(stable, [(13, 13), (6, 6), (7, 7), (8, 9), (0, 5), (0, 9)]);
    assert_eq!((measured.cached, measured.cacheable), (26, 35));
    let costs: Vec<usize> = measured.parts.iter().map(|part| part.turn_local_cost).collect();
    assert_eq!(costs, [35, 22, 16, 9, 0, 0]);
    assert!(measured.findings.is_empty(), "{:?}", measured.findings);
}

#[test]
fn the_preface_costs_nothing_where_it_belongs() {
    let measured = of(&layout_c("status", PREFACE), &layout_c("status", &PREFACE.replace("news", "other news")));
    assert_eq!(measured.cached, measured.cacheable);
    assert!(measured.parts[4].preface && measured.parts[4].ttl == Ttl::None);
}

#[test]
fn all_layouts_are_recognised() {
    let system = |blocks: Vec<Value>| json!({"system": blocks, "messages": []});
    let three = || vec![block("a", "1h"), block("b", "1h"), block("c", "5m")];
    let mut a = system(three());
    a["cache_control"] = json!({"type": "ephemeral", "ttl": "1h"});
    let name = |value: Value| request(&value.to_string()).unwrap().layout;
    assert_eq!(name(a), LayoutName::A);
    assert_eq!(name(system(three())), LayoutName::B);
    assert_eq!(name(system(vec![block("a", "1h")])), LayoutName::B);
    assert_eq!(name(layout_c("d", "x")), LayoutName::C);
    assert_eq!(name(json!({"system": "one flat text", "messages": []})), LayoutName::Flat);
    assert_eq!(name(system(vec![block("a", "")])), LayoutName::Unknown);
}

#[test]
fn what_breaks_the_layout_is_told() {
    let wrong = json!({
        "tools": [{"name": "t", "cache_control": {"type": "ephemeral"}}],
        "system": [block(PREFACE, "1h"), block("b", "5m"), block("c", "1h"), block("d", "1h")],
        "messages": [
            {"role": "user", "content": [block(PREFACE, "5m")]},
            {"role": "assistant", "content": "Hm."},
            {"role": "user", "content": PREFACE},
        ],
    });
    let measured = of(&wrong, &wrong);
    let faults = ["", "[]", "{}", "{\"system\":"].map(|text| request(text).unwrap_err());
    insta::assert_snapshot!("findings", [measured.findings, faults.to_vec()].concat().join("\n"));
}

proptest! {
    #[test]
    fn any_request_is_measured(system in prop::collection::vec((any::<String>(), 0..3usize), 0..5), said in any::<String>()) {
        let blocks: Vec<Value> = system.iter().map(|(text, ttl)| block(text, ["", "5m", "1h"][*ttl])).collect();
        let earlier = json!({"system": blocks, "messages": [{"role": "user", "content": said}]});
        let same = of(&earlier, &earlier);
        prop_assert_eq!(same.cached, same.cacheable);
        prop_assert!(same.parts.iter().all(|part| part.stable == part.bytes));
        let other = json!({"system": [block(&format!("x{said}"), "1h")], "messages": []});
        let measured = of(&earlier, &other);
        prop_assert!(measured.cached <= measured.cacheable);
    }
}
