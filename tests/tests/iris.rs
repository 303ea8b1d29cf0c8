//! The golden vectors of IRIS session logs: Proem's reading of them, value by value.

use proem_core::ledger::{LedgerEntry, entries, rows_of_json};
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
    let mut governed = 0;
    for path in vectors {
        let expected = json(&path);
        let input = path.with_file_name(expected["input"].as_str().expect("the name of the log"));
        let read = log(&input);
        let lines = std::fs::read_to_string(&input).expect("the log").lines().count();
        let ledger = path.with_file_name(format!("ledger-{}.json", read.session_id()));
        let ledger = std::fs::read_to_string(ledger).map_or(Vec::new(), |text| entries(&rows_of_json(&text).expect("rows").0));
        governed += ledger.len();
        let part = json!({ "session_id": expected["session_id"], "lines": expected["lines"], "proem": expected["proem"] });
        let differences = differences(&part, &answers(&read, &ledger, lines), TOLERANCE);
        assert!(differences.is_empty(), "{}:\n{}", path.display(), differences.join("\n"));
    }
    assert_eq!(governed, 14, "the second vector has a ledger");
}

/// What Proem answers, in the layout of an expected file.
fn answers(log: &Log, ledger: &[LedgerEntry], lines: usize) -> Value {
    let summary = log.summary();
    let list = json!(log.turn_list());
    let turns = list["turns"].as_array().expect("turns").iter().cloned().map(|mut turn| {
        turn["size"] = turn["records"].take();
        turn
    });
    let mut entry = json!(summary);
    entry["turns"] = log.turns().iter().rev().filter(|turn| turn.listed).map(|turn| json!(turn.reference)).collect();
    let traces = (0..log.turns().len()).map(|turn| {
        let mut drawn = json!(trace(log, turn, ledger, &mut || ()));
        let rows = drawn["governance"].as_array().expect("rows").iter();
        drawn["governance_rows"] = rows.map(|row| json!({ "id": row["id"], "node": row["node"] })).collect();
        (log.turns()[turn].reference.clone(), drawn)
    });
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
