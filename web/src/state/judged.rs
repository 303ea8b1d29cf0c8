//! What rules were held against, and what came of it as a person reads it: a verdict in words, and where each violation leads.

use crate::page::{Page, SessionSource, SessionView};
use crate::state::wording::{counted, number};
use proem_core::api::governance::{Invariant, LedgerQuery, StoredViolation};
use proem_core::assertion::{Report, RuleReport, Spot, Verdict, Violation};
use std::collections::HashMap;

/// The logs of a run, by what the report calls them.
#[derive(Clone, Debug, Default)]
pub struct Subjects {
    by_name: HashMap<String, SessionSource>,
    by_session: HashMap<String, SessionSource>,
}

impl Subjects {
    /// Adds a log and gives the name it has in the report: its own, with a number when another has it already.
    pub fn add(&mut self, name: &str, source: SessionSource, session: Option<&str>) -> String {
        let mut own = name.to_owned();
        let mut again = 1;
        while self.by_name.contains_key(&own) {
            again += 1;
            own = format!("{name} ({again})");
        }
        if let Some(session) = session {
            self.by_session.entry(session.to_owned()).or_insert_with(|| source.clone());
        }
        self.by_name.insert(own.clone(), source);
        own
    }

    /// The page of a place: its turn in its log; for a row whose log was not in the run, the ledger's rows of its session.
    pub fn leads(&self, spot: &Spot) -> Option<Page> {
        let by_file = spot.file.as_ref().and_then(|file| self.by_name.get(file));
        match by_file.or_else(|| spot.session.as_ref().and_then(|session| self.by_session.get(session))) {
            Some(source) => Some(turn(source.clone(), spot)),
            None => rows(spot),
        }
    }
}

fn turn(source: SessionSource, spot: &Spot) -> Page {
    Page::Session(SessionView { turn: spot.turn.clone(), ..SessionView::of(source) })
}

fn rows(spot: &Spot) -> Option<Page> {
    let session = spot.session.clone()?;
    Some(Page::Governance(Box::new(LedgerQuery { session: Some(session), ..LedgerQuery::default() })))
}

/// A rule with what came of it, ready to be shown.
#[derive(Clone, Debug, PartialEq)]
pub struct Judged {
    /// The rule's id.
    pub id: String,
    /// What it says.
    pub says: String,
    /// What came of it.
    pub verdict: Verdict,
    /// `judged on 12 turns`; empty where nothing was.
    pub evidence: String,
    /// All violations.
    pub violation_count: u64,
    /// Those that are listed.
    pub violations: Vec<Found>,
}

/// A violation, ready to be shown.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// `session-a.jsonl:3`; empty when the rule is about everything together.
    pub place: String,
    /// What is wrong; code stands in backticks.
    pub message: String,
    /// The address it leads to.
    pub href: Option<String>,
}

impl Judged {
    /// Of a rule that was run here.
    pub fn of(rule: &RuleReport, subjects: &Subjects) -> Judged {
        let found = |violation: &Violation| Found::of(violation, subjects.leads(&violation.spot));
        Judged {
            id: rule.id.clone(),
            says: rule.says.clone(),
            verdict: rule.verdict,
            evidence: evidence(rule.judged, &rule.over),
            violation_count: rule.violation_count,
            violations: rule.violations.iter().map(found).collect(),
        }
    }

    /// Of a rule that the server judged.
    pub fn of_server(rule: &Invariant) -> Judged {
        let found = |of: &StoredViolation| {
            let spot = &of.violation.spot;
            let page = match &of.stored {
                Some(stored) => Some(turn(SessionSource::Stored(stored.clone()), spot)),
                None => rows(spot),
            };
            Found::of(&of.violation, page)
        };
        Judged {
            id: rule.id.clone(),
            says: rule.statement.clone(),
            verdict: rule.verdict,
            evidence: rule.evidence.iter().map(|(over, judged)| evidence(*judged, over)).collect(),
            violation_count: rule.violation_count,
            violations: rule.violations.iter().map(found).collect(),
        }
    }
}

