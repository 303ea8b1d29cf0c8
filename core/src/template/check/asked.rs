//! Expressions that a condition has asked for and that are read again: `{% if a or b %}{{ a or b }}{% endif %}`.

use super::super::tree::{Expr, ExprKind};
use super::closure::parts;
use super::scope::{Env, Place};
use super::set::Set;
use super::walk::Walk;

/// Largest expression that is remembered, in nodes.
const MOST_NODES: usize = 40;

/// What is known of an expression.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Answer {
    /// It is true.
    True,
    /// It is defined.
    Defined,
    /// It is not null.
    Something,
}

/// An expression of which something is known while its names stand for the same.
#[derive(Clone)]
pub(super) struct Asked<'t> {
    expr: &'t Expr,
    names: Vec<Option<Place>>,
    answer: Answer,
    /// It reads a namespace, whose fields can be set anywhere.
    pub mutable: bool,
}

impl PartialEq for Asked<'_> {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.expr, other.expr) && self.answer == other.answer && self.names == other.names
    }
}

impl<'t> Walk<'t, '_> {
    /// Remembers an answer, where asking again gives the same.
    pub fn remember(&mut self, env: &mut Env<'t>, expr: &'t Expr, answer: Answer) {
        let worth = matches!(expr.kind, ExprKind::And(..) | ExprKind::Or(..) | ExprKind::Filter { .. } | ExprKind::Item(..));
        if let Some(names) = worth.then(|| self.names_of(env, expr)).flatten() {
            let mutable = names.iter().flatten().any(|place| place.mutable);
            env.remember(Asked { expr, names, answer, mutable });
        }
    }

    /// What the names of an expression stand for; nothing when it is large or calls something.
    fn names_of(&self, env: &Env<'t>, expr: &'t Expr) -> Option<Vec<Option<Place>>> {
        let mut names = Vec::new();
        let mut left = vec![expr];
        let mut nodes = 0;
        while let Some(expr) = left.pop() {
            nodes += 1;
            match &expr.kind {
                _ if nodes > MOST_NODES => return None,
                ExprKind::Call(..) => return None,
                ExprKind::Name(name) => names.push(self.find(env, name)),
                _ => parts(expr, &mut left),
            }
        }
        Some(names)
    }

    /// The values of an expression, less those that an answer rules out.
    #[inline(never)]
    pub fn as_answered(&mut self, env: &Env<'t>, expr: &'t Expr, mut set: Set) -> Set {
        if !matches!(expr.kind, ExprKind::And(..) | ExprKind::Or(..) | ExprKind::Filter { .. } | ExprKind::Item(..)) {
            return set;
        }
        let source = self.whole.source;
        let text = source.get(expr.range.clone());
        let mut names = None;
        self.look(env.asked().len());
        for asked in env.asked() {
            if source.get(asked.expr.range.clone()) != text {
                continue;
            }
            if names.get_or_insert_with(|| self.names_of(env, expr)).as_ref() == Some(&asked.names) {
                set = match asked.answer {
                    Answer::True => set.truthy(),
                    Answer::Defined => Set { undefined: false, silent: false, ..set },
                    Answer::Something => Set { null: false, ..set },
                };
            }
        }
        set
    }
}
