//! Statements: walks a tree in one situation, arm by arm, and joins what is known where ways meet.

use super::super::engine::RECURSION_LIMIT;
use super::super::tree::{Arm, Expr, ExprKind, Macro, Stmt, Target};
use super::Contract;
use super::report::{Finding, Report};
use super::scope::{Binding, Defined, Env, Place, Scope};
use super::set::{LONGEST, Map, Set, Special};
use std::ops::Range;
use std::rc::Rc;

/// Nodes that one check may visit in one situation; a text that needs more is refused, so that a check always ends soon.
const MOST_STEPS: usize = 150_000;
/// How deep the walk may call itself.
const MOST_LEVELS: usize = 400;
/// How often a text with namespaces is walked until their fields stay as they are.
const MOST_ROUNDS: usize = 8;

/// The objects that one `namespace(…)` of the text makes.
pub(super) struct Namespace {
    /// Where the call stands.
    pub at: usize,
    /// Everything its fields are ever set to.
    pub fields: Vec<(String, Set)>,
}

/// One walk in one situation.
pub(super) struct Walk<'t, 'r> {
    pub source: &'t str,
    pub contract: &'r Contract,
    pub situation: usize,
    report: Option<&'r mut Report>,
    /// The facts, by name; their numbers are the first bindings'.
    pub roots: Vec<(String, Set)>,
    /// What each binding was bound to.
    pub sets: Vec<Set>,
    pub namespaces: Vec<Namespace>,
    /// A namespace's field got a value it did not have before.
    pub changed: bool,
    /// How often the text was walked before.
    pub round: usize,
    pub macros: Vec<Defined<'t>>,
    /// Macros being called, outermost first.
    pub calls: Vec<*const Macro>,
    /// The scopes those were defined in.
    pub outside: Vec<Scope<'t>>,
    /// `caller` was read.
    pub caller_read: bool,
    /// The engine's recursion counter.
    pub depth: usize,
    /// Names that the text binds somewhere.
    pub bound: Rc<Vec<String>>,
    steps: usize,
    level: usize,
    pub stopped: bool,
}

/// Walks the tree in one situation and reports.
pub(super) fn walk<'t>(
    source: &'t str,
    tree: &'t [Stmt],
    contract: &Contract,
    situation: usize,
    bound: &Rc<Vec<String>>,
    report: &mut Report,
) {
    let mut namespaces = Vec::new();
    // With namespaces a value set late in the text may be read early, in the next round of a loop: go on until nothing is new.
    let rounds = if source.contains("namespace") { MOST_ROUNDS } else { 0 };
    for round in 0..rounds {
        let mut walk = Walk::new(source, contract, situation, None, bound.clone());
        walk.namespaces = std::mem::take(&mut namespaces);
        walk.round = round;
        walk.stmts(Env::new(), tree);
        namespaces = walk.namespaces;
        if !walk.changed || walk.stopped {
            break;
        }
    }
    let mut walk = Walk::new(source, contract, situation, Some(report), bound.clone());
    walk.namespaces = namespaces;
    walk.round = MOST_ROUNDS;
    walk.stmts(Env::new(), tree);
    if walk.changed {
        walk.stop(&(0..0));
    }
}

impl<'t, 'r> Walk<'t, 'r> {
    fn new(
        source: &'t str,
        contract: &'r Contract,
        situation: usize,
        report: Option<&'r mut Report>,
        bound: Rc<Vec<String>>,
    ) -> Self {
        let shape = &contract.situations[situation].shape;
        let field = |name: &str| (name.to_owned(), shape.field(name).map_or(Set::undefined(), Set::from_shape));
        let roots: Vec<(String, Set)> = shape.names().map(field).collect();
        let sets = roots.iter().map(|(_, set)| set.clone()).collect();
        Walk {
            source,
            contract,
            situation,
            report,
            roots,
            sets,
            namespaces: Vec::new(),
            changed: false,
            round: 0,
            macros: Vec::new(),
            calls: Vec::new(),
            outside: Vec::new(),
            caller_read: false,
            depth: 1,
            bound,
            steps: 0,
            level: 0,
            stopped: false,
        }
    }

