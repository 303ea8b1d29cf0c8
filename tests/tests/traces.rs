//! Sessions and traces in general: the behaviours 27 to 36 of the spec's list (specs: system-opened-turns, section 7), in Proem's reading.
#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

use proem_core::log::{Detail, Log, Role, replay};
use proem_core::trace::{Status, Trace, trace};
use proem_tests::{cases, log};
use serde_json::{Value, json};

/// A golden vector by its session.
fn vector(session: &str) -> Log {
    log(&cases("iris").join(format!("session-{session}.jsonl")))
}

fn drawn(log: &Log, reference: &str) -> Trace {
    trace(log, log.find_turn(reference).unwrap(), &[], &mut || ())
}

/// A log of one typed turn: each event with its milliseconds.
fn turn(events: &[(u64, Value)]) -> Log {
    let opening = (0, json!({ "kind": "user_message", "text": "q" }));
    let line = |(ms, event): &(u64, Value)| {
        let mut event = event.clone();
        event["ts"] = json!(format!("2026-10-03T08:15:{:02}.{:03}000+00:00", ms / 1000, ms % 1000));
        event["turn_id"] = json!("a".repeat(32));
        event.to_string() + "\n"
    };
    let text: String = [opening].iter().chain(events).map(line).collect();
    Log::read("session-s.jsonl", text.into_bytes(), &mut || ()).unwrap()
}

fn owner<'a>(trace: &'a Trace, node: &str) -> &'a str {
    let edge = trace.edges.iter().find(|edge| edge.target == node && edge.label.is_some());
    &edge.unwrap_or_else(|| panic!("{node} has no owner: {:?}", trace.edges)).source
}

#[test]
fn behaviour_27_the_summary_and_the_calls_of_a_full_turn() {
    let log = vector("3fa9c07be21d");
    let position = log.find_turn("~2").unwrap();
    let turn = &log.turns()[position];
    assert_eq!(turn.trace_id.as_deref(), Some("3fa9c07be21d~2"));
    assert_eq!((turn.total_tokens, turn.duration_ms), (315, 1048.0));
    let trace = drawn(&log, "~2");
    let kinds: Vec<&str> = trace.nodes.iter().map(|node| node.kind.as_str()).collect();
    for kind in ["runtime", "intent_router", "llm", "memory", "task_planner", "agent", "tool", "response_curator"] {
        assert!(kinds.contains(&kind), "{kind} in {kinds:?}");
    }
    assert_eq!(owner(&trace, "llm0"), "intent_router");
    assert!(trace.edges.iter().any(|edge| (edge.source.as_str(), edge.target.as_str()) == ("agent0", "curator")));
}

#[test]
fn behaviour_29_an_id_that_is_none_is_not_found() {
    let log = vector("3fa9c07be21d");
    for id in ["", "~", "3fa9c07be21d", "3fa9c07be21d~99", "3fa9c07be21d~x", "3fa9c07be21d@ffffffffffffffffffffffffffffffff"] {
        assert_eq!(log.find_turn(id), None, "{id}");
    }
}

#[test]
fn behaviour_30_a_session_sums_its_turns_and_is_called_after_the_first_question() {
    let log = vector("3fa9c07be21d");
    let summary = log.summary();
    assert_eq!((summary.title.as_str(), summary.total_tokens), ("what time is it?", 315));
    assert_eq!(summary.total_tokens, log.turns().iter().map(|turn| turn.total_tokens).sum::<u64>());
    assert_eq!(summary.turn_count, log.turns().iter().filter(|turn| turn.listed).count() as u64);
}

#[test]
fn behaviour_31_a_replay_alternates_and_every_answer_leads_to_its_turn() {
    let log = turn(&[
        (10, json!({ "kind": "agent_response", "response": "one" })),
        (20, json!({ "kind": "user_message", "text": "again" })),
        (30, json!({ "kind": "agent_response", "response": "two" })),
    ]);
    let messages = replay(&log, None, Detail::Conversation, &mut || ()).messages;
    let said: Vec<(Role, &str)> = messages.iter().map(|message| (message.role, message.text.as_str())).collect();
    assert_eq!(said[..2], [(Role::User, "q"), (Role::Assistant, "one")]);
    assert!(said.contains(&(Role::User, "again")) && said.contains(&(Role::Assistant, "two")), "{said:?}");
    assert!(messages.iter().all(|message| log.find_turn(&message.reference).is_some()));
}

