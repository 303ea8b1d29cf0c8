//! What can be written next at a place of a template, with its documentation: fields, names, filters, tests, words of a field,
//! statements. Reads the tags up to the place once; nothing is parsed, so half-typed text is no obstacle.

mod names;

use super::kind::OpeningKind;
use super::table::{Field, Kinds, Type, roots};
use crate::template::builtins::{FILTERS, FUNCTIONS, Known, LOOP, STATEMENTS, TESTS};
use crate::template::guard::SOURCE_LIMIT;
use crate::template::problem::{utf16_len, widen};
use crate::template::scan::{Piece, Tag, tags};
use names::{Meaning, Names, chain, ends_operand, last_open};
use serde::{Deserialize, Serialize};

/// What an item is, for its mark in the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CompletionKind {
    /// A field of the facts.
    Field,
    /// A name that this text gave.
    Variable,
    /// A macro or function.
    Function,
    /// After `|`.
    Filter,
    /// After `is`.
    Test,
    /// A word of the language.
    Keyword,
    /// A text that a field can be.
    Literal,
}

/// One thing that can be written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Completion {
    /// What is written.
    pub label: String,
    /// What it is.
    pub kind: CompletionKind,
    /// Its type, or how it is used.
    pub detail: String,
    /// What it means, in sentences.
    pub documentation: String,
}

/// What can be written at a place.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Completions {
    /// Bytes that are replaced: what is typed of the word so far, and its rest when the place is inside it.
    pub range: (usize, usize),
    /// The same in UTF-16 units.
    pub utf16: (usize, usize),
    /// All that fits here: words of a field and names of this text first, then in the order of the tables. The editor filters by what
    /// is typed.
    pub items: Vec<Completion>,
}

/// What can be written at byte `offset` of a template. Nothing in text and comments, nor in a text that is too large to be saved.
pub fn complete(body: &str, offset: usize) -> Completions {
    if body.len() > SOURCE_LIMIT {
        return Completions::default();
    }
    let offset = widen(body, offset..offset).start;
    let mut names = Names::default();
    let mut open = None;
    for tag in tags(&body[..offset]) {
        if tag.is_closed {
            names.see(&tag);
        } else {
            open = Some(tag);
        }
    }
    let Some(Tag { is_statement, mut pieces, .. }) = open else { return Completions::default() };
    let typed = pieces.pop_if(|last| last.is_open_string() || (last.is_word() && last.end() == offset));
    let is_string = typed.is_some_and(|typed| typed.is_string());
    let start = typed.map_or(offset, |typed| typed.start + usize::from(is_string));
    let letter = |c: char| c.is_alphanumeric() || c == '_' || (is_string && c == '-');
    let rest = &body[offset..];
    let end = if start < offset { offset + rest.find(|c| !letter(c)).unwrap_or(rest.len()) } else { offset };
    let place = Place { names, before: &pieces, is_statement, touches: pieces.last().is_some_and(|last| last.end() == start) };
    let items = if is_string { place.in_string() } else { place.in_tag() };
    let utf16 = utf16_len(&body[..start]);
    Completions { range: (start, end), utf16: (utf16, utf16 + utf16_len(&body[start..end])), items }
}

/// The byte offset of a place that an editor counts in UTF-16 units; the end when the text is shorter.
pub fn byte_offset(body: &str, utf16: usize) -> usize {
    let mut units = 0;
    let place = body.char_indices().find(|(_, c)| {
        units += c.len_utf16();
        units > utf16
    });
    place.map_or(body.len(), |(at, _)| at)
}

/// A place in a tag.
struct Place<'p, 'a> {
    names: Names<'a>,
    /// The pieces before the word that is being typed.
    before: &'p [Piece<'a>],
    is_statement: bool,
    /// Whether the place follows the last piece without a space.
    touches: bool,
}

