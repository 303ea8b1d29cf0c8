//! Statements: walks them arm by arm, and joins what is known where ways meet.

use super::super::engine::RECURSION_LIMIT;
use super::super::tree::{Arm, Expr, ExprKind, Macro, Stmt, Target};
use super::names::set_here;
use super::scope::{Binding, Defined, Env, Found, Macros, Scope};
use super::set::{LONGEST, Map, Set, Special};
use super::walk::Walk;
use std::ops::Range;
use std::rc::Rc;

impl<'t> Walk<'t, '_> {
    /// Runs statements; nothing comes back when no way leads past them.
    pub fn stmts(&mut self, mut env: Env<'t>, stmts: &'t [Stmt]) -> Option<Env<'t>> {
        for stmt in stmts {
            env = self.deeper(|walk| walk.stmt(env, stmt))?;
            if self.stopped {
                return None;
            }
        }
        Some(env)
    }

    fn stmt(&mut self, mut env: Env<'t>, stmt: &'t Stmt) -> Option<Env<'t>> {
        match stmt {
            Stmt::Text(_) => {}
            Stmt::Refused(range) => {
                let message = "this statement needs another text, and a skill has none".to_owned();
                self.fault(range, "no-includes", message, "write the text here".to_owned());
            }
            Stmt::Print(expr) => {
                let set = self.eval(&mut env, expr);
                self.printed(set, expr);
            }
            Stmt::If { arms, otherwise } => return self.choose(env, arms, otherwise),
            Stmt::For { target, iter, filter, recursive, body, otherwise } => {
                if *recursive {
                    self.fault(
                        &iter.range,
                        "recursive-loop",
                        "a recursive loop can end in too deep recursion".to_owned(),
                        "write the loops one inside the other".to_owned(),
                    );
                }
                return self.repeat(env, target, iter, filter.as_ref(), body, otherwise);
            }
            Stmt::With(assignments, body) => {
                return self.framed(env, |walk, mut env| {
                    for (target, expr) in assignments {
                        let set = walk.eval(&mut env, expr);
                        walk.assign(&mut env, target, set, Some(expr), &expr.range);
                    }
                    walk.stmts(env, body)
                });
            }
            Stmt::Set(target, expr) => {
                let set = self.eval(&mut env, expr);
                self.assign(&mut env, target, set, Some(expr), &expr.range);
            }
            Stmt::SetBlock(target, filter, body) => {
                let before = env.clone();
                env = self.stmts(env, body).unwrap_or(before);
                let mut set = Set::text();
                let range = filter.as_ref().map_or(0..0, |filter| filter.range.clone());
                if let Some(filter) = filter {
                    set = self.block_filter(&mut env, filter, set);
                }
                self.assign(&mut env, target, set, None, &range);
            }
            Stmt::FilterBlock(filter, body) => {
                let before = env.clone();
                env = self.stmts(env, body).unwrap_or(before);
                let set = self.block_filter(&mut env, filter, Set::text());
                self.printed(set, filter);
            }
            Stmt::AutoEscape(enabled, body) => {
                let set = self.eval(&mut env, enabled);
                if !matches!(enabled.kind, ExprKind::Const(super::super::tree::Const::Bool(_))) || set.poison {
                    let fault = "`autoescape` takes true or false".to_owned();
                    self.fault(&enabled.range, "wrong-argument", fault, "skills are never escaped: remove it".to_owned());
                } else if set.yes {
                    let warning = "values are never escaped in a skill; inside `autoescape` some filters would be".to_owned();
                    self.warn(&enabled.range, "autoescape", warning, "remove the block".to_owned());
                }
                return self.stmts(env, body);
            }
            Stmt::Block(body) => return self.framed(env, |walk, env| walk.stmts(env, body)),
            Stmt::Macro(decl) => {
                self.check_rounds(&env, decl);
                let number = self.define(decl, env.scope.clone());
                let set = Set { special: Special::Macros(Macros::one(number)), ..Set::default() };
                self.bind(&mut env, &decl.name, set, None, None);
            }
            Stmt::CallBlock(call, decl) => {
                self.check_rounds(&env, decl);
                let caller = self.define(decl, env.scope.clone());
                let set = self.call(&mut env, call, Some(caller));
                self.printed(set, call);
            }
            Stmt::Do(call) => {
                self.eval(&mut env, call);
            }
            Stmt::Break | Stmt::Continue => {
                self.broke |= matches!(stmt, Stmt::Break);
                return None;
            }
        }
        Some(env)
    }

    /// Remembers a macro with the scope its free names are read in.
    pub fn define(&mut self, decl: &'t Macro, scope: Scope<'t>) -> usize {
        let same = |known: &Defined| std::ptr::eq(known.decl, decl) && known.scope == scope;
        self.macros.iter().position(same).unwrap_or_else(|| {
            self.macros.push(Defined { decl, scope });
            self.macros.len() - 1
        })
    }

    /// The engine counts frames and macro calls, and gives up at its limit.
    pub fn enter(&mut self, range: &Range<usize>, frames: usize) {
        self.depth += frames;
        if self.depth > RECURSION_LIMIT {
            let message = "macros and loops are nested too deeply here".to_owned();
            self.fault(range, "recursion", message, "call fewer macros one inside the other".to_owned());
        }
    }

    /// Runs something in a frame of its own, whose names end with it.
    fn framed(&mut self, env: Env<'t>, inner: impl FnOnce(&mut Self, Env<'t>) -> Option<Env<'t>>) -> Option<Env<'t>> {
        let outer = env.scope.clone();
        self.enter(&(0..0), 1);
        let inside = env.named(outer.frame());
        self.rounds.push(Vec::new());
        let after = inner(self, inside);
        self.rounds.pop();
        self.depth -= 1;
        after.map(|after| after.named(outer))
    }

    fn choose(&mut self, env: Env<'t>, arms: &'t [Arm], otherwise: &'t [Stmt]) -> Option<Env<'t>> {
        let before = env.scope.clone();
        let mut rest = Some(env);
        let mut after: Option<Env<'t>> = None;
        let mut served = false;
        for arm in arms {
            let Some(env) = rest.take() else { break };
            let (_, yes, no) = self.branch(env, &arm.condition);
            if self.stopped {
                return None;
            }
            self.note_way(&arm.condition.range, yes.is_some(), false);
            rest = no;
            if let Some(yes) = yes {
                served = true;
                let out = self.stmts(yes, &arm.body);
                after = self.meet(&before, after, out);
            }
        }
        if otherwise.is_empty() {
            if let [first, _, ..] = arms
                && !served
                && arms.iter().all(|arm| self.asks_for_kind(&arm.condition))
            {
                self.note_unserved(&first.condition.range);
            }
        } else if let Some(first) = otherwise.iter().find_map(stmt_range) {
            self.note_way(&first, rest.is_some(), false);
        }
        let out = rest.and_then(|rest| self.stmts(rest, otherwise));
        self.meet(&before, after, out)
    }

    /// A condition that mentions the selector.
    fn asks_for_kind(&self, condition: &Expr) -> bool {
        self.text(condition).contains(&self.contract.selector.join("."))
    }

    /// What is known where two ways meet. Names that one of them set get the values of both.
    pub fn meet(&mut self, before: &Scope<'t>, a: Option<Env<'t>>, b: Option<Env<'t>>) -> Option<Env<'t>> {
        let (mut a, b) = match (a, b) {
            (Some(a), Some(b)) => (a, b),
            (a, b) => return a.or(b),
        };
        if a.scope != b.scope {
            let mut names = a.scope.since(before);
            names.extend(b.scope.since(before).into_iter().filter(|name| !names.contains(name)).collect::<Vec<_>>());
            let both = |name: String| {
                let sure = a.scope.has(&name) && b.scope.has(&name);
                (self.lookup(&a, &name).join(&self.lookup(&b, &name)), sure, name)
            };
            let joined: Vec<(Set, bool, String)> = names.into_iter().map(both).collect();
            a.scope = before.clone();
            a.agree(&b);
            for (set, sure, name) in joined {
                let id = self.sets.len();
                self.sets.push(set);
                a.scope = a.scope.with(&name, Binding { id, alias: None, condition: None, sure });
            }
        } else {
            a.agree(&b);
        }
        Some(a)
    }

    /// The values of a name; undefined when it has none.
    pub fn lookup(&self, env: &Env<'t>, name: &str) -> Set {
        match self.find(env, name) {
            Some(place) => self.current(env, &place),
            None if matches!(self.found(env, name), Found::Hidden) => Set { undefined: true, ..Set::opaque() },
            None => super::call::FUNCTIONS
                .iter()
                .find(|known| **known == name)
                .map_or(Set::undefined(), |known| Set { special: Special::Function(known), ..Set::default() }),
        }
    }

    fn repeat(
        &mut self,
        mut env: Env<'t>,
        target: &'t Target,
        iter: &'t Expr,
        filter: Option<&'t Expr>,
        body: &'t [Stmt],
        otherwise: &'t [Stmt],
    ) -> Option<Env<'t>> {
        let list = self.eval(&mut env, iter);
        let list = self.iterated(list, iter);
        if self.stopped {
            return None;
        }
        let before = env.scope.clone();
        let place = self.place(&env, iter);
        env.forget(|place| place.mutable);
        let mut after = None;
        let mut ran = false;
        let mut broke = false;
        let (mut least, mut sized) = (list.least, list.sized);
        if list.most > 0 {
            let mut inside = env.clone().named(before.frame());
            if let Some(place) = place.as_ref().filter(|place| !place.mutable) {
                let full = self.current(&env, place).truthy();
                self.learn(&mut inside, place.clone(), full);
            }
            self.enter(&iter.range, 1);
            self.assign(&mut inside, target, list.item.clone(), None, &iter.range);
            let mut item = list.item.clone();
            let mut inside = Some(inside);
            if let Some(filter) = filter {
                (least, sized) = (0, true);
                let (_, mut yes, _) = inside.map(|inside| self.branch(inside, filter)).unwrap_or_default();
                if let Some(yes) = &mut yes {
                    // All items were asked before the first round.
                    yes.forget(|place| place.mutable);
                    if let Target::Name(name) = target {
                        item = self.lookup(yes, name);
                    }
                }
                inside = yes;
            }
            if let Some(mut inside) = inside {
                ran = true;
                let fields = loop_fields(&item, list.most, least, sized);
                let set = Set { special: Special::Loop(Rc::new(fields)), ..Set::default() };
                self.bind(&mut inside, "loop", set, None, None);
                // The item again: `loop` stands behind it in the engine's frame.
                if names_loop(target) {
                    self.assign(&mut inside, target, item, None, &iter.range);
                }
                let outer = std::mem::replace(&mut self.broke, false);
                let mut set = Vec::new();
                set_here(body, &mut set);
                self.rounds.push(set);
                self.stmts(inside, body);
                self.rounds.pop();
                // The engine takes a `break` in the first round for a loop that never began.
                broke = std::mem::replace(&mut self.broke, outer);
            }
            self.depth -= 1;
            after = Some(env.clone());
        }
        self.note_way(&iter.range, ran, true);
        if !ran || least == 0 || broke {
            let mut empty = env;
            if let Some(place) = place.filter(|place| filter.is_none() && !place.mutable && !broke) {
                let none = self.current(&empty, &place).falsy();
                self.learn(&mut empty, place, none);
            }
            let out = self.stmts(empty, otherwise);
            after = self.meet(&before, after, out);
        } else if let Some(first) = otherwise.iter().find_map(stmt_range) {
            self.note_way(&first, false, false);
        }
        after
    }

    /// Gives a value to a name, to several, or to a namespace's field.
    pub fn assign(&mut self, env: &mut Env<'t>, target: &'t Target, set: Set, expr: Option<&'t Expr>, range: &Range<usize>) {
        match target {
            Target::Name(name) => {
                let alias = expr.and_then(|expr| self.place(env, expr)).filter(|place| !place.mutable);
                let condition = expr.filter(|_| alias.is_none()).map(|expr| (expr, env.scope.clone()));
                self.bind(env, name, set.shallow(), alias, condition);
            }
            Target::Names(targets) => {
                let items = self.unpacked(set, targets.len(), range);
                for (target, item) in targets.iter().zip(items) {
                    self.assign(env, target, item, None, range);
                }
            }
            Target::Field(object, name) => {
                let owner = self.eval(env, object);
                self.set_field(env, owner, object, name, set);
            }
        }
    }
}

