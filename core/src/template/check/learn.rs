//! What the outcome of a condition says about the places it reads (specs: opening, section 6.2, narrowing).

use super::super::tree::{Arg, Const, Expr, ExprKind, Operator, Order};
use super::asked::Answer;
use super::scope::{Binding, Env, Found, Place};
use super::set::{Set, Special, Text};
use super::uses::text_only;
use super::walk::Walk;
use std::rc::Rc;

impl<'t> Walk<'t, '_> {
    /// Notes what an outcome says. False when the outcome cannot be.
    pub fn learn_from(&mut self, env: &mut Env<'t>, expr: &'t Expr, outcome: bool) -> bool {
        if let Some(place) = self.place(env, expr) {
            let known = self.current(env, &place);
            let set = if outcome { known.truthy() } else { known.falsy() };
            self.learn_round(env, &place, outcome);
            return self.narrow(env, place, &known, set) && self.learn_from_definition(env, expr, outcome);
        }
        if outcome {
            self.remember(env, expr, Answer::True);
        }
        match &expr.kind {
            ExprKind::Binary(Operator::Equal, left, right) => self.learn_equal(env, left, right, outcome),
            ExprKind::Binary(Operator::NotEqual, left, right) => self.learn_equal(env, left, right, !outcome),
            ExprKind::Binary(Operator::In, left, right) => self.learn_in(env, left, right, outcome),
            ExprKind::Binary(Operator::Order(order), left, right) => {
                self.learn_ordered(env, left, right, *order, outcome);
                true
            }
            ExprKind::Filter { name, args, .. } if args.is_empty() && matches!(name.as_str(), "length" | "count") => {
                self.learn_order(env, expr, if outcome { Order::Greater } else { Order::LessOrEqual }, 0);
                true
            }
            ExprKind::Test { name, value, args } => self.learn_test(env, name, value, args, outcome),
            _ => true,
        }
    }

    /// Notes that a place holds some of what it was known to hold. False when that is nothing.
    fn narrow(&self, env: &mut Env<'t>, place: Place, known: &Set, set: Set) -> bool {
        if set.is_empty() && !known.poison {
            return false;
        }
        self.learn(env, place, set);
        true
    }

    /// A name that was set to a condition says what the condition says.
    fn learn_from_definition(&mut self, env: &mut Env<'t>, expr: &'t Expr, outcome: bool) -> bool {
        let Some((definition, scope)) = self.definition(env, expr) else { return true };
        if !is_plain(definition, 40) {
            return true;
        }
        let here = env.scope.clone();
        // A namespace's field may have changed since.
        let mut inside = env.clone().named(scope);
        inside.forget_changes();
        let report = self.silence();
        let (_, yes, no) = self.branch(inside, definition);
        self.unsilence(report);
        if let Some(mut learnt) = if outcome { yes } else { no } {
            learnt.forget_changes();
            learnt.keep_changing(env);
            *env = learnt.named(here);
        }
        true
    }

    /// What a name was set to, and the scope to read it in.
    pub fn definition(&self, env: &Env<'t>, expr: &Expr) -> Option<(&'t Expr, super::scope::Scope<'t>)> {
        let ExprKind::Name(name) = &expr.kind else { return None };
        let Found::Here(Binding { condition, .. }) = self.found(env, name) else { return None };
        condition.clone()
    }

    /// The only value that an expression can have.
    fn constant(&self, env: &Env<'t>, expr: &Expr) -> Option<Const> {
        match &expr.kind {
            ExprKind::Const(constant) => Some(constant.clone()),
            _ => constant_of(&self.current(env, &self.place(env, expr)?)),
        }
    }

    fn learn_equal(&mut self, env: &mut Env<'t>, left: &'t Expr, right: &'t Expr, equal: bool) -> bool {
        if self.learn_equal_rounds(env, left, right, equal) {
            return true;
        }
        for (side, other) in [(left, right), (right, left)] {
            let Some(constant) = self.constant(env, other) else { continue };
            if let Const::Integer(Some(limit)) = constant
                && self.measured(env, side).is_some()
            {
                if equal {
                    self.learn_order(env, side, Order::GreaterOrEqual, limit);
                    self.learn_order(env, side, Order::LessOrEqual, limit);
                } else if limit == 0 {
                    self.learn_order(env, side, Order::Greater, 0);
                }
                return true;
            }
            if let Some(place) = self.place(env, side) {
                let known = self.current(env, &place);
                let set = if equal { only(&known, &constant) } else { without(&known, &constant) };
                return self.narrow(env, place, &known, set);
            }
        }
        true
    }

    fn learn_in(&mut self, env: &mut Env<'t>, left: &'t Expr, right: &'t Expr, inside: bool) -> bool {
        if let (Some(Const::Text(part)), Some(place)) = (self.constant(env, left), self.place(env, right)) {
            let known = self.current(env, &place);
            if text_only(&known) {
                let set = with_words(&known, |word| word.contains(&part) == inside);
                return self.narrow(env, place, &known, set);
            }
        }
        let constants: Option<Vec<Const>> = match &right.kind {
            ExprKind::List(items) => items.iter().map(|item| self.constant(env, item)).collect(),
            _ => self.place(env, right).and_then(|place| {
                let set = self.current(env, &place);
                // A text would be searched in another way.
                let list = set.list.clone().filter(|_| *set.list_only() == set)?;
                list.items.as_ref()?.iter().map(constant_of).collect()
            }),
        };
        let (Some(constants), Some(place)) = (constants, self.place(env, left)) else { return true };
        let known = self.current(env, &place);
        let set = if inside {
            constants.iter().fold(Set::default(), |all, constant| all.join(&only(&known, constant)))
        } else {
            constants.iter().fold(known.clone(), |all, constant| without(&all, constant))
        };
        self.narrow(env, place, &known, set)
    }

    fn learn_test(&mut self, env: &mut Env<'t>, name: &str, value: &'t Expr, args: &'t [Arg], outcome: bool) -> bool {
        if let [Arg::Plain(other)] = args {
            match name {
                "eq" | "equalto" | "==" => return self.learn_equal(env, value, other, outcome),
                "ne" | "!=" => return self.learn_equal(env, value, other, !outcome),
                "in" => return self.learn_in(env, value, other, outcome),
                "gt" | "greaterthan" | ">" => self.learn_ordered(env, value, other, Order::Greater, outcome),
                "ge" | ">=" => self.learn_ordered(env, value, other, Order::GreaterOrEqual, outcome),
                "lt" | "lessthan" | "<" => self.learn_ordered(env, value, other, Order::Less, outcome),
                "le" | "<=" => self.learn_ordered(env, value, other, Order::LessOrEqual, outcome),
                _ => {}
            }
        }
        let Some(place) = self.place(env, value) else {
            match (name, outcome) {
                ("defined", true) | ("undefined", false) => self.remember(env, value, Answer::Defined),
                ("none", false) => self.remember(env, value, Answer::Something),
                _ => {}
            }
            return true;
        };
        let known = self.current(env, &place);
        let set = match (name, outcome) {
            ("none", true) => Set { null: known.null, poison: known.poison, opaque: known.opaque, ..Set::default() },
            ("none", false) => Set { null: false, ..known.clone() },
            ("defined", true) | ("undefined", false) => Set { undefined: false, silent: false, ..known.clone() },
            ("defined", false) | ("undefined", true) => {
                Set { undefined: known.undefined, silent: known.silent, poison: known.poison, ..Set::default() }
            }
            ("string", true) => Set { text: known.text.clone(), poison: known.poison, opaque: known.opaque, ..Set::default() },
            ("startingwith" | "endingwith", _) if text_only(&known) => {
                let Some(Const::Text(part)) = args.first().and_then(|arg| self.constant(env, arg.expr())) else { return true };
                with_words(&known, |word| holds(name, word, &part) == outcome)
            }
            _ => return true,
        };
        self.narrow(env, place, &known, set)
    }
}

