//! Decisions of the ledger in call traces: which are drawn, at which call, and with what words.

// A failed `unwrap` is a failed test, in helpers as well.
#![allow(clippy::unwrap_used)]

use proem_core::ledger::{Decision, LedgerEntry, entries, rows_of_json};
use proem_core::log::Log;
use proem_core::trace::{DurationSource, EdgeKind, Status, Trace, layout, trace};
use proem_core::worker::reader::Reader;
use proem_core::worker::{ReaderAnswer, ReaderRequest};
use serde_json::{Value, json};

/// A moment of the session, milliseconds after its begin.
fn ts(ms: u64) -> String {
    format!("2026-10-04T09:{:02}:{:02}.{:03}000+00:00", ms / 60_000, ms / 1000 % 60, ms % 1000)
}

/// A log of events, each at its millisecond.
fn log(events: &[(u64, Value)]) -> Vec<u8> {
    let mut text = String::new();
    for (ms, event) in events {
        let mut event = event.clone();
        event["ts"] = json!(ts(*ms));
        event["session_id"] = json!("s");
        text += &format!("{event}\n");
    }
    text.into_bytes()
}

/// A turn with a router, a model call, two tool calls of one id and one of another, and a curator.
fn full_turn() -> Vec<u8> {
    let tool =
        |what: &str, id: &str| json!({ "kind": format!("tool.invoke.{what}"), "payload": { "tool": "read", "call_id": id } });
    log(&[
        (0, json!({ "kind": "user_message", "text": "q" })),
        (10, json!({ "kind": "intent_router.end", "payload": {} })),
        (20, json!({ "kind": "agent.trace", "phase": "agent.start", "payload": { "agent_type": "a" } })),
        (90, json!({ "kind": "llm_call", "agent_type": "a", "model": "m", "duration_ms": 50 })),
        (100, tool("start", "c1")),
        (200, tool("end", "c1")),
        (210, tool("start", "c2")),
        (300, tool("end", "c2")),
        (310, tool("start", "c1")),
        (400, tool("end", "c1")),
        (450, json!({ "kind": "agent.trace", "phase": "agent.result", "payload": { "agent_type": "a", "success": true } })),
        (460, json!({ "kind": "response_curator.start", "payload": {} })),
        (480, json!({ "kind": "response_curator.end", "payload": {} })),
        (500, json!({ "kind": "agent_response", "response": "a" })),
    ])
}

fn read(bytes: Vec<u8>) -> Log {
    Log::read("session-s.jsonl", bytes, &mut || ()).unwrap()
}

/// Rows at their milliseconds, numbered from 1.
fn ledger(rows: &[(u64, &str, Value)]) -> Vec<LedgerEntry> {
    let row = |(id, (ms, hook, fields)): (usize, &(u64, &str, Value))| {
        let mut row = json!({
            "id": id, "ts": ts(*ms), "hook_point": hook, "plugin": "check", "decision": "allow", "reason": "fine", "session_id": "s",
        });
        for (key, value) in fields.as_object().unwrap() {
            row[key] = value.clone();
        }
        row
    };
    let rows: Vec<Value> = (1..).zip(rows).map(row).collect();
    let (rows, left_out) = rows_of_json(&json!(rows).to_string()).unwrap();
    assert_eq!(left_out, Vec::<String>::new());
    entries(&rows)
}

fn drawn(bytes: Vec<u8>, rows: &[LedgerEntry]) -> Trace {
    trace(&read(bytes), 0, rows, &mut || ())
}

/// The host of each row, in the order of the rows' stamps.
fn hosts(trace: &Trace) -> Vec<&str> {
    trace.governance.iter().map(|event| event.node.as_str()).collect()
}

