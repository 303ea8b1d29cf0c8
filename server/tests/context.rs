//! `proem preface` and `proem seed` as a user calls them.
#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

use serde_json::{Value, json};
use std::io::Write;
use std::process::{Command, Output, Stdio};

fn proem(arguments: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_proem"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}

fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap()
}

fn cases(name: &str) -> Value {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/cases").join(name);
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

#[test]
fn a_preface_is_written_byte_for_byte() {
    for case in cases("retrieved-content.json")["cases"].as_array().unwrap() {
        for (mode, arguments) in [("parity", &["preface", "-"][..]), ("hardened", &["preface", "-", "--hardened"])] {
            let output = proem(arguments, &case["entries"].to_string());
            assert_eq!(output.status.code(), Some(0));
            assert_eq!(text(output.stdout), case[mode].as_str().unwrap(), "{}, {mode}", case["name"]);
        }
    }
}

#[test]
fn remarks_and_faults_go_to_standard_error() {
    let entries = json!([{"source": "context", "origin": "temporal", "body": "x"}]);
    let output = proem(&["preface", "-", "--format", "json"], &entries.to_string());
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(answer["mode"], "parity");
    assert_eq!(answer["lints"].as_array().unwrap().len(), 3);
    insta::assert_snapshot!(text(output.stderr));
    for input in ["", "{}", "[{\"source\": 1}]"] {
        let output = proem(&["preface", "-"], input);
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{input}");
        assert!(text(output.stderr).starts_with("proem: standard input is no list of entries"));
    }
    assert_eq!(proem(&["preface", "no-such-file.json"], "").status.code(), Some(2));
}

#[test]
fn a_seed_is_messages_counts_and_a_line() {
    for case in cases("fork-seed.json")["cases"].as_array().unwrap() {
        let output = proem(&["seed", "-", "--format", "json"], &case.to_string());
        assert_eq!(output.status.code(), Some(0));
        let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(answer["messages"], case["seed"], "{}", case["name"]);
        assert_eq!((&answer["counts"], &answer["log_line"]), (&case["counts"], &case["log"]), "{}", case["name"]);
    }
    let output = proem(&["seed", "-"], "{\"template\": \"t\"}");
    assert_eq!(output.status.code(), Some(2));
    insta::assert_snapshot!("seed_fault", text(output.stderr));
}

#[test]
fn a_seed_for_people_names_what_remains() {
    let output = proem(&["seed", "-"], &cases("leaks/trunk.json").to_string());
    insta::assert_snapshot!("seed_text", text(output.stdout));
}
