//! What can be written next. `cases/completions.txt` has a template a line, `‸` at the place that is asked about.
#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

use proem_core::opening::complete::{Completion, byte_offset, complete};
use proem_core::opening::table::{FIELDS, Type, roots};
use proem_core::worker::preview::Preview;
use proem_core::worker::{PreviewAnswer, PreviewRequest};
use proem_tests::cases;
use proptest::prelude::*;
use std::fmt::Write;

const CARET: char = '‸';

fn ask(case: &str) -> (String, proem_core::opening::complete::Completions) {
    let at = case.find(CARET).unwrap_or_else(|| panic!("{case} has no place"));
    let body = case.replace(CARET, "");
    (body.clone(), complete(&body, at))
}

fn items(case: &str) -> Vec<Completion> {
    ask(case).1.items
}

#[test]
fn what_fits_at_each_place() {
    let mut told = String::new();
    for case in std::fs::read_to_string(cases("completions.txt")).unwrap().lines().filter(|case| case.contains(CARET)) {
        let (body, found) = ask(case);
        let labels: Vec<String> = found.items.iter().map(|item| item.label.clone()).collect();
        let labels = match labels.len() {
            0 => "nothing".to_owned(),
            1..=24 => labels.join(" "),
            count => format!("{} … {count} in all", labels[..8].join(" ")),
        };
        let (from, to) = found.range;
        writeln!(told, "{case}\n    {:?} -> {labels}", &body[from..to]).unwrap();
    }
    insta::assert_snapshot!(told);
}

#[test]
fn items_explain_themselves() {
    let mut told = String::new();
    for case in ["{{ opening.‸", "{{ x|jo‸", "{% if opening.kind == '‸", "{% for m in opening.messages %}{{ ‸"] {
        for Completion { label, kind, detail, documentation } in items(case).into_iter().take(6) {
            writeln!(told, "{label} ({kind:?}, {detail}): {documentation}").unwrap();
        }
    }
    insta::assert_snapshot!(told);
}

/// Every row of the table is offered where it can be written.
#[test]
fn every_field_is_offered() {
    for field in FIELDS {
        let place = match field.parent() {
            "" => "{{ ‸".to_owned(),
            parent => match parent.strip_suffix("[]") {
                Some(list) => format!("{{% for x in {list} %}}{{{{ x.‸"),
                None => format!("{{{{ {parent}.‸"),
            },
        };
        let offered = items(&place).into_iter().find(|item| item.label == field.name());
        let offered = offered.unwrap_or_else(|| panic!("{} is not offered in {place}", field.path));
        assert!(offered.documentation.contains(field.meaning), "{offered:?}");
        if let Type::Word(words) = field.ty {
            let base = place.trim_start_matches("{{ ").replace(CARET, field.name());
            let base = base.rsplit_once("{{ ").map_or(base.clone(), |(before, chain)| format!("{before}{{{{ {chain}"));
            let asked = if base.contains("{{") { format!("{base} == '‸") } else { format!("{{{{ {base} == '‸") };
            assert_eq!(items(&asked).iter().map(|item| item.label.as_str()).collect::<Vec<_>>(), words, "{asked}");
        }
    }
    assert_eq!(roots().count(), 5);
}

#[test]
fn the_worker_counts_as_editors_do() {
    let body = "é🙂{{ ro }}".to_owned();
    let place = "é🙂{{ ro".encode_utf16().count();
    let answer = Preview::default().handle(PreviewRequest::Complete { body: body.clone(), offset: place }, &mut || {});
    let PreviewAnswer::Completions { completions } = answer else { panic!("{answer:?}") };
    assert_eq!((completions.utf16, &body[completions.range.0..completions.range.1]), ((place - 2, place), "ro"));
    assert!(completions.items.iter().any(|item| item.label == "role"));
    assert_eq!((byte_offset("é🙂x", 2), byte_offset("é🙂x", 3), byte_offset("é", 9)), (2, 6, 2));
}

fn template() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => prop::sample::select(vec![
            "{{", "}}", "{% if ", "%}", "{% endif %}", "{% for x in ", "{% endfor %}", "{#", "#}", "{% set ", "{% raw %}", "{% endraw %}", "-",
            "opening", ".", "kind", "messages", "x", " == ", "\"", "'", "task-start", " and ", "|", "first", "[0]", "[", "]", "(", ")", ",", "=",
            "{% macro m(a) %}", "{% with ", "is ", "in ", "not ", "map(attribute=\"", " ", "\\", "{", "}", "{% end", "raw",
        ]).prop_map(str::to_owned),
        1 => "\\PC{0,4}",
        1 => prop::sample::select(vec!["\n", "é", "🙂", "\u{a0}", "“"]).prop_map(str::to_owned),
    ];
    prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_place_of_any_text_has_an_answer(body in template(), past in 0usize..3) {
        for at in 0..=body.len() + past {
            let found = complete(&body, at);
            let (from, to) = found.range;
            prop_assert!(from <= to && body.is_char_boundary(from) && body.is_char_boundary(to));
            prop_assert_eq!(found.utf16, (body[..from].encode_utf16().count(), body[..to].encode_utf16().count()));
            let labels: Vec<_> = found.items.iter().map(|item| &item.label).collect();
            let mut once = labels.clone();
            once.sort();
            once.dedup();
            prop_assert!(once.len() == labels.len() && !labels.iter().any(|label| label.is_empty()), "{labels:?}");
        }
    }
}
