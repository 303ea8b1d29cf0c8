//! Filters that work on lists.

use super::super::tree::{Const, Expr, ExprKind};
use super::call::Args;
use super::filter::{Applied, sortable};
use super::operate::exact;
use super::scope::Env;
use super::set::{LONGEST, List, Number, SUM, Set};
use super::signatures::TESTS;
use super::uses::{Use, items_of, number_only};
use super::walk::Walk;
use std::rc::Rc;

impl<'t> Walk<'t, '_> {
    #[inline(never)]
    pub fn list_filter(&mut self, env: &mut Env<'t>, use_: &Applied<'t, '_>, list: List, args: &Args<'t>) -> Set {
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
            "unique" | "min" | "max" if read.as_ref().unwrap_or(&item).may_be_deep() => {
                self.wrong(use_.value, Use::Filter(name), "a list of values that can be compared")
            }
            "unique" => Set::list(List { items: None, least: list.least.min(1), sized: true, ..list }),
            "reverse" => Set::list(List { items: list.items.map(|items| items.into_iter().rev().collect()), ..list }),
            "sort" => {
                if !sortable(&read.unwrap_or(item.clone())) {
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
                let joiner = args.get(0, "d").is_none_or(|(set, _)| super::uses::text_only(set));
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
                let count = args.plain.first().and_then(|(set, _)| exact(set));
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
                let mut key = read.unwrap_or_default();
                if let Some((default, _)) = args.get(usize::MAX, "default").filter(|_| key.undefined) {
                    key = Set { undefined: false, ..key }.join(default);
                }
                if !sortable(&key) {
                    return self.wrong(use_.value, Use::Filter("groupby"), "a list whose attribute is a text or a number");
                }
                let group = Set::items(item, 1, list.most.max(1));
                let pair = Set::list(List {
                    item: key.join(&group),
                    items: Some(vec![key, group]),
                    least: 2,
                    most: 2,
                    sized: true,
                    group: true,
                });
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
                        group: false,
                    });
                }
                let (count, parts) = (lists.len() as u128, lists.iter().map(|list| list.item.clone()).collect());
                let tuple =
                    Set::list(List { item: all, items: Some(parts), least: count, most: count, sized: true, group: false });
                let least = lists.iter().map(|list| list.least).min().unwrap_or(0);
                let sized = lists.iter().all(|list| list.sized);
                Set::list(List { item: tuple, items: None, least, most: LONGEST, sized, group: false })
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
            if name.is_empty() || name.bytes().all(|byte| byte.is_ascii_digit()) {
                self.refuse(expr, "a number in a path counts items and names no field");
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
