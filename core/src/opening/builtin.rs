//! The six built-in skills and the default role, as a fresh home gets them.

/// A built-in skill: ambient, enabled, for all roles. Its slug is also its `builtin` key.
pub struct Builtin {
    /// Slug and `builtin` key.
    pub slug: &'static str,
    /// Heading.
    pub name: &'static str,
    /// One line for owners.
    pub summary: &'static str,
    /// For developers.
    pub description: &'static str,
    /// The template.
    pub body: &'static str,
}

/// The six, in the order of their positions (0 to 5).
pub const BUILTINS: [Builtin; 0] = [];

/// Id of the role that a fresh home holds.
pub const DEFAULT_ROLE_ID: &str = "assistant";
/// Its name.
pub const DEFAULT_ROLE_NAME: &str = "Assistant";
/// Its instruction.
pub const DEFAULT_ROLE: &str = "";
