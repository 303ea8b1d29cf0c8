//! A home, what is asked of it, and what it holds afterwards.

use proem::store::{NoAnswer, Place, Store, StoreError};
use proem::turns::{Said, Turns};
use proem_core::api::StoredSession;
use proem_core::api::chat::{ChatAnswer, WelcomeAnswer};
use proem_core::log::{Log, OpenedBy, SessionSummary};
use std::path::Path;

/// Events of a welcome, in order.
pub const WELCOME_EVENTS: [&str; 5] = ["turn_open", "turn.start", "handler.end", "guard.end", "agent_response"];

/// One process's view of a home.
pub struct Home {
    pub store: Store,
    pub turns: Turns,
}

impl Home {
    pub async fn open(folder: &Path) -> Home {
        Home { store: Store::open(folder).await.unwrap(), turns: Turns::new(folder, None) }
    }

    /// The welcome, asked for by the owner on some channel.
    pub async fn welcome(&self, channel: &str) -> Result<WelcomeAnswer, NoAnswer> {
        self.welcome_with(channel, &mut |_| Ok(())).await
    }

    /// The same with somebody who listens at every named point.
    pub async fn welcome_with(
        &self,
        channel: &str,
        points: &mut (dyn FnMut(&str) -> Result<(), StoreError> + Send),
    ) -> Result<WelcomeAnswer, NoAnswer> {
        self.turns.welcome(&self.store, Place { channel, audience: "owner" }, points).await
    }

    /// A message in a conversation, or in a new one.
    pub async fn say(&self, session_id: Option<&str>, text: &str) -> Result<ChatAnswer, NoAnswer> {
        self.turns.say(&self.store, Said { session_id, channel: "console", text }, &mut |_| Ok(())).await
    }

    /// All stored logs, runs too, each with what is in it. What the row says must be what the log says.
    pub async fn logs(&self) -> Vec<(StoredSession, Log)> {
        let mut logs = Vec::new();
        for session in self.store.sessions(true).await.unwrap() {
            let stored = self.store.log_of_session(&session.summary.session_id).await.unwrap().unwrap();
            let bytes = self.store.content(&stored.content, stored.bytes).await.unwrap();
            assert!(self.store.frame(&stored.content, stored.bytes).await.unwrap().is_none(), "bytes that no row counts");
            let log = Log::read(&session.file_name, bytes, &mut || ()).unwrap();
            // Through JSON, which is how rows keep it: numbers with a fraction may end in another digit.
            let kept = serde_json::to_string(log.summary()).unwrap();
            let kept: SessionSummary = serde_json::from_str(&kept).unwrap();
            assert_eq!(session.summary, kept, "a row that is not up to date");
            assert_eq!((log.summary().skipped_lines, log.summary().foreign_events), (0, 0));
            logs.push((session, log));
        }
        logs
    }
}

/// Kinds of all events of a log.
pub fn kinds(log: &Log) -> Vec<&str> {
    (0..log.event_count()).map(|event| log.kind(event)).collect()
}

/// How many turns the system opened in some logs.
pub fn opened_by_system(logs: &[(StoredSession, Log)]) -> usize {
    logs.iter().flat_map(|(_, log)| log.turns()).filter(|turn| turn.opened_by == OpenedBy::System).count()
}
