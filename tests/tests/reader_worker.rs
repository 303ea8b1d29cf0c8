//! The reader worker: it answers by ranges, says that it is alive, and no answer of it grows with the log.

use proem_core::worker::assert::{AssertAnswer, AssertRequest};
use proem_core::worker::reader::Reader;
use proem_core::worker::{ReaderAnswer, ReaderRequest};
use std::fmt::Write;

/// One typed turn.
const QUESTION: &str = r#"{"kind":"user_message","ts":"2026-01-05T10:00:00Z","session_id":"s","text":"q"}"#;

#[test]
fn the_reader_answers_and_stays_alive() {
    let mut reader = Reader::default();
    let bytes = format!("{QUESTION}\n").repeat(10_000).into_bytes();
    let mut beats = 0;
    let opened = reader.handle(ReaderRequest::Open { log: 7, name: "session-a.jsonl".into() }, Some(bytes), &mut || beats += 1);
    let ReaderAnswer::Opened { summary, skipped } = opened else { panic!("{opened:?}") };
    assert_eq!((summary.turn_count, summary.foreign_events, skipped.len()), (10_000, 10_000, 0));
    assert!(beats >= 4, "progress is told every few thousand records: {beats}");
    let request = ReaderRequest::Turns { log: 7, from: 9_990, to: 20_000 };
    let ReaderAnswer::Turns { turns, count } = reader.handle(request, None, &mut || ()) else { panic!("no rows") };
    assert_eq!((turns.len(), count), (10, 10_000));
    let request = ReaderRequest::Messages { log: 7, from: 9_990, to: 20_000 };
    let ReaderAnswer::Messages { said } = reader.handle(request, None, &mut || ()) else { panic!("no messages") };
    let ends: Vec<usize> = said.iter().map(Vec::len).collect();
    assert_eq!((ends, &said[9][0].reference), (vec![2; 10], &turns[9].reference));
    for turn in ["9999", "a~9999", &turns[9].reference] {
        let answer = reader.handle(ReaderRequest::Trace { log: 7, turn: turn.into() }, None, &mut || ());
        let ReaderAnswer::Trace { trace, layout, .. } = answer else { panic!("{answer:?}") };
        assert_eq!((trace.reference.as_str(), layout.boxes.len()), ("a~9999", 1));
    }
    let missing = reader.handle(ReaderRequest::Trace { log: 7, turn: "a~10000".into() }, None, &mut || ());
    assert_eq!(missing, ReaderAnswer::Failed { message: "There is no turn a~10000 in session a.".into() });
    assert_eq!(reader.handle(ReaderRequest::Close { log: 7 }, None, &mut || ()), ReaderAnswer::Closed);
}

