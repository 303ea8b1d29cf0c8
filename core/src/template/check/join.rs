//! Both of two sets of values, and how deep they are followed.

use super::set::{List, Map, Number, Set, Special, Text};
use std::rc::Rc;

/// Words that are kept one by one; more become "any text".
const MOST_WORDS: usize = 12;
/// Containers nested deeper than this are no longer looked into.
const MOST_DEPTH: usize = 6;

impl Set {
    /// Both sets together.
    pub fn join(&self, other: &Set) -> Set {
        self.join_at(other, 0)
    }

    fn join_at(&self, other: &Set, depth: usize) -> Set {
        if self == other {
            return self.clone();
        }
        if depth > MOST_DEPTH {
            return Set { poison: self.poison || other.poison, ..Set::opaque() };
        }
        Set {
            undefined: self.undefined || other.undefined,
            silent: self.silent || other.silent,
            null: self.null || other.null,
            yes: self.yes || other.yes,
            no: self.no || other.no,
            number: both(&self.number, &other.number, |a, b| Number {
                exact: a.exact.filter(|_| a.exact == b.exact),
                whole: a.whole || b.whole,
                float: a.float || b.float,
                size: a.size.max(b.size),
                negative: a.negative || b.negative,
                zero: a.zero || b.zero,
            }),
            text: both(&self.text, &other.text, |a, b| Text { words: join_words(a, b), empty: a.empty || b.empty }),
            list: both(&self.list, &other.list, |a, b| {
                let items = match (&a.items, &b.items) {
                    (Some(x), Some(y)) if x.len() == y.len() => {
                        Some(x.iter().zip(y).map(|(x, y)| x.join_at(y, depth + 1)).collect())
                    }
                    _ => None,
                };
                Rc::new(List {
                    item: a.item.join_at(&b.item, depth + 1),
                    items,
                    least: a.least.min(b.least),
                    most: a.most.max(b.most),
                    sized: a.sized && b.sized,
                    group: a.group && b.group,
                })
            }),
            map: both(&self.map, &other.map, |a, b| Rc::new(join_maps(a, b, depth + 1))),
            special: match (&self.special, &other.special) {
                (a, b) if a == b => a.clone(),
                (Special::None, b) => b.clone(),
                (a, Special::None) => a.clone(),
                (Special::Namespaces(a), Special::Namespaces(b)) => {
                    let mut all: Vec<usize> = a.iter().chain(b.iter()).copied().collect();
                    all.sort_unstable();
                    all.dedup();
                    Special::Namespaces(Rc::new(all))
                }
                (Special::Macros(a), Special::Macros(b)) => Special::Macros(a.join(b)),
                _ => Special::Mixed,
            },
            opaque: self.opaque || other.opaque,
            poison: self.poison || other.poison,
        }
    }

    /// Itself, or something opaque where it nests deeper than is followed.
    pub fn shallow(&self) -> Set {
        if self.deeper_than(MOST_DEPTH) { Set { poison: self.poison, ..Set::opaque() } } else { self.clone() }
    }

    fn deeper_than(&self, depth: usize) -> bool {
        let inside = |set: &Set| depth == 0 || set.deeper_than(depth - 1);
        self.list.as_ref().is_some_and(|list| inside(&list.item))
            || self.map.as_ref().is_some_and(|map| {
                !(map.closed && map.rest.is_none()) && map.fields.iter().map(|(_, set)| set).chain(&map.rest).any(inside)
            })
    }

    /// Whether the engine could meet a value that is nested too deeply to print, or without end: namespaces can hold each other, and
    /// `loop` the items before and after.
    pub fn may_be_deep(&self) -> bool {
        self.opaque
            || !matches!(self.special, Special::None)
            || self.list.as_ref().is_some_and(|list| list.item.may_be_deep())
            || self.map.as_ref().is_some_and(|map| map.fields.iter().map(|(_, set)| set).chain(&map.rest).any(Set::may_be_deep))
    }

    /// A mistake was reported of something in it.
    pub fn any_poison(&self) -> bool {
        self.poison
            || self.list.as_ref().is_some_and(|list| list.item.any_poison())
            || self.map.as_ref().is_some_and(|map| map.fields.iter().map(|(_, set)| set).chain(&map.rest).any(Set::any_poison))
    }

    /// What a container keeps of a value: macros and `loop` live with the place they come from, and nobody needs them elsewhere.
    pub fn kept(&self) -> Set {
        let fleeting = matches!(self.special, Special::Macros(_) | Special::Loop(_) | Special::Mixed);
        let set = self.shallow();
        if fleeting { Set { special: Special::None, opaque: true, ..set } } else { set }
    }
}

fn both<T: Clone>(a: &Option<T>, b: &Option<T>, join: impl Fn(&T, &T) -> T) -> Option<T> {
    match (a, b) {
        (Some(a), Some(b)) => Some(join(a, b)),
        (a, b) => a.clone().or_else(|| b.clone()),
    }
}

fn join_words(a: &Text, b: &Text) -> Option<Rc<Vec<String>>> {
    let (a, b) = (a.words.as_ref()?, b.words.as_ref()?);
    let mut words: Vec<String> = a.to_vec();
    words.extend(b.iter().filter(|word| !a.contains(word)).cloned());
    (words.len() <= MOST_WORDS).then(|| Rc::new(words))
}

/// A field that only one of the two has is undefined in the other, unless anything may be there; where the other is closed, reading it
/// is a mistake.
fn join_maps(a: &Map, b: &Map, depth: usize) -> Map {
    let absent = |map: &Map| Set { undefined: true, ..map.rest.clone().unwrap_or_default() };
    let mut fields: Vec<(String, Set)> = Vec::new();
    let mut rest: Option<Set> = match (&a.rest, &b.rest) {
        (Some(a), Some(b)) => Some(a.join_at(b, depth)),
        (a, b) => a.clone().or_else(|| b.clone()),
    };
    for (name, set) in &a.fields {
        match b.fields.iter().find(|(known, _)| known == name) {
            Some((_, other)) => fields.push((name.clone(), set.join_at(other, depth))),
            None if b.closed => rest = Some(rest.unwrap_or_default().join_at(set, depth)),
            None => fields.push((name.clone(), set.join_at(&absent(b), depth))),
        }
    }
    for (name, set) in b.fields.iter().filter(|(name, _)| !a.fields.iter().any(|(known, _)| known == name)) {
        match a.closed {
            true => rest = Some(rest.unwrap_or_default().join_at(set, depth)),
            false => fields.push((name.clone(), set.join_at(&absent(a), depth))),
        }
    }
    Map { fields, closed: a.closed || b.closed, rest }
}
