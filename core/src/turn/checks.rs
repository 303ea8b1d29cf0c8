//! The checks of answers and messages: a table of what must not be in a text (specs: system-opened-turns, 3.3). No model is asked.
//! A reason names the pattern and never what was found.

use super::Verdict;
use super::config::fold;
use super::state::CheckState;
use super::steps::OUTPUT_SAFETY;
use super::write::ANSWER_LIMIT;
use crate::context::preface::could_close;
use crate::log::counted;

/// The reason of a row when nothing was found.
pub(super) const NOTHING: &str = "nothing matched";

/// What the organisation's own lists say (`config/response_checks.yaml`).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ResponseChecks {
    /// Values that no answer and no message may hold.
    pub secrets: Vec<String>,
    /// Phrases that no answer may hold, however they are capitalised.
    pub forbidden: Vec<String>,
    /// What the output check looks for.
    pub output: Vec<OutputPhrase>,
}

/// An entry of the output check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutputPhrase {
    /// What it looks for, however it is capitalised.
    pub phrase: String,
    /// Warn, retry or halt.
    pub verdict: Verdict,
    /// Why, in the organisation's words.
    pub reason: String,
}

/// What a check found.
pub(super) struct Finding {
    pub verdict: Verdict,
    /// The pattern's name.
    pub pattern: &'static str,
    /// A text for the ledger, which ends with the pattern's name in brackets.
    pub reason: String,
}

/// A row of the table.
struct Pattern {
    name: &'static str,
    /// What it looks for, to follow "the answer ": also its reason.
    finds: &'static str,
    verdict: Verdict,
    /// Whether typed messages are looked through for it, too.
    screens: bool,
    test: fn(&ResponseChecks, &str) -> Hit,
    /// How it is set up; nothing where there is nothing to set.
    setting: fn(&ResponseChecks) -> Option<usize>,
}

/// Whether a pattern is in a text.
enum Hit {
    No,
    Yes,
    /// By the entry of a list, from 0.
    Entry(usize),
}

impl From<bool> for Hit {
    fn from(found: bool) -> Hit {
        if found { Hit::Yes } else { Hit::No }
    }
}

impl From<Option<usize>> for Hit {
    fn from(entry: Option<usize>) -> Hit {
        entry.map_or(Hit::No, Hit::Entry)
    }
}

const fn halts(name: &'static str, finds: &'static str, test: fn(&ResponseChecks, &str) -> Hit) -> Pattern {
    Pattern { name, finds, verdict: Verdict::Halt, screens: false, test, setting: |_| None }
}

/// All patterns. The first that halts decides; without one the first that warns.
const PATTERNS: [Pattern; 8] = [
    halts("empty", "is empty", |_, text| text.trim().is_empty().into()),
    Pattern { screens: true, ..halts("aws_key", "holds an AWS access key", |_, text| has_aws_key(text).into()) },
    Pattern {
        screens: true,
        ..halts("private_key", "holds the header of a private key", |_, text| has_private_key(text).into())
    },
    Pattern {
        screens: true,
        setting: |checks| Some(checks.secrets.len()),
        ..halts("org_secret", "holds a secret of this organisation", |checks, text| {
            checks.secrets.iter().position(|secret| text.contains(secret.as_str())).into()
        })
    },
    Pattern {
        setting: |checks| Some(checks.forbidden.len()),
        ..halts("forbidden", "holds a phrase that this organisation forbids", |checks, text| {
            position_folded(&checks.forbidden, text).into()
        })
    },
    halts("template", "holds a template tag that was not rendered", |_, text| {
        ["{{", "{%", "{#"].iter().any(|opener| text.contains(opener)).into()
    }),
    halts("envelope", "closes an envelope of retrieved content", |_, text| could_close(text).into()),
    Pattern {
        verdict: Verdict::Warn,
        ..halts("long", "is longer than 16,384 characters, so that the log cuts it", |_, text| {
            text.char_indices().nth(ANSWER_LIMIT).is_some().into()
        })
    },
];

