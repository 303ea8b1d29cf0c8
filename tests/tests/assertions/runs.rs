//! Rules that are run: a case holds the rules, some logs and perhaps a ledger, each below a line `--- NAME`.

use proem_core::assertion::{BUILT_IN, FIELDS, Kind, Report, Row, Rules, Run, Verdict};
use proem_core::ledger::{Decision, entries, rows_of_json};
use proem_core::log::Log;
use proem_tests::{cases, corpus, files, log};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

#[test]
fn cases_come_out_as_they_should() {
    let found = files(&cases("assertions/runs"), ".txt");
    assert!(found.len() > 10);
    for path in found {
        let report = run(&std::fs::read_to_string(&path).expect("a case"));
        insta::with_settings!({ snapshot_path => "../snapshots/assertions", prepend_module_to_snapshot => false, omit_expression => true }, {
            insta::assert_snapshot!(name(&path), told(&report));
        });
    }
}

fn name(path: &Path) -> String {
    path.file_stem().expect("a file").to_string_lossy().into_owned()
}

/// The parts of a case by their names, in order.
fn parts(case: &str) -> Vec<(&str, &str)> {
    let parts = case.strip_prefix("--- ").expect("a part").split("\n--- ");
    parts.map(|part| part.split_once('\n').expect("a name and a text")).collect()
}

fn run(case: &str) -> Report {
    let parts = parts(case);
    let rules = match parts[0].1.trim() {
        "built-in" => BUILT_IN,
        rules => rules,
    };
    let mut run = Run::new(Rules::parse(rules).unwrap_or_else(|faults| panic!("{faults:#?}")));
    let ledger = parts.iter().find(|(name, _)| *name == "ledger").map(|(_, text)| {
        let (rows, left_out) = rows_of_json(text).expect("a ledger");
        assert_eq!(left_out, Vec::<String>::new());
        rows
    });
    let shown = ledger.as_deref().map(entries);
    for (name, text) in parts.iter().filter(|(name, _)| name.ends_with(".jsonl")) {
        let log = Log::read(name, text.as_bytes().to_vec(), &mut || ()).expect("a log");
        run.log(name, &log, shown.as_deref(), &mut || ());
    }
    run.rows(ledger.iter().flatten().map(Row::Kept), &mut || ());
    run.finish()
}

fn told(report: &Report) -> String {
    let mut out = format!(
        "{}: {} logs, {} turns, {} events, {} rows\n",
        if report.ok { "ok" } else { "not ok" },
        report.logs,
        report.turns,
        report.events,
        report.rows
    );
    for rule in &report.rules {
        let _ = writeln!(out, "{}: {}, judged on {} {}", rule.id, rule.verdict.words(), rule.judged, rule.over);
        assert_eq!(rule.violation_count > 0, rule.verdict == Verdict::Violated);
        if rule.violation_count > rule.violations.len() as u64 {
            let _ = writeln!(out, "  {} violations", rule.violation_count);
        }
        for violation in &rule.violations {
            let turn = violation.spot.turn.as_deref().unwrap_or("-");
            let _ = writeln!(out, "  {} [{turn}] {}", violation.spot.words(), violation.message);
        }
    }
    out
}

/// Each built-in rule is violated by some case, and the one where all hold leaves none without evidence.
#[test]
fn every_built_in_rule_is_held_and_violated_by_a_case() {
    let report = |name: &str| {
        let case = std::fs::read_to_string(cases("assertions/runs").join(name)).expect("a case");
        run(&case).rules
    };
    let holds: Vec<String> =
        report("built-in-all-hold.txt").into_iter().filter(|rule| rule.verdict == Verdict::Holds).map(|r| r.id).collect();
    let all: Vec<String> = Rules::built_in().said().map(|(id, _)| id.to_owned()).collect();
    assert_eq!(holds, all);
    assert!(report("built-in-nothing-to-judge.txt").iter().all(|rule| rule.verdict == Verdict::Nothing));
    let mut violated: BTreeMap<String, bool> = BTreeMap::new();
    for rule in report("built-in-home-violated.txt").into_iter().chain(report("built-in-ledger-violated.txt")) {
        *violated.entry(rule.id).or_default() |= rule.verdict == Verdict::Violated;
    }
    assert_eq!(violated.into_iter().filter(|(_, violated)| !violated).collect::<Vec<_>>(), []);
}

