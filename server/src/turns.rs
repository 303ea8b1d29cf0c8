//! The turns that this home answers itself: what the pages, the API and the command line ask for is run here and stored in one piece.

mod files;
mod world;

use crate::clock;
use crate::store::{Conversation, NoAnswer, Place, Store, Told};
use files::{Files, Loaded};
use proem_core::api::chat::{ChatAnswer, WelcomeAnswer};
use proem_core::api::governance::{GovernanceState, WriteHealth};
use proem_core::turn::Opening;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
pub use world::Points;
use world::Runner;

/// Bytes of a message.
pub const TEXT_MAX: usize = 32 * 1024;
/// Characters of a channel's name.
const CHANNEL_MAX: usize = 32;
/// Who a conversation is with.
const AUDIENCES: [&str; 2] = ["owner", "other"];
/// What ids of test runs begin with.
const PLAYGROUND: &str = "playground-";

/// Runs turns with the configuration of one home.
pub struct Turns {
    files: Files,
    /// What the store said when a turn could not be stored, until one can again.
    trouble: Mutex<String>,
}

/// A message.
#[derive(Clone, Copy, Debug)]
pub struct Said<'a> {
    /// The conversation it belongs to; a new one without.
    pub session_id: Option<&'a str>,
    /// Where it was typed.
    pub channel: &'a str,
    /// What was typed.
    pub text: &'a str,
}

impl Turns {
    /// Those of a home, as this process was started: `PROEM_INTERCEPTS_CONFIG` may name another file of openers and intercepts.
    pub fn of(home: &Path) -> Turns {
        let elsewhere = std::env::var_os("PROEM_INTERCEPTS_CONFIG").filter(|path| !path.is_empty());
        Turns::new(home, elsewhere.as_ref().map(Path::new))
    }

    /// Those of a home. `intercepts` takes the place of the home's own file of that name.
    pub fn new(home: &Path, intercepts: Option<&Path>) -> Turns {
        Turns { files: Files::of(home, intercepts), trouble: Mutex::default() }
    }

    /// Answers a message.
    ///
    /// # Errors
    /// [`NoAnswer`]; a turn that failed is stored as far as it came.
    pub async fn say(&self, store: &Store, said: Said<'_>, points: Points<'_>) -> Result<ChatAnswer, NoAnswer> {
        let conversation = said.session_id.map_or(Conversation::New(""), Conversation::Of);
        let place = Place { channel: said.channel, audience: AUDIENCES[0] };
        self.run(store, conversation, place, Opening::Message(said.text), points).await
    }

    /// Runs a declared opener as a test, in a session of its own that no list counts (specs: system-opened-turns, 6.11).
    ///
    /// # Errors
    /// [`NoAnswer`]; a turn that failed is stored as far as it came.
    pub async fn try_opener(&self, store: &Store, opener: &str, points: Points<'_>) -> Result<ChatAnswer, NoAnswer> {
        let place = Place { channel: "playground", audience: AUDIENCES[0] };
        self.run(store, Conversation::New(PLAYGROUND), place, Opening::Opener(opener), points).await
    }

    async fn run(
        &self,
        store: &Store,
        conversation: Conversation<'_>,
        place: Place<'_>,
        opening: Opening<'_>,
        points: Points<'_>,
    ) -> Result<ChatAnswer, NoAnswer> {
        let config = self.config();
        let mut runner = Runner { config: &config, place, opening, points };
        let told = self.watched(store.turn(conversation, place, &mut runner).await)?;
        let Told { session_id, reference, trace_id, answer } = told;
        Ok(ChatAnswer {
            session_id,
            turn_id: answer.turn_id,
            reference,
            trace_id,
            response: answer.masked,
            handler: answer.handler,
            verdict: answer.verdict.as_str().to_owned(),
            has_errors: answer.has_errors,
            at: answer.at,
        })
    }

    /// The first-chat welcome: run now if it is due, else as it was recorded.
    ///
    /// # Errors
    /// [`NoAnswer`]; the next request runs it again.
    pub async fn welcome(&self, store: &Store, place: Place<'_>, points: Points<'_>) -> Result<WelcomeAnswer, NoAnswer> {
        let config = self.config();
        let mut runner = Runner { config: &config, place, opening: Opening::Opener("welcome"), points };
        self.watched(store.welcome(place, &mut runner).await)
    }

    /// The names of the openers that may run.
    pub fn openers(&self) -> Vec<String> {
        let openers = self.config().config.openers();
        openers.into_iter().filter(|opener| opener.enabled).map(|opener| opener.name).collect()
    }

    /// What is switched on, and what became of the welcome.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn state(&self, store: &Store) -> crate::store::Result<GovernanceState> {
        let Loaded { config, files } = &*self.files.load();
        let last_error = self.trouble.lock().unwrap_or_else(PoisonError::into_inner).clone();
        Ok(GovernanceState {
            enabled: true,
            audit_count: store.decisions().await?,
            checks: config.checks(),
            openers: config.openers(),
            intercepts: config.intercepts(),
            files: files.clone(),
            welcome: store.welcome_state().await?,
            write_health: WriteHealth { ok: last_error.is_empty(), last_error },
        })
    }

    /// Remembers whether turns can be stored.
    fn watched<T>(&self, outcome: Result<T, NoAnswer>) -> Result<T, NoAnswer> {
        let mut trouble = self.trouble.lock().unwrap_or_else(PoisonError::into_inner);
        match &outcome {
            Ok(_) => trouble.clear(),
            Err(NoAnswer::Store(error)) => *trouble = format!("{}: {error}", clock::now()),
            Err(_) => {}
        }
        outcome
    }

    fn config(&self) -> Arc<Loaded> {
        self.files.load()
    }
}

/// Where a turn takes place, if these are names that it may have.
///
/// # Errors
/// A sentence.
pub fn place<'a>(channel: &'a str, audience: &'a str) -> Result<Place<'a>, String> {
    let length = channel.chars().count();
    if length > CHANNEL_MAX {
        return Err(format!("`channel` has {length} characters; it may have {CHANNEL_MAX}."));
    }
    if !AUDIENCES.contains(&audience) {
        return Err("`audience` must be `owner` or `other`.".to_owned());
    }
    Ok(Place { channel, audience })
}

/// A message that can be answered.
///
/// # Errors
/// A sentence.
pub fn message(text: &str) -> Result<&str, String> {
    match text.len() {
        _ if text.trim().is_empty() => Err("The message is empty: there is nothing to answer.".to_owned()),
        length if length > TEXT_MAX => Err(format!("The message has {length} bytes; one may have {TEXT_MAX}.")),
        _ => Ok(text),
    }
}