#[test]
fn behaviour_20_each_hook_has_its_host() {
    let none = || json!({});
    let rows = ledger(&[
        (1, "pre_turn", none()),
        (5, "pre_classify", none()),
        (50, "pre_llm_call", none()),
        (150, "pre_tool_use", none()),
        (205, "post_tool_use", none()),
        (250, "pre_egress", none()),
        (305, "post_egress", none()),
        (440, "post_step", none()),
        (470, "pre_response", json!({ "decision": "deny" })),
        (490, "a_hook_of_tomorrow", none()),
    ]);
    let full = drawn(full_turn(), &rows);
    // 205 lies in no tool; the nearest start is that of the second, at 210. 305: the third, at 310.
    let expected = ["runtime", "intent_router", "llm0", "tool0", "tool1", "tool1", "tool2", "agent0", "curator", "runtime"];
    assert_eq!(hosts(&full), expected);
    let denied = full.nodes.iter().find(|node| node.label == "pre_response").unwrap();
    assert_eq!((denied.status, denied.duration_ms, denied.duration_source), (Status::Error, 2.0, DurationSource::Estimated));
    assert_eq!(full.nodes.iter().filter(|node| node.kind == "governance" && node.status != Status::Ok).count(), 1);
    // Without tools and model calls their agent is the host; without anything it is the runtime.
    let bare = |kinds: &[&str]| {
        let all = String::from_utf8(full_turn()).unwrap();
        let kept: Vec<&str> = all.lines().filter(|line| kinds.iter().any(|kind| line.contains(kind))).collect();
        hosts(&drawn(kept.join("\n").into_bytes(), &rows)).into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    let agent = bare(&["user_message", "agent.trace", "agent_response"]);
    assert_eq!(agent, ["runtime", "runtime", "agent0", "agent0", "agent0", "agent0", "agent0", "agent0", "runtime", "runtime"]);
    assert_eq!(bare(&["user_message", "agent_response"]), ["runtime"; 10]);
    // A deterministic answer is checked by the guard.
    let guarded = [
        (0, json!({ "kind": "turn_open", "opener": "welcome", "label": "First-chat welcome" })),
        (4, json!({ "kind": "handler.end", "payload": { "handler": "welcome", "duration_ms": 1 } })),
        (
            8,
            json!({ "kind": "guard.end", "payload": { "verdict": "pass", "handler": "welcome", "duration_ms": 2, "checks": [] } }),
        ),
        (9, json!({ "kind": "agent_response", "response": "hello" })),
    ];
    assert_eq!(hosts(&drawn(log(&guarded), &ledger(&[(7, "pre_response", none())]))), ["guard"]);
}

#[test]
fn behaviour_20_rows_outside_the_turn_are_left_out() {
    let rows = ledger(&[
        (0, "pre_turn", json!({ "session_id": null, "payload": { "session_id": "s" } })),
        (500, "pre_turn", json!({ "session_id": null, "run_id": "s" })),
        (501, "pre_turn", json!({})),
        (250, "pre_turn", json!({ "session_id": "other" })),
        (250, "pre_turn", json!({ "session_id": null })),
        (250, "pre_turn", json!({ "turn_id": "other" })),
    ]);
    // This log has no turn ids, so a row that names one is led by its time.
    let ids = |trace: &Trace| trace.governance.iter().map(|event| event.entry.id).collect::<Vec<_>>();
    assert_eq!(ids(&drawn(full_turn(), &rows)), [1, 6, 2]);
    let named = String::from_utf8(full_turn()).unwrap().replace("\"session_id\"", "\"turn_id\":\"mine\",\"session_id\"");
    assert_eq!(ids(&drawn(named.into_bytes(), &rows)), [1, 2]);
}

#[test]
fn behaviour_21_without_a_ledger_there_are_no_governance_nodes() {
    let trace = drawn(full_turn(), &[]);
    assert!(trace.governance.is_empty());
    assert!(trace.nodes.iter().all(|node| node.kind != "governance" && node.governance.is_none()));
    assert!(trace.edges.iter().all(|edge| edge.label.as_deref() != Some("guard")));
}

#[test]
fn a_row_that_names_a_call_is_at_that_tool() {
    let row = |ms, hook, key: &str, id: &str| (ms, hook, json!({ key: id }));
    let rows = ledger(&[
        row(101, "pre_tool_use", "call_id", "c2"),
        row(102, "pre_llm_call", "call_id", "c2"),
        // Two calls of one id: the one that runs, else the nearest.
        row(103, "pre_tool_use", "call_id", "c1"),
        row(260, "post_tool_use", "call_id", "c1"),
        row(405, "post_tool_use", "call_id", "c1"),
        row(406, "pre_tool_use", "call_id", "unknown"),
        row(407, "pre_egress", "parent_call_id", "c2"),
        row(408, "pre_tool_use", "parent_call_id", "c2"),
    ]);
    let trace = drawn(full_turn(), &rows);
    assert_eq!(hosts(&trace), ["tool1", "tool1", "tool0", "tool2", "tool2", "tool2", "tool1", "tool2"]);
}

#[test]
fn rows_of_one_firing_are_one_node() {
    let row = |ms, plugin: &str, decision: &str, reason: &str| {
        (ms, "pre_tool_use", json!({ "plugin": plugin, "decision": decision, "reason": reason, "call_id": "c1" }))
    };
    let long = "é".repeat(390);
    let rows = ledger(&[
        row(103, "third", "transform", ""),
        row(101, "first", "allow", "fine, says jo@example.org"),
        row(102, "second", "asks", "hm"),
        row(104, "fourth", "deny", "no"),
        row(105, "fifth", "require_approval", "ask"),
        row(106, "sixth", "deny", "never"),
        (107, "post_tool_use", json!({ "call_id": "c1", "reason": long })),
        (480, "pre_tool_use", json!({ "call_id": "c1" })),
    ]);
    let trace = drawn(full_turn(), &rows);
    let nodes: Vec<_> = trace.nodes.iter().filter(|node| node.kind == "governance").collect();
    let cards: Vec<_> = nodes.iter().map(|node| node.governance.as_ref().unwrap()).collect();
    assert_eq!(cards[0].rows, [2, 3, 1, 4, 5, 6]);
    assert_eq!(cards[0].decision, Decision::Deny);
    assert_eq!(cards[0].reason, "fourth: no; sixth: never; fifth: ask; first: fine, says **@example.org");
    let texts =
        |at: usize| (nodes[at].id.as_str(), nodes[at].t_offset_ms, nodes[at].input.as_deref(), nodes[at].output.as_deref());
    let input = "pre_tool_use: first, second, third, fourth, fifth, sixth";
    assert_eq!(texts(0), ("gov0", 101.0, Some(input), Some("deny (6 plugins)")));
    assert_eq!(texts(1), ("gov1", 107.0, Some("post_tool_use: check"), Some("allow (1 plugin)")));
    assert_eq!(cards[1].reason, format!("check: {long}"));
    // The same hook at the other call of that id is a firing of its own.
    assert_eq!((cards[2].rows.as_slice(), hosts(&trace)[7]), (&[8][..], "tool2"));
    let edges: Vec<_> = trace.edges.iter().filter(|edge| edge.label.as_deref() == Some("guard")).collect();
    assert!(edges.iter().all(|edge| edge.kind == EdgeKind::Control && edge.id == format!("e-gov-{}", edge.target)));
    let joined: Vec<_> = edges.iter().map(|edge| (edge.source.as_str(), edge.target.as_str())).collect();
    assert_eq!(joined, [("tool0", "gov0"), ("tool0", "gov1"), ("tool2", "gov2")]);
    // A decision stands under the call it is about.
    let boxes = layout(&trace).boxes;
    let row_of = |id: &str| boxes.iter().position(|place| trace.nodes[place.node].id == id).unwrap();
    assert_eq!((row_of("gov0"), row_of("gov1"), row_of("gov2")), (row_of("tool0") + 1, row_of("tool0") + 2, row_of("tool2") + 1));
    let cut = drawn(full_turn(), &ledger(&[(1, "pre_turn", json!({ "reason": "é".repeat(500) }))]));
    let card = cut.nodes.iter().find_map(|node| node.governance.as_ref()).unwrap();
    assert_eq!(card.reason.chars().count(), 400);
}

#[test]
fn a_row_with_an_unreadable_stamp_or_after_the_answer_has_a_place() {
    let bytes = String::from_utf8(full_turn()).unwrap().replace("\"session_id\"", "\"turn_id\":\"mine\",\"session_id\"");
    let rows = ledger(&[
        (1, "pre_turn", json!({ "ts": "yesterday", "turn_id": "mine" })),
        (900, "post_step", json!({ "turn_id": "mine" })),
    ]);
    let trace = drawn(bytes.into_bytes(), &rows);
    let late: Vec<_> = trace.nodes.iter().filter(|node| node.after_answer).map(|node| node.label.as_str()).collect();
    assert_eq!(late, ["post_step"]);
    assert_eq!(trace.governance.iter().map(|event| event.t_offset_ms).collect::<Vec<_>>(), [900.0, 0.0]);
    assert_eq!(layout(&trace).boxes.len(), trace.nodes.len());
}

/// Many calls that all overlap, and many rows: each row finds its host without looking at every call.
#[test]
fn many_rows_and_many_calls_are_joined() {
    let count = 30_000u64;
    let mut events = vec![(0, json!({ "kind": "user_message", "text": "q" }))];
    for i in 0..count {
        events.push((1 + i, json!({ "kind": "tool.invoke.start", "payload": { "tool": "t", "call_id": format!("c{i}") } })));
    }
    for i in 0..count {
        events
            .push((count + 1 + i, json!({ "kind": "tool.invoke.end", "payload": { "tool": "t", "call_id": format!("c{i}") } })));
    }
    let rows: Vec<(u64, &str, Value)> = (0..count).map(|i| (count + 1 + i, "pre_tool_use", json!({}))).collect();
    let mut beats = 0;
    let trace = trace(&read(log(&events)), 0, &ledger(&rows), &mut || beats += 1);
    assert!(beats > 100, "{beats}");
    // All calls run until they end in turn; the last one that started is the nearest start.
    assert!(hosts(&trace).iter().all(|host| *host == format!("tool{}", count - 1)));
    assert_eq!(trace.governance.len(), 30_000);
    assert_eq!(trace.nodes.iter().filter(|node| node.kind == "governance").count(), 1);
}

#[test]
fn the_reader_draws_with_the_decisions_it_was_given() {
    let mut reader = Reader::default();
    let mut ask = |request: ReaderRequest, bytes: Option<Vec<u8>>| reader.handle(request, bytes, &mut || ());
    ask(ReaderRequest::Open { log: 1, name: "session-s.jsonl".into() }, Some(full_turn()));
    let trace = |answer: ReaderAnswer| match answer {
        ReaderAnswer::Trace { trace, layout, governance_count, .. } => {
            (trace.governance.len(), governance_count, layout.boxes.len())
        }
        other => panic!("{other:?}"),
    };
    let draw = || ReaderRequest::Trace { log: 1, turn: "0".into() };
    let (_, none, calls) = trace(ask(draw(), None));
    assert_eq!(none, 0);
    let rows: Vec<(u64, &str, Value)> = (0..400).map(|i| (i, "pre_turn", json!({ "reason": "r".repeat(100) }))).collect();
    let keep = |rows: &[_]| ReaderRequest::Ledger { log: 1, entries: ledger(rows) };
    assert_eq!(ask(keep(&rows), None), ReaderAnswer::Ledger { entries: 400 });
    assert_eq!(trace(ask(draw(), None)), (300, 400, calls + 1));
    let rest = ask(ReaderRequest::Governance { log: 1, turn: "0".into(), from: 300, to: 900 }, None);
    let ReaderAnswer::Governance { events } = rest else { panic!("{rest:?}") };
    assert_eq!((events.len(), events[0].entry.id, events[99].entry.id), (100, 301, 400));
    assert_eq!(ask(keep(&rows[..1]), None), ReaderAnswer::Ledger { entries: 1 });
    assert_eq!(trace(ask(draw(), None)), (1, 1, calls + 1));
    // Another file under the same number does not inherit them.
    ask(ReaderRequest::Open { log: 1, name: "session-s.jsonl".into() }, Some(full_turn()));
    assert_eq!(trace(ask(draw(), None)), (0, 0, calls));
    let unknown = ask(ReaderRequest::Ledger { log: 2, entries: Vec::new() }, None);
    assert_eq!(unknown, ReaderAnswer::Failed { message: "That log is no longer open; open the file again.".into() });
}
