//! The organisation's lists of what answers may not hold, and its words of the welcome: `config/response_checks.yaml` and
//! `config/welcome.yaml` (specs: system-opened-turns, 3.3 and 4.5). Each key falls back by itself.

use super::super::checks::{OutputPhrase, ResponseChecks};
use super::super::{Verdict, Wording};
use super::values::{mapping, phrase, unknown};
use super::{BUILT_IN_RESPONSE_CHECKS, BUILT_IN_WELCOME};
use serde_json::{Map, Value};

/// Reads a file's keys, or says why not and what holds instead.
fn keys(file: Option<&str>, known: &[&str], instead: &str) -> (Map<String, Value>, Vec<String>) {
    match file.map(mapping) {
        None => (Map::new(), Vec::new()),
        Some(Ok(map)) => {
            let problems = unknown("", &map, known);
            (map, problems)
        }
        Some(Err(why)) => (Map::new(), vec![format!("{why}; {instead}.")]),
    }
}

/// Reads the response checks. What is always looked for does not depend on the file.
pub(super) fn checks(file: Option<&str>) -> (ResponseChecks, Vec<String>) {
    let known = ["secrets", "forbidden", "output"];
    let (map, mut problems) =
        keys(Some(file.unwrap_or(BUILT_IN_RESPONSE_CHECKS)), &known, "none of its lists holds, only what is always looked for");
    let checks = ResponseChecks {
        secrets: list(&map, "secrets", &mut problems, |value| {
            phrase(value).ok_or_else(|| "is not a text, or is blank; put it in quotes".to_owned())
        }),
        forbidden: list(&map, "forbidden", &mut problems, |value| {
            phrase(value).ok_or_else(|| "is not a text, or is blank; put it in quotes".to_owned())
        }),
        output: list(&map, "output", &mut problems, output),
    };
    (checks, problems)
}

/// The entries of a list. One that is not as it should be is left out and told.
fn list<T>(
    map: &Map<String, Value>,
    key: &str,
    problems: &mut Vec<String>,
    read: impl Fn(&Value) -> Result<T, String>,
) -> Vec<T> {
    let items = match map.get(key) {
        None | Some(Value::Null) => return Vec::new(),
        Some(Value::Array(items)) => items,
        Some(_) => {
            problems.push(format!("`{key}` is not a list; it counts as empty."));
            return Vec::new();
        }
    };
    let mut found = Vec::new();
    for (item, number) in items.iter().zip(1..) {
        match read(item) {
            Ok(entry) => found.push(entry),
            Err(why) => problems.push(format!("`{key}`, entry {number} {why}. It is left out.")),
        }
    }
    found
}

fn output(value: &Value) -> Result<OutputPhrase, String> {
    let Value::Object(map) = value else { return Err("is not made of `phrase`, `verdict` and `reason`".to_owned()) };
    let field = |key: &str| map.get(key).and_then(phrase).ok_or_else(|| format!("has no `{key}`"));
    let verdict = field("verdict")?;
    let known = [Verdict::Warn, Verdict::Retry, Verdict::Halt].into_iter().find(|known| known.as_str() == verdict);
    let verdict = known.ok_or("has a `verdict` that is neither warn, retry nor halt")?;
    if let Some(key) = map.keys().find(|key| !["phrase", "verdict", "reason"].contains(&key.as_str())) {
        return Err(format!("has `{key}` beside `phrase`, `verdict` and `reason`"));
    }
    Ok(OutputPhrase { phrase: field("phrase")?, verdict, reason: field("reason")? })
}

/// Reads the wording of the welcome.
pub(super) fn wording(file: Option<&str>) -> (Wording, Vec<String>) {
    let mut wording = Wording::default();
    let built_in = mapping(BUILT_IN_WELCOME).expect("the built-in file is YAML, which a test reads");
    let (own, mut problems) = keys(file, &Wording::KEYS, "all built-in words hold");
    for key in Wording::KEYS {
        let field = wording.field(key).expect("the keys are those of the fields");
        *field = built_in.get(key).and_then(phrase).unwrap_or_default();
        let Some(value) = own.get(key) else { continue };
        let text = match value {
            Value::String(text) if text.trim().is_empty() => Err("is blank".to_owned()),
            Value::String(text) => Wording::refuses(key, text.trim()).map_or(Ok(text.trim()), Err),
            _ => Err("is not text".to_owned()),
        };
        match text {
            Ok(text) => *field = text.to_owned(),
            Err(why) => problems.push(format!("`{key}` {why}; the built-in words hold for it.")),
        }
    }
    (wording, problems)
}