impl Place<'_, '_> {
    fn in_tag(&self) -> Vec<Completion> {
        let Some((last, earlier)) = self.before.split_last() else {
            return if self.is_statement { self.statements() } else { self.expression() };
        };
        match last.text {
            "." => return self.fields(earlier),
            "|" => return words(FILTERS, CompletionKind::Filter),
            "is" => return words(TESTS, CompletionKind::Test),
            "not" if earlier.last().is_some_and(|piece| piece.text == "is") => return words(TESTS, CompletionKind::Test),
            _ => {}
        }
        if self.is_statement
            && let Some(items) = self.in_statement(last)
        {
            return items;
        }
        if ends_operand(last) && !(self.is_statement && earlier.is_empty()) {
            return if self.touches { Vec::new() } else { keywords(&["and", "or", "is", "in", "not in", "if", "else"]) };
        }
        self.expression()
    }

    /// What statements have of their own; none where an expression stands.
    fn in_statement(&self, last: &Piece) -> Option<Vec<Completion>> {
        let first = self.before.len() == 1;
        let has = |text: &str| self.before.iter().any(|piece| piece.text == text);
        match self.before[0].text {
            "filter" if first => Some(words(FILTERS, CompletionKind::Filter)),
            "for" if !has("in") => Some(if first || last.text == "," { Vec::new() } else { keywords(&["in"]) }),
            "set" | "block" if !has("=") => Some(Vec::new()),
            "with" if first || (last.text == "," && last_open(self.before).is_none()) => Some(Vec::new()),
            "macro" if last.text != "=" => Some(Vec::new()),
            "else" | "raw" | "break" | "continue" => Some(Vec::new()),
            keyword if keyword.starts_with("end") => Some(Vec::new()),
            _ => None,
        }
    }

    fn in_string(&self) -> Vec<Completion> {
        if let Some(field) = self.compared() {
            return literals(field, "");
        }
        let Some((last, earlier)) = self.before.split_last() else { return Vec::new() };
        if last.text == "[" && earlier.last().is_some_and(ends_operand) {
            return self.fields(earlier);
        }
        self.attributes()
    }

    /// Fields that a string in the arguments of a filter can name: `selectattr("`, `map(attribute="`.
    fn attributes(&self) -> Vec<Completion> {
        let Some(at) = last_open(self.before) else { return Vec::new() };
        let (call, arguments) = self.before.split_at(at);
        let Some((filter, list)) = call.split_last() else { return Vec::new() };
        let named = matches!(arguments, [_, .., name, sign] if name.text == "attribute" && sign.text == "=");
        let first = arguments.len() == 1 && matches!(filter.text, "selectattr" | "rejectattr" | "groupby" | "attr");
        let piped = list.split_last().filter(|(pipe, _)| pipe.text == "|" && (named || first));
        let meaning = piped.and_then(|(_, list)| self.names.meaning(chain(list)));
        match meaning {
            Some(Meaning::Field(field)) if field.ty == Type::ObjectList => fields(field.fields()),
            Some(meaning) if filter.text == "attr" => fields(meaning.fields()),
            _ => Vec::new(),
        }
    }

