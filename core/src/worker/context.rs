//! The reader worker's answers about what stands around an opening: prefaces, envelopes in recorded prompts, cache layouts, seeds of forks.

use super::reader::{ANSWER_BYTES, as_many_as_fit};
use crate::context::cache::{self, Meter};
use crate::context::preface::{self, Entry, Envelopes, Lint, Mode, Preface};
use crate::context::seed::{self, Counts, Fate, Leak, LeakPlace, Message, Reason, SpawnLine, Term};
use crate::log::{Event, Log, cut};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// Characters of a block's text in a row of a seed.
const BLOCK_TEXT: usize = 4_000;
/// Bytes of a dump; a larger one is the command line's matter.
const DUMP_MAX: usize = 32 << 20;
/// Terms that a summary lists.
pub const FOUND_SHOWN: usize = 500;
/// Speakers that a summary lists.
pub const SPEAKERS_SHOWN: usize = 20;

/// A question.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ContextRequest {
    /// Make a preface.
    Preface {
        /// The entries.
        entries: Vec<Entry>,
        /// Which bytes.
        mode: Mode,
    },
    /// Read pasted entries.
    Entries {
        /// A JSON list.
        json: String,
    },
    /// Find the envelopes of a text.
    Envelopes {
        /// The text.
        text: String,
    },
    /// Hold two requests to a model against each other.
    Meter {
        /// Body of the first, JSON.
        earlier: String,
        /// Body of the one after it.
        later: String,
    },
    /// Find the envelopes in what a model call of an opened log was given, or in the message that opened the turn.
    Prompt {
        /// As opened.
        log: u32,
        /// Any reference form.
        turn: String,
        /// Id of the node: `llm0`, `runtime`.
        node: String,
    },
    /// Make a fork's seed and keep it; the bytes beside the message are the dump of the template's store.
    Seed(SeedAsked),
    /// Some rows of the seed that was made last.
    SeedRows {
        /// Position of the first message of the template's context.
        from: usize,
        /// Position past the last.
        to: usize,
    },
}

/// What makes a seed, beside the dump.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct SeedAsked {
    /// The template's name; empty for the one that the dump names, or who speaks most in it beside the user.
    pub template: String,
    /// The fork's name; empty for the one that the dump or the logged line names.
    pub fork: String,
    /// The fork's own first messages.
    pub own: Option<String>,
    /// A line that the spawn logged.
    pub line: Option<String>,
}

/// An answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ContextAnswer {
    /// To `Preface`.
    Preface {
        /// The text.
        preface: Preface,
        /// What is found in it again.
        envelopes: Envelopes,
        /// Remarks.
        lints: Vec<Lint>,
    },
    /// To `Entries`.
    Entries {
        /// The entries.
        entries: Vec<Entry>,
    },
    /// To `Envelopes`.
    Envelopes {
        /// What was found.
        envelopes: Envelopes,
    },
    /// To `Meter`.
    Meter {
        /// The comparison.
        meter: Meter,
    },
    /// To `Prompt`.
    Prompt {
        /// The messages that hold tags of envelopes, as many as fit into an answer.
        messages: Vec<PromptMessage>,
        /// How many messages do.
        count: usize,
    },
    /// To `Seed`.
    Seed(Box<SeedSummary>),
    /// To `SeedRows`.
    SeedRows {
        /// From `from` on: fewer than were asked for, but at least one, where they are large; none only at the end.
        rows: Vec<SeedRow>,
    },
}

/// A recorded message with envelopes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PromptMessage {
    /// Its place among the messages, from 0.
    pub position: usize,
    /// Its role.
    pub role: String,
    /// Its text.
    pub text: String,
    /// What is in it.
    pub envelopes: Envelopes,
    /// Sentences about what should not be.
    pub findings: Vec<String>,
}

/// A seed in one view.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SeedSummary {
    /// The template's name.
    pub template: String,
    /// The fork's name; empty when nobody said it.
    pub fork: String,
    /// Messages of the template's context.
    pub context: usize,
    /// Messages of the seed.
    pub seeded: usize,
    /// What was left out.
    pub counts: Counts,
    /// The line of the spawn.
    pub line: Option<String>,
    /// Sentences about where the logged line says something else; absent when none was given.
    pub reconciled: Option<Vec<String>>,
    /// How the fork's own first messages compare; absent when none were given.
    pub compared: Option<Compared>,
    /// How many terms of other conversations the store holds.
    pub terms: usize,
    /// The terms that the seed still holds, by where they stand; the first [`FOUND_SHOWN`].
    pub found: Vec<Found>,
    /// How many there are.
    pub found_count: usize,
    /// Who speaks in the dump, and how often: the [`SPEAKERS_SHOWN`] who speak most.
    pub participants: Vec<(String, usize)>,
    /// What could not be read.
    pub remarks: Vec<String>,
}

