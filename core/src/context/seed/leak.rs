//! The leak lens: names and identifiers of other conversations that a seed still holds. They are known to remain (specs: fork-seed,
//! section 6); this says which, and where. Terms come from the store alone.

use super::{Message, Stored};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

/// Fields of a message's metadata that name a conversation or somebody in it.
const FIELDS: [(&str, TermKind); 8] = [
    ("channelId", TermKind::Identifier),
    ("channel", TermKind::Identifier),
    ("speaker", TermKind::Identifier),
    ("channelLabel", TermKind::Label),
    ("channelName", TermKind::Label),
    ("label", TermKind::Label),
    ("author", TermKind::Name),
    ("authorName", TermKind::Name),
];
/// Fields of a block whose texts are no words: ids, signatures, bytes.
const NOT_WORDS: [&str; 6] = ["type", "id", "toolUseId", "signature", "data", "cache_control"];
/// A bare identifier without its platform is looked for only when it is at least so long.
const BARE_LEAST: usize = 6;

/// What a term is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TermKind {
    /// Of a channel or of another fork.
    Identifier,
    /// A channel's label.
    Label,
    /// Somebody's name.
    Name,
}

/// Something that belongs to another conversation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Term {
    /// As it is looked for.
    pub text: String,
    /// What it is.
    pub kind: TermKind,
    /// The stored message it was taken from; empty when that has no id.
    pub from: String,
    /// The channel it belongs to, where the message names one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub channel: Option<String>,
}

/// Where in a seed a term occurs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LeakPlace {
    /// What a tool gave.
    ToolResult,
    /// What a tool was called with.
    ToolUse,
    /// A text that stands in no stored message: made when the context was compiled.
    Summary,
    /// The template's own words, now the fork's.
    OwnWords,
    /// What somebody else wrote.
    Message,
    /// A block of another type.
    Other,
}

impl LeakPlace {
    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            LeakPlace::ToolResult => "a tool's result",
            LeakPlace::ToolUse => "a tool call",
            LeakPlace::Summary => "a summary",
            LeakPlace::OwnWords => "the template's own words",
            LeakPlace::Message => "a message",
            LeakPlace::Other => "another block",
        }
    }
}

/// One occurrence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Leak {
    /// Position of the term in the list of terms.
    pub term: usize,
    /// Position of the seed's message.
    pub message: usize,
    /// Position of the block in it.
    pub block: usize,
    /// What it stands in.
    pub place: LeakPlace,
    /// The text it stands in, cut to its surroundings.
    pub excerpt: String,
    /// Bytes of the excerpt.
    pub range: Range<usize>,
}

/// The terms of other conversations in a store, and where a seed holds them. Linear in both.
pub fn leaks(store: &[Stored], seed: &[Message], fork: &str) -> (Vec<Term>, Vec<Leak>) {
    let terms = terms(store, fork);
    let mut words: HashMap<&str, usize> = HashMap::new();
    // Names of several words, by their first.
    let mut phrases: HashMap<&str, Vec<usize>> = HashMap::new();
    for (at, term) in terms.iter().enumerate() {
        match term.text.split_once(' ') {
            Some((first, _)) => phrases.entry(first).or_default().push(at),
            None => drop(words.insert(&term.text, at)),
        }
    }
    let said: HashSet<&str> =
        store.iter().flat_map(|message| &message.content).filter_map(|block| block.text.as_deref()).collect();
    let mut found = Vec::new();
    for (message_at, message) in seed.iter().enumerate() {
        for (block_at, block) in message.content.iter().enumerate() {
            let place = match block.kind.as_str() {
                "tool_result" => LeakPlace::ToolResult,
                "tool_use" => LeakPlace::ToolUse,
                "text" if block.text.as_deref().is_some_and(|text| !said.contains(text)) => LeakPlace::Summary,
                "text" if message.participant == fork => LeakPlace::OwnWords,
                "text" => LeakPlace::Message,
                _ => LeakPlace::Other,
            };
            let value: Value = serde_json::from_str(block.raw.get()).unwrap_or(Value::Null);
            each_text(&value, |text| {
                each_word(text, |run| {
                    let phrase = phrases.get(&text[run.clone()]).into_iter().flatten();
                    let phrase = phrase.copied().find(|at| is_whole(text, run.start, &terms[*at].text));
                    let known = words.get(&text[run.clone()]).copied().or(phrase);
                    if let Some(term) = known {
                        let (excerpt, range) = excerpt(text, run.start..run.start + terms[term].text.len());
                        found.push(Leak { term, message: message_at, block: block_at, place, excerpt, range });
                    }
                });
            });
        }
    }
    (terms, found)
}

