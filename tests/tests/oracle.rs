//! The producing system's own answers about its logs, compared with Proem's after named rules: where the two differ, a rule says which section
//! asks for the difference and undoes it. A rule knows no file, no turn and no value; how many values it touched is a snapshot.

use proem::store::HarnessLedger;
use proem_core::ledger::{LedgerEntry, TurnIndex, entries};
use proem_core::log::{Detail, Log, OpenedBy, Turn, replay};
use proem_core::trace::trace;
use proem_tests::{corpus, differences, files, json};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

/// Both sides round to three decimals, but not the same intermediate values.
const TOLERANCE: f64 = 0.0015;

/// How many values each rule touched.
#[derive(Default)]
struct Rules(BTreeMap<&'static str, usize>);

impl Rules {
    fn touched(&mut self, rule: &'static str, values: usize) {
        *self.0.entry(rule).or_default() += values;
    }

    /// Replaces a value by what the rule says; it counts when that makes a difference.
    fn set(&mut self, rule: &'static str, value: &mut Value, new: Value) {
        self.touched(rule, usize::from(!differences(&new, value, 0.0005).is_empty()));
        *value = new;
    }
}

#[test]
fn equals_the_producer_after_named_rules() {
    let Some(corpus) = corpus("iris-harness") else { return };
    let oracles = files(&corpus, "_oracle_trace_builder.json");
    assert!(!oracles.is_empty(), "the corpus holds no answers");
    let mut touched = String::new();
    let mut wrong = Vec::new();
    for path in oracles {
        let oracle = json(&path);
        let set = path.parent().and_then(|folder| folder.file_name()).expect("a file set").to_string_lossy().into_owned();
        let mut rules = Rules::default();
        let ledger = ledger(&path.with_file_name("audit.db"));
        let mut traces = 0;
        for entry in oracle["list_sessions"].as_array().expect("sessions") {
            let id = entry["session_id"].as_str().expect("an id");
            // In the corpus a colon in a file name is written as `_`; the harness writes %3A.
            let bytes = std::fs::read(path.with_file_name(format!("session-{}.jsonl", id.replace(':', "_")))).expect("the log");
            let name = format!("session-{}.jsonl", id.replace(':', "%3A"));
            let log = split_by_openings(&name, bytes, &ledger, &mut rules);
            let mut check = |what: &str, expected: &Value, actual: &Value| {
                wrong.extend(differences(expected, actual, TOLERANCE).into_iter().map(|d| format!("{set} {id} {what} {d}")));
            };
            check("entry", entry, &session_entry(&log, &mut rules));
            check("messages", &oracle["session_messages"][id], &messages(&log, &mut rules));
            for (position, turn) in log.turns().iter().enumerate() {
                let trace_id = turn.trace_id.as_deref().expect("every turn has an opening event");
                let theirs = their_trace(&oracle["traces"][trace_id], &mut rules);
                let ours = our_trace(&log, position, &ledger, &theirs, &mut rules);
                check(&format!("trace {trace_id}"), &theirs, &ours);
                traces += 1;
            }
        }
        assert_eq!(traces, oracle["traces"].as_object().expect("traces").len(), "{set}: every trace is compared");
        let _ = writeln!(touched, "{set}: {traces} traces");
        for (rule, values) in rules.0 {
            let _ = writeln!(touched, "  {values:>4}  {rule}");
        }
    }
    assert!(wrong.is_empty(), "{} differences:\n{}", wrong.len(), wrong.join("\n"));
    insta::assert_snapshot!(touched);
}

/// 7.2: the harness splits by opening events alone. Without turn ids Proem does the same, so the log is read once more without them; what the
/// rule touches are the events that then belong to another turn. Turns that hold the same events either way must have the same trace.
fn split_by_openings(name: &str, bytes: Vec<u8>, ledger: &[LedgerEntry], rules: &mut Rules) -> Log {
    let mut without = Vec::new();
    for line in bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
        let mut record: Map<String, Value> = serde_json::from_slice(line).expect("the corpus logs are sound");
        record.shift_remove("turn_id");
        serde_json::to_writer(&mut without, &record).expect("written as it was read");
        without.push(b'\n');
    }
    let routed = Log::read(name, bytes, &mut || ()).expect("a log");
    let split = Log::read(name, without, &mut || ()).expect("a log");
    let opening = |log: &Log| {
        let mut of = vec![None; log.event_count()];
        for turn in 0..log.turns().len() {
            let first = log.turn_events(turn).next();
            log.turn_events(turn).for_each(|event| of[event] = first);
        }
        of
    };
    let moved = opening(&routed).iter().zip(opening(&split)).filter(|(a, b)| **a != *b).count();
    rules.touched("7.2 routing by turn id", moved);
    // 6.4: a row that names its turn belongs to that one, whenever it was written; the harness goes by the time alone.
    let led = |log: &Log| -> Vec<Option<usize>> {
        let spans = log.spans();
        let index = TurnIndex::new(log.session_id(), &spans);
        ledger.iter().map(|row| index.turn_of(row).and_then(|(turn, _)| log.turn_events(turn).next())).collect()
    };
    let moved = led(&routed).iter().zip(led(&split)).filter(|(a, b)| **a != *b).count();
    rules.touched("system-opened-turns 6.4 rows by turn id", moved);
    for position in 0..routed.turns().len() {
        let same = (0..split.turns().len()).find(|other| split.turn_events(*other).eq(routed.turn_events(position)));
        if let Some(other) = same {
            let (a, b) = (trace(&routed, position, &[], &mut || ()), trace(&split, other, &[], &mut || ()));
            assert_eq!((a.nodes, a.edges, a.steps), (b.nodes, b.edges, b.steps), "{name}: turn ids change nothing inside a turn");
        }
    }
    split
}

