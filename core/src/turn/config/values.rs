//! YAML as plain values, and what they are read as. Sentences name the place and never a value, which may be a secret.

use serde_json::{Map, Value};

/// The keys and values of a file. An empty text holds none.
///
/// # Errors
/// What is wrong with the text, to begin a sentence.
pub(super) fn mapping(text: &str) -> Result<Map<String, Value>, String> {
    // `yes` and `no` stay words: a phrase may be one of them. Where true or false is asked for, `flag` takes them.
    let options = serde_saphyr::options! {
        strict_booleans: true,
        // Aliases may save a few lines; a file cannot use them to be larger than it is.
        alias_limits: serde_saphyr::alias_limits! { max_total_replayed_events: 1000 },
        non_finite_float_policy: serde_saphyr::NonFiniteFloatPolicy::PassThrough,
    };
    match serde_saphyr::from_str_with_options(text, options) {
        Ok(Value::Object(map)) => Ok(map),
        Ok(Value::Null) => Ok(Map::new()),
        Ok(_) => Err("The file is not made of keys and values".to_owned()),
        Err(error) => Err(fault(&error)),
    }
}

fn fault(error: &serde_saphyr::Error) -> String {
    let error = error.without_snippet();
    let place = match error.location() {
        Some(place) => format!("Line {}, column {}: ", place.line(), place.column()),
        None => String::new(),
    };
    let what = match error {
        serde_saphyr::Error::DuplicateMappingKey { key: Some(key), .. } => format!("`{key}` is said twice"),
        _ => "this is not valid YAML".to_owned(),
    };
    format!("{place}{what}")
}

/// A text; a whole number counts as one.
pub(super) fn text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) if number.is_i64() || number.is_u64() => Some(number.to_string()),
        _ => None,
    }
}

/// A text that is not blank, trimmed.
pub(super) fn phrase(value: &Value) -> Option<String> {
    text(value).map(|text| text.trim().to_owned()).filter(|text| !text.is_empty())
}

/// True or false, also in the words of older YAML.
pub(super) fn flag(value: &Value) -> Option<bool> {
    match value {
        Value::Bool(flag) => Some(*flag),
        Value::String(word) => match word.to_ascii_lowercase().as_str() {
            "yes" | "on" => Some(true),
            "no" | "off" => Some(false),
            _ => None,
        },
        _ => None,
    }
}

/// A sentence for every key that is not among those that are read.
pub(super) fn unknown(place: &str, map: &Map<String, Value>, known: &[&str]) -> Vec<String> {
    let unknown = map.keys().filter(|key| !known.contains(&key.as_str()));
    unknown.map(|key| format!("{place}`{key}` is no key that Proem reads here; it does nothing.")).collect()
}
