//! The shapes of the ledger: a row as it is kept, and an entry as a screen may see it.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::fmt;
use std::str::FromStr;

/// What a hook decided.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub enum Decision {
    /// It may go on.
    Allow,
    /// It may go on, changed.
    Transform,
    /// Somebody has to agree first.
    RequireApproval,
    /// It may not go on.
    Deny,
    /// A word of another program, such as `approved`.
    Other(String),
}

impl Decision {
    /// The four decisions, from the mildest to the worst.
    pub const ALL: [Decision; 4] = [Decision::Allow, Decision::Transform, Decision::RequireApproval, Decision::Deny];

    /// Its name in files and addresses.
    pub fn as_str(&self) -> &str {
        match self {
            Decision::Allow => "allow",
            Decision::Transform => "transform",
            Decision::RequireApproval => "require_approval",
            Decision::Deny => "deny",
            Decision::Other(word) => word,
        }
    }
}

impl From<String> for Decision {
    fn from(word: String) -> Decision {
        Decision::ALL.into_iter().find(|known| known.as_str() == word).unwrap_or(Decision::Other(word))
    }
}

impl From<Decision> for String {
    fn from(decision: Decision) -> String {
        decision.as_str().to_owned()
    }
}

impl FromStr for Decision {
    type Err = std::convert::Infallible;

    fn from_str(word: &str) -> Result<Decision, Self::Err> {
        Ok(Decision::from(word.to_owned()))
    }
}

impl fmt::Display for Decision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// One row as it is kept (specs: system-opened-turns, 1.2). What a column and the payload both can tell stands in the field here.
#[derive(Clone, Debug, PartialEq)]
pub struct LedgerRow {
    /// Order of writing.
    pub id: i64,
    /// ULID; the import key.
    pub record_id: Option<String>,
    /// The stamp as written, in the form of the session log.
    pub ts: String,
    /// The session it is about.
    pub session_id: Option<String>,
    /// The turn it is about.
    pub turn_id: Option<String>,
    /// Its meaning depends on the hook; the session's id on rows of answer checks.
    pub run_id: Option<String>,
    /// Who worked.
    pub agent_type: Option<String>,
    /// Iteration of a loop.
    pub step_id: Option<i64>,
    /// How often it was tried before.
    pub attempt: Option<i64>,
    /// When it fired: `pre_turn`, `pre_response`, …
    pub hook_point: String,
    /// Who decided.
    pub plugin: String,
    /// What.
    pub decision: Decision,
    /// `info`, `warn`, `error` or `critical`.
    pub severity: String,
    /// Why, unmasked.
    pub reason: String,
    /// `public`, `internal`, `personal` or `secret`.
    pub classification: Option<String>,
    /// `tier_1` to `tier_3`.
    pub tier: Option<String>,
    /// The tool call it is about.
    pub call_id: Option<String>,
    /// The tool call that made the request.
    pub parent_call_id: Option<String>,
    /// The turn this one repeats.
    pub replay_of: Option<String>,
    /// The run this one continues.
    pub resumed_from_run: Option<String>,
    /// `plugin:<name>`, `mcp:<client>` or `core:<workflow>`.
    pub caller: Option<String>,
    /// Whether a deterministic handler answered.
    pub deterministic: Option<bool>,
    /// Which.
    pub handler: Option<String>,
    /// Everything else the hook said; empty when that was no JSON object.
    pub payload: Map<String, Value>,
    /// Absent for a decision; `writer`, `gap` or `compaction` for rows of the store itself, which readers leave out.
    pub kind: Option<String>,
    /// Who wrote it, and its place in what they wrote.
    pub writer_id: Option<String>,
    /// From 0.
    pub writer_seq: Option<i64>,
}

/// How a row came to its turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LinkedHow {
    /// The row names the turn.
    Exact,
    /// It was written between the turn's opening and its last answer.
    Window,
    /// It came to none.
    None,
}

/// Where a row leads.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Link {
    /// The turn's reference; absent when it led to none.
    #[serde(rename = "ref", default, skip_serializing_if = "Option::is_none")]
    pub reference: Option<String>,
    /// How that is known.
    pub how: LinkedHow,
    /// Id of the stored log that holds the turn, when one is stored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stored: Option<String>,
}

/// A row as a screen may see it (specs: system-opened-turns, 1.4): the reason masked, and of the payload the public fields only.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LedgerEntry {
    /// Order of writing.
    pub id: i64,
    /// ULID.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub record_id: Option<String>,
    /// The stamp as written.
    pub ts: String,
    /// As in [`LedgerRow`].
    pub run_id: Option<String>,
    /// As in [`LedgerRow`].
    pub step_id: Option<i64>,
    /// As in [`LedgerRow`].
    pub agent_type: Option<String>,
    /// As in [`LedgerRow`].
    pub hook_point: String,
    /// As in [`LedgerRow`].
    pub plugin: String,
    /// As in [`LedgerRow`].
    pub decision: Decision,
    /// As in [`LedgerRow`].
    pub severity: String,
    /// As in [`LedgerRow`].
    pub classification: Option<String>,
    /// As in [`LedgerRow`].
    pub tier: Option<String>,
    /// `cloud` for `tier_3`, `local` for another tier, absent without one.
    pub locality: Option<String>,
    /// Why, with e-mail addresses masked.
    pub reason: String,
    /// What else may be shown.
    #[serde(flatten)]
    pub public: PublicFields,
    /// Where it leads; absent where nobody asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub link: Option<Link>,
}

/// The fields of a payload that may be shown. An empty text or a value of another type is dropped.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct PublicFields {
    /// Who asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub caller: Option<String>,
    /// Whether a deterministic handler answered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deterministic: Option<bool>,
    /// Which.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub handler: Option<String>,
    /// Tool.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool_name: Option<String>,
    /// Where the tool comes from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool_plugin: Option<String>,
    /// Model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Who serves it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub provider: Option<String>,
    /// Capability.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub capability: Option<String>,
    /// Method of the capability.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub method: Option<String>,
    /// Who provides the capability.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub capability_provider: Option<String>,
    /// How digests were made.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub digest_alg: Option<String>,
    /// The session.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session_id: Option<String>,
    /// `owner` or `other`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub audience: Option<String>,
    /// Tool call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub call_id: Option<String>,
    /// A call that waits for approval.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub held_call_id: Option<String>,
    /// The call that made this one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parent_call_id: Option<String>,
    /// The turn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<String>,
    /// How often it was tried before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attempt: Option<i64>,
    /// The turn this one repeats.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replay_of: Option<String>,
    /// The run this one continues.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resumed_from_run: Option<String>,
}
