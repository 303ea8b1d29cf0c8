//! Ids as they arrive in paths and queries: parsed at the border, so that everything behind it holds a sound one.

use std::fmt;
use std::str::FromStr;

/// Longest slug, in characters.
const SLUG_MAX: usize = 64;
/// Longest file name, in bytes.
const FILE_NAME_MAX: usize = 255;

macro_rules! text_newtype {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, Hash)]
        pub struct $name(String);

        impl $name {
            /// The text itself.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    };
}

text_newtype!(
    /// Identifies a skill inside its organisation: lower-case letters, digits and single dashes.
    Slug
);
text_newtype!(
    /// Identifies a stored log: lower-case letters, digits and dashes, chosen by the store.
    LogId
);
text_newtype!(
    /// The name of an opener, whether declared or not.
    OpenerName
);
text_newtype!(
    /// The fingerprint of a file that is being uploaded: 16 to 64 hex digits, chosen by the client.
    UploadId
);
text_newtype!(
    /// The name a log's file had: shown, and read by the log reader; never used as a path.
    FileName
);

impl FromStr for Slug {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let sound = !text.is_empty()
            && text.len() <= SLUG_MAX
            && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
            && !text.starts_with('-')
            && !text.ends_with('-')
            && !text.contains("--");
        sound.then(|| Slug(text.to_owned())).ok_or_else(|| {
            format!(
                "`{}` is not the slug of a skill: 1 to {SLUG_MAX} lower-case letters, digits and single dashes between them.",
                excerpt(text)
            )
        })
    }
}

impl FromStr for LogId {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let sound = (1..=64).contains(&text.len())
            && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-');
        sound.then(|| LogId(text.to_owned())).ok_or_else(|| {
            format!("`{}` is not the id of a stored session: 1 to 64 lower-case letters, digits and dashes.", excerpt(text))
        })
    }
}

impl FromStr for OpenerName {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let sound = !text.is_empty() && text.len() <= SLUG_MAX && !text.chars().any(char::is_control);
        sound.then(|| OpenerName(text.to_owned())).ok_or_else(|| {
            format!("`{}` is not the name of an opener: 1 to {SLUG_MAX} bytes without control characters.", excerpt(text))
        })
    }
}

impl FromStr for UploadId {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let sound = (16..=64).contains(&text.len()) && is_hex(text);
        sound
            .then(|| UploadId(text.to_owned()))
            .ok_or_else(|| format!("`{}` is not the id of an upload: 16 to 64 hex digits in lower case.", excerpt(text)))
    }
}

impl FromStr for FileName {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let sound = !text.is_empty() && text.len() <= FILE_NAME_MAX && !text.chars().any(char::is_control);
        sound
            .then(|| FileName(text.to_owned()))
            .ok_or_else(|| format!("`name` must be a file's name: 1 to {FILE_NAME_MAX} bytes without control characters."))
    }
}

fn is_hex(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

/// As much of a foreign text as an error message can carry.
fn excerpt(text: &str) -> String {
    let mut short: String = text.chars().take(SLUG_MAX).map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect();
    if text.chars().count() > SLUG_MAX {
        short.push('…');
    }
    short
}