/// Whether a phrase stands at a place and ends with its last word.
fn is_whole(text: &str, at: usize, phrase: &str) -> bool {
    text[at..].strip_prefix(phrase).is_some_and(|rest| !rest.starts_with(is_word))
}

/// The terms that belong to conversations other than the fork's own.
fn terms(store: &[Stored], fork: &str) -> Vec<Term> {
    let own = Own::of(fork);
    let mut found: Vec<Term> = Vec::new();
    let mut seen = HashSet::new();
    for message in store {
        let metadata = &message.whole["metadata"];
        let channel = ["channelId", "channel"].iter().find_map(|key| metadata[*key].as_str());
        if channel.is_some_and(|channel| own.is(channel)) {
            continue;
        }
        let mut take = |text: &str, kind: TermKind| {
            if !own.is(text) && seen.insert(text.to_owned()) {
                let channel = channel.map(str::to_owned);
                found.push(Term { text: text.to_owned(), kind, from: message.id.clone(), channel });
            }
        };
        for (key, kind) in FIELDS {
            let Some(text) = metadata[key].as_str() else { continue };
            for text in spellings(text.trim(), kind) {
                take(&text, kind);
            }
        }
        // A notice names its channels in its words.
        if message.mark.is_some() {
            for text in message.content.iter().filter_map(|block| block.text.as_deref()) {
                each_word(text, |run| {
                    let word = &text[run];
                    if is_channel(word) {
                        spellings(word, TermKind::Identifier).iter().for_each(|text| take(text, TermKind::Identifier));
                    } else if word.starts_with('#') && word.len() > 1 {
                        take(word, TermKind::Label);
                    }
                });
            }
        }
        let participant = message.whole["participant"].as_str().unwrap_or_default();
        if participant.starts_with("conversation-") || participant.starts_with("conversation~") {
            take(participant, TermKind::Identifier);
        }
    }
    found
}

/// The forms in which a term is looked for; none for one that cannot be told from a common word.
fn spellings(text: &str, kind: TermKind) -> Vec<String> {
    let has_digit = |text: &str| text.bytes().any(|byte| byte.is_ascii_digit());
    match kind {
        _ if text.is_empty() => Vec::new(),
        TermKind::Identifier => {
            let bare = text.rsplit(':').next().filter(|bare| bare.len() >= BARE_LEAST && has_digit(bare) && *bare != text);
            let distinct = has_digit(text) || text.contains([':', '_', '-', '~']);
            [distinct.then_some(text), bare].into_iter().flatten().map(str::to_owned).collect()
        }
        // A label of one plain word is a label only behind its sign.
        TermKind::Label => {
            let name = text.trim_start_matches('#');
            let distinct = has_digit(name) || name.contains(['_', '-', ' ']);
            [Some(format!("#{name}")), distinct.then(|| name.to_owned())].into_iter().flatten().collect()
        }
        TermKind::Name => {
            let distinct = has_digit(text) || text.contains(['_', '-', ' ', '@']);
            let handle = format!("@{}", text.trim_start_matches('@'));
            [(!handle.contains(' ')).then_some(handle), distinct.then(|| text.to_owned())].into_iter().flatten().collect()
        }
    }
}

/// `platform:id`.
fn is_channel(word: &str) -> bool {
    word.split_once(':').is_some_and(|(platform, id)| {
        !platform.is_empty() && platform.bytes().all(|byte| byte.is_ascii_lowercase()) && !id.is_empty() && !id.contains(':')
    })
}

