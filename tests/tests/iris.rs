//! The golden vectors of IRIS session logs: Proem's reading of them, value by value.

use proem_core::log::{Detail, Log, replay};
use proem_core::trace::trace;
use proem_tests::{cases, differences, files, json, log};
use serde_json::{Value, json};

/// Numbers in the vectors have three decimals.
const TOLERANCE: f64 = 0.0005;

#[test]
fn golden_vectors() {
    let vectors = files(&cases("iris"), ".expected.json");
    assert_eq!(vectors.len(), 2);
    for path in vectors {
        let expected = json(&path);
        let input = path.with_file_name(expected["input"].as_str().expect("the name of the log"));
        let read = log(&input);
        let lines = std::fs::read_to_string(&input).expect("the log").lines().count();
        let differences = differences(&without_governance(&expected), &answers(&read, lines), TOLERANCE);
        assert!(differences.is_empty(), "{}:\n{}", path.display(), differences.join("\n"));
    }
}

/// What Proem answers, in the layout of an expected file.
fn answers(log: &Log, lines: usize) -> Value {
    let summary = log.summary();
    let list = json!(log.turn_list());
    let turns = list["turns"].as_array().expect("turns").iter().cloned().map(|mut turn| {
        turn["size"] = turn["records"].take();
        turn
    });
    let mut entry = json!(summary);
    entry["turns"] = log.turns().iter().rev().filter(|turn| turn.listed).map(|turn| json!(turn.reference)).collect();
    let traces = (0..log.turns().len()).map(|turn| (log.turns()[turn].reference.clone(), json!(trace(log, turn, &mut || ()))));
    json!({
        "session_id": log.session_id(),
        "lines": { "total": lines, "events": summary.records, "skipped": log.skipped().collect::<Vec<_>>() },
        "proem": {
            "preamble_events": list["preamble_events"],
            "turns": turns.collect::<Vec<_>>(),
            "session_entry": entry,
            "replay": replay(log, None, Detail::Conversation, &mut || ()).messages,
            "traces": serde_json::Map::from_iter(traces),
        },
    })
}

/// The part of an expected file that is Proem's reading. Governance rows, the nodes made from them and the edges to these belong to a later
/// issue; the remaining edges are numbered anew.
fn without_governance(expected: &Value) -> Value {
    let mut proem = expected["proem"].clone();
    for trace in proem["traces"].as_object_mut().expect("traces").values_mut() {
        let trace = trace.as_object_mut().expect("a trace");
        trace.remove("governance_rows");
        let keep = |value: &Value, key: &str| value[key] != "governance" && value["label"] != "guard";
        trace["nodes"].as_array_mut().expect("nodes").retain(|node| keep(node, "kind"));
        let edges = trace["edges"].as_array_mut().expect("edges");
        edges.retain(|edge| keep(edge, "kind"));
        for (edge, seq) in edges.iter_mut().zip(1..) {
            edge["seq"] = json!(seq);
        }
    }
    json!({ "session_id": expected["session_id"], "lines": expected["lines"], "proem": proem })
}
