//! Uses of a value: what null and undefined do to each, and what can be looped over (specs: opening, section 6.2).

use super::super::tree::{Expr, ExprKind};
use super::set::{LONGEST, List, Set, Special};
use super::walk::Walk;

/// What is done with a value.
#[derive(Clone, Copy)]
pub(super) enum Use<'a> {
    /// Printed.
    Print,
    /// Joined with `~`.
    Concat,
    /// Compared with `<` and the like.
    Order,
    /// Calculated with.
    Calculate,
    /// Cut with `[a:b]`.
    Slice,
    /// Searched: on the right of `in`.
    Search,
    /// Handed to a filter.
    Filter(&'a str),
    /// Handed to a test.
    Test(&'a str),
    /// Handed over as something.
    Argument(&'a str),
    /// Compared for equality, where null is fine.
    Compare,
    /// Looped over, where null is fine.
    Loop,
    /// Asked for a field.
    Read,
}

impl Use<'_> {
    fn allows_null(self) -> bool {
        matches!(self, Use::Compare | Use::Loop)
    }

    /// What an inline `if` without `else` gives is nothing here, and no fault.
    fn allows_silent(self) -> bool {
        matches!(self, Use::Print | Use::Compare | Use::Loop | Use::Concat | Use::Order | Use::Search)
    }

    /// "cannot be …".
    fn words(self) -> String {
        match self {
            Use::Print => "printed".to_owned(),
            Use::Concat => "joined with `~`".to_owned(),
            Use::Order => "ordered".to_owned(),
            Use::Calculate => "calculated with".to_owned(),
            Use::Slice => "sliced".to_owned(),
            Use::Search => "searched with `in`".to_owned(),
            Use::Filter(name) => format!("handed to the filter `{name}`"),
            Use::Test(name) => format!("handed to the test `{name}`"),
            Use::Argument(what) => format!("used as {what}"),
            Use::Compare => "compared".to_owned(),
            Use::Loop => "looped over".to_owned(),
            Use::Read => "read from".to_owned(),
        }
    }
}

impl Walk<'_, '_> {
    /// Reports what null and undefined do to a use; the rest comes back.
    pub fn need(&mut self, set: Set, expr: &Expr, what: Use) -> Set {
        if set.poison {
            return Set::poison();
        }
        if set.undefined || (set.silent && !what.allows_silent()) {
            self.undefined(&set, expr, what);
            return Set::poison();
        }
        if set.null && !what.allows_null() {
            let text = self.text(expr);
            let (code, message) = match what {
                Use::Print => ("null-printed", format!("`{text}` can be missing, and then nothing is printed here")),
                _ => ("null-value", format!("`{text}` can be null, and a null cannot be {}", what.words())),
            };
            let suggestion = match &expr.kind {
                ExprKind::Filter { name, .. } if matches!(name.as_str(), "default" | "d") => {
                    "`default` alone keeps a null; write default(…, true)".to_owned()
                }
                _ if matches!(what, Use::Print) => {
                    format!("guard it with {{% if {text} %}}, or write {{{{ {text}|default(\"…\", true) }}}}")
                }
                _ => format!("guard it with {{% if {text} %}}, or write {text}|default(\"…\", true)"),
            };
            self.fault(&expr.range, code, message, suggestion);
            return Set::poison();
        }
        set.sure()
    }

    /// Reports an undefined value, with the reason as far as the expression shows it.
    pub fn undefined(&mut self, _set: &Set, expr: &Expr, what: Use) {
        let text = self.text(expr);
        let use_ = what.words();
        let (code, message, suggestion) = match &expr.kind {
            ExprKind::Field(value, _) if !matches!(value.kind, ExprKind::Call(..)) => {
                let object = self.text(value);
                (
                    "not-there",
                    format!("`{text}` is not there when `{object}` is null, and cannot be {use_} then"),
                    format!("guard it with {{% if {object} %}}"),
                )
            }
            ExprKind::Item(value, _) => {
                let list = self.text(value);
                (
                    "depends-on-value",
                    format!("`{text}` is not there when `{list}` is shorter, and cannot be {use_} then"),
                    format!("ask first: {{% if {list} %}}, or {{% if {list}|length > … %}}"),
                )
            }
            ExprKind::Filter { name, value: Some(value), .. } if matches!(name.as_str(), "first" | "last" | "min" | "max") => {
                let list = self.text(value);
                (
                    "depends-on-value",
                    format!("`{text}` is not there when `{list}` is empty, and cannot be {use_} then"),
                    format!("guard it with {{% if {list} %}}"),
                )
            }
            ExprKind::Name(name) if self.contract.situations.iter().any(|s| s.shape.field(name).is_some()) => {
                ("not-there", format!("`{text}` is not there, and cannot be {use_}"), format!("guard it with {{% if {text} %}}"))
            }
            ExprKind::Name(_) => (
                "undefined",
                format!("`{text}` is not set on every way to here, and cannot be {use_} then"),
                "set it before, outside of the branch or loop".to_owned(),
            ),
            _ => (
                "undefined",
                format!("`{text}` can be undefined, and cannot be {use_} then"),
                format!("write {text}|default(\"…\", true)"),
            ),
        };
        self.fault(&expr.range, code, message, suggestion);
    }

    /// `{{ … }}`
    pub fn printed(&mut self, set: Set, expr: &Expr) {
        let set = self.need(set, expr, Use::Print);
        if let Special::Macros(_) = set.special {
            let text = self.text(expr);
            let message = format!("`{text}` is a macro, and is printed as one");
            self.fault(&expr.range, "wrong-type", message, format!("call it: {{{{ {text}(…) }}}}"));
        } else if set.may_be_deep() {
            let message = format!("`{}` may be nested too deeply to be printed", self.text(expr));
            self.fault(&expr.range, "depends-on-value", message, "print its parts".to_owned());
        }
    }

    /// A value of the wrong sort for what is done with it.
    pub fn wrong(&mut self, expr: &Expr, what: Use, wanted: &str) -> Set {
        let message = format!("`{}` is not {wanted}, and cannot be {}", self.text(expr), what.words());
        self.fault(&expr.range, "wrong-type", message, String::new());
        Set::poison()
    }

    /// Arguments that could fail.
    pub fn refuse(&mut self, expr: &Expr, what: &str) -> Set {
        let message = format!("`{}` may fail: {what}", self.text(expr));
        self.fault(&expr.range, "wrong-argument", message, String::new());
        Set::poison()
    }

    /// The list that a loop runs over: lists, the characters of a text, the keys of an object.
    pub fn iterated(&mut self, set: Set, expr: &Expr) -> List {
        let nothing = List { item: Set::poison(), items: None, least: 0, most: LONGEST, sized: true, group: false };
        let null = set.null || set.silent;
        let set = self.need(set, expr, Use::Loop);
        if set.poison {
            return nothing;
        }
        match items_of(&set) {
            Some(list) if null => List { least: 0, items: None, ..list },
            Some(list) => list,
            None if null && !set.has_value() => {
                List { item: Set::default(), items: None, least: 0, most: 0, sized: true, group: false }
            }
            None => {
                self.wrong(expr, Use::Loop, "a list");
                nothing
            }
        }
    }

    /// The parts of a value that is given to several names.
    pub fn unpacked(&mut self, set: Set, count: usize, range: &std::ops::Range<usize>) -> Vec<Set> {
        if set.poison {
            return vec![Set::poison(); count];
        }
        let list =
            set.list.as_ref().filter(|list| list.least == count as u128 && list.most == count as u128 && *set.list_only() == set);
        match list {
            Some(list) => list.items.clone().unwrap_or_else(|| vec![list.item.clone(); count]),
            None => {
                let message = format!("this may not have exactly {count} parts to give names to");
                self.fault(range, "depends-on-value", message, "give it one name and read its fields".to_owned());
                vec![Set::poison(); count]
            }
        }
    }
}

impl Set {
    /// The same with nothing but its lists.
    pub fn list_only(&self) -> Box<Set> {
        Box::new(Set { list: self.list.clone(), ..Set::default() })
    }
}

/// What a loop over a value meets; nothing when it cannot be looped over.
pub(super) fn items_of(set: &Set) -> Option<List> {
    let mut lists: Vec<List> = Vec::new();
    if let Some(list) = &set.list {
        lists.push(List { group: false, ..(**list).clone() });
    }
    if let Some(text) = &set.text {
        let character = Set { text: Some(super::set::Text { words: None, empty: false }), ..Set::default() };
        lists.push(List {
            item: character,
            items: None,
            least: u128::from(!text.empty),
            most: LONGEST,
            sized: false,
            group: false,
        });
    }
    if let Some(map) = &set.map {
        // What other fields there may be can have names of any sort.
        let (keys, most) = match map.rest {
            None => (Set::words(map.fields.iter().map(|(name, _)| name.clone()).collect()), map.fields.len() as u128),
            Some(_) if map.closed => (Set::text(), LONGEST),
            Some(_) => (Set::text().join(&Set::float()).join(&Set::bool(true, true)).join(&any_whole()), LONGEST),
        };
        let least = map.fields.iter().filter(|(_, set)| !set.undefined).count() as u128;
        lists.push(List { item: keys, items: None, least, most, sized: true, group: false });
    }
    if set.number.is_some() || set.yes || set.no || set.opaque || !matches!(set.special, Special::None) {
        return None;
    }
    lists.into_iter().reduce(|a, b| List {
        item: a.item.join(&b.item),
        items: None,
        least: a.least.min(b.least),
        most: a.most.max(b.most),
        sized: a.sized && b.sized,
        group: false,
    })
}

fn any_whole() -> Set {
    Set::number(super::set::Number { exact: None, whole: true, float: false, size: u128::MAX, negative: true, zero: true })
}

/// Nothing but numbers.
pub(super) fn number_only(set: &Set) -> bool {
    set.number.is_some() && Set { number: None, ..set.clone() }.is_empty()
}

/// Nothing but texts.
pub(super) fn text_only(set: &Set) -> bool {
    set.text.is_some() && Set { text: None, ..set.clone() }.is_empty()
}
