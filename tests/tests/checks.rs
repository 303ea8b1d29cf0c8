//! The static checker on cases: `cases/checks/*.txt` holds templates behind lines `=== what they show`. The snapshot is what the
//! checker says of each: place, the marked text, sentence, suggestion.
#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

use proem_core::opening::shape::contract;
use proem_core::template::check::check;
use proem_core::template::problem::Problem;
use std::fmt::Write;

/// Following what a problem of `faults.txt` suggests makes it go away.
#[test]
fn suggestions_help() {
    let file = include_str!("../cases/checks/faults.txt");
    let (mut tried, mut left) = (0, Vec::new());
    for case in file.split("=== ").skip(1) {
        let (title, source) = case.split_once('\n').unwrap();
        let source = source.trim_end_matches('\n');
        for problem in check(source, contract()) {
            let (before, marked, after) =
                (&source[..problem.range.0], &source[problem.range.0..problem.range.1], &source[problem.range.1..]);
            let suggestion = problem.suggestion.clone().unwrap_or_default();
            let mut ways = Vec::new();
            if let Some((guard, _)) = suggestion
                .split_once("{% if ")
                .and_then(|(_, guard)| guard.split_once(" %}"))
                .filter(|(guard, _)| !guard.contains('…'))
            {
                // Round the tag that holds the place.
                let (open, close) =
                    (before.rfind("{{").or(before.rfind("{%")).unwrap(), after.find("}}").map(|at| problem.range.1 + at + 2));
                if let Some(close) = close.filter(|_| before.rfind("{{") > before.rfind("{%")) {
                    ways.push(format!(
                        "{}{{% if {guard} %}}{}{{% endif %}}{}",
                        &source[..open],
                        &source[open..close],
                        &source[close..]
                    ));
                }
            }
            if suggestion.contains("|default(\"…\", true)") {
                ways.push(format!("{before}({marked}|default(\"x\", true)){after}"));
            }
            if let Some((_, name)) =
                suggestion.split_once("did you mean `").filter(|_| !marked.starts_with('"') && !marked.contains(['|', ' ']))
            {
                ways.push(format!("{before}{}{after}", name.split('`').next().unwrap()));
            }
            for way in ways {
                tried += 1;
                let like_it = |source: &str| {
                    let same = |found: &Problem| found.code == problem.code && source[found.range.0..found.range.1] == *marked;
                    check(source, contract()).iter().filter(|found| same(found)).count()
                };
                if like_it(&way) >= like_it(source) {
                    left.push(format!("{title}: {marked} ({suggestion})\n  {way}"));
                }
            }
        }
    }
    assert!(left.is_empty() && tried > 20, "{tried} tried\n{}", left.join("\n"));
}

#[test]
fn checks() {
    insta::with_settings!({prepend_module_to_snapshot => false, snapshot_path => "snapshots/checks", omit_expression => true}, {
        insta::glob!("../cases/checks", "*.txt", |path| {
            let file = std::fs::read_to_string(path).unwrap();
            let mut shown = String::new();
            for case in file.split("=== ").skip(1) {
                let (title, source) = case.split_once('\n').unwrap();
                let source = source.trim_end_matches('\n');
                writeln!(shown, "=== {title}\n{source}").unwrap();
                for problem in check(source, contract()) {
                    let marked = &source[problem.range.0..problem.range.1];
                    writeln!(shown, "    {} [{}] {marked:?}", problem.one_line(), problem.code).unwrap();
                }
            }
            insta::assert_snapshot!(shown);
        });
    });
}
