//! Why a place of a template is not in what it prints: the conditions around it, the first that kept it out, and the values that made
//! it so.

use super::engine::probe::Event;
use super::engine::{Context, Printing, Rendered, Template};
use super::lexemes::{TagKind, tags};
use super::problem::{Problem, line_and_column, widen};
use super::shape::Shape;
use super::sites::SiteKind;
use super::trace::{Trace, Tracing};
use serde::{Deserialize, Serialize};

mod reason;
mod sentence;

/// Whether a place was reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reach {
    /// It is in what the text prints.
    Printed,
    /// It was reached and printed nothing of its own there.
    Silent,
    /// A condition or a loop kept it out.
    NotReached,
    /// The text failed there or before it got there.
    Failed,
    /// It cannot be told.
    Unknown,
}

/// What a condition has to be for the place to be reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Wanted {
    /// True.
    True,
    /// False: the place is in its `else`, or behind it in its chain.
    False,
    /// Something to loop over.
    Items,
    /// Nothing to loop over: the place is in the loop's `else`.
    Empty,
}

/// A condition around the place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Condition {
    /// Byte range of its expression.
    pub range: (usize, usize),
    /// The line it begins in, from 1.
    pub line: u32,
    /// The expression.
    pub text: String,
    /// What it has to be.
    pub wanted: Wanted,
    /// How often it was so; more than once inside loops and macros.
    pub met: u32,
    /// How often it was not.
    pub missed: u32,
    /// What made it so, of the condition that kept the place out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reasons: Vec<Reason>,
}

/// A part of a condition that decided.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reason {
    /// Byte range of the part.
    pub range: (usize, usize),
    /// What it was: `` `opening.stop_reason` is null ``.
    pub text: String,
    /// In how many rounds.
    pub rounds: u32,
}

/// The answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Why {
    /// Whether it was reached.
    pub reach: Reach,
    /// The conditions around it, outermost first.
    pub conditions: Vec<Condition>,
    /// Position among them of the first that kept it out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub blocking: Option<usize>,
    /// The answer in a sentence.
    pub sentence: String,
}

/// Why the byte at `position` of `source` is not in what it prints with these facts. The position may be out of bounds or inside a
/// character.
pub fn why(source: &str, shape: &Shape, facts: &serde_json::Value, position: usize) -> Result<Why, Problem> {
    let template = Template::compile(source, Printing::Lenient)?;
    let tracing = Tracing::new(source);
    let trace = tracing.trace(shape, facts);
    Ok(tracing.why(source, &trace, &template.render(&Context::typed(shape, facts)), position))
}

impl Tracing {
    /// The same for a render that was traced; `rendered` is the template's own.
    pub fn why(&self, source: &str, trace: &Trace, rendered: &Result<Rendered, Problem>, position: usize) -> Why {
        let position = widen(source, position..position).start;
        let around = self.around(position);
        let mut conditions: Vec<Condition> =
            around.iter().map(|(id, wanted)| self.condition(source, trace, *id, *wanted)).collect();
        let first = conditions.iter().position(|condition| condition.met == 0);
        // One that was never looked at kept nothing out: something before it did.
        let blocking = first.filter(|at| conditions[*at].missed > 0);
        if let Some(at) = blocking {
            conditions[at].reasons = self.reasons(source, trace, around[at].0, around[at].1);
        }
        let mut why = Why { reach: Reach::NotReached, conditions, blocking, sentence: String::new() };
        match blocking {
            _ if !trace.is_known => {
                why.reach = Reach::Unknown;
                why.sentence = "This text nests too deeply or does too much to be looked into.".to_owned();
            }
            Some(at) => {
                let is_filter = matches!(self.sites[around[at].0].kind, SiteKind::Filter(_));
                why.sentence = sentence::blocked(&why.conditions[at], is_filter);
            }
            None => {
                let place = Place { source, position, tracing: self, trace, rendered };
                (why.reach, why.sentence) = sentence::reached(&place, first.is_some());
            }
        }
        why
    }

    /// The conditions around a place and what they have to be, outermost first.
    fn around(&self, position: usize) -> Vec<(usize, Wanted)> {
        let mut found = Vec::new();
        for (id, site) in self.sites.iter().enumerate() {
            let is_loop = site.kind == SiteKind::For;
            let arms = [
                (&site.yes, if is_loop { Wanted::Items } else { Wanted::True }),
                (&site.no, if is_loop { Wanted::Empty } else { Wanted::False }),
            ];
            for (range, wanted) in arms {
                let Some(range) = range.as_ref().filter(|range| range.contains(&position)) else { continue };
                let key = (range.start, std::cmp::Reverse(range.end));
                found.push((key, id, wanted));
                if wanted == Wanted::Items
                    && let Some(filter) = self.filter_of(id)
                {
                    found.push((key, filter, Wanted::True));
                }
            }
        }
        found.sort_by_key(|(key, ..)| *key);
        found.into_iter().map(|(_, id, wanted)| (id, wanted)).collect()
    }

    fn filter_of(&self, of: usize) -> Option<usize> {
        self.sites.iter().position(|site| site.kind == SiteKind::Filter(of))
    }

    fn condition(&self, source: &str, trace: &Trace, id: usize, wanted: Wanted) -> Condition {
        let range = self.sites[id].range.clone();
        let (mut met, mut missed) = (0, 0);
        for (_, yes) in self.rounds(trace, id, wanted) {
            let counted = if yes == matches!(wanted, Wanted::True | Wanted::Items) { &mut met } else { &mut missed };
            *counted += 1;
        }
        Condition {
            line: line_and_column(source, range.start).0,
            text: source[range.clone()].to_owned(),
            range: (range.start, range.end),
            wanted,
            met,
            missed,
            reasons: Vec::new(),
        }
    }

    /// The events in which a condition was seen, and what it was.
    pub(super) fn rounds(&self, trace: &Trace, id: usize, wanted: Wanted) -> Vec<(usize, bool)> {
        let filter = if wanted == Wanted::Empty { self.filter_of(id) } else { None };
        let mut rounds: Vec<(usize, bool)> = Vec::new();
        for (at, event) in trace.events.iter().enumerate() {
            match event {
                // A loop with a filter is empty until something passes.
                Event::Seen { id: seen, yes, .. } if *seen == id => rounds.push((at, *yes && filter.is_none())),
                Event::Seen { id: seen, yes: true, .. } if Some(*seen) == filter => {
                    if let Some(last) = rounds.last_mut() {
                        last.1 = true;
                    }
                }
                _ => {}
            }
        }
        rounds
    }
}

/// A place of a template and what is known of its render.
struct Place<'a> {
    source: &'a str,
    position: usize,
    tracing: &'a Tracing,
    trace: &'a Trace,
    rendered: &'a Result<Rendered, Problem>,
}

impl Place<'_> {
    /// The tag or text that it is in, as its bytes and what it is; nothing for comments and white space that is left out.
    fn tag(&self) -> Option<(std::ops::Range<usize>, TagKind<'_>)> {
        tags(self.source).into_iter().find(|tag| tag.range.contains(&self.position)).map(|tag| (tag.range, tag.kind))
    }

    /// Whether a place that is in no tag is in a comment.
    fn is_comment(&self) -> bool {
        let before = tags(self.source).into_iter().map(|tag| tag.range.end).filter(|end| *end <= self.position).max();
        let gap = &self.source[before.unwrap_or(0)..self.position];
        let open = gap.rfind("{#").is_some_and(|at| !gap[at..].contains("#}"));
        open || !self.source[self.position..].starts_with(char::is_whitespace)
    }
}
