//! The tags of a template and the part that each of their tokens plays. A keyword is one only where an operator can stand: `if` may
//! also be a variable or a field, and the engine allows it.

use super::engine::{TokenKind, tokens};
use std::ops::Range;

/// What a token does in its expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// A name, a literal, or a part of a path, filter or test that only belongs to what is before it.
    Operand,
    /// `.` and `|`, which bind to what is before them.
    Postfix,
    /// `(`
    Paren,
    /// `[ {`
    Open,
    /// `) ] }`
    Close,
    /// Comma, colon or `=`: an expression ends and another begins.
    Separator,
    /// A calculation, also a sign.
    Operator,
    /// `== != < <= > >=`
    Compare,
    In,
    /// `not` before `in`.
    NotIn,
    Is,
    Not,
    And,
    Or,
    If,
    Else,
    Recursive,
}

/// A token of a tag.
#[derive(Clone, Debug)]
pub(super) struct Lexeme {
    pub(super) range: Range<usize>,
    pub(super) role: Role,
    /// Open brackets around it; a bracket itself stands outside of what it encloses.
    pub(super) depth: usize,
}

/// A tag, or the text between two.
#[derive(Clone, Debug)]
pub(super) struct Tag<'a> {
    pub(super) range: Range<usize>,
    pub(super) kind: TagKind<'a>,
    /// Its tokens, without delimiters and keyword.
    pub(super) lexemes: Vec<Lexeme>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TagKind<'a> {
    /// Outside tags.
    Text,
    /// `{{ … }}`
    Print,
    /// `{% keyword … %}`
    Block(&'a str),
}

/// What the expression before the next token is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// Nothing yet: an operand must follow.
    Begin,
    /// Whole: an operator may follow.
    Whole,
    /// A name must follow, whatever it is called: after `.` and `|`.
    Name,
    /// After `is`: `not` or the name of a test.
    Test,
    /// After the name of a test: an argument without brackets may follow.
    Tested,
    /// After a `not` that is no sign of negation: `in` must follow.
    NotIn,
}

/// All tags and texts, in order. Comments are none.
pub(super) fn tags(source: &str) -> Vec<Tag<'_>> {
    let mut found: Vec<Tag> = Vec::new();
    let mut state = State::Begin;
    let mut depth = 0usize;
    let mut at_keyword = false;
    for token in tokens(source) {
        let range = token.range;
        let tag = |kind| Tag { range: range.clone(), kind, lexemes: Vec::new() };
        match token.kind {
            TokenKind::Text => found.push(tag(TagKind::Text)),
            TokenKind::BlockStart | TokenKind::VariableStart => {
                at_keyword = token.kind == TokenKind::BlockStart;
                found.push(tag(if at_keyword { TagKind::Block("") } else { TagKind::Print }));
                (state, depth) = (State::Begin, 0);
            }
            kind => {
                let Some(tag) = found.last_mut() else { continue };
                tag.range.end = range.end;
                match kind {
                    TokenKind::BlockEnd | TokenKind::VariableEnd => {}
                    TokenKind::Word(word) if std::mem::take(&mut at_keyword) => tag.kind = TagKind::Block(word),
                    _ => {
                        let role;
                        (role, state) = step(kind, &source[range.clone()], state);
                        if role == Role::Close {
                            depth = depth.saturating_sub(1);
                        }
                        tag.lexemes.push(Lexeme { range, role, depth });
                        if matches!(role, Role::Open | Role::Paren) {
                            depth += 1;
                        }
                    }
                }
            }
        }
    }
    found
}

fn step(kind: TokenKind, text: &str, state: State) -> (Role, State) {
    use State::*;
    match kind {
        TokenKind::Open => (if text == "(" { Role::Paren } else { Role::Open }, Begin),
        TokenKind::Close => (Role::Close, Whole),
        TokenKind::Literal => (Role::Operand, Whole),
        TokenKind::Assign | TokenKind::Other => (Role::Separator, Begin),
        TokenKind::Minus => (Role::Operator, Begin),
        TokenKind::Operator => match text {
            "." | "|" => (Role::Postfix, if state == Tested { Test } else { Name }),
            "==" | "!=" | "<" | "<=" | ">" | ">=" => (Role::Compare, Begin),
            _ => (Role::Operator, Begin),
        },
        TokenKind::Word(word) => match (state, word) {
            (Begin, "not") => (Role::Not, Begin),
            (Test, "not") => (Role::Operand, Test),
            (Test, _) => (Role::Operand, Tested),
            (NotIn, _) => (Role::In, Begin),
            (Whole | Tested, "and") => (Role::And, Begin),
            (Whole | Tested, "or") => (Role::Or, Begin),
            (Whole | Tested, "is") => (Role::Is, Test),
            (Whole | Tested, "else") => (Role::Else, Begin),
            (Whole, "if") => (Role::If, Begin),
            (Whole, "in") => (Role::In, Begin),
            (Whole, "not") => (Role::NotIn, NotIn),
            (Whole, "recursive") => (Role::Recursive, Begin),
            _ => (Role::Operand, Whole),
        },
        _ => (Role::Operand, Whole),
    }
}

/// The bytes that some tokens in a row stand in.
pub(super) fn span(lexemes: &[Lexeme]) -> Range<usize> {
    match (lexemes.first(), lexemes.last()) {
        (Some(first), Some(last)) => first.range.start..last.range.end,
        _ => 0..0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn roles(tag: &str) -> Vec<Role> {
        tags(tag).remove(0).lexemes.into_iter().map(|lexeme| lexeme.role).collect()
    }

    #[test]
    fn keywords_are_keywords_only_where_an_operator_can_stand() {
        use Role::*;
        assert_eq!(roles("{{ if if if else else }}"), [Operand, If, Operand, Else, Operand]);
        assert_eq!(roles("{{ task.if if not in.or }}"), [Operand, Postfix, Operand, If, Not, Operand, Postfix, Operand]);
        assert_eq!(roles("{{ a not in b }}"), [Operand, NotIn, In, Operand]);
        assert_eq!(roles("{{ a is not divisibleby 3 else x }}"), [Operand, Is, Operand, Operand, Operand, Else, Operand]);
        assert_eq!(roles("{{ -a ~ 'if' }}"), [Operator, Operand, Operator, Operand]);
    }

    #[test]
    fn raw_text_comments_and_strings_hold_no_tags() {
        let kinds: Vec<_> =
            tags("{% raw %}{% if %}{% endraw %}{# {{ x }} #}{{ '%} {{' }}").into_iter().map(|tag| tag.kind).collect();
        assert_eq!(kinds, [TagKind::Text, TagKind::Print]);
    }
}
