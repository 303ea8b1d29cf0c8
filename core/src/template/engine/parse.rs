//! Parses a text into our own tree. The engine's ranges begin in the middle of some expressions; here each begins at its leftmost token.

use super::super::guard::guard;
use super::super::problem::{Problem, widen};
use super::super::tree::{Arg, Arm, Const, Expr, ExprKind, Macro, Operator, Order, Stmt, Target};
use super::{NAME, explain, syntax};
use minijinja::machinery::{Span, ast, parse as parse_engine};
use minijinja::value::{Value, ValueKind};
use std::ops::Range;

/// Guards and parses.
pub fn parse(source: &str) -> Result<Vec<Stmt>, Problem> {
    guard(source)?;
    match parse_engine(source, NAME, syntax()) {
        Ok(ast::Stmt::Template(template)) => Ok(Reader { source }.stmts(&template.children)),
        Ok(_) => Ok(Vec::new()),
        Err(error) => Err(explain::explain(source, &error)),
    }
}

struct Reader<'a> {
    source: &'a str,
}

fn range(span: Span) -> Range<usize> {
    span.start_offset as usize..span.end_offset as usize
}

impl Reader<'_> {
    fn stmts(&self, stmts: &[ast::Stmt]) -> Vec<Stmt> {
        stmts.iter().map(|stmt| self.stmt(stmt)).collect()
    }

    fn stmt(&self, stmt: &ast::Stmt) -> Stmt {
        match stmt {
            ast::Stmt::Template(template) => Stmt::Block(self.stmts(&template.children)),
            ast::Stmt::EmitExpr(print) => Stmt::Print(self.expr(&print.expr)),
            ast::Stmt::EmitRaw(raw) => Stmt::Text(widen(self.source, range(raw.span()))),
            ast::Stmt::ForLoop(stmt) => Stmt::For {
                target: self.target(&stmt.target),
                iter: self.expr(&stmt.iter),
                filter: stmt.filter_expr.as_ref().map(|expr| self.expr(expr)),
                recursive: stmt.recursive,
                body: self.stmts(&stmt.body),
                otherwise: self.stmts(&stmt.else_body),
            },
            ast::Stmt::IfCond(stmt) => self.chain(stmt),
            ast::Stmt::WithBlock(stmt) => Stmt::With(
                stmt.assignments.iter().map(|(target, expr)| (self.target(target), self.expr(expr))).collect(),
                self.stmts(&stmt.body),
            ),
            ast::Stmt::Set(stmt) => Stmt::Set(self.target(&stmt.target), self.expr(&stmt.expr)),
            ast::Stmt::SetBlock(stmt) => Stmt::SetBlock(
                self.target(&stmt.target),
                stmt.filter.as_ref().map(|filter| self.expr(filter)),
                self.stmts(&stmt.body),
            ),
            ast::Stmt::AutoEscape(stmt) => Stmt::AutoEscape(self.expr(&stmt.enabled), self.stmts(&stmt.body)),
            ast::Stmt::FilterBlock(stmt) => Stmt::FilterBlock(self.expr(&stmt.filter), self.stmts(&stmt.body)),
            // Another text would have to fill it.
            ast::Stmt::Block(stmt) if stmt.required => Stmt::Refused(widen(self.source, range(stmt.span()))),
            ast::Stmt::Block(stmt) => Stmt::Block(self.stmts(&stmt.body)),
            ast::Stmt::Macro(stmt) => Stmt::Macro(self.macro_(stmt)),
            ast::Stmt::CallBlock(stmt) => Stmt::CallBlock(self.call(&stmt.call), self.macro_(&stmt.macro_decl)),
            ast::Stmt::Do(stmt) => Stmt::Do(self.call(&stmt.call)),
            ast::Stmt::Break(_) => Stmt::Break,
            ast::Stmt::Continue(_) => Stmt::Continue,
            ast::Stmt::Import(stmt) => Stmt::Refused(widen(self.source, range(stmt.span()))),
            ast::Stmt::FromImport(stmt) => Stmt::Refused(widen(self.source, range(stmt.span()))),
            ast::Stmt::Extends(stmt) => Stmt::Refused(widen(self.source, range(stmt.span()))),
            ast::Stmt::Include(stmt) => Stmt::Refused(widen(self.source, range(stmt.span()))),
        }
    }

    /// An `elif` is an `if` alone in the `else`; its range begins with the word.
    fn chain(&self, first: &ast::IfCond) -> Stmt {
        let mut arms = Vec::new();
        let mut stmt = first;
        loop {
            arms.push(Arm { condition: self.expr(&stmt.expr), body: self.stmts(&stmt.true_body) });
            match stmt.false_body.as_slice() {
                [ast::Stmt::IfCond(next)] if self.source[widen(self.source, range(next.span()))].starts_with("elif") => {
                    stmt = next
                }
                otherwise => return Stmt::If { arms, otherwise: self.stmts(otherwise) },
            }
        }
    }

    fn macro_(&self, stmt: &ast::Macro) -> Macro {
        let first_default = stmt.args.len() - stmt.defaults.len().min(stmt.args.len());
        let parameter = |(at, arg): (usize, &ast::Expr)| {
            let name = if let ast::Expr::Var(name) = arg { name.id.to_owned() } else { String::new() };
            (name, at.checked_sub(first_default).and_then(|at| stmt.defaults.get(at)).map(|default| self.expr(default)))
        };
        Macro {
            name: stmt.name.to_owned(),
            parameters: stmt.args.iter().enumerate().map(parameter).collect(),
            body: self.stmts(&stmt.body),
        }
    }

    fn target(&self, target: &ast::Expr) -> Target {
        match target {
            ast::Expr::Var(name) => Target::Name(name.id.to_owned()),
            ast::Expr::List(list) => Target::Names(list.items.iter().map(|item| self.target(item)).collect()),
            ast::Expr::Tuple(list) => Target::Names(list.items.iter().map(|item| self.target(item)).collect()),
            ast::Expr::GetAttr(field) => Target::Field(self.expr(&field.expr), field.name.to_owned()),
            _ => Target::Names(Vec::new()),
        }
    }

    fn call(&self, call: &ast::Spanned<ast::Call>) -> Expr {
        let callee = self.expr(&call.expr);
        let args = self.args(&call.args);
        self.node(call.span(), Some(callee.range.start), ExprKind::Call(Box::new(callee), args))
    }

    fn args(&self, args: &[ast::CallArg]) -> Vec<Arg> {
        let arg = |arg: &ast::CallArg| match arg {
            ast::CallArg::Pos(expr) => Arg::Plain(self.expr(expr)),
            ast::CallArg::Kwarg(name, expr) => Arg::Named((*name).to_owned(), self.expr(expr)),
            ast::CallArg::PosSplat(expr) | ast::CallArg::KwargSplat(expr) => Arg::Spread(self.expr(expr)),
        };
        args.iter().map(arg).collect()
    }

    /// A node that begins where its leftmost part does, when it has one to its left.
    fn node(&self, span: Span, leftmost: Option<usize>, kind: ExprKind) -> Expr {
        let own = range(span);
        Expr { range: widen(self.source, leftmost.unwrap_or(own.start)..own.end), kind }
    }

    fn expr(&self, expr: &ast::Expr) -> Expr {
        let span = expr.span();
        let boxed = |expr: &ast::Expr| Box::new(self.expr(expr));
        let kind = match expr {
            ast::Expr::Var(name) => ExprKind::Name(name.id.to_owned()),
            ast::Expr::Const(constant) => ExprKind::Const(const_of(&constant.value)),
            ast::Expr::UnaryOp(unary) => {
                let inner = boxed(&unary.expr);
                // `a not in b` and `a is not b` are a `not` whose operand begins before it.
                let start = inner.range.start.min(span.start_offset as usize);
                let kind = match unary.op {
                    ast::UnaryOpKind::Not => ExprKind::Not(inner),
                    ast::UnaryOpKind::Neg => ExprKind::Negative(inner),
                };
                return self.node(span, Some(start), kind).trimmed(self.source);
            }
            ast::Expr::BinOp(binary) => {
                let (left, right) = (boxed(&binary.left), boxed(&binary.right));
                let start = left.range.start;
                let kind = match operator(binary.op) {
                    Some(operator) => ExprKind::Binary(operator, left, right),
                    None if matches!(binary.op, ast::BinOpKind::ScAnd) => ExprKind::And(left, right),
                    None => ExprKind::Or(left, right),
                };
                return self.node(span, Some(start), kind);
            }
            ast::Expr::Compare(compare) => {
                let first = boxed(&compare.expr);
                let start = first.range.start;
                let rest = compare.ops.iter().map(|op| (compare_operator(op.op), self.expr(&op.expr))).collect();
                return self.node(span, Some(start), ExprKind::Chain(first, rest));
            }
            ast::Expr::IfExpr(choice) => {
                let yes = boxed(&choice.true_expr);
                let start = yes.range.start;
                let no = choice.false_expr.as_ref().map(boxed);
                return self.node(span, Some(start), ExprKind::Choice { condition: boxed(&choice.test_expr), yes, no });
            }
            ast::Expr::Filter(filter) => {
                let value = filter.expr.as_ref().map(boxed);
                let start = value.as_ref().map(|value| value.range.start);
                let kind = ExprKind::Filter { name: filter.name.to_owned(), value, args: self.args(&filter.args) };
                return self.node(span, start, kind);
            }
            ast::Expr::Test(test) => {
                let value = boxed(&test.expr);
                let start = value.range.start;
                return self.node(
                    span,
                    Some(start),
                    ExprKind::Test { name: test.name.to_owned(), value, args: self.args(&test.args) },
                );
            }
            ast::Expr::GetAttr(field) => {
                let value = boxed(&field.expr);
                let start = value.range.start;
                return self.node(span, Some(start), ExprKind::Field(value, field.name.to_owned()));
            }
            ast::Expr::GetItem(item) => {
                let value = boxed(&item.expr);
                let start = value.range.start;
                return self.node(span, Some(start), ExprKind::Item(value, boxed(&item.subscript_expr)));
            }
            ast::Expr::Slice(slice) => {
                let value = boxed(&slice.expr);
                let start = value.range.start;
                let bounds =
                    [&slice.start, &slice.stop, &slice.step].map(|bound| bound.as_ref().map(|expr| self.expr(expr))).into();
                return self.node(span, Some(start), ExprKind::Slice(value, bounds));
            }
            ast::Expr::Call(call) => return self.call(call),
            ast::Expr::List(list) => ExprKind::List(list.items.iter().map(|item| self.expr(item)).collect()),
            ast::Expr::Tuple(list) => ExprKind::List(list.items.iter().map(|item| self.expr(item)).collect()),
            ast::Expr::Map(map) => {
                ExprKind::Map(map.keys.iter().zip(&map.values).map(|(key, value)| (self.expr(key), self.expr(value))).collect())
            }
        };
        self.node(span, None, kind)
    }
}

