//! Words that only some files may say: each outside thing has one place that knows it.

use super::source::{code, product, sources, without_tests};

/// A word of code and where it may stand.
struct Rule {
    /// As it is spelled in code.
    word: &'static str,
    /// The files it concerns: the beginning of their paths.
    within: &'static str,
    /// Those that may say it: beginnings of paths.
    except: &'static [&'static str],
    /// Why.
    reason: &'static str,
}

const fn rule(word: &'static str, within: &'static str, except: &'static [&'static str], reason: &'static str) -> Rule {
    Rule { word, within, except, reason }
}

const OUTSIDE: &str = "the core touches nothing outside itself";
const RULES: [Rule; 22] = [
    rule("minijinja", "", &["core/src/template/engine"], "one module speaks to the template engine"),
    rule("sqlx", "", &["server/src/store"], "SQL lives in the store"),
    rule("gloo_net", "", &["web/src/api.rs"], "one file speaks to the server"),
    rule("proem", "web/", &[], "the browser does not know the server"),
    rule("proem", "core/", &[], "the core knows nothing of ours"),
    rule("proem_web", "server/", &[], "the server does not know the browser"),
    rule("proem_web", "core/", &[], "the core knows nothing of ours"),
    rule("leptos", "web/src/state", &[], "state is plain structs, tested without a browser"),
    rule("std::fs", "core/", &[], OUTSIDE),
    rule("std::net", "core/", &[], OUTSIDE),
    rule("std::env", "core/", &[], OUTSIDE),
    rule("std::process", "core/", &[], OUTSIDE),
    rule("std::thread", "core/", &[], OUTSIDE),
    rule("SystemTime", "core/", &[], OUTSIDE),
    rule("Instant", "core/", &[], OUTSIDE),
    rule("web_sys", "core/", &[], OUTSIDE),
    rule("js_sys", "core/", &[], OUTSIDE),
    rule("println", "core/", &[], OUTSIDE),
    rule("eprintln", "core/", &[], OUTSIDE),
    rule("inner_html", "", &[], "foreign text is text, so nothing is set as HTML"),
    rule("set_inner_html", "", &[], "foreign text is text, so nothing is set as HTML"),
    rule("unwrap()", "", &[], "outside tests a failure is handled, or `expect` says why there is none"),
];

#[test]
fn words_stand_where_they_may() {
    let wrong: Vec<String> = product().iter().flat_map(|source| complaints(&source.path, &source.text)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What a product file says and should not.
fn complaints(path: &str, text: &str) -> Vec<String> {
    let code = code(&without_tests(text));
    let mut wrong = Vec::new();
    for rule in &RULES {
        let concerned = path.starts_with(rule.within) && !rule.except.iter().any(|prefix| path.starts_with(prefix));
        if concerned {
            let lines = code.lines().zip(1..).filter(|(line, _)| says(line, rule.word));
            wrong.extend(lines.map(|(_, number)| format!("{path}:{number}: `{}`: {}", rule.word, rule.reason)));
        }
    }
    if path.starts_with("web/src/") {
        // Read as written: views hold text that is code to Leptos.
        let lines = without_tests(text).lines().map(str::to_owned).zip(1..).collect::<Vec<_>>();
        let styled =
            lines.iter().filter(|(line, _)| [" style=\"", " style={", "<style", "attr:style"].iter().any(|it| line.contains(it)));
        wrong.extend(styled.map(|(_, number)| format!("{path}:{number}: `style`: the policy drops it; write style:name=value")));
    }
    wrong
}

/// Whether a line has the word with no letter at either end of it.
fn says(line: &str, word: &str) -> bool {
    let letter = |c: char| c.is_alphanumeric() || c == '_';
    line.match_indices(word).any(|(at, _)| {
        let (before, after) = (&line[..at], &line[at + word.len()..]);
        let bounded = !before.ends_with(letter) && !after.starts_with(letter);
        // `a.proem` and `proem:` are names of something else.
        bounded && !before.ends_with('.') | word.ends_with("()")
    })
}

#[test]
fn each_rule_finds_its_word() {
    for rule in &RULES {
        let path = format!("{}src/example.rs", if rule.within.is_empty() { "core/" } else { rule.within });
        let text = format!("fn a() {{ x.{0}; {0}::y; {0}; }}", rule.word);
        let found = complaints(&path, &text);
        assert!(found.iter().any(|line| line.contains(&format!("`{}`", rule.word))), "{}: {found:?}", rule.word);
        for allowed in rule.except {
            let found = complaints(&format!("{}.rs", allowed.trim_end_matches(".rs")), &text);
            assert!(!found.iter().any(|line| line.contains(&format!("`{}`", rule.word))), "{}: {found:?}", rule.word);
        }
    }
    assert_eq!(complaints("web/src/a.rs", "view! { <p style=\"color: red\">x</p> }").len(), 1);
    assert_eq!(complaints("web/src/a.rs", "view! { <p style:color=\"red\">x</p> }").len(), 0);
    assert_eq!(
        complaints("server/src/a.rs", "// unwrap()\n#[cfg(test)]\nmod tests {\n    fn a() { b().unwrap(); }\n}\n").len(),
        0
    );
    assert_eq!(complaints("web/src/a.rs", "use proem_core::log::Log; let a = \"proem\";").len(), 0);
}

/// Words that tell where or with what the repository was written. In halves, so that this file does not say them.
const MACHINE: [&str; 4] = [concat!("/wo", "rk/"), concat!("/ro", "ot/"), concat!(".lib", "rary"), concat!("Cla", "ude C")];

#[test]
fn no_file_names_a_machine() {
    let wrong: Vec<String> = sources().iter().flat_map(|source| machines(&source.path, &source.text)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn machines(path: &str, text: &str) -> Vec<String> {
    let lines = text.lines().zip(1..).flat_map(|(line, number)| {
        MACHINE.iter().filter(move |word| line.contains(**word)).map(move |word| format!("{path}:{number}: names `{word}`"))
    });
    lines.collect()
}

#[test]
fn a_machine_is_found() {
    assert_eq!(machines("README.md", &format!("see\n{}shared/design.md", MACHINE[0])).len(), 1);
    assert_eq!(machines("README.md", "<workspace></workspace> and the roots/").len(), 0);
}
