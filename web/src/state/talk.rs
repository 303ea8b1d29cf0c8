//! A conversation as the Chat page holds it: what was said, what is being sent, and what became of it.

use proem_core::api::chat::{ChatAnswer, WelcomeAnswer};
use proem_core::ledger::LedgerEntry;
use proem_core::log::{Message, Outcome, Role};

/// So many messages of a long conversation are shown; its replay has them all.
const SHOWN: usize = 200;

/// Who said something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Voice {
    /// Somebody typed it.
    Person,
    /// An answer to what was typed.
    Answer,
    /// An answer that nobody asked for: the system opened the turn.
    Opener,
    /// Why there is no answer.
    Notice,
}

/// One thing that was said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Said {
    /// Counts from 0 in this conversation and stays the same.
    pub key: usize,
    /// Who.
    pub voice: Voice,
    /// What.
    pub text: String,
    /// When; absent while it is being sent.
    pub at: Option<String>,
    /// The turn's reference; empty while it is being sent.
    pub turn: String,
    /// Which handler answered, where that is known.
    pub handler: Option<String>,
    /// What the check said: `pass`, `warn`, `retry`, `halt`, `refused`.
    pub verdict: String,
}

/// What is being sent, or could not be.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Sending {
    ticket: u32,
    text: String,
}

/// A conversation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Talk {
    session: Option<String>,
    said: Vec<Said>,
    /// Messages that came before those kept here.
    earlier: usize,
    sending: Option<Sending>,
    ticket: u32,
}

impl Talk {
    /// A recorded one.
    pub fn recorded(session: &str, messages: &[Message]) -> Talk {
        let mut talk = Talk { session: Some(session.to_owned()), ..Talk::default() };
        let mut before = "";
        for message in messages.iter().filter(|message| message.role != Role::Tool) {
            let voice = match message.role {
                Role::User => Voice::Person,
                // An answer that begins a turn answers nobody.
                Role::Assistant if message.reference != before => Voice::Opener,
                Role::Assistant if talk.said.last().is_some_and(|last| last.voice == Voice::Opener) => Voice::Opener,
                Role::Assistant => Voice::Answer,
                Role::Notice | Role::Tool => Voice::Notice,
            };
            before = &message.reference;
            let text = if voice == Voice::Notice && message.text.is_empty() { "There is no answer." } else { &message.text };
            talk.say(voice, text, message.ts.clone(), &message.reference);
            talk.judge(message.outcome);
        }
        talk.earlier = talk.said.len().saturating_sub(SHOWN);
        talk.said.drain(..talk.earlier);
        talk
    }

    /// Turns to another conversation. What was being sent in this one is not waited for.
    pub fn turn_to(&mut self, other: Talk) {
        *self = Talk { ticket: self.ticket, ..other };
    }

    /// Adds what the ledger knows about the answers: who gave them, and what the check said.
    pub fn learn(&mut self, entries: &[LedgerEntry]) {
        for said in self.said.iter_mut().filter(|said| matches!(said.voice, Voice::Answer | Voice::Opener)) {
            let of_turn =
                |entry: &&LedgerEntry| entry.link.as_ref().and_then(|link| link.reference.as_deref()) == Some(&said.turn);
            for entry in entries.iter().filter(of_turn).filter(|entry| entry.hook_point == "pre_response") {
                if said.handler.is_none() && entry.public.deterministic == Some(true) {
                    said.handler.clone_from(&entry.public.handler);
                }
                if said.verdict == "pass" && entry.severity == "warn" {
                    "warn".clone_into(&mut said.verdict);
                }
            }
        }
    }

    /// The welcome was made just now, and what follows goes on from it. A conversation that has begun meanwhile stays as it is: false.
    pub fn welcome(&mut self, answer: &WelcomeAnswer) -> bool {
        if self.session.is_some() {
            return false;
        }
        self.session = Some(answer.session_id.clone());
        self.say(Voice::Opener, &answer.response, Some(answer.at.clone()), &answer.reference);
        if let Some(last) = self.said.last_mut() {
            last.handler = Some("welcome".to_owned());
        }
        true
    }

