//! Says what is wrong with a front matter, where, and what to write instead. The parser tells that and roughly where; the sentences are ours.

use super::file::KEYS;
use super::front::{Entry, Lines, NoFront, entries};
use super::yaml::quoted;
use crate::template::nearest::nearest;
use crate::template::problem::Problem;
use serde_saphyr::Error;
use std::ops::Range;

/// Keys of other programs that read SKILL.md; they are no misspelling of ours.
const OTHERS: [&str; 8] = ["license", "compatibility", "metadata", "allowed-tools", "model", "version", "author", "tags"];

fn broken(text: &str, range: Range<usize>, message: impl Into<String>) -> Problem {
    Problem::error(text, range, "broken", message)
}

/// The file has none.
pub(super) fn no_front(text: &str, missing: NoFront) -> Problem {
    let first = text.find('\n').unwrap_or(text.len());
    if missing == NoFront::Missing {
        return broken(text, 0..first, "the file does not begin with front matter")
            .suggest("write `---`, name and description, and `---` again, each on a line of its own");
    }
    let mut lines = Lines { text, at: 0, end: text.len() };
    match lines.find(|line| text[line.text.clone()].trim_end() == "...") {
        Some(line) => broken(text, line.text, "the front matter ends with `...`").suggest("end it with `---`"),
        None => broken(text, 0..first, "the front matter is not closed").suggest("end it with a line `---`"),
    }
}

/// A key that has to be there is not.
pub(super) fn missing(text: &str, entries: &[Entry], key: &str) -> Problem {
    if let Some(entry) = entries.iter().find(|entry| entry.key == key) {
        return broken(text, entry.place.clone(), format!("`{key}` is empty")).suggest(format!("write `{key}: …`"));
    }
    let unknown = entries.iter().filter(|entry| !KEYS.contains(&entry.key));
    match unknown.into_iter().find(|entry| nearest(entry.key, [key]).is_some()) {
        Some(entry) => broken(text, entry.place.clone(), format!("the front matter has no `{key}`"))
            .suggest(format!("write `{key}` in place of `{}`", entry.key)),
        None => broken(text, 0..3, format!("the front matter has no `{key}`")).suggest(format!("add `{key}: …`")),
    }
}

/// Keys that are kept and not read, though they look like one that would be.
pub(super) fn misspelt(text: &str, given: &[Entry]) -> Vec<Problem> {
    let absent = || KEYS.into_iter().filter(|key| given.iter().all(|entry| entry.key != *key));
    let unknown = given.iter().filter(|entry| !KEYS.contains(&entry.key) && !OTHERS.contains(&entry.key));
    let warning = |entry: &Entry| {
        let known = nearest(entry.key, absent())?;
        let message = format!("`{}` is no key that Proem reads; it is kept and does nothing", entry.key);
        let problem = Problem::warning(text, entry.place.clone(), "unknown-key", message);
        Some(problem.suggest(format!("did you mean `{known}`?")))
    };
    unknown.filter_map(warning).collect()
}

/// What the parser refused.
pub(super) fn yaml(text: &str, yaml: &Range<usize>, error: &Error) -> Problem {
    let error = error.without_snippet();
    let at = error.location().map_or(yaml.start, |place| offset(text, yaml, place.line() as usize, place.column() as usize));
    let entries = entries(text, yaml.clone());
    let entry = entries.iter().find(|entry| entry.place.start <= at && at < entry.end.max(entry.colon + 1));
    let problem = match (error, entry) {
        (Error::DuplicateMappingKey { key, .. }, _) => {
            let key = key.as_deref().unwrap_or("a key");
            let twice = broken(text, at..at + key.len(), format!("`{key}` is said twice")).suggest("keep one of them");
            return twice;
        }
        (Error::MultipleDocuments { .. }, _) => {
            let mut lines = Lines { text, at: yaml.start, end: yaml.end };
            let end = lines.find(|line| text[line.text.clone()].trim_end() == "...").map_or(line(text, at), |line| line.text);
            return broken(text, end, "the YAML ends here, and more of it follows").suggest("remove this line");
        }
        (Error::UnknownAnchor { .. }, Some(entry)) => {
            let value = &text[entry.value.clone()];
            let problem = broken(
                text,
                entry.value.clone(),
                format!("`{}` begins with `*`, which in YAML refers to another value", entry.key),
            );
            return problem.suggest(format!("if it is text, put it in quotes: {}: {}", entry.key, quoted(value)));
        }
        (Error::ExternalMessage { .. }, _) => syntax(text, yaml, at),
        (_, Some(entry)) => wrong_type(text, entry),
        (_, None) if !entries.is_empty() => syntax(text, yaml, at),
        (_, None) => None,
    };
    problem.unwrap_or_else(|| {
        if entries.is_empty() {
            return broken(text, line(text, at), "the front matter is not made of keys and values")
                .suggest("write `name: …` and so on, a line each");
        }
        let message = error.to_string();
        // The parser's place counts from the front matter's first line; ours is right.
        let message = message.lines().next().unwrap_or_default().trim_start_matches("error: ");
        let message = message.split_once(": ").filter(|(place, _)| place.starts_with("line ")).map_or(message, |(_, rest)| rest);
        let message = message.rsplit_once(" at line ").map_or(message, |(message, _)| message);
        broken(text, at..at, format!("the front matter is not valid YAML: {message}"))
    })
}

