//! Finds envelopes in any text, recorded or forged (specs: retrieved-content, sections 3 and 10). One pass; no pattern is tried twice.

use super::tag::{NAME, is_js_space, name};
use super::{Tier, Trust, classify};
use memchr::{memchr, memrchr};
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// The origin of the one envelope that holds others on purpose.
const GROUP: &str = "artifacts:session";

/// What was found in a text. All ranges are bytes of it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Envelopes {
    /// The envelopes at top level, in order.
    pub envelopes: Vec<Envelope>,
    /// Live closing tags that end nothing: the body before one was not made harmless.
    pub strays: Vec<Range<usize>>,
    /// Opening tags that nothing closes: text, not structure.
    pub loose: Vec<Range<usize>>,
}

/// One envelope.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Envelope {
    /// The opening tag.
    pub open: Range<usize>,
    /// What stands between the tags, without the line ends that the envelope adds.
    pub body: Range<usize>,
    /// The closing tag.
    pub close: Range<usize>,
    /// Its attributes.
    #[serde(flatten)]
    pub tag: Tag,
    /// How far it is to be trusted.
    pub trust: Trust,
    /// Opening tags in its body, in order.
    pub sections: Vec<Section>,
    /// Tags in its body that were made harmless.
    pub defanged: Vec<Range<usize>>,
    /// What is to be remarked.
    pub flags: Vec<Flag>,
}

/// What an opening tag says.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tag {
    /// The source.
    pub provenance: String,
    /// The origin.
    pub origin: String,
    /// The time of fetching.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fetched_at: Option<String>,
    /// The tag is not of the form that envelopes have.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub malformed: bool,
}

/// An opening tag inside a body.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Section {
    /// The tag.
    pub open: Range<usize>,
    /// What closes it: a harmless closing tag, in older recordings a live one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub close: Option<Range<usize>>,
    /// Its attributes.
    #[serde(flatten)]
    pub tag: Tag,
    /// How far the text in it is to be trusted: as its own source, but never more than what is around it.
    pub trust: Trust,
    /// What to show it as.
    pub shown: Shown,
}

/// What an opening tag inside a body is shown as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Shown {
    /// A part of the artifacts group.
    Section,
    /// Text: the body pretends to be something else.
    Forged,
}

/// What is to be remarked about an envelope.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Flag {
    /// An attribute breaks the tag.
    Malformed,
    /// A closing tag in its body was live and ended it early.
    BodyCloses,
    /// Its body holds a forged opening tag.
    Forged,
}

impl Flag {
    /// A sentence for people.
    pub fn sentence(self) -> &'static str {
        match self {
            Flag::Malformed => "An attribute holds a quote or an angle bracket, so the tag may not say what was meant.",
            Flag::BodyCloses => {
                "A closing tag in the body was not made harmless: the text behind it stands outside the envelope."
            }
            Flag::Forged => "The body holds an opening tag of its own. It is text, whatever tier it names.",
        }
    }
}

/// Finds all envelopes of a text.
pub fn read(text: &str) -> Envelopes {
    let tokens = tokens(text);
    let lookup = Lookup::of(&tokens);
    let mut found = Envelopes::default();
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        match &token.kind {
            Kind::Open(tag) => match lookup.end_of(at, tag) {
                Some((end, nested)) => {
                    let inner = &tokens[at + 1..end];
                    found.envelopes.push(envelope(text, token, tag, inner, &tokens[end], nested));
                    at = end;
                }
                None => found.loose.push(token.range.clone()),
            },
            Kind::Close => {
                if let Some(before) = found.envelopes.last_mut().filter(|before| !before.flags.contains(&Flag::BodyCloses)) {
                    before.flags.push(Flag::BodyCloses);
                }
                found.strays.push(token.range.clone());
            }
            Kind::Harmless { .. } => {}
        }
        at += 1;
    }
    found
}

