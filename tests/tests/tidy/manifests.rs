//! What the manifests promise: who depends on whom, and the lints that watch over documentation and safety.

use super::source::{sources, top};
use std::collections::BTreeMap;

/// Lines of a manifest by the section they stand in.
fn sections(manifest: &str) -> BTreeMap<String, Vec<String>> {
    let mut sections: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut section = String::new();
    for line in manifest.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
        match line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
            Some(name) => section = name.to_owned(),
            None => sections.entry(section.clone()).or_default().push(line.to_owned()),
        }
    }
    sections
}

/// Our own packages and which of them each may depend on, tests included.
const ALLOWED: [(&str, &[&str]); 5] = [
    ("core", &[]),
    ("web", &["proem-core"]),
    ("server", &["proem-core"]),
    ("tests", &["proem-core", "proem"]),
    ("tests/bench", &["proem-core"]),
];

#[test]
fn packages_depend_one_way() {
    let wrong: Vec<String> = ALLOWED.iter().flat_map(|(package, _)| dependencies(package, &manifest(package))).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn manifest(package: &str) -> String {
    std::fs::read_to_string(top().join(package).join("Cargo.toml")).unwrap()
}

/// What a package depends on and must not; and versions that belong in the workspace's manifest.
fn dependencies(package: &str, manifest: &str) -> Vec<String> {
    let allowed = ALLOWED.iter().find(|(name, _)| *name == package).map_or(&[][..], |(_, allowed)| allowed);
    let mut wrong = Vec::new();
    for (section, lines) in sections(manifest) {
        // `[dependencies]` names one a line; `[dependencies.NAME]` is all about one.
        let named: Vec<(&str, &str)> = match section.split_once("dependencies") {
            Some((_, "")) => lines
                .iter()
                .filter(|line| line.contains('='))
                .map(|line| (line.split(['.', ' ', '=']).next().unwrap_or_default(), line.as_str()))
                .collect(),
            Some((_, name)) => vec![(
                name.trim_start_matches('.'),
                lines.iter().find(|line| line.contains("workspace")).map_or("", String::as_str),
            )],
            None => Vec::new(),
        };
        for (name, line) in named {
            if name.starts_with("proem") && !allowed.contains(&name) {
                wrong.push(format!("{package} must not depend on {name}"));
            }
            if !line.contains("workspace = true") {
                wrong.push(format!("{package}: {name} takes its version from the workspace's manifest"));
            }
        }
    }
    wrong
}

/// Lints that stay on, with the levels that count as on.
const LINTS: [(&str, &str, &[&str]); 3] = [
    ("workspace.lints.rust", "missing_docs", &["warn", "deny", "forbid"]),
    ("workspace.lints.rust", "unsafe_code", &["forbid"]),
    ("workspace.lints.clippy", "unwrap_used", &["warn", "deny", "forbid"]),
];

#[test]
fn the_lints_stay_on() {
    let mut wrong = lints(&manifest("."));
    for (package, _) in ALLOWED {
        if !takes_lints(&manifest(package)) {
            wrong.push(format!("{package}/Cargo.toml does not take the workspace's lints"));
        }
    }
    for source in sources().iter().filter(|source| source.path.contains("/src/") && source.path.ends_with(".rs")) {
        wrong.extend(silenced(&source.path, &source.text));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn lints(manifest: &str) -> Vec<String> {
    let sections = sections(manifest);
    let off = LINTS.iter().filter(|(section, lint, levels)| {
        let lines = sections.get(*section).map_or(&[][..], Vec::as_slice);
        !levels.iter().any(|level| lines.contains(&format!("{lint} = \"{level}\"")))
    });
    off.map(|(section, lint, _)| format!("the lint {lint} is not on in [{section}]")).collect()
}

fn takes_lints(manifest: &str) -> bool {
    sections(manifest).get("lints").is_some_and(|lines| lines.contains(&"workspace = true".to_owned()))
}

fn silenced(path: &str, text: &str) -> Vec<String> {
    let lines = text.lines().zip(1..).filter(|(line, _)| {
        (line.contains("allow(") || line.contains("expect("))
            && line.trim_start().starts_with("#")
            && line.contains("missing_docs")
    });
    lines.map(|(_, number)| format!("{path}:{number}: switches missing_docs off")).collect()
}

#[test]
fn a_bad_manifest_is_found() {
    let fine = "[dependencies]\nproem-core.workspace = true\nserde = { workspace = true, features = [\"derive\"] }\n";
    assert_eq!(dependencies("web", fine), Vec::<String>::new());
    assert_eq!(dependencies("core", fine).len(), 1);
    assert_eq!(dependencies("web", "[dev-dependencies]\nproem.workspace = true\n").len(), 1);
    assert_eq!(dependencies("server", "[target.'cfg(unix)'.dependencies]\nproem-web = { workspace = true }\n").len(), 1);
    assert_eq!(dependencies("core", "[dependencies]\nserde = \"1\"\n").len(), 1);
    assert_eq!(dependencies("core", "[dependencies.serde]\nversion = \"1\"\n").len(), 1);
    assert_eq!(dependencies("server", "[dependencies.proem-web]\nworkspace = true\n").len(), 1);
    assert_eq!(lints("[workspace.lints.rust]\nunsafe_code = \"forbid\"\nmissing_docs = \"allow\"\n").len(), 2);
    assert!(takes_lints("[lints]\nworkspace = true\n") && !takes_lints("[lints.rust]\nworkspace = true\n"));
    assert_eq!(silenced("core/src/a.rs", "#![allow(missing_docs)]\n#[allow(dead_code)]\n").len(), 1);
}
