//! The facts table, contract version 1: every field a template may read. Parsing, samples and all reference material come from
//! it; adding a field is one row (specs: opening, section 2).

use super::kind::OpeningKind;

/// The contract version that this table is.
pub const CONTRACT: u32 = 1;

/// What a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    /// Text.
    Text,
    /// One of these words.
    Word(&'static [&'static str]),
    /// One of the six kinds of opening.
    Kind,
    /// A whole number, not negative.
    Integer,
    /// The fields below it.
    Object,
    /// A list of objects, whose fields are the rows below `path[]`.
    ObjectList,
    /// A list of texts.
    TextList,
}

/// In which situations a value can be there; elsewhere it is null or an empty list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kinds {
    /// In all six.
    All,
    /// Where the subject is a task.
    Task,
    /// Where the subject is a conversation with a person.
    Human,
    /// Where the subject is a conversation with an agent.
    Agent,
    /// In both kinds of conversation.
    Conversation,
}

impl Kinds {
    /// Whether `kind` is among them.
    pub fn include(self, kind: OpeningKind) -> bool {
        use OpeningKind::*;
        match self {
            Kinds::All => true,
            Kinds::Task => matches!(kind, TaskStart | TaskResume),
            Kinds::Human => matches!(kind, HumanConversationStart | HumanConversationResume),
            Kinds::Agent => matches!(kind, AgentConversationStart | AgentConversationResume),
            Kinds::Conversation => !matches!(kind, TaskStart | TaskResume),
        }
    }

    /// The situations in short, for people.
    pub fn as_str(self) -> &'static str {
        match self {
            Kinds::All => "all",
            Kinds::Task => "task-*",
            Kinds::Human => "human-*",
            Kinds::Agent => "agent-*",
            Kinds::Conversation => "human-*, agent-*",
        }
    }
}

impl Type {
    /// What a value is, in short, for people.
    pub fn describe(self) -> String {
        match self {
            Type::Text => "text".to_owned(),
            Type::Word(words) => words.join(" or "),
            Type::Kind => "one of the six kinds".to_owned(),
            Type::Integer => "whole number".to_owned(),
            Type::Object => "object".to_owned(),
            Type::ObjectList => "list of objects".to_owned(),
            Type::TextList => "list of texts".to_owned(),
        }
    }
}

/// One field.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// Dotted path; `[]` stands for each item of a list.
    pub path: &'static str,
    /// What it is.
    pub ty: Type,
    /// Whether it may be null where its kinds allow it to be there. The roots `task` and `conversation` may not: where they apply
    /// there always is one, and elsewhere they are null (docs/adr/0002).
    pub nullable: bool,
    /// Where it can be there.
    pub kinds: Kinds,
    /// What it means, for authors.
    pub meaning: &'static str,
    /// Two examples, the second for second items of lists; empty for objects and lists of objects.
    pub examples: [&'static str; 2],
}

impl Field {
    /// The last part of the path, without `[]`.
    pub fn name(&self) -> &'static str {
        self.path.rsplit('.').next().unwrap_or(self.path)
    }

    /// The path of the object it is a field of; empty at the top.
    pub fn parent(&self) -> &'static str {
        self.path.rsplit_once('.').map_or("", |(parent, _)| parent)
    }

    /// Whether a document may leave it out where it applies: null, an empty list or 0 is filled in.
    pub fn optional(&self) -> bool {
        self.nullable || matches!(self.ty, Type::ObjectList | Type::TextList) || (self.ty == Type::Integer && !self.is_contract())
    }

    /// Whether it holds the version of this table.
    pub fn is_contract(&self) -> bool {
        self.path == "opening.contract"
    }

    /// The fields of this object, or of this list's items, in table order.
    pub fn fields(&self) -> impl Iterator<Item = &'static Field> {
        let path = self.path;
        let list = self.ty == Type::ObjectList;
        FIELDS.iter().filter(move |field| {
            let parent = field.parent();
            if list { parent.strip_suffix("[]") == Some(path) } else { parent == path }
        })
    }
}

