//! What a check found, put together over all situations: each fault once, with the situations it shows in.

use super::super::nearest::nearest;
use super::super::problem::{Places, Problem};
use super::{Contract, Text, spread};
use std::collections::HashMap;
use std::ops::Range;

/// Most problems that are told at once.
pub(super) const MOST_FINDINGS: usize = 200;

/// With more faults than this, no name is guessed any more.
const MOST_GUESSES: usize = 60;

/// A fault as one situation shows it.
pub(super) struct Finding {
    /// Where.
    pub range: Range<usize>,
    /// Machine name.
    pub code: &'static str,
    /// Sentence.
    pub message: String,
    /// What to do.
    pub suggestion: String,
    /// Situations it shows in, one bit each.
    pub situations: u64,
    /// It never blocks a save.
    pub warning: bool,
}

/// What happened at one place over all situations.
#[derive(Default)]
struct Seen {
    /// The fact there was null because the situation has none.
    absent: u64,
    /// It could be something.
    there: u64,
}

/// A way through an `if` or a loop.
struct Way {
    range: Range<usize>,
    taken: bool,
    is_loop: bool,
}

/// Everything found.
#[derive(Default)]
pub(super) struct Report {
    findings: Vec<Finding>,
    known: HashMap<(usize, usize, &'static str), usize>,
    facts: HashMap<(usize, usize), (Vec<String>, Seen)>,
    ways: Vec<Way>,
    way_at: HashMap<usize, usize>,
    /// Chains of kind tests without `else`: where they begin, and the situations they do nothing in.
    unserved: Vec<(Range<usize>, u64)>,
}

impl Report {
    /// Adds a fault of one situation.
    pub fn add(&mut self, finding: Finding) {
        let key = (finding.range.start, finding.range.end, finding.code);
        match self.known.get(&key) {
            Some(at) => self.findings[*at].situations |= finding.situations,
            None => {
                self.known.insert(key, self.findings.len());
                self.findings.push(finding);
            }
        }
    }

    /// How many faults were found.
    pub fn count(&self) -> usize {
        self.findings.len()
    }

    /// Whether names are still worth guessing: in a text with many faults that takes long.
    pub fn guesses(&self) -> bool {
        self.findings.len() < MOST_GUESSES
    }

    /// Whether there is a fault of that sort.
    pub fn has(&self, code: &str) -> bool {
        self.findings.iter().any(|finding| finding.code == code)
    }

    /// Whether a fault is known already; it then shows in this situation as well.
    pub fn again(&mut self, range: &Range<usize>, code: &'static str, situations: u64) -> bool {
        let known = self.known.get(&(range.start, range.end, code)).copied();
        if let Some(at) = known {
            self.findings[at].situations |= situations;
        }
        known.is_some()
    }

    /// Notes that a fact was read, and whether the situation has it at all.
    pub fn read(&mut self, range: &Range<usize>, path: Vec<String>, situation: u64, absent: bool) {
        let (_, seen) = self.facts.entry((range.start, range.end)).or_insert_with(|| (path, Seen::default()));
        *(if absent { &mut seen.absent } else { &mut seen.there }) |= situation;
    }

    /// Notes that an arm or a loop's body was or was not reached in one situation.
    pub fn way(&mut self, range: &Range<usize>, taken: bool, is_loop: bool) {
        let at = *self.way_at.entry(range.start).or_insert_with(|| {
            self.ways.push(Way { range: range.clone(), taken: false, is_loop });
            self.ways.len() - 1
        });
        self.ways[at].taken |= taken;
    }

    /// Notes that a chain of kind tests did nothing in a situation.
    pub fn unserved(&mut self, range: &Range<usize>, situation: u64) {
        match self.unserved.iter_mut().find(|(known, _)| known == range) {
            Some((_, situations)) => *situations |= situation,
            None => self.unserved.push((range.clone(), situation)),
        }
    }

    /// The problems, by place.
    pub fn problems(mut self, text: &Text, contract: &Contract) -> Vec<Problem> {
        let source = text.source;
        self.say_what_is_always_absent(source, contract);
        self.warn(contract);
        self.findings.sort_by_key(|finding| (finding.warning, finding.range.start, finding.range.end));
        self.cut();
        let facts = self.facts;
        let mut places = Places::new(source);
        let problem = |finding: Finding| {
            let Finding { range, code, mut message, suggestion, situations, warning } = finding;
            let reached = facts.get(&(range.start, range.end)).map_or(situations, |(_, seen)| seen.absent | seen.there);
            if situations & reached != reached && matches!(code, "null-printed" | "null-value" | "not-there") {
                message.push_str(&format!("; this happens in {}", contract.names(situations)));
            }
            let make = if warning { Places::warning } else { Places::error };
            let problem = make(&mut places, spread(&text.brackets, range), code, message);
            if suggestion.is_empty() { problem } else { problem.suggest(suggestion) }
        };
        self.findings.into_iter().map(problem).collect()
    }

