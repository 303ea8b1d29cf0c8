//! The shape of files: how long, how deep, and what each says about itself first.

use super::source::sources;

/// Lines a Rust file may have.
const LINES: usize = 400;
/// Folders below `src`.
const DEPTH: usize = 3;
/// Files that may be longer, each with its reason.
const LONGER: [(&str, &str); 0] = [];

#[test]
fn files_have_their_shape() {
    let wrong: Vec<String> = sources().iter().flat_map(|source| complaints(&source.path, &source.text)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn complaints(path: &str, text: &str) -> Vec<String> {
    let mut wrong = Vec::new();
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    let lines = text.lines().count();
    if name.ends_with(".rs") && lines > LINES && !LONGER.iter().any(|(longer, _)| *longer == path) {
        wrong.push(format!("{path}: {lines} lines; past {LINES} find the second idea in it"));
    }
    if name == "mod.rs" {
        wrong.push(format!("{path}: write NAME.rs beside NAME/"));
    }
    if let Some((_, below)) = format!("{folder}/").split_once("src/")
        && below.matches('/').count() > DEPTH
    {
        wrong.push(format!("{path}: more than {DEPTH} folders below src"));
    }
    if let Some(first) = first_comment(name, text)
        && !(first.ends_with('.') && first.starts_with(|c: char| !c.is_whitespace()))
    {
        wrong.push(format!("{path}: begins with {first:?}, not with a sentence about its job"));
    }
    wrong
}

/// The comment a file begins with, as one line: empty when there is none. None for files that need none.
fn first_comment(name: &str, text: &str) -> Option<String> {
    let extension = name.rsplit_once('.')?.1;
    let paragraph = |mark: &str| {
        let lines = text.lines().map_while(|line| line.strip_prefix(mark)).map(str::trim);
        lines.take_while(|line| !line.is_empty()).collect::<Vec<_>>().join(" ")
    };
    match extension {
        "rs" => Some(paragraph("//!")),
        "js" | "mjs" => Some(paragraph("//")),
        "css" => {
            let comment = text.strip_prefix("/*").and_then(|rest| rest.split_once("*/"));
            Some(comment.map_or(String::new(), |(comment, _)| comment.split_whitespace().collect::<Vec<_>>().join(" ")))
        }
        _ => None,
    }
}

#[test]
fn a_bad_shape_is_found() {
    let long = "//! A file.\n".to_owned() + &"\n".repeat(LINES);
    for (path, text) in [
        ("core/src/a.rs", long.as_str()),
        ("core/src/a/mod.rs", "//! A file.\n"),
        ("core/src/a/b/c/d/e.rs", "//! A file.\n"),
        ("core/src/a.rs", "use b;\n"),
        ("core/src/a.rs", "//! A file\n"),
        ("web/styles/a.css", ".a {}\n"),
        ("web/js/a.js", "const a = 1;\n"),
    ] {
        assert_eq!(complaints(path, text).len(), 1, "{path}");
    }
    for (path, text) in [
        ("core/src/a/b/c/d.rs", "//! A file\n//! of two lines.\n//!\n//! More\nuse b;\n"),
        ("web/styles/a.css", "/* Buttons\n   and links. */\n.a {}\n"),
        ("web/editor/build.mjs", "// Bundles.\n"),
        ("README.md", "# Proem\n"),
    ] {
        assert_eq!(complaints(path, text), Vec::<String>::new(), "{path}");
    }
}
