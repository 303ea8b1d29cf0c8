//! Namespaces: the only values that change. All that one `namespace(…)` of the text makes are one to the checker, and their fields hold
//! whatever is set anywhere.

use super::super::tree::Expr;
use super::call::Args;
use super::scope::Env;
use super::set::{LONGEST, Set, Special};
use super::walk::{Namespace, Walk};
use std::rc::Rc;

impl<'t> Walk<'t, '_> {
    /// Something may have changed a namespace.
    pub fn forget_changes(&mut self, env: &mut Env<'t>) {
        self.changes += 1;
        env.forget(|place| place.mutable);
    }

    /// `namespace(…)`
    pub fn namespace(&mut self, env: &mut Env<'t>, expr: &'t Expr, args: &Args<'t>) -> Set {
        if args.plain.len() + args.named.len() > 0 && !args.plain.is_empty() && !args.named.is_empty() {
            self.fault(&expr.range, "wrong-argument", "`namespace` takes an object or names, not both".to_owned(), String::new());
            return Set::poison();
        }
        let Some(map) = self.fields(expr, args, "namespace") else { return Set::poison() };
        let at = expr.range.start;
        let number = self.namespaces.iter().position(|namespace| namespace.at == at).unwrap_or_else(|| {
            self.namespaces.push(Namespace { at, fields: Vec::new() });
            self.changed = true;
            // Fields that are there from the start are never undefined.
            if let Some(namespace) = self.namespaces.last_mut() {
                namespace.fields = map.fields.iter().map(|(name, _)| (name.clone(), Set::default())).collect();
            }
            self.namespaces.len() - 1
        });
        let given: Vec<String> = map.fields.iter().map(|(name, _)| name.clone()).collect();
        for (name, set) in map.fields {
            self.widen(number, &name, &set);
        }
        // What another call at this place makes may lack some.
        let absent: Vec<String> =
            self.namespaces[number].fields.iter().map(|(name, _)| name.clone()).filter(|name| !given.contains(name)).collect();
        for name in absent {
            self.widen(number, &name, &Set::undefined());
        }
        self.forget_changes(env);
        Set { special: Special::Namespaces(Rc::new(vec![number])), ..Set::default() }
    }

    /// `{% set ns.name = … %}`
    pub fn set_field(&mut self, env: &mut Env<'t>, owner: Set, object: &'t Expr, name: &str, set: Set) {
        match &owner.special {
            _ if owner.poison => {}
            Special::Namespaces(all) if Set { special: Special::None, ..owner.clone() }.is_empty() => {
                for number in all.iter() {
                    self.widen(*number, name, &set);
                }
                self.forget_changes(env);
            }
            _ => {
                let text = self.text(object);
                let message = format!("only a namespace has fields that can be set, and `{text}` is none");
                self.fault(&object.range, "wrong-type", message, format!("make it one: {{% set {text} = namespace() %}}"));
            }
        }
    }

    /// Adds values to a namespace's field. What still grows after some rounds is taken to be anything of its sort, so that it ends.
    fn widen(&mut self, number: usize, name: &str, set: &Set) {
        if set.any_poison() {
            // What made it so is reported; kept, it would hide other faults in the next round.
            return;
        }
        self.look(self.namespaces[number].fields.len() + self.namespaces.len());
        let namespace = &mut self.namespaces[number];
        let at = namespace.fields.iter().position(|(known, _)| known == name).unwrap_or_else(|| {
            namespace.fields.push((name.to_owned(), Set::undefined()));
            namespace.fields.len() - 1
        });
        let known = &namespace.fields[at].1;
        let mut joined = known.join(&set.kept()).kept();
        if joined == *known {
            return;
        }
        if self.round > 1 {
            if let (Some(new), Some(old)) = (&mut joined.number, &known.number)
                && new != old
            {
                new.exact = None;
                if new.size > old.size {
                    new.size = if new.size <= super::set::SUM { super::set::SUM } else { u128::MAX };
                }
            }
            if joined.text != known.text {
                joined.text = Set::text().text;
            }
            if let (Some(new), Some(old)) = (&mut joined.list, &known.list)
                && new != old
            {
                let new = Rc::make_mut(new);
                new.items = None;
                new.least = if new.least < old.least { 0 } else { new.least };
                new.most = LONGEST;
            }
        }
        self.changed |= joined != *known;
        self.namespaces[number].fields[at].1 = joined;
    }
}
