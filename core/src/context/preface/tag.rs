//! Finds tags by hand: closers as the parity pass knows them, and everything that could be taken for a tag.

use memchr::memchr;
use std::ops::Range;

/// The tag's name.
pub(super) const NAME: &str = "retrieved_content";

/// White space as JavaScript's patterns know it: U+FEFF is, U+0085 is not.
pub(super) fn is_js_space(c: char) -> bool {
    (c.is_whitespace() && c != '\u{85}') || c == '\u{feff}'
}

/// The closing tags of a text (specs: retrieved-content, section 2): `</retrieved_content` in any ASCII case, white space, `>`.
pub(super) fn close_tags(text: &str) -> impl Iterator<Item = Range<usize>> + '_ {
    each(text, |text, start| {
        let rest = text[start..].strip_prefix("</").and_then(name)?;
        let rest = rest.trim_start_matches(is_js_space).strip_prefix('>')?;
        Some(text.len() - rest.len())
    })
}

/// Everything that could be taken for a tag (section 4, point 2), from its `<` to the end of the name.
pub(super) fn candidates(text: &str) -> impl Iterator<Item = Range<usize>> + '_ {
    let is_space = |c: char| is_js_space(c) || c == '\u{85}';
    each(text, move |text, start| {
        let inner = text[start + 1..].trim_start_matches(is_space);
        let inner = inner.strip_prefix('/').map_or(inner, |inner| inner.trim_start_matches(is_space));
        let rest = name(inner)?;
        let goes_on = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | ':' | '-');
        (!rest.starts_with(goes_on)).then_some(text.len() - rest.len())
    })
}

/// Whether a text could end an envelope that it is put into: it holds a closer by the rule of [`candidates`]. A defanged one is none.
pub fn could_close(text: &str) -> bool {
    candidates(text).any(|tag| text[tag].contains('/'))
}

/// What follows the tag's name, which is written in any ASCII case.
pub(super) fn name(text: &str) -> Option<&str> {
    let (start, rest) = text.split_at_checked(NAME.len())?;
    start.eq_ignore_ascii_case(NAME).then_some(rest)
}

/// Every match that begins with a `<`, where `end_of` says where it ends.
fn each<'a>(text: &'a str, end_of: impl Fn(&'a str, usize) -> Option<usize> + 'a) -> impl Iterator<Item = Range<usize>> + 'a {
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let start = at + memchr(b'<', &text.as_bytes()[at..])?;
            match end_of(text, start) {
                Some(end) => {
                    at = end;
                    return Some(start..end);
                }
                None => at = start + 1,
            }
        }
    })
}
