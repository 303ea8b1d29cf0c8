//! Validation of a text before it is saved: guard and parse, the static check, all samples in strict mode, then what is only worth a
//! look (specs: opening, section 6).

use super::compose::PartSource;
use super::facts::Facts;
use super::sample::Sample;
use super::shape::contract;
use super::suggest::with_suggestion;
use crate::template::check::check_tree;
use crate::template::coverage::{Arm, ArmKind, Construct, coverage};
use crate::template::engine::parse::parse;
use crate::template::engine::{Context, Printing, Template};
use crate::template::guard::{dashes, invisible};
use crate::template::problem::{Problem, Severity};
use std::sync::OnceLock;

/// A sample with its facts, made once.
pub struct PreparedSample {
    /// Which.
    pub sample: Sample,
    /// With `opening`.
    pub facts: Facts,
    /// The same, ready to render.
    pub context: Context,
    /// Without `opening`, ready to render.
    pub old_server: Context,
}

/// All twelve samples, in the order of [`Sample::all`].
pub fn prepared_samples() -> &'static [PreparedSample] {
    static SAMPLES: OnceLock<Vec<PreparedSample>> = OnceLock::new();
    SAMPLES.get_or_init(|| {
        Sample::all()
            .map(|sample| {
                let facts = sample.facts();
                let (context, old_server) = (facts.context(), facts.clone().without_opening().context());
                PreparedSample { sample, facts, context, old_server }
            })
            .collect()
    })
}

/// Everything that is wrong with a text, errors first. `progress` is called before each render.
pub fn validate(body: &str, source: PartSource, progress: &mut dyn FnMut()) -> Vec<Problem> {
    let tree = match parse(body) {
        Ok(tree) => tree,
        Err(problem) => return vec![problem],
    };
    let template = match Template::compile(body, Printing::Strict) {
        Ok(template) => template,
        Err(problem) => return vec![problem],
    };
    progress();
    let (mut problems, mut warnings): (Vec<Problem>, Vec<Problem>) =
        check_tree(body, &tree, contract()).into_iter().partition(|problem| problem.severity == Severity::Error);
    let mut contributed = Vec::new();
    let mut failures = Vec::new();
    for prepared in prepared_samples() {
        progress();
        match template.render(&prepared.context) {
            Ok(rendered) => contributed.push(!rendered.text.trim().is_empty()),
            Err(problem) => {
                failures.push(Problem { sample: Some(prepared.sample.to_string()), ..with_suggestion(body, problem) })
            }
        }
    }
    add_failures(&mut problems, failures);
    warnings.extend(dashes(body));
    warnings.extend(invisible(body));
    if problems.is_empty() {
        let unexercised = unexercised(body, &warnings);
        warnings.extend(warn(body, source, &contributed));
        warnings.extend(unexercised);
    }
    if source == PartSource::Role {
        warnings.retain(|problem| problem.code != "unserved-kinds");
    }
    problems.extend(warnings);
    problems
}

/// Branches that no sample goes into, as one warning at the first: the preview never shows them. Dead ones are told already.
fn unexercised(body: &str, said: &[Problem]) -> Option<Problem> {
    let contexts: Vec<&Context> =
        prepared_samples().iter().flat_map(|prepared| [&prepared.context, &prepared.old_server]).collect();
    let coverage = coverage(body, &contexts).ok()?;
    let dead = |arm: &Arm| said.iter().any(|problem| problem.code == "dead-branch" && problem.range == arm.condition);
    let never = coverage.never();
    let guards = |arm: &&Arm| matches!(arm.kind, ArmKind::True | ArmKind::Items) && arm.construct != Construct::Inline;
    let arms: Vec<&Arm> = never.into_iter().filter(guards).filter(|arm| !dead(arm)).collect();
    let (first, others) = arms.split_first()?;
    let message = match others {
        [] => "none of the samples gets into this branch".to_owned(),
        _ => {
            let mut lines: Vec<String> = others.iter().map(|arm| arm.line.to_string()).collect();
            lines.dedup();
            let word = if lines.len() == 1 { "that of line" } else { "those of lines" };
            format!("none of the samples gets into this branch, nor into {word} {}", lines.join(", "))
        }
    };
    let range = first.condition.0..first.condition.1;
    Some(Problem::warning(body, range, "unexercised", message).suggest("read them with care: no preview shows what they print"))
}

/// Samples that fail are evidence for what the checker says of the same place; its sentence says more.
fn add_failures(problems: &mut Vec<Problem>, failures: Vec<Problem>) {
    let said = problems.clone();
    for failure in failures {
        let within = |inner: &Problem, outer: &Problem| outer.range.0 <= inner.range.0 && inner.range.1 <= outer.range.1;
        let overlaps = |known: &&Problem| within(&failure, known) || within(known, &failure);
        let same = said.iter().filter(overlaps).min_by_key(|known| known.range.1 - known.range.0);
        let Some(same) = same else {
            problems.push(failure);
            continue;
        };
        match problems.iter_mut().find(|known| known.range == same.range && known.code == same.code && known.sample.is_none()) {
            Some(known) => known.sample = failure.sample,
            None => problems.push(Problem { sample: failure.sample, ..same.clone() }),
        }
    }
    problems.sort_by_key(|problem| problem.range);
}

/// What is worth a look in a text that renders with every sample. `contributed` is in the order of the samples.
fn warn(body: &str, source: PartSource, contributed: &[bool]) -> Vec<Problem> {
    let mut warnings = Vec::new();
    let start = 0..0;
    if contributed.iter().all(|there| !there) {
        warnings.push(
            Problem::warning(body, start.clone(), "always-blank", "this prints nothing in any of the twelve samples")
                .suggest("check its conditions, or remove it"),
        );
    }
    if source == PartSource::Role {
        return warnings;
    }
    if contributed.iter().all(|there| *there) {
        warnings.push(
            Problem::warning(body, start, "always-there", "this prints in every situation, so it is repeated on every resume")
                .suggest("if that is not meant, guard it: {% if opening and opening.kind == \"task-start\" %}"),
        );
    }
    warnings
}
