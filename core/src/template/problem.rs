//! What is wrong with a template, in a form that a person, an editor and a program can each use.

use serde::{Deserialize, Serialize};

/// How much a [`Problem`] weighs: an error refuses a save, a warning never does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The text cannot be saved or rendered.
    Error,
    /// Worth a look.
    Warning,
}

/// One fault of a template text, with its place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Problem {
    /// Error or warning.
    pub severity: Severity,
    /// Stable machine name, for example `syntax` or `undefined`.
    pub code: String,
    /// One sentence: what is wrong.
    pub message: String,
    /// Line of `range.0`, from 1.
    pub line: u32,
    /// Column of `range.0`, from 1, in characters.
    pub column: u32,
    /// Byte range in the template's text, on character boundaries.
    pub range: (usize, usize),
    /// The same range in UTF-16 units, which is how editors in a browser count.
    pub utf16: (usize, usize),
    /// The sample that failed (`task-start/populated`); absent when the fault does not depend on one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sample: Option<String>,
    /// What to do about it, as one sentence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suggestion: Option<String>,
}