    /// Reports a fault.
    pub fn fault(&mut self, range: &Range<usize>, code: &'static str, message: String, suggestion: String) {
        let warning = !self.contract.situations[self.situation].required;
        let about = self.source.get(range.clone()).is_some_and(|text| text.starts_with(self.contract.selector[0].as_str()));
        if warning && !(about && code == "not-there") {
            // Other faults show in a required situation as well.
            return;
        }
        if warning {
            let (situation, object) = (&self.contract.situations[self.situation].name, &self.contract.selector[0]);
            let message = format!("this fails on {situation}, which sends no `{object}`");
            let suggestion = format!("ask for it first: {{% if {object} and {} == … %}}", self.contract.selector.join("."));
            self.add(range, "no-presence-guard", message, suggestion, true);
            // The render ends here, and says nothing of what would come.
            self.stopped = true;
            return;
        }
        self.add(range, code, message, suggestion, false);
    }

    /// Reports something worth a look.
    pub fn warn(&mut self, range: &Range<usize>, code: &'static str, message: String, suggestion: String) {
        self.add(range, code, message, suggestion, true);
    }

    fn add(&mut self, range: &Range<usize>, code: &'static str, message: String, suggestion: String, warning: bool) {
        let situations = 1 << self.situation;
        if let Some(report) = &mut self.report {
            report.add(Finding { range: range.clone(), code, message, suggestion, situations, warning });
        }
    }

    /// Notes that a fact was read.
    pub fn note_read(&mut self, range: &Range<usize>, place: &Place, absent: bool) {
        if !self.contract.situations[self.situation].required {
            return;
        }
        let situation = 1 << self.situation;
        if let Some(report) = &mut self.report {
            let path = std::iter::once(self.roots[place.binding].0.clone()).chain(place.path.iter().cloned()).collect();
            report.read(range, path, situation, absent);
        }
    }

    /// Notes which way was taken.
    pub fn note_way(&mut self, range: &Range<usize>, taken: bool, is_loop: bool) {
        if let Some(report) = &mut self.report {
            report.way(range, taken, is_loop);
        }
    }

    /// Counts a step; false when the text asks for too many.
    pub fn step(&mut self, range: &Range<usize>) -> bool {
        self.steps += 1;
        if self.steps > MOST_STEPS || self.level > MOST_LEVELS {
            self.stop(range);
        }
        !self.stopped
    }

    /// Gives up, and says so.
    fn stop(&mut self, range: &Range<usize>) {
        if !std::mem::replace(&mut self.stopped, true) {
            let message = "this template is too tangled to be checked".to_owned();
            self.add(range, "too-complex", message, "split its macros and expressions into simpler ones".to_owned(), false);
        }
    }

