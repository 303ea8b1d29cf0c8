//! Skill templates: guarded, parsed and rendered with spans. Knows nothing of openings, skills or logs.

pub mod problem;

/// What a save does to a text first: CRLF and lone CR become LF, a leading byte order mark goes.
pub fn normalize(_text: &str) -> String {
    todo!()
}
