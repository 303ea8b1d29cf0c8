//! The page on checking is complete and true: every code that the sources can report is in its tables and the other way round, and each
//! example is told with the code of its row.
#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

use proem_core::opening::compose::{PartSource, render_part};
use proem_core::opening::validate::{prepared_samples, validate};
use proem_core::template::problem::{Problem, Severity};
use std::collections::BTreeSet;
use std::path::Path;

const PAGE: &str = include_str!("../../docs/checking.md");

/// Where problems of templates are made, and where those of hosts and files are.
const TEMPLATES: [&str; 3] = ["core/src/template", "core/src/opening/validate.rs", "core/src/opening/suggest.rs"];
const HOSTS: [&str; 7] = [
    "core/src/skill",
    "server/src/engine.rs",
    "server/src/engine",
    "server/src/cli/check.rs",
    "server/src/cli/deadline.rs",
    "server/src/cli/render.rs",
    "server/src/cli/skills.rs",
];

/// The cells of the rows below a heading of the page.
fn rows(heading: &str) -> Vec<Vec<String>> {
    let (_, section) = PAGE.split_once(&format!("# {heading}\n")).unwrap_or_else(|| panic!("no heading {heading}"));
    let section = section.split("\n#").next().unwrap();
    let rows = section.lines().filter(|line| line.starts_with('|')).skip(2);
    let cells = |line: &str| {
        let line = line.trim_matches('|').replace("\\|", "\u{1}");
        line.split('|').map(|cell| cell.trim().replace('\u{1}', "|")).collect()
    };
    rows.map(cells).collect()
}

/// What stands in backticks, when that is all of a cell.
fn quoted(cell: &str) -> Option<&str> {
    cell.strip_prefix('`')?.strip_suffix('`').filter(|inner| !inner.contains('`'))
}

/// The template that a row's example stands for. Those too long to be written there are made here.
fn example(code: &str, cell: &str) -> String {
    match code {
        "too-large" => "x".repeat(65_537),
        "too-many-operators" => format!("{{{{ 1{} }}}}", "+1".repeat(401)),
        "too-many-elif" => format!("{{% if task %}}{}{{% endif %}}", "{% elif task %}".repeat(201)),
        "too-deep" => "{% if task %}".repeat(61) + &"{% endif %}".repeat(61),
        "more-problems" => "{{ nothing }}".repeat(201),
        "value-too-deep" => "{% set x = [1] %}".to_owned() + &"{% set x = [x] %}".repeat(64) + "{{ x }}",
        "too-complex" => {
            let level =
                |at: u32| format!("{{% macro m{at}() %}}{}{{% endmacro %}}", format!("{{{{ m{}() }}}}", at - 1).repeat(8));
            format!("{{% macro m0() %}}x{{% endmacro %}}{}{{{{ m7() }}}}", (1..8).map(level).collect::<String>())
        }
        _ => quoted(cell)
            .unwrap_or_else(|| panic!("{code}: {cell} is no template"))
            .replace("U+0000", "\0")
            .replace("U+200B", "\u{200b}"),
    }
}

fn said(source: &str) -> Vec<Problem> {
    validate(source, PartSource::Skill, &mut || ())
}

fn errors(source: &str) -> Vec<String> {
    let all = said(source).into_iter().filter(|problem| problem.severity == Severity::Error);
    all.map(|problem| format!("{}: {}", problem.code, problem.message)).collect()
}

/// Codes of a text's problems on save with this weight, and of its renders.
fn told(source: &str, severity: Severity) -> BTreeSet<String> {
    let rendered = render_part(source, &prepared_samples()[1].context).err();
    let all = said(source).into_iter().chain(rendered).filter(|problem| problem.severity == severity);
    all.map(|problem| problem.code).collect()
}

#[test]
fn each_example_is_told_with_its_code() {
    for (heading, severity, at) in [("Errors", Severity::Error, 2), ("Warnings", Severity::Warning, 1)] {
        for row in rows(heading) {
            let code = quoted(&row[0]).unwrap();
            let source = example(code, &row[at]);
            let told = told(&source, severity);
            assert!(
                told.contains(code),
                "{heading}, {code}: {:?} is told {told:?}",
                source.chars().take(100).collect::<String>()
            );
        }
    }
}

/// Who finds it is what the page says: the guard and the parser end the check, and the checker needs no render.
#[test]
fn each_error_is_found_by_whom_the_page_says() {
    use proem_core::opening::shape::contract;
    use proem_core::template::{check::check, engine::parse::parse, guard::guard};
    for row in rows("Errors") {
        let code = quoted(&row[0]).unwrap();
        let source = example(code, &row[2]);
        let is = |problem: &Problem| problem.code == code;
        let guarded = guard(&source).err().is_some_and(|problem| is(&problem));
        let parsed = !guarded && parse(&source).err().is_some_and(|problem| is(&problem));
        let checked = !guarded && !parsed && check(&source, contract()).iter().any(is);
        let named = |letter: &str| row[1].split(", ").any(|by| by == letter);
        assert_eq!((guarded, parsed, checked), (named("g"), named("p"), named("c")), "{code}");
        assert!(guarded || parsed || checked || named("r"), "{code}");
    }
}

