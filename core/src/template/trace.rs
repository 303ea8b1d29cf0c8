//! One render looked at closely: which facts were read, which facts a printed value came from, and what every condition saw.

use super::coverage::wrap;
use super::engine::probe::{Event, Probe};
use super::engine::{Origin, OutputSpan};
use super::lexemes::{Lexeme, Role};
use super::logic::{Leaf, Logic, logic};
use super::shape::Shape;
use super::sites::{Captured, Site, SiteKind, Sites, sites};
use serde_json::Value;
use std::collections::HashMap;
use std::ops::Range;

/// A template made ready to be traced, to be kept where it is traced more than once.
pub struct Tracing {
    pub(super) sites: Vec<Site>,
    pub(super) captured: Vec<Captured>,
    pub(super) jumps: Vec<Range<usize>>,
    /// For each condition what it is made of; its leaves have ids from the map.
    pub(super) logic: HashMap<usize, Logic>,
    /// Ids of the calls around leaves and their sides, by their bytes.
    pub(super) values: HashMap<(usize, usize), usize>,
    /// Values that choose among what they read: that does not say what they came from.
    mixed: Vec<bool>,
    probe: Option<Probe>,
}

/// A read of a fact.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Read {
    /// With positions: `opening.messages[0].text`.
    pub path: String,
    /// It was more than null, an empty list or an empty text.
    pub there: bool,
}

/// What happened in one render. Nothing when that cannot be told: the text nests too deeply to be wrapped, or does too much.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    pub(super) events: Vec<Event>,
    pub(super) is_known: bool,
}

impl Tracing {
    /// Of a text that compiles.
    pub fn new(source: &str) -> Tracing {
        let Sites { lexemes, sites, captured, jumps } = sites(source);
        let mut calls = Vec::new();
        let mut conditions = HashMap::new();
        let mut values = HashMap::new();
        let mut next = sites.len();
        for (id, site) in sites.iter().enumerate() {
            let call = match site.kind {
                // These print by themselves, not by handing on a value.
                SiteKind::Print if matches!(first_word(source, &lexemes[site.tokens.clone()]), "loop" | "super" | "self") => {
                    continue;
                }
                SiteKind::Print => "__v",
                SiteKind::For => "__l",
                SiteKind::If | SiteKind::Elif | SiteKind::Inline | SiteKind::Filter(_) => "__b",
            };
            calls.push((site.range.clone(), format!("{call}(__o({id}),(")));
            if call == "__b" {
                let logic = logic(&lexemes[site.tokens.clone()]);
                for Leaf { range, left, right } in logic.leaves() {
                    for part in [Some(range), left.as_ref(), right.as_ref()].into_iter().flatten() {
                        calls.push((part.clone(), format!("__v(__o({next}),(")));
                        values.insert((part.start, part.end), next);
                        next += 1;
                    }
                }
                conditions.insert(id, logic);
            }
        }
        let mixed =
            sites.iter().map(|site| site.kind == SiteKind::Print && chooses(source, &lexemes[site.tokens.clone()])).collect();
        let probe = Probe::compile(wrap(source, calls), 0, HashMap::new());
        Tracing { sites, captured, jumps, logic: conditions, values, mixed, probe }
    }

    /// Renders once with facts of this shape.
    pub fn trace(&self, shape: &Shape, facts: &Value) -> Trace {
        let events = self.probe.as_ref().and_then(|probe| probe.trace(shape, facts));
        Trace { is_known: events.is_some(), events: events.unwrap_or_default() }
    }

