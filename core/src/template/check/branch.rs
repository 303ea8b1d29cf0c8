//! Conditions: which ways they leave open, and what is known on each (specs: opening, section 6.2, narrowing).

use super::super::tree::{Arg, Const, Expr, ExprKind, Operator, Order};
use super::scope::{Binding, Env, Found, Place};
use super::set::{Set, Special};
use super::walk::Walk;
use std::rc::Rc;

/// A value, and what is known where it is true and where it is false; nothing where it cannot be so.
pub(super) type Ways<'t> = (Set, Option<Env<'t>>, Option<Env<'t>>);

impl<'t> Walk<'t, '_> {
    /// Evaluates a condition.
    pub fn branch(&mut self, env: Env<'t>, expr: &'t Expr) -> Ways<'t> {
        if !self.step(&expr.range) {
            return (Set::poison(), Some(env.clone()), Some(env));
        }
        self.deeper(|walk| match &expr.kind {
            ExprKind::Not(inner) => {
                let (_, yes, no) = walk.branch(env, inner);
                (Set::bool(no.is_some(), yes.is_some()), no, yes)
            }
            ExprKind::And(..) => walk.all(env, expr),
            ExprKind::Or(..) => walk.any(env, expr),
            _ => walk.leaf(env, expr),
        })
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

    /// Notes what an outcome says. False when the outcome cannot be.
    fn learn_from(&mut self, env: &mut Env<'t>, expr: &'t Expr, outcome: bool) -> bool {
        if let Some(place) = self.place(env, expr) {
            let known = self.current(env, &place);
            let set = if outcome { known.truthy() } else { known.falsy() };
            if set.is_empty() && !known.poison {
                return false;
            }
            self.learn_neighbour(env, &place, outcome);
            self.learn(env, place, set);
            return self.learn_from_definition(env, expr, outcome);
        }
        match &expr.kind {
            ExprKind::Binary(Operator::Equal, left, right) => self.learn_equal(env, left, right, outcome),
            ExprKind::Binary(Operator::NotEqual, left, right) => self.learn_equal(env, left, right, !outcome),
            ExprKind::Binary(Operator::In, left, right) => self.learn_in(env, left, right, outcome),
            ExprKind::Binary(Operator::Order(order), left, right) => {
                let (order, place, limit) = match (&left.kind, &right.kind) {
                    (_, ExprKind::Const(Const::Integer(Some(limit)))) => (*order, left, *limit),
                    (ExprKind::Const(Const::Integer(Some(limit))), _) => (flipped(*order), right, *limit),
                    _ => return true,
                };
                self.learn_order(env, place, if outcome { order } else { opposite(order) }, limit);
                true
            }
            ExprKind::Filter { name, value: Some(value), args }
                if args.is_empty() && matches!(name.as_str(), "length" | "count") =>
            {
                self.learn_order(env, expr, if outcome { Order::Greater } else { Order::LessOrEqual }, 0);
                let _ = value;
                true
            }
            ExprKind::Test { name, value, args } => self.learn_test(env, name, value, args, outcome),
            _ => true,
        }
    }

    /// A name that was set to a condition says what the condition says.
    fn learn_from_definition(&mut self, env: &mut Env<'t>, expr: &'t Expr, outcome: bool) -> bool {
        let ExprKind::Name(name) = &expr.kind else { return true };
        let Found::Here(Binding { condition: Some((definition, scope)), .. }) = self.found(env, name) else { return true };
        let (definition, scope) = (*definition, scope.clone());
        if !is_plain(definition, 40) {
            return true;
        }
        let here = env.scope.clone();
        // A namespace's field may have changed since.
        let mut inside = env.clone().named(scope);
        inside.forget(|place| place.mutable);
        let report = self.silence();
        let (_, yes, no) = self.branch(inside, definition);
        self.unsilence(report);
        if let Some(mut learnt) = if outcome { yes } else { no } {
            learnt.forget(|place| place.mutable);
            learnt.keep(env, |place| place.mutable);
            *env = learnt.named(here);
        }
        true
    }

    /// What is not the first item has one before it; what is not the last one behind it.
    fn learn_neighbour(&self, env: &mut Env<'t>, place: &Place, outcome: bool) {
        let Some((name, above)) = place.path.split_last() else { return };
        let above = Place { path: above.to_vec(), ..place.clone() };
        let Special::Loop(fields) = self.current(env, &above).special else { return };
        let item_undefined = fields.rest.as_ref().is_none_or(|item| item.undefined);
        if item_undefined || (name == "last" && self.field_of(&self.current(env, &above), "length").undefined) {
            // Without a length no item is known to be the last.
            return;
        }
        let neighbour = match (name.as_str(), outcome) {
            ("first", false) | ("index0", true) => "previtem",
            ("last", false) | ("revindex0", true) => "nextitem",
            _ => return,
        };
        let neighbour = above.field(neighbour);
        let set = Set { undefined: false, ..self.current(env, &neighbour) };
        env.refine(neighbour, set);
    }

    fn learn_equal(&mut self, env: &mut Env<'t>, left: &'t Expr, right: &'t Expr, equal: bool) -> bool {
        for (side, other) in [(left, right), (right, left)] {
            let ExprKind::Const(constant) = &other.kind else { continue };
            if let Const::Integer(Some(limit)) = constant
                && length_of(side).is_some()
            {
                if equal {
                    self.learn_order(env, side, Order::GreaterOrEqual, *limit);
                    self.learn_order(env, side, Order::LessOrEqual, *limit);
                } else if *limit == 0 {
                    self.learn_order(env, side, Order::Greater, 0);
                }
                return true;
            }
            if let Some(place) = self.place(env, side) {
                let known = self.current(env, &place);
                let set = if equal { only(&known, constant) } else { without(&known, constant) };
                if set.is_empty() && !known.poison {
                    return false;
                }
                self.learn(env, place, set);
                return true;
            }
        }
        true
    }

    fn learn_in(&mut self, env: &mut Env<'t>, left: &'t Expr, right: &'t Expr, inside: bool) -> bool {
        let ExprKind::List(items) = &right.kind else { return true };
        let constants: Option<Vec<&Const>> =
            items.iter().map(|item| if let ExprKind::Const(constant) = &item.kind { Some(constant) } else { None }).collect();
        let (Some(constants), Some(place)) = (constants, self.place(env, left)) else { return true };
        let known = self.current(env, &place);
        let set = if inside {
            constants.iter().fold(Set::default(), |all, constant| all.join(&only(&known, constant)))
        } else {
            constants.iter().fold(known.clone(), |all, constant| without(&all, constant))
        };
        if set.is_empty() && !known.poison {
            return false;
        }
        self.learn(env, place, set);
        true
    }

    fn learn_test(&mut self, env: &mut Env<'t>, name: &str, value: &'t Expr, args: &'t [Arg], outcome: bool) -> bool {
        if let [Arg::Plain(other)] = args {
            match name {
                "eq" | "equalto" | "==" => return self.learn_equal(env, value, other, outcome),
                "ne" | "!=" => return self.learn_equal(env, value, other, !outcome),
                "in" => return self.learn_in(env, value, other, outcome),
                _ => {}
            }
        }
        let Some(place) = self.place(env, value) else { return true };
        let known = self.current(env, &place);
        let set = match (name, outcome) {
            ("none", true) => Set { null: known.null, poison: known.poison, opaque: known.opaque, ..Set::default() },
            ("none", false) => Set { null: false, ..known.clone() },
            ("defined", true) | ("undefined", false) => Set { undefined: false, silent: false, ..known.clone() },
            ("defined", false) | ("undefined", true) => {
                Set { undefined: known.undefined, silent: known.silent, poison: known.poison, ..Set::default() }
            }
            ("string", true) => Set { text: known.text.clone(), poison: known.poison, opaque: known.opaque, ..Set::default() },
            _ => return true,
        };
        if set.is_empty() && !known.poison {
            return false;
        }
        self.learn(env, place, set);
        true
    }

    /// `place order limit`, or the same of a list's length.
    fn learn_order(&mut self, env: &mut Env<'t>, expr: &'t Expr, order: Order, limit: i64) {
        let limit = i128::from(limit);
        let (least, most) = match order {
            Order::Greater => (Some(limit + 1), None),
            Order::GreaterOrEqual => (Some(limit), None),
            Order::Less => (None, Some(limit - 1)),
            Order::LessOrEqual => (None, Some(limit)),
        };
        let measured = length_of(expr);
        let Some(place) = self.place(env, measured.unwrap_or(expr)) else { return };
        let mut set = self.current(env, &place);
        if measured.is_some() {
            if let Some(list) = &mut set.list {
                let list = Rc::make_mut(list);
                list.least = list.least.max(least.map_or(0, |least| least.max(0) as u128));
                list.most = list.most.min(most.map_or(u128::MAX, |most| most.max(0) as u128)).max(list.least);
            }
            if let Some(text) = &mut set.text {
                text.empty &= least.is_none_or(|least| least < 1);
            }
        } else if let Some(number) = &mut set.number {
            number.zero &= least.is_none_or(|least| least < 1) && most.is_none_or(|most| most > -1);
            number.negative &= least.is_none_or(|least| least < 0);
            if let Some(most) = most.filter(|most| *most >= 0 && !number.negative) {
                number.size = number.size.min(most as u128);
            }
        }
        env.refine(place, set);
    }
}