#[test]
fn no_answer_grows_with_the_log() {
    let mut reader = Reader::default();
    let long = "é".repeat(400_000);
    let mut text = String::new();
    for _ in 0..5 {
        let _ = writeln!(text, r#"{{"kind":"user_message","session_id":"s","text":"{long}"}}"#);
        let _ = writeln!(text, r#"{{"kind":"agent_response","session_id":"s","response":"{long}"}}"#);
    }
    for i in 0..700 {
        let _ = writeln!(
            text,
            r#"{{"kind":"tool_run","session_id":"s","cmd":"run {i}","stdout":"{}","exit_code":0}}"#,
            "y".repeat(9_000)
        );
    }
    let open = ReaderRequest::Open { log: 1, name: "session-s.jsonl".into() };
    reader.handle(open, Some(text.into_bytes()), &mut || ());
    let mut ask = |request: ReaderRequest| {
        let answer = reader.handle(request, None, &mut || ());
        (serde_json::to_string(&answer).expect("JSON").len(), answer)
    };

    let (size, ReaderAnswer::Turns { turns, .. }) = ask(ReaderRequest::Turns { log: 1, from: 0, to: 5 }) else {
        panic!("no rows")
    };
    assert_eq!((turns.len(), turns[4].request.chars().count(), size < 10_000), (5, 301, true));
    let (_, ReaderAnswer::Messages { said }) = ask(ReaderRequest::Messages { log: 1, from: 3, to: 5 }) else {
        panic!("no words")
    };
    assert_eq!((said.len(), said[0][0].text == long, said[0][1].text == long), (1, true, true));
    let (_, ReaderAnswer::Messages { said }) = ask(ReaderRequest::Messages { log: 1, from: 5, to: 9 }) else {
        panic!("no words")
    };
    assert!(said.is_empty());

    let request = ReaderRequest::Trace { log: 1, turn: "4".into() };
    let (size, ReaderAnswer::Trace { trace, cut, step_count, .. }) = ask(request) else { panic!("no trace") };
    assert!(size < 4_000_000, "{size}");
    assert_eq!((trace.nodes.len(), cut.len(), step_count), (701, 701, 702));
    let mut steps = trace.steps.clone();
    assert!(steps.len() < 300, "they are large: {}", steps.len());
    while steps.len() < step_count {
        let request = ReaderRequest::Steps { log: 1, turn: "4".into(), from: steps.len(), to: steps.len() + 300 };
        let (_, ReaderAnswer::Steps { steps: more }) = ask(request) else { panic!("no steps") };
        assert!(!more.is_empty());
        steps.extend(more);
    }
    assert!((0u64..).zip(&steps).all(|(seq, step)| step.seq == seq));
    let (_, ReaderAnswer::Call { node }) = ask(ReaderRequest::Call { log: 1, turn: "4".into(), call: cut[0] }) else {
        panic!("no call")
    };
    assert_eq!((node.id.as_str(), node.input.as_deref() == Some(&long)), ("runtime", true));
    let (_, missing) = ask(ReaderRequest::Call { log: 1, turn: "4".into(), call: 701 });
    assert_eq!(missing, ReaderAnswer::Failed { message: "There is no call 701 in turn 4.".into() });
}

#[test]
fn rules_are_run_over_logs_one_after_the_other() {
    let mut reader = Reader::default();
    let mut ask =
        |request: AssertRequest, bytes: Option<Vec<u8>>| match reader.handle(ReaderRequest::Assert(request), bytes, &mut || ()) {
            ReaderAnswer::Assert(answer) => Ok(answer),
            ReaderAnswer::Failed { message } => Err(message),
            other => panic!("{other:?}"),
        };
    let rules = "rules: [{id: few, says: Few turns., over: turn, at_most: 1}]".to_owned();
    let log = |name: &str| AssertRequest::Log { name: name.into(), entries: None };
    let begin = "No rules are being run; begin first.".to_owned();
    assert_eq!(ask(log("a"), Some(QUESTION.into())), Err(begin.clone()));
    assert_eq!(ask(AssertRequest::End, None), Err(begin));

    let AssertAnswer::Faults { problems, rules: count } =
        ask(AssertRequest::Check { rules: "rules: [".into() }, None).expect("faults")
    else {
        panic!("no faults")
    };
    assert_eq!((problems[0].line, problems[0].column, count), (1, 8, 0));
    let checked = ask(AssertRequest::Check { rules: rules.clone() }, None);
    assert_eq!(checked, Ok(AssertAnswer::Faults { problems: Vec::new(), rules: 1 }));
    assert!(matches!(ask(AssertRequest::Begin { rules: "rules: [".into() }, None), Ok(AssertAnswer::Faults { .. })));

    assert_eq!(ask(AssertRequest::Begin { rules }, None), Ok(AssertAnswer::Taken));
    assert_eq!(ask(log("a"), None), Err("The bytes of a did not arrive; run the rules again.".into()));
    for name in ["a", "b"] {
        assert_eq!(ask(log(name), Some(QUESTION.into())), Ok(AssertAnswer::Taken));
    }
    assert_eq!(ask(log("c"), Some(b"hello".to_vec())), Ok(AssertAnswer::Taken));
    assert_eq!(ask(AssertRequest::LeftOut { name: "d".into(), message: "It is gone.".into() }, None), Ok(AssertAnswer::Taken));
    assert_eq!(ask(AssertRequest::Rows { entries: Vec::new() }, None), Ok(AssertAnswer::Taken));
    let Ok(AssertAnswer::Report { report }) = ask(AssertRequest::End, None) else { panic!("no report") };
    assert_eq!((report.ok, report.logs, report.turns, report.left_out.len()), (false, 2, 2, 2));
    assert_eq!(report.rules[0].violations[0].spot.words(), "b:1");
    assert!(ask(AssertRequest::End, None).is_err(), "a report is given once");
}
