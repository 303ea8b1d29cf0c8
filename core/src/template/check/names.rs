//! What needs no values: names, fields, filters, tests, functions and kinds that do not exist, in branches that never run as well.

use super::super::tree::{Arg, Const, Expr, ExprKind, Operator, Stmt, Target};
use super::Contract;
use super::closure::parts;
use super::report::{Finding, MOST_FINDINGS, Report, did_you_mean};
use super::signatures::{FILTERS, TESTS};
use std::ops::Range;

/// Most names that an unknown one is compared with.
pub(super) const MOST_NAMES: usize = 100;

/// Takes a fault: place, code, sentence, suggestion.
type Say<'a> = &'a mut dyn FnMut(&Range<usize>, &'static str, String, String);

/// Every name that a statement binds.
pub(super) fn names(stmts: &[Stmt], bound: &mut Vec<String>) {
    for stmt in stmts {
        match stmt {
            Stmt::If { arms, otherwise } => {
                arms.iter().for_each(|arm| names(&arm.body, bound));
                names(otherwise, bound);
            }
            Stmt::For { target: item, body, otherwise, .. } => {
                target(item, bound);
                names(body, bound);
                names(otherwise, bound);
            }
            Stmt::With(assignments, body) => {
                assignments.iter().for_each(|(name, _)| target(name, bound));
                names(body, bound);
            }
            Stmt::Set(name, _) => target(name, bound),
            Stmt::SetBlock(name, _, body) => {
                target(name, bound);
                names(body, bound);
            }
            Stmt::FilterBlock(_, body) | Stmt::AutoEscape(_, body) | Stmt::Block(body) => names(body, bound),
            Stmt::Macro(decl) | Stmt::CallBlock(_, decl) => {
                bound.push(decl.name.clone());
                bound.extend(decl.parameters.iter().map(|(name, _)| name.clone()));
                names(&decl.body, bound);
            }
            _ => {}
        }
    }
}

/// Calls `see` for every expression, outer ones first.
pub(super) fn each<'t>(stmts: &'t [Stmt], see: &mut dyn FnMut(&'t Expr)) {
    fn target<'t>(to: &'t Target, see: &mut dyn FnMut(&'t Expr)) {
        match to {
            Target::Name(_) => {}
            Target::Names(targets) => targets.iter().for_each(|inner| target(inner, see)),
            Target::Field(object, _) => inside(object, see),
        }
    }
    for stmt in stmts {
        match stmt {
            Stmt::Text(_) | Stmt::Refused(_) | Stmt::Break | Stmt::Continue => {}
            Stmt::Print(expr) | Stmt::Do(expr) => inside(expr, see),
            Stmt::If { arms, otherwise } => {
                for arm in arms {
                    inside(&arm.condition, see);
                    each(&arm.body, see);
                }
                each(otherwise, see);
            }
            Stmt::For { target: item, iter, filter, body, otherwise, .. } => {
                target(item, see);
                inside(iter, see);
                filter.iter().for_each(|filter| inside(filter, see));
                each(body, see);
                each(otherwise, see);
            }
            Stmt::With(assignments, body) => {
                assignments.iter().for_each(|(_, expr)| inside(expr, see));
                each(body, see);
            }
            Stmt::Set(to, expr) => {
                target(to, see);
                inside(expr, see);
            }
            Stmt::SetBlock(to, filter, body) => {
                target(to, see);
                filter.iter().for_each(|filter| inside(filter, see));
                each(body, see);
            }
            Stmt::FilterBlock(expr, body) | Stmt::AutoEscape(expr, body) => {
                inside(expr, see);
                each(body, see);
            }
            Stmt::Block(body) => each(body, see),
            Stmt::Macro(decl) | Stmt::CallBlock(_, decl) => {
                if let Stmt::CallBlock(call, _) = stmt {
                    inside(call, see);
                }
                decl.parameters.iter().filter_map(|(_, default)| default.as_ref()).for_each(|default| inside(default, see));
                each(&decl.body, see);
            }
        }
    }
}

/// An expression and all below it; along rows of operators without recursion.
fn inside<'t>(expr: &'t Expr, see: &mut dyn FnMut(&'t Expr)) {
    let mut left = vec![expr];
    while let Some(expr) = left.pop() {
        see(expr);
        parts(expr, &mut left);
    }
}

/// The names that statements set in their own frame.
pub(super) fn set_here(stmts: &[Stmt], bound: &mut Vec<String>) {
    for stmt in stmts {
        match stmt {
            Stmt::If { arms, otherwise } => {
                arms.iter().for_each(|arm| set_here(&arm.body, bound));
                set_here(otherwise, bound);
            }
            Stmt::Set(name, _) => target(name, bound),
            Stmt::SetBlock(name, _, body) => {
                target(name, bound);
                set_here(body, bound);
            }
            Stmt::FilterBlock(_, body) | Stmt::AutoEscape(_, body) => set_here(body, bound),
            Stmt::Macro(decl) => bound.push(decl.name.clone()),
            _ => {}
        }
    }
}

fn target(to: &Target, bound: &mut Vec<String>) {
    match to {
        Target::Name(name) => bound.push(name.clone()),
        Target::Names(targets) => targets.iter().for_each(|inner| target(inner, bound)),
        Target::Field(..) => {}
    }
}

/// Whether a text binds a name somewhere; its names are in order.
pub(super) fn is_bound(bound: &[String], name: &str) -> bool {
    bound.binary_search_by(|known| known.as_str().cmp(name)).is_ok()
}

/// Checks all names of a tree. `bound` are those it binds itself, in order.
pub(super) fn check(tree: &[Stmt], contract: &Contract, bound: &[String], report: &mut Report) {
    let mut callees: Vec<*const Expr> = Vec::new();
    each(tree, &mut |expr| {
        if report.count() > MOST_FINDINGS {
            return;
        }
        let most = if report.guesses() { MOST_NAMES } else { 0 };
        let mut say = |range: &Range<usize>, code: &'static str, message: String, suggestion: String| {
            report.add(Finding { range: range.clone(), code, message, suggestion, situations: u64::MAX, warning: false });
        };
        match &expr.kind {
            ExprKind::Filter { name, value, args } => {
                unknown("filter", name, expr, &mut say);
                let named = args.first().map(Arg::expr);
                if let (Some(_), Some(Expr { kind: ExprKind::Const(Const::Text(inner)), range }), "map") =
                    (value, named, name.as_str())
                    && matches!(args[0], Arg::Plain(_))
                {
                    unknown("filter", inner, &Expr { range: range.clone(), kind: ExprKind::Const(Const::Null) }, &mut say);
                }
            }
            ExprKind::Test { name, value, args } => {
                unknown("test", name, expr, &mut say);
                if let (true, [Arg::Plain(other)]) =
                    (matches!(name.as_str(), "eq" | "ne" | "equalto" | "==" | "!=" | "in"), args.as_slice())
                {
                    kinds(value, other, contract, bound, &mut say);
                }
            }
            ExprKind::Binary(Operator::Equal | Operator::NotEqual, a, b) => {
                kinds(a, b, contract, bound, &mut say);
                kinds(b, a, contract, bound, &mut say);
            }
            ExprKind::Binary(Operator::In, a, b) => kinds(a, b, contract, bound, &mut say),
            ExprKind::Call(callee, _) => {
                if let ExprKind::Name(name) = &callee.kind
                    && !super::call::FUNCTIONS.contains(&name.as_str())
                    && !is_bound(bound, name)
                    && !matches!(name.as_str(), "caller" | "loop" | "super")
                {
                    callees.push(&**callee);
                    let known = super::call::FUNCTIONS.iter().copied().chain(bound.iter().map(String::as_str)).take(most);
                    let suggestion = did_you_mean(name, known, "");
                    say(&expr.range, "unknown-function", format!("there is no function `{name}`"), suggestion);
                }
            }
            ExprKind::Field(..) => {
                if let Some((path, name)) = unknown_field(expr, contract, bound) {
                    let above = path.join(".");
                    let siblings = contract
                        .situations
                        .iter()
                        .filter_map(|situation| path.iter().try_fold(&situation.shape, |shape, name| shape.field(name)));
                    let known: Vec<&str> = siblings.flat_map(|shape| shape.names()).collect();
                    let suggestion = did_you_mean(name, known, &format!("{above}."));
                    say(&expr.range, "unknown-field", format!("there is no `{name}` in `{above}`"), suggestion);
                }
            }
            _ => {}
        }
    });
}

