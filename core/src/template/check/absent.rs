//! Why a value is not there, in words, and what to do.

use super::super::tree::{Const, Expr, ExprKind};
use super::report::did_you_mean;
use super::set::{Set, Special};
use super::signatures::FILTERS;
use super::uses::Use;
use super::walk::Walk;

/// Why a field can be undefined although its object is there.
#[derive(Clone, Copy)]
pub(super) enum Absent {
    /// `loop.previtem`, `loop.nextitem` and what needs the number of rounds.
    Round,
    /// A field of a namespace that was not set.
    Unset,
    /// A field that not every such object has.
    Missing,
}

impl<'t> Walk<'t, '_> {
    /// Notes why a field is undefined, for [`Walk::undefined`].
    pub fn note_absent(&mut self, expr: &Expr, object: &Set) {
        let why = match object.special {
            _ if object.null => return,
            Special::Loop(_) => Absent::Round,
            Special::Namespaces(_) => Absent::Unset,
            _ => Absent::Missing,
        };
        self.absent.insert((expr.range.start, expr.range.end), why);
    }

    /// Reports an undefined value, with the reason as far as the expression shows it.
    pub fn undefined(&mut self, expr: &Expr, what: Use) {
        let (code, when, suggestion) = self.why(expr);
        let message = format!("`{}` {when}, and cannot be {} then", self.text(expr), what.words());
        self.fault(&expr.range, code, message, suggestion);
    }

    fn why(&self, expr: &Expr) -> (&'static str, String, String) {
        let text = self.text(expr);
        match (&expr.kind, self.absent.get(&(expr.range.start, expr.range.end))) {
            (ExprKind::Field(value, name), Some(Absent::Round)) => {
                let object = self.text(value);
                let (when, suggestion) = match name.as_str() {
                    "previtem" => ("is not there in the first round", format!("guard it with {{% if not {object}.first %}}")),
                    "nextitem" => ("is not there in the last round", format!("guard it with {{% if {text} is defined %}}")),
                    _ => ("is not known for every list", "loop over {% for … in …|list %}".to_owned()),
                };
                ("not-there", when.to_owned(), suggestion)
            }
            (ExprKind::Field(value, name), Some(Absent::Unset)) => (
                "undefined",
                "is not set on every way to here".to_owned(),
                format!("give `{}` the field where it is made: namespace({name}=…)", self.text(value)),
            ),
            (ExprKind::Field(value, _) | ExprKind::Item(value, _), Some(Absent::Missing)) => (
                "depends-on-value",
                format!("is not there in every `{}`", self.text(value)),
                format!("write {text}|default(\"…\")"),
            ),
            (ExprKind::Field(value, _), _) if !matches!(value.kind, ExprKind::Call(..)) => {
                let object = self.text(value);
                ("not-there", format!("is not there when `{object}` is null"), format!("guard it with {{% if {object} %}}"))
            }
            (ExprKind::Item(value, key), _) => {
                let list = self.text(value);
                let suggestion = match &key.kind {
                    ExprKind::Const(Const::Integer(Some(0))) => format!("ask first: {{% if {list} %}}"),
                    ExprKind::Const(Const::Integer(Some(at))) => format!("ask first: {{% if {list}|length > {at} %}}"),
                    _ => format!("write {text}|default(\"…\")"),
                };
                ("depends-on-value", format!("is not there when `{list}` is shorter"), suggestion)
            }
            (ExprKind::Filter { name, value: Some(value), .. }, _)
                if matches!(name.as_str(), "first" | "last" | "min" | "max") =>
            {
                let list = self.text(value);
                ("depends-on-value", format!("is not there when `{list}` is empty"), format!("guard it with {{% if {list} %}}"))
            }
            (ExprKind::Name(name), _) if self.contract.situations.iter().any(|s| s.shape.field(name).is_some()) => {
                ("not-there", "is not there".to_owned(), format!("guard it with {{% if {text} %}}"))
            }
            (ExprKind::Name(_), _) => (
                "undefined",
                "is not set on every way to here".to_owned(),
                "set it before, outside of the branch or loop".to_owned(),
            ),
            _ => ("undefined", "can be undefined".to_owned(), format!("write {text}|default(\"…\", true)")),
        }
    }

    /// Reports a field that something in a set never has.
    pub fn no_field(&mut self, expr: &Expr, value: &Expr, object: &Set, name: &str) {
        if self.is_known(&expr.range, "unknown-field") {
            return;
        }
        let (message, suggestion) = no_field(object, self.text(value), name);
        self.fault(&expr.range, "unknown-field", message, suggestion);
    }

    /// Reports a method that a value does not have.
    pub fn no_method(&mut self, expr: &Expr, value: &Expr, name: &str) {
        let text = self.text(value);
        let suggestion = match name {
            "startswith" | "startsWith" => format!("write {text} is startingwith(…)"),
            "endswith" | "endsWith" => format!("write {text} is endingwith(…)"),
            "contains" | "includes" | "find" | "index" | "indexOf" | "has" => format!("write … in {text}"),
            "append" | "push" | "extend" => "put lists together with +: {% set ns.list = ns.list + [item] %}".to_owned(),
            "get" => format!("write {text}[…]|default(\"…\")"),
            "substring" | "substr" => format!("write {text}[0:10]"),
            _ => match filter_for(name) {
                Some(filter) => format!("use the filter: {{{{ {text}|{filter} }}}}"),
                None => "use a filter: {{ text|upper }}".to_owned(),
            },
        };
        self.fault(&expr.range, "unknown-method", format!("`{text}` has no method `{name}`"), suggestion);
    }
}

/// The filter that does what others write as a method or a field.
fn filter_for(name: &str) -> Option<&'static str> {
    let other = match name {
        "strip" | "lstrip" | "rstrip" => "trim",
        "size" | "len" => "length",
        "keys" => "list",
        "values" => "items",
        "splitlines" => "lines",
        "toUpperCase" => "upper",
        "toLowerCase" => "lower",
        _ => name,
    };
    FILTERS.iter().map(|(known, ..)| *known).find(|known| *known == other)
}

/// The sentence for a field that is not there, and what to do.
fn no_field(object: &Set, text: &str, name: &str) -> (String, String) {
    let map = object.map.as_ref().or(match &object.special {
        Special::Loop(map) => Some(map),
        _ => None,
    });
    if let Some(map) = map.filter(|map| map.closed && (object.list.is_none() && object.text.is_none())) {
        let known = map.fields.iter().map(|(known, _)| known.as_str());
        let mut suggestion = did_you_mean(name, known.clone(), &format!("{text}."));
        if suggestion.is_empty() && map.fields.len() <= 12 {
            suggestion = format!("it has {}", known.collect::<Vec<_>>().join(", "));
        }
        return (format!("there is no `{name}` in `{text}`"), suggestion);
    }
    let what = match object {
        Set { list: Some(_), .. } => "a list",
        Set { text: Some(_), .. } => "text",
        Set { yes: true, .. } | Set { no: true, .. } => "true or false",
        _ => "a number",
    };
    let suggestion = match filter_for(name) {
        Some(filter) => format!("use the filter: {text}|{filter}"),
        None if object.list.is_some() => format!("loop over it: {{% for item in {text} %}}{{{{ item.{name} }}}}{{% endfor %}}"),
        None => String::new(),
    };
    (format!("`{text}` is {what} and has no `{name}`"), suggestion)
}