/// The fields at the top: `organization`, `role`, `task`, `conversation`, `opening`.
pub fn roots() -> impl Iterator<Item = &'static Field> {
    FIELDS.iter().filter(|field| field.parent().is_empty())
}

const HUMAN_OR_AGENT: Type = Type::Word(&["human", "agent"]);
const ORIGIN_KIND: Type = Type::Word(&["task", "human-conversation"]);

const fn row(
    path: &'static str,
    ty: Type,
    nullable: bool,
    kinds: Kinds,
    meaning: &'static str,
    examples: [&'static str; 2],
) -> Field {
    Field { path, ty, nullable, kinds, meaning, examples }
}

const NONE: [&str; 2] = ["", ""];

/// All fields, parents before children.
#[rustfmt::skip]
pub const FIELDS: &[Field] = &[
    row("organization", Type::Object, false, Kinds::All, "the organisation the role belongs to", NONE),
    row("organization.id", Type::Text, false, Kinds::All, "its id", ["org-harbour", "org-harbour"]),
    row("organization.name", Type::Text, false, Kinds::All, "its name", ["Harbour & Sons", "Harbour & Sons"]),
    row("role", Type::Object, false, Kinds::All, "the role being opened", NONE),
    row("role.id", Type::Text, false, Kinds::All, "its id", ["role-release", "role-release"]),
    row("role.name", Type::Text, false, Kinds::All, "its name", ["Release engineer", "Release engineer"]),
    row("role.description", Type::Text, true, Kinds::All, "what it is for", ["Ships what is ready, and says \"not yet\" when it is not.", ""]),
    row("task", Type::Object, false, Kinds::Task, "the task the run is about; null in every other situation", NONE),
    row("task.id", Type::Text, false, Kinds::Task, "its id", ["TASK-2718", ""]),
    row("task.title", Type::Text, false, Kinds::Task, "its title", ["Move the \"orders\" table & its <status> index", ""]),
    row("task.status", Type::Text, false, Kinds::Task, "where it stands", ["in progress", ""]),
    row("task.description", Type::Text, true, Kinds::Task, "what is to be done",
        ["Copy the table to the new cluster, then switch readers over.\nKeep {{ region }} in the path as it is: the loader fills it in. 🚚\nThe Haifa office (משרד) must not notice.", ""]),
    row("task.priority", Type::Text, true, Kinds::Task, "how urgent it is", ["high", ""]),
    row("task.requester", Type::Text, true, Kinds::Task, "who asked for it", ["Ines O'Hara", ""]),
    row("task.due_at", Type::Text, true, Kinds::Task, "when it is due, RFC 3339", ["2026-12-04T17:00:00Z", ""]),
    row("conversation", Type::Object, false, Kinds::Human, "the conversation with a person; null in every other situation", NONE),
    row("conversation.id", Type::Text, false, Kinds::Human, "its id", ["CONV-314", ""]),
    row("conversation.title", Type::Text, true, Kinds::Human, "its topic", ["Invoices < 30 days & the \"grace\" rule", ""]),
    row("conversation.channel", Type::Text, true, Kinds::Human, "where it takes place", ["#billing", ""]),
    row("conversation.participants", Type::ObjectList, false, Kinds::Human, "who takes part", NONE),
    row("conversation.participants[].name", Type::Text, false, Kinds::Human, "name", ["Ines O'Hara", "Ledger"]),
    row("conversation.participants[].kind", HUMAN_OR_AGENT, false, Kinds::Human, "person or agent", ["human", "agent"]),
    row("opening", Type::Object, false, Kinds::All, "how this run begins; an older server sends none", NONE),
    row("opening.kind", Type::Kind, false, Kinds::All, "the situation", NONE),
    row("opening.contract", Type::Integer, false, Kinds::All, "version of this table", ["1", "1"]),
    row("opening.stop_reason", Type::Text, true, Kinds::All,
        "why the preceding run stopped: end_turn, max_tokens, max_turn_requests, refusal, cancelled, error, timeout, interrupted, restart, or another word; null on a first start",
        ["max_tokens", ""]),
    row("opening.handoff", Type::Object, true, Kinds::Task, "who handed the task over", NONE),
    row("opening.handoff.from", Type::Text, false, Kinds::Task, "the role that had it before", ["Schema reviewer", ""]),
    row("opening.handoff.note", Type::Text, true, Kinds::Task, "what it said", ["Dry run is green; \"ENGINE=\" needed one <fix>.\nStart with the smallest shard.", ""]),
    row("opening.handoff.at", Type::Text, false, Kinds::Task, "when, RFC 3339", ["2026-11-29T16:45:00Z", ""]),
    row("opening.updates", Type::ObjectList, false, Kinds::Task, "task events the role has not seen yet", NONE),
    row("opening.updates[].kind", Type::Text, false, Kinds::Task, "what sort of event", ["comment", "status"]),
    row("opening.updates[].author", Type::Text, true, Kinds::Task, "who caused it", ["Ines O'Hara", "דנה"]),
    row("opening.updates[].text", Type::Text, false, Kinds::Task, "what it says",
        ["Please wait for the backup & tell me once it is done.", "Backup finished: {{ 3 }} of 3 volumes, no <errors> ✅"]),
    row("opening.updates[].at", Type::Text, false, Kinds::Task, "when, RFC 3339", ["2026-11-30T08:05:00Z", "2026-11-30T08:40:00Z"]),
    row("opening.updates_omitted", Type::Integer, false, Kinds::Task, "how many more there are than are listed", ["4", "4"]),
    row("opening.messages", Type::ObjectList, false, Kinds::Conversation,
        "with a person the most recent messages, with an agent those since the delivery cursor", NONE),
    row("opening.messages[].author", Type::Text, false, Kinds::Conversation, "who wrote it", ["Ines O'Hara", "Ledger"]),
    row("opening.messages[].author_kind", HUMAN_OR_AGENT, false, Kinds::Conversation, "person or agent", ["human", "agent"]),
    row("opening.messages[].text", Type::Text, false, Kinds::Conversation, "what it says",
        ["Is 28 < 30 days \"late\" for us?\nI think not, שלום 🙂", "The rule says {{ grace_days }} & nothing else."]),
    row("opening.messages[].at", Type::Text, false, Kinds::Conversation, "when, RFC 3339", ["2026-11-30T09:12:00Z", "2026-11-30T09:13:30Z"]),
    row("opening.messages[].attachments", Type::TextList, false, Kinds::Conversation, "names of attached files", ["terms & rules.pdf", "<scan> 2.png"]),
    row("opening.messages_omitted", Type::Integer, false, Kinds::Conversation, "how many more there are than are listed", ["12", "12"]),
    row("opening.peer", Type::Object, true, Kinds::Agent, "the other agent", NONE),
    row("opening.peer.role_id", Type::Text, false, Kinds::Agent, "id of its role", ["role-ledger", ""]),
    row("opening.peer.role_name", Type::Text, false, Kinds::Agent, "name of its role", ["Ledger & <Audit>", ""]),
    row("opening.peer.organization_name", Type::Text, true, Kinds::Agent, "its organisation, when it is another", ["Quay \"Nine\" GmbH", ""]),
    row("opening.peer.conversation_id", Type::Text, false, Kinds::Agent, "the conversation with it", ["AGENT-1618", ""]),
    row("opening.origin", Type::Object, true, Kinds::Agent, "what this conversation was begun for, on our side", NONE),
    row("opening.origin.kind", ORIGIN_KIND, false, Kinds::Agent, "a task or a conversation with a person", ["task", ""]),
    row("opening.origin.id", Type::Text, false, Kinds::Agent, "its id", ["TASK-2718", ""]),
    row("opening.origin.title", Type::Text, true, Kinds::Agent, "its title", ["Move the \"orders\" table & its <status> index", ""]),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_parent_stands_before_its_children() {
        for (at, field) in FIELDS.iter().enumerate() {
            let parent = field.parent().trim_end_matches("[]");
            assert!(parent.is_empty() || FIELDS[..at].iter().any(|other| other.path == parent), "{}", field.path);
        }
    }
}
