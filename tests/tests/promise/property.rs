//! The property, over templates that are drawn.

use super::statements::{START, parts};
use super::{facts, passes};
use proem_core::opening::shape::contract;
use proem_core::template::check::check;
use proem_core::template::engine::{Context, Printing, Template};
use proem_core::template::problem::Problem;
use proptest::prelude::*;

/// The parts that pass one after the other, behind the start.
fn passing(parts: &[String]) -> Vec<String> {
    let mut kept: Vec<String> = START.iter().map(|part| (*part).to_owned()).collect();
    for part in parts {
        kept.push(part.clone());
        if !passes(&kept.concat()) {
            kept.pop();
        }
    }
    kept
}

/// Whether a template fails with these facts by more than a limit.
fn fails(source: &str, context: &Context) -> Option<Problem> {
    let rendered = Template::compile(source, Printing::Strict).and_then(|template| template.render(context));
    rendered.err().filter(|problem| !matches!(problem.code.as_str(), "too-much-work" | "output-too-large"))
}

/// The parts without those that the failure does not need.
fn smaller(mut parts: Vec<String>, fails: impl Fn(&str) -> bool) -> String {
    let mut at = 0;
    while at < parts.len() {
        let without: Vec<String> =
            parts.iter().enumerate().filter(|(other, _)| *other != at).map(|(_, part)| part.clone()).collect();
        let source = without.concat();
        if passes(&source) && fails(&source) { parts = without } else { at += 1 }
    }
    parts.concat()
}

fn cases() -> u32 {
    std::env::var("PROEM_PROMISE_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(1_000)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), failure_persistence: None, max_shrink_iters: 6_000, ..ProptestConfig::default() })]

    #[test]
    fn what_passes_the_checker_renders_with_any_facts(
        row in prop::collection::vec(any::<u16>(), 20..260),
        choice in prop::collection::vec(0..facts::EACH, 4),
    ) {
        let parts = passing(&parts(&row));
        let source = parts.concat();
        for (facts, context) in (0..6).flat_map(|kind| choice.iter().map(move |at| &facts::contexts(kind)[*at])) {
            if let Some(problem) = fails(&source, context) {
                let source = smaller(parts, |source| fails(source, context).is_some());
                prop_assert!(false, "{}\n{}\n{}", source, problem.one_line(), facts.document());
                unreachable!();
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), failure_persistence: None, ..ProptestConfig::default() })]

    /// Whatever stands in a text, and wherever it is torn: the check ends, and its places are places.
    #[test]
    fn places_of_torn_texts_are_places(
        row in prop::collection::vec(any::<u16>(), 20..260),
        cuts in prop::collection::vec((any::<prop::sample::Index>(), 0usize..9, "[é🙂{}%#'\"\\\\ \n]{0,3}"), 0..4),
    ) {
        let mut source = parts(&row).concat();
        for (at, count, put) in cuts {
            let bounds: Vec<usize> = source.char_indices().map(|(at, _)| at).chain([source.len()]).collect();
            let from = at.index(bounds.len());
            let to = (from + count).min(bounds.len() - 1);
            source.replace_range(bounds[from]..bounds[to], &put);
        }
        for problem in check(&source, contract()) {
            let (from, to) = problem.range;
            prop_assert!(from <= to && source.is_char_boundary(from) && source.is_char_boundary(to), "{}\n{:?}", source, problem);
            prop_assert!(!problem.message.is_empty() && !problem.message.contains('\n'), "{}\n{:?}", source, problem);
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
        kept += passing(&parts).len() - START.len();
    }
    assert!(kept * 3 > drawn, "only {kept} parts of {drawn}");
}
