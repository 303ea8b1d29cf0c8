//! The static checker: walks the whole syntax tree once for each situation of a contract, with what every value can be there, and
//! reports whatever could fail in a render (specs: opening, section 6.2). What passes renders with any facts that keep the contract.

mod absent;
mod asked;
mod branch;
mod call;
mod closure;
mod eval;
mod filter;
mod join;
mod learn;
mod lists;
mod names;
mod namespace;
mod operate;
mod order;
mod places;
mod report;
mod scope;
mod set;
mod signatures;
mod stmt;
mod text;
mod uses;
mod walk;

use super::engine::parse::parse;
use super::engine::{TokenKind, tokens};
use super::problem::Problem;
use super::shape::Shape;
use super::tree::Stmt;
use std::ops::Range;
use std::rc::Rc;

/// What a template may rely on.
#[derive(Clone, Debug)]
pub struct Contract {
    /// The situations it can be rendered in, at most 64.
    pub situations: Vec<Situation>,
    /// Path of the text that says which situation it is; its words are the situations' names.
    pub selector: Vec<String>,
}

/// One situation.
#[derive(Clone, Debug)]
pub struct Situation {
    /// Its name.
    pub name: String,
    /// What can be read in it.
    pub shape: Shape,
    /// A failure in it is an error. In one that is not required a failure is a warning.
    pub required: bool,
}

impl Contract {
    /// Names of a set of situations, as a list for people.
    fn names(&self, situations: u64) -> String {
        let names: Vec<&str> = self
            .situations
            .iter()
            .enumerate()
            .filter(|(at, _)| situations >> at & 1 == 1)
            .map(|(_, s)| s.name.as_str())
            .collect();
        match names.as_slice() {
            [] => String::new(),
            [one] => (*one).to_owned(),
            [first @ .., last] => format!("{} and {last}", first.join(", ")),
        }
    }

    /// The required situations in which a fact can be something.
    fn having(&self, path: &[String]) -> u64 {
        let there = |situation: &Situation| {
            let found = path.iter().try_fold(&situation.shape, |shape, name| shape.field(name));
            situation.required && found.is_some_and(|shape| *shape != Shape::Null)
        };
        self.situations.iter().enumerate().filter(|(_, situation)| there(situation)).fold(0, |bits, (at, _)| bits | 1 << at)
    }
}

/// Everything the checker finds in a text, errors first; a text that does not parse has that one problem.
pub fn check(source: &str, contract: &Contract) -> Vec<Problem> {
    match parse(source) {
        Ok(tree) => check_tree(source, &tree, contract),
        Err(problem) => vec![problem],
    }
}

/// The same for a text that was parsed.
pub fn check_tree(source: &str, tree: &[Stmt], contract: &Contract) -> Vec<Problem> {
    let mut report = report::Report::default();
    let mut bound = Vec::new();
    names::names(tree, &mut bound);
    bound.sort_unstable();
    bound.dedup();
    names::check(tree, contract, &bound, &mut report);
    let bound = Rc::new(bound);
    let text = Text { source, brackets: brackets(source) };
    let mut steps = walk::MOST_STEPS;
    for at in 0..contract.situations.len() {
        walk::walk(&text, tree, contract, at, &bound, &mut steps, &mut report);
    }
    report.problems(&text, contract)
}

/// A template's text and its brackets.
struct Text<'s> {
    source: &'s str,
    /// Whether each opens, in order.
    brackets: Vec<(bool, Range<usize>)>,
}

impl<'s> Text<'s> {
    /// The text of an expression, brackets round its beginning included.
    fn of(&self, range: &Range<usize>) -> &'s str {
        self.source.get(spread(&self.brackets, range.clone())).unwrap_or_default()
    }
}

fn brackets(source: &str) -> Vec<(bool, Range<usize>)> {
    tokens(source)
        .filter_map(|token| match token.kind {
            TokenKind::Open => Some((true, token.range)),
            TokenKind::Close => Some((false, token.range)),
            _ => None,
        })
        .collect()
}

/// The tree knows no parentheses: a range whose first part stood in some begins at the part. This takes them in.
fn spread(brackets: &[(bool, Range<usize>)], range: Range<usize>) -> Range<usize> {
    let first = brackets.partition_point(|(_, bracket)| bracket.start < range.start);
    let inside = brackets[first..].iter().take_while(|(_, bracket)| bracket.end <= range.end);
    let mut open = 0usize;
    let mut missing = 0usize;
    for (opens, _) in inside {
        match opens {
            true => open += 1,
            false if open > 0 => open -= 1,
            false => missing += 1,
        }
    }
    let mut start = range.start;
    let mut closed = 0usize;
    for (opens, bracket) in brackets[..first].iter().rev() {
        match opens {
            _ if missing == 0 => break,
            false => closed += 1,
            true if closed > 0 => closed -= 1,
            true => {
                missing -= 1;
                start = bracket.start;
            }
        }
    }
    start..range.end
}
