//! Links between documents lead somewhere.

use super::source::{sources, top};
use std::path::Path;

#[test]
fn links_between_documents_resolve() {
    let documents = sources();
    let wrong: Vec<String> = documents
        .iter()
        .filter(|source| source.path.ends_with(".md") && (source.path.starts_with("docs/") || !source.path.contains('/')))
        .flat_map(|source| broken(&source.path, &source.text, |path| top().join(path).exists()))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Relative targets of a document that do not exist.
fn broken(path: &str, text: &str, exists: impl Fn(&Path) -> bool) -> Vec<String> {
    let folder = Path::new(path).parent().unwrap_or(Path::new(""));
    let mut wrong = Vec::new();
    let mut fenced = false;
    for (line, number) in text.lines().zip(1..) {
        fenced ^= line.trim_start().starts_with("```");
        if fenced {
            continue;
        }
        for (at, _) in line.match_indices("](") {
            let target = line[at + 2..].split([')', ' ']).next().unwrap_or_default();
            let file = target.split('#').next().unwrap_or_default();
            let elsewhere = ["http://", "https://", "mailto:"].iter().any(|scheme| target.starts_with(scheme));
            if !elsewhere && !file.is_empty() && !exists(&folder.join(file)) {
                wrong.push(format!("{path}:{number}: {target} does not exist"));
            }
        }
    }
    wrong
}

#[test]
fn a_broken_link_is_found() {
    let exists = |path: &Path| path == Path::new("docs/adr/0001-one.md");
    let text =
        "[a](adr/0001-one.md#why) [b](https://example.org) [c](#here)\n```\n[d](none.md)\n```\n![e](none.png) [f](0001-one.md)";
    assert_eq!(
        broken("docs/architecture.md", text, exists),
        ["docs/architecture.md:5: none.png does not exist", "docs/architecture.md:5: 0001-one.md does not exist",]
    );
}
