//! The filters that are ours: `tojson` and `join` print as `{{ … }}` does; `truncate`, `wordcount` and `wordwrap` follow Jinja; those
//! that take the name of an attribute refuse one that is no field.

use super::print::{error_of, write_json, write_plain};
use minijinja::value::{Kwargs, Rest, Value, ValueKind, ValueOrKwargs};
use minijinja::{Environment, Error, ErrorKind, State, filters};

/// Adds them.
pub(super) fn add(environment: &mut Environment<'static>) {
    environment.add_filter("tojson", tojson);
    environment.add_filter("join", join);
    environment.add_filter("truncate", truncate);
    environment.add_filter("wordcount", wordcount);
    environment.add_filter("wordwrap", wordwrap);
    environment.add_filter("safe", |value: Value| value);
    for (name, filter) in [
        ("sort", Value::from_function(filters::sort)),
        ("unique", Value::from_function(filters::unique)),
        ("min", Value::from_function(filters::min)),
        ("max", Value::from_function(filters::max)),
        ("sum", Value::from_function(filters::sum)),
        ("map", Value::from_function(filters::map)),
        ("selectattr", Value::from_function(filters::selectattr)),
        ("rejectattr", Value::from_function(filters::rejectattr)),
        ("groupby", Value::from_function(groupby)),
    ] {
        let positional = matches!(name, "sum" | "selectattr" | "rejectattr" | "groupby");
        environment.add_filter(name, move |state: &mut State, args: Rest<ValueOrKwargs>| {
            let args = args.into_values();
            check_attribute(state, &args, positional)?;
            filter.call(state, &args)
        });
    }
}

/// Refuses the name of an attribute that is no field of some item. Left alone, the filters would take it for a value that is false, and
/// comparing two of them is a panic of the engine's.
fn check_attribute(state: &State, args: &[Value], positional: bool) -> Result<(), Error> {
    let named = args.iter().filter(|arg| arg.is_kwargs()).find_map(|arg| arg.get_attr("attribute").ok());
    let attribute = named.or_else(|| args.get(1).filter(|_| positional).cloned());
    let (Some(list), Some(attribute)) = (args.first(), attribute.as_ref().and_then(Value::as_str)) else { return Ok(()) };
    let Ok(items) = list.try_iter() else { return Ok(()) };
    for item in items {
        state.consume_fuel(1)?;
        // `sort` takes several.
        for path in attribute.split(',') {
            let found = path.trim().split('.').try_fold(item.clone(), |value, step| match step.parse::<usize>() {
                Ok(at) => value.get_item_by_index(at).ok(),
                Err(_) => value.get_attr(step).ok(),
            });
            if let Some(unknown) = found.filter(|value| value.kind() == ValueKind::Invalid) {
                return Err(error_of(&unknown));
            }
        }
    }
    Ok(())
}

/// The engine's, which is public only without its accounting.
fn groupby(state: &State, value: Value, attribute: Option<&str>, kwargs: Kwargs) -> Result<Value, Error> {
    let list = filters::list(state, value)?;
    let count = list.len().unwrap_or_default() as u64;
    state.consume_fuel(count * u64::from(count.checked_ilog2().unwrap_or_default() + 1))?;
    filters::groupby(list, attribute, kwargs)
}

/// A step of work for every 64 bytes that a filter reads or writes.
fn charge(state: &State, bytes: usize) -> Result<(), Error> {
    state.consume_fuel(bytes as u64 / 64 + 1)
}

fn tojson(state: &State, value: &Value, indent: Option<usize>, kwargs: Kwargs) -> Result<String, Error> {
    let indent = match indent {
        Some(indent) => Some(indent),
        None => kwargs.get::<Option<usize>>("indent")?,
    };
    kwargs.assert_all_used()?;
    if indent.is_some_and(|width| width > 16) {
        return Err(Error::new(ErrorKind::InvalidOperation, "tojson indents by at most 16"));
    }
    let mut text = String::new();
    write_json(&mut text, state, value, indent)?;
    charge(state, text.len())?;
    Ok(text)
}

