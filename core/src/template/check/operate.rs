//! Operators: what each refuses, and what comes out.

use super::super::tree::{Const, Expr, ExprKind, Operator};
use super::names;
use super::report::did_you_mean;
use super::scope::Env;
use super::set::{LARGEST, LONGEST, List, Number, SUM, Set, Special};
use super::uses::{Use, number_only, text_only};
use super::walk::Walk;

impl<'t> Walk<'t, '_> {
    #[inline(never)]
    pub fn negative(&mut self, env: &mut Env<'t>, value: &'t Expr) -> Set {
        let set = self.eval(env, value);
        let set = self.need(set, value, Use::Calculate);
        match &set.number {
            _ if set.poison => set,
            Some(number) if number_only(&set) && number.size < LARGEST => match number.exact.and_then(i64::checked_neg) {
                Some(exact) => Set::exact(exact),
                None => Set::number(Number { exact: None, negative: true, ..number.clone() }),
            },
            _ => self.wrong(value, Use::Calculate, "a number"),
        }
    }

    #[inline(never)]
    pub fn slice(&mut self, env: &mut Env<'t>, value: &'t Expr, set: Set, bounds: &'t [Option<Expr>]) -> Set {
        let set = self.need(set, value, Use::Slice);
        for (at, bound) in bounds.iter().enumerate() {
            let Some(bound) = bound else { continue };
            let number = self.eval(env, bound);
            if matches!(bound.kind, ExprKind::Const(Const::Null)) {
                continue;
            }
            let number = self.need(number, bound, Use::Argument("a bound of a slice"));
            let fits = |number: &Number| !number.float && number.size <= i64::MAX as u128 && (at < 2 || !number.zero);
            let fits = number.poison || (number_only(&number) && number.number.as_ref().is_some_and(fits));
            if !fits {
                let message = format!("`{}` may not be a whole number that a slice can take", self.text(bound));
                self.fault(&bound.range, "depends-on-value", message, "write a number".to_owned());
            }
        }
        if set.poison {
            return set;
        }
        if set.number.is_some() || set.yes || set.no || set.map.is_some() || set.opaque || !matches!(set.special, Special::None) {
            return self.wrong(value, Use::Slice, "text or a list");
        }
        let mut result = Set { text: set.text.as_ref().and(Set::text().text), ..Set::default() };
        if let Some(list) = &set.list {
            result = result.join(&Set::list(List { items: None, least: 0, group: false, ..(**list).clone() }));
        }
        result
    }

    /// An operator with two sides; a row of them is walked without recursion along it.
    #[inline(never)]
    pub fn binary(&mut self, env: &mut Env<'t>, expr: &'t Expr) -> Set {
        let mut row = Vec::new();
        let mut at = expr;
        while let ExprKind::Binary(operator, left, right) = &at.kind {
            row.push((at, *operator, &**left, &**right));
            at = left;
        }
        let mut left = self.eval(env, at);
        for (whole, operator, left_expr, right_expr) in row.into_iter().rev() {
            let right = self.eval(env, right_expr);
            left = match operator {
                Operator::Equal | Operator::NotEqual | Operator::Order(_) | Operator::In => {
                    self.compare(env, operator, (left, left_expr), (right, right_expr))
                }
                Operator::Concat => {
                    for (set, side) in [(left, left_expr), (right, right_expr)] {
                        let set = self.need(set, side, Use::Concat);
                        if set.yes || set.no {
                            let message = format!("`~` writes `{}` as True or False", self.text(side));
                            self.warn(&side.range, "boolean-joined", message, "print it on its own: {{ … }}".to_owned());
                        }
                        if set.may_be_deep() {
                            self.wrong(side, Use::Concat, "known well enough");
                        }
                    }
                    Set::text()
                }
                _ => {
                    let left = self.need(left, left_expr, Use::Calculate);
                    let right = self.need(right, right_expr, Use::Calculate);
                    if left.poison || right.poison {
                        Set::poison()
                    } else {
                        self.calculate(whole, operator, (&left, left_expr), (&right, right_expr))
                    }
                }
            };
        }
        left
    }

    /// A comparison: its outcome where it is certain.
    pub fn compare(&mut self, env: &Env<'t>, operator: Operator, left: (Set, &'t Expr), right: (Set, &'t Expr)) -> Set {
        if matches!(operator, Operator::Equal | Operator::NotEqual | Operator::In) {
            self.words_of(env, left.1, right.1);
            if !matches!(operator, Operator::In) {
                self.words_of(env, right.1, left.1);
            }
        }
        let (left_use, right_use) = match operator {
            Operator::Order(_) => (Use::Order, Use::Order),
            Operator::In => (Use::Compare, Use::Search),
            _ => (Use::Compare, Use::Compare),
        };
        let a = self.need(left.0.clone(), left.1, left_use);
        let b = self.need(right.0.clone(), right.1, right_use);
        if a.poison || b.poison {
            return Set::bool(true, true);
        }
        if a.may_be_deep() && b.may_be_deep() {
            self.wrong(left.1, left_use, "known well enough");
            return Set::bool(true, true);
        }
        // What an inline `if` left out equals nothing that is known.
        let silent = left.0.silent || right.0.silent;
        // `need` takes the null away, and here it counts.
        let (a, b) = (Set { null: left.0.null, ..a }, Set { null: right.0.null && operator != Operator::In, ..b });
        match operator {
            Operator::Equal => Set::bool(silent || can_equal(&a, &b), silent || can_differ(&a, &b)),
            Operator::NotEqual => Set::bool(silent || can_differ(&a, &b), silent || can_equal(&a, &b)),
            Operator::In => {
                if b.number.is_some() || b.yes || b.no || b.opaque || !matches!(b.special, Special::None) {
                    self.wrong(right.1, Use::Search, "text, a list or an object");
                } else if b.text.is_some() && a.text.is_none() {
                    self.wrong(left.1, Use::Argument("something to find in a text"), "text");
                } else if a.may_be_deep() && b.map.is_some() {
                    self.wrong(left.1, Use::Argument("a key"), "a text or a number");
                }
                match b.list.as_ref().filter(|_| b.text.is_none() && b.map.is_none()) {
                    Some(list) => {
                        let items = list.items.as_deref().unwrap_or(std::slice::from_ref(&list.item));
                        let found = list.most > 0 && items.iter().any(|item| can_equal(&a, item));
                        let sure = list.items.as_ref().is_some_and(|items| items.iter().any(|item| !can_differ(&a, item)));
                        Set::bool(found || silent, !sure || silent)
                    }
                    None => {
                        let words = |set: &Set| {
                            set.text.as_ref().filter(|_| text_only(set) && !silent).and_then(|text| text.words.clone())
                        };
                        match (words(&a), words(&b)) {
                            (Some(parts), Some(words)) => {
                                let holds =
                                    |found: bool| words.iter().any(|word| parts.iter().any(|part| word.contains(part) == found));
                                Set::bool(holds(true), holds(false))
                            }
                            _ => Set::bool(true, true),
                        }
                    }
                }
            }
            _ => match (exact(&a).filter(|_| !silent), exact(&b), operator) {
                (Some(a), Some(b), Operator::Order(order)) => {
                    use super::super::tree::Order::*;
                    let holds = match order {
                        Less => a < b,
                        LessOrEqual => a <= b,
                        Greater => a > b,
                        GreaterOrEqual => a >= b,
                    };
                    Set::bool(holds, !holds)
                }
                _ => Set::bool(true, true),
            },
        }
    }

    /// Constants that a fact with a fixed set of words never is.
    pub fn words_of(&mut self, env: &Env<'t>, side: &'t Expr, other: &'t Expr) {
        let Some(place) = self.place(env, side) else { return };
        let is_selector = place.binding < self.roots.len()
            && std::iter::once(&self.roots[place.binding].0).chain(&place.path).eq(self.contract.selector.iter());
        let words = self.sets.get(place.binding).cloned();
        let words = words.and_then(|set| place.path.iter().try_fold(set, |set, name| Some(self.field_of(&set, name))));
        let words = match words.and_then(|set| set.text).and_then(|text| text.words) {
            Some(words) if is_selector || words.len() > 1 => words,
            _ => return,
        };
        let constants = match &other.kind {
            ExprKind::List(items) => items.as_slice(),
            _ => std::slice::from_ref(other),
        };
        for constant in constants {
            let ExprKind::Const(Const::Text(word)) = &constant.kind else { continue };
            if is_selector {
                let contract = self.contract;
                names::unknown_kind(word, &constant.range, contract, &mut |range, code, message, suggestion| {
                    self.fault(range, code, message, suggestion);
                });
            } else if !words.contains(word) {
                let near = did_you_mean(word, words.iter().map(String::as_str), "");
                let suggestion = if near.is_empty() { format!("it is one of {}", words.join(", ")) } else { near };
                let message = format!("`{}` is never `{word}`", self.text(side));
                self.warn(&constant.range, "never-equal", message, suggestion);
            }
        }
    }

    fn calculate(&mut self, whole: &Expr, operator: Operator, left: (&Set, &Expr), right: (&Set, &Expr)) -> Set {
        let (a, b) = (left.0, right.0);
        if let (Some(x), Some(y)) = (&a.number, &b.number)
            && number_only(a)
            && number_only(b)
        {
            return self.arithmetic(whole, operator, x, y, right.1);
        }
        let lists = |a: &Set| a.list.as_ref().filter(|_| *a.list_only() == *a).cloned();
        match operator {
            Operator::Add if text_only(a) && text_only(b) => Set::text(),
            Operator::Add => match (lists(a), lists(b)) {
                (Some(x), Some(y)) => {
                    let items = match (&x.items, &y.items) {
                        (Some(x), Some(y)) if x.len() + y.len() <= 32 => Some(x.iter().chain(y).cloned().collect()),
                        _ => None,
                    };
                    let (least, most) = (x.least + y.least, (x.most + y.most).min(LONGEST));
                    Set::list(List { item: x.item.join(&y.item), items, least, most, sized: x.sized && y.sized, group: false })
                        .shallow()
                }
                _ => self.refuse(whole, "only two numbers, two texts or two lists can be added"),
            },
            Operator::Multiply if text_only(a) || text_only(b) => {
                let (text, times) = if text_only(a) { (a, b) } else { (b, a) };
                let longest = text
                    .text
                    .as_ref()
                    .and_then(|text| text.words.as_ref())
                    .map_or(LONGEST, |words| words.iter().map(|word| word.len() as u128).max().unwrap_or(0));
                match times.number.as_ref().filter(|number| number_only(times) && !number.float) {
                    Some(number) if longest.saturating_mul(number.size) <= 100_000_000 => Set::text(),
                    _ => self.refuse(whole, "a text can be repeated only by a number that is known to be small"),
                }
            }
            _ => self.refuse(whole, "only numbers can be calculated with"),
        }
    }

    fn arithmetic(&mut self, whole: &Expr, operator: Operator, a: &Number, b: &Number, divisor: &Expr) -> Set {
        let float = a.float || b.float;
        let unsure = |size: u128, zero: bool| {
            Set::number(Number { exact: None, whole: a.whole && b.whole, float, size, negative: a.negative || b.negative, zero })
        };
        if matches!(operator, Operator::Divide | Operator::FloorDivide | Operator::Remainder) {
            if b.zero {
                let text = self.text(divisor);
                let message = format!("`{text}` can be zero, and nothing can be divided by zero");
                self.fault(&divisor.range, "depends-on-value", message, format!("guard it with {{% if {text} %}}"));
                return Set::poison();
            }
            return match operator {
                Operator::Divide => Set::float(),
                Operator::FloorDivide => unsure(a.size.saturating_add(1), true),
                _ => unsure(b.size, true),
            };
        }
        let exact = a.exact.zip(b.exact).filter(|_| !float).and_then(|(x, y)| match operator {
            Operator::Add => x.checked_add(y),
            Operator::Subtract => x.checked_sub(y),
            Operator::Multiply => x.checked_mul(y),
            Operator::Power => u32::try_from(y).ok().and_then(|y| x.checked_pow(y)),
            _ => None,
        });
        if let Some(exact) = exact {
            return Set::exact(exact);
        }
        let small = 1u128 << 64;
        let size = match operator {
            // A sum of few bounded terms stays one: fuel bounds how many.
            Operator::Add | Operator::Subtract
                if (a.size <= SUM && b.size <= small && a.size > small)
                    || (b.size <= SUM && a.size <= small && b.size > small) =>
            {
                SUM
            }
            Operator::Add | Operator::Subtract => a.size.saturating_add(b.size),
            Operator::Multiply => a.size.saturating_mul(b.size),
            _ => u128::MAX,
        };
        let floats = float && !a.whole && !b.whole && operator != Operator::Power;
        if size > LARGEST && !floats {
            let message = format!("`{}` can become larger than a number can be", self.text(whole));
            self.fault(&whole.range, "depends-on-value", message, "calculate with smaller numbers".to_owned());
            return Set::poison();
        }
        match operator {
            Operator::Subtract => {
                Set::number(Number { exact: None, whole: a.whole && b.whole, float, size, negative: true, zero: true })
            }
            Operator::Add => unsure(size, (a.zero && b.zero) || a.negative || b.negative || float),
            _ => unsure(size, a.zero || b.zero || float),
        }
    }
}

