//! Calls: macros, whose bodies are checked for each call with what it hands over, the engine's functions, and `loop`'s methods.

use super::super::tree::{Arg, Expr, ExprKind, Macro};
use super::closure::closure;
use super::names::{each, is_bound};
use super::scope::{Env, Found, Macros};
use super::set::{Map, Number, Set, Special};
use super::uses::{Use, number_only};
use super::walk::Walk;
use std::rc::Rc;

/// The functions that a template can call.
pub(super) const FUNCTIONS: [&str; 3] = ["range", "dict", "namespace"];
/// What the engine's recursion counter adds for a macro: its two frames and a surcharge.
const MACRO_FRAMES: usize = 6;
/// Most items of a `range`.
const LONGEST_RANGE: u128 = 100_000;

/// The largest step of a `range` that no host finds too large.
const LARGEST_STEP: u128 = 1 << 30;

/// Arguments, evaluated.
pub(super) struct Args<'t> {
    /// By position.
    pub plain: Vec<(Set, &'t Expr)>,
    /// By name.
    pub named: Vec<(&'t str, Set, &'t Expr)>,
}

impl<'t> Args<'t> {
    /// The argument at a position, or of a name.
    pub fn get(&self, at: usize, name: &str) -> Option<(&Set, &'t Expr)> {
        let named = || self.named.iter().rev().find(|(known, ..)| *known == name).map(|(_, set, expr)| (set, *expr));
        self.plain.get(at).map(|(set, expr)| (set, *expr)).or_else(named)
    }
}

