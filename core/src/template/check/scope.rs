//! Names and what is known of them at one point of a template: scopes, and what conditions have ruled out.

use super::super::tree::{Expr, Macro};
use super::set::Set;
use std::rc::Rc;

/// Something that is read by name and cannot change while the name stands for it: a binding and fields below it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Place {
    /// The binding.
    pub binding: usize,
    /// It leads through a namespace, whose fields can be set anywhere.
    pub mutable: bool,
    /// Names below it.
    pub path: Vec<String>,
}

impl Place {
    /// The place of a field.
    pub fn field(&self, name: &str) -> Place {
        let mut path = self.path.clone();
        path.push(name.to_owned());
        Place { path, ..*self }
    }
}

/// What a name stands for.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Binding<'t> {
    /// Its number; a name that is set again gets another.
    pub id: usize,
    /// The place it is another name of.
    pub alias: Option<Place>,
    /// The condition it was set to, with the scope to read it in.
    pub condition: Option<(&'t Expr, Scope<'t>)>,
    /// The frame has the name on every way to here.
    pub sure: bool,
}

/// What a name stands for at one point.
pub(super) enum Found<'s, 't> {
    /// A binding.
    Here(&'s Binding<'t>),
    /// It is set outside of a macro, and the engine may not hand it in.
    Hidden,
    /// Nothing.
    Nowhere,
}

#[derive(Debug, PartialEq)]
enum Node<'t> {
    Name(String, Binding<'t>, Scope<'t>),
    /// Names that end together; those of a macro, with the names that are handed in from outside.
    Frame(Scope<'t>, Option<Rc<Vec<String>>>),
    Root,
}

/// The names that can be read at one point, innermost first. Cheap to keep a copy of.
#[derive(Clone, Debug)]
pub(super) struct Scope<'t>(Rc<Node<'t>>);

impl PartialEq for Scope<'_> {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

impl<'t> Scope<'t> {
    /// Without any name.
    pub fn root() -> Scope<'t> {
        Scope(Rc::new(Node::Root))
    }

    /// With a name more.
    pub fn with(&self, name: &str, binding: Binding<'t>) -> Scope<'t> {
        Scope(Rc::new(Node::Name(name.to_owned(), binding, self.clone())))
    }

    /// With a frame that ends as a whole.
    pub fn frame(&self) -> Scope<'t> {
        Scope(Rc::new(Node::Frame(self.clone(), None)))
    }

    /// With a macro's frame.
    pub fn macro_frame(&self, handed_in: Rc<Vec<String>>) -> Scope<'t> {
        Scope(Rc::new(Node::Frame(self.clone(), Some(handed_in))))
    }

    /// What a name stands for. `look` is told how many names were looked through.
    pub fn find(&self, name: &str, look: impl Fn(usize)) -> Found<'_, 't> {
        let mut at = self;
        let mut hidden = false;
        loop {
            look(1);
            match &*at.0 {
                Node::Name(known, ..) if hidden && known == name => return Found::Hidden,
                Node::Name(known, binding, _) if known == name => return Found::Here(binding),
                Node::Name(_, _, next) => at = next,
                Node::Frame(next, handed_in) => {
                    hidden |= handed_in.as_ref().is_some_and(|names| !names.iter().any(|known| known == name));
                    at = next;
                }
                Node::Root => return Found::Nowhere,
            }
        }
    }

    /// Whether the innermost frame has a name on every way to here.
    pub fn has(&self, name: &str) -> bool {
        let mut at = self;
        loop {
            match &*at.0 {
                Node::Name(known, binding, _) if known == name => return binding.sure,
                Node::Name(_, _, next) => at = next,
                _ => return false,
            }
        }
    }

    fn frame_node(&self) -> (*const Node<'t>, Option<&Scope<'t>>) {
        let mut at = self;
        loop {
            match &*at.0 {
                Node::Name(_, _, next) => at = next,
                Node::Frame(next, _) => return (Rc::as_ptr(&at.0), Some(next)),
                Node::Root => return (Rc::as_ptr(&at.0), None),
            }
        }
    }

    /// How the frame that `earlier` stood in looks from here; nothing when it is not one of the frames round this place.
    pub fn now(&self, earlier: &Scope<'t>) -> Option<&Scope<'t>> {
        let (wanted, _) = earlier.frame_node();
        let mut at = self;
        loop {
            let (frame, outer) = at.frame_node();
            if frame == wanted {
                return Some(at);
            }
            at = outer?;
        }
    }

    /// Every name, innermost first.
    pub fn names(&self) -> Vec<String> {
        let mut names = Vec::new();
        let mut at = self;
        loop {
            match &*at.0 {
                Node::Name(name, _, next) => {
                    names.push(name.clone());
                    at = next;
                }
                Node::Frame(next, _) => at = next,
                Node::Root => return names,
            }
        }
    }

    /// Names set in this scope since `earlier`, which it grew out of.
    pub fn since(&self, earlier: &Scope<'t>) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        let mut at = self;
        while at != earlier {
            match &*at.0 {
                Node::Name(name, _, next) => {
                    if !names.contains(name) {
                        names.push(name.clone());
                    }
                    at = next;
                }
                Node::Frame(next, _) => at = next,
                Node::Root => break,
            }
        }
        names
    }
}

