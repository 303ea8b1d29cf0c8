//! What a value can be while a template is checked: a set of values, known only as far as it matters for errors. Every operation
//! errs on the side of more values.

use super::super::shape::Shape;
use super::super::tree::Const;
use super::scope::Macros;
use std::rc::Rc;

/// What a sum of at most [`super::super::engine::FUEL`] terms of up to 64 bits stays below.
pub(super) const SUM: u128 = 1 << 81;
/// The largest whole number the engine can hold without failing.
pub(super) const LARGEST: u128 = 1 << 126;
/// No text or list that one render can make is longer.
pub(super) const LONGEST: u128 = 1 << 23;
/// No list of a facts document is longer: its items take at least three bytes of JSON each.
pub(super) const LONGEST_LIST: u128 = 1 << 19;
/// Nor is a list of objects, whose items take at least sixteen.
pub(super) const LONGEST_OBJECTS: u128 = 1 << 16;

/// Numbers.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Number {
    /// The only one it can be.
    pub exact: Option<i64>,
    /// Whole ones are among them.
    pub whole: bool,
    /// Others are among them.
    pub float: bool,
    /// None is larger, the sign aside.
    pub size: u128,
    /// Negative ones are among them.
    pub negative: bool,
    /// Zero is among them.
    pub zero: bool,
}

/// Texts.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Text {
    /// The only ones it can be.
    pub words: Option<Rc<Vec<String>>>,
    /// The empty text is among them.
    pub empty: bool,
}

/// Lists and everything that is looped over like one.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct List {
    /// What each item can be.
    pub item: Set,
    /// The items one by one, where they are written down.
    pub items: Option<Vec<Set>>,
    /// Fewest items.
    pub least: u128,
    /// Most items.
    pub most: u128,
    /// Its length can be asked for.
    pub sized: bool,
    /// A group of `groupby`, whose two items have names as well.
    pub group: bool,
}

/// Objects: facts, literals and namespaces.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Map {
    /// Known fields; one that may not be there is undefined as well.
    pub fields: Vec<(String, Set)>,
    /// A contract names the fields: another name is a mistake that the engine refuses, not an absent value.
    pub closed: bool,
    /// There may be other fields with such values.
    pub rest: Option<Set>,
}

impl Map {
    /// It may have no field at all.
    pub fn may_be_empty(&self) -> bool {
        self.fields.iter().all(|(_, set)| set.undefined)
    }
}

/// A set of values.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Set {
    /// Something the engine calls undefined, which most uses refuse.
    pub undefined: bool,
    /// What an inline `if` without `else` gives: prints nothing and is never refused.
    pub silent: bool,
    /// Null.
    pub null: bool,
    /// `true`
    pub yes: bool,
    /// `false`
    pub no: bool,
    /// Numbers.
    pub number: Option<Number>,
    /// Texts.
    pub text: Option<Text>,
    /// Lists.
    pub list: Option<Rc<List>>,
    /// Objects.
    pub map: Option<Rc<Map>>,
    /// Macros, functions, `loop` and namespaces.
    pub special: Special,
    /// Values nobody keeps track of.
    pub opaque: bool,
    /// A mistake was already reported here: nothing more is said about it.
    pub poison: bool,
}

/// Values that are called or assigned to rather than printed.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) enum Special {
    /// None.
    #[default]
    None,
    /// Macros.
    Macros(Macros),
    /// A function of the engine.
    Function(&'static str),
    /// The `loop` of the innermost `for`.
    Loop(Rc<Map>),
    /// Namespaces, by the place that makes them.
    Namespaces(Rc<Vec<usize>>),
    /// Several of these.
    Mixed,
}

impl Set {
    /// Nothing is known because a mistake was reported.
    pub fn poison() -> Set {
        Set { poison: true, ..Set::default() }
    }

    /// An undefined value.
    pub fn undefined() -> Set {
        Set { undefined: true, ..Set::default() }
    }

    /// Null.
    pub fn null() -> Set {
        Set { null: true, ..Set::default() }
    }

    /// `true` or `false`, whichever can be.
    pub fn bool(yes: bool, no: bool) -> Set {
        Set { yes, no, ..Set::default() }
    }

    /// Any text.
    pub fn text() -> Set {
        Set { text: Some(Text { words: None, empty: true }), ..Set::default() }
    }

    /// One of these texts.
    pub fn words(words: Vec<String>) -> Set {
        let empty = words.iter().any(String::is_empty);
        Set { text: Some(Text { words: Some(Rc::new(words)), empty }), ..Set::default() }
    }

    /// One number.
    pub fn exact(number: i64) -> Set {
        let size = u128::from(number.unsigned_abs());
        Set::number(Number { exact: Some(number), whole: true, float: false, size, negative: number < 0, zero: number == 0 })
    }

    /// A whole number from zero to `size`.
    pub fn count(least: u128, size: u128) -> Set {
        Set::number(Number { exact: None, whole: true, float: false, size, negative: false, zero: least == 0 })
    }

    /// Any number with a point.
    pub fn float() -> Set {
        Set::number(Number { exact: None, whole: false, float: true, size: 0, negative: true, zero: true })
    }