/// 7.4: a reported 0.0 counts, and a turn without a report lasts to its last event.
fn their_duration(log: &Log, position: usize, rules: &mut Rules) -> f64 {
    let turn = &log.turns()[position];
    let first = log.turn_events(position).next().and_then(|event| log.stamp_us(event));
    let last = log.turn_events(position).last().and_then(|event| log.stamp_us(event));
    let span = first.zip(last).map_or(0.0, |(first, last)| (last - first) as f64 / 1000.0);
    let theirs = turn.reported_duration_ms.unwrap_or(span);
    rules.touched("7.4 durations of turns", usize::from((theirs - turn.duration_ms).abs() > 0.0005));
    theirs
}

/// 7.5: the harness lists a turn with a request and some work in it, however it ended.
fn their_listed(log: &Log, rules: &mut Rules) -> Vec<usize> {
    let work = ["llm_call", "intent_router.end", "agent.trace", "tool_run", "handler.end"];
    let mut listed = Vec::new();
    for (position, turn) in log.turns().iter().enumerate() {
        let theirs = !turn.request.is_empty() && log.turn_events(position).any(|event| work.contains(&log.kind(event)));
        rules.touched("7.5 listed turns", usize::from(theirs != turn.listed));
        if theirs {
            listed.push(position);
        }
    }
    listed
}

