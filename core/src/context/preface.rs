//! Retrieved-content envelopes: entries become the text that is put before the model for one turn (specs: retrieved-content). The reader
//! of recorded envelopes is [`read`](mod@read), what deserves a remark is found by [`lint`].

mod lint;
mod read;
mod tag;
mod trust;

pub use lint::{Lint, lint, states_the_rule};
pub use read::{Envelope, Envelopes, Flag, Section, Shown, read};
pub use tag::could_close;
pub use trust::{Tier, Trust, classify, provider_tier};

use serde::{Deserialize, Serialize};
use std::ops::Range;
use tag::{candidates, close_tags};

/// One piece of fetched text.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// A trust tier or a content key such as `memory:lessons`.
    pub source: String,
    /// Where it comes from, as `host:scope`.
    pub origin: String,
    /// The text.
    pub body: String,
    /// When it was fetched; never parsed. Absent, null and the empty text are the same.
    #[serde(default, skip_serializing_if = "Option::is_none", alias = "fetchedAt")]
    pub fetched_at: Option<String>,
}

/// Which bytes are made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// Byte for byte what Friday makes (sections 1 to 3).
    #[default]
    Parity,
    /// No body and no attribute can open or close anything (section 4).
    Hardened,
}

/// A preface, and what became of each entry in it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Preface {
    /// The text: nothing before the first tag, nothing after the last.
    pub text: String,
    /// One for each entry, in order.
    pub entries: Vec<Placed>,
}

/// Where an entry stands in the text, and what was changed in it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Placed {
    /// From its opening tag to behind its closing tag: bytes of the text.
    pub range: Range<usize>,
    /// Its body, without the line ends that the envelope adds.
    pub body: Range<usize>,
    /// What was made harmless in the body.
    pub defanged: Vec<Defanged>,
    /// Attributes whose characters were exchanged, by name.
    pub changed: Vec<String>,
}

/// A tag in a body that was made harmless.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Defanged {
    /// Bytes of the entry's own body.
    pub before: Range<usize>,
    /// Bytes of the text.
    pub after: Range<usize>,
}

/// The text of entries, in their order; no entries make an empty text. Linear in their length.
pub fn preface(entries: &[Entry], mode: Mode) -> Preface {
    let mut text = String::with_capacity(entries.iter().map(|entry| entry.body.len() + 160).sum());
    let mut placed = Vec::with_capacity(entries.len());
    for entry in entries {
        if !text.is_empty() {
            text.push_str("\n\n");
        }
        placed.push(place(&mut text, entry, mode));
    }
    Preface { text, entries: placed }
}

fn place(text: &mut String, entry: &Entry, mode: Mode) -> Placed {
    let start = text.len();
    let mut changed = Vec::new();
    text.push_str("<retrieved_content");
    let fetched_at = entry.fetched_at.as_deref().filter(|stamp| !stamp.is_empty());
    for (name, value) in [("provenance", Some(&*entry.source)), ("origin", Some(&*entry.origin)), ("fetched_at", fetched_at)] {
        let Some(value) = value else { continue };
        let written = match mode {
            Mode::Parity => value.to_owned(),
            Mode::Hardened => escaped(value),
        };
        if written != value {
            changed.push(name.to_owned());
        }
        text.push_str(&format!(" {name}=\"{written}\""));
    }
    text.push_str(">\n");
    let body_start = text.len();
    let defanged = match mode {
        Mode::Parity => defang(text, &entry.body),
        Mode::Hardened => neutralise(text, &entry.body),
    };
    let body = body_start..text.len();
    text.push_str("\n</retrieved_content>");
    Placed { range: start..text.len(), body, defanged, changed }
}

/// Exchanges every closing tag for its defanged form (section 2).
fn defang(text: &mut String, body: &str) -> Vec<Defanged> {
    exchange(text, body, close_tags(body), |_| "<\\/retrieved_content>".to_owned())
}

/// Puts a backslash into everything that could be taken for a tag (section 4).
fn neutralise(text: &mut String, body: &str) -> Vec<Defanged> {
    exchange(text, body, candidates(body), |tag| format!("<\\{}", &tag[1..]))
}

fn exchange(
    text: &mut String,
    body: &str,
    tags: impl Iterator<Item = Range<usize>>,
    with: impl Fn(&str) -> String,
) -> Vec<Defanged> {
    let mut found = Vec::new();
    let mut at = 0;
    for before in tags {
        text.push_str(&body[at..before.start]);
        let start = text.len();
        text.push_str(&with(&body[before.clone()]));
        at = before.end;
        found.push(Defanged { before, after: start..text.len() });
    }
    text.push_str(&body[at..]);
    found
}

/// An attribute's value that can neither end the attribute nor the tag (section 4, point 1).
fn escaped(value: &str) -> String {
    let mut out = String::with_capacity(value.len());
    for c in value.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '"' => out.push_str("&quot;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '\u{2028}' | '\u{2029}' => out.push(' '),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}
