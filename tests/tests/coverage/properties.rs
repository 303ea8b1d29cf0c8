//! Whatever a template holds, measuring it changes nothing, and typed facts print as plain ones do.

use super::grammar::template;
use proem_core::opening::sample::Sample;
use proem_core::opening::validate::prepared_samples;
use proem_core::template::coverage::{ArmKind, coverage};
use proem_core::template::engine::{Context, Origin, Printing, Template};
use proem_core::template::trace::Tracing;
use proptest::prelude::*;
use std::cell::Cell;

const CASES: u32 = 256;

proptest! {
    #![proptest_config(ProptestConfig { cases: CASES, failure_persistence: None, max_global_rejects: 100_000, ..ProptestConfig::default() })]

    /// `coverage` compares each measured render with the plain one and gives up when they differ.
    #[test]
    fn measuring_changes_nothing(source in template()) {
        let contexts: Vec<&Context> = prepared_samples().iter().flat_map(|prepared| [&prepared.context, &prepared.old_server]).collect();
        if let Ok(found) = coverage(&source, &contexts) {
            prop_assert_eq!(found.disabled, None, "{}", source);
            for arm in &found.arms {
                let (from, to) = arm.condition;
                prop_assert!(from < to && source.is_char_boundary(from) && source.is_char_boundary(to));
                prop_assert!(arm.samples.is_sorted() && arm.samples.iter().all(|at| (*at as usize) < contexts.len()));
                if let Some((from, to)) = arm.body {
                    prop_assert!(from <= to && source.is_char_boundary(from) && source.is_char_boundary(to));
                }
                prop_assert!(!(arm.implied && matches!(arm.kind, ArmKind::True | ArmKind::Items)));
            }
        }
    }

    /// A raw text that was printed stands in arms that were all reached.
    #[test]
    fn what_is_printed_was_reached(source in template()) {
        for prepared in prepared_samples().iter().take(4) {
            let Ok(rendered) = Template::compile(&source, Printing::Lenient).and_then(|template| template.render(&prepared.context)) else { continue };
            let found = coverage(&source, &[&prepared.context]).unwrap();
            for span in rendered.spans.iter().filter(|span| span.origin == Origin::Raw) {
                let around = |arm: &&proem_core::template::coverage::Arm| arm.body.is_some_and(|(from, to)| from <= span.template.start && span.template.end <= to);
                for arm in found.arms.iter().filter(around) {
                    prop_assert!(!arm.samples.is_empty(), "{:?} of {}", arm, source);
                }
            }
        }
    }

    #[test]
    fn typed_facts_print_as_plain_ones_do(source in template()) {
        let Ok(template) = Template::compile(&source, Printing::Lenient) else { return Ok(()) };
        for sample in Sample::all() {
            for facts in [sample.facts(), sample.facts().without_opening()] {
                let (plain, typed) = (template.render(&Context::from_json(facts.document())), template.render(&facts.context()));
                match (plain, typed) {
                    (Ok(plain), Ok(typed)) => prop_assert_eq!(plain, typed, "{}", source),
                    (Ok(_), Err(problem)) => prop_assert_eq!(problem.code, "unknown-field", "{}", source),
                    (Err(plain), Err(typed)) => prop_assert!(plain.code == typed.code || typed.code == "unknown-field", "{} {:?} {:?}", source, plain, typed),
                    (Err(plain), Ok(_)) => prop_assert!(plain.code == "too-much-work", "{} {:?}", source, plain),
                }
            }
        }
    }

    /// Nothing panics, and the facts of a value printed unchanged are that value.
    #[test]
    fn provenance_is_never_wrong_about_a_whole_value(source in template()) {
        let Ok(template) = Template::compile(&source, Printing::Lenient) else { return Ok(()) };
        let tracing = Tracing::new(&source);
        for prepared in prepared_samples().iter().filter(|prepared| prepared.sample.to_string().ends_with("populated")) {
            let trace = proem_core::opening::reads::trace(&tracing, &prepared.facts);
            if let Ok(mut rendered) = template.render(&prepared.context) {
                tracing.provenance(&trace, &mut rendered.spans);
                for span in &rendered.spans {
                    prop_assert!(span.origin == Origin::Expression || span.facts.is_empty());
                    for fact in &span.facts {
                        let pointer = format!("/{}", fact.replace(['.', '['], "/").replace(']', ""));
                        prop_assert!(prepared.facts.document().pointer(&pointer).is_some(), "{fact} of {source}");
                    }
                }
            }
            let rendered = template.render(&prepared.context);
            for position in (0..=source.len()).step_by(7) {
                let why = tracing.why(&source, &trace, &rendered, position);
                prop_assert!(why.sentence.ends_with('.'), "{}", why.sentence);
            }
        }
    }
}

/// The grammar draws templates that say something: most compile, and many print with all samples.
#[test]
fn the_grammar_is_worth_its_cases() {
    let (compiled, printed, all) = (Cell::new(0), Cell::new(0), Cell::new(0));
    let mut runner = proptest::test_runner::TestRunner::new(ProptestConfig {
        cases: 200,
        failure_persistence: None,
        ..ProptestConfig::default()
    });
    runner
        .run(&template(), |source| {
            all.set(all.get() + 1);
            if let Ok(template) = Template::compile(&source, Printing::Lenient) {
                compiled.set(compiled.get() + 1);
                printed.set(
                    printed.get()
                        + u32::from(prepared_samples().iter().any(|prepared| template.render(&prepared.context).is_ok())),
                );
            }
            Ok(())
        })
        .unwrap();
    assert!(
        compiled.get() * 2 > all.get() && printed.get() * 6 > all.get(),
        "{} {} {}",
        compiled.get(),
        printed.get(),
        all.get()
    );
}