#[test]
fn guards_pass_and_what_depends_on_a_value_does_not() {
    for row in rows("Guards it understands") {
        assert_eq!(errors(quoted(&row[0]).unwrap()), [""; 0], "{}", row[0]);
    }
    for row in rows("What depends on a value") {
        assert_ne!(errors(quoted(&row[0]).unwrap()), [""; 0], "{}", row[0]);
        assert_eq!(errors(quoted(&row[1]).unwrap()), [""; 0], "{}", row[1]);
    }
}

#[test]
fn the_page_has_every_code_and_no_other() {
    let listed = |heading: &str| rows(heading).iter().map(|row| quoted(&row[0]).unwrap().to_owned()).collect::<BTreeSet<_>>();
    let templates: BTreeSet<String> = listed("Errors").union(&listed("Warnings")).cloned().collect();
    assert_eq!(templates.len(), listed("Errors").len() + listed("Warnings").len(), "a code is an error or a warning");
    let made = codes(&TEMPLATES);
    assert_eq!(made.difference(&templates).collect::<Vec<_>>(), Vec::<&String>::new(), "missing in docs/checking.md");
    assert_eq!(templates.difference(&made).collect::<Vec<_>>(), Vec::<&String>::new(), "reported by nothing");
    let mut made = codes(&HOSTS);
    assert!(made.remove("allowed-tools"), "a key of other programs in SKILL.md files");
    assert_eq!(listed("From whoever runs it"), made);
}

/// The codes that the Rust files at these paths can give to problems.
fn codes(paths: &[&str]) -> BTreeSet<String> {
    let top = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let files = paths.iter().flat_map(|path| {
        let path = top.join(path);
        if path.is_dir() { proem_tests::files(&path, ".rs") } else { vec![path] }
    });
    let texts = files.map(|file| std::fs::read_to_string(file).unwrap());
    texts.flat_map(|text| codes_of(text.split("#[cfg(test)]\nmod tests").next().unwrap())).collect()
}

/// What stands before a code: what makes a problem, what names one, or the first of a code and its sentence.
const MAKERS: [&str; 11] = [
    "Problem::error(",
    "Problem::warning(",
    "places.error(",
    "places.warning(",
    ".warning(",
    ".fault(",
    ".warn(",
    "self.add(",
    "say(",
    "problem(",
    "let (code, message",
];

/// Literals that are codes: those of several words, which nothing else is, and of one word the first behind a maker.
fn codes_of(source: &str) -> BTreeSet<String> {
    let is_word = |text: &str| text.split('-').all(|word| !word.is_empty() && word.chars().all(|c| c.is_ascii_lowercase()));
    let mut found = BTreeSet::new();
    let (mut before, mut last) = (0, false);
    for (start, literal) in literals(source) {
        let between = &source[before..start];
        before = start + literal.len() + 2;
        let after = source[before..].trim_start_matches([',', ' ', '\n']);
        let made = MAKERS
            .iter()
            .any(|maker| between.rfind(maker).is_some_and(|at| !between[at..].contains(';') && !between[at..].contains("fn ")));
        let chosen =
            between.trim_end().ends_with('{') && (between.contains("let code = if ") || (last && between.trim() == "} else {"));
        let told = after.starts_with("format!(") && !between.ends_with('&');
        let of_serde = between.ends_with("rename_all = ");
        last = is_word(literal) && !of_serde && (literal.contains('-') || made || chosen || told);
        if last {
            found.insert(literal.to_owned());
        }
    }
    found
}

/// String literals of Rust text with where they begin, without those in comments.
fn literals(source: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(next) = source[at..].find(['"', '/']).map(|next| at + next) {
        let rest = &source[next..];
        if rest.starts_with("//") {
            at = next + rest.find('\n').unwrap_or(rest.len());
        } else if rest.starts_with('/') || source[..next].ends_with('\'') || source[..next].ends_with("\\") {
            at = next + 1;
        } else {
            let mut escaped = false;
            let end = rest[1..].find(|c| {
                let ends = c == '"' && !escaped;
                escaped = c == '\\' && !escaped;
                ends
            });
            let end = next + 1 + end.unwrap_or(rest.len() - 1);
            found.push((next, &source[next + 1..end]));
            at = end + 1;
        }
    }
    found
}

#[test]
fn codes_are_found_in_a_source() {
    let source = "Problem::error(source, at..2, \"nul\", \"a sentence\");\n// \"not-this\"\nlet a = '\"';\nx(\"upper\");\n\
                  (\n  \"undefined\",\n  format!(\"`{x}` is\"))\nself.fault(&expr.range, \"wrong-type\", message)";
    assert_eq!(codes_of(source).into_iter().collect::<Vec<_>>(), ["nul", "undefined", "wrong-type"]);
}