    /// Begins to send a text; the number that its answer comes back with. None when there is nothing to send, or something is on its way.
    pub fn send(&mut self, text: &str) -> Option<u32> {
        if text.trim().is_empty() || self.sending.is_some() {
            return None;
        }
        self.ticket = self.ticket.wrapping_add(1);
        self.sending = Some(Sending { ticket: self.ticket, text: text.to_owned() });
        Some(self.ticket)
    }

    /// What was sent was answered. False when nobody waits for that any more.
    pub fn answered(&mut self, ticket: u32, answer: &ChatAnswer) -> bool {
        let Some(sent) = self.take(ticket) else { return false };
        self.session = Some(answer.session_id.clone());
        self.say(Voice::Person, &sent, Some(answer.at.clone()), &answer.reference);
        self.say(Voice::Answer, &answer.response, Some(answer.at.clone()), &answer.reference);
        if let Some(last) = self.said.last_mut() {
            last.handler = Some(answer.handler.clone());
            last.verdict.clone_from(&answer.verdict);
        }
        true
    }

    /// Whether the answer to that number is still waited for.
    pub fn awaits(&self, ticket: u32) -> bool {
        self.sending.as_ref().is_some_and(|sending| sending.ticket == ticket)
    }

    /// What was sent could not be; its text, to be kept for another try.
    pub fn failed(&mut self, ticket: u32) -> Option<String> {
        self.take(ticket)
    }

    /// The session, once there is one.
    pub fn session(&self) -> Option<&str> {
        self.session.as_deref()
    }

    /// What was said, the oldest first, without what is being sent.
    pub fn said(&self) -> &[Said] {
        &self.said
    }

    /// How many messages came before [`Self::said`].
    pub fn earlier(&self) -> usize {
        self.earlier
    }

    /// What is on its way.
    pub fn sending(&self) -> Option<&str> {
        self.sending.as_ref().map(|sending| sending.text.as_str())
    }

    /// Whether nobody has typed anything yet.
    pub fn is_unasked(&self) -> bool {
        self.earlier == 0 && self.said.iter().all(|said| said.voice != Voice::Person)
    }

    fn take(&mut self, ticket: u32) -> Option<String> {
        let sending = self.sending.take_if(|sending| sending.ticket == ticket)?;
        Some(sending.text)
    }

    fn say(&mut self, voice: Voice, text: &str, at: Option<String>, turn: &str) {
        let key = self.said.last().map_or(0, |last| last.key + 1);
        let verdict = "pass".to_owned();
        self.said.push(Said { key, voice, text: text.to_owned(), at, turn: turn.to_owned(), handler: None, verdict });
    }

    fn judge(&mut self, outcome: Option<Outcome>) {
        let verdict = match outcome {
            Some(Outcome::Halted) => "halt",
            Some(Outcome::Refused) => "refused",
            _ => return,
        };
        if let Some(last) = self.said.last_mut() {
            verdict.clone_into(&mut last.verdict);
        }
    }
}

/// What the check said about an answer, in words; None when there is nothing to say.
pub fn verdict_word(verdict: &str) -> Option<&str> {
    match verdict {
        "pass" | "" | "skipped" => None,
        "warn" => Some("Shown with a warning"),
        "retry" => Some("Shown with a warning to try again"),
        "halt" => Some("Halted by a check"),
        "refused" => Some("Refused before it was answered"),
        other => Some(other),
    }
}

/// Who answered, in words. The page says elsewhere that no model is connected.
pub fn answered_by(said: &Said) -> String {
    match (&said.handler, said.verdict.as_str()) {
        (_, "refused") => "By the input screen, no model".to_owned(),
        (Some(handler), _) if handler == "no_model" => "No handler for this, and no model".to_owned(),
        (Some(handler), _) => format!("Answered by {handler}, no model"),
        (None, _) => "Answered".to_owned(),
    }
}

#[cfg(test)]
mod tests;
