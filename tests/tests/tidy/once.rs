//! What has one definition: domain words, the policy, and every limit.

use super::source::{Source, product, without_tests};
use std::collections::BTreeMap;

/// Texts that stand in exactly one file of the product, and which.
const ONCE: [(&str, &str); 6] = [
    ("const TURN_OPENING_KINDS", "core/src/log/model.rs"),
    ("\"user_message\", \"turn_open\"", "core/src/log/model.rs"),
    ("enum OpeningKind", "core/src/opening/kind.rs"),
    ("const ALL: [OpeningKind", "core/src/opening/kind.rs"),
    ("\"human-conversation-resume\"", "core/src/opening/kind.rs"),
    ("default-src 'none'", "server/src/border/headers.rs"),
];

#[test]
fn domain_words_have_one_definition() {
    let wrong = elsewhere(&product());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn limits_have_one_definition() {
    let wrong = twice(&product());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Where a text of [`ONCE`] stands beside its place, or is missing there.
fn elsewhere(files: &[Source]) -> Vec<String> {
    let mut wrong = Vec::new();
    for (text, home) in ONCE {
        let holding: Vec<&str> =
            files.iter().filter(|file| without_tests(&file.text).contains(text)).map(|file| file.path.as_str()).collect();
        if holding != [home] {
            wrong.push(format!("`{text}` belongs in {home} alone, and stands in {holding:?}"));
        }
    }
    wrong
}

/// Numbers that two files of the product define under one name and type, one of them for others to use. (Two private ones may be alike
/// by chance.)
fn twice(files: &[Source]) -> Vec<String> {
    let mut homes: BTreeMap<String, Vec<(&str, bool)>> = BTreeMap::new();
    for file in files {
        for line in without_tests(&file.text).lines() {
            if let Some(definition) = number(line) {
                homes.entry(definition.to_owned()).or_default().push((&file.path, line.starts_with("pub")));
            }
        }
    }
    let double = homes.into_iter().filter(|(_, places)| places.len() > 1 && places.iter().any(|(_, public)| *public));
    let show = |(definition, places): (String, Vec<(&str, bool)>)| {
        format!("{definition} is defined in {}", places.iter().map(|(path, _)| *path).collect::<Vec<_>>().join(" and "))
    };
    double.map(show).collect()
}

/// Name and type of a numeric constant or a duration defined at the margin: `FUEL: u64`.
fn number(line: &str) -> Option<&str> {
    let (_, definition) = line.split_once("const ").filter(|(before, _)| before.is_empty() || before.starts_with("pub"))?;
    let (definition, _) = definition.split_once(" = ")?;
    let (_, kind) = definition.split_once(": ")?;
    ["u8", "u16", "u32", "u64", "usize", "i32", "i64", "f32", "f64", "Duration"].contains(&kind).then_some(definition)
}

#[test]
fn a_second_definition_is_found() {
    let file = |path: &str, text: &str| Source { path: path.to_owned(), text: text.to_owned() };
    let mut files = vec![
        file("core/src/a.rs", "pub const FUEL: u64 = 1;\nconst NAME: &str = \"\";\nconst LINES: u8 = 1;\n"),
        file("web/src/b.rs", "const FUEL: u64 = 2;\nconst NAME: &str = \"\";\n#[cfg(test)]\nconst ROWS: u32 = 1;\n"),
        file("web/src/c.rs", "pub(crate) const ROWS: u32 = 1;\nconst LINES: u8 = 2;\n"),
    ];
    assert_eq!(twice(&files), ["FUEL: u64 is defined in core/src/a.rs and web/src/b.rs"]);
    let mut homes: BTreeMap<&str, String> = BTreeMap::new();
    for (text, home) in ONCE {
        homes.entry(home).or_default().push_str(text);
    }
    files = homes.iter().map(|(home, text)| file(home, text)).collect();
    assert_eq!(elsewhere(&files), Vec::<String>::new());
    files.push(file("web/src/d.rs", "matches!(kind, \"user_message\", \"turn_open\")"));
    assert_eq!(elsewhere(&files).len(), 1);
    files.clear();
    assert_eq!(elsewhere(&files).len(), ONCE.len());
}
