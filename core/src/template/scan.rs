//! The tags of a text that may be half typed: a cut or faulty tag does not hide the others, unlike for the parser. Linear in the text.

/// One word, string or sign of a tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece<'a> {
    /// As it is written; a string with its quotes, the last one missing where it is not closed.
    pub text: &'a str,
    /// Byte offset in the whole text.
    pub start: usize,
}

impl Piece<'_> {
    /// Past its last byte.
    pub fn end(&self) -> usize {
        self.start + self.text.len()
    }

    /// Whether it is a name or keyword.
    pub fn is_word(&self) -> bool {
        self.text.starts_with(|c: char| c.is_alphabetic() || c == '_')
    }

    /// Whether it is a string, closed or not.
    pub fn is_string(&self) -> bool {
        self.text.starts_with(['"', '\''])
    }

    /// Whether it is a string that its quote does not close.
    pub fn is_open_string(&self) -> bool {
        self.is_string() && string_length(self.text).is_none()
    }
}

/// A tag: `{{ … }}` or `{% … %}`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tag<'a> {
    /// `{% … %}`
    pub is_statement: bool,
    /// What stands in it.
    pub pieces: Vec<Piece<'a>>,
    /// Whether it ends in this text.
    pub is_closed: bool,
}

/// The tags of a text in order; only the last one can be open. Comments and what stands in `{% raw %}` have none.
pub fn tags(text: &str) -> Tags<'_> {
    Tags { text, at: 0 }
}

/// See [`tags`].
pub struct Tags<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Iterator for Tags<'a> {
    type Item = Tag<'a>;

    fn next(&mut self) -> Option<Tag<'a>> {
        loop {
            let rest = &self.text[self.at..];
            let start = self.at + memchr::memchr(b'{', rest.as_bytes())?;
            let is_statement = match self.text.as_bytes().get(start + 1) {
                Some(b'{') => false,
                Some(b'%') => true,
                Some(b'#') => {
                    self.at = self.past("#}", start + 2);
                    continue;
                }
                _ => {
                    self.at = start + 1;
                    continue;
                }
            };
            self.at = start + 2;
            if self.text[self.at..].starts_with(['-', '+']) {
                self.at += 1;
            }
            let tag = self.tag(is_statement);
            if tag.is_closed && is_statement && tag.pieces.first().is_some_and(|piece| piece.text == "raw") {
                self.skip_raw();
            }
            return Some(tag);
        }
    }
}

impl<'a> Tags<'a> {
    /// Past the next `wanted`, or the end.
    fn past(&self, wanted: &str, from: usize) -> usize {
        self.text[from..].find(wanted).map_or(self.text.len(), |at| from + at + wanted.len())
    }

    fn tag(&mut self, is_statement: bool) -> Tag<'a> {
        let (mut pieces, mut braces) = (Vec::new(), 0u32);
        let close = if is_statement { "%}" } else { "}}" };
        loop {
            let rest = self.text[self.at..].trim_start();
            self.at = self.text.len() - rest.len();
            let Some(first) = rest.chars().next() else { return Tag { is_statement, pieces, is_closed: false } };
            let trimmed = rest.strip_prefix(['-', '+']).unwrap_or(rest);
            // In a value, `}}` can end two maps.
            if trimmed.starts_with(close) && (is_statement || braces == 0) {
                self.at = self.text.len() - trimmed.len() + 2;
                return Tag { is_statement, pieces, is_closed: true };
            }
            match first {
                '{' => braces += 1,
                '}' => braces = braces.saturating_sub(1),
                _ => {}
            }
            let length = piece_length(rest, first);
            pieces.push(Piece { text: &rest[..length], start: self.at });
            self.at += length;
        }
    }

    fn skip_raw(&mut self) {
        while self.at < self.text.len() {
            let start = self.past("{%", self.at);
            let inside = &self.text[start..];
            self.at = start;
            if inside.strip_prefix(['-', '+']).unwrap_or(inside).trim_start().starts_with("endraw") {
                // The tag itself is not needed: nothing is known of it.
                self.at = self.past("%}", start);
                return;
            }
        }
    }
}

fn piece_length(rest: &str, first: char) -> usize {
    if first.is_alphanumeric() || first == '_' {
        return rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
    }
    if first == '"' || first == '\'' {
        return string_length(rest).unwrap_or(rest.len());
    }
    match ["==", "!=", "<=", ">=", "//", "**"].iter().any(|sign| rest.starts_with(sign)) {
        true => 2,
        false => first.len_utf8(),
    }
}

/// Length of a string that stands first, quotes included; none when it is not closed.
fn string_length(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut at = 1;
    while let Some(offset) = bytes.get(at..).and_then(|rest| memchr::memchr2(bytes[0], b'\\', rest)) {
        at += offset;
        if bytes[at] == bytes[0] {
            return Some(at + 1);
        }
        at += 2;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> Vec<String> {
        let line = |tag: Tag| {
            let pieces: Vec<&str> = tag.pieces.iter().map(|piece| piece.text).collect();
            format!("{}{}{}", if tag.is_statement { "%" } else { "" }, pieces.join(" "), if tag.is_closed { "" } else { " …" })
        };
        tags(text).map(line).collect()
    }

    #[test]
    fn tags_are_found_whatever_stands_between_them() {
        assert_eq!(
            shown("a { {{- a.b|c('}}') -}} {# {{ x }} #} {%+ if \"a\\\"\" == b%} {"),
            ["a . b | c ( '}}' )", "%if \"a\\\"\" == b"]
        );
        assert_eq!(shown("{% raw %}{{ a }}{% if %}{%- endraw -%}{{ {'a': {}} }}{% set x"), ["%raw", "{ 'a' : { } }", "%set x …"]);
        assert_eq!(shown("{{ “é” }}{{ 'open }} {% if %}"), ["“ é ”", "'open }} {% if %} …"]);
        assert_eq!(shown("{# open {{ a }}"), Vec::<String>::new());
        assert_eq!(shown("{% raw %}{{ a }}"), ["%raw"]);
    }
}
