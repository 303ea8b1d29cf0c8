//! The query of the ledger's paths: lists are repeated, and a name that nobody knows is refused, since a filter that is not applied would show
//! what was not asked for.

use crate::failure::Failure;
use crate::store::{Cursor, Filter};
use axum::extract::{FromRequestParts, Query};
use axum::http::request::Parts;
use proem_core::log::{is_session_id, parse_stamp};

/// Rows of a page when nobody says.
const LIMIT: u32 = 100;
/// At most.
const LIMIT_MAX: u32 = 500;
/// Characters of any other value.
const VALUE_MAX: usize = 400;

/// What kind of file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// One JSON object a line.
    Jsonl,
    /// A table.
    Csv,
}

/// A sound query.
#[derive(Debug)]
pub struct Asked {
    pub filter: Filter,
    pub cursor: Option<Cursor>,
    pub limit: u32,
    pub form: Form,
}

impl<S: Send + Sync> FromRequestParts<S> for Asked {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Failure> {
        let Query(fields) = Query::<Vec<(String, String)>>::from_request_parts(parts, state)
            .await
            .map_err(|_| Failure::bad_request(format!("The query of {} is no list of `name=value`.", parts.uri.path())))?;
        asked(fields).map_err(Failure::bad_request)
    }
}

fn asked(fields: Vec<(String, String)>) -> Result<Asked, String> {
    let mut asked = Asked { filter: Filter::default(), cursor: None, limit: LIMIT, form: Form::Jsonl };
    let mut seen: Vec<String> = Vec::new();
    for (name, value) in fields {
        let is_list = matches!(name.as_str(), "decision" | "severity");
        if !is_list && seen.contains(&name) {
            return Err(format!("`{name}` was given twice; only `decision` and `severity` may be repeated."));
        }
        // A field of a form that was left empty asks for nothing.
        if !value.is_empty() {
            take(&mut asked, &name, value)?;
        }
        seen.push(name);
    }
    Ok(asked)
}

fn take(asked: &mut Asked, name: &str, value: String) -> Result<(), String> {
    let filter = &mut asked.filter;
    match name {
        "cursor" => asked.cursor = Some(value.parse()?),
        "limit" => {
            let limit = value.parse().ok().filter(|limit| (1..=LIMIT_MAX).contains(limit));
            asked.limit = limit.ok_or_else(|| format!("`limit` must be a whole number from 1 to {LIMIT_MAX}."))?;
        }
        "format" => {
            asked.form = match value.as_str() {
                "jsonl" => Form::Jsonl,
                "csv" => Form::Csv,
                _ => return Err("`format` must be `jsonl` or `csv`.".to_owned()),
            };
        }
        "session" if is_session_id(&value) => filter.session = Some(value),
        "session" => return Err("`session` must be a session id: 1 to 128 characters without control characters.".to_owned()),
        "turn" if value.chars().count() <= VALUE_MAX && !value.chars().any(char::is_control) => filter.turn = Some(value),
        "turn" => return Err("`turn` must be a turn's id or its reference, such as SESSION@TURN or SESSION~0.".to_owned()),
        "deterministic" => {
            let flag = value.parse().map_err(|_| "`deterministic` must be `true` or `false`.".to_owned())?;
            filter.deterministic = Some(flag);
        }
        "from" => filter.from_us = Some(moment(name, &value)?),
        "to" => filter.to_us = Some(moment(name, &value)?),
        _ if value.chars().count() > VALUE_MAX => return Err(format!("`{name}` is longer than {VALUE_MAX} characters.")),
        "hook" => filter.hook = Some(value),
        "plugin" => filter.plugin = Some(value),
        "decision" => filter.decisions.push(value),
        "severity" => filter.severities.push(value),
        "caller" => filter.caller = Some(value),
        "handler" => filter.handler = Some(value),
        "q" => filter.q = Some(value),
        _ => {
            return Err(format!(
                "The ledger cannot be asked for `{name}`; it takes cursor, limit, session, turn, hook, plugin, decision, severity, caller, \
                 handler, deterministic, from, to and q, and format for a file."
            ));
        }
    }
    Ok(())
}

/// A stamp; the `+` of its zone reads as a space when it was not encoded.
fn moment(name: &str, value: &str) -> Result<i64, String> {
    let mended = || value.rsplit_once(' ').map(|(time, zone)| format!("{time}+{zone}"));
    parse_stamp(value).or_else(|| parse_stamp(&mended()?)).ok_or_else(|| {
        format!("`{name}` must be a moment with its zone, such as 2026-10-03T08:15:20Z or 2026-10-03T08:15:20.310000%2B00:00.")
    })
}
