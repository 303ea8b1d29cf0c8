//! Where a template decides: its conditions, loops and inline `if`s, which text belongs to which of their arms, and its values.

use super::lexemes::{Lexeme, Role, Tag, TagKind, span, tags};
use std::ops::Range;

/// What decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SiteKind {
    If,
    Elif,
    /// `a if E else b`
    Inline,
    For,
    /// The `if E` of the loop with this index.
    Filter(usize),
    /// `{{ E }}`: decides nothing, but is seen.
    Print,
}

/// A place with an expression that decides.
#[derive(Clone, Debug)]
pub(super) struct Site {
    pub(super) kind: SiteKind,
    /// The bytes of its expression.
    pub(super) range: Range<usize>,
    /// Its tokens among all.
    pub(super) tokens: Range<usize>,
    /// The text that is run when it is true, or for each item.
    pub(super) yes: Option<Range<usize>>,
    /// The text that is run when it is false or empty: an `else`, or the rest of a chain from its `elif` on.
    pub(super) no: Option<Range<usize>>,
    /// `no` is the rest of a chain.
    pub(super) chained: bool,
}

/// A block whose text is not printed where it stands.
#[derive(Clone, Debug)]
pub(super) struct Captured {
    /// `macro`, `call`, `set` or `filter`.
    pub(super) keyword: String,
    /// The macro's name; empty for the others.
    pub(super) name: String,
    pub(super) body: Range<usize>,
}

/// What [`sites`] finds.
#[derive(Clone, Debug, Default)]
pub(super) struct Sites {
    /// The tokens of all tags.
    pub(super) lexemes: Vec<Lexeme>,
    /// In the order of their tags; inside a tag outer ones may stand behind inner ones.
    pub(super) sites: Vec<Site>,
    pub(super) captured: Vec<Captured>,
    /// `break` and `continue` tags.
    pub(super) jumps: Vec<Range<usize>>,
}

enum Block {
    /// The conditions of a chain so far, where the body of the last begins, and whether that is the `else`.
    If {
        chain: Vec<usize>,
        body: usize,
        in_else: bool,
    },
    For {
        site: usize,
        body: usize,
        in_else: bool,
    },
    Captured {
        keyword: String,
        name: String,
        body: usize,
    },
    Other,
}

/// The sites of a template that can be parsed.
pub(super) fn sites(source: &str) -> Sites {
    let mut found = Sites::default();
    let mut blocks: Vec<Block> = Vec::new();
    for tag in tags(source) {
        let base = found.lexemes.len();
        match tag.kind {
            TagKind::Text => {}
            TagKind::Print => {
                inlines(&tag.lexemes, base, &mut found.sites);
                found.sites.push(site(SiteKind::Print, &tag.lexemes, base));
            }
            TagKind::Block(keyword) => block(source, &tag, keyword, &mut blocks, &mut found),
        }
        found.lexemes.extend(tag.lexemes);
    }
    found
}

/// A site whose expression is these tokens, the first of which has the index `base` among all.
fn site(kind: SiteKind, expression: &[Lexeme], base: usize) -> Site {
    Site { kind, range: span(expression), tokens: base..base + expression.len(), yes: None, no: None, chained: false }
}

fn block(source: &str, tag: &Tag, keyword: &str, blocks: &mut Vec<Block>, found: &mut Sites) {
    let (start, end) = (tag.range.start, tag.range.end);
    let (base, sites) = (found.lexemes.len(), &mut found.sites);
    if keyword != "for" {
        inlines(&tag.lexemes, base, sites);
    }
    match (keyword, blocks.last_mut()) {
        ("if", _) => {
            sites.push(site(SiteKind::If, &tag.lexemes, base));
            blocks.push(Block::If { chain: vec![sites.len() - 1], body: end, in_else: false });
        }
        ("elif", Some(Block::If { chain, body, .. })) => {
            if let Some(last) = chain.last() {
                sites[*last].yes = Some(*body..start);
                // The end comes with the end of the chain.
                sites[*last].no = Some(start..start);
                sites[*last].chained = true;
            }
            sites.push(site(SiteKind::Elif, &tag.lexemes, base));
            chain.push(sites.len() - 1);
            *body = end;
        }
        ("else", Some(Block::If { chain, body, in_else })) => {
            if let Some(last) = chain.last() {
                sites[*last].yes = Some(*body..start);
            }
            (*body, *in_else) = (end, true);
        }
        ("else", Some(Block::For { site, body, in_else })) => {
            sites[*site].yes = Some(*body..start);
            (*body, *in_else) = (end, true);
        }
        ("for", _) => {
            let site = open_loop(source, &tag.lexemes, base, sites);
            blocks.push(Block::For { site, body: end, in_else: false });
        }
        ("macro" | "call" | "filter", _) => {
            let name = if keyword == "macro" { tag.lexemes.first().map(|name| name.range.clone()) } else { None };
            let name = source[name.unwrap_or(0..0)].to_owned();
            blocks.push(Block::Captured { keyword: keyword.to_owned(), name, body: end });
        }
        ("set", _) if !tag.lexemes.iter().any(|lexeme| lexeme.depth == 0 && &source[lexeme.range.clone()] == "=") => {
            blocks.push(Block::Captured { keyword: keyword.to_owned(), name: String::new(), body: end });
        }
        ("with" | "block" | "autoescape", _) => blocks.push(Block::Other),
        ("break" | "continue", _) => found.jumps.push(tag.range.clone()),
        (keyword, _) if keyword.starts_with("end") => match blocks.pop() {
            Some(Block::If { chain, body, in_else }) => {
                for at in chain.iter().rev().skip(1) {
                    if let Some(no) = &mut sites[*at].no {
                        no.end = start;
                    }
                }
                if let Some(last) = chain.last() {
                    let arm = if in_else { &mut sites[*last].no } else { &mut sites[*last].yes };
                    *arm = Some(body..start);
                }
            }
            Some(Block::For { site, body, in_else }) => {
                let arm = if in_else { &mut sites[site].no } else { &mut sites[site].yes };
                *arm = Some(body..start);
            }
            Some(Block::Captured { keyword, name, body }) => found.captured.push(Captured { keyword, name, body: body..start }),
            Some(Block::Other) | None => {}
        },
        _ => {}
    }
}

