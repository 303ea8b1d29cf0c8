//! `proem log` in memory: what it prints, what it says about bad calls, and how it ends.

use clap::Parser;
use proem::cli::log::{Answer, LogArgs, answer};
use proem_tests::{cases, differences};
use serde_json::{Value, json};

#[derive(Parser)]
struct Command {
    #[command(flatten)]
    log: LogArgs,
}

/// Runs `proem log …`; `@name` is a case of the IRIS folder, so that no path of this machine gets into a snapshot.
fn run(line: &str) -> Answer {
    let folder = format!("{}/", cases("iris").display());
    let words =
        line.split_whitespace().map(|word| word.strip_prefix('@').map_or(word.to_owned(), |name| format!("{folder}{name}")));
    match Command::try_parse_from(std::iter::once("log".to_owned()).chain(words)) {
        Ok(command) => {
            let said = answer(&command.log);
            Answer { err: said.err.replace(&folder, ""), ..said }
        }
        Err(error) => {
            Answer { out: String::new(), err: error.to_string(), code: u8::try_from(error.exit_code()).expect("a code") }
        }
    }
}

fn text(line: &str) -> String {
    let Answer { out, err, code } = run(line);
    assert_eq!(code, 0, "{err}");
    format!("{err}{out}")
}

#[test]
fn text_for_people() {
    insta::assert_snapshot!("turns", text("turns @session-3fa9c07be21d.jsonl"));
    insta::assert_snapshot!("turns_all", text("turns @session-0d1e2f3a4b5c.jsonl --all"));
    insta::assert_snapshot!("replay", text("replay @session-0d1e2f3a4b5c.jsonl"));
    insta::assert_snapshot!("replay_all", text("replay @session-3fa9c07be21d.jsonl --all"));
    insta::assert_snapshot!("trace", text("trace @session-0d1e2f3a4b5c.jsonl --turn 0"));
    let governed = "trace @session-0d1e2f3a4b5c.jsonl --turn 0 --governance @ledger-0d1e2f3a4b5c.json";
    insta::assert_snapshot!("trace_governance", text(governed));
    insta::assert_snapshot!("trace_all", text("trace @session-3fa9c07be21d.jsonl --turn 3fa9c07be21d~0 --all"));
}

#[test]
fn json_for_programs() {
    let document = |line: &str| -> Value { serde_json::from_str(&run(line).out).expect("one JSON document") };
    let turns = document("turns @session-3fa9c07be21d.jsonl --format json");
    assert_eq!(turns["turns"].as_array().map(Vec::len), Some(5), "hidden turns are in it");
    let expected = json!({
        "session_id": "3fa9c07be21d", "preamble_events": 1,
        "turns": [{
            "index": 0, "ref": "3fa9c07be21d@aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "trace_id": "3fa9c07be21d~0",
            "turn_id": "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "opened_by": "system", "opener": "welcome", "request": "First-chat welcome",
            "started_at": "2026-10-03T08:15:00.100000+00:00", "duration_ms": 9.0, "duration_source": "span", "total_tokens": 0,
            "records": 5, "listed": true, "outcome": "ok",
        }],
    });
    let one = document("turns @session-3fa9c07be21d.jsonl --turn 0 --format json");
    assert_eq!(differences(&expected, &one, 0.0), Vec::<String>::new());
    let replay = document("replay @session-3fa9c07be21d.jsonl --turn 0 --format json");
    assert_eq!(
        replay,
        json!({ "messages": [{
            "role": "assistant", "text": "Hello. I can look things up for you.", "ts": "2026-10-03T08:15:00.109000+00:00",
            "ref": "3fa9c07be21d@aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "final": true, "outcome": "ok",
        }] })
    );
    let trace = document("trace @session-3fa9c07be21d.jsonl --turn aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa --format json");
    let path: Vec<_> = trace["nodes"].as_array().expect("nodes").iter().map(|node| node["label"].as_str()).collect();
    assert_eq!(path, [Some("IrisRuntime.open_turn"), Some("welcome"), Some("response check")]);
    assert_eq!((&trace["opened_by_system"], &trace["unplaced"]), (&json!(true), &json!(0)));
    let last = document("trace @session-3fa9c07be21d.jsonl --format json");
    assert_eq!(last["ref"], "3fa9c07be21d@dddddddddddddddddddddddddddddddd", "the last listed turn");
}

#[test]
fn wrong_calls_end_with_2_and_a_sentence() {
    let mut said = String::new();
    for line in [
        "turns @missing.jsonl",
        "turns @../iris",
        "turns @session-3fa9c07be21d.expected.json",
        "turns @session-3fa9c07be21d.jsonl --session other",
        "trace @session-3fa9c07be21d.jsonl --turn 5",
        "trace @session-3fa9c07be21d.jsonl --turn first",
        "replay @session-3fa9c07be21d.jsonl --turn -1",
        "trace @session-3fa9c07be21d.jsonl --governance @missing.db",
        "trace @session-3fa9c07be21d.jsonl --governance @../iris",
        "trace @session-3fa9c07be21d.jsonl --governance @session-3fa9c07be21d.jsonl",
        "turns @session-3fa9c07be21d.jsonl --governance @ledger-0d1e2f3a4b5c.json",
        "turns @session-3fa9c07be21d.jsonl --format yaml",
        "turns",
        "walk @session-3fa9c07be21d.jsonl",
    ] {
        let Answer { out, err, code } = run(line);
        assert_eq!((out.as_str(), code), ("", 2), "{line}");
        said.push_str(&format!("$ proem log {line}\n{err}\n"));
    }
    insta::assert_snapshot!(said);
}