/// The fork's own first messages beside the seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Compared {
    /// How many there are.
    pub own: usize,
    /// How many from the start are those of the seed.
    pub same: usize,
}

/// How often a term stands somewhere.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Found {
    /// The term.
    pub term: Term,
    /// Where it stands.
    pub place: LeakPlace,
    /// How often.
    pub count: usize,
    /// Position in the template's context of the first message that holds it.
    pub first: usize,
}

/// One message of the template's context, and what became of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SeedRow {
    /// Position in the context.
    pub position: usize,
    /// Who speaks there.
    pub participant: String,
    /// Position in the seed; absent when it was left out.
    pub seeded: Option<usize>,
    /// Who speaks in the seed.
    pub speaks: String,
    /// In the seed one placeholder stands for all its blocks.
    pub placeholder: bool,
    /// Its blocks.
    pub blocks: Vec<SeedRowBlock>,
}

/// A block of a row.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SeedRowBlock {
    /// Its type.
    pub kind: String,
    /// Its text, or its JSON; cut where it is long.
    pub text: String,
    /// Why it was left out.
    pub reason: Option<Reason>,
    /// What it still holds of other conversations.
    pub leaks: Vec<Leak>,
}

/// A seed that was made, for its rows.
pub(super) struct KeptSeed {
    context: Vec<Message>,
    fates: Vec<Fate>,
    fork: String,
    template: String,
    /// By the position of the seed's message.
    leaks: BTreeMap<usize, Vec<Leak>>,
}

/// Answers what needs no log and no seed.
pub(super) fn answer(request: ContextRequest) -> Result<ContextAnswer, String> {
    Ok(match request {
        ContextRequest::Preface { entries, mode } => {
            let preface = preface::preface(&entries, mode);
            let envelopes = preface::read(&preface.text);
            ContextAnswer::Preface { envelopes, lints: preface::lint(&entries, mode), preface }
        }
        ContextRequest::Entries { json } => {
            let entries = serde_json::from_str(json.trim_start_matches('\u{feff}'));
            let entries = entries.map_err(|error| {
                format!("This is no list of entries, [{{\"source\", \"origin\", \"body\", \"fetched_at\"}}]: {error}.")
            })?;
            ContextAnswer::Entries { entries }
        }
        ContextRequest::Envelopes { text } => ContextAnswer::Envelopes { envelopes: preface::read(&text) },
        ContextRequest::Meter { earlier, later } => {
            let read = |json: &str, which: &str| cache::request(json).map_err(|error| format!("The {which} request: {error}"));
            let (earlier, later) = (read(&earlier, "first")?, read(&later, "second")?);
            ContextAnswer::Meter { meter: cache::meter(&earlier, &later) }
        }
        ContextRequest::Prompt { .. } | ContextRequest::Seed(_) | ContextRequest::SeedRows { .. } => {
            return Err("This is asked of something that is open, and nothing is.".to_owned());
        }
    })
}

/// The envelopes in what a call of a turn was given.
pub(super) fn prompt(log: &Log, turn: usize, node: &str) -> Result<ContextAnswer, String> {
    let events = || log.turn_events(turn).map(|event| log.event(event));
    let given: Vec<(String, String)> = match node.strip_prefix("llm").and_then(|number| number.parse::<usize>().ok()) {
        Some(number) => {
            let call = events().filter(|event| event.kind == "llm_call").nth(number);
            messages(&call.ok_or_else(|| format!("There is no call {node} in this turn."))?)
        }
        None if node == "runtime" => {
            let typed = events().find(|event| event.kind == "user_message");
            typed.into_iter().map(|event| ("typed".to_owned(), event.text.unwrap_or_default())).collect()
        }
        None => Vec::new(),
    };
    let first = given.iter().position(|(role, _)| role == "user");
    let found: Vec<PromptMessage> = given
        .into_iter()
        .enumerate()
        .filter_map(|(position, (role, text))| {
            let envelopes = preface::read(&text);
            let any = !(envelopes.envelopes.is_empty() && envelopes.strays.is_empty() && envelopes.loose.is_empty());
            let findings = findings(&envelopes, &role, Some(position) == first, log.session_id());
            any.then_some(PromptMessage { position, role, text, envelopes, findings })
        })
        .collect();
    let messages = as_many_as_fit(&found, 0..found.len(), PromptMessage::clone, |message| 400 + 2 * message.text.len());
    Ok(ContextAnswer::Prompt { messages, count: found.len() })
}

