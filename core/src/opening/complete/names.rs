//! The names that are known at a place of a half-typed template, and what each stands for, as far as that can be told without running it.

use crate::opening::table::{Field, Type, roots};
use crate::template::scan::{Piece, Tag};

/// What a name or a chain of names stands for.
#[derive(Clone, Copy, Debug)]
pub enum Meaning {
    /// A field of the facts.
    Field(&'static Field),
    /// An item of a list of the facts.
    Item(&'static Field),
    /// `loop`.
    Loop,
    /// A macro of this text.
    Macro,
    /// A value that is not followed further.
    Value,
}

impl Meaning {
    /// The fields it has.
    pub fn fields(self) -> impl Iterator<Item = &'static Field> {
        let object = match self {
            Meaning::Field(field) if field.ty == Type::Object => Some(field),
            Meaning::Item(field) if field.ty == Type::ObjectList => Some(field),
            _ => None,
        };
        object.into_iter().flat_map(Field::fields)
    }

    fn field(self, name: &str) -> Option<Meaning> {
        self.fields().find(|field| field.name() == name).map(Meaning::Field)
    }

    /// One of its items.
    fn item(self) -> Option<Meaning> {
        match self {
            Meaning::Field(field) if matches!(field.ty, Type::ObjectList | Type::TextList) => Some(Meaning::Item(field)),
            _ => None,
        }
    }
}

/// Words that end a chain of names.
const KEYWORDS: [&str; 10] = ["and", "or", "not", "in", "is", "if", "else", "elif", "recursive", "set"];

/// Filters whose result is a list like the one they are given.
const SAME: [&str; 11] =
    ["sort", "reverse", "unique", "list", "select", "reject", "selectattr", "rejectattr", "default", "d", "chain"];

/// Statements that stand alone or open a block only that can be closed.
const BLOCKS: [&str; 9] = ["if", "for", "set", "with", "macro", "call", "filter", "block", "autoescape"];

/// So many names of a text are known, the latest ones; more would make reading it take longer than its length says.
const LATEST: usize = 500;

/// What is known behind some tags.
#[derive(Default)]
pub struct Names<'a> {
    known: Vec<(&'a str, Meaning)>,
    /// Open blocks: keyword, and how many names were known before it.
    blocks: Vec<(&'a str, usize)>,
}

impl<'a> Names<'a> {
    /// The names of this text, the innermost first.
    pub fn all(&self) -> impl Iterator<Item = (&'a str, Meaning)> {
        self.known.iter().rev().take(LATEST).copied()
    }

    /// The keywords of the open blocks, the innermost first.
    pub fn blocks(&self) -> impl Iterator<Item = &'a str> {
        self.blocks.iter().rev().map(|(keyword, _)| *keyword)
    }

    /// Takes in a tag that is closed.
    pub fn see(&mut self, tag: &Tag<'a>) {
        let Some((keyword, rest)) = tag.pieces.split_first().filter(|_| tag.is_statement) else { return };
        let keyword = keyword.text;
        if let Some(closed) = keyword.strip_prefix("end") {
            if let Some(at) = self.blocks.iter().rposition(|(open, _)| *open == closed) {
                let scoped = matches!(closed, "for" | "with" | "macro" | "call");
                if scoped {
                    self.known.truncate(self.blocks[at].1);
                }
                self.blocks.truncate(at);
            }
            return;
        }
        let assigned = rest.iter().position(|piece| piece.text == "=");
        let meaning = |names: &Self, value: &[Piece<'a>]| names.meaning(value).unwrap_or(Meaning::Value);
        let before = self.known.len();
        match keyword {
            "for" => {
                let at = rest.iter().position(|piece| piece.text == "in").unwrap_or(rest.len());
                let list = rest.get(at + 1..).unwrap_or_default();
                let end = list.iter().position(|piece| matches!(piece.text, "if" | "recursive")).unwrap_or(list.len());
                let item = self.meaning(&list[..end]).and_then(Meaning::item).unwrap_or(Meaning::Value);
                let targets: Vec<&str> = words(&rest[..at]).collect();
                let item = if targets.len() == 1 { item } else { Meaning::Value };
                self.known.push(("loop", Meaning::Loop));
                self.known.extend(targets.into_iter().map(|name| (name, item)));
            }
            "set" => {
                let targets = &rest[..assigned.unwrap_or(rest.len())];
                let value = assigned.map_or(Meaning::Value, |at| meaning(self, &rest[at + 1..]));
                match targets {
                    [name] if name.is_word() => self.known.push((name.text, value)),
                    _ if targets.iter().any(|piece| piece.text == ".") => {}
                    _ => self.known.extend(words(targets).map(|name| (name, Meaning::Value))),
                }
            }
            "with" => {
                let mut rest = rest;
                while let Some(at) = rest.iter().position(|piece| piece.text == "=") {
                    let end = rest[at..].iter().position(|piece| piece.text == ",").map_or(rest.len(), |end| at + end);
                    if let Some(name) = at.checked_sub(1).map(|at| rest[at]).filter(Piece::is_word) {
                        let value = meaning(self, &rest[at + 1..end]);
                        self.known.push((name.text, value));
                    }
                    rest = &rest[end..];
                }
            }
            "macro" => {
                self.known.extend(rest.first().filter(|name| name.is_word()).map(|name| (name.text, Meaning::Macro)));
                let arguments = rest.windows(2).filter(|pair| matches!(pair[0].text, "(" | ",") && pair[1].is_word());
                self.known.extend(arguments.map(|pair| (pair[1].text, Meaning::Value)));
                self.known.push(("caller", Meaning::Macro));
            }
            _ => {}
        }
        if BLOCKS.contains(&keyword) && (keyword != "set" || assigned.is_none()) {
            // The macro's own name outlives it.
            let kept = if keyword == "macro" { (before + 1).min(self.known.len()) } else { before };
            self.blocks.push((keyword, kept));
        }
    }

    /// What an expression stands for: a chain of fields, indices and filters, and nothing else.
    pub fn meaning(&self, pieces: &[Piece<'a>]) -> Option<Meaning> {
        let (first, mut rest) = pieces.split_first().filter(|(first, _)| first.is_word())?;
        let known = self.all().find(|(name, _)| *name == first.text).map(|(_, meaning)| meaning);
        let root = || roots().find(|field| field.path == first.text).map(Meaning::Field);
        let mut meaning = known.or_else(root)?;
        while let Some((sign, after)) = rest.split_first() {
            let (next, used) = match (sign.text, after.first()) {
                (".", Some(name)) => (meaning.field(name.text)?, 1),
                ("[", Some(key)) => {
                    let end = close(rest)?;
                    let name = key.text.trim_matches(['"', '\'']);
                    (if key.is_string() && end == 2 { meaning.field(name)? } else { meaning.item()? }, end)
                }
                ("|", Some(filter)) => {
                    let arguments = if after.get(1).is_some_and(|piece| piece.text == "(") { close(&after[1..])? + 1 } else { 0 };
                    let next = match filter.text {
                        "first" | "last" | "min" | "max" => meaning.item()?,
                        same if SAME.contains(&same) => meaning,
                        _ => return None,
                    };
                    (next, 1 + arguments)
                }
                _ => return None,
            };
            meaning = next;
            rest = &after[used..];
        }
        Some(meaning)
    }
}

fn words<'a>(pieces: &[Piece<'a>]) -> impl Iterator<Item = &'a str> {
    pieces.iter().filter(|piece| piece.is_word()).map(|piece| piece.text)
}