    /// The field that the value at this place is compared with, when it can be certain words only.
    fn compared(&self) -> Option<&'static Field> {
        let (last, mut earlier) = self.before.split_last()?;
        if !matches!(last.text, "==" | "!=") {
            // One of a list: `x in ["a", "`.
            let at = last_open(self.before)?;
            let plain = self.before[at + 1..].iter().all(|piece| piece.is_string() || piece.text == ",");
            let (word, before) = self.before[..at].split_last()?;
            if !plain || word.text != "in" || last.is_string() {
                return None;
            }
            earlier = before.split_last().filter(|(word, _)| word.text == "not").map_or(before, |(_, before)| before);
        }
        match self.names.meaning(chain(earlier))? {
            Meaning::Field(field) if matches!(field.ty, Type::Kind | Type::Word(_)) => Some(field),
            _ => None,
        }
    }

    fn fields(&self, base: &[Piece]) -> Vec<Completion> {
        match self.names.meaning(chain(base)) {
            Some(Meaning::Loop) => words(LOOP, CompletionKind::Field),
            Some(meaning) => fields(meaning.fields()),
            None => Vec::new(),
        }
    }

    fn expression(&self) -> Vec<Completion> {
        let mut items = self.compared().map_or(Vec::new(), |field| literals(field, "\""));
        let named = self.names.all().map(|(name, meaning)| {
            let (kind, detail, documentation) = match meaning {
                Meaning::Macro => (CompletionKind::Function, "macro".to_owned(), String::new()),
                Meaning::Field(field) => (CompletionKind::Variable, type_of(field), explain(field)),
                Meaning::Item(field) => (CompletionKind::Variable, format!("one of `{}`", field.path), explain(field)),
                Meaning::Loop => (CompletionKind::Variable, "loop".to_owned(), "The place in the loop.".to_owned()),
                Meaning::Value => (CompletionKind::Variable, String::new(), String::new()),
            };
            Completion { label: name.to_owned(), kind, detail, documentation }
        });
        let language = words(FUNCTIONS, CompletionKind::Function).into_iter().chain(keywords(&["not", "true", "false", "none"]));
        for item in named.chain(fields(roots())).chain(language) {
            // A name hides those outside it.
            if !items.iter().any(|known| known.label == item.label) {
                items.push(item);
            }
        }
        items
    }

    fn statements(&self) -> Vec<Completion> {
        let mut items = Vec::new();
        let block = self.names.blocks().next();
        if let Some(keyword) = block {
            items.extend(keywords(&[&format!("end{keyword}")]));
        }
        let inside_loop = self.names.blocks().any(|keyword| keyword == "for");
        let fits = |known: &&Known| match known.name {
            "elif" => block == Some("if"),
            "else" => matches!(block, Some("if" | "for")),
            "break" | "continue" => inside_loop,
            _ => true,
        };
        items.extend(STATEMENTS.iter().filter(fits).map(|known| word(known, CompletionKind::Keyword)));
        items
    }
}

fn word(known: &Known, kind: CompletionKind) -> Completion {
    Completion { label: known.name.to_owned(), kind, detail: known.usage.to_owned(), documentation: known.meaning.to_owned() }
}

fn words(table: &[Known], kind: CompletionKind) -> Vec<Completion> {
    table.iter().map(|known| word(known, kind)).collect()
}

fn keywords(words: &[&str]) -> Vec<Completion> {
    let item = |word: &&str| Completion {
        label: (*word).to_owned(),
        kind: CompletionKind::Keyword,
        detail: String::new(),
        documentation: String::new(),
    };
    words.iter().map(item).collect()
}

fn fields(fields: impl Iterator<Item = &'static Field>) -> Vec<Completion> {
    let item = |field: &'static Field| Completion {
        label: field.name().to_owned(),
        kind: CompletionKind::Field,
        detail: type_of(field),
        documentation: explain(field),
    };
    fields.map(item).collect()
}

fn literals(field: &Field, quote: &str) -> Vec<Completion> {
    let item = |text: &str, meaning: &str| Completion {
        label: format!("{quote}{text}{quote}"),
        kind: CompletionKind::Literal,
        detail: String::new(),
        documentation: meaning.to_owned(),
    };
    match field.ty {
        Type::Kind => OpeningKind::ALL.iter().map(|kind| item(kind.as_str(), kind.label())).collect(),
        Type::Word(words) => words.iter().map(|word| item(word, "")).collect(),
        _ => Vec::new(),
    }
}

fn type_of(field: &Field) -> String {
    field.ty.describe() + if field.nullable { ", or null" } else { "" }
}

/// What a field means, where it is there, and an example.
fn explain(field: &Field) -> String {
    let mut text = format!("{}: {}.", field.path, field.meaning);
    if field.kinds != Kinds::All {
        text.push_str(&format!(" Only in {}.", field.kinds.as_str()));
    }
    if field.nullable {
        text.push_str(" Can be missing: ask {% if … %} before printing it.");
    }
    if let Some(line) = field.examples[0].lines().next() {
        text.push_str(&format!(" Example: {line}"));
    }
    text
}
