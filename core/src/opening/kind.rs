//! The six situations in which a turn opens.

use serde::{Deserialize, Serialize};

/// What the run is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Subject {
    /// A task.
    Task,
    /// A conversation with a person.
    HumanConversation,
    /// A conversation with another agent.
    AgentConversation,
}

/// What really happened to the session: a resume that fell back to a new session was created.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SessionResult {
    /// A new session.
    Created,
    /// The stored session was resumed.
    Resumed,
}

/// The situation an opening answers (specs: opening, section 1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OpeningKind {
    /// A task in a new session.
    TaskStart,
    /// A task in a resumed session.
    TaskResume,
    /// A conversation with a person, new.
    HumanConversationStart,
    /// A conversation with a person, resumed.
    HumanConversationResume,
    /// A conversation with another agent, new.
    AgentConversationStart,
    /// A conversation with another agent, resumed.
    AgentConversationResume,
}

impl OpeningKind {
    /// All six, in the order in which they are shown everywhere.
    pub const ALL: [OpeningKind; 6] = [
        OpeningKind::TaskStart,
        OpeningKind::TaskResume,
        OpeningKind::HumanConversationStart,
        OpeningKind::HumanConversationResume,
        OpeningKind::AgentConversationStart,
        OpeningKind::AgentConversationResume,
    ];

    /// The kind that a subject and the actual result of its session make.
    pub fn of(subject: Subject, session: SessionResult) -> OpeningKind {
        match (subject, session) {
            (Subject::Task, SessionResult::Created) => OpeningKind::TaskStart,
            (Subject::Task, SessionResult::Resumed) => OpeningKind::TaskResume,
            (Subject::HumanConversation, SessionResult::Created) => OpeningKind::HumanConversationStart,
            (Subject::HumanConversation, SessionResult::Resumed) => OpeningKind::HumanConversationResume,
            (Subject::AgentConversation, SessionResult::Created) => OpeningKind::AgentConversationStart,
            (Subject::AgentConversation, SessionResult::Resumed) => OpeningKind::AgentConversationResume,
        }
    }

    /// The word that stands in facts and in templates.
    pub fn as_str(self) -> &'static str {
        match self {
            OpeningKind::TaskStart => "task-start",
            OpeningKind::TaskResume => "task-resume",
            OpeningKind::HumanConversationStart => "human-conversation-start",
            OpeningKind::HumanConversationResume => "human-conversation-resume",
            OpeningKind::AgentConversationStart => "agent-conversation-start",
            OpeningKind::AgentConversationResume => "agent-conversation-resume",
        }
    }

    /// A short name for people.
    pub fn label(self) -> &'static str {
        match self {
            OpeningKind::TaskStart => "Task",
            OpeningKind::TaskResume => "Task, continued",
            OpeningKind::HumanConversationStart => "Conversation",
            OpeningKind::HumanConversationResume => "Conversation, continued",
            OpeningKind::AgentConversationStart => "Agent conversation",
            OpeningKind::AgentConversationResume => "Agent conversation, continued",
        }
    }
}

impl std::fmt::Display for OpeningKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

impl std::str::FromStr for OpeningKind {
    type Err = String;

    fn from_str(s: &str) -> Result<Self, String> {
        OpeningKind::ALL.into_iter().find(|kind| kind.as_str() == s).ok_or_else(|| {
            format!("`{s}` is not a kind of opening; the six are {}", OpeningKind::ALL.map(OpeningKind::as_str).join(", "))
        })
    }
}
