//! How a request to a model is laid out for its prompt cache, what of it stays the same from one request to the next, and what a byte that
//! changes every turn would cost where it stands (specs: retrieved-content, section 8).

use super::preface;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// How long a block stays in the cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ttl {
    /// Not marked: it is read from the cache only when a later block is.
    None,
    /// Five minutes.
    FiveMinutes,
    /// One hour.
    OneHour,
}

/// Which of the known layouts a request has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LayoutName {
    /// Three system blocks and a mark at the top level.
    A,
    /// Up to three system blocks; the fourth mark is unused.
    B,
    /// Four system blocks, the last one for setup and variables.
    C,
    /// One text without marks, as providers without such a cache are given.
    Flat,
    /// None of these.
    Unknown,
}

/// One part of a request, in the order in which the cache reads them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Part {
    /// `tools`, `system 1`, `message 1 (user)`.
    pub label: String,
    /// Its text; of other content the JSON.
    pub text: String,
    /// How it is marked.
    pub ttl: Ttl,
    /// The text of one turn: it holds an envelope at top level.
    pub preface: bool,
}

/// A request as the cache sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Request {
    /// Tools, system blocks, messages.
    pub parts: Vec<Part>,
    /// Its layout.
    pub layout: LayoutName,
}

/// One part in the comparison of two requests.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Measured {
    /// Its label in the later request.
    pub label: String,
    /// How it is marked.
    pub ttl: Ttl,
    /// Bytes.
    pub bytes: usize,
    /// Bytes from its start that are those of the earlier request, everything before it included.
    pub stable: usize,
    /// Bytes that are sent anew when one byte at its start changes with every turn: it and all marked parts behind it.
    pub turn_local_cost: usize,
    /// It holds the text of one turn.
    pub preface: bool,
}

/// Two requests held against each other.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Meter {
    /// Layout of the later one.
    pub layout: LayoutName,
    /// Its parts.
    pub parts: Vec<Measured>,
    /// Bytes of the later one up to its last mark that come from the cache.
    pub cached: usize,
    /// Bytes up to the last mark.
    pub cacheable: usize,
    /// Sentences about rules of the layout that are not kept.
    pub findings: Vec<String>,
}

/// Reads the body of a request: `{"tools"?, "system": text or blocks, "messages": […]}`.
///
/// # Errors
/// A sentence.
pub fn request(json: &str) -> Result<Request, String> {
    let body: Value = serde_json::from_str(json).map_err(|error| format!("This request is not JSON: {error}."))?;
    if !body.is_object() || (body["system"].is_null() && body["messages"].is_null()) {
        return Err("This is no request: an object with `system` and `messages` is expected.".to_owned());
    }
    let mut parts = Vec::new();
    if let Some(tools) = body["tools"].as_array().filter(|tools| !tools.is_empty()) {
        let ttl = tools.iter().map(ttl).max().unwrap_or(Ttl::None);
        parts.push(part("tools".to_owned(), body["tools"].to_string(), ttl));
    }
    let system = blocks(&body["system"]);
    let blocks_of_system = system.len();
    parts.extend(system.into_iter().enumerate().map(|(at, (text, ttl))| part(format!("system {}", at + 1), text, ttl)));
    for (at, message) in body["messages"].as_array().into_iter().flatten().enumerate() {
        let role = message["role"].as_str().unwrap_or("?");
        let content = blocks(&message["content"]);
        let ttl = content.iter().map(|(_, ttl)| *ttl).chain([ttl(message)]).max().unwrap_or(Ttl::None);
        let text = content.into_iter().map(|(text, _)| text).collect::<Vec<_>>().join("\n\n");
        parts.push(part(format!("message {} ({role})", at + 1), text, ttl));
    }
    let marks: Vec<Ttl> = parts.iter().filter(|part| part.label.starts_with("system")).map(|part| part.ttl).collect();
    let layout = match marks[..] {
        _ if !body["system"].is_array() => LayoutName::Flat,
        _ if ttl(&body) > Ttl::None => LayoutName::A,
        [.., Ttl::FiveMinutes] if blocks_of_system == 4 => LayoutName::C,
        [.., _] if blocks_of_system <= 3 && marks.iter().all(|ttl| *ttl > Ttl::None) => LayoutName::B,
        _ => LayoutName::Unknown,
    };
    Ok(Request { parts, layout })
}

