//! What a fork is given of its template's context, and what is left out of it (specs: fork-seed). Blocks are carried as the text they
//! were read from, so that what is not understood goes through untouched.

mod leak;
mod read;
mod spawn;

pub use leak::{Leak, LeakPlace, Term, TermKind, find_leaks, leaks};
pub use read::{Opened, SeedCase, case, dump, messages, open};
pub use spawn::{SpawnLine, spawn_line};

use read::placeholder;
use serde::ser::SerializeMap;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::collections::{HashMap, HashSet};

/// What stands in a message whose tool blocks were all left out.
pub const PLACEHOLDER: &str = "[tool call omitted]";
/// What older seeds hold in its place.
pub const OLDER_PLACEHOLDER: &str = "[tool call omitted — spans chunk boundary]";

/// One block of a message: what the filters look at, and the whole as it was written.
#[derive(Clone, Debug)]
pub struct Block {
    /// Its type; empty when it has none.
    pub kind: String,
    /// The text of a text block.
    pub text: Option<String>,
    /// The id of a call, or of the call that a result answers.
    pub call: Option<String>,
    /// As it was written.
    pub raw: Box<RawValue>,
}

/// One message of the template's compiled context.
#[derive(Clone, Debug)]
pub struct Message {
    /// Who speaks: a name, not a role.
    pub participant: String,
    /// Its blocks.
    pub content: Vec<Block>,
    /// All other fields but those that only a store has, as they were written.
    pub others: Vec<(String, Box<RawValue>)>,
}

/// One message of the template's store.
#[derive(Clone, Debug)]
pub struct Stored {
    /// Its id; empty when it has none.
    pub id: String,
    /// Its blocks.
    pub content: Vec<Block>,
    /// Why it is marked as a notice of the template's own.
    pub mark: Option<Mark>,
    /// The whole, for looking up terms.
    pub whole: serde_json::Value,
}

/// Why a stored message is a notice that no fork is given (section 4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mark {
    /// `kind` is `channel-notice`.
    ChannelNotice,
    /// It names a `speaker`.
    Speaker,
}

/// Why a block is not in the seed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "why")]
pub enum Reason {
    /// A thinking block.
    Thinking,
    /// It is a marked message of the store.
    Notice {
        /// The marked message.
        id: String,
        /// Its mark.
        mark: Mark,
    },
    /// It repeats the text of a marked message.
    Repeats {
        /// The marked message.
        id: String,
        /// Its mark.
        mark: Mark,
    },
    /// A call without a result.
    Unanswered,
    /// A result without a call.
    Orphaned,
}

/// What was left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Thinking blocks.
    pub thinking: u64,
    /// Notices and repetitions of them.
    pub notices: u64,
    /// Calls without a result.
    pub unanswered: u64,
    /// Results without a call.
    pub orphaned: u64,
}

/// A seed, and what became of the template's context.
#[derive(Clone, Debug)]
pub struct Seed {
    /// The fork's first messages.
    pub messages: Vec<Message>,
    /// What was left out.
    pub counts: Counts,
    /// For each message of the context, what became of it.
    pub fates: Vec<Fate>,
}

/// What became of one message of the template's context.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fate {
    /// Position of the seed's message that was made of it.
    pub seeded: Option<usize>,
    /// For each of its blocks, why it was left out; null for one that was kept.
    pub blocks: Vec<Option<Reason>>,
    /// All its blocks were tool blocks that were left out, so a placeholder stands for them.
    pub placeholder: bool,
}

