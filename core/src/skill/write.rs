//! Writes a skill into its SKILL.md. What did not change keeps its bytes: order, comments, quotes, keys that are not ours, line ends.

use super::file::{KEYS, parse, read};
use super::front::{Entry, Front, Line, Lines, Style, entries, split};
use super::yaml::{block, list, quoted, text};
use super::{Mode, Skill};
use crate::template::normalize;
use crate::template::problem::Problem;
use std::ops::Range;

/// What a key is to say.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Value {
    Text(String),
    /// A word or number, which needs no quotes.
    Word(String),
    List(Vec<String>),
    /// The key is not there.
    Absent,
}

/// The file of a skill: `before` with what is different in `skill` and `body`, or a new one. The slug is the folder's name and not in it.
///
/// Keys that say their default are not added. Fails when `before` is no skill, when the skill has no name, and when a value cannot be
/// changed where it stands, which some YAML makes impossible (an anchor that another key refers to, a merge, `? key`).
pub fn write(before: Option<&str>, skill: &Skill, body: &str) -> Result<String, Problem> {
    // As a save does it, except that a mark is one at the beginning of a file only.
    let body = body.replace("\r\n", "\n").replace('\r', "\n");
    let fresh = before.is_none();
    let given = before.unwrap_or("---\n---\n");
    let file = if fresh { None } else { Some(read(&skill.slug, given)?) };
    if file.as_ref().is_some_and(|file| file.skill == *skill && file.body == body) {
        return Ok(given.to_owned());
    }
    // Beside a line end of CR alone, one of LF would make a single one of both: such a file changes to LF.
    let before = if given.replace("\r\n", "").contains('\r') { normalize(given) } else { given.to_owned() };
    let before = before.as_str();
    let front = split(before).unwrap_or(Front { yaml: 0..0, body: 0 });
    let line_end =
        Lines { text: before, at: 0, end: before.len() }.next().map_or("\n", |line| match &before[line.text.end..line.next] {
            "" => "\n",
            end => end,
        });
    let mut edits = Vec::new();
    let mut added = String::new();
    let entries = entries(before, front.yaml.clone());
    for key in KEYS {
        let is = value(skill, key);
        let was = file.as_ref().map(|file| value(&file.skill, key));
        if was.as_ref() == Some(&is) {
            continue;
        }
        match entries.iter().find(|entry| entry.key == key) {
            Some(entry) => edits.extend(change(before, entry, &is, line_end)),
            None if is_default(key, &is) => {}
            None => added.push_str(&format!("{key}: {}{line_end}", inline_or_block(&is, line_end))),
        }
    }
    if !added.is_empty() {
        edits.push((front.yaml.end..front.yaml.end, added));
    }
    if file.as_ref().is_none_or(|file| file.body != body) {
        edits.extend(change_body(before, front.body, &body, line_end));
    }
    let mut after = before.to_owned();
    edits.sort_by_key(|(range, _)| range.start);
    for (range, text) in edits.into_iter().rev() {
        after.replace_range(range, &text);
    }
    // Read again: what YAML makes of a change is not always what was written.
    let again = read(&skill.slug, &after);
    match again {
        Ok(again) if again.skill == *skill && again.body == body => Ok(after),
        Err(problem) if fresh || skill.name.trim().is_empty() => Err(problem),
        _ => {
            let problem = Problem::error(given, 0..3, "unwritable", "the YAML of this front matter cannot be changed key by key");
            Err(problem
                .suggest("write each key and its value on lines of their own, without `&`, `*`, `?` and braces round them"))
        }
    }
}

fn value(skill: &Skill, key: &str) -> Value {
    match key {
        "name" => Value::Text(skill.name.clone()),
        "description" => Value::Text(skill.description.clone()),
        "summary" => Value::Text(skill.summary.clone()),
        "mode" => Value::Word(if skill.mode == Mode::Ambient { "ambient" } else { "triggered" }.to_owned()),
        "enabled" => Value::Word(skill.enabled.to_string()),
        "position" => Value::Word(skill.position.to_string()),
        "roles" => skill.roles.clone().map_or(Value::Word("all".to_owned()), Value::List),
        "builtin" => skill.builtin.clone().map_or(Value::Absent, Value::Text),
        _ => Value::List(skill.attachments.clone()),
    }
}

fn is_default(key: &str, value: &Value) -> bool {
    match value {
        Value::Absent => true,
        Value::Text(text) => key == "summary" && text.is_empty(),
        Value::Word(word) => {
            [("mode", "triggered"), ("enabled", "true"), ("position", "0"), ("roles", "all")].contains(&(key, word))
        }
        Value::List(items) => key == "attachments" && items.is_empty(),
    }
}

