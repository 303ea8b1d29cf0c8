//! Expressions: what a value can be, and what is wrong with how it is read.

use super::super::tree::{Const, Expr, ExprKind, Operator};
use super::names::{MOST_NAMES, is_bound};
use super::places::{at_index, in_map};
use super::report::did_you_mean;
use super::scope::{Env, Found};
use super::set::{List, Map, Set, Special};
use super::uses::Use;
use super::walk::Walk;
use std::rc::Rc;

impl<'t> Walk<'t, '_> {
    /// What an expression can be. What is read, filtered and tested in a row is walked without recursion along it.
    pub fn eval(&mut self, env: &mut Env<'t>, expr: &'t Expr) -> Set {
        let mut row = Vec::new();
        let mut at = expr;
        while let Some(value) = before(at) {
            row.push((at, value));
            at = value;
        }
        let mut set = self.known(env, at, |walk, env| walk.first(env, at));
        for (whole, value) in row.into_iter().rev() {
            set = self.known(env, whole, |walk, env| walk.next(env, whole, value, set));
        }
        set
    }

    fn known(&mut self, env: &mut Env<'t>, expr: &'t Expr, eval: impl FnOnce(&mut Self, &mut Env<'t>) -> Set) -> Set {
        if !self.step(&expr.range) {
            return Set::poison();
        }
        let set = self.deeper(|walk| eval(walk, env));
        if env.asked().is_empty() { set } else { self.as_answered(env, expr, set) }
    }

    /// What begins a row.
    #[inline(never)]
    fn first(&mut self, env: &mut Env<'t>, expr: &'t Expr) -> Set {
        match &expr.kind {
            ExprKind::Const(constant) => Set::of(constant),
            ExprKind::Name(name) => self.name(env, expr, name),
            ExprKind::Not(_) | ExprKind::And(..) | ExprKind::Or(..) => self.condition(env, expr),
            ExprKind::Negative(value) => self.negative(env, value),
            ExprKind::Binary(..) => self.binary(env, expr),
            ExprKind::Chain(first, rest) => self.row(env, first, rest),
            ExprKind::Choice { condition, yes, no } => self.choice(env, condition, yes, no.as_deref()),
            ExprKind::Filter { .. } => self.block_filter(env, expr, Set::text()),
            ExprKind::Call(..) => self.call(env, expr, None),
            ExprKind::List(items) => self.list(env, items),
            ExprKind::Map(pairs) => self.literal(env, pairs),
            ExprKind::Field(..) | ExprKind::Item(..) | ExprKind::Slice(..) | ExprKind::Test { .. } => Set::poison(),
        }
    }

    /// What comes of a value by the next of a row.
    #[inline(never)]
    fn next(&mut self, env: &mut Env<'t>, whole: &'t Expr, value: &'t Expr, set: Set) -> Set {
        match &whole.kind {
            ExprKind::Field(_, name) => self.field(env, whole, value, set, name),
            ExprKind::Item(_, key) => self.item(env, whole, value, set, key),
            ExprKind::Slice(_, bounds) => self.slice(env, value, set, bounds),
            ExprKind::Filter { name, args, .. } => self.filter(env, whole, name, set, Some(value), args),
            ExprKind::Test { name, args, .. } => self.test(env, whole, name, value, set, args),
            _ => set,
        }
    }

    #[inline(never)]
    fn list(&mut self, env: &mut Env<'t>, items: &'t [Expr]) -> Set {
        let items: Vec<Set> = items.iter().map(|item| self.eval(env, item).kept()).collect();
        let item = items.iter().fold(Set::default(), |all, item| all.join(item));
        let count = items.len() as u128;
        Set::list(List { item, items: Some(items), least: count, most: count, sized: true, group: false }).shallow()
    }

    /// A condition that is not asked but used as a value.
    #[inline(never)]
    fn condition(&mut self, env: &mut Env<'t>, expr: &'t Expr) -> Set {
        let (set, yes, no) = self.branch(env.clone(), expr);
        let scope = env.scope.clone();
        if let Some(after) = self.meet(&scope, yes, no) {
            *env = after;
        }
        set
    }

    #[inline(never)]
    fn choice(&mut self, env: &mut Env<'t>, condition: &'t Expr, yes: &'t Expr, no: Option<&'t Expr>) -> Set {
        let changes = self.changes;
        let (_, then, or) = self.branch(env.clone(), condition);
        if self.stopped {
            return Set::poison();
        }
        self.note_way(&condition.range, then.is_some(), false);
        let mut set = Set::default();
        if let Some(mut then) = then {
            set = self.eval(&mut then, yes);
        }
        match (or, no) {
            (Some(mut or), Some(no)) => {
                self.note_way(&no.range, true, false);
                set = set.join(&self.eval(&mut or, no));
            }
            (Some(_), None) => set.silent = true,
            (None, Some(no)) => self.note_way(&no.range, false, false),
            (None, None) => {}
        }
        if self.changes > changes {
            env.forget_changes();
        }
        set
    }

    #[inline(never)]
    fn literal(&mut self, env: &mut Env<'t>, pairs: &'t [(Expr, Expr)]) -> Set {
        let mut fields: Vec<(String, Set)> = Vec::new();
        let mut rest: Option<Set> = None;
        for (key, value) in pairs {
            let set = self.eval(env, value).kept();
            self.look(fields.len() * 3);
            match &key.kind {
                ExprKind::Const(Const::Text(name)) => {
                    fields.retain(|(known, _)| known != name);
                    fields.push((name.clone(), set));
                }
                _ => {
                    let keys = self.eval(env, key);
                    self.key(keys, key);
                    rest = Some(rest.unwrap_or_default().join(&set));
                    // It may be one of those before.
                    fields.iter_mut().for_each(|(_, field)| *field = field.join(&set));
                }
            }
        }
        Set::map(Map { fields, closed: false, rest }).shallow()
    }

    /// What picks a field or an item: a text, a number or the like.
    fn key(&mut self, keys: Set, key: &Expr) -> Set {
        let keys = self.need(keys, key, Use::Argument("a key"));
        match keys.list.is_some() || keys.map.is_some() || keys.may_be_deep() {
            true => self.wrong(key, Use::Argument("a key"), "a text or a number"),
            false => keys,
        }
    }

    #[inline(never)]
    fn name(&mut self, env: &mut Env<'t>, expr: &'t Expr, name: &str) -> Set {
        if let Found::Hidden = self.found(env, name) {
            let message = format!("`{name}` is set outside of this macro, and the engine may not hand it in here");
            self.fault(
                &expr.range,
                "not-in-macro",
                message,
                format!("make it a parameter of the macro: {{% macro name({name}) %}}"),
            );
            return Set::poison();
        }
        if let Some(place) = self.find(env, name) {
            let set = self.current(env, &place);
            if place.binding < self.roots.len() {
                self.note_read(&expr.range, &place, self.is_absent(&place));
            }
            return self.fresh_macros(env, set);
        }
        if let Some(known) = super::call::FUNCTIONS.iter().find(|known| **known == name) {
            return Set { special: Special::Function(known), ..Set::default() };
        }
        let elsewhere = |situation: &super::Situation| situation.shape.field(name).is_some();
        if is_bound(&self.bound, name) || matches!(name, "caller" | "loop") || self.contract.situations.iter().any(elsewhere) {
            return Set::undefined();
        }
        if self.is_known(&expr.range, "unknown-name") {
            return Set::poison();
        }
        let roots = self.roots.iter().map(|(name, _)| name.clone());
        let most = if self.guesses() { MOST_NAMES } else { 0 };
        let known: Vec<String> = roots.chain(env.scope.names(most)).collect();
        let mut suggestion = did_you_mean(name, known.iter().map(String::as_str), "");
        if suggestion.is_empty() {
            let holder = self
                .roots
                .iter()
                .find(|(_, set)| set.map.as_ref().is_some_and(|map| map.fields.iter().any(|(known, _)| known == name)));
            suggestion = holder.map_or(String::new(), |(root, _)| format!("did you mean `{root}.{name}`?"));
        }
        self.fault(&expr.range, "unknown-name", format!("there is no `{name}`"), suggestion);
        Set::poison()
    }

    /// A macro sees the names of the frame it was defined in as they are when it is called.
    fn fresh_macros(&mut self, env: &Env<'t>, set: Set) -> Set {
        let Special::Macros(macros) = &set.special else { return set };
        let mut numbers = Vec::new();
        for number in macros.0.iter() {
            let known = &self.macros[*number];
            let (decl, now) = (known.decl, env.scope.now(&known.scope).cloned());
            let number = now.map_or(*number, |now| self.define(decl, now));
            if !numbers.contains(&number) {
                numbers.push(number);
            }
        }
        Set { special: Special::Macros(super::scope::Macros(Rc::new(numbers))), ..set }
    }

    /// Reads a field, and says when there can be none.
    #[inline(never)]
    pub fn field(&mut self, env: &Env<'t>, expr: &'t Expr, value: &'t Expr, object: Set, name: &str) -> Set {
        if object.poison {
            return Set::poison();
        }
        if object.undefined || object.silent {
            self.undefined(value, Use::Read);
            return Set::poison();
        }
        let place = self.place(env, expr);
        if let Some(place) = place.as_ref().filter(|place| place.binding < self.roots.len()) {
            self.note_read(&expr.range, place, self.is_absent(place));
        }
        if let Some(known) = place.as_ref().and_then(|place| env.refined(place)) {
            return known.clone();
        }
        if self.lacks(&object, name) {
            self.no_field(expr, value, &object, name);
            return Set::poison();
        }
        let found = self.field_of(&object, name);
        if found.undefined {
            self.note_absent(expr, &object);
        }
        found
    }

    #[inline(never)]
    fn item(&mut self, env: &mut Env<'t>, expr: &'t Expr, value: &'t Expr, object: Set, key: &'t Expr) -> Set {
        if let ExprKind::Const(Const::Text(name)) = &key.kind {
            return self.field(env, expr, value, object, name);
        }
        let keys = self.eval(env, key);
        let keys = self.key(keys, key);
        if object.undefined || object.silent {
            self.undefined(value, Use::Read);
            return Set::poison();
        }
        if object.poison || keys.poison {
            return Set::poison();
        }
        let mut found = Set { undefined: object.null || object.number.is_some() || object.yes || object.no, ..Set::default() };
        if let Some(list) = &object.list {
            found = found.join(&at_index(list, super::operate::exact(&keys)));
        }
        if object.text.is_some() {
            found = found.join(&Set { undefined: true, ..Set::text() });
        }
        if let Some(map) = &object.map {
            found = found.join(&match keys.text.as_ref().and_then(|text| text.words.clone()) {
                Some(words) if words.iter().all(|word| !self.lacks(&object, word)) => {
                    words.iter().fold(Set::default(), |all, word| all.join(&in_map(map, word)))
                }
                _ if map.closed => {
                    let message = format!("which field of `{}` this is depends on a value", self.text(value));
                    self.fault(&expr.range, "depends-on-value", message, "name the field".to_owned());
                    Set::poison()
                }
                _ => {
                    let all = map.fields.iter().fold(map.rest.clone().unwrap_or_default(), |all, (_, set)| all.join(set));
                    Set { undefined: true, ..all }
                }
            });
        }
        if found.undefined && object.list.is_none() && object.text.is_none() {
            self.note_absent(expr, &object);
        }
        if object.opaque || !matches!(object.special, Special::None) {
            found = Set { undefined: true, opaque: true, ..found };
        }
        found
    }

    #[inline(never)]
    fn row(&mut self, env: &mut Env<'t>, first: &'t Expr, rest: &'t [(Operator, Expr)]) -> Set {
        let mut left = (self.eval(env, first), first);
        for (operator, right) in rest {
            let set = self.eval(env, right);
            self.compare(env, *operator, (left.0, left.1), (set.clone(), right));
            left = (set, right);
        }
        Set::bool(true, true)
    }
}

/// What the last of a row is read from, filtered or tested.
fn before(expr: &Expr) -> Option<&Expr> {
    match &expr.kind {
        ExprKind::Field(value, _) | ExprKind::Item(value, _) | ExprKind::Slice(value, _) | ExprKind::Test { value, .. } => {
            Some(value)
        }
        ExprKind::Filter { value, .. } => value.as_deref(),
        _ => None,
    }
}