/// The value whose length an expression asks for.
fn length_of(expr: &Expr) -> Option<&Expr> {
    match &expr.kind {
        ExprKind::Filter { name, value: Some(value), args } if args.is_empty() && matches!(name.as_str(), "length" | "count") => {
            Some(value)
        }
        _ => None,
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

fn flipped(order: Order) -> Order {
    match order {
        Order::Less => Order::Greater,
        Order::LessOrEqual => Order::GreaterOrEqual,
        Order::Greater => Order::Less,
        Order::GreaterOrEqual => Order::LessOrEqual,
    }
}

fn opposite(order: Order) -> Order {
    match order {
        Order::Less => Order::GreaterOrEqual,
        Order::LessOrEqual => Order::Greater,
        Order::Greater => Order::LessOrEqual,
        Order::GreaterOrEqual => Order::Less,
    }
}

/// The values of a set that equal a constant.
fn only(set: &Set, constant: &Const) -> Set {
    let kept = Set { opaque: set.opaque, poison: set.poison, ..Set::default() };
    let wanted = Set::of(constant);
    match constant {
        Const::Null => Set { null: set.null, ..kept },
        Const::Text(word) => {
            let there = set.text.as_ref().is_some_and(|text| match &text.words {
                Some(words) => words.contains(word),
                None => text.empty || !word.is_empty(),
            });
            Set { text: wanted.text.filter(|_| there), ..kept }
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