impl ResponseChecks {
    /// What the response check finds in an answer.
    pub(super) fn check(&self, answer: &str) -> Option<Finding> {
        self.first("the answer", answer, |pattern| pattern.verdict == Verdict::Halt)
            .or_else(|| self.first("the answer", answer, |pattern| pattern.verdict != Verdict::Halt))
    }

    /// What the input screen finds in a typed message: secrets only.
    pub(super) fn screen(&self, message: &str) -> Option<Finding> {
        self.first("the message", message, |pattern| pattern.screens)
    }

    fn first(&self, what: &str, text: &str, asked: impl Fn(&Pattern) -> bool) -> Option<Finding> {
        PATTERNS.iter().filter(|pattern| asked(pattern)).find_map(|pattern| {
            let entry = match (pattern.test)(self, text) {
                Hit::No => return None,
                Hit::Yes => String::new(),
                Hit::Entry(at) => format!(", entry {} of its list", at + 1),
            };
            let reason = format!("{what} {}{entry} ({})", pattern.finds, pattern.name);
            Some(Finding { verdict: pattern.verdict, pattern: pattern.name, reason })
        })
    }

    /// Whether the organisation has an output check.
    pub(super) fn has_output(&self) -> bool {
        !self.output.is_empty()
    }

    /// What the output check finds in an answer: of the entries that are in it, the first that halts, else the first.
    pub(super) fn check_output(&self, answer: &str) -> Option<Finding> {
        let answer = fold(answer);
        let found: Vec<&OutputPhrase> = self.output.iter().filter(|entry| answer.contains(&fold(&entry.phrase))).collect();
        let entry = found.iter().find(|entry| entry.verdict == Verdict::Halt).or(found.first())?;
        Some(Finding { verdict: entry.verdict, pattern: OUTPUT_SAFETY, reason: entry.reason.clone() })
    }

    /// All checks, for a screen.
    pub(super) fn states(&self) -> Vec<CheckState> {
        let state = |name: &str, label: String, entries: Option<usize>, what: &str| CheckState {
            name: name.to_owned(),
            label,
            on: entries != Some(0),
            value: entries.map(|count| counted(count as u64, what)),
        };
        let mut all: Vec<CheckState> = PATTERNS
            .iter()
            .map(|pattern| {
                let also = if pattern.screens { "; typed messages are looked through for it, too" } else { "" };
                let label = format!("An answer that {}{also}", pattern.finds);
                let what = if pattern.name == "org_secret" { "secret" } else { "phrase" };
                state(pattern.name, label, (pattern.setting)(self), what)
            })
            .collect();
        let label = "What the organisation looks for in answers whose opener or intercept says guard_output".to_owned();
        all.push(state(OUTPUT_SAFETY, label, Some(self.output.len()), "phrase"));
        all
    }
}

/// `AKIA` and sixteen capitals or digits.
fn has_aws_key(text: &str) -> bool {
    text.match_indices("AKIA").any(|(at, start)| {
        let rest = &text.as_bytes()[at + start.len()..];
        rest.len() >= 16 && rest[..16].iter().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit())
    })
}

/// `-----BEGIN … PRIVATE KEY-----` inside one line.
fn has_private_key(text: &str) -> bool {
    text.lines().any(|line| line.find("-----BEGIN ").is_some_and(|at| line[at..].contains("PRIVATE KEY-----")))
}

/// Which of the phrases a text holds, compared case-folded.
fn position_folded(phrases: &[String], text: &str) -> Option<usize> {
    if phrases.is_empty() {
        return None;
    }
    let text = fold(text);
    phrases.iter().position(|phrase| text.contains(&fold(phrase)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_answer_is_halted() {
        for answer in ["", " ", "\n\t\u{a0}\u{2028}"] {
            let finding = ResponseChecks::default().check(answer).unwrap();
            assert_eq!((finding.verdict, finding.reason.as_str()), (Verdict::Halt, "the answer is empty (empty)"));
        }
        assert!(ResponseChecks::default().check("x").is_none());
        assert!(ResponseChecks::default().screen("").is_none());
    }
}
