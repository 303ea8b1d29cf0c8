//! What comparisons of size say: of numbers, of lengths, and of where a loop stands.

use super::super::tree::{Const, Expr, ExprKind, Order};
use super::learn::loop_of;
use super::scope::{Env, Place};
use super::set::Set;
use super::walk::Walk;
use std::rc::Rc;

impl<'t> Walk<'t, '_> {
    /// `left order right` came out so.
    pub fn learn_ordered(&mut self, env: &mut Env<'t>, left: &'t Expr, right: &'t Expr, order: Order, outcome: bool) {
        let (order, side, limit) = match (&left.kind, &right.kind) {
            (_, ExprKind::Const(Const::Integer(Some(limit)))) => (order, left, *limit),
            (ExprKind::Const(Const::Integer(Some(limit))), _) => (flipped(order), right, *limit),
            _ => {
                match (order, outcome) {
                    (Order::Less, true) | (Order::GreaterOrEqual, false) => self.learn_before(env, left, right),
                    (Order::Greater, true) | (Order::LessOrEqual, false) => self.learn_before(env, right, left),
                    _ => {}
                }
                return;
            }
        };
        self.learn_order(env, side, if outcome { order } else { opposite(order) }, limit);
    }

    /// The list or text whose length an expression is: `x|length`, or a name that was set to it.
    pub fn measured(&self, env: &Env<'t>, expr: &Expr) -> Option<Place> {
        if let Some(value) = length_of(expr) {
            return self.place(env, value);
        }
        let (definition, scope) = self.definition(env, expr)?;
        // What is set and asked later must not have changed between.
        self.place(&env.clone().named(scope), length_of(definition)?).filter(|place| !place.mutable)
    }

    /// `place order limit`, or the same of a list's length.
    pub fn learn_order(&mut self, env: &mut Env<'t>, expr: &'t Expr, order: Order, limit: i64) {
        let limit = i128::from(limit);
        let (least, most) = match order {
            Order::Greater => (Some(limit + 1), None),
            Order::GreaterOrEqual => (Some(limit), None),
            Order::Less => (None, Some(limit - 1)),
            Order::LessOrEqual => (None, Some(limit)),
        };
        if let Some(place) = self.measured(env, expr) {
            let mut set = self.current(env, &place);
            if let Some(list) = &mut set.list {
                let list = Rc::make_mut(list);
                list.least = list.least.max(least.map_or(0, |least| least.max(0) as u128));
                list.most = list.most.min(most.map_or(u128::MAX, |most| most.max(0) as u128)).max(list.least);
            }
            if let Some(text) = &mut set.text {
                text.empty &= least.is_none_or(|least| least < 1);
            }
            env.refine(place, set);
            return;
        }
        let Some(place) = self.place(env, expr) else { return };
        if let Some(least) = least {
            self.learn_position(env, &place, least);
        }
        let mut set = self.current(env, &place);
        if let Some(number) = &mut set.number {
            number.zero &= least.is_none_or(|least| least < 1) && most.is_none_or(|most| most > -1);
            number.negative &= least.is_none_or(|least| least < 0);
            if let Some(most) = most.filter(|most| *most >= 0 && !number.negative) {
                number.size = number.size.min(most as u128);
            }
        }
        env.refine(place, set);
    }

    /// What is not the first item has one before it; what is not the last one behind it.
    pub fn learn_round(&self, env: &mut Env<'t>, place: &Place, outcome: bool) {
        match (place.path.last().map(String::as_str), outcome) {
            (Some("first"), false) => self.learn_neighbour(env, place, "previtem"),
            (Some("last"), false) => self.learn_neighbour(env, place, "nextitem"),
            (Some(_), true) => self.learn_position(env, place, 1),
            _ => {}
        }
    }

    /// The position of the round is at least that.
    fn learn_position(&self, env: &mut Env<'t>, place: &Place, least: i128) {
        let neighbour = match place.path.last().map(String::as_str) {
            Some("index0") if least >= 1 => "previtem",
            Some("index") if least >= 2 => "previtem",
            Some("revindex0") if least >= 1 => "nextitem",
            Some("revindex") if least >= 2 => "nextitem",
            _ => return,
        };
        self.learn_neighbour(env, place, neighbour);
    }

    /// One position of a round comes before another.
    fn learn_before(&self, env: &mut Env<'t>, left: &Expr, right: &Expr) {
        let (Some(left), Some(right)) = (self.place(env, left), self.place(env, right)) else { return };
        let above = |place: &Place| loop_of(self, env, place).map(|(_, above, _)| above);
        let names = (left.path.last().map(String::as_str), right.path.last().map(String::as_str));
        if names == (Some("index"), Some("length")) && above(&left).is_some() && above(&left) == above(&right) {
            self.learn_neighbour(env, &left, "nextitem");
        }
    }

    /// `loop.index == loop.length`, or a position that is the first or the last. Whether that was it.
    pub fn learn_equal_rounds(&self, env: &mut Env<'t>, left: &Expr, right: &Expr, equal: bool) -> bool {
        let Some(place) = self.place(env, left).filter(|place| loop_of(self, env, place).is_some()) else { return false };
        if equal {
            return false;
        }
        match (place.path.last().map(String::as_str), &right.kind) {
            (Some("index" | "revindex"), ExprKind::Const(Const::Integer(Some(1)))) => self.learn_position(env, &place, 2),
            (Some("index0" | "revindex0"), ExprKind::Const(Const::Integer(Some(0)))) => self.learn_position(env, &place, 1),
            (Some("index"), _) => self.learn_before(env, left, right),
            _ => return false,
        }
        true
    }

    fn learn_neighbour(&self, env: &mut Env<'t>, place: &Place, neighbour: &str) {
        let Some((_, above, fields)) = loop_of(self, env, place) else { return };
        let item_undefined = fields.rest.as_ref().is_none_or(|item| item.undefined);
        let sized = fields.fields.iter().any(|(name, length)| name == "length" && !length.undefined);
        // Without a length no round is known to be the last.
        if item_undefined || (neighbour == "nextitem" && !sized) {
            return;
        }
        let neighbour = above.field(neighbour);
        let set = Set { undefined: false, ..self.current(env, &neighbour) };
        env.refine(neighbour, set);
    }
}

fn length_of(expr: &Expr) -> Option<&Expr> {
    match &expr.kind {
        ExprKind::Filter { name, value, args } if args.is_empty() && matches!(name.as_str(), "length" | "count") => {
            value.as_deref()
        }
        _ => None,
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