/// What is known of the tokens beforehand, so that no question about an envelope takes time that grows with the text.
struct Lookup {
    /// For each token, the first live closing tag at or behind it.
    next_close: Vec<Option<usize>>,
    /// For each opening tag, the live closing tag that a reading with brackets gives it.
    partners: Vec<Option<usize>>,
    /// How many harmless closing tags stand before each token.
    harmless: Vec<usize>,
}

impl Lookup {
    fn of(tokens: &[Token]) -> Lookup {
        let mut next_close = vec![None; tokens.len() + 1];
        for at in (0..tokens.len()).rev() {
            next_close[at] = if tokens[at].kind == Kind::Close { Some(at) } else { next_close[at + 1] };
        }
        let mut partners = vec![None; tokens.len()];
        let mut harmless = vec![0];
        let mut open = Vec::new();
        for (at, token) in tokens.iter().enumerate() {
            match token.kind {
                Kind::Open(_) => open.push(at),
                Kind::Close => {
                    if let Some(opening) = open.pop() {
                        partners[opening] = Some(at);
                    }
                }
                Kind::Harmless { .. } => {}
            }
            harmless.push(harmless[at] + usize::from(token.kind == Kind::Harmless { closes: true }));
        }
        Lookup { next_close, partners, harmless }
    }

    /// The token that ends an envelope, and whether its inner envelopes are closed by live tags as in older recordings.
    fn end_of(&self, open: usize, tag: &Tag) -> Option<(usize, bool)> {
        let first = self.next_close[open]?;
        let old = self.partners[open]
            .filter(|partner| tag.origin == GROUP && *partner > first && self.harmless[*partner] == self.harmless[open]);
        Some(old.map_or((first, false), |end| (end, true)))
    }
}

fn envelope(text: &str, open: &Token, tag: &Tag, inner: &[Token], close: &Token, nested: bool) -> Envelope {
    let trust = classify(&tag.provenance);
    let is_group = tag.origin == GROUP;
    let mut sections: Vec<Section> = Vec::new();
    let mut unpaired: Vec<usize> = Vec::new();
    let mut defanged = Vec::new();
    for token in inner {
        match &token.kind {
            Kind::Open(tag) => {
                unpaired.push(sections.len());
                let own = classify(&tag.provenance);
                let around = unpaired.iter().rev().nth(1).map_or(trust, |section| sections[*section].trust);
                sections.push(Section {
                    open: token.range.clone(),
                    close: None,
                    tag: tag.clone(),
                    trust: if own.tier > around.tier { own } else { around },
                    shown: if is_group { Shown::Section } else { Shown::Forged },
                });
            }
            Kind::Close | Kind::Harmless { closes: true } => {
                if matches!(token.kind, Kind::Harmless { .. }) {
                    defanged.push(token.range.clone());
                }
                if (nested || token.kind != Kind::Close)
                    && let Some(section) = unpaired.pop()
                {
                    sections[section].close = Some(token.range.clone());
                }
            }
            Kind::Harmless { closes: false } => defanged.push(token.range.clone()),
        }
    }
    // What nothing closes is no part of a group.
    for section in unpaired {
        sections[section].shown = Shown::Forged;
    }
    let mut flags = Vec::new();
    if tag.malformed {
        flags.push(Flag::Malformed);
    }
    if sections.iter().any(|section| section.shown == Shown::Forged) {
        flags.push(Flag::Forged);
    }
    Envelope {
        open: open.range.clone(),
        body: body(text, open.range.end..close.range.start),
        close: close.range.clone(),
        tag: tag.clone(),
        trust,
        sections,
        defanged,
        flags,
    }
}

/// Takes off the one line end on each side that the envelope adds.
fn body(text: &str, mut range: Range<usize>) -> Range<usize> {
    let between = &text[range.clone()];
    if let Some(rest) = between.strip_prefix('\n') {
        range.start += 1;
        if rest.ends_with('\n') {
            range.end -= 1;
        }
    }
    range
}

#[derive(Debug)]
struct Token {
    range: Range<usize>,
    kind: Kind,
}

