//! Filters that work on text, and tests.

use super::super::tree::{Arg, Const, Expr, ExprKind};
use super::call::Args;
use super::filter::{Applied, some_text};
use super::learn::holds;
use super::scope::Env;
use super::set::{LONGEST, Set, Special};
use super::signatures::TESTS;
use super::uses::{Use, number_only, text_only};
use super::walk::Walk;

/// Most that a count or a width of ours may be; below it no host's numbers are too small.
const LARGEST_COUNT: u128 = 1 << 31;

impl<'t> Walk<'t, '_> {
    /// Filters that make text or count in it.
    #[inline(never)]
    pub fn text_filter(&mut self, use_: &Applied<'t, '_>, set: Set, args: &Args<'t>) -> Set {
        let structured = set.list.is_some() || set.map.is_some() || !matches!(set.special, Special::None);
        let empty = set.text.as_ref().is_none_or(|text| text.empty);
        match use_.name {
            "safe" => return set,
            "tojson" | "string" | "pprint" | "e" | "escape" => {
                if set.may_be_deep() {
                    return self.wrong(use_.value, Use::Filter(use_.name), "a value of known depth");
                }
                let indents = args.get(0, "indent").is_none_or(|(set, _)| {
                    set.number.as_ref().is_some_and(|n| number_only(set) && n.size <= 16 && !n.negative && !n.float)
                });
                if !indents {
                    return self.refuse(use_.whole, "it indents by 0 to 16");
                }
                return some_text(empty && !structured && set.text.is_some());
            }
            "truncate" | "wordwrap" | "wordcount" | "split" | "lines" | "format" if !text_only(&set) => {
                return self.wrong(use_.value, Use::Filter(use_.name), "text");
            }
            _ if structured || set.opaque => return self.wrong(use_.value, Use::Filter(use_.name), "text"),
            _ => {}
        }
        let fits = match use_.name {
            "trim" => args.plain.iter().all(|(set, _)| plain_text(set)),
            "replace" => {
                args.plain.len() >= 2 && args.plain[..2].iter().all(|(set, _)| plain_text(set)) && count(args.get(2, "count"))
            }
            "indent" => count(args.get(0, "width")) && flag(args.get(1, "first")) && flag(args.get(2, "blank")),
            "truncate" => {
                let end = args.get(usize::MAX, "end").is_none_or(|(set, _)| text_only(set));
                count(args.get(0, "length"))
                    && flag(args.get(usize::MAX, "killwords"))
                    && end
                    && count(args.get(usize::MAX, "leeway"))
            }
            "wordwrap" => {
                let width = args.get(0, "width");
                let by = args.get(usize::MAX, "wrapstring").is_none_or(|(set, _)| text_only(set));
                let some = width.is_none_or(|(set, _)| set.number.as_ref().is_some_and(|number| !number.zero));
                count(width) && some && flag(args.get(usize::MAX, "break_long_words")) && by
            }
            "split" => args.get(0, "").is_none_or(|(set, _)| text_only(set)) && count(args.get(1, "")),
            "format" => formats(use_.value, args),
            _ => true,
        };
        if !fits {
            return self.refuse(use_.whole, "these arguments may not suit the filter; write them out");
        }
        match use_.name {
            "upper" | "lower" | "title" | "capitalize" => some_text(empty && set.text.is_some()),
            "wordcount" => Set::count(0, LONGEST),
            "split" => Set::items(Set::text(), u128::from(args.get(0, "").is_some()), LONGEST),
            "lines" => Set::items(Set::text(), 0, LONGEST),
            _ => Set::text(),
        }
    }

    /// A test's outcome.
    #[inline(never)]
    pub fn test(&mut self, env: &mut Env<'t>, whole: &'t Expr, name: &str, value: &'t Expr, set: Set, args: &'t [Arg]) -> Set {
        let Some(args) = self.args(env, args) else { return Set::bool(true, true) };
        let Some((name, count, _)) = TESTS.iter().find(|(known, ..)| *known == name) else { return Set::bool(true, true) };
        if args.plain.len() != *count || !args.named.is_empty() {
            let message = format!("the test `{name}` takes {}", if *count == 0 { "no argument" } else { "one argument" });
            self.fault(&whole.range, "wrong-argument", message, String::new());
            return Set::bool(true, true);
        }
        if set.poison {
            return Set::bool(true, true);
        }
        if matches!(*name, "defined" | "undefined") {
            self.warn_defined(env, whole, value);
            let (defined, undefined) = (Set { undefined: false, silent: false, ..set.clone() }, set.undefined || set.silent);
            let defined = !defined.is_empty();
            return if *name == "defined" { Set::bool(defined, undefined) } else { Set::bool(undefined, defined) };
        }
        if !self.test_fits(name, &set, value, &args.plain) {
            return Set::bool(true, true);
        }
        match (*name, args.plain.first()) {
            ("none", _) => Set::bool(set.null, Set { null: false, ..set.clone() }.has_value()),
            ("eq" | "equalto" | "==", Some((other, expr))) => {
                self.compare(env, super::super::tree::Operator::Equal, (set, value), (other.clone(), expr))
            }
            ("ne" | "!=", Some((other, expr))) => {
                self.compare(env, super::super::tree::Operator::NotEqual, (set, value), (other.clone(), expr))
            }
            ("in", Some((_, expr))) => {
                self.words_of(env, value, expr);
                Set::bool(true, true)
            }
            ("startingwith" | "endingwith", Some((part, _))) => {
                let words = |set: &Set| set.text.as_ref().filter(|_| text_only(set)).and_then(|text| text.words.clone());
                match (words(&set), words(part)) {
                    (Some(words), Some(parts)) => {
                        let outcome =
                            |found: bool| words.iter().any(|word| parts.iter().any(|part| holds(name, word, part) == found));
                        Set::bool(outcome(true), outcome(false))
                    }
                    _ => Set::bool(true, true),
                }
            }
            _ => Set::bool(true, true),
        }
    }

    /// `is defined` says something about the selector's object only: other facts are null, not absent.
    fn warn_defined(&mut self, env: &Env<'t>, whole: &Expr, value: &'t Expr) {
        let Some(place) = self.place(env, value) else { return };
        let is_fact = place.binding < self.roots.len();
        let can_be_absent =
            place.path.is_empty() && self.roots.get(place.binding).is_some_and(|(name, _)| *name == self.contract.selector[0]);
        if is_fact && !can_be_absent {
            let text = self.text(value);
            let message = format!("`{text}` is always defined: a fact that is missing is null");
            self.warn(&whole.range, "always-defined", message, format!("write {{% if {text} %}}"));
        }
    }

    /// Whether a test can be made of such values; reports when not.
    pub fn test_fits(&mut self, name: &str, set: &Set, value: &'t Expr, args: &[(Set, &'t Expr)]) -> bool {
        if name == "defined" || name == "undefined" {
            return true;
        }
        let what = if name == "none" { Use::Compare } else { Use::Test(name) };
        let tested = self.need(set.clone(), value, what);
        if tested.poison {
            return false;
        }
        for (set, expr) in args {
            let what =
                if matches!(name, "eq" | "ne" | "equalto" | "==" | "!=" | "sameas") { Use::Compare } else { Use::Test(name) };
            if self.need(set.clone(), expr, what).poison {
                return false;
            }
        }
        let fits = match name {
            _ if tested.is_empty() => true,
            "divisibleby" => {
                args.iter().all(|(set, _)| set.number.as_ref().is_some_and(|number| number_only(set) && !number.zero))
            }
            "startingwith" | "endingwith" => plain_text(&tested) && args.iter().all(|(set, _)| plain_text(set)),
            "filter" | "test" => text_only(&tested),
            "in" => args.iter().all(|(set, _)| !tested.may_be_deep() || (!set.may_be_deep() && set.map.is_none())),
            _ if args.iter().any(|(set, _)| set.may_be_deep() && tested.may_be_deep()) => false,
            _ => true,
        };
        if !fits {
            self.wrong(value, Use::Test(name), "something that this test can be made of");
        }
        fits
    }
}

