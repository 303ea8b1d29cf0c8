//! `proem log assert` in memory: what it prints, what it says about bad calls, and how it ends.

use clap::Parser;
use proem::cli::log::{Answer, LogArgs, answer};
use proem_core::assertion::Report;
use proem_tests::cases;
use std::path::Path;

#[derive(Parser)]
struct Command {
    #[command(flatten)]
    log: LogArgs,
}

/// Runs `proem log assert …`; `@name` is a file of the test's own folder and `%name` one of the IRIS cases, so that no path of this machine gets
/// into a snapshot.
fn run(folder: &Path, line: &str) -> Answer {
    let [own, iris] = [folder.to_owned(), cases("iris")].map(|folder| format!("{}/", folder.display()));
    let words = line.split_whitespace().map(|word| match word.split_at(1) {
        ("@", name) => format!("{own}{name}"),
        ("%", name) => format!("{iris}{name}"),
        _ => word.to_owned(),
    });
    match Command::try_parse_from(["log", "assert"].into_iter().map(str::to_owned).chain(words)) {
        Ok(command) => {
            let Answer { out, err, code } = answer(&command.log);
            let plain = |text: String| text.replace(&own, "").replace(&iris, "");
            Answer { out: plain(out), err: plain(err), code }
        }
        Err(error) => {
            Answer { out: String::new(), err: error.to_string(), code: u8::try_from(error.exit_code()).expect("a code") }
        }
    }
}

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("written");
    write(
        "rules.yaml",
        "rules:\n  - {id: answered, says: Every turn is answered., over: turn, must: {answers: {at_least: 1}}}\n",
    );
    write("faulty.yaml", "rules:\n  - {id: a, says: s, over: turn, must: {outcom: ok}}\n  - {id: b}\n");
    write("text.yaml", "rules: [\n");
    std::fs::write(folder.path().join("latin.yaml"), b"rules:\n# caf\xe9\n").expect("written");
    write("no-log.jsonl", "hello\n");
    write("no-ledger.json", "hello\n");
    std::fs::create_dir(folder.path().join("empty")).expect("a folder");
    folder
}

#[test]
fn text_for_people_and_how_it_ends() {
    let folder = folder();
    let mut told = String::new();
    for line in [
        "built-in %session-3fa9c07be21d.jsonl",
        "built-in %session-3fa9c07be21d.jsonl %session-0d1e2f3a4b5c.jsonl --governance %ledger-0d1e2f3a4b5c.json",
        "@rules.yaml %session-0d1e2f3a4b5c.jsonl",
        "@rules.yaml @no-log.jsonl %session-3fa9c07be21d.jsonl",
        "@rules.yaml @missing.jsonl",
        "@rules.yaml @empty",
        "@missing.yaml %session-3fa9c07be21d.jsonl",
        "@faulty.yaml %session-3fa9c07be21d.jsonl",
        "@text.yaml %session-3fa9c07be21d.jsonl",
        "@latin.yaml %session-3fa9c07be21d.jsonl",
        "built-in %session-3fa9c07be21d.jsonl --governance @no-ledger.json",
        "built-in %session-3fa9c07be21d.jsonl --governance @missing.json",
        "built-in",
    ] {
        let Answer { out, err, code } = run(folder.path(), line);
        told.push_str(&format!("$ proem log assert {line}\n{err}{out}exit {code}\n\n"));
    }
    insta::assert_snapshot!(told);
}

#[test]
fn json_for_programs() {
    let folder = folder();
    let ok = run(folder.path(), "built-in %session-3fa9c07be21d.jsonl --format json");
    let report: Report = serde_json::from_str(&ok.out).expect("one JSON document");
    assert_eq!((ok.code, report.ok, report.logs, report.turns), (0, true, 1, 5));
    let violated = run(folder.path(), "@rules.yaml %session-3fa9c07be21d.jsonl --format json");
    let report: Report = serde_json::from_str(&violated.out).expect("one JSON document");
    assert_eq!((violated.code, report.ok, report.rules[0].violations[0].spot.line), (1, false, Some(30)));
    let faulty = run(folder.path(), "@faulty.yaml %session-3fa9c07be21d.jsonl --format json");
    let faults: serde_json::Value = serde_json::from_str(&faulty.out).expect("one JSON document");
    assert_eq!((faulty.code, faults["problems"].as_array().map(Vec::len)), (2, Some(3)));
}

#[test]
fn a_folder_is_its_logs() {
    let report = run(&cases("iris"), "built-in @ --format json");
    let report: Report = serde_json::from_str(&report.out).expect("one JSON document");
    assert_eq!((report.ok, report.logs), (true, 2));
}