/// A value of one of our keys that is not what the key takes.
fn wrong_type(text: &str, entry: &Entry) -> Option<Problem> {
    let wanted = match entry.key {
        "enabled" => "true or false",
        "mode" => "ambient or triggered",
        "position" => "a whole number",
        "roles" => "all, or a list of role ids such as [writer, reviewer]",
        "attachments" => "a list of file names such as [plan.pdf]",
        "name" | "description" | "summary" | "builtin" => "text",
        _ => return None,
    };
    let written = text[entry.value.clone()].lines().next().unwrap_or_default().trim();
    let place = if entry.value.is_empty() { entry.place.clone() } else { entry.value.clone() };
    let problem = broken(text, place, format!("`{}` must be {wanted}", entry.key));
    Some(match entry.key {
        "attachments" if !written.starts_with(['[', '{', '-']) && !written.is_empty() => {
            problem.suggest(format!("write attachments: [{written}]"))
        }
        "name" | "description" | "summary" | "builtin" if written.starts_with(['[', '{']) => {
            let whole = text[entry.value.start..line(text, entry.value.start).end].trim_end();
            problem.suggest(format!("put it in quotes: {}: {}", entry.key, quoted(whole)))
        }
        "mode" => match nearest(&written.to_lowercase(), ["ambient", "triggered"]) {
            Some(mode) => problem.suggest(format!("did you mean {mode}?")),
            None => problem,
        },
        _ => problem,
    })
}

/// Text that is no YAML: the usual slips, told from the line.
fn syntax(text: &str, yaml: &Range<usize>, at: usize) -> Option<Problem> {
    let mut lines = Lines { text, at: yaml.start, end: yaml.end };
    let tab = lines.find_map(|line| {
        let written = &text[line.text.clone()];
        let indent = &written[..written.len() - written.trim_start_matches([' ', '\t']).len()];
        indent.find('\t').map(|tab| line.text.start + tab).filter(|_| line.next >= at)
    });
    if let Some(tab) = tab {
        let problem = broken(text, tab..tab + 1, "this line is indented with a tab, which YAML does not take");
        return Some(problem.suggest("indent it with spaces"));
    }
    let range = line(text, at);
    let written = &text[range.clone()];
    let Some((key, value)) = written.split_once(": ") else {
        let Some((key, value)) = written.split_once(':') else {
            return Some(broken(text, range, "there is no colon in this line").suggest("write `key: value`"));
        };
        if value.is_empty() {
            return None;
        }
        return Some(broken(text, range, "there is no space behind the colon").suggest(format!("write {}: {value}", key.trim())));
    };
    let start = range.start + key.len() + 2 + value.len() - value.trim_start().len();
    let (indent, key, value) = (key.starts_with(' '), key.trim(), value.trim());
    let place = start..start + value.len();
    let why = match value.chars().next()? {
        _ if indent && KEYS.contains(&key) => {
            let problem = broken(text, range, format!("`{key}` is further in than the line above it allows"));
            return Some(problem.suggest("begin the line with the key"));
        }
        '"' | '\'' => {
            let problem = broken(text, place, format!("the quotes of `{key}` do not hold its whole value"));
            return Some(problem.suggest("close them at its end, and write \\\" for a quote inside double quotes"));
        }
        '[' | '{' => format!("the value of `{key}` begins like a list"),
        sign if "@`%&*!|>-?,]}".contains(sign) => format!("the value of `{key}` begins with a sign of YAML's own"),
        _ if value.contains(": ") || value.ends_with(':') => format!("the value of `{key}` holds a colon"),
        _ => return None,
    };
    Some(broken(text, place, why).suggest(format!("put it in quotes: {key}: {}", quoted(value))))
}

/// The line of a byte, without its end.
fn line(text: &str, at: usize) -> Range<usize> {
    let start = text[..at].rfind('\n').map_or(0, |at| at + 1);
    start..text[start..].find('\n').map_or(text.len(), |length| start + length)
}

/// The byte of a line and column of the YAML, both from 1, columns in characters.
fn offset(text: &str, yaml: &Range<usize>, line: usize, column: usize) -> usize {
    let mut lines = Lines { text, at: yaml.start, end: yaml.end };
    match lines.nth(line.saturating_sub(1)) {
        Some(line) => {
            let written = &text[line.text.clone()];
            line.text.start + written.char_indices().nth(column.saturating_sub(1)).map_or(written.len(), |(at, _)| at)
        }
        None => yaml.end,
    }
}
