//! Filters: what each takes and what it gives.

use super::super::tree::{Arg, Const, Expr, ExprKind};
use super::call::Args;
use super::scope::Env;
use super::set::{LARGEST, LONGEST, List, Number, Set, Special, Text};
use super::signatures::FILTERS;
use super::text::flag;
use super::uses::{Use, example, items_of, number_only, text_only};
use super::walk::Walk;

/// One use of a filter.
pub(super) struct Applied<'t, 'a> {
    /// Its name.
    pub name: &'a str,
    /// The whole expression.
    pub whole: &'t Expr,
    /// What it works on, for messages.
    pub value: &'t Expr,
}

impl<'t> Walk<'t, '_> {
    /// The filters of a block, whose text they work on.
    pub fn block_filter(&mut self, env: &mut Env<'t>, expr: &'t Expr, text: Set) -> Set {
        let mut row = vec![expr];
        while let Some(ExprKind::Filter { value: Some(value), .. }) = row.last().map(|last| &last.kind) {
            row.push(value);
        }
        let mut set = text;
        for whole in row.into_iter().rev() {
            let ExprKind::Filter { name, value, args } = &whole.kind else { return Set::poison() };
            set = self.filter(env, whole, name, set, value.as_deref(), args);
        }
        set
    }

    /// A filter's result.
    #[inline(never)]
    pub fn filter(
        &mut self,
        env: &mut Env<'t>,
        whole: &'t Expr,
        name: &str,
        set: Set,
        value: Option<&'t Expr>,
        args: &'t [Arg],
    ) -> Set {
        let Some(args) = self.args(env, args) else { return Set::poison() };
        self.apply(env, &Applied { name, whole, value: value.unwrap_or(whole) }, set, args)
    }

    /// The same with arguments that are evaluated: also what `map` does to each item.
    pub fn apply(&mut self, env: &mut Env<'t>, use_: &Applied<'t, '_>, set: Set, args: Args<'t>) -> Set {
        let Some((_, most, named)) = FILTERS.iter().find(|(known, ..)| *known == use_.name) else {
            // Unknown names are reported without walking.
            return Set::poison();
        };
        // A name that stands for a position is refused when the position is given as well.
        let before = if use_.name == "replace" { 2 } else { 0 };
        let at = |name: &str| named.iter().position(|known| *known == name);
        let wrong = |name: &str| at(name).is_none_or(|at| *most > 0 && at + before < args.plain.len());
        if args.plain.len() > *most || args.named.iter().any(|(name, ..)| wrong(name)) {
            let takes = if named.is_empty() { String::new() } else { format!("; by name it takes {}", named.join(", ")) };
            let message = format!("`{}` does not take these arguments{takes}", use_.name);
            self.fault(&use_.whole.range, "wrong-argument", message, example(use_.name));
            return Set::poison();
        }
        if matches!(use_.name, "default" | "d") {
            return default(set, &args);
        }
        let set = self.need(set, use_.value, Use::Filter(use_.name));
        let mut ok = !set.poison;
        let with_arguments: Vec<(Set, &'t Expr)> = args
            .plain
            .iter()
            .map(|(set, expr)| (set.clone(), *expr))
            .chain(args.named.iter().map(|(_, set, expr)| (set.clone(), *expr)))
            .collect();
        for (set, expr) in with_arguments {
            ok &= !self.need(set, expr, Use::Argument("an argument")).poison;
        }
        if !ok {
            return Set::poison();
        }
        let flags = ["reverse", "case_sensitive"].iter().all(|name| flag(args.get(usize::MAX, name)));
        if !flags || !args.get(usize::MAX, "by").is_none_or(|(set, _)| text_only(set)) {
            return self.refuse(use_.whole, "`reverse` and `case_sensitive` take true or false, `by` a text");
        }
        self.result(env, use_, set, &args).shallow()
    }

    /// What comes out of sure values.
    fn result(&mut self, env: &mut Env<'t>, use_: &Applied<'t, '_>, set: Set, args: &Args<'t>) -> Set {
        let whole = use_.whole;
        match use_.name {
            "upper" | "lower" | "title" | "capitalize" | "e" | "escape" | "safe" | "string" | "pprint" | "trim" | "replace"
            | "indent" | "truncate" | "wordwrap" | "wordcount" | "split" | "lines" | "tojson" | "format" => {
                self.text_filter(use_, set, args)
            }
            "length" | "count" => self.length(use_, &set),
            "bool" => {
                let (yes, no) = set.truth();
                Set::bool(yes, no)
            }
            "abs" | "round" | "int" | "float" => self.number_filter(use_, set, args),
            "attr" => match args.plain.first().map(|(_, expr)| &expr.kind) {
                Some(ExprKind::Const(Const::Text(name))) => self.field(env, whole, use_.value, set, name),
                _ => {
                    self.fault(
                        &whole.range,
                        "depends-on-value",
                        "`attr` needs a written name".to_owned(),
                        "write x.name".to_owned(),
                    );
                    Set::poison()
                }
            },
            "items" | "dictsort" => self.pairs(use_, &set, args),
            "reverse" if set.text.is_some() => {
                let text = Set { text: set.text.as_ref().map(|text| Text { words: None, empty: text.empty }), ..Set::default() };
                match (Set { text: None, ..set.clone() }).is_empty() {
                    true => text,
                    false => self
                        .apply(env, use_, Set { text: None, ..set }, Args { plain: Vec::new(), named: Vec::new() })
                        .join(&text),
                }
            }
            "chain" if set.map.is_some() || args.plain.iter().any(|(set, _)| set.map.is_some()) => {
                self.wrong(use_.value, Use::Filter("chain"), "a list, as all it is chained with must be")
            }
            _ => {
                let Some(list) = items_of(&set) else { return self.wrong(use_.value, Use::Filter(use_.name), "a list") };
                self.list_filter(env, use_, list, args)
            }
        }
    }

    fn length(&mut self, use_: &Applied<'t, '_>, set: &Set) -> Set {
        // A loop over text does not know its length, but text does.
        let sized = set.list.as_ref().is_none_or(|list| list.sized);
        match items_of(set) {
            Some(list) if sized && list.least == list.most => Set::exact(i64::try_from(list.least).unwrap_or(i64::MAX)),
            Some(list) if sized => Set::count(list.least, list.most),
            Some(_) => {
                let message = format!("the length of `{}` may not be known", self.text(use_.value));
                let suggestion = format!("write {}|list|length", self.text(use_.value));
                self.fault(&use_.whole.range, "depends-on-value", message, suggestion);
                Set::poison()
            }
            None => self.wrong(use_.value, Use::Filter(use_.name), "text, a list or an object"),
        }
    }

    fn pairs(&mut self, use_: &Applied<'t, '_>, set: &Set, args: &Args<'t>) -> Set {
        let Some(map) = set.map.as_ref().filter(|_| Set { map: None, ..set.clone() }.is_empty()) else {
            return self.wrong(use_.value, Use::Filter(use_.name), "an object");
        };
        let value = map.fields.iter().fold(map.rest.clone().unwrap_or_default(), |all, (_, set)| all.join(set));
        let keys = items_of(set).map_or(Set::text(), |list| list.item);
        if use_.name == "dictsort" && (!sortable(&keys) || (args.get(usize::MAX, "by").is_some() && !sortable(&value))) {
            return self.wrong(use_.value, Use::Filter("dictsort"), "an object of texts or numbers");
        }
        let pair = Set::list(List {
            item: keys.join(&value),
            items: Some(vec![keys, value]),
            least: 2,
            most: 2,
            sized: true,
            group: false,
        });
        let (least, most) = items_of(set).map_or((0, LONGEST), |list| (list.least, list.most));
        Set::list(List { item: pair, items: None, least, most, sized: use_.name == "dictsort", group: false })
    }

    fn number_filter(&mut self, use_: &Applied<'t, '_>, set: Set, args: &Args<'t>) -> Set {
        let converts = matches!(use_.name, "int" | "float");
        let whole_number =
            || Set::number(Number { exact: None, whole: true, float: false, size: LARGEST * 2, negative: true, zero: true });
        if !converts {
            let constant = |arg: Option<(&Set, &Expr)>| arg.is_none_or(|(_, expr)| matches!(expr.kind, ExprKind::Const(_)));
            let small =
                args.get(0, "precision").is_none_or(|(set, _)| set.number.as_ref().is_some_and(|n| n.size <= 15 && !n.negative));
            let method = args.get(1, "method").is_none_or(|(set, _)| {
                set.text
                    .as_ref()
                    .and_then(|text| text.words.as_ref())
                    .is_some_and(|words| words.iter().all(|w| matches!(w.as_str(), "common" | "ceil" | "floor")))
            });
            return match &set.number {
                Some(number)
                    if number_only(&set) && constant(args.get(0, "precision")) && small && method && number.size < LARGEST =>
                {
                    Set::number(Number {
                        exact: None,
                        negative: use_.name == "round" && number.negative,
                        zero: number.zero || number.float,
                        ..number.clone()
                    })
                }
                Some(_) if number_only(&set) => {
                    self.refuse(use_.whole, "a number is rounded to a written 0 to 15 digits, by common, ceil or floor")
                }
                _ => self.wrong(use_.value, Use::Filter(use_.name), "a number"),
            };
        }
        if set.map.is_some() || set.list.is_some() || set.opaque || !matches!(set.special, Special::None) {
            return self.wrong(use_.value, Use::Filter(use_.name), "text or a number");
        }
        let base_fits = args.get(1, "base").is_none_or(|(set, _)| {
            set.number.as_ref().is_some_and(|n| n.size <= 36 && !n.negative && !n.float && number_only(set))
        });
        if use_.name == "int" && !base_fits {
            return self.refuse(use_.whole, "the base must be 2 to 36");
        }
        let default = args.get(0, "default").map(|(set, _)| set.clone());
        if set.text.is_some() && default.is_none() {
            let text = self.text(use_.value);
            let message = format!("`{text}` may be a text that is no number, and `{}` fails then", use_.name);
            self.fault(&use_.whole.range, "depends-on-value", message, format!("give it a default: {text}|{}(0)", use_.name));
            return Set::poison();
        }
        let converted = match use_.name {
            "float" => Set::float(),
            _ if set.text.is_some() || set.number.as_ref().is_some_and(|number| number.float) => whole_number(),
            _ => {
                let numbers = Set { number: set.number.clone(), ..Set::default() };
                if set.yes || set.no { numbers.join(&Set::count(0, 1)) } else { numbers }
            }
        };
        match default.filter(|_| set.text.is_some()) {
            Some(default) => converted.join(&default),
            None => converted,
        }
    }
}

fn default(set: Set, args: &Args) -> Set {
    let other = args.get(0, "").map_or(Set::words(vec![String::new()]), |(set, _)| set.clone());
    let (lax, plain) = args.get(1, "").map_or((false, true), |(set, _)| set.truth());
    let mut result = Set::default();
    if set.poison || other.poison {
        return Set::poison();
    }
    if lax {
        result = set.truthy();
        if set.truth().1 {
            result = result.join(&other);
        }
    }
    if plain {
        let defined = Set { undefined: false, silent: false, ..set.clone() };
        result = result.join(&defined);
        if set.undefined || set.silent {
            result = result.join(&other);
        }
    }
    result
}

/// Whether the engine has one order for all of the values: not for lists and objects, nor for large whole numbers among others.
pub(super) fn sortable(key: &Set) -> bool {
    let one_sort = key.number.as_ref().is_none_or(|number| !(number.whole && number.float));
    key.map.is_none() && key.list.is_none() && !key.may_be_deep() && one_sort
}

/// A text that is as sure to hold something as its source.
pub(super) fn some_text(empty: bool) -> Set {
    Set { text: Some(Text { words: None, empty }), ..Set::default() }
}
