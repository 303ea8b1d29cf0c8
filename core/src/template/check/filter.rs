//! Filters: what each takes and what it gives.

use super::super::tree::{Arg, Const, Expr, ExprKind};
use super::call::Args;
use super::operate::{Use, items_of, number_only};
use super::scope::Env;
use super::set::{LARGEST, LONGEST, List, Number, SUM, Set, Special, Text};
use super::walk::Walk;
use std::rc::Rc;

/// Filters: name, most arguments by position, arguments by name.
pub(super) const FILTERS: &[(&str, usize, &[&str])] = &[
    ("abs", 0, &[]),
    ("attr", 1, &[]),
    ("batch", 2, &[]),
    ("bool", 0, &[]),
    ("capitalize", 0, &[]),
    ("chain", 8, &[]),
    ("count", 0, &[]),
    ("d", 2, &[]),
    ("default", 2, &[]),
    ("dictsort", 0, &["by", "case_sensitive", "reverse"]),
    ("e", 0, &[]),
    ("escape", 0, &[]),
    ("first", 0, &[]),
    ("float", 1, &["default"]),
    ("format", 16, &[]),
    ("groupby", 1, &["attribute", "default", "case_sensitive"]),
    ("indent", 3, &["width", "first", "blank"]),
    ("int", 2, &["default", "base"]),
    ("items", 0, &[]),
    ("join", 2, &["d", "attribute"]),
    ("last", 0, &[]),
    ("length", 0, &[]),
    ("lines", 0, &[]),
    ("list", 0, &[]),
    ("lower", 0, &[]),
    ("map", 6, &["attribute", "default"]),
    ("max", 0, &["case_sensitive", "attribute"]),
    ("min", 0, &["case_sensitive", "attribute"]),
    ("pprint", 0, &[]),
    ("reject", 3, &[]),
    ("rejectattr", 4, &[]),
    ("replace", 3, &["count"]),
    ("reverse", 0, &[]),
    ("round", 2, &["precision", "method"]),
    ("safe", 0, &[]),
    ("select", 3, &[]),
    ("selectattr", 4, &[]),
    ("slice", 2, &[]),
    ("sort", 0, &["case_sensitive", "reverse", "attribute"]),
    ("split", 2, &[]),
    ("string", 0, &[]),
    ("sum", 2, &["attribute", "start"]),
    ("title", 0, &[]),
    ("tojson", 1, &["indent"]),
    ("trim", 1, &[]),
    ("truncate", 1, &["length", "killwords", "end", "leeway"]),
    ("unique", 0, &["case_sensitive", "attribute"]),
    ("upper", 0, &[]),
    ("wordcount", 0, &[]),
    ("wordwrap", 1, &["width", "break_long_words", "wrapstring"]),
    ("zip", 8, &[]),
];

