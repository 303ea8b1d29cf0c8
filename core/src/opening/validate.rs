//! Validation of a text before it is saved: guard and parse, all samples in strict mode, then what is only worth a look
//! (specs: opening, section 6; the static check comes between them later).

use super::compose::PartSource;
use super::facts::Facts;
use super::sample::Sample;
use super::suggest::with_suggestion;
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
    let template = match Template::compile(body, Printing::Strict) {
        Ok(template) => template,
        Err(problem) => return vec![problem],
    };
    let mut problems = Vec::new();
    let mut contributed = Vec::new();
    for prepared in prepared_samples() {
        progress();
        match template.render(&prepared.context) {
            Ok(rendered) => contributed.push(!rendered.text.trim().is_empty()),
            Err(problem) => {
                problems.push(with_suggestion(body, Problem { sample: Some(prepared.sample.to_string()), ..problem }))
            }
        }
    }
    problems.extend(dashes(body));
    problems.extend(invisible(body));
    if problems.iter().all(|problem| problem.severity == Severity::Warning) {
        problems.extend(warn(body, source, &template, &contributed));
    }
    problems
}

/// What is worth a look in a text that renders with every sample. `contributed` is in the order of the samples.
fn warn(body: &str, source: PartSource, template: &Template, contributed: &[bool]) -> Vec<Problem> {
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
    if let Some(problem) = prepared_samples().iter().find_map(|prepared| template.render(&prepared.old_server).err()) {
        warnings.push(
            Problem {
                severity: Severity::Warning,
                code: "no-presence-guard".to_owned(),
                message: "this fails on an older server, which sends no `opening`".to_owned(),
                ..problem
            }
            .suggest("ask for it first: {% if opening and opening.kind == … %}"),
        );
    }
    warnings
}