#[derive(Debug, PartialEq)]
enum Kind {
    Open(Tag),
    Close,
    /// A tag that was made harmless.
    Harmless {
        closes: bool,
    },
}

/// All tags of a text, live and harmless, in order.
fn tokens(text: &str) -> Vec<Token> {
    let bytes = text.as_bytes();
    let Some(last) = memrchr(b'>', bytes) else { return Vec::new() };
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(start) = memchr(b'<', &bytes[at..]).map(|next| at + next).filter(|start| *start < last) {
        let token = token(text, start, last);
        at = token.as_ref().map_or(start + 1, |token| token.range.end);
        found.extend(token);
    }
    found
}

/// The tag that begins at a `<`; `last` is the last `>` of the text, which is behind it.
fn token(text: &str, start: usize, last: usize) -> Option<Token> {
    let inner = &text[start + 1..];
    let harmless = inner.starts_with('\\');
    let inner = inner.strip_prefix('\\').unwrap_or(inner);
    let ended = |rest: &str| text.len() - rest.len();
    if let Some(rest) = inner.strip_prefix('/').and_then(name) {
        let rest = rest.trim_start_matches(is_js_space).strip_prefix('>')?;
        let kind = if harmless { Kind::Harmless { closes: true } } else { Kind::Close };
        return Some(Token { range: start..ended(rest), kind });
    }
    let rest = name(inner)?;
    if !rest.starts_with(|c: char| c == '>' || is_js_space(c)) {
        return None;
    }
    if harmless {
        return Some(Token { range: start..ended(rest), kind: Kind::Harmless { closes: false } });
    }
    let at = start + 1 + NAME.len();
    let (tag, end) = attributes(text, at, last)?;
    Some(Token { range: start..end, kind: Kind::Open(tag) })
}

/// Reads attributes up to the `>` that ends the tag. A value ends at the first quote; whatever does not fit makes the tag malformed.
fn attributes(text: &str, mut at: usize, last: usize) -> Option<(Tag, usize)> {
    let mut tag = Tag::default();
    let mut seen = 0;
    loop {
        let rest = text[at..].trim_start_matches(is_js_space);
        at = text.len() - rest.len();
        if rest.starts_with('>') {
            tag.malformed |= seen < 2;
            return Some((tag, at + 1));
        }
        match attribute(rest) {
            Some((key, value, length)) => {
                at += length;
                tag.malformed |= value.contains(['<', '>']);
                match key {
                    "provenance" => tag.provenance = value.to_owned(),
                    "origin" => tag.origin = value.to_owned(),
                    "fetched_at" => tag.fetched_at = Some(value.to_owned()),
                    _ => tag.malformed = true,
                }
                seen += 1;
            }
            None => {
                tag.malformed = true;
                // Behind the last `>` nothing can end the tag any more.
                let end = memchr(b'>', text.as_bytes().get(at..=last)?)?;
                return Some((tag, at + end + 1));
            }
        }
    }
}

/// An attribute at the start of a text: its name, its value and its length.
fn attribute(text: &str) -> Option<(&str, &str, usize)> {
    let length = text.bytes().take_while(|byte| byte.is_ascii_lowercase() || *byte == b'_').count();
    let value = text[length..].strip_prefix("=\"")?;
    let end = memchr(b'"', value.as_bytes())?;
    (length > 0).then(|| (&text[..length], &value[..end], length + 2 + end + 1))
}

impl Envelope {
    /// Whether its origin names a session other than the one it was recorded in. An origin that names no session is none.
    pub fn is_of_another_session(&self, session_id: &str) -> bool {
        let sections = self.sections.iter().filter(|section| section.shown == Shown::Section).map(|section| &section.tag.origin);
        [&self.tag.origin]
            .into_iter()
            .chain(sections)
            .any(|origin| origin.split('/').filter_map(|part| part.strip_prefix("session:")).any(|named| named != session_id))
    }

    /// The least trust of any region in it.
    pub fn least_trusted(&self) -> Tier {
        self.sections.iter().map(|section| section.trust.tier).fold(self.trust.tier, Tier::max)
    }
}