/// Whether a word begins or ends with a part.
pub(super) fn holds(test: &str, word: &str, part: &str) -> bool {
    if test == "startingwith" { word.starts_with(part) } else { word.ends_with(part) }
}

/// The words that pass; any text stays any text.
fn with_words(set: &Set, pass: impl Fn(&str) -> bool) -> Set {
    let Some(Text { words: Some(words), .. }) = &set.text else { return set.clone() };
    let words: Vec<String> = words.iter().filter(|word| pass(word)).cloned().collect();
    if words.is_empty() { Set { text: None, ..set.clone() } } else { Set { text: Set::words(words).text, ..set.clone() } }
}

/// The value of a set that holds only one.
fn constant_of(set: &Set) -> Option<Const> {
    if *set == Set::null() {
        return Some(Const::Null);
    }
    if let Some(number) = super::operate::exact(set) {
        return Some(Const::Integer(Some(number)));
    }
    match set.text.as_ref().filter(|_| text_only(set))?.words.as_ref()?.as_slice() {
        [word] => Some(Const::Text(word.clone())),
        _ => None,
    }
}

/// A condition of names, constants and comparisons: reading it again costs little and changes nothing.
fn is_plain(expr: &Expr, budget: usize) -> bool {
    let Some(left) = budget.checked_sub(1) else { return false };
    match &expr.kind {
        ExprKind::Not(inner) => is_plain(inner, left),
        ExprKind::And(a, b) | ExprKind::Or(a, b) | ExprKind::Binary(_, a, b) => is_plain(a, left / 2) && is_plain(b, left / 2),
        ExprKind::Test { value, args, .. } => is_plain(value, left) && args.iter().all(|arg| is_plain(arg.expr(), left / 2)),
        ExprKind::Filter { value: Some(value), args, .. } => args.is_empty() && is_plain(value, left),
        ExprKind::Field(value, _) => is_plain(value, left),
        ExprKind::List(items) => items.iter().all(|item| matches!(item.kind, ExprKind::Const(_))),
        ExprKind::Name(_) | ExprKind::Const(_) => true,
        _ => false,
    }
}

