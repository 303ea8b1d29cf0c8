//! Skill templates: guarded, parsed and rendered with spans. Knows nothing of openings, skills or logs.
//!
//! [`engine`] is the only module that names the template engine; everything else speaks of tokens, problems and spans.

pub mod builtins;
pub mod check;
pub mod coverage;
pub mod engine;
pub mod guard;
mod lexemes;
mod logic;
pub mod nearest;
pub mod problem;
pub mod scan;
pub mod shape;
mod sites;
pub mod trace;
pub mod tree;
pub mod why;

/// What a save does to a text first: CRLF and lone CR become LF, a leading byte order mark goes.
pub fn normalize(text: &str) -> String {
    text.strip_prefix('\u{feff}').unwrap_or(text).replace("\r\n", "\n").replace('\r', "\n")
}

#[cfg(test)]
mod tests {
    use super::normalize;

    #[test]
    fn a_save_keeps_everything_but_line_ends_and_the_mark() {
        assert_eq!(normalize("\u{feff}a\r\nb\rc\n\u{feff}d"), "a\nb\nc\n\u{feff}d");
    }
}
