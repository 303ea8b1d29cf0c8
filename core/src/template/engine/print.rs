//! How values are printed: null as nothing, booleans in lower case, lists and maps as JSON (specs: engine notes, section 4).

use super::{PRINT_DEPTH_LIMIT, Printing};
use minijinja::value::{Value, ValueKind};
use minijinja::{Error, ErrorKind, Output, State};
use std::fmt::Write;

/// Why our own code refused to go on; travels as the source of the engine's error, so that no text needs to be parsed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Refusal {
    /// A null was printed in strict mode.
    NullPrinted,
    /// A value is nested deeper than [`PRINT_DEPTH_LIMIT`].
    TooDeep,
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Refusal::NullPrinted => "a null was printed",
            Refusal::TooDeep => "value is nested too deeply to print",
        })
    }
}

impl std::error::Error for Refusal {}

impl From<Refusal> for Error {
    fn from(refusal: Refusal) -> Error {
        Error::new(ErrorKind::InvalidOperation, refusal.to_string()).with_source(refusal)
    }
}

/// Prints one value of `{{ … }}`.
pub(super) fn print(out: &mut Output, state: &mut State, value: &Value, printing: Printing) -> Result<(), Error> {
    match value.kind() {
        ValueKind::None if printing == Printing::Strict => Err(Refusal::NullPrinted.into()),
        ValueKind::None => Ok(()),
        // The engine turns this into its undefined error, with the name.
        ValueKind::Undefined => minijinja::escape_formatter(out, state, value),
        _ => write_plain(out, state, value),
    }
}

/// The error that an invalid value holds.
pub(super) fn error_of(value: &Value) -> Error {
    let held = Value::from(vec![value.clone()]).try_iter().ok().and_then(|items| items.checked().next()?.err());
    held.unwrap_or_else(|| Error::from(ErrorKind::InvalidOperation))
}

/// Writes a value as `{{ … }}` and `join` show it; null is nothing.
pub(super) fn write_plain(out: &mut impl Write, state: &State, value: &Value) -> Result<(), Error> {
    match value.kind() {
        ValueKind::None | ValueKind::Undefined => Ok(()),
        // A filter handed on a field that there is not.
        ValueKind::Invalid => Err(error_of(value)),
        ValueKind::String | ValueKind::Number => write!(out, "{value}").map_err(Error::from),
        ValueKind::Bool => out.write_str(if value.is_true() { "true" } else { "false" }).map_err(Error::from),
        _ => write_json(out, state, value, None),
    }
}

/// Writes JSON: `, ` and `: ` between, every character that JSON allows as it is. `indent` breaks lines.
pub(super) fn write_json(out: &mut impl Write, state: &State, value: &Value, indent: Option<usize>) -> Result<(), Error> {
    measure(state, value)?;
    write_value(out, value, indent, 0)
}

/// Walks a container without recursion before anything recursive touches it, and pays for what it visits.
fn measure(state: &State, value: &Value) -> Result<(), Error> {
    let mut stack = vec![(value.clone(), 0usize)];
    while let Some((value, depth)) = stack.pop() {
        state.consume_fuel(1)?;
        if depth > PRINT_DEPTH_LIMIT {
            return Err(Refusal::TooDeep.into());
        }
        match value.kind() {
            ValueKind::Seq | ValueKind::Iterable => {
                for item in value.try_iter()?.checked() {
                    stack.push((item?, depth + 1));
                }
            }
            ValueKind::Map => {
                for key in value.try_iter()? {
                    stack.push((value.get_item(&key)?, depth + 1));
                }
            }
            _ => {}
        }
    }
    Ok(())
}

fn write_value(out: &mut impl Write, value: &Value, indent: Option<usize>, depth: usize) -> Result<(), Error> {
    match value.kind() {
        ValueKind::None | ValueKind::Undefined => out.write_str("null")?,
        ValueKind::Bool => out.write_str(if value.is_true() { "true" } else { "false" })?,
        ValueKind::Number => match f64::try_from(value.clone()) {
            // JSON has no word for these.
            Ok(number) if !number.is_finite() => out.write_str("null")?,
            _ => write!(out, "{value}")?,
        },
        ValueKind::Seq | ValueKind::Iterable => {
            out.write_char('[')?;
            let mut count = 0;
            for item in value.try_iter()? {
                separate(out, indent, depth, count)?;
                write_value(out, &item, indent, depth + 1)?;
                count += 1;
            }
            close(out, indent, depth, count, ']')?;
        }
        ValueKind::Map => {
            out.write_char('{')?;
            let mut count = 0;
            for key in value.try_iter()? {
                separate(out, indent, depth, count)?;
                write_string(out, &key.to_string())?;
                out.write_str(": ")?;
                write_value(out, &value.get_item(&key)?, indent, depth + 1)?;
                count += 1;
            }
            close(out, indent, depth, count, '}')?;
        }
        _ => write_string(out, &value.to_string())?,
    }
    Ok(())
}

fn separate(out: &mut impl Write, indent: Option<usize>, depth: usize, count: usize) -> Result<(), Error> {
    match indent {
        None if count > 0 => out.write_str(", ")?,
        None => {}
        Some(width) => {
            out.write_str(if count > 0 { ",\n" } else { "\n" })?;
            write!(out, "{:1$}", "", width * (depth + 1))?;
        }
    }
    Ok(())
}

fn close(out: &mut impl Write, indent: Option<usize>, depth: usize, count: usize, bracket: char) -> Result<(), Error> {
    if let Some(width) = indent.filter(|_| count > 0) {
        write!(out, "\n{:1$}", "", width * depth)?;
    }
    out.write_char(bracket).map_err(Error::from)
}

fn write_string(out: &mut impl Write, text: &str) -> Result<(), Error> {
    let quoted = serde_json::to_string(text).map_err(|error| Error::new(ErrorKind::BadSerialization, error.to_string()))?;
    out.write_str(&quoted).map_err(Error::from)
}
