//! Session ids: how a file name tells one, and how turns are referenced with it (specs: iris-session-log, 7.3 and 7.12).

const PREFIX: &str = "session-";
const SUFFIX: &str = ".jsonl";
/// Characters that some file system refuses, and the one that marks them.
const ENCODED: &[char] = &['<', '>', ':', '"', '|', '?', '*', '%', '/', '\\'];

/// The session id that a file name tells: the part between `session-` and `.jsonl`, percent-decoded. `None` for any other name.
/// Folders in front of the name are ignored.
pub fn session_id(file_name: &str) -> Option<String> {
    let name = file_name.rsplit(['/', '\\']).next().unwrap_or_default();
    let stem = name.strip_prefix(PREFIX)?.strip_suffix(SUFFIX)?;
    Some(decode(stem)).filter(|id| is_session_id(id))
}

/// The name under which a session's log is written; `None` for an id that is none.
pub fn file_name(session_id: &str) -> Option<String> {
    if !is_session_id(session_id) {
        return None;
    }
    let mut name = PREFIX.to_owned();
    for c in session_id.chars() {
        if ENCODED.contains(&c) {
            name.push_str(&format!("%{:02X}", u32::from(c)));
        } else {
            name.push(c);
        }
    }
    name.push_str(SUFFIX);
    Some(name)
}

/// Whether a text can be a session id: 1 to 128 characters without control characters, and not the name of a folder.
pub(crate) fn is_session_id(text: &str) -> bool {
    (1..=128).contains(&text.chars().count()) && !text.chars().any(char::is_control) && !matches!(text, "." | "..")
}

/// Decodes the characters that [`file_name`] encodes; any other percent sign stays as it is.
fn decode(stem: &str) -> String {
    let mut out = String::with_capacity(stem.len());
    let mut rest = stem;
    while let Some(at) = rest.find('%') {
        out.push_str(&rest[..at]);
        let code = rest.get(at + 1..at + 3).and_then(|hex| u8::from_str_radix(hex, 16).ok()).map(char::from);
        match code.filter(|c| ENCODED.contains(c)) {
            Some(c) => {
                out.push(c);
                rest = &rest[at + 3..];
            }
            None => {
                out.push('%');
                rest = &rest[at + 1..];
            }
        }
    }
    out + rest
}

/// `<session>@<turn id>`, or `<session>~<index>` without a turn id.
pub(crate) fn turn_reference(session_id: &str, turn_id: Option<&str>, index: u64) -> String {
    match turn_id {
        Some(id) => format!("{session_id}@{id}"),
        None => format!("{session_id}~{index}"),
    }
}

/// What a reference points at.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Target<'a> {
    /// A turn id.
    TurnId(&'a str),
    /// The position among opening events.
    Index(u64),
}

/// Reads any form of reference: the text after the last `@` when it is 32 hex digits, else the number after the last `~`, else a bare
/// turn id or number.
pub(crate) fn parse_reference(text: &str) -> Option<Target<'_>> {
    let is_turn_id = |id: &str| id.len() == 32 && id.bytes().all(|b| b.is_ascii_hexdigit());
    let index = |digits: &str| digits.bytes().all(|b| b.is_ascii_digit()).then(|| digits.parse().ok()).flatten().map(Target::Index);
    let id = text.rsplit_once('@').map_or(text, |(_, id)| id);
    if is_turn_id(id) {
        return Some(Target::TurnId(id));
    }
    index(text.rsplit_once('~').map_or(text, |(_, digits)| digits))
}

#[cfg(test)]
mod tests {
    use super::{Target, file_name, parse_reference, session_id};

    #[test]
    fn a_session_id_survives_its_file_name() {
        for id in ["3fa9c07be21d", "telegram:42", "a%3Ab", r#"<>:"|?*%/\"#, "été", "%"] {
            assert_eq!(session_id(&file_name(id).expect("an id")).as_deref(), Some(id));
        }
        assert_eq!(session_id("/home/a/session-x%3a1.jsonl").as_deref(), Some("x:1"));
        assert_eq!(session_id("session-100%.jsonl").as_deref(), Some("100%"));
        for name in ["log.jsonl", "session-.jsonl", "session-...jsonl", "session-a.json", "session-a\n.jsonl"] {
            assert_eq!(session_id(name), None, "{name}");
        }
        assert_eq!(file_name(".."), None);
    }

    #[test]
    fn reads_every_form_of_reference() {
        let id = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
        assert_eq!(parse_reference(&format!("s@x~1@{id}")), Some(Target::TurnId(id)));
        assert_eq!(parse_reference(id), Some(Target::TurnId(id)));
        assert_eq!(parse_reference("s@x~12"), Some(Target::Index(12)));
        assert_eq!(parse_reference("3"), Some(Target::Index(3)));
        for text in ["", "~", "s~-1", "s~1.0", "s~99999999999999999999999", "nothing"] {
            assert_eq!(parse_reference(text), None, "{text}");
        }
    }
}