fn names_loop(target: &Target) -> bool {
    match target {
        Target::Name(name) => name == "loop",
        Target::Names(all) => all.iter().any(names_loop),
        Target::Field(..) => false,
    }
}

/// A statement's place, when it has one to point at.
fn stmt_range(stmt: &Stmt) -> Option<Range<usize>> {
    match stmt {
        Stmt::Text(range) => Some(range.clone()),
        Stmt::Print(expr) | Stmt::Do(expr) | Stmt::Set(_, expr) => Some(expr.range.clone()),
        Stmt::If { arms, .. } => arms.first().map(|arm| arm.condition.range.clone()),
        Stmt::For { iter, .. } => Some(iter.range.clone()),
        _ => None,
    }
}

/// The fields of `loop`.
fn loop_fields(item: &Set, most: u128, least: u128, sized: bool) -> Map {
    let most = most.min(LONGEST);
    let length = |set: Set| Set { undefined: !sized, ..set };
    let neighbour = Set { undefined: true, ..item.clone() };
    let fields = vec![
        ("index", Set::count(1, most)),
        ("index0", Set::count(0, most)),
        ("length", length(Set::count(least.max(1), most))),
        ("revindex", length(Set::count(1, most))),
        ("revindex0", length(Set::count(0, most))),
        ("first", Set::bool(true, most > 1)),
        ("last", Set::bool(true, most > 1 || !sized)),
        ("depth", Set::count(1, 200)),
        ("depth0", Set::count(0, 200)),
        ("previtem", neighbour.clone()),
        ("nextitem", neighbour),
    ];
    // What stands behind `rest` is the item itself: `loop` is never looped over.
    let fields = fields.into_iter().map(|(name, set)| (name.to_owned(), set)).collect();
    Map { fields, closed: true, rest: Some(item.clone()) }
}
