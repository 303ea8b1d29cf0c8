//! Makes a seed of a dump, keeps it, and gives its rows.

use super::{Compared, ContextAnswer, FOUND_SHOWN, Found, SPEAKERS_SHOWN, SeedAsked, SeedRow, SeedRowBlock, SeedSummary};
use crate::context::seed::{self, Block, Counts, Fate, Leak, LeakPlace, Message, Opened, Reason, SpawnLine, Term};
use crate::log::cut;
use crate::worker::reader::{ANSWER_BYTES, as_many_as_fit};
use serde_json::Value;
use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};

/// Characters of a block's text in a row of a seed.
const BLOCK_TEXT: usize = 4_000;
/// Bytes of a dump; a larger one is the command line's matter.
const DUMP_MAX: u64 = 32 << 20;

/// A sentence when a dump has more bytes than are read here.
pub fn too_large(bytes: u64) -> Option<String> {
    let sentence = || format!("This dump has {} MB; {} are read here. `proem seed` reads any.", bytes >> 20, DUMP_MAX >> 20);
    (bytes > DUMP_MAX).then(sentence)
}

/// A seed that was made, for its rows.
pub(in crate::worker) struct KeptSeed {
    context: Vec<Message>,
    fates: Vec<Fate>,
    fork: String,
    template: String,
    /// By the position of the seed's message.
    leaks: BTreeMap<usize, Vec<Leak>>,
    /// Where in the context the marked messages stand, by id; the first of each.
    marked: HashMap<String, usize>,
}

/// Makes a seed of a dump. `progress` is called at every message, and oftener where they are large.
pub(in crate::worker) fn make_seed(
    asked: &SeedAsked,
    dump: &str,
    progress: &mut dyn FnMut(),
) -> Result<(SeedSummary, KeptSeed), String> {
    if let Some(sentence) = too_large(dump.len() as u64) {
        return Err(sentence);
    }
    let Opened { template, fork, log, store, compiled: context, mut remarks } = seed::open(dump, progress)?;
    let said = |text: &str| Some(text.trim().to_owned()).filter(|text| !text.is_empty());
    let line = asked.line.as_deref().and_then(said).or(log);
    let logged = line.as_deref().and_then(SpawnLine::parse);
    let participants = participants(&context);
    let from_line = |pick: fn(&SpawnLine) -> &String| logged.as_ref().map(|line| pick(line).clone());
    let most = || participants.iter().find(|(name, _)| name != "user").map(|(name, _)| name.clone());
    let template = said(&asked.template).or(template).or_else(|| from_line(|line| &line.template)).or_else(most);
    let template = template.unwrap_or_default();
    let fork = said(&asked.fork).or(fork).or_else(|| from_line(|line| &line.fork)).unwrap_or_default();

    let made = seed::seed(&store, &context, &template, &fork);
    progress();
    let (terms, leaks) = seed::find_leaks(&store, &made.messages, &fork, progress);
    progress();
    let reconciled = line.as_ref().map(|_| reconcile(logged.as_ref(), &made.counts, &template, &fork));
    let compared = match asked.own.as_deref().filter(|own| !own.trim().is_empty()) {
        Some(own) => {
            let (own, more) = seed::messages(own).map_err(|error| format!("The fork's own messages: {error}"))?;
            remarks.extend(more.into_iter().map(|remark| format!("The fork's own messages: {remark}")));
            Some(Compared { own: own.len(), same: same(&made.messages, &own) })
        }
        None => None,
    };
    // The seed's messages by their place in the context.
    let places: Vec<usize> = (0..made.fates.len()).filter(|at| made.fates[*at].seeded.is_some()).collect();
    let mut found = found(&terms, &leaks, &places);
    let found_count = found.len();
    found.truncate(FOUND_SHOWN);
    let summary = SeedSummary {
        context: context.len(),
        seeded: made.messages.len(),
        counts: made.counts,
        line: seed::spawn_line(&made.counts, &template, &fork),
        logged: line,
        reconciled,
        compared,
        terms: terms.len(),
        found,
        found_count,
        participants: participants.into_iter().take(SPEAKERS_SHOWN).collect(),
        remarks,
        template: template.clone(),
        fork: fork.clone(),
    };
    let mut by_message: BTreeMap<usize, Vec<Leak>> = BTreeMap::new();
    for leak in leaks {
        by_message.entry(leak.message).or_default().push(leak);
    }
    let mut marked = HashMap::new();
    for (at, fate) in made.fates.iter().enumerate() {
        for id in
            fate.blocks.iter().filter_map(|reason| if let Some(Reason::Notice { id, .. }) = reason { Some(id) } else { None })
        {
            marked.entry(id.clone()).or_insert(at);
        }
    }
    Ok((summary, KeptSeed { context, fates: made.fates, fork, template, leaks: by_message, marked }))
}

/// Who speaks how often, the most first.
fn participants(context: &[Message]) -> Vec<(String, usize)> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for message in context {
        *counts.entry(&message.participant).or_default() += 1;
    }
    let mut all: Vec<(String, usize)> = counts.into_iter().map(|(name, count)| (name.to_owned(), count)).collect();
    all.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    all
}

