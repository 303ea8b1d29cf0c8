//! Which arms of a template's conditions and loops a set of contexts reaches (specs: engine notes, section 8). Conditions are wrapped,
//! never bodies, so that white space is what it is; what is shown of a template always comes from the template itself.

use super::engine::probe::{Arms, NO, Probe, YES};
use super::engine::{Context, Printing, Template};
use super::problem::{Places, Problem};
use super::sites::{Site, SiteKind, sites};
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// A way that a condition or a loop can go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ArmKind {
    /// The condition is true.
    True,
    /// The condition is false.
    False,
    /// The loop's body is run.
    Items,
    /// There is nothing to loop over, or nothing that its filter lets pass.
    Empty,
}

/// What decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Construct {
    /// `{% if … %}`
    If,
    /// `{% elif … %}`
    Elif,
    /// `… if … else …` inside a tag.
    Inline,
    /// `{% for … %}`
    For,
}

/// One way, and who went it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Arm {
    /// Byte range of the condition, or of what a loop goes through.
    pub condition: (usize, usize),
    /// The line it begins in, from 1.
    pub line: u32,
    /// What it is a condition of.
    pub construct: Construct,
    /// Which way.
    pub kind: ArmKind,
    /// No text stands for it: there is no `else`.
    pub implied: bool,
    /// Byte range of the text that stands for it; absent for an implied arm, and where an `elif` follows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body: Option<(usize, usize)>,
    /// Positions of the contexts that reached it, rising.
    pub samples: Vec<u32>,
}

/// The arms of a template, in the order of their conditions.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Coverage {
    /// All of them.
    pub arms: Vec<Arm>,
    /// Why they could not be found out, as a sentence; then there are none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub disabled: Option<String>,
}

impl Coverage {
    /// The arms that nobody reached, without those that could not be reached because of another of them.
    pub fn never(&self) -> Vec<&Arm> {
        let unreached = |arm: &&Arm| arm.samples.is_empty() && (arm.implied || arm.body.is_some());
        let inside = |arm: &Arm, outer: &Arm| {
            outer.body.is_some_and(|(from, to)| (from..to).contains(&arm.condition.0)) && outer.condition != arm.condition
        };
        let all: Vec<&Arm> = self.arms.iter().filter(unreached).collect();
        all.iter().copied().filter(|arm| !all.iter().any(|outer| inside(arm, outer))).collect()
    }
}

/// Which arms of a text each of some contexts reaches. Arms are counted up to where a render fails.
pub fn coverage(source: &str, contexts: &[&Context]) -> Result<Coverage, Problem> {
    let template = Template::compile(source, Printing::Lenient)?;
    let covering = Covering::new(source);
    let reached: Vec<Reached> = contexts
        .iter()
        .map(|context| covering.reached(context, template.render(context).ok().as_ref().map(|rendered| rendered.text.as_str())))
        .collect();
    Ok(covering.coverage(&reached.iter().collect::<Vec<_>>()))
}

/// A template made ready to be covered, to be kept where contexts come one by one.
pub struct Covering {
    sites: Vec<Site>,
    lines: Vec<u32>,
    probe: Option<Probe>,
}

