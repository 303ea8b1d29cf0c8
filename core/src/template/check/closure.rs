//! The names that the engine hands into a macro from outside. It looks for them once, when it compiles, and not everywhere: what stands
//! before `[a:b]`, in the head of a filter block, or behind a `set` of the same name is not seen.

use super::super::tree::{Arg, Expr, ExprKind, Macro, Stmt, Target};

/// The free names of a macro as the engine finds them (`find_macro_closure`); `caller` is among them when the macro can be called by a
/// call block.
pub(super) fn closure(decl: &Macro) -> Vec<String> {
    let mut free = Free { found: Vec::new(), assigned: Vec::new() };
    free.macro_(decl, false);
    free.found.into_iter().map(str::to_owned).collect()
}

struct Free<'t> {
    found: Vec<&'t str>,
    assigned: Vec<&'t str>,
}

impl<'t> Free<'t> {
    fn macro_(&mut self, decl: &'t Macro, caller: bool) {
        if caller {
            self.assigned.push("caller");
        }
        self.assigned.extend(decl.parameters.iter().map(|(name, _)| name.as_str()));
        decl.parameters.iter().filter_map(|(_, default)| default.as_ref()).for_each(|default| self.expr(default));
        self.stmts(&decl.body);
    }

    fn scoped(&mut self, inner: impl FnOnce(&mut Self)) {
        let before = self.assigned.len();
        inner(self);
        self.assigned.truncate(before);
    }

    fn target(&mut self, target: &'t Target) {
        match target {
            Target::Name(name) => self.assigned.push(name),
            Target::Names(all) => all.iter().for_each(|target| self.target(target)),
            Target::Field(..) => {}
        }
    }

    fn stmts(&mut self, stmts: &'t [Stmt]) {
        for stmt in stmts {
            match stmt {
                Stmt::Text(_) | Stmt::Refused(_) | Stmt::Break | Stmt::Continue => {}
                Stmt::Print(expr) | Stmt::Do(expr) => self.expr(expr),
                Stmt::If { arms, otherwise } => {
                    for arm in arms {
                        self.expr(&arm.condition);
                        self.scoped(|free| free.stmts(&arm.body));
                    }
                    self.scoped(|free| free.stmts(otherwise));
                }
                Stmt::For { target, iter, filter, body, otherwise, .. } => {
                    self.scoped(|free| {
                        free.assigned.push("loop");
                        free.expr(iter);
                        free.target(target);
                        filter.iter().for_each(|filter| free.expr(filter));
                        free.stmts(body);
                    });
                    self.scoped(|free| free.stmts(otherwise));
                }
                Stmt::With(assignments, body) => self.scoped(|free| {
                    for (target, expr) in assignments {
                        free.target(target);
                        free.expr(expr);
                    }
                    free.stmts(body);
                }),
                Stmt::Set(target, expr) => {
                    self.target(target);
                    self.expr(expr);
                }
                Stmt::SetBlock(target, _, body) => {
                    self.target(target);
                    self.scoped(|free| free.stmts(body));
                }
                Stmt::AutoEscape(_, body) | Stmt::FilterBlock(_, body) => self.scoped(|free| free.stmts(body)),
                Stmt::Block(body) => self.scoped(|free| {
                    free.assigned.push("super");
                    free.stmts(body);
                }),
                Stmt::Macro(decl) => {
                    self.assigned.push(&decl.name);
                    self.scoped(|free| free.macro_(decl, true));
                }
                Stmt::CallBlock(call, decl) => {
                    self.expr(call);
                    self.scoped(|free| free.macro_(decl, true));
                }
            }
        }
    }

    /// Along rows of operators without recursion; the order does not matter, as expressions bind nothing.
    fn expr(&mut self, expr: &'t Expr) {
        let mut left = vec![expr];
        while let Some(expr) = left.pop() {
            match &expr.kind {
                ExprKind::Name(name) => {
                    if !self.assigned.contains(&name.as_str()) && !self.found.contains(&name.as_str()) {
                        self.found.push(name);
                    }
                }
                ExprKind::Slice(_, bounds) => left.extend(bounds.iter().flatten()),
                _ => parts(expr, &mut left),
            }
        }
    }
}

/// The expressions directly inside one.
pub(super) fn parts<'t>(expr: &'t Expr, into: &mut Vec<&'t Expr>) {
    match &expr.kind {
        ExprKind::Name(_) | ExprKind::Const(_) => {}
        ExprKind::Not(a) | ExprKind::Negative(a) | ExprKind::Field(a, _) => into.push(a),
        ExprKind::And(a, b) | ExprKind::Or(a, b) | ExprKind::Binary(_, a, b) | ExprKind::Item(a, b) => into.extend([&**a, &**b]),
        ExprKind::Chain(a, rest) => {
            into.push(a);
            into.extend(rest.iter().map(|(_, expr)| expr));
        }
        ExprKind::Choice { condition, yes, no } => {
            into.extend([&**condition, &**yes]);
            into.extend(no.as_deref());
        }
        ExprKind::Filter { value, args, .. } => {
            into.extend(value.as_deref());
            into.extend(args.iter().map(Arg::expr));
        }
        ExprKind::Test { value, args, .. } => {
            into.push(value);
            into.extend(args.iter().map(Arg::expr));
        }
        ExprKind::Slice(value, bounds) => {
            into.push(value);
            into.extend(bounds.iter().flatten());
        }
        ExprKind::Call(callee, args) => {
            into.push(callee);
            into.extend(args.iter().map(Arg::expr));
        }
        ExprKind::List(items) => into.extend(items),
        ExprKind::Map(pairs) => into.extend(pairs.iter().flat_map(|(key, value)| [key, value])),
    }
}
