//! Damaged, odd and hostile logs: each file in `cases/logs` is read and everything that Proem makes of it is a snapshot.

use proem_core::log::{Bucket, Detail, Log, parse_stamp, replay};
use proem_core::trace::{Edge, EdgeKind, Layout, Trace, layout, trace};
use proem_core::worker::reader::Reader;
use proem_core::worker::{ReaderAnswer, ReaderRequest};
use proem_tests::{cases, corpus, files, log};
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

#[test]
fn cases_read_as_they_should() {
    let found = files(&cases("logs"), ".jsonl");
    assert!(found.len() > 15);
    for path in found {
        check(&path);
    }
}

#[test]
fn malformed_logs_of_the_corpus() {
    let Some(corpus) = corpus("malformed") else { return };
    let found: Vec<_> = files(&corpus, ".jsonl").into_iter().filter(|path| name(path).starts_with("iris-")).collect();
    assert_eq!(found.len(), 3);
    for path in found {
        check(&path);
    }
}

fn check(path: &Path) {
    let text = everything(&log(path));
    insta::with_settings!({ snapshot_path => "snapshots/logs", prepend_module_to_snapshot => false, omit_expression => true }, {
        insta::assert_snapshot!(name(path).trim_end_matches(".jsonl").replace('%', "_"), text);
    });
}

fn name(path: &Path) -> String {
    path.file_name().expect("a file").to_string_lossy().into_owned()
}

/// All that Proem says about a log, as text.
fn everything(log: &Log) -> String {
    let mut out = String::new();
    let summary = log.summary();
    let _ = writeln!(out, "session {} · {} · openers {:?}", summary.session_id, summary.title, summary.openers);
    let _ = writeln!(
        out,
        "{} listed, {} hidden, {} before, {} skipped, {} repaired, {} foreign, {} tokens, {} ms, from {:?} to {:?}",
        summary.turn_count,
        summary.hidden_turns,
        summary.preamble_events,
        summary.skipped_lines,
        summary.repaired_lines,
        summary.foreign_events,
        summary.total_tokens,
        summary.total_duration_ms,
        summary.started_at,
        summary.last_activity_at,
    );
    for (bucket, (records, bytes)) in account(log) {
        let _ = writeln!(out, "  {bucket}: {records} records, {bytes} bytes");
    }
    for line in log.skipped() {
        let _ = writeln!(out, "  line {} {}: {}", line.line, line.reason.sentence(), line.excerpt);
    }
    for message in replay(log, None, Detail::Everything, &mut || ()).messages {
        let mark = if message.is_final { " final" } else { "" };
        let about = message.code.or(message.outcome.map(|outcome| outcome.as_str().to_owned())).unwrap_or_default();
        let _ = writeln!(out, "{:?} {about}{mark} [{}] {:?}", message.role, message.reference, message.text);
    }
    for (position, turn) in log.turns().iter().enumerate() {
        let _ = writeln!(
            out,
            "\nturn {} {:?} · {:?} · {} · {} ms {:?} · {} records, {} answers, {} errors · listed {} · continues {:?}",
            turn.reference,
            turn.opened_by,
            turn.request,
            turn.outcome.as_str(),
            turn.duration_ms,
            turn.duration_source,
            turn.records,
            turn.answers,
            turn.errors,
            turn.listed,
            turn.continues,
        );
        drawing(&mut out, &trace(log, position, &[], &mut || ()));
    }
    out
}

fn drawing(out: &mut String, trace: &Trace) {
    let layout = layout(trace);
    let ticks: Vec<&str> = layout.ticks.iter().map(|tick| tick.text.as_str()).collect();
    let _ = writeln!(out, "  axis {} ms: {}", layout.scale_ms, ticks.join(", "));
    for place in &layout.boxes {
        let node = &trace.nodes[place.node];
        let owner = trace.edges.iter().find(|edge| edge.target == node.id && edge.kind == EdgeKind::Control);
        let owner = owner.map(|edge| format!(" by {}", edge.source)).unwrap_or_default();
        let after = if place.after_answer { " after the answer" } else { "" };
        let _ = writeln!(
            out,
            "  {}{} {:?} {:?} at {}: {} ({:.3}+{:.3}){owner}{after}",
            "  ".repeat(place.depth as usize),
            node.id,
            node.label,
            node.status,
            node.t_offset_ms,
            place.duration_text,
            place.left,
            place.width,
        );
    }
    let data = trace.edges.iter().filter(|edge| edge.kind == EdgeKind::Data);
    let _ = writeln!(out, "  data {}", data.map(|edge| format!("{}>{}", edge.source, edge.target)).collect::<Vec<_>>().join(" "));
    for step in &trace.steps {
        let when = if step.time_unknown { "?".to_owned() } else { format!("{}/{}", step.t_offset_ms, step.logged_at_ms) };
        let fields = serde_json::Value::Object(step.fields.clone());
        let _ = writeln!(out, "  {when} {} {:?} {:?} · {} · {fields}", step.kind, step.status, step.duration_ms, step.title);
    }
}

