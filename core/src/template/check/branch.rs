//! Conditions: which ways they leave open, and what is known on each (specs: opening, section 6.2, narrowing).

use super::super::tree::{Expr, ExprKind};
use super::asked::Answer;
use super::scope::Env;
use super::set::Set;
use super::walk::Walk;

/// A value, and what is known where it is true and where it is false; nothing where it cannot be so.
pub(super) type Ways<'t> = (Set, Option<Env<'t>>, Option<Env<'t>>);

impl<'t> Walk<'t, '_> {
    /// Evaluates a condition.
    pub fn branch(&mut self, env: Env<'t>, expr: &'t Expr) -> Ways<'t> {
        if !self.step(&expr.range) {
            return (Set::poison(), Some(env.clone()), Some(env));
        }
        self.deeper(|walk| match &expr.kind {
            ExprKind::Not(_) => walk.not(env, expr),
            ExprKind::And(..) => walk.all(env, expr),
            ExprKind::Or(..) => walk.any(env, expr),
            _ => walk.leaf(env, expr),
        })
    }

    /// A row of `not` is walked without recursion along it.
    #[inline(never)]
    fn not(&mut self, env: Env<'t>, expr: &'t Expr) -> Ways<'t> {
        let mut odd = false;
        let mut at = expr;
        while let ExprKind::Not(inner) = &at.kind {
            odd = !odd;
            at = inner;
        }
        let (_, yes, no) = self.branch(env, at);
        let (yes, no) = if odd { (no, yes) } else { (yes, no) };
        (Set::bool(yes.is_some(), no.is_some()), yes, no)
    }

    #[inline(never)]
    fn all(&mut self, env: Env<'t>, expr: &'t Expr) -> Ways<'t> {
        let scope = env.scope.clone();
        let mut yes = Some(env);
        let mut no = None;
        let mut set = Set::default();
        let operands = operands(expr, |kind| if let ExprKind::And(left, right) = kind { Some((left, right)) } else { None });
        let last = operands.len() - 1;
        for (at, operand) in operands.into_iter().enumerate() {
            let Some(env) = yes.take() else { break };
            let (value, true_way, false_way) = self.branch(env, operand);
            set = set.join(&if at == last { value } else { value.falsy() });
            no = self.meet(&scope, no, false_way);
            yes = true_way;
        }
        (set, yes, no)
    }

    #[inline(never)]
    fn any(&mut self, env: Env<'t>, expr: &'t Expr) -> Ways<'t> {
        let scope = env.scope.clone();
        let mut yes = None;
        let mut no = Some(env);
        let mut set = Set::default();
        let operands = operands(expr, |kind| if let ExprKind::Or(left, right) = kind { Some((left, right)) } else { None });
        let last = operands.len() - 1;
        for (at, operand) in operands.into_iter().enumerate() {
            let Some(env) = no.take() else { break };
            let (value, true_way, false_way) = self.branch(env, operand);
            set = set.join(&if at == last { value } else { value.truthy() });
            yes = self.meet(&scope, yes, true_way);
            no = false_way;
        }
        if let Some(yes) = &mut yes {
            self.remember(yes, expr, Answer::True);
        }
        (set, yes, no)
    }

    #[inline(never)]
    fn leaf(&mut self, mut env: Env<'t>, expr: &'t Expr) -> Ways<'t> {
        let set = self.eval(&mut env, expr);
        let (yes, no) = set.truth();
        let mut way = |open: bool, outcome: bool| {
            if !open {
                return None;
            }
            let mut env = env.clone();
            self.learn_from(&mut env, expr, outcome).then_some(env)
        };
        let ways = (way(yes, true), way(no, false));
        match ways {
            // Never lose both: what is known may be more than the value says.
            (None, None) => (set, Some(env.clone()), Some(env)),
            (yes, no) => (set, yes, no),
        }
    }
}

/// The operands of a row of one operator, without recursion along it.
fn operands<'t>(expr: &'t Expr, parts: impl Fn(&'t ExprKind) -> Option<(&'t Expr, &'t Expr)>) -> Vec<&'t Expr> {
    let mut found = Vec::new();
    let mut at = expr;
    while let Some((left, right)) = parts(&at.kind) {
        found.push(right);
        at = left;
    }
    found.push(at);
    found.reverse();
    found
}