impl Expr {
    /// Without white space at its ends, where the engine's range begins behind the token before.
    fn trimmed(mut self, source: &str) -> Expr {
        let text = &source[self.range.clone()];
        self.range.start += text.len() - text.trim_start().len();
        self
    }
}

fn const_of(value: &Value) -> Const {
    match value.kind() {
        ValueKind::None | ValueKind::Undefined => Const::Null,
        ValueKind::Bool => Const::Bool(value.is_true()),
        ValueKind::Number if value.is_integer() => Const::Integer(i64::try_from(value.clone()).ok()),
        ValueKind::Number => Const::Float(f64::try_from(value.clone()).unwrap_or(f64::NAN)),
        _ => Const::Text(value.as_str().unwrap_or_default().to_owned()),
    }
}

fn operator(op: ast::BinOpKind) -> Option<Operator> {
    Some(match op {
        ast::BinOpKind::Eq => Operator::Equal,
        ast::BinOpKind::Ne => Operator::NotEqual,
        ast::BinOpKind::Lt => Operator::Order(Order::Less),
        ast::BinOpKind::Lte => Operator::Order(Order::LessOrEqual),
        ast::BinOpKind::Gt => Operator::Order(Order::Greater),
        ast::BinOpKind::Gte => Operator::Order(Order::GreaterOrEqual),
        ast::BinOpKind::In => Operator::In,
        ast::BinOpKind::Add => Operator::Add,
        ast::BinOpKind::Sub => Operator::Subtract,
        ast::BinOpKind::Mul => Operator::Multiply,
        ast::BinOpKind::Div => Operator::Divide,
        ast::BinOpKind::FloorDiv => Operator::FloorDivide,
        ast::BinOpKind::Rem => Operator::Remainder,
        ast::BinOpKind::Pow => Operator::Power,
        ast::BinOpKind::Concat => Operator::Concat,
        ast::BinOpKind::ScAnd | ast::BinOpKind::ScOr => return None,
    })
}

fn compare_operator(op: ast::CompareOpKind) -> Operator {
    match op {
        ast::CompareOpKind::Eq => Operator::Equal,
        ast::CompareOpKind::Ne => Operator::NotEqual,
        ast::CompareOpKind::Lt => Operator::Order(Order::Less),
        ast::CompareOpKind::Lte => Operator::Order(Order::LessOrEqual),
        ast::CompareOpKind::Gt => Operator::Order(Order::Greater),
        ast::CompareOpKind::Gte => Operator::Order(Order::GreaterOrEqual),
        // `not in` inside a row is checked like `in`.
        ast::CompareOpKind::In | ast::CompareOpKind::NotIn => Operator::In,
    }
}