/// The only number a set holds.
pub(super) fn exact(set: &Set) -> Option<i64> {
    set.number.as_ref().and_then(|number| number.exact).filter(|_| number_only(set))
}

/// Nothing but numbers and booleans, which equal them.
fn only_numbers(set: &Set) -> bool {
    Set { number: None, yes: false, no: false, ..set.clone() }.is_empty()
}

/// Whether some value of one equals some value of the other.
fn can_equal(a: &Set, b: &Set) -> bool {
    let numbers = |a: &Set| a.number.is_some() || a.yes || a.no;
    if a.opaque || b.opaque || a.poison || b.poison || (a.null && b.null) {
        return true;
    }
    let one = |set: &Set| match (set.yes, set.no) {
        (true, false) if set.number.is_none() => Some(1),
        (false, true) if set.number.is_none() => Some(0),
        _ => exact(set),
    };
    if let (Some(x), Some(y)) = (one(a).filter(|_| only_numbers(a)), one(b).filter(|_| only_numbers(b))) {
        return x == y;
    }
    if numbers(a) && numbers(b) && !(a.number.is_none() && b.number.is_none()) {
        return true;
    }
    if (a.yes && b.yes) || (a.no && b.no) {
        return true;
    }
    if let (Some(x), Some(y)) = (&a.text, &b.text) {
        match (&x.words, &y.words) {
            (Some(x), Some(y)) if x.iter().any(|word| y.contains(word)) => return true,
            (Some(_), Some(_)) => {}
            (None, Some(words)) if !x.empty => {
                if words.iter().any(|word| !word.is_empty()) {
                    return true;
                }
            }
            _ => return true,
        }
    }
    let other = |set: &Set| set.list.is_some() || set.map.is_some() || !matches!(set.special, Special::None);
    other(a) && other(b)
}

/// Whether some value of one differs from some value of the other: not when both are one and the same.
fn can_differ(a: &Set, b: &Set) -> bool {
    let single = |set: &Set| -> bool {
        *set == Set::null()
            || *set == Set::bool(true, false)
            || *set == Set::bool(false, true)
            || exact(set).is_some()
            || (text_only(set) && set.text.as_ref().is_some_and(|text| text.words.as_ref().is_some_and(|words| words.len() == 1)))
    };
    !(single(a) && single(b) && can_equal(a, b))
}