/// What one context reached.
#[derive(Clone, Debug)]
pub struct Reached(Result<Arms, &'static str>);

impl Covering {
    /// Of a text that compiles.
    pub fn new(source: &str) -> Covering {
        let sites = sites(source).sites;
        // A filter belongs to its loop: its index stays.
        let calls = sites.iter().enumerate().filter_map(|(id, site)| {
            let name = match site.kind {
                SiteKind::Print => return None,
                SiteKind::For => "__l",
                SiteKind::If | SiteKind::Elif | SiteKind::Inline | SiteKind::Filter(_) => "__b",
            };
            Some((site.range.clone(), format!("{name}({id},(")))
        });
        let loop_of = sites.iter().enumerate().filter_map(|(id, site)| match site.kind {
            SiteKind::Filter(of) => Some((id, of)),
            _ => None,
        });
        let probe = Probe::compile(wrap(source, calls.collect()), sites.len(), loop_of.collect());
        let mut places = Places::new(source);
        let lines = sites.iter().map(|site| places.line(site.range.start)).collect();
        Covering { sites, lines, probe }
    }

    /// What a context reaches. `text` is what the template itself prints with it; `None` when it fails.
    pub fn reached(&self, context: &Context, text: Option<&str>) -> Reached {
        let Some(probe) = &self.probe else { return Reached(Err("nested too deeply to be measured")) };
        let (arms, printed) = probe.arms(context);
        let same = text.is_none() || text == printed.as_deref();
        Reached(if same { Ok(arms) } else { Err("measuring changes what this text prints, so it is not measured") })
    }

    /// The arms, reached by contexts in this order.
    pub fn coverage(&self, reached: &[&Reached]) -> Coverage {
        let mut arms = Vec::with_capacity(reached.len());
        for reached in reached {
            match &reached.0 {
                Ok(found) => arms.push(found),
                Err(reason) => return Coverage { arms: Vec::new(), disabled: Some((*reason).to_owned()) },
            }
        }
        let mut order: Vec<usize> = (0..self.sites.len()).collect();
        order.sort_by_key(|id| self.sites[*id].range.start);
        let mut coverage = Coverage::default();
        for id in order {
            let site = &self.sites[id];
            let construct = match site.kind {
                SiteKind::Print | SiteKind::Filter(_) => continue,
                SiteKind::For => Construct::For,
                SiteKind::If => Construct::If,
                SiteKind::Elif => Construct::Elif,
                SiteKind::Inline => Construct::Inline,
            };
            let is_loop = construct == Construct::For;
            let (yes, no) = if is_loop { (ArmKind::Items, ArmKind::Empty) } else { (ArmKind::True, ArmKind::False) };
            for (kind, bit, body) in [(yes, YES, &site.yes), (no, NO, &site.no)] {
                let samples = arms.iter().zip(0..).filter(|(arms, _)| arms.get(id).is_some_and(|arms| arms & bit != 0));
                let range = &site.range;
                coverage.arms.push(Arm {
                    condition: (range.start, range.end),
                    line: self.lines[id],
                    construct,
                    kind,
                    implied: body.is_none(),
                    body: body.clone().filter(|_| bit == YES || !site.chained).map(|range| (range.start, range.end)),
                    samples: samples.map(|(_, at)| at).collect(),
                });
            }
        }
        coverage
    }
}

/// Puts calls around parts of a text. The parts do not overlap, but one may hold another; of two with the same bytes the first holds
/// the second.
pub(super) fn wrap(source: &str, mut calls: Vec<(Range<usize>, String)>) -> String {
    // Stable: of the same bytes the first opens first.
    calls.sort_by_key(|(range, _)| (range.start, std::cmp::Reverse(range.end)));
    let mut wrapped = String::with_capacity(source.len() + calls.len() * 16);
    let mut open: Vec<usize> = Vec::new();
    let mut at = 0;
    // Parts that overlap after all would make a copy that does not compile, never a panic.
    let between = |from: usize, to: usize| source.get(from..to).unwrap_or_default();
    let close = |wrapped: &mut String, at: &mut usize, end: usize| {
        wrapped.push_str(between(*at, end));
        wrapped.push_str("))");
        *at = end;
    };
    for (range, call) in calls {
        while let Some(end) = open.pop_if(|end| *end <= range.start) {
            close(&mut wrapped, &mut at, end);
        }
        wrapped.push_str(between(at, range.start));
        wrapped.push_str(&call);
        at = range.start;
        open.push(range.end);
    }
    while let Some(end) = open.pop() {
        close(&mut wrapped, &mut at, end);
    }
    wrapped.push_str(between(at, source.len()));
    wrapped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_stand_around_expressions_and_nowhere_else() {
        // The example of the engine notes, section 8.
        let source = "A {%- if a and (b or not c) -%}  x {%- elif d == 'k' +%}\n y{% else %} z {% endif %}\n{% for i in xs if i > 1 %}…{% else %}none{% endfor %}{% raw %}{% if q %}{% endraw %}";
        let calls =
            sites(source).sites.iter().enumerate().map(|(id, site)| (site.range.clone(), format!("__b({id},("))).collect();
        let wanted = "A {%- if __b(0,(a and (b or not c))) -%}  x {%- elif __b(1,(d == 'k')) +%}\n y{% else %} z {% endif %}\n{% for i in __b(2,(xs)) if __b(3,(i > 1)) %}…{% else %}none{% endfor %}{% raw %}{% if q %}{% endraw %}";
        assert_eq!(wrap(source, calls), wanted);
    }

    #[test]
    fn inline_ifs_in_inline_ifs() {
        let source = "{{ f(1 if a else 2, x=(3 if (4 if b else c) else 5)) if d else 6 if e }}";
        let calls = sites(source)
            .sites
            .into_iter()
            .filter(|site| site.kind == SiteKind::Inline)
            .map(|site| (site.range, "<(".to_owned()));
        let wanted = "{{ f(1 if <(a)) else 2, x=(3 if <((4 if <(b)) else c))) else 5)) if <(d)) else 6 if <(e)) }}";
        assert_eq!(wrap(source, calls.collect()), wanted);
    }
}
