//! What the tests share: where cases and the corpus are, and how documents are compared.

use proem_core::log::Log;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// The folder of cases called `name`.
pub fn cases(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("cases").join(name)
}

/// A folder of the corpus of foreign logs, which is not part of the repository: `PROEM_CORPUS` names where it is. Without it the test says so and
/// has nothing to do, unless `PROEM_CORPUS_REQUIRED` is `1`.
///
/// # Panics
/// When the corpus is required and not named, or named and without that folder.
pub fn corpus(folder: &str) -> Option<PathBuf> {
    let required = std::env::var("PROEM_CORPUS_REQUIRED").is_ok_and(|value| value == "1");
    let Some(root) = std::env::var_os("PROEM_CORPUS").filter(|root| !root.is_empty()) else {
        assert!(!required, "the corpus is required: set PROEM_CORPUS to its folder");
        eprintln!("skipped: set PROEM_CORPUS to the folder of the corpus to run this test on {folder}");
        return None;
    };
    let path = PathBuf::from(root).join(folder);
    assert!(path.is_dir(), "the corpus has no folder {}", path.display());
    Some(path)
}

/// Files below `folder` whose names end in `suffix`, sorted.
///
/// # Panics
/// When the folder cannot be read.
pub fn files(folder: &Path, suffix: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut waiting = vec![folder.to_owned()];
    while let Some(folder) = waiting.pop() {
        for entry in std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display())) {
            let path = entry.unwrap_or_else(|error| panic!("{}: {error}", folder.display())).path();
            if path.is_dir() {
                waiting.push(path);
            } else if path.to_string_lossy().ends_with(suffix) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// A JSON file.
///
/// # Panics
/// When it cannot be read or is not JSON.
pub fn json(path: &Path) -> Value {
    let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// A log file, read under its own name.
///
/// # Panics
/// When it cannot be read or is no log.
pub fn log(path: &Path) -> Log {
    let bytes = std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    Log::read(&name, bytes, &mut || ()).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Where `actual` differs from what `expected` says; keys that `expected` does not name are free, null and absent are the same, numbers
/// may differ by `tolerance`.
pub fn differences(expected: &Value, actual: &Value, tolerance: f64) -> Vec<String> {
    let mut found = Vec::new();
    compare("", expected, actual, tolerance, &mut found);
    found
}

fn compare(path: &str, expected: &Value, actual: &Value, tolerance: f64, found: &mut Vec<String>) {
    match (expected, actual) {
        (Value::Object(expected), Value::Object(actual)) => {
            for (key, value) in expected {
                compare(&format!("{path}.{key}"), value, actual.get(key).unwrap_or(&Value::Null), tolerance, found);
            }
        }
        (Value::Array(expected), Value::Array(actual)) if expected.len() == actual.len() => {
            for (i, (expected, actual)) in expected.iter().zip(actual).enumerate() {
                compare(&format!("{path}[{i}]"), expected, actual, tolerance, found);
            }
        }
        (Value::Number(a), Value::Number(b)) => {
            let near = a.as_f64().zip(b.as_f64()).is_some_and(|(a, b)| (a - b).abs() <= tolerance);
            if !near {
                found.push(format!("{path}: expected {a}, is {b}"));
            }
        }
        _ if expected == actual => {}
        _ => found.push(format!("{path}: expected {}, is {}", brief(expected), brief(actual))),
    }
}

fn brief(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(300) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}