fn inline(value: &Value) -> String {
    match value {
        Value::Text(words) => text(words),
        Value::Word(word) => word.clone(),
        Value::List(items) => list(items),
        Value::Absent => String::new(),
    }
}

fn inline_or_block(value: &Value, line_end: &str) -> String {
    let written = if let Value::Text(words) = value { block(words, line_end) } else { None };
    written.unwrap_or_else(|| inline(value))
}

/// The edits that make one key say something else.
fn change(before: &str, entry: &Entry, value: &Value, line_end: &str) -> Vec<(Range<usize>, String)> {
    let comment = entry.comment.clone().map(|comment| &before[comment]);
    match (value, entry.style) {
        (Value::Absent, _) => vec![(entry.place.start..entry.end, String::new())],
        (_, Style::Below) => {
            let start = before[..entry.value.start].rfind(['\n', '\r']).map_or(0, |at| at + 1);
            let lines = start..entry.end;
            match value {
                Value::List(items) if !items.is_empty() && before[entry.value.clone()].trim_start().starts_with('-') => {
                    vec![(lines.clone(), dashed(before, lines, items, line_end))]
                }
                _ => vec![(entry.colon..entry.colon, format!(" {}", inline(value))), (lines, String::new())],
            }
        }
        (_, Style::Empty) => vec![(entry.colon..entry.colon, format!(" {}", inline(value)))],
        // The comment stood behind the mark of the block; it stands behind the value now.
        (_, Style::Block) => match comment {
            Some(comment) => vec![(entry.value.clone(), format!("{} {comment}", one_line(value)))],
            None => vec![(entry.value.clone(), inline_or_block(value, line_end))],
        },
        // A block would take the comment for its own.
        (_, Style::Flow) if comment.is_some() => vec![(entry.value.clone(), one_line(value))],
        (_, Style::Flow) => vec![(entry.value.clone(), inline_or_block(value, line_end))],
    }
}

fn one_line(value: &Value) -> String {
    match value {
        Value::Text(words) if words.contains('\n') => quoted(words),
        value => inline(value),
    }
}

/// A list with dashes: items that stay keep their lines, new ones stand in as far as those.
fn dashed(before: &str, lines: Range<usize>, items: &[String], line_end: &str) -> String {
    let first = &before[lines.clone()];
    let indent = &first[..first.len() - first.trim_start_matches([' ', '\t']).len()];
    let mut chunks: Vec<Range<usize>> = Vec::new();
    for Line { text, next } in (Lines { text: before, at: lines.start, end: lines.end }) {
        let begins = before[text.clone()].strip_prefix(indent).is_some_and(|rest| rest.starts_with('-'));
        match chunks.last_mut().filter(|_| !begins) {
            Some(chunk) => chunk.end = next,
            None => chunks.push(text.start..next),
        }
    }
    let mut known: Vec<(Option<String>, &str)> = chunks
        .into_iter()
        .map(|chunk| (parse::<Vec<String>>(&before[chunk.clone()]).ok().and_then(|mut items| items.pop()), &before[chunk]))
        .collect();
    let mut written = String::new();
    for item in items {
        match known.iter().position(|(known, _)| known.as_ref() == Some(item)) {
            Some(at) => {
                let chunk = known.remove(at).1;
                written.push_str(chunk);
                if !chunk.ends_with(['\n', '\r']) {
                    written.push_str(line_end);
                }
            }
            None => written.push_str(&format!("{indent}- {}{line_end}", text(item))),
        }
    }
    written
}

/// The edits that make the body say something else: the lines at both ends that stay keep their bytes.
fn change_body(before: &str, start: usize, body: &str, line_end: &str) -> Vec<(Range<usize>, String)> {
    let old: Vec<Line> = Lines { text: before, at: start, end: before.len() }.collect();
    let new: Vec<&str> = body.split_inclusive('\n').collect();
    let same = |line: &Line, wanted: &str| {
        let ends = line.next > line.text.end;
        wanted.strip_suffix('\n').unwrap_or(wanted) == &before[line.text.clone()] && ends == wanted.ends_with('\n')
    };
    let head = old.iter().zip(&new).take_while(|(line, wanted)| same(line, wanted)).count();
    let tail = old[head..].iter().rev().zip(new[head..].iter().rev()).take_while(|(line, wanted)| same(line, wanted)).count();
    let from = old.get(head).map_or(before.len(), |line| line.text.start);
    let to = old.len().checked_sub(tail + 1).filter(|last| *last >= head).map_or(from, |last| old[last].next);
    let mut text = new[head..new.len() - tail].concat().replace('\n', line_end);
    // The closing line may be the last of the file, and end it.
    if from == start && !before[..start].ends_with(['\n', '\r']) && !text.is_empty() {
        text.insert_str(0, line_end);
    }
    vec![(from..to, text)]
}