fn session_entry(log: &Log, rules: &mut Rules) -> Value {
    let listed = their_listed(log, rules);
    let durations: Vec<f64> = listed.iter().map(|position| their_duration(log, *position, rules)).collect();
    let turn = |position: &usize| -> &Turn { &log.turns()[*position] };
    let turns = listed.iter().zip(&durations).rev().map(|(position, duration)| {
        let turn = turn(position);
        json!({
            "session_id": log.session_id(), "trace_id": turn.trace_id, "request": turn.request,
            "started_at": turn.started_at, "total_duration_ms": duration, "total_tokens": turn.total_tokens,
        })
    });
    let mut entry = json!(log.summary());
    entry["turns"] = turns.collect();
    entry["last_at"] = entry["last_activity_at"].take();
    rules.set("7.5 listed turns", &mut entry["turn_count"], json!(listed.len()));
    rules.set("7.4 durations of turns", &mut entry["total_duration_ms"], json!(durations.iter().sum::<f64>()));
    // 7.11: the harness takes the oldest listed request as the title for ever, and opening stamps as activity.
    let oldest = listed.first().map(|position| turn(position).request.split_whitespace().collect::<Vec<_>>().join(" "));
    let title = oldest.map_or("(untitled)".to_owned(), |text| match text.char_indices().nth(60) {
        Some((end, _)) => format!("{}…", text[..end].trim_end()),
        None => text,
    });
    rules.set("7.11 title", &mut entry["title"], json!(title));
    let latest = listed.iter().map(|position| turn(position).started_at.clone()).max().flatten();
    rules.set("7.11 last activity", &mut entry["last_at"], json!(latest));
    entry
}

/// 7.10: the harness shows one answer a turn, the last or an empty one, at the opening's stamp, and only for turns with a request.
fn messages(log: &Log, rules: &mut Rules) -> Value {
    let rule = "7.10 replay keeps everything";
    let all = replay(log, None, Detail::Conversation, &mut || ()).messages;
    let mut shown = Vec::new();
    for turn in log.turns() {
        let said: Vec<_> = all.iter().filter(|message| message.reference == turn.reference).collect();
        if turn.request.is_empty() {
            rules.touched(rule, said.len());
            continue;
        }
        if turn.opened_by == OpenedBy::User {
            assert_eq!(said[0].text, turn.request);
            shown.push(json!({ "role": "user", "text": said[0].text, "ts": said[0].ts }));
        }
        let spoken = said.len() - usize::from(turn.opened_by == OpenedBy::User);
        let answer = said.iter().find(|message| message.is_final);
        rules.touched(rule, spoken - usize::from(answer.is_some()));
        let mut message = json!({
            "role": "assistant", "text": answer.map_or("", |answer| &answer.text),
            "ts": answer.map(|answer| &answer.ts), "trace_id": turn.trace_id,
        });
        rules.set(rule, &mut message["ts"], json!(turn.started_at));
        shown.push(message);
    }
    Value::Array(shown)
}

/// The harness's trace without what Proem does not draw.
fn their_trace(trace: &Value, rules: &mut Rules) -> Value {
    let mut trace = trace.clone();
    let all = trace.as_object_mut().expect("a trace");
    // Steps have their own rules in the golden vectors.
    all.remove("steps");
    for node in all["nodes"].as_array_mut().expect("nodes") {
        let node = node.as_object_mut().expect("a node");
        // 4.3: names of the producer's code, and 1.6: figures of its machine.
        let removed =
            ["module", "method", "component_path", "resources"].iter().filter(|key| node.remove(**key).is_some()).count();
        rules.touched("4.3 names of code and 1.6 resources", removed);
        // 4.2: the card of a tool holds its exit code and streams.
        if let Some(tool) = node.remove("tool") {
            rules.touched("4.2 tool card", 1);
            node.insert("exit_code".into(), tool["exit_code"].clone());
            let stderr = tool["stderr"].as_str().filter(|text| !text.is_empty());
            node.insert("stderr".into(), json!(stderr));
        }
        // 1.10: the same program under its other name.
        let label = node["label"].as_str().expect("a label");
        if let Some(method) = label.strip_prefix("EvarnessRuntime.") {
            let label = json!(format!("IrisRuntime.{method}"));
            rules.set("1.10 the other name", &mut node["label"], label);
        }
    }
    trace
}

/// The decisions in a harness's database; none where there is no file.
fn ledger(path: &Path) -> Vec<LedgerEntry> {
    if !path.exists() {
        return Vec::new();
    }
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
    let read = async { HarnessLedger::open(path).await?.expect("a ledger").all().await };
    let (rows, left_out) = runtime.block_on(read).expect("rows");
    assert_eq!(left_out, Vec::<String>::new());
    entries(&rows)
}

