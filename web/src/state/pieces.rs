//! An opening cut into the pieces that are shown: its parts, and in each the runs of text with the template range that made them.
//! The pieces' texts, one after another, are the opening's text, byte for byte.

use proem_core::opening::compose::{Opening, Part, PartStatus, SpanKind};
use std::ops::Range;

/// What of an opening is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Show {
    /// All of it.
    #[default]
    Whole,
    /// The part of one skill.
    Own,
}

impl Show {
    /// The word in addresses.
    pub fn as_str(self) -> &'static str {
        match self {
            Show::Whole => "whole",
            Show::Own => "own",
        }
    }
}

/// Text of one origin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Byte range in the opening's text.
    pub output: Range<usize>,
    /// Byte range in the part's template; None for headings and for the blank lines between parts.
    pub template: Option<Range<usize>>,
    /// A value rather than the template's own words.
    pub is_value: bool,
}

/// Consecutive pieces of one part, or the blank line between two.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Passage {
    /// Position in the opening's parts; None between parts.
    pub part: Option<usize>,
    /// In order, without gaps.
    pub pieces: Vec<Piece>,
}

/// Cuts the whole opening.
pub fn passages(opening: &Opening) -> Vec<Passage> {
    let mut found = Vec::new();
    let mut at = 0;
    for (number, part) in opening.parts.iter().enumerate() {
        let Some((start, end)) = part.range.filter(|range| range.0 >= at && range.1 <= opening.text.len()) else { continue };
        push_between(&mut found, at..start);
        found.push(Passage { part: Some(number), pieces: pieces(part, start..end) });
        at = end;
    }
    push_between(&mut found, at..opening.text.len());
    found
}

/// Cuts one part: its spans, and as pieces without an origin what no span claims.
pub fn pieces(part: &Part, range: Range<usize>) -> Vec<Piece> {
    let plain = |output| Piece { output, template: None, is_value: false };
    let mut found = Vec::new();
    let mut at = range.start;
    for span in &part.spans {
        let (start, end) = span.output;
        // Spans never overlap; one that would is left to the text around it rather than shown twice.
        if start < at || end > range.end || start == end {
            continue;
        }
        if start > at {
            found.push(plain(at..start));
        }
        let template = Some(span.template.0..span.template.1);
        found.push(Piece { output: start..end, template, is_value: span.kind == SpanKind::Expression });
        at = end;
    }
    if at < range.end {
        found.push(plain(at..range.end));
    }
    found
}

fn push_between(found: &mut Vec<Passage>, output: Range<usize>) {
    if !output.is_empty() {
        found.push(Passage { part: None, pieces: vec![Piece { output, template: None, is_value: false }] });
    }
}

/// The part of a skill.
pub fn part_of<'a>(opening: &'a Opening, slug: &str) -> Option<&'a Part> {
    opening.parts.iter().find(|part| part.slug.as_deref() == Some(slug))
}

/// The text that is shown: all of it, or what one skill gives.
pub fn shown_text<'a>(opening: &'a Opening, slug: &str, show: Show) -> &'a str {
    match show {
        Show::Whole => &opening.text,
        Show::Own => part_of(opening, slug)
            .filter(|part| part.status == PartStatus::Contributed)
            .and_then(|part| part.range)
            .and_then(|(start, end)| opening.text.get(start..end))
            .unwrap_or_default(),
    }
}

/// Whether a selection in the template touches the range that made a piece. A cursor touches what it stands in or before; one at
/// the very end of the text touches the last.
pub fn touches(template: &Range<usize>, selection: &Range<usize>, length: usize) -> bool {
    if selection.is_empty() {
        template.contains(&selection.start) || (selection.start == length && template.end == length && !template.is_empty())
    } else {
        template.start < selection.end && selection.start < template.end
    }
}

/// A position in UTF-16 units as a byte offset; inside a character, its start; past the end, the end.
pub fn byte_of_utf16(text: &str, units: usize) -> usize {
    let mut count = 0;
    for (at, c) in text.char_indices() {
        count += c.len_utf16();
        if count > units {
            return at;
        }
    }
    text.len()
}

/// A byte offset in UTF-16 units.
pub fn utf16_of_byte(text: &str, byte: usize) -> usize {
    text.char_indices().take_while(|(at, _)| *at < byte).map(|(_, c)| c.len_utf16()).sum()
}

#[cfg(test)]
mod tests;
