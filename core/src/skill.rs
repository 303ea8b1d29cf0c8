//! Skills and their revisions, and the SKILL.md files that carry them: read by [`file`], written by [`write`].

mod fault;
pub mod file;
mod front;
pub mod write;
mod yaml;

use serde::{Deserialize, Serialize};

/// When a skill is given to an agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// Rendered into every opening in its scope.
    Ambient,
    /// Fetched by the agent when it needs it; never rendered into an opening.
    Triggered,
}

/// A skill: everything about it except its text, which is a revision's.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Skill {
    /// Identifies it inside its organisation: lower-case letters, digits and dashes.
    pub slug: String,
    /// Its heading in an opening.
    pub name: String,
    /// One line for owners.
    #[serde(default)]
    pub summary: String,
    /// For developers.
    #[serde(default)]
    pub description: String,
    /// Ambient or triggered.
    pub mode: Mode,
    /// A disabled skill is never rendered.
    pub enabled: bool,
    /// Skills are ordered by position, then slug.
    pub position: i64,
    /// Ids of the roles it applies to; absent for all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub roles: Option<Vec<String>>,
    /// The built-in it is, or is a copy of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub builtin: Option<String>,
    /// File names that are listed under its heading.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub attachments: Vec<String>,
}

impl Skill {
    /// Whether it is in scope for a role.
    pub fn applies_to(&self, role_id: &str) -> bool {
        self.roles.as_ref().is_none_or(|roles| roles.iter().any(|role| role == role_id))
    }
}

/// One immutable text of a skill or of a role instruction.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Revision {
    /// From 1, without gaps.
    pub number: u32,
    /// The template.
    pub body: String,
    /// Who saved it.
    pub author: String,
    /// RFC 3339, UTC.
    pub time: String,
    /// Why, in the author's words.
    #[serde(default)]
    pub note: String,
    /// The contract version it was written against.
    pub contract: u32,
}