    /// A number.
    pub fn number(number: Number) -> Set {
        Set { number: Some(number), ..Set::default() }
    }

    /// A list.
    pub fn list(list: List) -> Set {
        Set { list: Some(Rc::new(list)), ..Set::default() }
    }

    /// A list of such items whose length is between the two.
    pub fn items(item: Set, least: u128, most: u128) -> Set {
        Set::list(List { item, items: None, least, most, sized: true, group: false })
    }

    /// An object.
    pub fn map(map: Map) -> Set {
        Set { map: Some(Rc::new(map)), ..Set::default() }
    }

    /// Values nobody keeps track of.
    pub fn opaque() -> Set {
        Set { opaque: true, ..Set::default() }
    }

    /// A constant.
    pub fn of(constant: &Const) -> Set {
        match constant {
            Const::Null => Set::null(),
            Const::Bool(value) => Set::bool(*value, !*value),
            Const::Integer(Some(number)) => Set::exact(*number),
            Const::Integer(None) => {
                Set::number(Number { exact: None, whole: true, float: false, size: u128::MAX, negative: true, zero: false })
            }
            Const::Float(number) => Set::number(Number {
                exact: None,
                whole: false,
                float: true,
                size: 0,
                negative: *number < 0.0,
                zero: *number == 0.0,
            }),
            Const::Text(text) => Set::words(vec![text.clone()]),
        }
    }

    /// What a contract says.
    pub fn from_shape(shape: &Shape) -> Set {
        match shape {
            Shape::Null => Set::null(),
            Shape::Text(None) => Set::text(),
            Shape::Text(Some(words)) => Set::words(words.clone()),
            Shape::Integer(Some(number)) => Set::exact(i64::try_from(*number).unwrap_or(i64::MAX)),
            Shape::Integer(None) => Set::count(0, u128::from(u64::MAX)),
            Shape::Object(fields) => Set::map(Map {
                fields: fields.iter().map(|(name, shape)| (name.clone(), Set::from_shape(shape))).collect(),
                closed: true,
                rest: None,
            }),
            Shape::List(item) => match **item {
                Shape::Null => Set::items(Set::default(), 0, 0),
                ref shape @ Shape::Object(_) => Set::items(Set::from_shape(shape), 0, LONGEST_OBJECTS),
                ref shape => Set::items(Set::from_shape(shape), 0, LONGEST_LIST),
            },
            Shape::Optional(inner) => Set { null: true, ..Set::from_shape(inner) },
        }
    }

    /// Nothing at all: the place is never reached.
    pub fn is_empty(&self) -> bool {
        *self == Set::default()
    }

    /// Neither null nor undefined can be in it.
    pub fn is_sure(&self) -> bool {
        !self.null && !self.undefined && !self.silent
    }

    /// The same without null and undefined.
    pub fn sure(mut self) -> Set {
        self.null = false;
        self.undefined = false;
        self.silent = false;
        self
    }

    /// Whether it can be true, and whether it can be false.
    pub fn truth(&self) -> (bool, bool) {
        if self.poison {
            return (true, true);
        }
        let truthy = !self.truthy().is_empty();
        (truthy, !self.falsy().is_empty())
    }

    /// The values a condition takes for true.
    pub fn truthy(&self) -> Set {
        let mut set = self.clone().sure();
        set.no = false;
        if let Some(number) = &mut set.number {
            number.zero = false;
            if number.exact == Some(0) {
                set.number = None;
            }
        }
        if let Some(text) = &mut set.text {
            text.empty = false;
            if let Some(words) = &mut text.words {
                *words = Rc::new(words.iter().filter(|word| !word.is_empty()).cloned().collect());
                if words.is_empty() {
                    set.text = None;
                }
            }
        }
        // The engine takes a list whose length it does not know for true.
        if let Some(list) = set.list.as_mut().filter(|list| list.sized) {
            if list.most == 0 {
                set.list = None;
            } else if list.least == 0 {
                Rc::make_mut(list).least = 1;
            }
        }
        if set.map.as_ref().is_some_and(|map| map.fields.is_empty() && map.rest.is_none()) {
            set.map = None;
        }
        set
    }

    /// The values a condition takes for false.
    pub fn falsy(&self) -> Set {
        let mut set = self.clone();
        set.yes = false;
        set.number = set.number.filter(|number| number.zero).map(|number| Number {
            exact: if number.float { None } else { Some(0) },
            size: 0,
            negative: false,
            ..number
        });
        set.text = set.text.filter(|text| text.empty).map(|_| Text { words: Some(Rc::new(vec![String::new()])), empty: true });
        set.list = set
            .list
            .filter(|list| list.least == 0)
            .map(|list| Rc::new(List { items: None, item: Set::default(), least: 0, most: 0, sized: list.sized, group: false }));
        set.map = set.map.filter(|map| map.may_be_empty());
        // A namespace without fields is false.
        if matches!(set.special, Special::Macros(_) | Special::Function(_) | Special::Loop(_)) {
            set.special = Special::None;
        }
        set
    }

    /// Whether it can be anything but null and undefined ones.
    pub fn has_value(&self) -> bool {
        !self.clone().sure().is_empty()
    }
}
