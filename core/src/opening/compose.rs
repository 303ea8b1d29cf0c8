//! Assembly: a role instruction and skills, rendered with one set of facts, become one opening that remembers its parts
//! (specs: opening, section 4).

use super::facts::Facts;
use super::kind::OpeningKind;
use super::suggest::with_suggestion;
use crate::template::engine::{Context, Origin, Printing, Rendered, Template};
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
    /// The facts a value came from, as paths with positions (`opening.messages[0].text`): only in an inspected opening, and only where
    /// they are known for certain.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub facts: Vec<String>,
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

/// A text that may become a part of an opening.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct PartText {
    /// The skill's slug; absent for the role instruction.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slug: Option<String>,
    /// The skill's heading; empty for the role.
    #[serde(default)]
    pub name: String,
    /// The revision; absent for a draft.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revision: Option<u32>,
    /// Attachment file names.
    #[serde(default)]
    pub attachments: Vec<String>,
    /// The template.
    pub body: String,
}

impl PartText {
    /// Role or skill.
    pub fn source(&self) -> PartSource {
        if self.slug.is_none() { PartSource::Role } else { PartSource::Skill }
    }

    /// The lines above a contributing skill's body.
    fn heading(&self) -> String {
        if self.slug.is_none() {
            String::new()
        } else if self.attachments.is_empty() {
            format!("## {}\n\n", self.name)
        } else {
            format!("## {}\n\nAttached: {}\n\n", self.name, self.attachments.join(", "))
        }
    }
}

/// Renders every text with the same facts and assembles what contributes.
pub fn compose(facts: &Facts, texts: &[PartText]) -> Opening {
    let context = facts.context();
    assemble(facts.kind(), texts.iter().map(|text| (text, render_part(&text.body, &context))))
}

/// Renders one text as a run does: nulls print nothing.
pub fn render_part(body: &str, context: &Context) -> Result<Rendered, Problem> {
    Template::compile(body, Printing::Lenient)?.render(context).map_err(|problem| with_suggestion(body, problem))
}

/// Assembles texts, each with its own output, in their order.
pub fn assemble<'a>(
    kind: Option<OpeningKind>,
    texts: impl Iterator<Item = (&'a PartText, Result<Rendered, Problem>)>,
) -> Opening {
    let mut opening = Opening { kind, text: String::new(), parts: Vec::new() };
    for (text, rendered) in texts {
        let mut part = Part {
            source: text.source(),
            slug: text.slug.clone(),
            revision: text.revision,
            status: PartStatus::Omitted,
            range: None,
            spans: Vec::new(),
            problem: None,
        };
        match rendered {
            Err(problem) => {
                part.status = PartStatus::Failed;
                part.problem = Some(problem);
            }
            Ok(rendered) if rendered.text.trim().is_empty() => {}
            Ok(rendered) => append(&mut opening.text, &mut part, text, &rendered),
        }
        opening.parts.push(part);
    }
    if !opening.text.is_empty() {
        opening.text.push('\n');
    }
    opening
}

/// Adds a contributing part to the text, one blank line after the one before.
fn append(text: &mut String, part: &mut Part, source: &PartText, rendered: &Rendered) {
    if !text.is_empty() {
        text.push_str("\n\n");
    }
    let start = text.len();
    text.push_str(&source.heading());
    let from = rendered.text.len() - rendered.text.trim_start_matches('\n').len();
    let to = rendered.text.trim_end_matches('\n').len();
    let base = text.len();
    text.push_str(&rendered.text[from..to]);
    part.status = PartStatus::Contributed;
    part.range = Some((start, text.len()));
    let mut lines = Lines { source: &source.body, offset: 0, line: 1 };
    part.spans = rendered
        .spans
        .iter()
        .filter(|span| span.output.start < to && span.output.end > from)
        .map(|span| {
            let (cut_start, cut_end) = (from.saturating_sub(span.output.start), span.output.end.saturating_sub(to));
            let raw = span.origin == Origin::Raw;
            // A raw span is its template's own bytes, so what is trimmed from one is trimmed from the other.
            let template = match raw {
                true => (span.template.start + cut_start, span.template.end - cut_end),
                false => (span.template.start, span.template.end),
            };
            Span {
                output: (base + span.output.start + cut_start - from, base + span.output.end - cut_end - from),
                line: lines.at(template.0),
                template,
                kind: if raw { SpanKind::Raw } else { SpanKind::Expression },
                facts: span.facts.clone(),
            }
        })
        .collect();
}

/// Line numbers of offsets that mostly grow, without counting from the start each time.
struct Lines<'a> {
    source: &'a str,
    offset: usize,
    line: u32,
}

impl Lines<'_> {
    fn at(&mut self, offset: usize) -> u32 {
        if offset < self.offset {
            // A loop's body comes again.
            self.line -= memchr::memchr_iter(b'\n', &self.source.as_bytes()[offset..self.offset]).count() as u32;
        } else {
            self.line += memchr::memchr_iter(b'\n', &self.source.as_bytes()[self.offset..offset]).count() as u32;
        }
        self.offset = offset;
        self.line
    }
}