/// The fork's own conversation, in all its generations.
struct Own<'a> {
    fork: &'a str,
    /// The name without its generation.
    base: &'a str,
    /// The channel in it, as the first naming scheme spells it.
    plain: &'a str,
    /// The channel in it, as the second does.
    lossless: Option<String>,
}

impl Own<'_> {
    fn of(fork: &str) -> Own<'_> {
        let base = without_generation(fork);
        let plain = base.strip_prefix("conversation-").unwrap_or(base);
        Own { fork, base, plain, lossless: base.strip_prefix("conversation~").and_then(decoded) }
    }

    fn is(&self, term: &str) -> bool {
        let spelt: String = {
            let mut spelt = String::new();
            for c in term.chars() {
                if c.is_ascii_alphanumeric() || matches!(c, '_' | '-') {
                    spelt.push(c);
                } else if !spelt.ends_with('\u{0}') {
                    spelt.push('\u{0}');
                }
            }
            spelt.replace('\u{0}', "-")
        };
        let bare = |whole: &str| whole.rsplit(['-', ':']).next() == Some(term) && term.len() >= BARE_LEAST;
        term == self.fork
            || without_generation(term) == self.base
            || spelt == self.plain
            || self.lossless.as_deref().is_some_and(|channel| channel == term || bare(channel))
            || bare(self.plain)
    }
}

/// `conversation-slack-C1` of `conversation-slack-C1-g2`.
fn without_generation(name: &str) -> &str {
    name.rsplit_once("-g")
        .filter(|(_, digits)| !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()))
        .map_or(name, |(base, _)| base)
}

/// `slack:C1` of `slack~003aC1`: a tilde and four hex digits stand for a character.
fn decoded(name: &str) -> Option<String> {
    let mut parts = name.split('~');
    let mut out = parts.next()?.to_owned();
    for part in parts {
        let code = part.get(..4).and_then(|digits| u32::from_str_radix(digits, 16).ok()).and_then(char::from_u32)?;
        out.push(code);
        out.push_str(&part[4..]);
    }
    Some(out)
}

/// Every text in a value that is made of words.
fn each_text(value: &Value, mut take: impl FnMut(&str)) {
    let mut waiting = vec![value];
    while let Some(value) = waiting.pop() {
        match value {
            Value::String(text) => take(text),
            Value::Array(items) => waiting.extend(items.iter().rev()),
            Value::Object(fields) => {
                waiting.extend(fields.iter().rev().filter(|(key, _)| !NOT_WORDS.contains(&key.as_str())).map(|(_, value)| value));
            }
            _ => {}
        }
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-' | ':' | '~' | '#' | '@')
}

/// Every longest run of characters that identifiers are made of, without the punctuation at its end.
fn each_word(text: &str, mut take: impl FnMut(Range<usize>)) {
    let mut start = None;
    for (at, c) in text.char_indices().chain([(text.len(), ' ')]) {
        match (is_word(c), start) {
            (true, None) => start = Some(at),
            (false, Some(from)) => {
                let word = text[from..at].trim_end_matches([':', '-']);
                if !word.is_empty() {
                    take(from..from + word.len());
                }
                start = None;
            }
            _ => {}
        }
    }
}

/// The surroundings of a place in a text, on one line.
fn excerpt(text: &str, range: Range<usize>) -> (String, Range<usize>) {
    const AROUND: usize = 40;
    let from = text[..range.start].char_indices().rev().nth(AROUND - 1).map_or(0, |(at, _)| at);
    let to = text[range.end..].char_indices().nth(AROUND).map_or(text.len(), |(at, _)| range.end + at);
    let one_line = |part: &str| part.replace(['\n', '\r', '\t'], " ");
    let mut out = if from > 0 { "…".to_owned() } else { String::new() };
    out.push_str(&one_line(&text[from..range.start]));
    let start = out.len();
    out.push_str(&text[range.clone()]);
    let end = out.len();
    out.push_str(&one_line(&text[range.end..to]));
    if to < text.len() {
        out.push('…');
    }
    (out, start..end)
}