impl<'t> Walk<'t, '_> {
    /// Evaluates arguments; nothing when they are spread.
    pub fn args(&mut self, env: &mut Env<'t>, args: &'t [Arg]) -> Option<Args<'t>> {
        let mut found = Args { plain: Vec::new(), named: Vec::new() };
        for arg in args {
            let expr = arg.expr();
            let set = self.eval(env, expr);
            match arg {
                Arg::Plain(_) => found.plain.push((set, expr)),
                Arg::Named(name, _) => found.named.push((name, set, expr)),
                Arg::Spread(_) => {
                    let message = "arguments that are spread with `*` cannot be checked".to_owned();
                    self.fault(&expr.range, "depends-on-value", message, "write them one by one".to_owned());
                    return None;
                }
            }
        }
        Some(found)
    }

    /// A call, of `caller`'s number when it is a call block.
    #[inline(never)]
    pub fn call(&mut self, env: &mut Env<'t>, expr: &'t Expr, caller: Option<usize>) -> Set {
        let ExprKind::Call(callee, args) = &expr.kind else { return Set::poison() };
        if let ExprKind::Field(value, name) = &callee.kind {
            let set = self.method(env, expr, value, name, args);
            return if caller.is_some() { self.no_macro(expr, callee) } else { set };
        }
        let function = match &callee.kind {
            // The engine calls these in its own way, whatever they stand for.
            ExprKind::Name(name) if matches!(name.as_str(), "super" | "loop") => match self.find(env, name) {
                Some(_) if name == "loop" => Set { special: Special::Loop(Rc::default()), ..Set::default() },
                _ => Set::undefined(),
            },
            ExprKind::Name(name)
                if matches!(self.found(env, name), Found::Nowhere)
                    && self.find(env, name).is_none()
                    && !FUNCTIONS.contains(&name.as_str()) =>
            {
                Set::undefined()
            }
            _ => self.eval(env, callee),
        };
        let Some(args) = self.args(env, args) else { return Set::poison() };
        let nothing_else = Set { special: Special::None, ..function.clone() }.is_empty();
        match &function.special {
            _ if function.poison => Set::poison(),
            Special::Function(_) if caller.is_some() => self.no_macro(expr, callee),
            Special::Function("range") if nothing_else => self.range(expr, &args),
            Special::Function("dict") if nothing_else => self.dict(expr, &args),
            Special::Function("namespace") if nothing_else => self.namespace(env, expr, &args),
            Special::Macros(macros) if nothing_else => self.macros(env, expr, macros, &args, caller),
            Special::Loop(_) => {
                let message = "a recursive loop can end in too deep recursion".to_owned();
                self.fault(&expr.range, "recursive-loop", message, "write the loops one inside the other".to_owned());
                Set::poison()
            }
            _ => {
                let text = self.text(callee);
                let message = match text {
                    "caller" => "`caller` is only there in a macro that a {% call %} block calls".to_owned(),
                    "super" => "`super` is only there in templates that extend others".to_owned(),
                    _ => format!("`{text}` may not be something that can be called here"),
                };
                let known = matches!(&callee.kind, ExprKind::Name(name) if !is_bound(&self.bound, name) && !matches!(text, "caller" | "super" | "loop"));
                if !known {
                    self.fault(&expr.range, "not-callable", message, String::new());
                }
                Set::poison()
            }
        }
    }

    fn no_macro(&mut self, expr: &Expr, callee: &Expr) -> Set {
        let message = format!("a {{% call %}} block needs a macro, and `{}` is none", self.text(callee));
        self.fault(&expr.range, "not-callable", message, "call a macro that says {{ caller() }}".to_owned());
        Set::poison()
    }

    fn method(&mut self, env: &mut Env<'t>, expr: &'t Expr, value: &'t Expr, name: &str, args: &'t [Arg]) -> Set {
        if matches!(&value.kind, ExprKind::Name(name) if name == "self") {
            let message = "a block cannot be called by its name in a skill".to_owned();
            self.fault(&expr.range, "not-callable", message, "write a {% macro %}".to_owned());
            return Set::poison();
        }
        let object = self.eval(env, value);
        let Some(args) = self.args(env, args) else { return Set::poison() };
        let nothing_else = Set { special: Special::None, ..object.clone() }.is_empty();
        match (&object.special, name) {
            _ if object.poison => Set::poison(),
            (Special::Loop(_), "cycle") if nothing_else && !args.plain.is_empty() && args.named.is_empty() => {
                args.plain.iter().fold(Set::default(), |all, (set, _)| all.join(set))
            }
            (Special::Loop(_), "changed") if nothing_else && args.named.is_empty() => {
                match args.plain.iter().find(|(set, _)| set.may_be_deep()) {
                    Some((_, expr)) => self.wrong(expr, Use::Compare, "known well enough"),
                    None => Set::bool(true, true),
                }
            }
            _ => {
                self.no_method(expr, value, name);
                Set::poison()
            }
        }
    }

    fn macros(&mut self, env: &mut Env<'t>, expr: &'t Expr, macros: &Macros, args: &Args<'t>, caller: Option<usize>) -> Set {
        for number in macros.0.iter() {
            self.invoke(env, expr, *number, args, caller);
        }
        Set::text()
    }

    /// Walks a macro's body with a call's arguments.
    fn invoke(&mut self, env: &mut Env<'t>, expr: &'t Expr, number: usize, args: &Args<'t>, caller: Option<usize>) {
        let (decl, scope) = (self.macros[number].decl, self.macros[number].scope.clone());
        if self.calls.iter().any(|(known, _)| std::ptr::eq(*known, decl)) {
            let message = format!("the macro `{}` calls itself, which can end in too deep recursion", decl.name);
            self.fault(&expr.range, "recursion", message, "write a loop".to_owned());
            return;
        }
        let named = |name: &str| decl.parameters.iter().position(|(known, _)| known == name);
        let wrong = if args.plain.len() > decl.parameters.len() {
            Some(format!("`{}` takes {} arguments, not {}", decl.name, decl.parameters.len(), args.plain.len()))
        } else {
            args.named.iter().find_map(|(name, ..)| match named(name) {
                None => Some(format!("`{}` has no parameter `{name}`", decl.name)),
                Some(at) if at < args.plain.len() => Some(format!("`{}` gets its parameter `{name}` twice", decl.name)),
                Some(_) => None,
            })
        };
        if let Some(message) = wrong {
            self.fault(&expr.range, "wrong-argument", message, String::new());
            return;
        }
        let depth = self.depth;
        self.enter(&expr.range, MACRO_FRAMES);
        self.forget_changes(env);
        let closure = self.closure(decl);
        let takes_caller = closure.iter().any(|name| name == "caller");
        let mut inside = env.clone().named(scope.macro_frame(closure));
        let given =
            caller.map_or(Set::undefined(), |caller| Set { special: Special::Macros(Macros::one(caller)), ..Set::default() });
        self.bind(&mut inside, "caller", given, None, None);
        // The engine gives the last parameter its value first, so a default can read only what stands behind it.
        for (at, (name, default)) in decl.parameters.iter().enumerate().rev() {
            let mut set = args.get(at, name).map_or(Set::undefined(), |(set, _)| set.clone());
            if let Some(default) = default.as_ref().filter(|_| set.undefined || set.silent) {
                let other = self.eval(&mut inside, default);
                set = Set { undefined: false, silent: false, ..set }.join(&other);
            }
            self.bind(&mut inside, name, set, None, None);
        }
        self.calls.push((decl, expr.range.clone()));
        self.rounds.push(Vec::new());
        self.deeper(|walk| walk.stmts(inside, &decl.body));
        self.rounds.pop();
        self.calls.pop();
        self.depth = depth;
        self.forget_changes(env);
        if caller.is_some() && !takes_caller {
            let message = format!("the macro `{}` never uses `caller`, so a {{% call %}} of it fails", decl.name);
            self.fault(&expr.range, "wrong-argument", message, format!("write {{{{ {}(…) }}}}", decl.name));
        }
    }

    /// The names that a macro is handed from outside.
    pub fn closure(&mut self, decl: &Macro) -> Rc<Vec<String>> {
        self.closures.entry(std::ptr::from_ref(decl)).or_insert_with(|| Rc::new(closure(decl))).clone()
    }

    /// What a macro of a loop's body is handed once it keeps in later rounds: names that this round did not set yet.
    pub fn check_rounds(&mut self, env: &Env<'t>, decl: &'t Macro) {
        let Some(set_here) = self.rounds.last().filter(|names| !names.is_empty()).cloned() else { return };
        let closure = self.closure(decl);
        let Some(name) = set_here.iter().find(|name| closure.contains(name) && !env.scope.has(name)) else { return };
        let mut range = None;
        each(&decl.body, &mut |expr| {
            if matches!(&expr.kind, ExprKind::Name(read) if read == name) && range.is_none() {
                range = Some(expr.range.clone());
            }
        });
        let message = format!("`{name}` may still be here what an earlier round of the loop has set");
        self.fault(
            &range.unwrap_or(0..0),
            "earlier-round",
            message,
            format!("set `{name}` on every way to here, or hand it over as an argument"),
        );
    }

    fn range(&mut self, expr: &'t Expr, args: &Args<'t>) -> Set {
        let mut numbers: Vec<Number> = Vec::new();
        for (set, at) in &args.plain {
            let set = self.need(set.clone(), at, Use::Argument("a bound of `range`"));
            match set.number.as_ref().filter(|number| number_only(&set) && !number.float) {
                _ if set.poison => return Set::poison(),
                Some(number) => numbers.push(number.clone()),
                None => return self.wrong(at, Use::Argument("a bound of `range`"), "a whole number"),
            }
        }
        let step_is_zero = numbers.get(2).is_some_and(|step| step.zero);
        if !(1..=3).contains(&numbers.len()) || !args.named.is_empty() || step_is_zero {
            let message = "`range` takes an end, or a start, an end and a step other than zero".to_owned();
            self.fault(&expr.range, "wrong-argument", message, String::new());
            return Set::poison();
        }
        let size = numbers.iter().take(2).fold(0u128, |sum, number| sum.saturating_add(number.size));
        if size > LONGEST_RANGE || numbers.iter().any(|number| number.size > LARGEST_STEP) {
            let message = "this `range` can be longer than 100,000, and fails then".to_owned();
            self.fault(&expr.range, "depends-on-value", message, "loop over a list, or over a range with a fixed end".to_owned());
            return Set::poison();
        }
        let exact: Option<Vec<i64>> = numbers.iter().map(|number| number.exact).collect();
        let count = match exact.as_deref() {
            Some([end]) => Some((*end).max(0) as u128),
            Some([start, end]) => Some((end - start).max(0) as u128),
            _ => None,
        };
        let negative = numbers.iter().any(|number| number.negative);
        let item = Set::number(Number { exact: None, whole: true, float: false, size, negative, zero: true });
        Set::items(item, count.unwrap_or(0), count.unwrap_or(size))
    }

    /// The fields that keyword arguments and an object before them make.
    pub fn fields(&mut self, expr: &'t Expr, args: &Args<'t>, what: &str) -> Option<Map> {
        let mut map = Map { fields: Vec::new(), closed: false, rest: None };
        match args.plain.as_slice() {
            [] => {}
            [(set, _)] if set.poison => return None,
            [(set, _)] if set.map.is_some() && Set { map: None, ..set.clone() }.is_empty() => {
                map.fields = set.map.as_ref().map(|map| map.fields.clone()).unwrap_or_default();
                map.rest = set.map.as_ref().and_then(|map| map.rest.clone());
            }
            _ => {
                self.fault(
                    &expr.range,
                    "wrong-argument",
                    format!("`{what}` takes names with values"),
                    format!("write {what}(name=value)"),
                );
                return None;
            }
        }
        for (name, set, _) in &args.named {
            map.fields.retain(|(known, _)| known != name);
            map.fields.push(((*name).to_owned(), set.kept()));
        }
        if what == "namespace" && map.rest.is_some() {
            self.refuse(expr, "the names that a namespace begins with must be written");
            return None;
        }
        Some(map)
    }

    fn dict(&mut self, expr: &'t Expr, args: &Args<'t>) -> Set {
        self.fields(expr, args, "dict").map_or(Set::poison(), |map| Set::map(map).shallow())
    }
}