/// Macros a value can be, by their numbers in the walk, so that values need not borrow the tree.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Macros(pub Rc<Vec<usize>>);

impl Macros {
    /// One macro.
    pub fn one(number: usize) -> Macros {
        Macros(Rc::new(vec![number]))
    }

    /// All of both.
    pub fn join(&self, other: &Macros) -> Macros {
        let mut all = self.0.to_vec();
        all.extend(other.0.iter().filter(|number| !self.0.contains(number)));
        Macros(Rc::new(all))
    }
}

/// A macro that was defined on the way to here.
pub(super) struct Defined<'t> {
    /// Its text.
    pub decl: &'t Macro,
    /// The scope its free names are read in.
    pub scope: Scope<'t>,
}

/// What is known at one point of a walk.
#[derive(Clone)]
pub(super) struct Env<'t> {
    /// Names.
    pub scope: Scope<'t>,
    /// Places about which conditions said more than their values do; later entries win.
    refined: Rc<Vec<(Place, Set)>>,
}

impl<'t> Env<'t> {
    /// At the start.
    pub fn new() -> Env<'t> {
        Env { scope: Scope::root(), refined: Rc::default() }
    }

    /// The same knowledge with other names.
    pub fn named(self, scope: Scope<'t>) -> Env<'t> {
        Env { scope, ..self }
    }

    /// About how many places conditions said something.
    pub fn known(&self) -> usize {
        self.refined.len()
    }

    /// What conditions said about a place.
    pub fn refined(&self, place: &Place) -> Option<&Set> {
        self.refined.iter().rev().find(|(known, _)| known == place).map(|(_, set)| set)
    }

    /// Notes what a condition said about a place.
    pub fn refine(&mut self, place: Place, set: Set) {
        let refined = Rc::make_mut(&mut self.refined);
        refined.retain(|(known, _)| *known != place);
        refined.push((place, set));
    }

    /// Takes over what another says about places that pass the test, of which nothing is known here.
    pub fn keep(&mut self, other: &Env<'t>, stays: impl Fn(&Place) -> bool) {
        if other.refined.iter().any(|(place, _)| stays(place)) {
            Rc::make_mut(&mut self.refined).extend(other.refined.iter().filter(|(place, _)| stays(place)).cloned());
        }
    }

    /// Forgets what conditions said about places that pass the test.
    pub fn forget(&mut self, changed: impl Fn(&Place) -> bool) {
        if self.refined.iter().any(|(place, _)| changed(place)) {
            Rc::make_mut(&mut self.refined).retain(|(place, _)| !changed(place));
        }
    }

    /// What both ways into a point agree on, names aside.
    pub fn agree(&mut self, other: &Env<'t>) {
        if Rc::ptr_eq(&self.refined, &other.refined) {
            return;
        }
        let both = |(place, set): &(Place, Set)| other.refined(place).map(|other| (place.clone(), set.join(other)));
        self.refined = Rc::new(self.refined.iter().filter_map(both).collect());
    }
}
