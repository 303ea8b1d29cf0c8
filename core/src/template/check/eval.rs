//! Expressions: what a value can be, and what is wrong with how it is read.

use super::super::tree::{Const, Expr, ExprKind, Operator};
use super::operate::Use;
use super::report::did_you_mean;
use super::scope::{Env, Place};
use super::set::{List, Map, Set, Special};
use super::walk::Walk;
use std::rc::Rc;

impl<'t> Walk<'t, '_> {
    /// The place that a name stands for.
    pub fn find(&self, env: &Env<'t>, name: &str) -> Option<Place> {
        if let Some((binding, _)) = env.scope.find(name) {
            let mutable = self.sets.get(binding.id).is_some_and(holds_namespace);
            return Some(binding.alias.clone().unwrap_or(Place { binding: binding.id, mutable, path: Vec::new() }));
        }
        let root = self.roots.iter().position(|(known, _)| known == name)?;
        Some(Place { binding: root, mutable: false, path: Vec::new() })
    }

    /// The place that an expression reads, when it is a name with fields.
    pub fn place(&self, env: &Env<'t>, expr: &Expr) -> Option<Place> {
        let mut names = Vec::new();
        let mut at = expr;
        loop {
            match &at.kind {
                ExprKind::Name(name) => {
                    let mut place = self.find(env, name)?;
                    place.path.extend(names.into_iter().rev());
                    return Some(place);
                }
                ExprKind::Field(value, name) => {
                    names.push(name.clone());
                    at = value;
                }
                ExprKind::Item(value, key) => {
                    let ExprKind::Const(Const::Text(name)) = &key.kind else { return None };
                    names.push(name.clone());
                    at = value;
                }
                _ => return None,
            }
        }
    }

    /// What is known of a place.
    pub fn current(&self, env: &Env<'t>, place: &Place) -> Set {
        if let Some(set) = env.refined(place) {
            return set.clone();
        }
        match place.path.split_last() {
            None => self.sets.get(place.binding).cloned().unwrap_or_default(),
            Some((name, above)) => {
                let above = Place { path: above.to_vec(), ..place.clone() };
                self.field_of(&self.current(env, &above), name)
            }
        }
    }

    /// Notes what a condition said about a place. What has a value there is itself something.
    pub fn learn(&self, env: &mut Env<'t>, place: Place, set: Set) {
        if !set.undefined {
            for length in 0..place.path.len() {
                let above = Place { path: place.path[..length].to_vec(), ..place.clone() };
                let known = self.current(env, &above);
                if !known.is_sure() {
                    env.refine(above, known.sure());
                }
            }
        }
        env.refine(place, set);
    }

    /// A field's values, absent ones as undefined; says nothing.
    pub fn field_of(&self, set: &Set, name: &str) -> Set {
        let mut found = Set { poison: set.poison, opaque: set.opaque, ..Set::default() };
        if set.null
            || set.undefined
            || set.silent
            || set.text.is_some()
            || set.number.is_some()
            || set.yes
            || set.no
            || set.opaque
        {
            found.undefined = true;
        }
        if let Some(map) = &set.map {
            found = found.join(&in_map(map, name));
        }
        if let Some(list) = &set.list {
            // Groups of `groupby` have two names for their two items.
            found = found.join(&match (&list.items, name) {
                (Some(items), "grouper") if items.len() == 2 && list.least == 2 => items[0].clone(),
                (Some(items), "list") if items.len() == 2 && list.least == 2 => items[1].clone(),
                _ => Set::undefined(),
            });
        }
        match &set.special {
            Special::None => {}
            Special::Loop(map) => found = found.join(&in_map(map, name)),
            Special::Namespaces(all) => {
                for namespace in all.iter().filter_map(|at| self.namespaces.get(*at)) {
                    let field = namespace.fields.iter().find(|(known, _)| known == name);
                    found = found.join(&field.map_or(Set::undefined(), |(_, set)| set.clone()));
                }
            }
            Special::Macros(_) | Special::Function(_) | Special::Mixed => found = Set { undefined: true, opaque: true, ..found },
        }
        found
    }

    /// What an expression can be.
    pub fn eval(&mut self, env: &mut Env<'t>, expr: &'t Expr) -> Set {
        if !self.step(&expr.range) {
            return Set::poison();
        }
        self.deeper(|walk| match &expr.kind {
            ExprKind::Const(constant) => Set::of(constant),
            ExprKind::Name(name) => walk.name(env, expr, name),
            ExprKind::Field(value, name) => {
                let object = walk.eval(env, value);
                walk.field(env, expr, value, object, name)
            }
            ExprKind::Item(value, key) => walk.item(env, expr, value, key),
            ExprKind::Slice(value, bounds) => walk.slice(env, value, bounds),
            ExprKind::Not(_) | ExprKind::And(..) | ExprKind::Or(..) => walk.condition(env, expr),
            ExprKind::Negative(value) => walk.negative(env, value),
            ExprKind::Binary(operator, ..) => walk.binary(env, expr, *operator),
            ExprKind::Chain(first, rest) => walk.row(env, first, rest),
            ExprKind::Choice { condition, yes, no } => walk.choice(env, condition, yes, no.as_deref()),
            ExprKind::Filter { name, value: Some(value), args } => {
                let set = walk.eval(env, value);
                walk.filter(env, expr, name, set, Some(value), args)
            }
            ExprKind::Filter { value: None, .. } => walk.block_filter(env, expr, Set::text()),
            ExprKind::Test { name, value, args } => walk.test(env, expr, name, value, args),
            ExprKind::Call(..) => walk.call(env, expr, None),
            ExprKind::List(items) => {
                let items: Vec<Set> = items.iter().map(|item| walk.eval(env, item)).collect();
                let item = items.iter().fold(Set::default(), |all, item| all.join(item));
                let count = items.len() as u128;
                Set::list(List { item, items: Some(items), least: count, most: count, sized: true }).shallow()
            }
            ExprKind::Map(pairs) => walk.literal(env, pairs),
        })
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
        set
    }

    #[inline(never)]
    fn literal(&mut self, env: &mut Env<'t>, pairs: &'t [(Expr, Expr)]) -> Set {
        let mut fields: Vec<(String, Set)> = Vec::new();
        let mut rest: Option<Set> = None;
        for (key, value) in pairs {
            let set = self.eval(env, value);
            match &key.kind {
                ExprKind::Const(Const::Text(name)) => {
                    fields.retain(|(known, _)| known != name);
                    fields.push((name.clone(), set));
                }
                _ => {
                    let keys = self.eval(env, key);
                    self.need(keys, key, Use::Argument("a key"));
                    rest = Some(rest.unwrap_or_default().join(&set));
                }
            }
        }
        Set::map(Map { fields, closed: false, rest }).shallow()
    }

    #[inline(never)]
    fn name(&mut self, env: &mut Env<'t>, expr: &'t Expr, name: &str) -> Set {
        self.caller_read |= name == "caller";
        if let Some(place) = self.find(env, name) {
            let set = self.current(env, &place);
            if place.binding < self.roots.len() {
                self.note_read(&expr.range, &place, self.is_absent(&place));
            }
            return self.fresh_macros(env, name, set);
        }
        if let Some(known) = super::call::FUNCTIONS.iter().find(|known| **known == name) {
            return Set { special: Special::Function(known), ..Set::default() };
        }
        let elsewhere = |situation: &super::Situation| situation.shape.field(name).is_some();
        if self.bound.iter().any(|known| known == name)
            || matches!(name, "caller" | "loop")
            || self.contract.situations.iter().any(elsewhere)
        {
            return Set::undefined();
        }
        let roots = self.roots.iter().map(|(name, _)| name.clone());
        let known: Vec<String> = roots.chain(env.scope.names()).collect();
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

    /// The situation has no such fact: null whatever the run.
    fn is_absent(&self, place: &Place) -> bool {
        let Some(root) = self.sets.get(place.binding) else { return false };
        let found = place.path.iter().try_fold(root.clone(), |set, name| (set != Set::null()).then(|| self.field_of(&set, name)));
        found == Some(Set::null())
    }

    /// A macro that is read by its name sees its frame's names as they are now.
    fn fresh_macros(&mut self, env: &Env<'t>, name: &str, set: Set) -> Set {
        let Special::Macros(macros) = &set.special else { return set };
        let Some((_, frame)) = env.scope.find(name) else { return set };
        let mut numbers = Vec::new();
        for number in macros.0.iter() {
            let decl = self.macros[*number].decl;
            numbers.push(if decl.name == name && name != "caller" { self.define(decl, frame.clone()) } else { *number });
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
            self.undefined(&object, value, Use::Read);
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
            let text = self.text(value);
            let (message, suggestion) = no_field(&object, text, name);
            self.fault(&expr.range, "unknown-field", message, suggestion);
            return Set::poison();
        }
        self.field_of(&object, name)
    }

    /// Something in the set is known to have no field of that name, ever.
    fn lacks(&self, object: &Set, name: &str) -> bool {
        let lacking = |map: &Map| map.closed && !map.fields.iter().any(|(known, _)| known == name);
        object.map.as_ref().is_some_and(|map| lacking(map))
            || matches!(&object.special, Special::Loop(map) if lacking(map))
            || object.text.is_some()
            || object.number.is_some()
            || object.yes
            || object.no
            || object.list.as_ref().is_some_and(|_| self.field_of(&Set { map: None, ..object.clone().sure() }, name).undefined)
    }

    #[inline(never)]
    fn item(&mut self, env: &mut Env<'t>, expr: &'t Expr, value: &'t Expr, key: &'t Expr) -> Set {
        let object = self.eval(env, value);
        if let ExprKind::Const(Const::Text(name)) = &key.kind {
            return self.field(env, expr, value, object, name);
        }
        let keys = self.eval(env, key);
        let keys = self.need(keys, key, Use::Argument("a key"));
        if object.undefined || object.silent {
            self.undefined(&object, value, Use::Read);
            return Set::poison();
        }
        if object.poison || keys.poison {
            return Set::poison();
        }
        let mut found = Set { undefined: object.null || object.number.is_some() || object.yes || object.no, ..Set::default() };
        if let Some(list) = &object.list {
            found = found.join(&at_index(list, keys.number.as_ref().and_then(|number| number.exact)));
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

/// What a list gives at an index.
fn at_index(list: &List, index: Option<i64>) -> Set {
    let Some(index) = index else { return Set { undefined: true, ..list.item.clone() } };
    let from_end = index < 0;
    let steps = u128::from(index.unsigned_abs()) - u128::from(from_end);
    if let (Some(items), Ok(steps)) = (&list.items, usize::try_from(steps)) {
        let at = if from_end { items.len().checked_sub(steps + 1) } else { Some(steps) };
        return at.and_then(|at| items.get(at)).cloned().unwrap_or_else(Set::undefined);
    }
    let item = list.item.clone();
    if steps < list.least { item } else { Set { undefined: true, ..item } }
}

fn in_map(map: &Map, name: &str) -> Set {
    match map.fields.iter().find(|(known, _)| known == name) {
        Some((_, set)) => set.clone(),
        None => Set { undefined: true, ..map.rest.clone().unwrap_or_default() },
    }
}

/// Whether something in it can be changed behind a condition's back.
fn holds_namespace(set: &Set) -> bool {
    matches!(set.special, Special::Namespaces(_) | Special::Mixed)
        || set.opaque
        || set.list.as_ref().is_some_and(|list| holds_namespace(&list.item))
        || set.map.as_ref().is_some_and(|map| !map.closed && map.fields.iter().any(|(_, set)| holds_namespace(set)))
}

/// The sentence for a field that is not there, and what to do.
fn no_field(object: &Set, text: &str, name: &str) -> (String, String) {
    let map = object.map.as_ref().or(match &object.special {
        Special::Loop(map) => Some(map),
        _ => None,
    });
    if let Some(map) = map.filter(|map| map.closed) {
        let known = map.fields.iter().map(|(known, _)| known.as_str());
        let mut suggestion = did_you_mean(name, known.clone(), &format!("{text}."));
        if suggestion.is_empty() && map.fields.len() <= 12 {
            suggestion = format!("it has {}", known.collect::<Vec<_>>().join(", "));
        }
        return (format!("there is no `{name}` in `{text}`"), suggestion);
    }
    if object.list.is_some() {
        return (
            format!("`{text}` is a list and has no `{name}`"),
            format!("loop over it: {{% for item in {text} %}}{{{{ item.{name} }}}}{{% endfor %}}"),
        );
    }
    let what = if object.text.is_some() { "text" } else { "a number" };
    (format!("`{text}` is {what} and has no `{name}`"), String::new())
}
