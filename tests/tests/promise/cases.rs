//! The cases of the checker, rendered: what it passes must render with everything.

use super::{facts, passes};
use proem_core::template::engine::{Printing, Template};

#[test]
fn cases_that_pass_render_with_any_facts() {
    let mut failed = Vec::new();
    for entry in std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/cases/checks")).unwrap() {
        let file = std::fs::read_to_string(entry.unwrap().path()).unwrap();
        for case in file.split("=== ").skip(1) {
            let (title, source) = case.split_once('\n').unwrap();
            let source = source.trim_end_matches('\n');
            if !passes(source) {
                continue;
            }
            let template = Template::compile(source, Printing::Strict).unwrap();
            for (facts, context) in (0..6).flat_map(facts::contexts) {
                if let Err(problem) = template.render(context) {
                    failed.push(format!("{title}: {}\n{}", problem.one_line(), facts.document()));
                    break;
                }
            }
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}
