//! What the tests of the catalogue look at: what a text prints, why it fails, what a save says of it.

use proem_core::opening::compose::{PartSource, PartText};
use proem_core::opening::sample::Sample;
use proem_core::opening::validate::validate;
use proem_core::template::engine::{Context, Printing, Template};
use proem_core::template::problem::{Problem, Severity};
use serde_json::Value;

/// What a text prints in a plain context, which knows no contract.
pub fn render(source: &str, context: &Value) -> Result<String, Problem> {
    Ok(Template::compile(source, Printing::Lenient)?.render(&Context::from_json(context))?.text)
}

/// The same, which must work.
pub fn prints(source: &str, context: Value) -> String {
    render(source, &context).unwrap_or_else(|problem| panic!("{}", problem.long(source, "template")))
}

/// Why a text fails in a plain context.
pub fn fails(source: &str, context: Value) -> Problem {
    match render(source, &context) {
        Ok(text) => panic!("{source} prints {} bytes", text.len()),
        Err(problem) => problem,
    }
}

/// Everything a save of a skill says.
pub fn said(source: &str) -> Vec<Problem> {
    validate(source, PartSource::Skill, &mut || ())
}

/// The errors among it, each once however many samples show it.
pub fn errors(source: &str) -> Vec<Problem> {
    let mut all = said(source);
    all.retain(|problem| problem.severity == Severity::Error);
    all.dedup_by_key(|problem| (problem.range, problem.code.clone()));
    all
}

/// The one error that a save is refused for.
pub fn error(source: &str) -> Problem {
    let mut all = errors(source);
    assert_eq!(all.len(), 1, "{source}: {all:#?}");
    all.remove(0)
}

/// The text that a problem underlines.
pub fn marked<'a>(source: &'a str, problem: &Problem) -> &'a str {
    &source[problem.range.0..problem.range.1]
}

/// Of a problem: its code, the text it underlines, its sentence, and its suggestion or nothing.
pub fn parts<'a>(source: &'a str, problem: &'a Problem) -> (&'a str, &'a str, &'a str, &'a str) {
    (&problem.code, marked(source, problem), &problem.message, problem.suggestion.as_deref().unwrap_or_default())
}

/// A skill's text that nobody saved.
pub fn skill(slug: &str, body: &str) -> PartText {
    PartText { slug: Some(slug.to_owned()), name: slug.to_owned(), revision: None, attachments: vec![], body: body.to_owned() }
}

/// The facts of a sample as a document, to be changed.
pub fn document(sample: &str) -> Value {
    sample.parse::<Sample>().unwrap().facts().document().clone()
}
