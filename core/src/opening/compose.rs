//! Assembly: a role instruction and skills, rendered with one set of facts, become one opening that remembers its parts.

use crate::opening::kind::OpeningKind;
use crate::template::problem::Problem;
use serde::{Deserialize, Serialize};

/// Where a part came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PartSource {
    /// The role instruction.
    Role,
    /// An ambient skill.
    Skill,
}

/// What became of a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PartStatus {
    /// It is in the text.
    Contributed,
    /// It rendered to nothing but white space and was left out.
    Omitted,
    /// It could not be rendered and was left out.
    Failed,
}

/// Whether output was copied from the template or came out of an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SpanKind {
    /// The template's own words.
    Raw,
    /// A value.
    Expression,
}

/// A run of output bytes and the template bytes that made it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Span {
    /// Byte range in the opening's whole text.
    pub output: (usize, usize),
    /// Byte range in the part's template.
    pub template: (usize, usize),
    /// Template line, from 1.
    pub line: u32,
    /// Raw text or a value.
    pub kind: SpanKind,
}

/// One part of an opening.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Part {
    /// Role or skill.
    pub source: PartSource,
    /// The skill's slug; absent for the role.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slug: Option<String>,
    /// The revision that was rendered; absent for a draft or a text without one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revision: Option<u32>,
    /// Contributed, omitted or failed.
    pub status: PartStatus,
    /// Byte range in the opening's text, heading included; only of a part that contributed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub range: Option<(usize, usize)>,
    /// Spans in output order, of the body only (a heading has no template).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub spans: Vec<Span>,
    /// Why it failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<Problem>,
}

/// A rendered opening. Its JSON form is the answer of `proem render --format json` and of `POST /api/openings/render`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Opening {
    /// The situation; absent when the facts are an older server's, which has none.
    pub kind: Option<OpeningKind>,
    /// The whole text, exactly as an agent receives it.
    pub text: String,
    /// Its parts in order, those that were left out included.
    pub parts: Vec<Part>,
}
