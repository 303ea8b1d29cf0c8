//! Cuts a file into stretches: lines with text, blank lines and padding. Every byte belongs to exactly one stretch.

use memchr::{memchr, memmem};

/// A byte order mark; some editors and shells put one in front.
const BOM: &[u8] = b"\xEF\xBB\xBF";
/// This many NUL bytes in the middle of a line are a hole left by a power loss; fewer are control bytes inside a record.
const HOLE: usize = 8;

/// What a stretch holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Content {
    /// Something to read.
    Text,
    /// White space and line ends.
    Blank,
    /// NUL bytes or a byte order mark.
    Padding,
}

/// A stretch of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stretch {
    /// First byte.
    pub start: usize,
    /// Past the last byte, the line end included.
    pub end: usize,
    /// From 1, as an editor counts.
    pub line: u64,
    /// What it holds.
    pub content: Content,
    /// Padding was cut off this text's line.
    pub trimmed: bool,
}

/// Calls `take` for every stretch, in order.
pub(crate) fn each_stretch(bytes: &[u8], mut take: impl FnMut(Stretch)) {
    let mut line = 0;
    let mut start = 0;
    while start < bytes.len() {
        line += 1;
        let end = memchr(b'\n', &bytes[start..]).map_or(bytes.len(), |at| start + at + 1);
        // The usual line: it starts with its object and holds no NUL.
        if bytes[start] == b'{' && memchr(0, &bytes[start..end]).is_none() {
            take(Stretch { start, end, line, content: Content::Text, trimmed: false });
        } else {
            cut_line(bytes, start, end, line, &mut take);
        }
        start = end;
    }
}

/// Cuts a line at its padding.
fn cut_line(bytes: &[u8], start: usize, end: usize, line: u64, take: &mut impl FnMut(Stretch)) {
    let mut at = start;
    let mut trimmed = false;
    let mut texts = Vec::new();
    if start == 0 && bytes.starts_with(BOM) {
        take(Stretch { start, end: BOM.len(), line, content: Content::Padding, trimmed });
        at = BOM.len();
        trimmed = true;
    }
    while at < end {
        let nuls = bytes[at..end].iter().take_while(|b| **b == 0).count();
        if nuls > 0 {
            texts.push(Stretch { start: at, end: at + nuls, line, content: Content::Padding, trimmed: false });
            at += nuls;
            trimmed = true;
            continue;
        }
        let mut stop = memmem::find(&bytes[at..end], &[0; HOLE]).map_or(end, |hole| at + hole);
        if stop == end {
            let body = bytes[at..end].trim_ascii_end();
            let tail = body.iter().rev().take_while(|b| **b == 0).count();
            if tail > 0 {
                stop = at + body.len() - tail;
            }
        }
        let blank = bytes[at..stop].trim_ascii().is_empty();
        texts.push(Stretch {
            start: at,
            end: stop,
            line,
            content: if blank { Content::Blank } else { Content::Text },
            trimmed: false,
        });
        trimmed |= stop < end;
        at = stop;
    }
    for stretch in texts {
        take(Stretch { trimmed, ..stretch });
    }
}

#[cfg(test)]
mod tests {
    use super::{Content, each_stretch};

    fn cut(bytes: &[u8]) -> Vec<(usize, usize, u64, Content)> {
        let mut found = Vec::new();
        each_stretch(bytes, |s| found.push((s.start, s.end, s.line, s.content)));
        found
    }

    #[test]
    fn counts_lines_as_an_editor_does() {
        use Content::{Blank, Padding, Text};
        assert_eq!(
            cut(b"\xEF\xBB\xBF{}\r\n\r\n \n{}"),
            [(0, 3, 1, Padding), (3, 7, 1, Text), (7, 9, 2, Blank), (9, 11, 3, Blank), (11, 13, 4, Text)]
        );
        assert_eq!(cut(b""), []);
        assert_eq!(cut(b"\n"), [(0, 1, 1, Blank)]);
    }

    #[test]
    fn padding_stands_apart_wherever_it_is() {
        use Content::{Blank, Padding, Text};
        assert_eq!(cut(b"\0\0{}\0\n"), [(0, 2, 1, Padding), (2, 4, 1, Text), (4, 5, 1, Padding), (5, 6, 1, Blank)]);
        assert_eq!(cut(b"{}\0\0\0\0\0\0\0\0{}"), [(0, 2, 1, Text), (2, 10, 1, Padding), (10, 12, 1, Text)]);
        assert_eq!(cut(b"{\0}"), [(0, 3, 1, Text)], "a NUL inside a record is for the repair");
    }
}
