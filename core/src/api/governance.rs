//! Governance: the ledger of decisions, what is switched on, and the rules that recorded turns are held against.

use crate::assertion::{LeftOut, Verdict, Violation};
use crate::ledger::LedgerEntry;
pub use crate::turn::{CheckState, HandlerState};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// `GET` with a [`LedgerQuery`]: [`LedgerPage`], newest first. 503 `unreadable` when the ledger cannot be read.
pub const LEDGER: &str = "/api/governance/audit";
/// `GET` with a [`LedgerQuery`] (without cursor and limit) and `format=jsonl|csv`: the entries as a file, oldest first.
pub const LEDGER_EXPORT: &str = "/api/governance/export";
/// `GET`: [`GovernanceState`].
pub const GOVERNANCE: &str = "/api/governance/state";
/// `GET` with `days` (1 to 366; 7 when absent, 422 otherwise): [`ProofBundle`], what came of the built-in rules over that time. 503
/// `unreadable` when the ledger cannot be read.
pub const PROOF: &str = "/api/governance/proof-bundle/check";
/// `GET`: [`RulesDocument`]; `PUT`, a [`SaveRules`]: [`RulesDocument`], 409 `stale`, or 422 with what is wrong.
pub const RULES: &str = "/api/governance/rules";

/// Which rows of the ledger; names in addresses are the fields' names. Lists are repeated (`decision=deny&decision=transform`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct LedgerQuery {
    /// Where the next page begins: a [`LedgerPage::next_cursor`].
    pub cursor: Option<String>,
    /// Rows of a page, 1 to 500; 100 when absent.
    pub limit: Option<u32>,
    /// Session id.
    pub session: Option<String>,
    /// Turn id or reference.
    pub turn: Option<String>,
    /// Hook point.
    pub hook: Option<String>,
    /// Who decided: the check.
    pub plugin: Option<String>,
    /// Any of these.
    pub decision: Vec<String>,
    /// Any of these.
    pub severity: Vec<String>,
    /// Exact, or all of a namespace when it ends in `:`.
    pub caller: Option<String>,
    /// Handler.
    pub handler: Option<String>,
    /// Answered by a deterministic handler or not.
    pub deterministic: Option<bool>,
    /// Not before this stamp.
    pub from: Option<String>,
    /// Before this stamp.
    pub to: Option<String>,
    /// Part of the reason.
    pub q: Option<String>,
}

/// Answer of [`LEDGER`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LedgerPage {
    /// Rows on this page.
    pub count: u64,
    /// Rows that the query matches.
    pub total: u64,
    /// All callers in the ledger, sorted.
    pub callers: Vec<String>,
    /// All checks in the ledger, sorted.
    pub plugins: Vec<String>,
    /// All handlers in the ledger, sorted.
    pub handlers: Vec<String>,
    /// Newest first, each with its link.
    pub entries: Vec<LedgerEntry>,
    /// Where the next page begins; null on the last.
    pub next_cursor: Option<String>,
}

/// Answer of [`GOVERNANCE`]: what watches over turns here.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GovernanceState {
    /// Always true: there is no way to switch the pipeline off.
    pub enabled: bool,
    /// Decisions in the ledger.
    pub audit_count: u64,
    /// The checks of answers and messages.
    pub checks: Vec<CheckState>,
    /// Declared openers.
    pub openers: Vec<HandlerState>,
    /// Declared intercepts, in order.
    pub intercepts: Vec<HandlerState>,
    /// The configuration files, and what is wrong with them.
    pub files: Vec<ConfigFile>,
    /// What became of the welcome.
    pub welcome: WelcomeState,
    /// Whether rows can be written.
    pub write_health: WriteHealth,
}

/// A configuration file of the home.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConfigFile {
    /// Its name below the home: `config/intercepts.yaml`.
    pub name: String,
    /// Whether it is there; without it the built-in default holds.
    pub present: bool,
    /// What is wrong with it, and what holds instead.
    pub problems: Vec<String>,
}

/// What became of the welcome.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WelcomeState {
    /// `due`, `done` or `skipped`.
    pub state: String,
    /// Its session, when it was done.
    pub session_id: String,
    /// Why it was skipped.
    pub reason: String,
    /// When; empty while it is due.
    pub at: String,
    /// How often it failed, and the last error.
    pub failures: u64,
    /// In a sentence; empty without one.
    pub last_error: String,
}

/// Whether rows can be written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WriteHealth {
    /// Rows are written with the turn they belong to, in one transaction: a turn without its rows cannot be.
    pub ok: bool,
    /// The last failure; empty without one.
    pub last_error: String,
}

/// Answer of [`RULES`]: the organisation's own rules.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RulesDocument {
    /// From 1; 0 while none were saved.
    pub revision: u32,
    /// YAML.
    pub body: String,
    /// Who saved it.
    pub author: String,
    /// RFC 3339, UTC; empty while none were saved.
    pub time: String,
}

/// Request to save rules.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SaveRules {
    /// The revision the text was written on; 409 when it is no longer the newest.
    pub base: u32,
    /// The new text.
    pub body: String,
}

/// Answer of [`PROOF`]: the stored logs with activity in that time, each as a whole, and the rows of the ledger of that time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProofBundle {
    /// Nothing is violated, and every log could be read.
    pub ok: bool,
    /// Days it looks back.
    pub days: u32,
    /// Rows of the ledger that were judged.
    pub ledger_rows: u64,
    /// Logs that were read.
    pub logs: u64,
    /// Turns in them.
    pub turns: u64,
    /// Stored logs that could not be read.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<LeftOut>,
    /// In the order of the built-in rules.
    pub invariants: Vec<Invariant>,
}

/// What came of one built-in rule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Invariant {
    /// The rule's id.
    pub id: String,
    /// What it says.
    pub statement: String,
    /// Nothing violates it. True as well where there was nothing to judge: see `verdict`.
    pub ok: bool,
    /// Whether it holds, is violated, or had nothing to be judged on.
    pub verdict: Verdict,
    /// What it was judged on: how many `sessions`, `turns`, `events` or `rows`.
    pub evidence: BTreeMap<String, u64>,
    /// All violations.
    pub violation_count: u64,
    /// The first hundred.
    pub violations: Vec<StoredViolation>,
}

/// A violation in what is stored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredViolation {
    /// Where and what.
    #[serde(flatten)]
    pub violation: Violation,
    /// Id of the stored log of its session, when one is stored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stored: Option<String>,
}