    /// Nobody reads hundreds of problems: what is left out is said, and counted as far as it was looked for.
    fn cut(&mut self) {
        if self.findings.len() <= MOST_FINDINGS {
            return;
        }
        let rest = self.findings.split_off(MOST_FINDINGS);
        self.findings.push(Finding {
            range: rest[0].range.clone(),
            code: "more-problems",
            message: format!("there are at least {} more problems, which are not listed", rest.len()),
            suggestion: "mend those that are listed first".to_owned(),
            situations: 0,
            warning: rest.iter().all(|finding| finding.warning),
        });
    }

    /// Facts that no situation has in which their place is reached. What follows from that is not said again.
    fn say_what_is_always_absent(&mut self, source: &str, contract: &Contract) {
        let mut absent: Vec<_> = self.facts.iter().filter(|(_, (_, seen))| seen.absent != 0 && seen.there == 0).collect();
        absent.sort_by_key(|(range, _)| **range);
        let mut found = Vec::new();
        for ((start, end), (path, seen)) in absent {
            let name = path.join(".");
            found.push(Finding {
                range: *start..*end,
                code: "absent-here",
                message: format!(
                    "`{}` is always null here: this is only reached in {}",
                    &source[*start..*end],
                    contract.names(seen.absent)
                ),
                suggestion: match contract.names(contract.having(path)) {
                    kinds if kinds.is_empty() => String::new(),
                    kinds => format!("`{name}` is there in {kinds}"),
                },
                situations: seen.absent,
                warning: false,
            });
        }
        self.findings.retain(|finding| {
            !(matches!(finding.code, "null-printed" | "null-value" | "not-there")
                && found.iter().any(|absent| absent.range.start == finding.range.start && absent.range.end <= finding.range.end))
        });
        self.findings.extend(found);
        // A name that does not exist says all there is to say of its place.
        let unknown: Vec<_> =
            self.findings.iter().filter(|finding| finding.code == "unknown-field").map(|finding| finding.range.clone()).collect();
        self.findings.retain(|finding| finding.code != "not-there" || !unknown.contains(&finding.range));
    }

    fn warn(&mut self, contract: &Contract) {
        // A mistake in a condition says why it decides so.
        let told: Vec<Range<usize>> = self
            .findings
            .iter()
            .filter(|finding| !finding.warning || finding.code == "never-equal")
            .map(|finding| finding.range.clone())
            .collect();
        let is_told = |range: &Range<usize>| told.iter().any(|told| range.start <= told.start && told.end <= range.end);
        for way in self.ways.iter().filter(|way| !way.taken && !is_told(&way.range)) {
            let (message, suggestion) = match way.is_loop {
                true => ("this loop never has anything to loop over", "remove it, or move it to where the list can be filled"),
                false => (
                    "nothing ever gets here: no situation makes this condition decide so",
                    "check the condition, or remove this branch",
                ),
            };
            self.findings.push(Finding {
                range: way.range.clone(),
                code: "dead-branch",
                message: message.to_owned(),
                suggestion: suggestion.to_owned(),
                situations: 0,
                warning: true,
            });
        }
        let unserved = self.unserved.iter().filter(|_| !self.findings.iter().any(|finding| finding.code == "unknown-kind"));
        for (range, situations) in unserved.map(|(range, situations)| (range.clone(), *situations)).collect::<Vec<_>>() {
            self.findings.push(Finding {
                range,
                code: "unserved-kinds",
                message: format!("nothing is said here in {}", contract.names(situations)),
                suggestion: "add a branch for them or an {% else %}, unless that is meant".to_owned(),
                situations: 0,
                warning: true,
            });
        }
    }
}

/// "did you mean `x`?", when some known name is near.
pub(super) fn did_you_mean<'a>(name: &str, known: impl IntoIterator<Item = &'a str>, before: &str) -> String {
    nearest(name, known).map_or(String::new(), |near| format!("did you mean `{before}{near}`?"))
}