fn join(state: &State, value: &Value, joiner: Option<&str>, attribute: Option<&str>, kwargs: Kwargs) -> Result<String, Error> {
    let joiner = match joiner {
        Some(joiner) => joiner,
        None => kwargs.get::<Option<&str>>("d")?.unwrap_or_default(),
    };
    let attribute = match attribute {
        Some(attribute) => Some(attribute),
        None => kwargs.get::<Option<&str>>("attribute")?,
    };
    kwargs.assert_all_used()?;
    let mut text = String::new();
    let mut paid = 0;
    for (count, item) in value.try_iter()?.enumerate() {
        if count > 0 {
            text.push_str(joiner);
        }
        let item = match attribute {
            Some(path) => path.split('.').try_fold(item, |value, key| value.get_attr(key))?,
            None => item,
        };
        if item.is_undefined() {
            return Err(Error::new(ErrorKind::UndefinedError, format!("item {} of the joined list is undefined", count + 1)));
        }
        write_plain(&mut text, state, &item)?;
        charge(state, text.len() - paid)?;
        paid = text.len();
    }
    Ok(text)
}

fn truncate(state: &State, text: &str, length: Option<usize>, kwargs: Kwargs) -> Result<String, Error> {
    let length = match length {
        Some(length) => length,
        None => kwargs.get::<Option<usize>>("length")?.unwrap_or(255),
    };
    let kill_words = kwargs.get::<Option<bool>>("killwords")?.unwrap_or(false);
    let end = kwargs.get::<Option<&str>>("end")?.unwrap_or("...");
    let leeway = kwargs.get::<Option<usize>>("leeway")?.unwrap_or(5);
    kwargs.assert_all_used()?;
    charge(state, text.len())?;
    if text.chars().count() <= length.saturating_add(leeway) {
        return Ok(text.to_owned());
    }
    let kept: String = text.chars().take(length.saturating_sub(end.chars().count())).collect();
    let kept = if kill_words { kept.as_str() } else { kept.rsplit_once(' ').map_or(kept.as_str(), |(words, _)| words) };
    Ok(format!("{kept}{end}"))
}

fn wordcount(state: &State, text: &str) -> Result<usize, Error> {
    charge(state, text.len())?;
    Ok(text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty()).count())
}

fn wordwrap(state: &State, text: &str, width: Option<usize>, kwargs: Kwargs) -> Result<String, Error> {
    let width = match width {
        Some(width) => width,
        None => kwargs.get::<Option<usize>>("width")?.unwrap_or(79),
    };
    let break_long_words = kwargs.get::<Option<bool>>("break_long_words")?.unwrap_or(true);
    let line_break = kwargs.get::<Option<&str>>("wrapstring")?.unwrap_or("\n");
    kwargs.assert_all_used()?;
    if width == 0 {
        return Err(Error::new(ErrorKind::InvalidOperation, "wordwrap needs a width of at least 1"));
    }
    let mut lines: Vec<String> = Vec::new();
    for paragraph in text.lines() {
        wrap_paragraph(paragraph, width, break_long_words, &mut lines);
    }
    let wrapped = lines.join(line_break);
    charge(state, text.len() + wrapped.len())?;
    Ok(wrapped)
}

fn wrap_paragraph(paragraph: &str, width: usize, break_long_words: bool, lines: &mut Vec<String>) {
    let mut line = String::new();
    let mut used = 0;
    for word in paragraph.split_whitespace() {
        let mut word: Vec<char> = word.chars().collect();
        if used > 0 && used + 1 + word.len() > width {
            lines.push(std::mem::take(&mut line));
            used = 0;
        }
        while break_long_words && word.len() > width {
            let rest = word.split_off(width);
            lines.push(word.into_iter().collect());
            word = rest;
        }
        if used > 0 {
            line.push(' ');
            used += 1;
        }
        used += word.len();
        line.extend(word);
    }
    lines.push(line);
}
