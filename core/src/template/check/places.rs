//! Places: what is known of a name and of the fields below it.

use super::super::tree::{Const, Expr, ExprKind};
use super::scope::{Env, Found, Place};
use super::set::{List, Map, Set, Special};
use super::walk::Walk;

impl<'t> Walk<'t, '_> {
    /// What a name stands for.
    pub fn found<'e>(&self, env: &'e Env<'t>, name: &str) -> Found<'e, 't> {
        env.scope.find(name, |count| self.look(count))
    }

    /// The place that a name stands for.
    pub fn find(&self, env: &Env<'t>, name: &str) -> Option<Place> {
        match self.found(env, name) {
            Found::Here(binding) => {
                let mutable = self.sets.get(binding.id).is_some_and(holds_namespace);
                return Some(binding.alias.clone().unwrap_or(Place { binding: binding.id, mutable, path: Vec::new() }));
            }
            Found::Hidden => return None,
            Found::Nowhere => {}
        }
        let root = self.roots.iter().position(|(known, _)| known == name)?;
        Some(Place { binding: root, mutable: false, path: Vec::new() })
    }

    /// The place that an expression reads, when it is a name with fields.
    pub fn place(&self, env: &Env<'t>, expr: &Expr) -> Option<Place> {
        let mut names = Vec::new();
        let mut at = expr;
        loop {
            match &at.kind {
                ExprKind::Name(name) => {
                    let mut place = self.find(env, name)?;
                    place.path.extend(names.into_iter().rev());
                    return Some(place);
                }
                ExprKind::Field(value, name) => {
                    names.push(name.clone());
                    at = value;
                }
                ExprKind::Item(value, key) => {
                    let ExprKind::Const(Const::Text(name)) = &key.kind else { return None };
                    names.push(name.clone());
                    at = value;
                }
                _ => return None,
            }
        }
    }

    /// What is known of a place.
    pub fn current(&self, env: &Env<'t>, place: &Place) -> Set {
        self.look(env.known());
        if let Some(set) = env.refined(place) {
            return set.clone();
        }
        match place.path.split_last() {
            None => self.sets.get(place.binding).cloned().unwrap_or_default(),
            Some((name, above)) => {
                let above = Place { path: above.to_vec(), ..place.clone() };
                self.field_of(&self.current(env, &above), name)
            }
        }
    }

    /// Notes what a condition said about a place. What has a value there is itself something.
    pub fn learn(&self, env: &mut Env<'t>, place: Place, set: Set) {
        if !set.undefined {
            for length in 0..place.path.len() {
                let above = Place { path: place.path[..length].to_vec(), ..place.clone() };
                let known = self.current(env, &above);
                if !known.is_sure() {
                    env.refine(above, known.sure());
                }
            }
        }
        env.refine(place, set);
    }

    /// A field's values, absent ones as undefined; says nothing.
    pub fn field_of(&self, set: &Set, name: &str) -> Set {
        let mut found = Set { poison: set.poison, opaque: set.opaque, ..Set::default() };
        if set.null
            || set.undefined
            || set.silent
            || set.text.is_some()
            || set.number.is_some()
            || set.yes
            || set.no
            || set.opaque
        {
            found.undefined = true;
        }
        if let Some(map) = &set.map {
            found = found.join(&in_map(map, name));
        }
        if let Some(list) = &set.list {
            // Groups of `groupby` have two names for their two items.
            found = found.join(&match (&list.items, name) {
                (Some(items), "grouper") if list.group => items[0].clone(),
                (Some(items), "list") if list.group => items[1].clone(),
                _ => Set::undefined(),
            });
        }
        match &set.special {
            Special::None => {}
            Special::Loop(map) => found = found.join(&in_map(map, name)),
            Special::Namespaces(all) => {
                self.look(all.iter().filter_map(|at| self.namespaces.get(*at)).map(|namespace| namespace.fields.len()).sum());
                for namespace in all.iter().filter_map(|at| self.namespaces.get(*at)) {
                    let field = namespace.fields.iter().find(|(known, _)| known == name);
                    found = found.join(&field.map_or(Set::undefined(), |(_, set)| set.clone()));
                }
            }
            Special::Macros(_) | Special::Function(_) | Special::Mixed => found = Set { undefined: true, opaque: true, ..found },
        }
        found
    }

    /// The situation has no such fact: null whatever the run.
    pub fn is_absent(&self, place: &Place) -> bool {
        let Some(root) = self.sets.get(place.binding) else { return false };
        let found = place.path.iter().try_fold(root.clone(), |set, name| (set != Set::null()).then(|| self.field_of(&set, name)));
        found == Some(Set::null())
    }

    /// Something in the set is known to have no field of that name, ever.
    pub fn lacks(&self, object: &Set, name: &str) -> bool {
        let lacking = |map: &Map| map.closed && !map.fields.iter().any(|(known, _)| known == name);
        object.map.as_ref().is_some_and(|map| lacking(map))
            || matches!(&object.special, Special::Loop(map) if lacking(map))
            || object.text.is_some()
            || object.number.is_some()
            || object.yes
            || object.no
            || object.list.as_ref().is_some_and(|_| self.field_of(&Set { map: None, ..object.clone().sure() }, name).undefined)
    }
}

pub(super) fn in_map(map: &Map, name: &str) -> Set {
    match map.fields.iter().find(|(known, _)| known == name) {
        Some((_, set)) => set.clone(),
        None => Set { undefined: true, ..map.rest.clone().unwrap_or_default() },
    }
}

/// What a list gives at an index.
pub(super) fn at_index(list: &List, index: Option<i64>) -> Set {
    let Some(index) = index else { return Set { undefined: true, ..list.item.clone() } };
    let from_end = index < 0;
    let steps = u128::from(index.unsigned_abs()) - u128::from(from_end);
    if let (Some(items), Ok(steps)) = (&list.items, usize::try_from(steps)) {
        let at = if from_end { items.len().checked_sub(steps + 1).filter(|_| list.sized) } else { Some(steps) };
        return at.and_then(|at| items.get(at)).cloned().unwrap_or_else(Set::undefined);
    }
    let item = list.item.clone();
    // From the end only where the end is known.
    if steps < list.least && (list.sized || !from_end) { item } else { Set { undefined: true, ..item } }
}

/// Whether something in it can be changed behind a condition's back.
fn holds_namespace(set: &Set) -> bool {
    let map_holds = |map: &Map| map.fields.iter().map(|(_, set)| set).chain(&map.rest).any(holds_namespace);
    matches!(set.special, Special::Namespaces(_) | Special::Mixed)
        || matches!(&set.special, Special::Loop(map) if map_holds(map))
        || set.opaque
        || set.list.as_ref().is_some_and(|list| holds_namespace(&list.item))
        || set.map.as_ref().is_some_and(|map| map_holds(map))
}
