//! What a condition is made of: `and`, `or`, `not`, and the operands whose values decide.

use super::lexemes::{Lexeme, Role, span};
use std::ops::Range;

/// A condition taken apart.
#[derive(Clone, Debug)]
pub(super) enum Logic {
    And(Vec<Logic>),
    Or(Vec<Logic>),
    Not(Box<Logic>),
    Leaf(Leaf),
}

/// An operand that is not taken apart further.
#[derive(Clone, Debug)]
pub(super) struct Leaf {
    /// All of it.
    pub(super) range: Range<usize>,
    /// What it looks at, if that is less than all of it: the left side of a comparison, the value that a test is about.
    pub(super) left: Option<Range<usize>>,
    /// The right side of a comparison.
    pub(super) right: Option<Range<usize>>,
}

/// Takes a condition apart. Recursion is bounded by the guard's limits on brackets and operators.
pub(super) fn logic(lexemes: &[Lexeme]) -> Logic {
    let Some(depth) = lexemes.first().map(|first| first.depth) else { return leaf(lexemes, 0) };
    let at = |role: Role| lexemes.iter().any(|lexeme| lexeme.depth == depth && lexeme.role == role);
    if at(Role::If) || at(Role::Separator) {
        return Logic::Leaf(Leaf { range: span(lexemes), left: None, right: None });
    }
    for (role, whole) in [(Role::Or, Logic::Or as fn(Vec<Logic>) -> Logic), (Role::And, Logic::And)] {
        if at(role) {
            return whole(lexemes.split(|lexeme| lexeme.depth == depth && lexeme.role == role).map(logic).collect());
        }
    }
    match lexemes {
        [Lexeme { role: Role::Not, .. }, rest @ ..] => Logic::Not(Box::new(logic(rest))),
        [Lexeme { role: Role::Paren, .. }, inner @ .., Lexeme { role: Role::Close, .. }]
            if !inner.is_empty() && inner.iter().all(|lexeme| lexeme.depth > depth) =>
        {
            match logic(inner) {
                // A tuple, a list, or brackets that change nothing.
                Logic::Leaf(inside) if inside.left.is_none() => leaf(lexemes, depth),
                inside => inside,
            }
        }
        _ => leaf(lexemes, depth),
    }
}

fn leaf(lexemes: &[Lexeme], depth: usize) -> Logic {
    let mut marks = lexemes
        .iter()
        .enumerate()
        .filter(|(_, lexeme)| lexeme.depth == depth && matches!(lexeme.role, Role::Compare | Role::In | Role::NotIn));
    let (mut left, mut right) = (None, None);
    match (marks.next(), marks.next(), marks.next()) {
        (Some((at, mark)), second, None) => {
            // `not in` is two tokens and one comparison.
            let from = match second {
                None => Some(at + 1),
                Some((next, _)) if mark.role == Role::NotIn && next == at + 1 => Some(at + 2),
                Some(_) => None,
            };
            if let Some(from) = from {
                left = Some(span(&lexemes[..at]));
                right = Some(span(&lexemes[from..]));
            }
        }
        (None, ..) => {
            let test = lexemes.iter().position(|lexeme| lexeme.depth == depth && lexeme.role == Role::Is);
            let subject = &lexemes[..test.unwrap_or(0)];
            // A test binds more closely than a calculation.
            if !subject.iter().any(|lexeme| lexeme.depth == depth && lexeme.role == Role::Operator) {
                left = Some(span(subject)).filter(|range| !range.is_empty());
            }
        }
        _ => {}
    }
    Logic::Leaf(Leaf { range: span(lexemes), left, right })
}

impl Logic {
    /// Its operands, from left to right.
    pub(super) fn leaves(&self) -> Vec<&Leaf> {
        match self {
            Logic::And(parts) | Logic::Or(parts) => parts.iter().flat_map(Logic::leaves).collect(),
            Logic::Not(inner) => inner.leaves(),
            Logic::Leaf(leaf) => vec![leaf],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::template::lexemes::tags;

    fn leaves(tag: &str) -> Vec<(String, String, String)> {
        let lexemes = tags(tag).remove(0).lexemes;
        let text = |range: &Option<Range<usize>>| range.clone().map_or(String::new(), |range| tag[range].to_owned());
        let found = logic(&lexemes);
        found.leaves().into_iter().map(|leaf| (tag[leaf.range.clone()].to_owned(), text(&leaf.left), text(&leaf.right))).collect()
    }

    #[test]
    fn operands_and_what_they_look_at() {
        let three = |a: &str, b: &str, c: &str| (a.to_owned(), b.to_owned(), c.to_owned());
        assert_eq!(
            leaves("{% if a and (b.c == 'x' or not (d not in [1, 2])) %}"),
            [three("a", "", ""), three("b.c == 'x'", "b.c", "'x'"), three("d not in [1, 2]", "d", "[1, 2]")]
        );
        assert_eq!(
            leaves("{% if x|length is odd or 1 < y < 3 %}"),
            [three("x|length is odd", "x|length", ""), three("1 < y < 3", "", "")]
        );
        assert_eq!(leaves("{% if (a, b) and (a) == (b) %}"), [three("(a, b)", "", ""), three("(a) == (b)", "(a)", "(b)")]);
    }
}
