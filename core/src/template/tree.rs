//! A template's syntax tree in our own words, with the exact range of every node: what the checker walks. The engine module builds it.

use std::ops::Range;

/// An expression and where it stands: from its leftmost token to its end.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    /// Byte range in the source.
    pub range: Range<usize>,
    /// What it is.
    pub kind: ExprKind,
}

/// A constant.
#[derive(Clone, Debug, PartialEq)]
pub enum Const {
    /// `none`
    Null,
    /// `true`, `false`
    Bool(bool),
    /// A whole number; `None` when it does not fit.
    Integer(Option<i64>),
    /// A number with a point.
    Float(f64),
    /// Text.
    Text(String),
}

/// An operator with two sides that are both evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`, `<=`, `>`, `>=`
    Order(Order),
    /// `in`
    In,
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`
    Divide,
    /// `//`
    FloorDivide,
    /// `%`
    Remainder,
    /// `**`
    Power,
    /// `~`
    Concat,
}

/// Which side is larger.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterOrEqual,
}

/// What an expression is.
#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// A name.
    Name(String),
    /// A literal.
    Const(Const),
    /// `not x`
    Not(Box<Expr>),
    /// `-x`
    Negative(Box<Expr>),
    /// `a and b`
    And(Box<Expr>, Box<Expr>),
    /// `a or b`
    Or(Box<Expr>, Box<Expr>),
    /// An operator between two values.
    Binary(Operator, Box<Expr>, Box<Expr>),
    /// `a < b < c`: comparisons in a row, each with the value before it.
    Chain(Box<Expr>, Vec<(Operator, Expr)>),
    /// `yes if condition else no`
    Choice {
        /// The condition.
        condition: Box<Expr>,
        /// The value when it holds.
        yes: Box<Expr>,
        /// The value when it does not; nothing is printed without one.
        no: Option<Box<Expr>>,
    },
    /// `x|name(args)`; no value inside `{% filter %}` and `{% set x | name %}`, where the block is the value.
    Filter {
        /// The filter.
        name: String,
        /// What it works on.
        value: Option<Box<Expr>>,
        /// Its arguments.
        args: Vec<Arg>,
    },
    /// `x is name(args)`
    Test {
        /// The test.
        name: String,
        /// What is tested.
        value: Box<Expr>,
        /// Its arguments.
        args: Vec<Arg>,
    },
    /// `x.name`
    Field(Box<Expr>, String),
    /// `x[key]`
    Item(Box<Expr>, Box<Expr>),
    /// `x[start:stop:step]`
    Slice(Box<Expr>, Vec<Option<Expr>>),
    /// `x(args)`
    Call(Box<Expr>, Vec<Arg>),
    /// `[a, b]`, `(a, b)`
    List(Vec<Expr>),
    /// `{a: b}`
    Map(Vec<(Expr, Expr)>),
}

/// An argument of a call, a filter or a test.
#[derive(Clone, Debug, PartialEq)]
pub enum Arg {
    /// By position.
    Plain(Expr),
    /// By name.
    Named(String, Expr),
    /// `*x` or `**x`.
    Spread(Expr),
}

impl Arg {
    /// The argument's expression.
    pub fn expr(&self) -> &Expr {
        match self {
            Arg::Plain(expr) | Arg::Named(_, expr) | Arg::Spread(expr) => expr,
        }
    }
}

/// What receives a value in `set`, `for` and `with`.
#[derive(Clone, Debug, PartialEq)]
pub enum Target {
    /// One name.
    Name(String),
    /// `a, b`
    Names(Vec<Target>),
    /// `x.name` of a namespace.
    Field(Expr, String),
}

/// A macro, or the body of a `call` block.
#[derive(Clone, Debug, PartialEq)]
pub struct Macro {
    /// Its name; `caller` of a call block.
    pub name: String,
    /// Parameters, each with its default.
    pub parameters: Vec<(String, Option<Expr>)>,
    /// What it prints.
    pub body: Vec<Stmt>,
}

/// One arm of an `if`.
#[derive(Clone, Debug, PartialEq)]
pub struct Arm {
    /// The condition.
    pub condition: Expr,
    /// What is done when it is the first that holds.
    pub body: Vec<Stmt>,
}

/// A statement.
#[derive(Clone, Debug, PartialEq)]
pub enum Stmt {
    /// The template's own words.
    Text(Range<usize>),
    /// `{{ x }}`
    Print(Expr),
    /// `if`, `elif`, `else`
    If {
        /// At least one.
        arms: Vec<Arm>,
        /// The `else`; empty when there is none.
        otherwise: Vec<Stmt>,
    },
    /// `for`
    For {
        /// What receives each item.
        target: Target,
        /// What is looped over.
        iter: Expr,
        /// `if` behind it.
        filter: Option<Expr>,
        /// Whether the body may call `loop(…)`.
        recursive: bool,
        /// For each item.
        body: Vec<Stmt>,
        /// When there is none.
        otherwise: Vec<Stmt>,
    },
    /// `with`
    With(Vec<(Target, Expr)>, Vec<Stmt>),
    /// `set x = y`
    Set(Target, Expr),
    /// `set x` … `endset`, with its filters.
    SetBlock(Target, Option<Expr>, Vec<Stmt>),
    /// `filter` … `endfilter`
    FilterBlock(Expr, Vec<Stmt>),
    /// `autoescape`
    AutoEscape(Expr, Vec<Stmt>),
    /// `block`
    Block(Vec<Stmt>),
    /// `macro`
    Macro(Macro),
    /// `call`: the call and what it hands over as `caller`.
    CallBlock(Expr, Macro),
    /// `do`
    Do(Expr),
    /// `break`
    Break,
    /// `continue`
    Continue,
    /// A statement that the guard refuses.
    Refused(Range<usize>),
}
