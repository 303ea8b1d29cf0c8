//! The nearest name of the facts table for a name that a template got wrong.

use super::table::{FIELDS, Field};
use crate::template::nearest::nearest;
use crate::template::problem::Problem;

/// Adds the nearest known name to an undefined one.
pub fn with_suggestion(body: &str, problem: Problem) -> Problem {
    if problem.code != "undefined" || problem.suggestion.is_some() {
        return problem;
    }
    let Some(path) = body.get(problem.range.0..problem.range.1) else { return problem };
    let (parent, name) = path.rsplit_once('.').unwrap_or(("", path));
    let siblings = FIELDS.iter().filter(|field| field.parent() == parent).map(Field::name);
    match nearest(name, siblings) {
        Some(known) if known == name => problem.suggest(format!(
            "`{path}` is not there in every situation: guard it with {{% if {} %}}",
            if parent.is_empty() { path } else { parent }
        )),
        Some(known) if parent.is_empty() => problem.suggest(format!("did you mean `{known}`?")),
        Some(known) => problem.suggest(format!("did you mean `{parent}.{known}`?")),
        None if FIELDS.iter().any(|field| field.path == name) => problem.suggest(format!("did you mean `{name}`?")),
        None => problem,
    }
}