#[test]
fn behaviour_32_steps_stand_in_file_order_with_what_was_logged() {
    let log = turn(&[
        (
            20,
            json!({ "kind": "llm_call", "agent_type": "intent_router", "iteration": 3, "model": "m", "tokens": { "total_tokens": 7 } }),
        ),
        (30, json!({ "kind": "intent_router.end", "payload": { "intent": "general" } })),
        (40, json!({ "kind": "agent.trace", "phase": "agent.start", "payload": { "agent_type": "a" } })),
        (
            50,
            json!({ "kind": "agent.trace", "phase": "agent.result", "payload": { "agent_type": "a", "success": false, "stall_count": 4 } }),
        ),
        (
            60,
            json!({ "kind": "response_curator.end", "payload": { "metadata": { "judge_bundle": {
            "halted": false, "signals": [{ "name": "safety", "verdict": "pass" }] } } } }),
        ),
    ]);
    let steps = drawn(&log, "~0").steps;
    let kinds: Vec<&str> = steps.iter().map(|step| step.kind.as_str()).collect();
    assert_eq!(kinds, ["request", "llm", "intent", "agent", "stop", "curator"]);
    assert_eq!((steps[1].iteration, &steps[1].fields["tokens"]), (Some(3), &json!(7)));
    assert_eq!((steps[4].status, &steps[4].fields["stall_count"]), (Status::Error, &json!(4)));
    assert_eq!(steps[5].fields["verdicts"], json!({ "safety": "pass" }));
}

/// Start and end of a tool call.
fn tool(from: u64, to: u64, ids: &Value) -> [(u64, Value); 2] {
    let payload = |more: Value| {
        let mut payload = ids.clone();
        payload["tool"] = json!("search");
        payload.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        payload
    };
    [
        (from, json!({ "kind": "tool.invoke.start", "payload": payload(json!({ "arguments": { "q": "x" } })) })),
        (to, json!({ "kind": "tool.invoke.end", "payload": payload(json!({ "ok": true, "result_preview": "found" })) })),
    ]
}

#[test]
fn behaviour_33_a_pair_is_one_call_and_one_step() {
    let trace = drawn(&turn(&tool(10, 30, &json!({ "call_id": "c" }))), "~0");
    let tools: Vec<_> = trace.nodes.iter().filter(|node| node.kind == "tool").collect();
    assert_eq!((tools.len(), tools[0].t_offset_ms, tools[0].duration_ms), (1, 10.0, 20.0));
    assert_eq!((tools[0].input.as_deref(), tools[0].output.as_deref()), (Some(r#"{"q":"x"}"#), Some("found")));
    assert_eq!(trace.steps.iter().filter(|step| step.kind == "tool").count(), 1);
}

#[test]
fn behaviour_34_model_calls_hang_off_what_made_them() {
    let call = |ms, agent: &str| (ms, json!({ "kind": "llm_call", "agent_type": agent, "model": "m", "duration_ms": 2.0 }));
    let [start, end] = tool(10, 30, &json!({ "call_id": "c" }));
    let trace = drawn(
        &turn(&[
            start,
            call(20, "a"),
            end,
            (40, json!({ "kind": "response_curator.start" })),
            call(45, "response_curator"),
            call(50, "unknown"),
            (60, json!({ "kind": "response_curator.end" })),
            (70, json!({ "kind": "agent_response", "response": "r" })),
            call(80, "turn_capture"),
        ]),
        "~0",
    );
    assert_eq!(["llm0", "llm1", "llm2", "llm3"].map(|llm| owner(&trace, llm)), ["tool0", "curator", "curator", "runtime"]);
}

#[test]
fn behaviour_35_edges_are_numbered_and_nodes_sorted_by_start() {
    for session in ["3fa9c07be21d", "0d1e2f3a4b5c"] {
        let log = vector(session);
        for position in 0..log.turns().len() {
            let trace = trace(&log, position, &[], &mut || ());
            assert!(trace.edges.iter().map(|edge| edge.seq).eq(1..=trace.edges.len() as u64));
            assert!(trace.nodes.is_sorted_by(|a, b| a.t_offset_ms <= b.t_offset_ms));
        }
    }
}

#[test]
fn behaviour_36_the_call_id_counts_before_the_older_one() {
    let [start, mut end] = tool(10, 30, &json!({ "call_id": "new", "tool_call_id": "old" }));
    end.1["payload"]["tool_call_id"] = json!("other");
    let trace = drawn(&turn(&[start, end]), "~0");
    let tools: Vec<_> = trace.nodes.iter().filter(|node| node.kind == "tool").collect();
    assert_eq!((tools.len(), tools[0].duration_ms, tools[0].status), (1, 20.0, Status::Ok));
}