/// Makes a fork's seed (sections 3 to 5): empty messages, then thinking, then notices, then unpaired tool blocks are left out. Running it
/// on its own result changes nothing.
pub fn seed(store: &[Stored], compiled: &[Message], template: &str, fork: &str) -> Seed {
    let notices = notices(store);
    let mut fates: Vec<Fate> = compiled
        .iter()
        .map(|message| Fate { blocks: message.content.iter().map(|block| early(block, &notices)).collect(), ..Fate::default() })
        .collect();
    // A notice is the marked message itself as often as it is stored, each time as a message of its own; any other time it is repeated.
    let mut stored: HashMap<&str, usize> = notices.iter().map(|(text, (_, _, times))| (*text, *times)).collect();
    for (message, fate) in compiled.iter().zip(&mut fates) {
        if let ([Block { text: Some(text), .. }], [Some(reason)]) = (&message.content[..], &mut fate.blocks[..])
            && let Reason::Repeats { id, mark } = reason
            && let Some(left) = stored.get_mut(text.as_str()).filter(|left| **left > 0)
        {
            *left -= 1;
            *reason = Reason::Notice { id: std::mem::take(id), mark: *mark };
        }
    }

    // Only blocks that are still there can pair, and messages that were emptied so far are gone.
    let mut calls: HashSet<&str> = HashSet::new();
    let mut results: HashSet<&str> = HashSet::new();
    for (message, fate) in compiled.iter().zip(&fates) {
        for (block, _) in message.content.iter().zip(&fate.blocks).filter(|(_, reason)| reason.is_none()) {
            match (block.kind.as_str(), &block.call) {
                ("tool_use", Some(id)) => drop(calls.insert(id)),
                ("tool_result", Some(id)) => drop(results.insert(id)),
                _ => {}
            }
        }
    }
    let mut messages = Vec::new();
    for (message, fate) in compiled.iter().zip(&mut fates) {
        if fate.blocks.iter().all(Option::is_some) {
            continue;
        }
        for (block, reason) in message.content.iter().zip(&mut fate.blocks).filter(|(_, reason)| reason.is_none()) {
            *reason = unpaired(block, &calls, &results);
        }
        let mut content: Vec<Block> = message
            .content
            .iter()
            .zip(&fate.blocks)
            .filter(|(_, reason)| reason.is_none())
            .map(|(block, _)| block.clone())
            .collect();
        fate.placeholder = content.is_empty();
        if content.is_empty() {
            content.push(placeholder());
        }
        fate.seeded = Some(messages.len());
        let participant = if message.participant == template { fork } else { &message.participant };
        messages.push(Message { participant: participant.to_owned(), content, others: message.others.clone() });
    }
    let counts = counts(&fates);
    Seed { messages, counts, fates }
}

/// The texts that are left out: each with the first marked message that holds it, its mark, and how often it is stored as such.
fn notices(store: &[Stored]) -> HashMap<&str, (&str, Mark, usize)> {
    let mut notices: HashMap<&str, (&str, Mark, usize)> = HashMap::new();
    for message in store {
        let Some(mark) = message.mark else { continue };
        for text in message.content.iter().filter_map(|block| block.text.as_deref()).filter(|text| !text.is_empty()) {
            notices.entry(text).or_insert((&message.id, mark, 0)).2 += 1;
        }
    }
    notices
}

/// Why a block goes before tool blocks are paired.
fn early(block: &Block, notices: &HashMap<&str, (&str, Mark, usize)>) -> Option<Reason> {
    if matches!(block.kind.as_str(), "thinking" | "redacted_thinking") {
        return Some(Reason::Thinking);
    }
    let (id, mark, _) = notices.get(block.text.as_deref()?)?;
    Some(Reason::Repeats { id: (*id).to_owned(), mark: *mark })
}

fn unpaired(block: &Block, calls: &HashSet<&str>, results: &HashSet<&str>) -> Option<Reason> {
    let has = |ids: &HashSet<&str>| block.call.as_deref().is_some_and(|id| ids.contains(id));
    match block.kind.as_str() {
        "tool_use" if !has(results) => Some(Reason::Unanswered),
        "tool_result" if !has(calls) => Some(Reason::Orphaned),
        _ => None,
    }
}

fn counts(fates: &[Fate]) -> Counts {
    let mut counts = Counts::default();
    for reason in fates.iter().flat_map(|fate| &fate.blocks).flatten() {
        match reason {
            Reason::Thinking => counts.thinking += 1,
            Reason::Notice { .. } | Reason::Repeats { .. } => counts.notices += 1,
            Reason::Unanswered => counts.unanswered += 1,
            Reason::Orphaned => counts.orphaned += 1,
        }
    }
    counts
}

impl Serialize for Message {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(2 + self.others.len()))?;
        map.serialize_entry("participant", &self.participant)?;
        map.serialize_entry("content", &self.content.iter().map(|block| &block.raw).collect::<Vec<_>>())?;
        for (name, value) in &self.others {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}
