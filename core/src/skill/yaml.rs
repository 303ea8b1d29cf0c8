//! Writes values as YAML: plain where every YAML reader takes them for what they are, else in double quotes.

/// Words that some YAML reader takes for something other than text.
const WORDS: [&str; 12] = ["true", "false", "yes", "no", "on", "off", "y", "n", "null", "nan", "inf", "none"];

/// A text in one line.
pub(super) fn text(text: &str) -> String {
    if is_plain(text, false) { text.to_owned() } else { quoted(text) }
}

/// A list in one line.
pub(super) fn list(items: &[String]) -> String {
    let items: Vec<String> = items.iter().map(|item| if is_plain(item, true) { item.clone() } else { quoted(item) }).collect();
    format!("[{}]", items.join(", "))
}

/// A text of several lines as a block, its lines further in by two; none when a block would change it.
pub(super) fn block(text: &str, line_end: &str) -> Option<String> {
    let body = text.strip_suffix('\n').unwrap_or(text);
    let lines: Vec<&str> = body.split('\n').collect();
    let blank_only = |line: &&str| !line.is_empty() && line.trim().is_empty();
    let begins = lines.first().is_some_and(|line| line.starts_with(|c: char| !c.is_whitespace()));
    let ends = lines.last().is_some_and(|line| !line.is_empty());
    let odd =
        lines.iter().any(|line| blank_only(line) || line.starts_with('\t') || line.chars().any(|c| c != '\t' && must_escape(c)));
    if !text.contains('\n') || !begins || !ends || odd {
        return None;
    }
    let mut block = if body.len() == text.len() { "|-" } else { "|" }.to_owned();
    for line in lines {
        block.push_str(line_end);
        if !line.is_empty() {
            block.push_str("  ");
            block.push_str(line);
        }
    }
    Some(block)
}

/// A text in double quotes.
pub(super) fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            c if must_escape(c) => quoted.push_str(&format!("\\u{:04X}", c as u32)),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

/// Characters that YAML does not take, or takes for line ends. All have at most four digits.
fn must_escape(c: char) -> bool {
    c.is_control() || matches!(c, '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}')
}

/// Whether a text is itself without quotes, also in brackets if `in_list`.
fn is_plain(text: &str, in_list: bool) -> bool {
    let (Some(first), Some(last)) = (text.chars().next(), text.chars().next_back()) else { return false };
    let sign = |c: char| "-?:,[]{}#&*!|>'\"%@`=~<".contains(c);
    // What could be a number, a time or a version.
    let number = (first.is_ascii_digit() || "+-.".contains(first))
        && text.chars().all(|c| c.is_ascii_alphanumeric() || "_.:+-".contains(c));
    let outside = first.is_whitespace() || last.is_whitespace() || last == ':' || sign(first);
    let inside = text.contains(": ") || text.contains(" #") || text.chars().any(must_escape);
    let listed = in_list && text.contains([',', '[', ']', '{', '}', ':']);
    !(outside || inside || listed || number || WORDS.iter().any(|word| text.eq_ignore_ascii_case(word)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_stand_where_they_are_needed() {
        for plain in ["Release notes", "it's", "a#b", "a:b", "C++ (old)", "3 steps", "שלום 🙂", "x, y", "e-mail", "yes, do"]
        {
            assert_eq!(text(plain), plain);
        }
        for (given, written) in [
            ("", "\"\""),
            ("yes", "\"yes\""),
            ("Null", "\"Null\""),
            ("12", "\"12\""),
            ("1e3", "\"1e3\""),
            ("2026-11-30", "\"2026-11-30\""),
            ("12:30", "\"12:30\""),
            ("- a", "\"- a\""),
            ("a: b", "\"a: b\""),
            ("a:", "\"a:\""),
            ("a #b", "\"a #b\""),
            (" a", "\" a\""),
            ("\"a\"", "\"\\\"a\\\"\""),
            ("a\\n\nb\r\u{7}\u{2028}", "\"a\\\\n\\nb\\r\\u0007\\u2028\""),
        ] {
            assert_eq!(text(given), written);
        }
        assert_eq!(list(&["a b".to_owned(), "x, y".to_owned(), "no".to_owned()]), "[a b, \"x, y\", \"no\"]");
    }

    #[test]
    fn several_lines_are_a_block_unless_that_would_change_them() {
        assert_eq!(block("a: b\n\n  # c\n", "\r\n").as_deref(), Some("|\r\n  a: b\r\n\r\n    # c"));
        assert_eq!(block("a\nb", "\n").as_deref(), Some("|-\n  a\n  b"));
        for text in ["", "a", "\n", "a\n\n", " a\nb", "a\n \nb", "a\n\tb", "a\r\nb", "\na"] {
            assert_eq!(block(text, "\n"), None, "{text:?}");
        }
    }
}