/// 6.4: a row that names a call is drawn at that tool; the harness goes by hook and time, as Proem does where no call is named.
fn without_calls(rows: &[LedgerEntry]) -> Vec<LedgerEntry> {
    let mut rows = rows.to_vec();
    for row in &mut rows {
        (row.public.call_id, row.public.parent_call_id) = (None, None);
    }
    rows
}

/// Proem's trace as the harness would have drawn it. `theirs` decides nothing but how JSON is spaced.
fn our_trace(log: &Log, position: usize, ledger: &[LedgerEntry], theirs: &Value, rules: &mut Rules) -> Value {
    let by_call = trace(log, position, ledger, &mut || ()).governance;
    let made = trace(log, position, &without_calls(ledger), &mut || ());
    let moved = by_call.iter().zip(&made.governance).filter(|(a, b)| a.node != b.node).count();
    rules.touched("system-opened-turns 6.4 hosts by call id", moved);
    let mut drawn = json!(made);
    for (event, row) in drawn["governance"].as_array_mut().expect("rows").iter_mut().zip(&by_call) {
        event["call_id"] = json!(row.entry.public.call_id);
        event["parent_call_id"] = json!(row.entry.public.parent_call_id);
    }
    drawn["session_id"] = json!(log.session_id());
    let duration = json!(their_duration(log, position, rules));
    rules.set("7.4 durations of turns", &mut drawn["total_duration_ms"], duration.clone());
    let has_errors = log.turn_events(position).rfind(|event| log.kind(*event) == "agent_response");
    let has_errors = has_errors.is_some_and(|event| log.event(event).flag("has_errors") == Some(true));
    let mut gone = Vec::new();
    for node in nodes_of(&mut drawn) {
        match node["kind"].as_str().expect("a kind") {
            "runtime" => {
                rules.set("7.4 durations of turns", &mut node["duration_ms"], duration.clone());
                rules.set("7.6 errors are drawn", &mut node["status"], json!(if has_errors { "error" } else { "ok" }));
            }
            "governance" => {
                let (hook, plugins) = node["input"].as_str().and_then(|input| input.split_once(": ")).expect("hook and checks");
                let quoted: Vec<String> = plugins.split(", ").map(|plugin| format!("'{plugin}'")).collect();
                let theirs = format!("hook={hook} plugins=[{}]", quoted.join(", "));
                rules.set("system-opened-turns 1.3 words of a firing", &mut node["input"], json!(theirs));
            }
            "error" => gone.push(("7.6 errors are drawn", node["id"].clone())),
            "tool" if node["status"] == "open" => gone.push(("7.8 open work", node["id"].clone())),
            _ => {}
        }
    }
    for (rule, id) in gone {
        rules.touched(rule, 1);
        nodes_of(&mut drawn).retain(|node| node["id"] != id);
        let edges = drawn["edges"].as_array_mut().expect("edges");
        edges.retain(|edge| edge["target"] != id);
        for (edge, seq) in edges.iter_mut().zip(1..) {
            edge["seq"] = json!(seq);
        }
    }
    // 4.4: a payload is written out as JSON text, by us without spaces.
    for (node, their) in nodes_of(&mut drawn).iter_mut().zip(theirs["nodes"].as_array().expect("nodes")) {
        for key in ["input", "output"] {
            let spaced = parsed(&node[key]).is_some_and(|ours| Some(ours) == parsed(&their[key]));
            if spaced && node[key] != their[key] {
                rules.set("4.4 spacing of JSON", &mut node[key], their[key].clone());
            }
        }
    }
    drawn
}

fn nodes_of(trace: &mut Value) -> &mut Vec<Value> {
    trace["nodes"].as_array_mut().expect("nodes")
}

fn parsed(text: &Value) -> Option<Value> {
    serde_json::from_str(text.as_str()?).ok().filter(Value::is_object)
}