/// Text, or what turns into text without fail.
fn plain_text(set: &Set) -> bool {
    set.is_sure() && set.list.is_none() && set.map.is_none() && !set.opaque && matches!(set.special, Special::None)
}

/// A count that no host finds too large.
fn count(arg: Option<(&Set, &Expr)>) -> bool {
    arg.is_none_or(|(set, _)| {
        set.number.as_ref().is_some_and(|n| number_only(set) && !n.float && !n.negative && n.size < LARGEST_COUNT)
    })
}

/// `true` or `false`.
pub(super) fn flag(arg: Option<(&Set, &Expr)>) -> bool {
    arg.is_none_or(|(set, _)| (set.yes || set.no) && Set { yes: false, no: false, ..set.clone() }.is_empty())
}

/// A written format that asks for as many texts or numbers as there are: `%s`, `%05d`, `%-20s`, `%.1f`.
fn formats(value: &Expr, args: &Args) -> bool {
    let ExprKind::Const(Const::Text(format)) = &value.kind else { return false };
    let mut given = args.plain.iter().map(|(set, _)| set);
    let mut rest = format.as_str();
    while let Some((_, spec)) = rest.split_once('%') {
        let (flags, width) = split_at_other(spec, "#0- +");
        let (width, after) = split_at_other(width, "0123456789");
        let (precision, kind) = after.strip_prefix('.').map_or(("", after), |after| split_at_other(after, "0123456789"));
        let whole = |set: &Set| number_only(set) && set.number.as_ref().is_some_and(|number| !number.float);
        let small = width.len() <= 3 && precision.len() <= 2;
        let fits = match kind.as_bytes().first() {
            Some(b'%') => flags.len() + width.len() + precision.len() == 0,
            Some(b's') => given.next().is_some_and(plain_text),
            Some(b'd') => given.next().is_some_and(whole),
            Some(b'f' | b'e' | b'g') => given.next().is_some_and(number_only),
            _ => false,
        };
        if !fits || !small {
            return false;
        }
        rest = &kind[1..];
    }
    given.next().is_none() && args.named.is_empty()
}

/// The beginning that is made of such characters, and what comes then.
fn split_at_other<'a>(text: &'a str, of: &str) -> (&'a str, &'a str) {
    text.split_at(text.len() - text.trim_start_matches(|c| of.contains(c)).len())
}