fn part(label: String, text: String, ttl: Ttl) -> Part {
    let preface = !preface::read(&text).envelopes.is_empty();
    Part { label, text, ttl, preface }
}

/// Texts of blocks with their marks; a plain text is one block.
fn blocks(content: &Value) -> Vec<(String, Ttl)> {
    let text = |block: &Value| block["text"].as_str().map_or_else(|| block.to_string(), str::to_owned);
    match content {
        Value::Null => Vec::new(),
        Value::String(text) => vec![(text.clone(), Ttl::None)],
        Value::Array(blocks) => blocks.iter().map(|block| (text(block), ttl(block))).collect(),
        other => vec![(other.to_string(), Ttl::None)],
    }
}

fn ttl(value: &Value) -> Ttl {
    match &value["cache_control"] {
        Value::Null => Ttl::None,
        mark if mark["ttl"] == "1h" => Ttl::OneHour,
        _ => Ttl::FiveMinutes,
    }
}

/// Holds a request against the one before it.
pub fn meter(earlier: &Request, later: &Request) -> Meter {
    let marked = later.parts.iter().rposition(|part| part.ttl > Ttl::None).map_or(0, |last| last + 1);
    let cacheable = later.parts[..marked].iter().map(|part| part.text.len()).sum();
    let mut parts = Vec::with_capacity(later.parts.len());
    let (mut same, mut cached, mut up_to_here) = (true, 0, 0);
    for (at, part) in later.parts.iter().enumerate() {
        let before = earlier.parts.get(at).filter(|_| same).map_or("", |part| &part.text);
        let stable = common_prefix(before, &part.text);
        same &= earlier.parts.get(at).is_some_and(|before| before.text == part.text);
        let turn_local_cost = if at < marked { cacheable - up_to_here } else { 0 };
        up_to_here += part.text.len();
        // What is read from the cache ends with a marked part that is the same, and so is everything before it.
        if same && part.ttl > Ttl::None {
            cached = up_to_here;
        }
        parts.push(Measured {
            label: part.label.clone(),
            ttl: part.ttl,
            bytes: part.text.len(),
            stable,
            turn_local_cost,
            preface: part.preface,
        });
    }
    Meter { layout: later.layout, parts, cached, cacheable, findings: findings(later) }
}

fn common_prefix(left: &str, right: &str) -> usize {
    let bytes = left.bytes().zip(right.bytes()).take_while(|(left, right)| left == right).count();
    right.floor_char_boundary(bytes)
}

/// What is at odds with the layout's rules.
fn findings(request: &Request) -> Vec<String> {
    let mut found = Vec::new();
    let marked: Vec<&Part> = request.parts.iter().filter(|part| part.ttl > Ttl::None).collect();
    for pair in marked.windows(2).filter(|pair| pair[1].ttl > pair[0].ttl) {
        found.push(format!(
            "`{}` is kept for an hour, but stands behind `{}`, which is kept for five minutes: times never increase along a request.",
            pair[1].label, pair[0].label
        ));
    }
    if marked.len() > 4 {
        found.push(format!("{} parts are marked; a request has four marks.", marked.len()));
    }
    for part in request.parts.iter().filter(|part| part.preface) {
        if part.label.starts_with("system") || part.label == "tools" {
            found.push(format!(
                "`{}` holds retrieved content. Text of one turn in the system prompt changes the start of every request, so nothing behind it is ever read from the cache.",
                part.label
            ));
        } else if part.ttl > Ttl::None {
            found.push(format!("`{}` is marked and holds retrieved content, which is another text in the next turn: the preface is never marked.", part.label));
        }
    }
    let first = request.parts.iter().position(|part| part.label.starts_with("message"));
    for (at, part) in request.parts.iter().enumerate().filter(|(_, part)| part.preface && part.label.starts_with("message")) {
        if Some(at) != first {
            found.push(format!(
                "`{}` holds retrieved content, but the preface is the first message: this one may be a stored copy.",
                part.label
            ));
        }
    }
    found
}
