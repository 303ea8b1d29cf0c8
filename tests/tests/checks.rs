//! The static checker on cases: `cases/checks/*.txt` holds templates behind lines `=== what they show`. The snapshot is what the
//! checker says of each: place, the marked text, sentence, suggestion.
#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

use proem_core::opening::shape::contract;
use proem_core::template::check::check;
use std::fmt::Write;

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