fn unknown(what: &str, name: &str, expr: &Expr, say: Say) {
    let table = if what == "filter" { FILTERS } else { TESTS };
    if table.iter().any(|(known, ..)| *known == name) {
        return;
    }
    let suggestion = did_you_mean(name, table.iter().map(|(known, ..)| *known), "");
    let code = if what == "filter" { "unknown-filter" } else { "unknown-test" };
    say(&expr.range, code, format!("there is no {what} `{name}`"), suggestion);
}

/// The path of an expression that reads facts by their names.
fn path<'t>(expr: &'t Expr, bound: &[String]) -> Option<Vec<&'t str>> {
    let mut names = Vec::new();
    let mut at = expr;
    loop {
        match &at.kind {
            ExprKind::Field(value, name) => {
                names.push(name.as_str());
                at = value;
            }
            ExprKind::Name(name) if !is_bound(bound, name) => {
                names.push(name);
                names.reverse();
                return Some(names);
            }
            _ => return None,
        }
    }
}

/// The object and the name of a field that no situation has, when the object is one.
fn unknown_field<'t>(expr: &'t Expr, contract: &Contract, bound: &[String]) -> Option<(Vec<&'t str>, &'t str)> {
    let path = path(expr, bound)?;
    let (name, above) = path.split_last()?;
    let mut owners = contract
        .situations
        .iter()
        .filter_map(|situation| above.iter().try_fold(&situation.shape, |shape, name| shape.field(name)))
        .filter(|shape| shape.names().next().is_some())
        .peekable();
    owners.peek()?;
    if owners.any(|shape| shape.field(name).is_some()) { None } else { Some((above.to_vec(), name)) }
}

/// Words that the selector is compared with and never is.
fn kinds(side: &Expr, other: &Expr, contract: &Contract, bound: &[String], say: Say) {
    if path(side, bound).is_none_or(|path| !path.iter().eq(contract.selector.iter())) {
        return;
    }
    let constants = if let ExprKind::List(items) = &other.kind { items.as_slice() } else { std::slice::from_ref(other) };
    for constant in constants {
        if let ExprKind::Const(Const::Text(word)) = &constant.kind {
            unknown_kind(word, &constant.range, contract, say);
        }
    }
}

/// Says that a word is no kind.
pub(super) fn unknown_kind(word: &str, range: &Range<usize>, contract: &Contract, say: Say) {
    let known: Vec<&str> = contract.situations.iter().filter(|situation| situation.required).map(|s| s.name.as_str()).collect();
    if !known.contains(&word) {
        let near = did_you_mean(word, known.iter().copied(), "");
        let suggestion = if near.is_empty() { format!("the kinds are {}", known.join(", ")) } else { near };
        let message = format!("`{word}` is not a kind of opening: `{}` is never that", contract.selector.join("."));
        say(range, "unknown-kind", message, suggestion);
    }
}
