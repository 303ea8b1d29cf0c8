//! `cases/coverage/*.txt` holds contexts as JSON, one a line, or the line `samples`, then a line `---` and a template. The snapshot is
//! every arm with its line and who reached it.

use proem_core::opening::validate::prepared_samples;
use proem_core::template::coverage::{Coverage, coverage};
use proem_core::template::engine::Context;

fn show(source: &str, found: &Coverage) -> String {
    let mut shown = String::new();
    for arm in &found.arms {
        let text = |(from, to): (usize, usize)| source[from..to].to_owned();
        let body = arm.body.map_or(String::new(), |body| format!(" {:?}", text(body)));
        let implied = if arm.implied { " implied" } else { "" };
        let what = (arm.construct, arm.kind);
        shown += &format!("{}: {} {what:?}{implied} {:?}{body}\n", arm.line, text(arm.condition), arm.samples);
    }
    for arm in found.never() {
        shown += &format!("never: {} {:?}\n", &source[arm.condition.0..arm.condition.1], arm.kind);
    }
    shown + &found.disabled.as_ref().map_or(String::new(), |reason| format!("disabled: {reason}\n"))
}

#[test]
fn cases() {
    insta::with_settings!({prepend_module_to_snapshot => false, snapshot_path => "../snapshots/coverage", omit_expression => true}, {
        insta::glob!("../../cases/coverage", "*.txt", |path| {
            let case = std::fs::read_to_string(path).unwrap();
            let (head, source) = case.split_once("\n---\n").unwrap();
            let contexts: Vec<Context> = if head == "samples" {
                prepared_samples().iter().flat_map(|prepared| [prepared.context.clone(), prepared.old_server.clone()]).collect()
            } else {
                head.lines().map(|line| Context::from_json(&serde_json::from_str(line).unwrap())).collect()
            };
            let shown = match coverage(source, &contexts.iter().collect::<Vec<_>>()) {
                Ok(found) => show(source, &found),
                Err(problem) => problem.long(source, "case"),
            };
            insta::assert_snapshot!(shown);
        });
    });
}