impl Found {
    fn of(violation: &Violation, page: Option<Page>) -> Found {
        Found { place: violation.spot.words(), message: violation.message.clone(), href: page.map(|page| page.to_url()) }
    }
}

fn evidence(judged: u64, over: &str) -> String {
    match judged {
        0 => String::new(),
        _ => format!("judged on {}", counted(judged, over.trim_end_matches('s'))),
    }
}

/// A verdict on screen.
pub fn verdict_words(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Holds => "Holds",
        Verdict::Violated => "Violated",
        Verdict::Nothing => "Nothing to judge",
    }
}

/// `3 hold, 1 is violated, 2 have nothing to judge`.
pub fn sum(verdicts: impl IntoIterator<Item = Verdict>) -> String {
    let (mut holds, mut violated, mut nothing) = (0, 0, 0);
    for verdict in verdicts {
        match verdict {
            Verdict::Holds => holds += 1,
            Verdict::Violated => violated += 1,
            Verdict::Nothing => nothing += 1,
        }
    }
    let verb = |count: u64, one: &'static str, many: &'static str| if count == 1 { one } else { many };
    let parts = [
        (holds, verb(holds, "holds", "hold")),
        (violated, verb(violated, "is violated", "are violated")),
        (nothing, verb(nothing, "has nothing to judge", "have nothing to judge")),
    ];
    let told: Vec<String> =
        parts.into_iter().filter(|(count, _)| *count > 0).map(|(count, words)| format!("{} {words}", number(count))).collect();
    if told.is_empty() { "There are no rules".to_owned() } else { told.join(", ") }
}

/// What a run read: `4 logs, 12 turns, 31 rows of the ledger`.
pub fn read(report: &Report) -> String {
    let rows = format!("{} of the ledger", counted(report.rows, "row"));
    [counted(report.logs, "log"), counted(report.turns, "turn"), rows].join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spot(session: Option<&str>, file: Option<&str>, turn: Option<&str>) -> Spot {
        let owned = |text: Option<&str>| text.map(str::to_owned);
        Spot { session: owned(session), file: owned(file), turn: owned(turn), ..Spot::default() }
    }

    #[test]
    fn a_place_leads_to_its_turn_or_to_its_rows() {
        let mut subjects = Subjects::default();
        let stored = |id: &str| SessionSource::Stored(id.to_owned());
        assert_eq!(subjects.add("a.jsonl", stored("1"), Some("s")), "a.jsonl");
        assert_eq!(subjects.add("a.jsonl", stored("2"), Some("t")), "a.jsonl (2)");
        assert_eq!(subjects.add("a.jsonl", SessionSource::Example, None), "a.jsonl (3)");
        let url = |spot: Spot| subjects.leads(&spot).map(|page| page.to_url());
        assert_eq!(url(spot(Some("s"), Some("a.jsonl"), Some("s@1"))).as_deref(), Some("/sessions/1?turn=s%401"));
        assert_eq!(url(spot(Some("t"), Some("a.jsonl (2)"), None)).as_deref(), Some("/sessions/2"));
        assert_eq!(url(spot(Some("t"), None, Some("t@1"))).as_deref(), Some("/sessions/2?turn=t%401"));
        assert_eq!(url(spot(Some("other"), None, None)).as_deref(), Some("/governance?session=other"));
        assert_eq!(url(Spot::default()), None);
    }

    #[test]
    fn sums_and_evidence_are_sentences() {
        use Verdict::{Holds, Nothing, Violated};
        assert_eq!(sum([Holds, Violated, Holds, Nothing]), "2 hold, 1 is violated, 1 has nothing to judge");
        assert_eq!(sum([Holds, Violated, Violated]), "1 holds, 2 are violated");
        assert_eq!(sum([]), "There are no rules");
        assert_eq!(
            [evidence(0, "turns"), evidence(1, "turns"), evidence(2_000, "rows")],
            ["", "judged on 1 turn", "judged on 2,000 rows"]
        );
    }
}