    /// Reports nothing until [`Walk::unsilence`] gets back what this returns.
    pub fn silence(&mut self) -> Option<&'r mut Report> {
        self.report.take()
    }

    /// Reports again.
    pub fn unsilence(&mut self, report: Option<&'r mut Report>) {
        self.report = report;
    }

    /// Runs `inner` one level deeper.
    pub fn deeper<T>(&mut self, inner: impl FnOnce(&mut Self) -> T) -> T {
        self.level += 1;
        let result = inner(self);
        self.level -= 1;
        result
    }

    /// The source text of an expression.
    pub fn text(&self, expr: &Expr) -> &'t str {
        self.source.get(expr.range.clone()).unwrap_or_default()
    }

    /// Binds a name.
    pub fn bind(
        &mut self,
        env: &mut Env<'t>,
        name: &str,
        set: Set,
        alias: Option<Place>,
        condition: Option<(&'t Expr, Scope<'t>)>,
    ) {
        let id = self.sets.len();
        self.sets.push(set);
        env.scope = env.scope.with(name, Binding { id, alias, condition });
    }

    /// Runs statements; nothing comes back when no way leads past them.
    pub fn stmts(&mut self, mut env: Env<'t>, stmts: &'t [Stmt]) -> Option<Env<'t>> {
        for stmt in stmts {
            env = self.deeper(|walk| walk.stmt(env, stmt))?;
            if self.stopped {
                return None;
            }
        }
        Some(env)
    }

    fn stmt(&mut self, mut env: Env<'t>, stmt: &'t Stmt) -> Option<Env<'t>> {
        match stmt {
            Stmt::Text(_) | Stmt::Refused(_) => {}
            Stmt::Print(expr) => {
                let set = self.eval(&mut env, expr);
                self.printed(set, expr);
            }
            Stmt::If { arms, otherwise } => return self.choose(env, arms, otherwise),
            Stmt::For { target, iter, filter, recursive, body, otherwise } => {
                if *recursive {
                    self.fault(
                        &iter.range,
                        "recursive-loop",
                        "a recursive loop can end in too deep recursion".to_owned(),
                        "write the loops one inside the other".to_owned(),
                    );
                }
                return self.repeat(env, target, iter, filter.as_ref(), body, otherwise);
            }
            Stmt::With(assignments, body) => {
                return self.framed(env, |walk, mut env| {
                    for (target, expr) in assignments {
                        let set = walk.eval(&mut env, expr);
                        walk.assign(&mut env, target, set, Some(expr), &expr.range);
                    }
                    walk.stmts(env, body)
                });
            }
            Stmt::Set(target, expr) => {
                let set = self.eval(&mut env, expr);
                self.assign(&mut env, target, set, Some(expr), &expr.range);
            }
            Stmt::SetBlock(target, filter, body) => {
                let before = env.clone();
                env = self.stmts(env, body).unwrap_or(before);
                let mut set = Set::text();
                let range = filter.as_ref().map_or(0..0, |filter| filter.range.clone());
                if let Some(filter) = filter {
                    set = self.block_filter(&mut env, filter, set);
                }
                self.assign(&mut env, target, set, None, &range);
            }
            Stmt::FilterBlock(filter, body) => {
                let before = env.clone();
                env = self.stmts(env, body).unwrap_or(before);
                let set = self.block_filter(&mut env, filter, Set::text());
                self.printed(set, filter);
            }
            Stmt::AutoEscape(enabled, body) => {
                let set = self.eval(&mut env, enabled);
                if !matches!(enabled.kind, ExprKind::Const(super::super::tree::Const::Bool(_))) || set.poison {
                    let fault = "`autoescape` takes true or false".to_owned();
                    self.fault(&enabled.range, "wrong-argument", fault, "skills are never escaped: remove it".to_owned());
                } else if set.yes {
                    let warning = "values are never escaped in a skill; inside `autoescape` some filters would be".to_owned();
                    self.warn(&enabled.range, "autoescape", warning, "remove the block".to_owned());
                }
                return self.stmts(env, body);
            }
            Stmt::Block(body) => return self.framed(env, |walk, env| walk.stmts(env, body)),
            Stmt::Macro(decl) => {
                let number = self.define(decl, env.scope.clone());
                let set = Set { special: Special::Macros(super::scope::Macros::one(number)), ..Set::default() };
                self.bind(&mut env, &decl.name, set, None, None);
            }
            Stmt::CallBlock(call, decl) => {
                let caller = self.define(decl, env.scope.clone());
                let set = self.call(&mut env, call, Some(caller));
                self.printed(set, call);
            }
            Stmt::Do(call) => {
                self.eval(&mut env, call);
            }
            Stmt::Break | Stmt::Continue => return None,
        }
        Some(env)
    }

    /// Remembers a macro with the scope its free names are read in.
    pub fn define(&mut self, decl: &'t Macro, scope: Scope<'t>) -> usize {
        let same = |known: &Defined| std::ptr::eq(known.decl, decl) && known.scope == scope;
        self.macros.iter().position(same).unwrap_or_else(|| {
            self.macros.push(Defined { decl, scope });
            self.macros.len() - 1
        })
    }

    /// The engine counts frames and macro calls, and gives up at its limit.
    pub fn enter(&mut self, range: &Range<usize>, frames: usize) {
        self.depth += frames;
        if self.depth > RECURSION_LIMIT {
            let message = "macros and loops are nested too deeply here".to_owned();
            self.fault(range, "recursion", message, "call fewer macros one inside the other".to_owned());
        }
    }

    /// Runs something in a frame of its own, whose names end with it.
    fn framed(&mut self, env: Env<'t>, inner: impl FnOnce(&mut Self, Env<'t>) -> Option<Env<'t>>) -> Option<Env<'t>> {
        let outer = env.scope.clone();
        self.enter(&(0..0), 1);
        let inside = env.named(outer.frame());
        let after = inner(self, inside);
        self.depth -= 1;
        after.map(|after| after.named(outer))
    }

    fn choose(&mut self, env: Env<'t>, arms: &'t [Arm], otherwise: &'t [Stmt]) -> Option<Env<'t>> {
        let before = env.scope.clone();
        let mut rest = Some(env);
        let mut after: Option<Env<'t>> = None;
        let mut served = false;
        for arm in arms {
            let Some(env) = rest.take() else { break };
            let (_, yes, no) = self.branch(env, &arm.condition);
            if self.stopped {
                return None;
            }
            self.note_way(&arm.condition.range, yes.is_some(), false);
            rest = no;
            if let Some(yes) = yes {
                served = true;
                let out = self.stmts(yes, &arm.body);
                after = self.meet(&before, after, out);
            }
        }
        if otherwise.is_empty() {
            if let [first, _, ..] = arms
                && !served
                && arms.iter().all(|arm| self.asks_for_kind(&arm.condition))
            {
                self.note_unserved(&first.condition.range);
            }
        } else if let Some(first) = otherwise.iter().find_map(stmt_range) {
            self.note_way(&first, rest.is_some(), false);
        }
        let out = rest.and_then(|rest| self.stmts(rest, otherwise));
        self.meet(&before, after, out)
    }

    /// A condition that mentions the selector.
    fn asks_for_kind(&self, condition: &Expr) -> bool {
        self.text(condition).contains(&self.contract.selector.join("."))
    }

    fn note_unserved(&mut self, range: &Range<usize>) {
        let situation = &self.contract.situations[self.situation];
        if let Some(report) = self.report.as_mut().filter(|_| situation.required) {
            report.unserved(range, 1 << self.situation);
        }
    }

    /// What is known where two ways meet. Names that one of them set get the values of both.
    pub fn meet(&mut self, before: &Scope<'t>, a: Option<Env<'t>>, b: Option<Env<'t>>) -> Option<Env<'t>> {
        let (mut a, b) = match (a, b) {
            (Some(a), Some(b)) => (a, b),
            (a, b) => return a.or(b),
        };
        if a.scope != b.scope {
            let mut names = a.scope.since(before);
            names.extend(b.scope.since(before).into_iter().filter(|name| !names.contains(name)).collect::<Vec<_>>());
            let joined: Vec<(String, Set)> = names
                .into_iter()
                .map(|name| (self.lookup(&a, &name).join(&self.lookup(&b, &name)), name))
                .map(|(set, name)| (name, set))
                .collect();
            a.scope = before.clone();
            a.agree(&b);
            for (name, set) in joined {
                self.bind(&mut a, &name, set, None, None);
            }
        } else {
            a.agree(&b);
        }
        Some(a)
    }

    /// The values of a name; undefined when it has none.
    pub fn lookup(&self, env: &Env<'t>, name: &str) -> Set {
        match self.find(env, name) {
            Some(place) => self.current(env, &place),
            None => super::call::FUNCTIONS
                .iter()
                .find(|known| **known == name)
                .map_or(Set::undefined(), |known| Set { special: Special::Function(known), ..Set::default() }),
        }
    }

    fn repeat(
        &mut self,
        mut env: Env<'t>,
        target: &'t Target,
        iter: &'t Expr,
        filter: Option<&'t Expr>,
        body: &'t [Stmt],
        otherwise: &'t [Stmt],
    ) -> Option<Env<'t>> {
        let list = self.eval(&mut env, iter);
        let list = self.iterated(list, iter);
        if self.stopped {
            return None;
        }
        let before = env.scope.clone();
        let place = self.place(&env, iter);
        env.forget(|place| place.mutable);
        let mut after = None;
        let mut ran = false;
        let (mut least, mut sized) = (list.least, list.sized);
        if list.most > 0 {
            let mut inside = env.clone().named(before.frame());
            if let Some(place) = place.as_ref().filter(|place| !place.mutable) {
                let full = self.current(&env, place).truthy();
                self.learn(&mut inside, place.clone(), full);
            }
            self.enter(&iter.range, 1);
            self.assign(&mut inside, target, list.item.clone(), None, &iter.range);
            let mut item = list.item.clone();
            let mut inside = Some(inside);
            if let Some(filter) = filter {
                (least, sized) = (0, true);
                let (_, yes, _) = inside.map(|inside| self.branch(inside, filter)).unwrap_or_default();
                if let (Some(yes), Target::Name(name)) = (&yes, target) {
                    item = self.lookup(yes, name);
                }
                inside = yes;
            }
            if let Some(mut inside) = inside {
                ran = true;
                let fields = loop_fields(&item, list.most, least, sized);
                let set = Set { special: Special::Loop(Rc::new(fields)), ..Set::default() };
                self.bind(&mut inside, "loop", set, None, None);
                // The item again: `loop` stands behind it in the engine's frame.
                if let Target::Name(name) = target
                    && name == "loop"
                {
                    self.bind(&mut inside, name, item, None, None);
                }
                self.stmts(inside, body);
            }
            self.depth -= 1;
            after = Some(env.clone());
        }
        self.note_way(&iter.range, ran, true);
        if !ran || least == 0 {
            let mut empty = env;
            if let Some(place) = place.filter(|place| filter.is_none() && !place.mutable) {
                let none = self.current(&empty, &place).falsy();
                self.learn(&mut empty, place, none);
            }
            let out = self.stmts(empty, otherwise);
            after = self.meet(&before, after, out);
        } else if let Some(first) = otherwise.iter().find_map(stmt_range) {
            self.note_way(&first, false, false);
        }
        after
    }

    /// Gives a value to a name, to several, or to a namespace's field.
    pub fn assign(&mut self, env: &mut Env<'t>, target: &'t Target, set: Set, expr: Option<&'t Expr>, range: &Range<usize>) {
        match target {
            Target::Name(name) => {
                let alias = expr.and_then(|expr| self.place(env, expr)).filter(|place| !place.mutable);
                let condition = expr.filter(|_| alias.is_none()).map(|expr| (expr, env.scope.clone()));
                self.bind(env, name, set.shallow(), alias, condition);
            }
            Target::Names(targets) => {
                let items = self.unpacked(set, targets.len(), range);
                for (target, item) in targets.iter().zip(items) {
                    self.assign(env, target, item, None, range);
                }
            }
            Target::Field(object, name) => {
                let owner = self.eval(env, object);
                self.set_field(env, owner, object, name, set);
            }
        }
    }
}