/// Position of the bracket that closes the first piece.
fn close(pieces: &[Piece]) -> Option<usize> {
    let mut depth = 0;
    pieces.iter().position(|piece| {
        match piece.text {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth -= 1,
            _ => {}
        }
        depth == 0
    })
}

/// Position of the last bracket that is not closed.
pub fn last_open(pieces: &[Piece]) -> Option<usize> {
    let mut depth = 0;
    pieces.iter().rposition(|piece| {
        match piece.text {
            ")" | "]" | "}" => depth += 1,
            "(" | "[" | "{" => depth -= 1,
            _ => {}
        }
        depth < 0
    })
}

/// Whether an operand can end with this piece.
pub fn ends_operand(piece: &Piece) -> bool {
    let value = piece.is_word() && !KEYWORDS.contains(&piece.text);
    value || piece.is_string() || piece.text.starts_with(|c: char| c.is_ascii_digit()) || matches!(piece.text, ")" | "]" | "}")
}

/// The chain of names, indices and filters that the pieces end with.
pub fn chain<'p, 'a>(pieces: &'p [Piece<'a>]) -> &'p [Piece<'a>] {
    let mut start = pieces.len();
    while let Some(last) = start.checked_sub(1).map(|at| &pieces[at]) {
        if matches!(last.text, ")" | "]") {
            match last_open(&pieces[..start - 1]) {
                Some(at) => start = at,
                None => break,
            }
            continue;
        }
        if !last.is_word() || KEYWORDS.contains(&last.text) {
            break;
        }
        start -= 1;
        match start.checked_sub(1).map(|at| pieces[at].text) {
            Some("." | "|") => start -= 1,
            _ => break,
        }
    }
    &pieces[start..]
}