/// The second vector of the format, with its ledger.
#[test]
fn the_harness_log_with_its_ledger() {
    let rows = std::fs::read_to_string(cases("iris/ledger-0d1e2f3a4b5c.json")).expect("a ledger");
    let (rows, _) = rows_of_json(&rows).expect("a ledger");
    let shown = entries(&rows);
    let mut run = Run::new(Rules::built_in());
    for name in ["session-3fa9c07be21d.jsonl", "session-0d1e2f3a4b5c.jsonl"] {
        let log = log(&cases("iris").join(name));
        let rows = name.contains("0d1e").then_some(shown.as_slice());
        run.log(name, &log, rows, &mut || ());
    }
    run.rows(rows.iter().map(Row::Kept), &mut || ());
    insta::with_settings!({ snapshot_path => "../snapshots/assertions", prepend_module_to_snapshot => false, omit_expression => true }, {
        insta::assert_snapshot!("harness", told(&run.finish()));
    });
}

/// Whatever a log holds, a rule that reads everything comes to an end; of many violations the first hundred are listed and all are counted.
#[test]
fn damaged_logs_are_judged_like_others() {
    let rules = r#"rules:
  - {id: all, says: Nothing is there., over: event, where: {payload.text: {not: x}}, must: {kind: nothing, phase: {same: turn.ref}}}
  - {id: apart, says: Nothing is in both., over: event, disjoint: [payload.text, text]}
  - {id: order, says: All is followed., over: session, order: {each: {kind: {not: x}}, then: {text: {contains: a}}}}
  - {id: once, says: All is once., over: event, unique: kind}
  - {id: numbers, says: All is numbered., over: event, gapless: {field: iteration, per: kind}}
  - {id: rows, says: All have rows., over: turn, contains: {over: row, at_least: 1}}
"#;
    let mut found = files(&cases("logs"), ".jsonl");
    found.extend(corpus("malformed").iter().flat_map(|folder| files(folder, ".jsonl")));
    let mut run = Run::new(Rules::parse(rules).expect("rules"));
    for path in found {
        let file = name(&path);
        match Log::read(&file, std::fs::read(&path).expect("a file"), &mut || ()) {
            Ok(log) => run.log(&file, &log, Some(&[]), &mut || ()),
            Err(error) => run.left_out(&file, error.to_string()),
        }
    }
    let report = run.finish();
    assert!(!report.ok && report.logs > 15);
    let all = &report.rules[0];
    assert!(all.judged > 100 && all.violation_count == all.judged && all.violations.len() == 100, "{all:?}");
    assert!(all.violations.iter().all(|violation| violation.spot.line > Some(0) && violation.spot.file.is_some()));
}

/// A log is read once however many rules there are, and not at all where kinds are enough.
#[test]
fn long_logs_are_judged_while_progress_is_told() {
    let text = "{\"kind\":\"user_message\",\"text\":\"q\"}\n".repeat(20_000);
    let log = Log::read("session-a.jsonl", text.into_bytes(), &mut || ()).expect("a log");
    let rules = "rules: [{id: a, says: One., over: event, where: {kind: user_message}, at_most: 20000},
      {id: b, says: Two., over: turn, contains: {over: event, where: {kind: user_message}, exactly: 1}}]";
    let mut run = Run::new(Rules::parse(rules).expect("rules"));
    let mut beats = 0;
    run.log("a", &log, None, &mut || beats += 1);
    let report = run.finish();
    assert!(report.ok && beats > 40, "{beats}");
    assert_eq!(report.rules.iter().map(|rule| rule.judged).collect::<Vec<_>>(), [20_000, 20_000]);
}

#[test]
fn the_words_of_the_table_are_those_of_the_ledger_and_the_log() {
    let words = |name: &str| {
        let field = FIELDS.iter().find(|field| field.name == name).expect("a field");
        let Kind::Word(words) = field.kind else { panic!("{name} is no word") };
        words
    };
    assert_eq!(words("decision"), Decision::ALL.each_ref().map(Decision::as_str));
    for word in words("outcome") {
        let read: proem_core::log::Outcome = serde_json::from_value((*word).into()).expect("an outcome");
        assert_eq!(read.as_str(), *word);
    }
    for word in words("opened_by") {
        let _: proem_core::log::OpenedBy = serde_json::from_value((*word).into()).expect("an opener");
    }
}
