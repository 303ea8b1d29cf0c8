//! The repository's own files, and Rust text without what is not code.

use std::path::{Path, PathBuf};

/// A text file of the repository.
pub struct Source {
    /// From the top of the repository, with slashes.
    pub path: String,
    /// All of it.
    pub text: String,
}

/// What is built or fetched rather than written.
const NOT_OURS: [&str; 4] = [".git", "target", "node_modules", "dist"];

/// The top of the repository.
pub fn top() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize().unwrap()
}

/// Every text file of the repository, sorted by path.
pub fn sources() -> Vec<Source> {
    let top = top();
    let mut found = Vec::new();
    let mut waiting = vec![top.clone()];
    while let Some(folder) = waiting.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            if NOT_OURS.contains(&name.as_str()) {
                continue;
            }
            if path.is_dir() {
                waiting.push(path);
            } else if let Ok(text) = std::fs::read_to_string(&path) {
                let path = path.strip_prefix(&top).unwrap().to_string_lossy().replace('\\', "/");
                found.push(Source { path, text });
            }
        }
    }
    found.sort_by(|a, b| a.path.cmp(&b.path));
    assert!(found.iter().any(|source| source.path == "core/src/lib.rs"), "the repository was not found");
    found
}

/// The Rust files of the product, tests apart.
pub fn product() -> Vec<Source> {
    let mut files = sources();
    files.retain(|source| is_product(&source.path));
    files
}

/// Whether a path is a Rust file of the product: below `src`, and no file of tests.
pub fn is_product(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or_default();
    let package = ["core/src/", "server/src/", "web/src/"].iter().any(|prefix| path.starts_with(prefix));
    package && path.ends_with(".rs") && name != "tests.rs" && !path.contains("/tests/")
}

/// Rust text without its `#[cfg(test)]` items at the margin, where rustfmt puts them.
pub fn without_tests(text: &str) -> String {
    let mut kept = String::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if line != "#[cfg(test)]" {
            kept.push_str(line);
            kept.push('\n');
            continue;
        }
        let first = lines.by_ref().find(|line| !line.starts_with("#[")).unwrap_or_default();
        if !first.ends_with(';') && !first.ends_with('}') {
            lines.by_ref().find(|line| line.starts_with('}'));
        }
    }
    kept
}

/// Rust text whose comments and literals are blanks; every line keeps its number.
pub fn code(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(next) = rest.chars().next() {
        let length = match next {
            '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            '/' if rest.starts_with("/*") => rest.find("*/").map_or(rest.len(), |end| end + 2),
            '"' => string_length(rest),
            'r' if !ends_in_word(&out) && raw_string_length(rest).is_some() => raw_string_length(rest).unwrap_or(1),
            '\'' => char_length(rest),
            other => {
                out.push(other);
                rest = &rest[other.len_utf8()..];
                continue;
            }
        };
        out.extend(rest[..length].chars().map(|skipped| if skipped == '\n' { '\n' } else { ' ' }));
        rest = &rest[length..];
    }
    out
}

fn ends_in_word(text: &str) -> bool {
    text.ends_with(|c: char| c.is_alphanumeric() || c == '_')
}

fn string_length(text: &str) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

fn raw_string_length(text: &str) -> Option<usize> {
    let hashes = text[1..].chars().take_while(|c| *c == '#').count();
    let body = text[1 + hashes..].strip_prefix('"')?;
    let end = format!("\"{}", "#".repeat(hashes));
    Some(body.find(&end).map_or(text.len(), |at| 2 + hashes + at + end.len()))
}

/// A character literal is skipped whole; the quote of a lifetime alone.
fn char_length(text: &str) -> usize {
    let mut chars = text.char_indices().skip(1);
    match (chars.next(), chars.next()) {
        (Some((_, '\\')), _) => text[2..].char_indices().skip(1).find(|(_, c)| *c == '\'').map_or(1, |(at, _)| at + 3),
        (Some(_), Some((at, '\''))) => at + 1,
        _ => 1,
    }
}

#[test]
fn what_is_not_code_is_blank() {
    let text =
        "let a = \"x \\\" unwrap()\"; // unwrap()\nlet b = r#\"crate::z \"\"#; let c: &'a str = '\\''; /* unwrap() */ d('\"')";
    let code = code(text);
    assert_eq!(code.lines().count(), 2);
    assert!(!code.contains("unwrap") && !code.contains("crate"), "{code}");
    assert!(code.contains("let c: & a str =") && code.trim_end().ends_with("d(   )"), "{code}");
    let text = "fn a() {}\n#[cfg(test)]\nmod tests;\nfn b() {}\n#[cfg(test)]\nmod more {\n    fn c() {}\n}\nfn d() {}\n";
    assert_eq!(without_tests(text), "fn a() {}\nfn b() {}\nfn d() {}\n");
    assert!(is_product("web/src/api.rs") && !is_product("web/src/page/tests.rs") && !is_product("tests/src/lib.rs"));
}