/// A statement's place, when it has one to point at.
fn stmt_range(stmt: &Stmt) -> Option<Range<usize>> {
    match stmt {
        Stmt::Text(range) => Some(range.clone()),
        Stmt::Print(expr) | Stmt::Do(expr) | Stmt::Set(_, expr) => Some(expr.range.clone()),
        Stmt::If { arms, .. } => arms.first().map(|arm| arm.condition.range.clone()),
        Stmt::For { iter, .. } => Some(iter.range.clone()),
        _ => None,
    }
}

/// The fields of `loop`.
fn loop_fields(item: &Set, most: u128, least: u128, sized: bool) -> Map {
    let most = most.min(LONGEST);
    let length = |set: Set| Set { undefined: !sized, ..set };
    let neighbour = Set { undefined: true, ..item.clone() };
    let fields = vec![
        ("index", Set::count(1, most)),
        ("index0", Set::count(0, most)),
        ("length", length(Set::count(least.max(1), most))),
        ("revindex", length(Set::count(1, most))),
        ("revindex0", length(Set::count(0, most))),
        ("first", Set::bool(true, most > 1)),
        ("last", Set::bool(true, most > 1 || !sized)),
        ("depth", Set::count(1, 200)),
        ("depth0", Set::count(0, 200)),
        ("previtem", neighbour.clone()),
        ("nextitem", neighbour),
    ];
    Map { fields: fields.into_iter().map(|(name, set)| (name.to_owned(), set)).collect(), closed: true, rest: None }
}
