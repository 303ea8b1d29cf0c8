//! Who may know whom inside the core: its modules are a graph without ways back.

use super::source::{code, product, without_tests};

/// The core's modules and the siblings each may name. `worker` and `api` stand above the others; nothing may name them.
const ALLOWED: [(&str, &[&str]); 11] = [
    ("template", &[]),
    ("skill", &["template"]),
    ("opening", &["template", "skill"]),
    ("log", &[]),
    ("context", &[]),
    ("ledger", &["log"]),
    ("trace", &["log", "ledger"]),
    ("turn", &["skill", "log", "ledger", "context"]),
    ("assertion", &["template", "log", "ledger"]),
    ("worker", &["template", "skill", "opening", "log", "ledger", "trace", "context", "assertion"]),
    ("api", &["template", "skill", "opening", "log", "ledger", "trace", "turn", "assertion"]),
];

/// `skill` and `assertion` may take these of `template`: how line ends are made alike, how faults are told, and what a word was meant to be.
const MAY_BE_TAKEN: [&str; 3] = ["template::normalize", "template::problem", "template::nearest"];
const MAY_TAKE: [&str; 2] = ["skill", "assertion"];

#[test]
fn the_cores_arrows_point_one_way() {
    let wrong: Vec<String> = product().iter().flat_map(|source| complaints(&source.path, &source.text)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What is wrong with the paths a core file names.
fn complaints(path: &str, text: &str) -> Vec<String> {
    let Some(below) = path.strip_prefix("core/src/").filter(|below| *below != "lib.rs") else { return Vec::new() };
    let own: Vec<&str> = below.trim_end_matches(".rs").split('/').collect();
    let Some((_, allowed)) = ALLOWED.iter().find(|(module, _)| *module == own[0]) else {
        return vec![format!("{path}: `{}` is a new module of the core: say in this test what it may name", own[0])];
    };
    let mut wrong = Vec::new();
    for named in named_paths(&own, &code(&without_tests(text))) {
        let module = named.split("::").next().unwrap_or_default();
        let narrow = MAY_TAKE.contains(&own[0]) && module == "template" && !MAY_BE_TAKEN.contains(&named.as_str());
        if module != own[0] && (narrow || !allowed.contains(&module)) {
            wrong.push(format!("{path}: `{}` must not know `{named}`", own[0]));
        }
    }
    wrong
}

/// Paths into this crate, from its root, at most two names deep: `template::engine`. `crate` and `super` are followed, groups opened.
fn named_paths(own: &[&str], code: &str) -> Vec<String> {
    let tokens = tokens(code);
    let mut found = Vec::new();
    for at in 0..tokens.len() {
        let starts = at == 0 || tokens[at - 1] != "::";
        let mut base = match tokens[at] {
            "crate" if starts => Vec::new(),
            // The module's own file is one level below what `super` names.
            "super" if starts => own[..own.len() - 1].to_vec(),
            _ => continue,
        };
        let mut next = at + 1;
        while tokens.get(next) == Some(&"::") && tokens.get(next + 1) == Some(&"super") {
            base.pop();
            next += 2;
        }
        if tokens.get(next) == Some(&"::") {
            open(&base, &tokens, next + 1, &mut found);
        }
    }
    found
}

/// Adds what follows a `::`: one name, or each of a group.
fn open(base: &[&str], tokens: &[&str], mut at: usize, found: &mut Vec<String>) {
    if tokens.get(at) != Some(&"{") {
        let mut path = base.to_vec();
        while let Some(name) = tokens.get(at).filter(|_| path.len() < 2) {
            path.push(name);
            if tokens.get(at + 1) != Some(&"::") || tokens.get(at + 2) == Some(&"{") {
                break;
            }
            at += 2;
        }
        found.push(path.join("::"));
        return;
    }
    let mut depth = 0;
    while let Some(token) = tokens.get(at) {
        match *token {
            "{" => depth += 1,
            "}" => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return;
        }
        if depth == 1 && (*token == "{" || *token == ",") && tokens.get(at + 1).is_some_and(|next| *next != "}") {
            open(base, tokens, at + 1, found);
        }
        at += 1;
    }
}

/// Words, `::` and other single characters.
fn tokens(code: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = code.trim_start();
    while let Some(first) = rest.chars().next() {
        let word = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        let length = if word > 0 {
            word
        } else if rest.starts_with("::") {
            2
        } else {
            first.len_utf8()
        };
        found.push(&rest[..length]);
        rest = rest[length..].trim_start();
    }
    found
}

#[test]
fn a_wrong_arrow_is_found_however_it_is_spelled() {
    for (path, text) in [
        ("core/src/template/guard.rs", "use crate::opening::kind::OpeningKind;"),
        ("core/src/template/guard.rs", "use crate::{log::Log, template::problem};"),
        ("core/src/template/engine/print.rs", "use super::super::super::log::Log;"),
        ("core/src/log.rs", "use super::trace::Trace;"),
        ("core/src/log/replay.rs", "fn a() -> crate::trace::Trace { todo!() }"),
        ("core/src/opening.rs", "use crate::api::{self, Health};"),
        ("core/src/skill.rs", "use crate::template::engine::Template;"),
        ("core/src/clock.rs", ""),
    ] {
        assert_eq!(complaints(path, text).len(), 1, "{path}: {text}: {:?}", complaints(path, text));
    }
    for (path, text) in [
        ("core/src/template/engine/print.rs", "use super::super::problem::{Problem, widen};\nuse super::Template;"),
        (
            "core/src/opening/compose.rs",
            "use crate::{skill::Skill, template::{engine::Template, problem::Problem}};\nuse super::kind;",
        ),
        ("core/src/trace/nodes.rs", "//! crate::worker\nuse crate::log::Event; let a = \"crate::worker\";"),
        ("core/src/log.rs", "#[cfg(test)]\nmod tests {\n    use crate::trace::Trace;\n}\n"),
        ("web/src/api.rs", "use crate::page::Page;"),
    ] {
        assert_eq!(complaints(path, text), Vec::<String>::new(), "{path}: {text}");
    }
}
