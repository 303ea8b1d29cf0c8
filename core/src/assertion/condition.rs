//! Conditions: what is asked of a field, whether an item meets it, and both as a sentence.

use super::field::{Named, What};
use super::item::{Item, Val};

/// A field and what is asked of it; everything has to hold.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Condition {
    pub field: Named,
    pub tests: Vec<Test>,
}

/// One thing that can be asked. A field may hold several values (a path into lists): one that passes is enough, for [`Test::Not`] none may
/// be that.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Test {
    Is(Scalar),
    Not(Scalar),
    In(Vec<Scalar>),
    Contains(String),
    Starts(String),
    Exists(bool),
    AtLeast(f64),
    AtMost(f64),
    Same(Named),
}

/// A value in a rule.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Scalar {
    Text(String),
    Number(f64),
    Flag(bool),
}

impl Scalar {
    fn is(&self, value: &Val) -> bool {
        match (self, value) {
            (Scalar::Text(text), value) => value.text() == Some(text),
            (Scalar::Number(number), value) => value.number() == Some(*number),
            (Scalar::Flag(flag), value) => value.flag() == Some(*flag),
        }
    }

    fn shown(&self) -> String {
        match self {
            Scalar::Text(text) => quoted(text),
            Scalar::Number(number) => number.to_string(),
            Scalar::Flag(flag) => flag.to_string(),
        }
    }
}

impl Condition {
    /// Whether only the kind of an event is asked for, which is known without reading it.
    pub fn is_of_kind(&self) -> bool {
        let own = |named: &Named| matches!(named.what, What::Field(super::field::Over::Event, "kind"));
        own(&self.field) && self.tests.iter().all(|test| !matches!(test, Test::Same(_)))
    }

    /// Whether an item meets it.
    pub fn holds(&self, item: &Item) -> bool {
        let values = item.values(&self.field.what).unwrap_or_default();
        self.tests.iter().all(|test| test.holds(&values, item))
    }

    /// Whether an event of this kind meets a condition that asks for nothing else.
    pub fn holds_for_kind(&self, kind: &str) -> bool {
        self.tests.iter().all(|test| test.holds(&[Val::Text(kind)], &Item::default()))
    }

    /// What it asks: "`kind` is `guard.end`".
    pub fn sentence(&self) -> String {
        let tests: Vec<String> = self.tests.iter().map(|test| test.sentence("is", "is not")).collect();
        format!("`{}` {}", self.field.name, tests.join(" and "))
    }

    /// What it asks and what is there instead: "`outcome` should be `ok` and is `failed`".
    pub fn complaint(&self, item: &Item) -> String {
        let values = item.values(&self.field.what).unwrap_or_default();
        let failed = self.tests.iter().find(|test| !test.holds(&values, item));
        let asked = failed.map_or(String::new(), |test| test.sentence("should be", "should not be"));
        let found = match values.as_slice() {
            [] => "absent".to_owned(),
            [value] => value.shown(),
            [value, rest @ ..] => format!("{} and {} more", value.shown(), rest.len()),
        };
        format!("`{}` {asked} and is {found}", self.field.name)
    }
}

impl Test {
    fn holds(&self, values: &[Val], item: &Item) -> bool {
        let any = |passes: &dyn Fn(&Val) -> bool| values.iter().any(passes);
        match self {
            Test::Is(wanted) => any(&|value| wanted.is(value)),
            Test::Not(unwanted) => !any(&|value| unwanted.is(value)),
            Test::In(wanted) => any(&|value| wanted.iter().any(|one| one.is(value))),
            Test::Contains(part) => any(&|value| value.text().is_some_and(|text| text.contains(part.as_str()))),
            Test::Starts(start) => any(&|value| value.text().is_some_and(|text| text.starts_with(start.as_str()))),
            Test::Exists(wanted) => values.is_empty() != *wanted,
            Test::AtLeast(least) => any(&|value| value.number().is_some_and(|number| number >= *least)),
            Test::AtMost(most) => any(&|value| value.number().is_some_and(|number| number <= *most)),
            Test::Same(other) => {
                let others = item.values(&other.what).unwrap_or_default();
                any(&|value| others.iter().any(|other| value.is_same(other)))
            }
        }
    }

    fn sentence(&self, is: &str, is_not: &str) -> String {
        match self {
            Test::Is(wanted) => format!("{is} {}", wanted.shown()),
            Test::Not(unwanted) => format!("{is_not} {}", unwanted.shown()),
            Test::In(wanted) => {
                let words: Vec<String> = wanted.iter().map(Scalar::shown).collect();
                format!("{is} one of {}", words.join(", "))
            }
            Test::Contains(part) => format!("{is} a text with {}", quoted(part)),
            Test::Starts(start) => format!("{is} a text that begins with {}", quoted(start)),
            Test::Exists(true) => format!("{is} there"),
            Test::Exists(false) => format!("{is} absent"),
            Test::AtLeast(least) => format!("{is} at least {least}"),
            Test::AtMost(most) => format!("{is} at most {most}"),
            Test::Same(other) => format!("{is} the same as `{}`", other.name),
        }
    }
}

/// Whether an item meets all conditions.
pub(super) fn all_hold(conditions: &[Condition], item: &Item) -> bool {
    conditions.iter().all(|condition| condition.holds(item))
}

/// All conditions as a phrase: "whose `kind` is `guard.end`"; empty without any.
pub(super) fn phrase(conditions: &[Condition]) -> String {
    let all: Vec<String> = conditions.iter().map(Condition::sentence).collect();
    if all.is_empty() { String::new() } else { format!(" whose {}", all.join(" and ")) }
}

/// A text of a log or rule between marks, cut where it is long.
pub(super) fn quoted(text: &str) -> String {
    let one_line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    format!("`{}`", crate::log::cut(&one_line, 80))
}
