//! `proem contract` as a user calls it.
#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

use proem_core::opening::table::FIELDS;
use std::process::{Command, Output};

fn contract(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_proem")).arg("contract").args(arguments).output().unwrap()
}

#[test]
fn the_table_is_for_people() {
    let output = contract(&[]);
    assert_eq!((output.status.code(), output.stderr.len()), (Some(0), 0));
    let text = String::from_utf8(output.stdout).unwrap();
    insta::assert_snapshot!(text);
    let lines: Vec<&str> = text.lines().collect();
    for field in FIELDS {
        assert!(
            lines.iter().any(|line| line.starts_with(&format!("{} ", field.path)) && line.contains(field.meaning)),
            "{}",
            field.path
        );
    }
}

#[test]
fn the_schema_is_one_json_document() {
    let output = contract(&["--format", "json"]);
    assert_eq!((output.status.code(), output.stderr.len()), (Some(0), 0));
    let schema: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(schema, proem_core::opening::contract::json_schema());
    assert_eq!(contract(&["--format", "yaml"]).status.code(), Some(2));
    assert!(String::from_utf8(contract(&["--help"]).stdout).unwrap().contains("JSON Schema"));
}