    /// Names for each value among the spans of the same render the facts that it came from, where that is certain: the fact itself
    /// if it was printed unchanged, else the facts that its expression read, without those that only decided. A value made of nothing
    /// that was read there, such as a variable that was set before, keeps none.
    pub fn provenance(&self, trace: &Trace, spans: &mut [OutputSpan]) {
        let mut printed: HashMap<usize, Vec<Vec<String>>> = HashMap::new();
        for event in &trace.events {
            if let Event::Printed { id, seen, fact } = event
                && self.sites.get(*id).is_some_and(|site| site.kind == SiteKind::Print)
            {
                let facts = match fact {
                    Some(path) => vec![path.to_string()],
                    None if self.mixed[*id] => Vec::new(),
                    None => inputs(&trace.events, *seen, &self.sites),
                };
                printed.entry(*id).or_default().push(facts);
            }
        }
        let mut places: HashMap<(usize, usize), Vec<&mut OutputSpan>> = HashMap::new();
        for span in spans.iter_mut().filter(|span| span.origin == Origin::Expression) {
            places.entry((span.template.start, span.template.end)).or_default().push(span);
        }
        for (id, facts) in printed {
            let range = &self.sites[id].range;
            let spans = places.remove(&(range.start, range.end)).unwrap_or_default();
            // Text that is captured first has no span of its own; then the one is not sure to be the other.
            if spans.len() == facts.len() {
                spans.into_iter().zip(facts).for_each(|(span, facts)| span.facts = facts);
            }
        }
    }
}

/// Words whose value is one of those they are given.
const CHOOSING: [&str; 16] = [
    "and",
    "or",
    "default",
    "d",
    "first",
    "last",
    "min",
    "max",
    "select",
    "reject",
    "selectattr",
    "rejectattr",
    "random",
    "unique",
    "dict",
    "namespace",
];

fn chooses(source: &str, expression: &[Lexeme]) -> bool {
    let word = expression.iter().any(|lexeme| CHOOSING.contains(&&source[lexeme.range.clone()]));
    // A list or a map that is written out, and not a subscript.
    let before = std::iter::once(Role::Separator).chain(expression.iter().map(|lexeme| lexeme.role));
    let mut pairs = before.zip(expression);
    word || pairs.any(|(before, lexeme)| lexeme.role == Role::Open && !matches!(before, Role::Operand | Role::Close))
}

fn first_word<'a>(source: &'a str, expression: &[Lexeme]) -> &'a str {
    expression.first().map_or("", |first| &source[first.range.clone()])
}

/// The facts that went into the value seen at an event: what was read meanwhile, without what conditions read, and without the steps
/// to a fact further inside. Where the value was made by printing, as a macro's is, it came from what was printed.
fn inputs(events: &[Event], seen: usize, sites: &[Site]) -> Vec<String> {
    let Some(Event::Seen { from, .. }) = events.get(seen) else { return Vec::new() };
    let (mut read, mut inner): (Vec<String>, Option<Vec<String>>) = (Vec::new(), None);
    let decides = |id: usize| sites.get(id).is_some_and(|site| site.kind != SiteKind::Print);
    let mut at = seen;
    while at > *from {
        at -= 1;
        match &events[at] {
            Event::Seen { id, from, .. } if decides(*id) => at = *from,
            Event::Printed { seen, fact, .. } => {
                let facts = fact.as_ref().map_or_else(|| inputs(events, *seen, sites), |fact| vec![fact.to_string()]);
                inner.get_or_insert_default().extend(facts.into_iter().rev());
                at = if let Event::Seen { from, .. } = &events[*seen] { *from } else { at };
            }
            Event::Read { path, there: true } => read.push(path.to_string()),
            Event::Read { .. } | Event::Seen { .. } => {}
        }
    }
    let mut facts = inner.unwrap_or(read);
    facts.reverse();
    let mut kept: Vec<String> = Vec::new();
    for (position, path) in facts.iter().enumerate() {
        let is_step = |other: &String| other.strip_prefix(path.as_str()).is_some_and(|rest| rest.starts_with(['.', '[']));
        if !facts[position..].iter().any(is_step) && !kept.contains(path) {
            kept.push(path.clone());
        }
    }
    kept
}

impl Trace {
    /// The facts that were read, each once, in the order of their first read.
    pub fn reads(&self) -> Vec<Read> {
        let mut known = std::collections::HashSet::new();
        let mut reads = Vec::new();
        for event in &self.events {
            if let Event::Read { path, there } = event
                && known.insert(path)
            {
                reads.push(Read { path: path.to_string(), there: *there });
            }
        }
        reads
    }
}
