//! Properties of templates over texts that nobody would write: nothing panics, and every range is one a reader can use.
#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

use proem_core::opening::compose::PartSource;
use proem_core::opening::sample::Sample;
use proem_core::opening::validate::{prepared_samples, validate};
use proem_core::skill::file::read;
use proem_core::template::engine::{Origin, Printing, Template};
use proem_core::template::normalize;
use proem_core::template::problem::Problem;
use proptest::prelude::*;

/// Pieces of templates, whole and broken, in any order.
fn template() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => prop::sample::select(vec![
            "{{ ", " }}", "{% if ", " %}", "{% endif %}", "{% else %}", "{% elif ", "{% for x in ", "{% endfor %}", "{# ", " #}", "{% set ",
            "{% raw %}", "{% endraw %}", "{%- ", " -%}", "task.title", "opening.kind", "opening.updates", "x", "x.text", " == ", "\"task-start\"",
            " and ", " not ", "|upper", "|default('d', true)", "|join(', ')", "|length", "[0]", "(", ")", "role.name", "1", " + ", " ~ ", ",", "=",
            "{% macro m(a) %}", "{% endmacro %}", "m(1)", "opening and opening.kind == \"task-start\"", " in ", "is defined", "loop.index",
        ]).prop_map(str::to_owned),
        1 => "\\PC{0,6}",
        1 => prop::sample::select(vec!["\n", "\r\n", "é", "🙂", "\u{a0}", "“", "Ω", "\t", "\u{2028}"]).prop_map(str::to_owned),
    ];
    prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

fn usable(source: &str, problem: &Problem) {
    let (from, to) = problem.range;
    assert!(from <= to && source.is_char_boundary(from) && source.is_char_boundary(to), "{problem:?}");
    let units = |text: &str| text.encode_utf16().count();
    assert_eq!(problem.utf16, (units(&source[..from]), units(&source[..to])));
    assert_eq!(problem.line as usize, source[..from].matches('\n').count() + 1);
    assert!(!problem.message.is_empty() && !problem.long(source, "x").is_empty() && !problem.one_line().is_empty());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn rendering_never_panics_and_spans_cover_the_output(source in template()) {
        let sample = &prepared_samples()[1];
        match Template::compile(&source, Printing::Lenient).and_then(|template| template.render(&sample.context)) {
            Err(problem) => usable(&source, &problem),
            Ok(rendered) => {
                let mut at = 0;
                for span in &rendered.spans {
                    prop_assert!(span.output.start >= at && span.output.end <= rendered.text.len());
                    if span.origin == Origin::Raw {
                        prop_assert_eq!(&rendered.text[span.output.clone()], &source[span.template.clone()]);
                    }
                    prop_assert_eq!(rendered.text[at..span.output.start].len(), 0, "every byte has a span");
                    at = span.output.end;
                }
                prop_assert_eq!(at, rendered.text.len());
            }
        }
    }

    #[test]
    fn validation_never_panics_and_its_ranges_are_usable(source in template()) {
        for problem in validate(&source, PartSource::Skill, &mut || {}) {
            usable(&source, &problem);
        }
    }

    #[test]
    fn normalising_twice_is_normalising_once(text in "[\\PC\r\n\u{feff}]{0,40}") {
        let once = normalize(&text);
        prop_assert!(!once.contains('\r'));
        // A second mark is text of its own: only one at the start was ever a mark.
        prop_assume!(!once.starts_with('\u{feff}'));
        prop_assert_eq!(normalize(&once), once);
    }

    #[test]
    fn any_file_is_a_skill_or_broken_at_a_place(front in "\\PC{0,40}\n?\\PC{0,40}", body in "\\PC{0,40}", closed in any::<bool>()) {
        let file = format!("---\n{front}\n{}{body}", if closed { "---\n" } else { "" });
        match read("x", &file) {
            Ok(skill) => prop_assert_eq!(&skill.text[skill.body_offset..], skill.body),
            Err(problem) => usable(&normalize(&file), &problem),
        }
    }
}

#[test]
fn a_sample_read_again_is_the_same_sample() {
    for sample in Sample::all() {
        let facts = sample.facts();
        let again = proem_core::opening::facts::Facts::parse(&facts.document().to_string()).unwrap();
        assert_eq!(again, facts);
    }
}
