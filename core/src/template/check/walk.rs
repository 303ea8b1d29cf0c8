//! One walk of a tree in one situation: its state, its limits, and how it reports.

use super::super::tree::{Expr, Macro, Stmt};
use super::absent::Absent;
use super::report::{Finding, MOST_FINDINGS, Report};
use super::scope::{Binding, Defined, Env, Place, Scope};
use super::set::Set;
use super::{Contract, Text};
use std::cell::Cell;
use std::collections::HashMap;
use std::ops::Range;
use std::rc::Rc;

/// Nodes that one check may visit; a text that needs more is refused, so that a check always ends soon.
pub(super) const MOST_STEPS: usize = 600_000;
/// As many names or fields looked through count as one node.
const LOOKED_THROUGH: usize = 32;
/// How deep the walk may call itself.
const MOST_LEVELS: usize = 300;
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
    pub whole: &'t Text<'t>,
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
    /// Macros being called, outermost first, and where each is called.
    pub calls: Vec<(&'t Macro, Range<usize>)>,
    /// Names that rounds of the innermost frame set, when it is a loop's; no others for the frames of the rest.
    pub rounds: Vec<Vec<String>>,
    /// The names that macros are handed from outside.
    pub closures: HashMap<*const Macro, Rc<Vec<String>>>,
    /// Why fields are undefined, by where they are read.
    pub absent: HashMap<(usize, usize), Absent>,
    /// How often something may have changed a namespace.
    pub changes: usize,
    /// The innermost loop can be left with `break`.
    pub broke: bool,
    /// The engine's recursion counter.
    pub depth: usize,
    /// Names that the text binds somewhere.
    pub bound: Rc<Vec<String>>,
    /// Steps that are left.
    steps: usize,
    /// Names and fields that were looked through since the last step.
    looked: Cell<usize>,
    level: usize,
    pub stopped: bool,
}

/// Walks the tree in one situation and reports.
pub(super) fn walk<'t>(
    whole: &'t Text<'t>,
    tree: &'t [Stmt],
    contract: &Contract,
    situation: usize,
    bound: &Rc<Vec<String>>,
    steps: &mut usize,
    report: &mut Report,
) {
    let mut namespaces = Vec::new();
    // With namespaces a value set late in the text may be read early, in the next round of a loop: go on until nothing is new.
    let rounds = if whole.source.contains("namespace") { MOST_ROUNDS } else { 0 };
    for round in 0..rounds {
        let mut walk = Walk::new(whole, contract, situation, None, bound.clone());
        walk.steps = *steps;
        walk.namespaces = std::mem::take(&mut namespaces);
        walk.round = round;
        walk.stmts(Env::new(), tree);
        *steps = walk.steps;
        namespaces = walk.namespaces;
        if !walk.changed || walk.stopped {
            break;
        }
    }
    let spent = *steps == 0;
    let mut walk = Walk::new(whole, contract, situation, Some(report), bound.clone());
    walk.steps = *steps;
    walk.namespaces = namespaces;
    walk.round = MOST_ROUNDS;
    if !spent {
        walk.stmts(Env::new(), tree);
    }
    if walk.changed || spent {
        walk.stop(&(0..0));
    }
    *steps = walk.steps;
}

impl<'t, 'r> Walk<'t, 'r> {
    fn new(
        whole: &'t Text<'t>,
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
            whole,
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
            rounds: vec![Vec::new()],
            closures: HashMap::new(),
            absent: HashMap::new(),
            changes: 0,
            broke: false,
            depth: 1,
            bound,
            steps: 0,
            looked: Cell::new(0),
            level: 0,
            stopped: false,
        }
    }

    /// Reports a fault.
    pub fn fault(&mut self, range: &Range<usize>, code: &'static str, mut message: String, suggestion: String) {
        let of_values = !matches!(code, "recursion" | "not-in-macro" | "earlier-round" | "unknown-field" | "unknown-name");
        if let Some((_, call)) = self.calls.last().filter(|(decl, _)| of_values && decl.name != "caller") {
            message += &format!(", when it is called as `{}`", self.whole.of(call));
        }
        let warning = !self.contract.situations[self.situation].required;
        let about = self.whole.source.get(range.clone()).is_some_and(|text| text.starts_with(self.contract.selector[0].as_str()));
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
            // More would help nobody, and take long.
            self.stopped |= !warning && report.count() > MOST_FINDINGS;
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
        let cost = 1 + self.looked.take() / LOOKED_THROUGH;
        self.steps = self.steps.saturating_sub(cost);
        if self.steps == 0 || self.level > MOST_LEVELS {
            self.stop(range);
        }
        !self.stopped
    }

    /// Counts names or fields that are looked through.
    pub fn look(&self, count: usize) {
        self.looked.set(self.looked.get() + count);
    }

    /// Whether it is not worth the trouble to put a fault into words: nobody listens, or it was said before.
    pub fn is_known(&mut self, range: &Range<usize>, code: &'static str) -> bool {
        let situations = 1 << self.situation;
        self.report.as_mut().is_none_or(|report| report.again(range, code, situations))
    }

    /// Whether names are still worth guessing.
    pub fn guesses(&self) -> bool {
        self.report.as_ref().is_some_and(|report| report.guesses())
    }

    /// Gives up, and says so.
    pub fn stop(&mut self, range: &Range<usize>) {
        if !std::mem::replace(&mut self.stopped, true) {
            let message = "this template is too tangled to be checked".to_owned();
            if self.report.as_mut().is_some_and(|report| report.has("too-complex")) {
                return;
            }
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
        self.whole.of(&expr.range)
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
        env.scope = env.scope.with(name, Binding { id, alias, condition, sure: true });
    }

    pub fn note_unserved(&mut self, range: &Range<usize>) {
        let situation = &self.contract.situations[self.situation];
        if let Some(report) = self.report.as_mut().filter(|_| situation.required) {
            report.unserved(range, 1 << self.situation);
        }
    }
}