/// Where a logged line says something else than what was made.
fn reconcile(logged: Option<&SpawnLine>, counts: &Counts, template: &str, fork: &str) -> Vec<String> {
    let Some(logged) = logged else {
        return vec![
            "This is not the line of a spawn: `[conversation] FORK: seeded from TEMPLATE without …` is expected.".to_owned(),
        ];
    };
    let mut said = Vec::new();
    for (what, theirs, ours) in [("template", &*logged.template, template), ("fork", &*logged.fork, fork)] {
        if theirs != ours {
            said.push(format!("The line names the {what} `{theirs}`, here it is `{ours}`."));
        }
    }
    for (what, theirs, ours) in [
        ("thinking blocks", logged.counts.thinking, counts.thinking),
        ("notices", logged.counts.notices, counts.notices),
        ("unanswered calls", logged.counts.unanswered, counts.unanswered),
        ("orphaned results", logged.counts.orphaned, counts.orphaned),
    ] {
        if theirs != ours {
            said.push(format!("The line counts {theirs} {what}, here {ours} are left out."));
        }
    }
    said
}

/// How many messages from the start are the same: who speaks, and every block.
fn same(seed: &[Message], own: &[Message]) -> usize {
    // Older seeds hold other words for tool blocks that were left out.
    let value = |block: &Block| match block.text.as_deref() {
        Some(seed::OLDER_PLACEHOLDER | seed::PLACEHOLDER) => Value::Bool(true),
        _ => serde_json::from_str(block.raw.get()).unwrap_or(Value::Null),
    };
    let value = |message: &Message| -> Vec<Value> { message.content.iter().map(value).collect() };
    seed.iter()
        .zip(own)
        .take_while(|(ours, theirs)| ours.participant == theirs.participant && value(ours) == value(theirs))
        .count()
}

/// The terms that were found, by place and then in the order of the store.
fn found(terms: &[Term], leaks: &[Leak], places: &[usize]) -> Vec<Found> {
    let mut all: BTreeMap<(LeakPlace, usize), (usize, usize)> = BTreeMap::new();
    for leak in leaks {
        let first = places.get(leak.message).copied().unwrap_or_default();
        all.entry((leak.place, leak.term)).or_insert((0, first)).0 += leak.times;
    }
    let found = |((place, term), (count, first))| Found { term: Term::clone(&terms[term]), place, count, first };
    all.into_iter().map(found).collect()
}

impl KeptSeed {
    /// Some rows.
    pub(in crate::worker) fn rows(&self, from: usize, to: usize) -> ContextAnswer {
        let positions: Vec<usize> = (0..self.context.len()).collect();
        let bytes = |row: &SeedRow| 200 + row.blocks.iter().map(|block| 200 + block.text.len()).sum::<usize>();
        ContextAnswer::SeedRows { rows: as_many_as_fit(&positions, from..to, |at| self.row(*at), bytes) }
    }

    fn row(&self, position: usize) -> SeedRow {
        let (message, fate) = (&self.context[position], &self.fates[position]);
        let leaks = fate.seeded.and_then(|at| self.leaks.get(&at)).map_or(&[][..], Vec::as_slice);
        // Leaks count the blocks of the seed.
        let mut kept = 0;
        let blocks = message.content.iter().zip(&fate.blocks).map(|(block, reason)| {
            let at = kept;
            kept += usize::from(reason.is_none());
            SeedRowBlock {
                kind: block.kind.clone(),
                text: cut(&words(block), BLOCK_TEXT),
                reason: reason.clone(),
                marked: match reason {
                    Some(Reason::Repeats { id, .. }) => self.marked.get(id).copied(),
                    _ => None,
                },
                leaks: leaks.iter().filter(|leak| reason.is_none() && leak.block == at).cloned().collect(),
            }
        });
        SeedRow {
            position,
            participant: message.participant.clone(),
            seeded: fate.seeded,
            speaks: if message.participant == self.template { self.fork.clone() } else { message.participant.clone() },
            placeholder: fate.placeholder,
            blocks: blocks.collect(),
        }
    }
}

/// What a block says: its text, what was thought, what a tool was called with or gave; of any other block its JSON.
fn words(block: &Block) -> Cow<'_, str> {
    if let Some(text) = &block.text {
        return Cow::Borrowed(text);
    }
    let value = || serde_json::from_str::<Value>(block.raw.get()).unwrap_or(Value::Null);
    let said = match block.kind.as_str() {
        "thinking" => value()["thinking"].as_str().map(str::to_owned),
        "tool_use" => {
            let value = value();
            value["name"].as_str().map(|name| format!("{name} {}", value["input"]))
        }
        "tool_result" => match &value()["content"] {
            Value::String(text) => Some(text.clone()),
            Value::Array(blocks) => {
                let texts: Option<Vec<&str>> = blocks.iter().map(|block| block["text"].as_str()).collect();
                texts.map(|texts| texts.join("\n"))
            }
            _ => None,
        },
        _ => None,
    };
    said.map_or(Cow::Borrowed(block.raw.get()), Cow::Owned)
}

/// A row is never larger than an answer by more than its last block.
const _: () = assert!(BLOCK_TEXT * 4 < ANSWER_BYTES);
