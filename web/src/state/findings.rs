//! The faults of a text as a person reads them: the same fault in several samples is one finding.

use proem_core::opening::sample::Sample;
use proem_core::template::problem::{Problem, Severity};

/// One fault and the samples in which it appears.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The fault, as it was first met.
    pub problem: Problem,
    /// Names of samples, in the order met; empty when the fault does not depend on one.
    pub samples: Vec<String>,
}

impl Finding {
    /// "in 6 of 12 samples"; a few are named. None when the fault does not depend on a sample.
    pub fn where_met(&self) -> Option<String> {
        let all = Sample::all().count();
        match self.samples.len() {
            0 => None,
            1 => Some(format!("in the sample {}", self.samples[0])),
            count if count == all => Some(format!("in all {all} samples")),
            count @ 2..=3 => Some(format!("in {count} of {all} samples: {}", self.samples.join(", "))),
            count => Some(format!("in {count} of {all} samples")),
        }
    }
}

/// Puts faults together that differ in nothing but their sample; errors first, then by place.
pub fn findings(problems: &[Problem]) -> Vec<Finding> {
    let mut found: Vec<Finding> = Vec::new();
    for problem in problems {
        let same = |other: &&mut Finding| {
            let other = &other.problem;
            (other.severity, &other.code, &other.message, other.range, &other.suggestion)
                == (problem.severity, &problem.code, &problem.message, problem.range, &problem.suggestion)
        };
        match found.iter_mut().find(same) {
            Some(finding) => finding.samples.extend(problem.sample.clone()),
            None => found.push(Finding { problem: problem.clone(), samples: problem.sample.iter().cloned().collect() }),
        }
    }
    found.sort_by_key(|finding| (finding.problem.severity == Severity::Warning, finding.problem.range));
    found
}

/// "2 errors, 1 warning"; "No problems".
pub fn counted(findings: &[Finding]) -> String {
    let errors = findings.iter().filter(|finding| finding.problem.severity == Severity::Error).count();
    let words = |count: usize, word: &str| (count > 0).then(|| format!("{count} {word}{}", if count == 1 { "" } else { "s" }));
    let parts: Vec<String> = [words(errors, "error"), words(findings.len() - errors, "warning")].into_iter().flatten().collect();
    if parts.is_empty() { "No problems".to_owned() } else { parts.join(", ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(at: usize, sample: Option<&str>) -> Problem {
        Problem { sample: sample.map(str::to_owned), ..Problem::error("0123456789", at..at + 1, "undefined", "no such value") }
    }

    #[test]
    fn one_fault_in_several_samples_is_one_finding() {
        let found = findings(&[fault(4, Some("task-start/empty")), fault(1, None), fault(4, Some("task-start/populated"))]);
        assert_eq!(found.len(), 2);
        assert_eq!(found[0].where_met(), None);
        assert_eq!(found[1].where_met().unwrap(), "in 2 of 12 samples: task-start/empty, task-start/populated");
    }

    #[test]
    fn many_samples_are_counted() {
        let names: Vec<String> = Sample::all().map(|sample| sample.to_string()).collect();
        let some = |count: usize| findings(&names[..count].iter().map(|name| fault(0, Some(name))).collect::<Vec<_>>());
        assert_eq!(some(1)[0].where_met().unwrap(), "in the sample task-start/empty");
        assert_eq!(some(6)[0].where_met().unwrap(), "in 6 of 12 samples");
        assert_eq!(some(12)[0].where_met().unwrap(), "in all 12 samples");
    }

    #[test]
    fn errors_come_first_then_places() {
        let warning = Problem::warning("0123456789", 0..1, "w", "m");
        let found = findings(&[warning, fault(7, None), fault(2, None)]);
        assert_eq!(found.iter().map(|finding| finding.problem.range.0).collect::<Vec<_>>(), [2, 7, 0]);
        assert_eq!(counted(&found), "2 errors, 1 warning");
        assert_eq!((counted(&found[..1]), counted(&[])), ("1 error".to_owned(), "No problems".to_owned()));
    }
}
