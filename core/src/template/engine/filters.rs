//! The filters that are ours: `tojson` and `join` print as `{{ … }}` does; `truncate`, `wordcount` and `wordwrap` follow Jinja.

use super::print::{write_json, write_plain};
use minijinja::value::{Kwargs, Value};
use minijinja::{Environment, Error, ErrorKind, State};

/// Adds them.
pub(super) fn add(environment: &mut Environment<'static>) {
    environment.add_filter("tojson", tojson);
    environment.add_filter("join", join);
    environment.add_filter("truncate", truncate);
    environment.add_filter("wordcount", wordcount);
    environment.add_filter("wordwrap", wordwrap);
    environment.add_filter("safe", |value: Value| value);
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
