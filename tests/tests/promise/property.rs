//! The property, over templates that are drawn.

use super::grammar::{START, parts};
use super::{facts, passes};
use proem_core::template::engine::{Printing, Template};
use proptest::prelude::*;

/// The parts that pass one after the other, as one template.
fn passing(parts: &[String]) -> (String, usize) {
    let mut source = START.to_owned();
    let mut kept = 0;
    for part in parts {
        let longer = format!("{source}{part}");
        if passes(&longer) {
            (source, kept) = (longer, kept + 1);
        }
    }
    (source, kept)
}

fn cases() -> u32 {
    std::env::var("PROEM_PROMISE_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(2_000)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), failure_persistence: None, max_shrink_iters: 6_000, ..ProptestConfig::default() })]

    #[test]
    fn what_passes_the_checker_renders_with_any_facts(
        row in prop::collection::vec(any::<u16>(), 20..260),
        choice in prop::collection::vec(0..facts::EACH, 4),
    ) {
        let (source, _) = passing(&parts(&row));
        let template = Template::compile(&source, Printing::Strict).unwrap();
        for (facts, context) in (0..6).flat_map(|kind| choice.iter().map(move |at| &facts::contexts(kind)[*at])) {
            if let Err(problem) = template.render(context) {
                let limit = matches!(problem.code.as_str(), "too-much-work" | "output-too-large");
                prop_assert!(limit, "{}\n{}\n{}", source, problem.long(&source, "template"), facts.document());
            }
        }
    }
}

/// How much of what is drawn passes: the property above must not be about refused templates only.
#[test]
fn enough_of_what_is_drawn_passes() {
    use proptest::strategy::ValueTree;
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let rows = prop::collection::vec(any::<u16>(), 20..260);
    let (mut kept, mut drawn) = (0, 0);
    for _ in 0..200 {
        let parts = parts(&rows.new_tree(&mut runner).unwrap().current());
        drawn += parts.len();
        kept += passing(&parts).1;
    }
    assert!(kept * 3 > drawn, "only {kept} parts of {drawn}");
}