/// Tests: name, arguments by position.
pub(super) const TESTS: &[(&str, usize, &[&str])] = &[
    ("!=", 1, &[]),
    ("<", 1, &[]),
    ("<=", 1, &[]),
    ("==", 1, &[]),
    (">", 1, &[]),
    (">=", 1, &[]),
    ("boolean", 0, &[]),
    ("defined", 0, &[]),
    ("divisibleby", 1, &[]),
    ("endingwith", 1, &[]),
    ("eq", 1, &[]),
    ("equalto", 1, &[]),
    ("escaped", 0, &[]),
    ("even", 0, &[]),
    ("false", 0, &[]),
    ("filter", 0, &[]),
    ("float", 0, &[]),
    ("ge", 1, &[]),
    ("greaterthan", 1, &[]),
    ("gt", 1, &[]),
    ("in", 1, &[]),
    ("int", 0, &[]),
    ("integer", 0, &[]),
    ("iterable", 0, &[]),
    ("le", 1, &[]),
    ("lessthan", 1, &[]),
    ("lower", 0, &[]),
    ("lt", 1, &[]),
    ("mapping", 0, &[]),
    ("ne", 1, &[]),
    ("none", 0, &[]),
    ("number", 0, &[]),
    ("odd", 0, &[]),
    ("safe", 0, &[]),
    ("sameas", 1, &[]),
    ("sequence", 0, &[]),
    ("startingwith", 1, &[]),
    ("string", 0, &[]),
    ("test", 0, &[]),
    ("true", 0, &[]),
    ("undefined", 0, &[]),
    ("upper", 0, &[]),
];

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
        let ExprKind::Filter { name, value, args } = &expr.kind else { return Set::poison() };
        let set = match value {
            Some(value) => self.block_filter(env, value, text),
            None => text,
        };
        self.filter(env, expr, name, set, value.as_deref(), args)
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
    fn apply(&mut self, env: &mut Env<'t>, use_: &Applied<'t, '_>, set: Set, args: Args<'t>) -> Set {
        let Some((_, most, named)) = FILTERS.iter().find(|(known, ..)| *known == use_.name) else {
            // Unknown names are reported without walking.
            return Set::poison();
        };
        if args.plain.len() > *most || args.named.iter().any(|(name, ..)| !named.contains(name)) {
            let takes = if named.is_empty() { String::new() } else { format!("; by name it takes {}", named.join(", ")) };
            let message = format!("`{}` does not take these arguments{takes}", use_.name);
            self.fault(&use_.whole.range, "wrong-argument", message, String::new());
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
        self.result(env, use_, set, &args)
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
            "items" | "dictsort" => self.pairs(use_, &set),
            "reverse" if set.text.is_some() && set.list.is_none() => set,
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

    fn pairs(&mut self, use_: &Applied<'t, '_>, set: &Set) -> Set {
        let Some(map) = set.map.as_ref().filter(|_| Set { map: None, ..set.clone() }.is_empty()) else {
            return self.wrong(use_.value, Use::Filter(use_.name), "an object");
        };
        let value = map.fields.iter().fold(map.rest.clone().unwrap_or_default(), |all, (_, set)| all.join(set));
        let keys = items_of(set).map_or(Set::text(), |list| list.item);
        let pair = Set::list(List { item: keys.join(&value), items: Some(vec![keys, value]), least: 2, most: 2, sized: true });
        let count = map.fields.len() as u128;
        let (least, most) = if map.closed { (count, count) } else { (0, LONGEST) };
        Set::list(List { item: pair, items: None, least, most, sized: use_.name == "dictsort" })
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

    #[inline(never)]
    fn list_filter(&mut self, env: &mut Env<'t>, use_: &Applied<'t, '_>, list: List, args: &Args<'t>) -> Set {
        let name = use_.name;
        let item = list.item.clone();
        let attribute =
            args.get(if name == "join" { 1 } else { 0 }, "attribute").filter(|_| matches!(name, "join" | "groupby" | "sum"));
        let attribute = attribute.or_else(|| args.get(usize::MAX, "attribute"));
        let read = match (attribute, name) {
            (Some((_, expr)), "sort" | "unique" | "min" | "max" | "join" | "groupby" | "sum" | "map") => {
                match self.attribute(use_, &item, expr) {
                    Some(read) => Some(read),
                    None => return Set::poison(),
                }
            }
            _ => None,
        };
        let same = |item: Set| Set::list(List { item, items: None, sized: true, ..list.clone() });
        match name {
            "list" => Set::list(List { sized: true, ..list }),
            "unique" => Set::list(List { items: None, least: list.least.min(1), sized: true, ..list }),
            "reverse" => {
                Set::list(List { items: list.items.map(|items| items.into_iter().rev().collect()), sized: false, ..list })
            }
            "sort" => {
                let key = read.unwrap_or(item.clone());
                if key.map.is_some() || key.list.is_some() || key.opaque || !matches!(key.special, Special::None) {
                    return self.wrong(use_.value, Use::Filter("sort"), "a list of texts or numbers: name an attribute");
                }
                same(item)
            }
            "first" | "last" | "min" | "max" => {
                let at = match (name, &list.items) {
                    ("first", Some(items)) => items.first().cloned(),
                    ("last", Some(items)) => items.last().cloned(),
                    _ => None,
                };
                let found = at.unwrap_or(item);
                if list.least == 0 { Set { undefined: true, ..found } } else { found }
            }
            "join" => {
                let joined = read.unwrap_or(item);
                let joiner = args.get(0, "d").is_none_or(|(set, _)| super::operate::text_only(set));
                if joined.undefined || joined.silent {
                    self.undefined(&joined, use_.value, Use::Filter("join"));
                } else if joined.may_be_deep() {
                    self.wrong(use_.value, Use::Filter("join"), "a list of plain values");
                } else if !joiner {
                    self.refuse(use_.whole, "a list is joined with a text");
                }
                Set::text()
            }
            "sum" => {
                let start = args.get(1, "start").map_or(Set::exact(0), |(set, _)| set.clone());
                let summed = read.unwrap_or(item).join(&start);
                match summed.number.as_ref().filter(|number| number_only(&summed) && (number.size <= 1 << 64 || !number.whole)) {
                    Some(number) => Set::number(Number { exact: None, size: SUM, zero: true, ..number.clone() }),
                    None => self.wrong(use_.value, Use::Filter("sum"), "a list of numbers"),
                }
            }
            "batch" | "slice" => {
                let count = args.plain.first().and_then(|(set, _)| set.number.as_ref()).and_then(|number| number.exact);
                let Some(count) = count.filter(|count| (1..=10_000).contains(count)) else {
                    return self.refuse(use_.whole, "it needs a written number of parts");
                };
                let filled = args.plain.get(1).map_or(item.clone(), |(set, _)| item.join(set));
                let batch = name == "batch";
                let part = Set::items(filled, u128::from(batch), LONGEST);
                let count = count as u128;
                if batch { Set::items(part, list.least.min(1), LONGEST) } else { Set::items(part, count, count) }
            }
            "map" => self.map_items(env, use_, list, read, args),
            "select" | "reject" | "selectattr" | "rejectattr" => self.select(use_, list, args),
            "groupby" => {
                let key = read.unwrap_or_default();
                let group = Set::items(item, 1, list.most.max(1));
                let pair =
                    Set::list(List { item: key.join(&group), items: Some(vec![key, group]), least: 2, most: 2, sized: true });
                Set::items(pair, list.least.min(1), list.most)
            }
            "chain" | "zip" => {
                let mut lists = vec![list];
                for (set, expr) in &args.plain {
                    match items_of(set).filter(|_| set.is_sure()) {
                        Some(list) => lists.push(list),
                        None => return self.wrong(expr, Use::Filter(name), "a list"),
                    }
                }
                let all = lists.iter().fold(Set::default(), |all, list| all.join(&list.item));
                if name == "chain" {
                    let sum = |pick: fn(&List) -> u128| lists.iter().map(pick).fold(0u128, u128::saturating_add);
                    return Set::list(List {
                        item: all,
                        items: None,
                        least: sum(|l| l.least),
                        most: sum(|l| l.most).min(LONGEST),
                        sized: false,
                    });
                }
                let (count, parts) = (lists.len() as u128, lists.iter().map(|list| list.item.clone()).collect());
                let tuple = Set::list(List { item: all, items: Some(parts), least: count, most: count, sized: true });
                let least = lists.iter().map(|list| list.least).min().unwrap_or(0);
                Set::list(List { item: tuple, items: None, least, most: LONGEST, sized: false })
            }
            _ => Set::poison(),
        }
    }

    /// What the items' attribute is; nothing when that is a mistake.
    fn attribute(&mut self, use_: &Applied<'t, '_>, item: &Set, expr: &'t Expr) -> Option<Set> {
        let ExprKind::Const(Const::Text(path)) = &expr.kind else {
            let message = format!("which field `{}` reads depends on a value", use_.name);
            self.fault(&expr.range, "depends-on-value", message, "write its name".to_owned());
            return None;
        };
        let mut set = item.clone();
        for name in path.split('.') {
            if set.poison {
                return None;
            }
            let known = set.map.as_ref().filter(|_| Set { map: None, null: false, ..set.clone() }.is_empty());
            let missing = known.is_none_or(|map| map.closed && !map.fields.iter().any(|(known, _)| known == name));
            if (missing && !set.is_empty()) || set.null {
                let fields: Vec<&str> =
                    item.map.iter().flat_map(|map| map.fields.iter().map(|(name, _)| name.as_str())).collect();
                let near = super::report::did_you_mean(name, fields.iter().copied(), "");
                let suggestion =
                    if near.is_empty() && !fields.is_empty() { format!("they have {}", fields.join(", ")) } else { near };
                let message = format!("the items of `{}` have no field `{path}` that is always there", self.text(use_.value));
                self.fault(&expr.range, "unknown-field", message, suggestion);
                return None;
            }
            set = self.field_of(&set, name);
        }
        Some(set)
    }

    fn map_items(&mut self, env: &mut Env<'t>, use_: &Applied<'t, '_>, list: List, read: Option<Set>, args: &Args<'t>) -> Set {
        let mapped = match (read, args.plain.split_first()) {
            (Some(read), None) => {
                let default = args.get(usize::MAX, "default").map(|(set, _)| set.clone());
                match default {
                    Some(default) if read.undefined => Set { undefined: false, ..read }.join(&default),
                    _ => read,
                }
            }
            (None, Some(((_, name), rest))) if args.named.is_empty() => {
                let ExprKind::Const(Const::Text(filter)) = &name.kind else {
                    return self.refuse(use_.whole, "`map` needs the name of a filter, written out");
                };
                let args = Args { plain: rest.iter().map(|(set, expr)| (set.clone(), *expr)).collect(), named: Vec::new() };
                self.apply(env, &Applied { name: filter, whole: use_.whole, value: use_.value }, list.item.clone(), args)
            }
            _ => return self.refuse(use_.whole, "`map` needs the name of a filter, or an attribute"),
        };
        Set::list(List { item: mapped, items: None, sized: true, ..list })
    }

    fn select(&mut self, use_: &Applied<'t, '_>, list: List, args: &Args<'t>) -> Set {
        let keeps = use_.name.starts_with("select");
        let mut rest = args.plain.as_slice();
        let mut item = list.item.clone();
        let mut tested = item.clone();
        let mut field = None;
        if use_.name.ends_with("attr") {
            let Some(((_, expr), after)) = rest.split_first() else {
                return self.refuse(use_.whole, "it needs the name of an attribute, written out");
            };
            let Some(read) = self.attribute(use_, &item, expr) else { return Set::poison() };
            if let ExprKind::Const(Const::Text(name)) = &expr.kind {
                field = Some(name.clone());
            }
            (tested, rest) = (read, after);
        }
        let kept = match rest.split_first() {
            None if keeps => tested.truthy(),
            None => tested.falsy(),
            Some(((_, name), others)) => {
                let known = if let ExprKind::Const(Const::Text(name)) = &name.kind {
                    TESTS.iter().find(|(test, ..)| test == name)
                } else {
                    None
                };
                let Some((test, count, _)) = known else {
                    return self.refuse(use_.whole, "it needs the name of a test, written out");
                };
                if others.len() != *count {
                    return self.refuse(use_.whole, "its test takes other arguments");
                }
                if !self.test_fits(test, &tested, use_.value, others) {
                    return Set::poison();
                }
                match (*test, keeps) {
                    ("none", false) => Set { null: false, ..tested },
                    ("none", true) => Set { null: tested.null, ..Set::default() },
                    ("defined", true) => Set { undefined: false, ..tested },
                    _ => tested,
                }
            }
        };
        match (field, &mut item.map) {
            (Some(name), Some(map)) => {
                if let Some((_, set)) = Rc::make_mut(map).fields.iter_mut().find(|(known, _)| *known == name) {
                    *set = kept;
                }
            }
            (None, _) => item = kept,
            _ => {}
        }
        Set::list(List { item, items: None, least: 0, sized: true, ..list })
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

/// A text that is as sure to hold something as its source.
pub(super) fn some_text(empty: bool) -> Set {
    Set { text: Some(Text { words: None, empty }), ..Set::default() }
}