/// The values of a set that equal a constant.
fn only(set: &Set, constant: &Const) -> Set {
    let kept = Set { opaque: set.opaque, poison: set.poison, ..Set::default() };
    match constant {
        Const::Null => Set { null: set.null, ..kept },
        Const::Text(word) => {
            let there = set.text.as_ref().is_some_and(|text| match &text.words {
                Some(words) => words.contains(word),
                None => text.empty || !word.is_empty(),
            });
            Set { text: Set::of(constant).text.filter(|_| there), ..kept }
        }
        // Numbers and booleans can equal each other.
        _ => Set { number: set.number.clone(), yes: set.yes, no: set.no, ..kept },
    }
}

/// The values of a set that do not equal a constant.
fn without(set: &Set, constant: &Const) -> Set {
    let mut set = set.clone();
    match constant {
        Const::Null => set.null = false,
        Const::Text(word) => {
            if let Some(text) = &mut set.text {
                text.empty &= !word.is_empty();
                if let Some(words) = &mut text.words {
                    *words = Rc::new(words.iter().filter(|known| *known != word).cloned().collect());
                    if words.is_empty() {
                        set.text = None;
                    }
                }
            }
        }
        Const::Integer(Some(0)) => {
            if let Some(number) = &mut set.number {
                number.zero = false;
                if number.exact == Some(0) {
                    set.number = None;
                }
            }
        }
        _ => {}
    }
    set
}

/// The fields of `loop`, when a place is one of its.
pub(super) fn loop_of<'p>(walk: &Walk, env: &Env, place: &'p Place) -> Option<(&'p str, Place, Rc<super::set::Map>)> {
    let (name, above) = place.path.split_last()?;
    let above = Place { path: above.to_vec(), ..*place };
    if let Special::Loop(fields) = walk.current(env, &above).special { Some((name, above, fields)) } else { None }
}
