//! Calls: macros, whose bodies are checked for each call with what it hands over, the engine's functions, and `loop`'s methods.

use super::super::tree::{Arg, Expr, ExprKind};
use super::scope::{Env, Macros};
use super::set::{LONGEST, Map, Number, Set, Special};
use super::uses::{Use, number_only};
use super::walk::{Namespace, Walk};
use std::rc::Rc;

/// The functions that a template can call.
pub(super) const FUNCTIONS: [&str; 3] = ["range", "dict", "namespace"];
/// What the engine's recursion counter adds for a macro: its two frames and a surcharge.
const MACRO_FRAMES: usize = 6;
/// Most items of a `range`.
const LONGEST_RANGE: u128 = 100_000;

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
        let named = || self.named.iter().find(|(known, ..)| *known == name).map(|(_, set, expr)| (set, *expr));
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
            return self.method(env, expr, value, name, args);
        }
        let function = match &callee.kind {
            ExprKind::Name(name) if self.find(env, name).is_none() && !FUNCTIONS.contains(&name.as_str()) => Set::undefined(),
            _ => self.eval(env, callee),
        };
        let Some(args) = self.args(env, args) else { return Set::poison() };
        match &function.special {
            _ if function.poison => Set::poison(),
            Special::Function("range") => self.range(expr, &args),
            Special::Function("dict") => self.dict(expr, &args),
            Special::Function("namespace") => self.namespace(env, expr, &args),
            Special::Macros(macros) if Set { special: Special::None, ..function.clone() }.is_empty() => {
                self.macros(env, expr, macros, &args, caller)
            }
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
                let known = matches!(&callee.kind, ExprKind::Name(name) if !self.bound.contains(name) && !matches!(text, "caller" | "super" | "loop"));
                if !known {
                    self.fault(&expr.range, "not-callable", message, String::new());
                }
                Set::poison()
            }
        }
    }

    fn method(&mut self, env: &mut Env<'t>, expr: &'t Expr, value: &'t Expr, name: &str, args: &'t [Arg]) -> Set {
        if matches!(&value.kind, ExprKind::Name(name) if name == "self") {
            let message = "a block cannot be called by its name in a skill".to_owned();
            self.fault(&expr.range, "not-callable", message, "write a {% macro %}".to_owned());
            return Set::poison();
        }
        let object = self.eval(env, value);
        let Some(args) = self.args(env, args) else { return Set::poison() };
        match (&object.special, name) {
            _ if object.poison => Set::poison(),
            (Special::Loop(_), "cycle") if !args.plain.is_empty() && args.named.is_empty() => {
                args.plain.iter().fold(Set::default(), |all, (set, _)| all.join(set))
            }
            (Special::Loop(_), "changed") => Set::bool(true, true),
            _ => {
                let text = self.text(value);
                let suggestion = match super::signatures::FILTERS.iter().any(|(known, ..)| *known == name) {
                    true => format!("use the filter: {{{{ {text}|{name} }}}}"),
                    false => "use a filter: {{ text|upper }}".to_owned(),
                };
                self.fault(&expr.range, "unknown-method", format!("`{text}` has no method `{name}`"), suggestion);
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
        if self.calls.contains(&std::ptr::from_ref(decl)) {
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
        env.forget(|place| place.mutable);
        let mut inside = env.clone().named(scope.frame());
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
        let read = std::mem::replace(&mut self.caller_read, false);
        self.calls.push(decl);
        self.outside.push(scope);
        self.deeper(|walk| walk.stmts(inside, &decl.body));
        self.outside.pop();
        self.calls.pop();
        self.depth = depth;
        env.forget(|place| place.mutable);
        if caller.is_some() && !self.caller_read {
            let message = format!("the macro `{}` never uses `caller`, so a {{% call %}} of it fails", decl.name);
            self.fault(&expr.range, "wrong-argument", message, format!("write {{{{ {}(…) }}}}", decl.name));
        }
        self.caller_read = read;
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
        if size > LONGEST_RANGE {
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
    fn fields(&mut self, expr: &'t Expr, args: &Args<'t>, what: &str) -> Option<Map> {
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
            map.fields.push(((*name).to_owned(), set.clone()));
        }
        Some(map)
    }

    fn dict(&mut self, expr: &'t Expr, args: &Args<'t>) -> Set {
        self.fields(expr, args, "dict").map_or(Set::poison(), |map| Set::map(map).shallow())
    }

    fn namespace(&mut self, env: &mut Env<'t>, expr: &'t Expr, args: &Args<'t>) -> Set {
        if args.plain.len() + args.named.len() > 0 && !args.plain.is_empty() && !args.named.is_empty() {
            self.fault(&expr.range, "wrong-argument", "`namespace` takes an object or names, not both".to_owned(), String::new());
            return Set::poison();
        }
        let Some(map) = self.fields(expr, args, "namespace") else { return Set::poison() };
        let at = expr.range.start;
        let number = self.namespaces.iter().position(|namespace| namespace.at == at).unwrap_or_else(|| {
            self.namespaces.push(Namespace { at, fields: Vec::new() });
            self.changed = true;
            // Fields that are there from the start are never undefined.
            if let Some(namespace) = self.namespaces.last_mut() {
                namespace.fields = map.fields.iter().map(|(name, _)| (name.clone(), Set::default())).collect();
            }
            self.namespaces.len() - 1
        });
        for (name, set) in map.fields {
            self.widen(number, &name, &set);
        }
        env.forget(|place| place.mutable);
        Set { special: Special::Namespaces(Rc::new(vec![number])), ..Set::default() }
    }

    /// `{% set ns.name = … %}`
    pub fn set_field(&mut self, env: &mut Env<'t>, owner: Set, object: &'t Expr, name: &str, set: Set) {
        if self.is_from_outside(env, object) {
            let message = format!("a macro cannot set a field of `{}`, which was made outside of it", self.text(object));
            self.fault(&object.range, "wrong-type", message, "set it where the macro is called".to_owned());
            return;
        }
        match &owner.special {
            _ if owner.poison => {}
            Special::Namespaces(all) if Set { special: Special::None, ..owner.clone() }.is_empty() => {
                for number in all.iter() {
                    self.widen(*number, name, &set);
                }
                env.forget(|place| place.mutable);
            }
            _ => {
                let text = self.text(object);
                let message = format!("only a namespace has fields that can be set, and `{text}` is none");
                self.fault(&object.range, "wrong-type", message, format!("make it one: {{% set {text} = namespace() %}}"));
            }
        }
    }

    /// The engine does not see that a macro which only sets a field needs the namespace, and does not hand it over.
    fn is_from_outside(&self, env: &Env<'t>, object: &Expr) -> bool {
        let ExprKind::Name(name) = &object.kind else { return !self.calls.is_empty() };
        let own = |scope: &super::scope::Scope<'t>| scope.find(name).map(|(binding, _)| binding.id);
        self.outside.last().is_some_and(|outside| own(outside) == own(&env.scope))
    }

    /// Adds values to a namespace's field. What still grows after some rounds is taken to be anything of its sort, so that it ends.
    fn widen(&mut self, number: usize, name: &str, set: &Set) {
        if set.poison {
            // What made it so is reported; kept, it would hide other faults in the next round.
            return;
        }
        let namespace = &mut self.namespaces[number];
        let at = namespace.fields.iter().position(|(known, _)| known == name).unwrap_or_else(|| {
            namespace.fields.push((name.to_owned(), Set::undefined()));
            namespace.fields.len() - 1
        });
        let known = &namespace.fields[at].1;
        let mut joined = known.join(&set.shallow()).shallow();
        if joined == *known {
            return;
        }
        if self.round > 1 {
            if let (Some(new), Some(old)) = (&mut joined.number, &known.number)
                && new != old
            {
                new.exact = None;
                if new.size > old.size {
                    new.size = if new.size <= super::set::SUM { super::set::SUM } else { u128::MAX };
                }
            }
            if joined.text != known.text {
                joined.text = Set::text().text;
            }
            if let (Some(new), Some(old)) = (&mut joined.list, &known.list)
                && new != old
            {
                let new = Rc::make_mut(new);
                new.items = None;
                new.least = if new.least < old.least { 0 } else { new.least };
                new.most = LONGEST;
            }
        }
        self.changed |= joined != *known;
        self.namespaces[number].fields[at].1 = joined;
    }
}
