//! Session ids: how a file name tells one, and how turns are referenced with it (specs: iris-session-log, 7.3 and 7.12).

const PREFIX: &str = "session-";
const SUFFIX: &str = ".jsonl";
/// Characters that the harness encodes in file names; only these are decoded again.
const DECODED: &[char] = &['<', '>', ':', '"', '|', '?', '*', '%'];

/// The session id that a file name tells: the part between `session-` and `.jsonl`, percent-decoded. `None` for any other name.
/// Folders in front of the name are ignored.
pub fn session_id(file_name: &str) -> Option<String> {
    let name = file_name.rsplit(['/', '\\']).next().unwrap_or_default();
    let stem = name.strip_prefix(PREFIX)?.strip_suffix(SUFFIX)?;
    Some(decode(stem)).filter(|id| is_session_id(id))
}

/// Ids of test, playground and evaluation runs begin with one of these, in lower case (specs: iris-session-log, section 5).
const EPHEMERAL: [&str; 18] = [
    "playground",
    "playground-",
    "eval",
    "eval:",
    "exp0",
    "test",
    "verify",
    "smoke",
    "accept",
    "leakjudge",
    "dbg-",
    "ob-",
    "clean-",
    "__eval",
    "probe",
    "proof-",
    "wiki-switch-proof",
    "mut",
];

/// Whether a session is a test, playground or evaluation run, which the owner's lists leave out.
pub fn is_ephemeral(session_id: &str) -> bool {
    let id = session_id.to_lowercase();
    EPHEMERAL.iter().any(|prefix| id.starts_with(prefix))
}

/// Whether a text can be a session id: 1 to 128 characters without control characters, and not the name of a folder.
pub fn is_session_id(text: &str) -> bool {
    (1..=128).contains(&text.chars().count()) && !text.chars().any(char::is_control) && !matches!(text, "." | "..")
}

/// Decodes the characters that are encoded, as two upper-case hex digits; any other percent sign stays as it is.
fn decode(stem: &str) -> String {
    let mut out = String::with_capacity(stem.len());
    let mut rest = stem;
    while let Some(at) = rest.find('%') {
        out.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        match DECODED.iter().find(|c| rest.starts_with(&format!("{:02X}", u32::from(**c)))) {
            Some(c) => {
                out.push(*c);
                rest = &rest[2..];
            }
            None => out.push('%'),
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
    let index =
        |digits: &str| digits.bytes().all(|b| b.is_ascii_digit()).then(|| digits.parse().ok()).flatten().map(Target::Index);
    let id = text.rsplit_once('@').map_or(text, |(_, id)| id);
    if is_turn_id(id) {
        return Some(Target::TurnId(id));
    }
    index(text.rsplit_once('~').map_or(text, |(_, digits)| digits))
}

/// The session that a reference names; `None` for a bare turn id or number.
pub fn session_of_reference(text: &str) -> Option<&str> {
    let of = |mark: char| text.rsplit_once(mark).map(|(session, _)| session).filter(|session| is_session_id(session));
    match parse_reference(text)? {
        Target::TurnId(_) => of('@'),
        Target::Index(_) => of('~'),
    }
}

#[cfg(test)]
mod tests {
    use super::{Target, parse_reference, session_id, session_of_reference};

    #[test]
    fn a_file_name_tells_the_session() {
        let id = |name| session_id(name).unwrap_or_else(|| "none".to_owned());
        assert_eq!(id("session-3fa9c07be21d.jsonl"), "3fa9c07be21d");
        assert_eq!(id("/home/a/session-telegram%3A42.jsonl"), "telegram:42");
        assert_eq!(id(r"C:\logs\session-%3C%3E%22%7C%3F%2A%25.jsonl"), r#"<>"|?*%"#);
        assert_eq!(id("session-%2F%5C%3a%.jsonl"), "%2F%5C%3a%", "no other character is decoded");
        for name in ["log.jsonl", "session-.jsonl", "session-...jsonl", "session-a.json", "session-a\n.jsonl"] {
            assert_eq!(id(name), "none", "{name}");
        }
    }

    #[test]
    fn reads_every_form_of_reference() {
        let id = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
        assert_eq!(parse_reference(&format!("s@x~1@{id}")), Some(Target::TurnId(id)));
        assert_eq!(parse_reference(id), Some(Target::TurnId(id)));
        assert_eq!(session_of_reference(&format!("s@x~1@{id}")), Some("s@x~1"));
        assert_eq!(session_of_reference("s@x~12"), Some("s@x"));
        assert_eq!((session_of_reference(id), session_of_reference("3"), session_of_reference("s@t")), (None, None, None));
        assert_eq!(parse_reference("s@x~12"), Some(Target::Index(12)));
        assert_eq!(parse_reference("3"), Some(Target::Index(3)));
        for text in ["", "~", "s~-1", "s~1.0", "s~99999999999999999999999", "nothing"] {
            assert_eq!(parse_reference(text), None, "{text}");
        }
    }
}