/// Records and bytes by what became of them.
fn account(log: &Log) -> BTreeMap<&'static str, (u64, u64)> {
    let mut buckets = BTreeMap::new();
    for record in log.records() {
        let bucket = match record.bucket {
            Bucket::Read => "read",
            Bucket::Repaired => "repaired",
            Bucket::Skipped(_) => "skipped",
            Bucket::Blank => "blank",
            Bucket::Padding => "padding",
        };
        let (records, bytes) = buckets.entry(bucket).or_insert((0, 0));
        *records += 1;
        *bytes += record.length;
    }
    buckets
}

const QUESTION: &str = r#"{"kind":"user_message","ts":"2026-01-05T10:00:00Z","session_id":"s","text":"q"}"#;

fn read(bytes: impl Into<Vec<u8>>) -> Log {
    Log::read("x.jsonl", bytes.into(), &mut || ()).expect("a log")
}

#[test]
fn a_value_nested_5_000_deep_keeps_its_record() {
    let deep = format!(r#"{{"kind":"handler.end","x":{}{},"payload":{{"handler":"h"}}}}"#, "[".repeat(5000), "]".repeat(5000));
    let log = read(format!("{QUESTION}\n{deep}\n"));
    assert_eq!((log.summary().repaired_lines, log.summary().skipped_lines), (1, 0));
    let event = log.event(1);
    assert_eq!((event.str("handler"), event.str("x")), (Some("h"), Some("nested 5,000 deep")));
}

#[test]
fn padding_of_a_block_is_one_range_and_hides_nothing() {
    let mut bytes = format!("{QUESTION}\n").into_bytes();
    bytes.extend([0; 4096]);
    assert_eq!(account(&read(bytes.clone()))["padding"], (1, 4096));
    bytes.extend(format!("\n{QUESTION}\n").bytes());
    let log = read(bytes);
    assert_eq!((log.turns().len(), log.records()[1].length), (2, 4096));
}

#[test]
fn a_million_blank_lines_cost_one_range() {
    let log = read(format!("{QUESTION}\n{}{QUESTION}", "\n".repeat(1_000_000)));
    assert_eq!(log.records().len(), 3);
    assert_eq!(log.records()[2].line, 1_000_002);
}

#[test]
fn a_torn_line_full_of_braces_is_given_up_in_time() {
    let torn = r#"{"a":"#.repeat(200_000);
    let log = read(format!("{QUESTION}\n{torn}\n{torn}{QUESTION}\n"));
    assert_eq!(log.skipped().count(), 2);
}

#[test]
fn one_line_of_eight_megabytes_is_a_record_like_any_other() {
    let line =
        |end: &str| format!(r#"{{"kind":"handler.end","payload":{{"handler":"h","out":"{}{end}"}}}}"#, "x".repeat(8_000_000));
    for (line, bucket) in [(line(""), Bucket::Read), (line("\u{1}"), Bucket::Repaired)] {
        let log = read(format!("{QUESTION}\n{line}\n{QUESTION}\n"));
        let record = log.records()[1];
        assert_eq!((log.turns().len(), record.bucket, record.length), (2, bucket, line.len() as u64 + 1));
        assert_eq!(log.event(1).str("handler"), Some("h"));
    }
}

#[test]
fn what_is_no_log_is_refused_with_a_sentence() {
    let mut reader = Reader::default();
    let mut sentences = String::new();
    for bytes in ["", "\n\n", "hello\nworld\n", "{\"a\":1}", "[]"] {
        let request = ReaderRequest::Open { log: 1, name: "notes.txt".into() };
        let ReaderAnswer::Failed { message } = reader.handle(request, Some(bytes.into()), &mut || ()) else {
            panic!("{bytes:?} was read")
        };
        let _ = writeln!(sentences, "{bytes:?}: {message}");
    }
    let mut ask = |request| match reader.handle(request, None, &mut || ()) {
        ReaderAnswer::Failed { message } => message,
        other => format!("{other:?}"),
    };
    let _ = writeln!(sentences, "no bytes: {}", ask(ReaderRequest::Open { log: 1, name: "a.jsonl".into() }));
    let _ = writeln!(sentences, "not open: {}", ask(ReaderRequest::Turns { log: 1, from: 0, to: 9 }));
    insta::assert_snapshot!(sentences);
}

/// A trace of `count` calls, each made by the one that `owner` names.
fn calls(count: usize, owner: impl Fn(usize) -> Option<usize>) -> Trace {
    let log = read(QUESTION);
    let mut made = trace(&log, 0, &[], &mut || ());
    let first = made.nodes[0].clone();
    made.nodes =
        (0..count).map(|i| proem_core::trace::Node { id: format!("n{i}"), kind: "tool".into(), ..first.clone() }).collect();
    let edge = |(i, owner): (usize, usize)| Edge {
        id: format!("e{i}"),
        source: format!("n{owner}"),
        target: format!("n{i}"),
        kind: EdgeKind::Control,
        label: None,
        seq: i as u64,
    };
    made.edges = (0..count).filter_map(|i| Some((i, owner(i)?))).map(edge).collect();
    made
}

#[test]
fn a_chain_of_20_000_calls_is_placed_without_recursion() {
    let Layout { boxes, links, .. } = layout(&calls(20_000, |i| i.checked_sub(1)));
    assert_eq!((boxes.len(), links.len()), (20_000, 19_999));
    assert_eq!((boxes[19_999].row, boxes[19_999].depth), (19_999, 19_999));
}

#[test]
fn calls_that_own_each_other_are_still_drawn_once() {
    let owners = [Some(1), Some(0), None, Some(2), Some(4)];
    let boxes = layout(&calls(5, |i| owners[i])).boxes;
    let rows: Vec<(usize, u32)> = boxes.iter().map(|place| (place.node, place.depth)).collect();
    assert_eq!(rows, [(2, 0), (3, 1), (4, 0), (0, 0), (1, 1)]);
}

/// What must hold for any bytes: nothing panics, every byte is in exactly one range, every event in exactly one place, every drawing on the axis.
fn holds(bytes: Vec<u8>) -> Result<(), TestCaseError> {
    let length = bytes.len() as u64;
    let Ok(log) = Log::read("any.jsonl", bytes, &mut || ()) else { return Ok(()) };
    let mut end = 0;
    let mut line = 0;
    for record in log.records() {
        prop_assert_eq!(record.offset, end);
        prop_assert!(record.length > 0 && record.line >= line);
        end += record.length;
        line = record.line;
    }
    prop_assert_eq!(end, length);
    let mut placed: Vec<usize> = log.preamble().chain((0..log.turns().len()).flat_map(|turn| log.turn_events(turn))).collect();
    placed.sort_unstable();
    prop_assert_eq!(placed, (0..log.event_count()).collect::<Vec<_>>());
    for event in 0..log.event_count() {
        prop_assert_eq!(&log.event(event).kind, log.kind(event));
    }
    replay(&log, None, Detail::Everything, &mut || ());
    for turn in 0..log.turns().len() {
        prop_assert_eq!(log.find_turn(&log.turns()[turn].reference).is_some(), true);
        let trace = trace(&log, turn, &[], &mut || ());
        let layout = layout(&trace);
        let mut rows: Vec<usize> = layout.boxes.iter().map(|place| place.node).collect();
        rows.sort_unstable();
        prop_assert_eq!(rows, (0..trace.nodes.len()).collect::<Vec<_>>());
        prop_assert_eq!(layout.links.len(), trace.edges.len());
        for place in &layout.boxes {
            prop_assert!(place.left >= 0.0 && place.width > 0.0 && place.left + place.width <= 1.0 + 1e-9, "{:?}", place);
        }
        prop_assert!(trace.nodes.iter().all(|node| node.t_offset_ms >= 0.0 && node.duration_ms >= 0.0));
        let text = serde_json::to_string(&trace).expect("JSON");
        prop_assert_eq!(serde_json::from_str::<Trace>(&text).is_ok(), true);
    }
    Ok(())
}

/// Logs of the repository, to be damaged.
fn sound_logs() -> Vec<Vec<u8>> {
    let found = files(&cases("iris"), ".jsonl").into_iter().chain(files(&cases("logs"), ".jsonl"));
    found.map(|path| std::fs::read(path).expect("a case")).collect()
}

/// Damage: at a place, so many bytes are taken out and others put in.
fn damage() -> impl Strategy<Value = Vec<(prop::sample::Index, usize, Vec<u8>)>> {
    let odd = prop::sample::select(vec![
        &b"\0\0\0\0\0\0\0\0\0"[..],
        b"\n",
        b"\r\n",
        b"\"",
        b"\\",
        b"{",
        b"}",
        b"[[[[",
        b"NaN",
        b"\\ud800",
        b"\xFF",
        b"\xEF\xBB\xBF",
        b"{\"kind\":\"error\"}",
        b",",
        b":",
        b"",
    ]);
    let put = prop_oneof![odd.prop_map(<[u8]>::to_vec), prop::collection::vec(any::<u8>(), 0..8)];
    prop::collection::vec((any::<prop::sample::Index>(), 0usize..200, put), 1..6)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..2000)) {
        holds(bytes)?;
    }

    #[test]
    fn any_json_like_text(text in r#"([\[\]{}:,"\\\n\x00 0-9a-z]|"kind":"[a-z]"|NaN|\\ud83d){0,120}"#) {
        holds(text.into_bytes())?;
    }

    #[test]
    fn damaged_logs(which in any::<prop::sample::Index>(), damage in damage()) {
        let logs = sound_logs();
        let mut bytes = which.get(&logs).clone();
        for (place, taken, put) in damage {
            let at = place.index(bytes.len() + 1);
            let to = (at + taken).min(bytes.len());
            bytes.splice(at..to, put);
        }
        holds(bytes)?;
    }

    #[test]
    fn any_stamp(text in r"\PC{0,40}|[0-9:TZ+.\-]{0,40}") {
        parse_stamp(&text);
    }
}