/// `for TARGET in E [if E] [recursive]`; the index of the loop's site.
fn open_loop(source: &str, lexemes: &[Lexeme], base: usize, sites: &mut Vec<Site>) -> usize {
    // The first `in` ends the target, whatever it would be elsewhere.
    let first = lexemes.iter().position(|lexeme| &source[lexeme.range.clone()] == "in").map_or(lexemes.len(), |at| at + 1);
    let rest = &lexemes[first..];
    let end = rest.iter().position(|lexeme| lexeme.depth == 0 && lexeme.role == Role::Recursive).unwrap_or(rest.len());
    let filter = rest[..end].iter().position(|lexeme| lexeme.depth == 0 && lexeme.role == Role::If);
    let items = &rest[..filter.unwrap_or(end)];
    inlines(items, base + first, sites);
    sites.push(site(SiteKind::For, items, base + first));
    let found = sites.len() - 1;
    if let Some(at) = filter {
        let (filter, base) = (&rest[at + 1..end], base + first + at + 1);
        inlines(filter, base, sites);
        sites.push(site(SiteKind::Filter(found), filter, base));
    }
    found
}

/// Where an expression at one depth of brackets is.
#[derive(Default)]
struct Level {
    /// Index of the first token.
    first: usize,
    /// The inline `if` whose condition is being read, and where that begins.
    condition: Option<(usize, usize)>,
    /// Those whose `else` goes on to the end of the expression.
    open: Vec<usize>,
}

/// Finds the inline `if`s of an expression or a list of them.
fn inlines(lexemes: &[Lexeme], base: usize, sites: &mut Vec<Site>) {
    let mut levels = vec![Level::default()];
    for (at, lexeme) in lexemes.iter().enumerate() {
        if lexeme.role == Role::Close && levels.len() > 1 {
            end(lexemes, base, at, levels.pop().unwrap_or_default(), sites);
        }
        let Some(level) = levels.last_mut() else { return };
        match lexeme.role {
            Role::Open | Role::Paren => levels.push(Level { first: at + 1, ..Level::default() }),
            Role::Separator => {
                let done = std::mem::replace(level, Level { first: at + 1, ..Level::default() });
                end(lexemes, base, at, done, sites);
            }
            Role::If => {
                finish(lexemes, base, at, level, sites);
                let mut new = site(SiteKind::Inline, &[], base);
                new.yes = Some(span(&lexemes[level.first..at]));
                sites.push(new);
                level.condition = Some((sites.len() - 1, at + 1));
            }
            Role::Else => {
                if let Some(found) = finish(lexemes, base, at, level, sites) {
                    level.first = at + 1;
                    sites[found].no = lexemes.get(at + 1).map(|next| next.range.start..next.range.start);
                    level.open.push(found);
                }
            }
            _ => {}
        }
    }
    while let Some(level) = levels.pop() {
        end(lexemes, base, lexemes.len(), level, sites);
    }
}

/// The condition that is being read ends before token `at`.
fn finish(lexemes: &[Lexeme], base: usize, at: usize, level: &mut Level, sites: &mut [Site]) -> Option<usize> {
    let (found, from) = level.condition.take()?;
    sites[found].range = span(&lexemes[from..at]);
    sites[found].tokens = base + from..base + at;
    Some(found)
}

/// The expression ends before token `at`.
fn end(lexemes: &[Lexeme], base: usize, at: usize, mut level: Level, sites: &mut [Site]) {
    finish(lexemes, base, at, &mut level, sites);
    for found in level.open {
        if let (Some(no), Some(last)) = (&mut sites[found].no, at.checked_sub(1).and_then(|last| lexemes.get(last))) {
            no.end = last.range.end.max(no.start);
        }
    }
}