/// Role and text of what a model call was given.
fn messages(event: &Event) -> Vec<(String, String)> {
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let messages = event.payload.get("input_messages").and_then(Value::as_array);
    messages.into_iter().flatten().map(|message| (text(&message["role"]), text(&message["content"]))).collect()
}

/// What should not be about envelopes in a recorded message (specs: retrieved-content, 9 and 10).
fn findings(found: &Envelopes, role: &str, is_first: bool, session_id: &str) -> Vec<String> {
    let mut said: Vec<String> = Vec::new();
    for envelope in &found.envelopes {
        said.extend(envelope.flags.iter().map(|flag| flag.sentence().to_owned()));
        if envelope.is_of_another_session(session_id) {
            said.push(format!("The origin `{}` is that of another session.", envelope.tag.origin));
        }
    }
    if found.envelopes.is_empty() && !found.strays.is_empty() {
        said.push("A closing tag stands here alone.".to_owned());
    }
    match role {
        _ if found.envelopes.is_empty() => {}
        "typed" => said.push(
            "A preface is stored with this message. It is rebuilt for every turn and never stored: stored copies grow old."
                .to_owned(),
        ),
        "system" => {
            said.push("Retrieved content stands in the system prompt, where it changes the start of every request.".to_owned())
        }
        "user" if !is_first => said.push(
            "This is not the first message, where the preface stands: it may be a stored copy of an earlier turn's.".to_owned(),
        ),
        _ => {}
    }
    said.dedup();
    said
}

/// Makes a seed of a dump. `progress` is called between its steps.
pub(super) fn make_seed(asked: &SeedAsked, dump: &str, progress: &mut dyn FnMut()) -> Result<(SeedSummary, KeptSeed), String> {
    if dump.len() > DUMP_MAX {
        return Err(format!("This dump has {} MB; {} are read here. `proem seed` reads any.", dump.len() >> 20, DUMP_MAX >> 20));
    }
    let whole: Option<Value> = serde_json::from_str(dump.trim_start_matches('\u{feff}')).ok();
    let is_case = whole.as_ref().is_some_and(|value| value["store"].is_array() && value["compiled"].is_array());
    let (store, context, mut remarks) = if is_case {
        let case = seed::case(dump)?;
        (case.store, case.compiled, Vec::new())
    } else {
        // A dump alone: the context is what a compile that leaves nothing out would make of it.
        let (store, remarks) = seed::dump(dump)?;
        (store, seed::messages(dump)?.0, remarks)
    };
    progress();
    let line = asked.line.as_deref().map(str::trim).filter(|line| !line.is_empty());
    let logged = line.and_then(SpawnLine::parse);
    let participants = participants(&context);
    let named = |key: &str| whole.as_ref().and_then(|value| value[key].as_str()).filter(|_| is_case).map(str::to_owned);
    let said = |text: &str| Some(text.trim().to_owned()).filter(|text| !text.is_empty());
    let from_line = |pick: fn(&SpawnLine) -> &String| logged.as_ref().map(|line| pick(line).clone());
    let most = || participants.iter().find(|(name, _)| name != "user").map(|(name, _)| name.clone());
    let template = said(&asked.template).or_else(|| named("template")).or_else(|| from_line(|line| &line.template)).or_else(most);
    let template = template.unwrap_or_default();
    let fork = said(&asked.fork).or_else(|| named("fork")).or_else(|| from_line(|line| &line.fork)).unwrap_or_default();

    let made = seed::seed(&store, &context, &template, &fork);
    progress();
    let (terms, leaks) = seed::leaks(&store, &made.messages, &fork);
    progress();
    let reconciled = line.map(|_| reconcile(logged.as_ref(), &made.counts, &template, &fork));
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
    Ok((summary, KeptSeed { context, fates: made.fates, fork, template, leaks: by_message }))
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
    let value = |message: &Message| -> Vec<Value> {
        message.content.iter().map(|block| serde_json::from_str(block.raw.get()).unwrap_or(Value::Null)).collect()
    };
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
        all.entry((leak.place, leak.term)).or_insert((0, first)).0 += 1;
    }
    let found = |((place, term), (count, first))| Found { term: Term::clone(&terms[term]), place, count, first };
    all.into_iter().map(found).collect()
}

impl KeptSeed {
    /// Some rows.
    pub(super) fn rows(&self, from: usize, to: usize) -> ContextAnswer {
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
                text: cut(block.text.as_deref().unwrap_or_else(|| block.raw.get()), BLOCK_TEXT),
                reason: reason.clone(),
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

/// A row is never larger than an answer by more than its last block.
const _: () = assert!(BLOCK_TEXT * 4 < ANSWER_BYTES);
