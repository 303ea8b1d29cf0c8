//! Openings as cases: `cases/openings/*.txt` begins with a line of JSON (`sample`, `old_server`), then parts, each behind a line
//! `=== role` or `=== skill SLUG [attached FILES]`. The snapshot is the opening with its parts and spans.
#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

use proem_core::opening::builtin::{BUILTINS, DEFAULT_ROLE};
use proem_core::opening::compose::{Opening, PartText, compose};
use proem_core::opening::facts::Facts;
use proem_core::opening::sample::Sample;
use proem_core::worker::preview::Preview;
use proem_core::worker::{PreviewAnswer, PreviewRequest};
use std::fmt::Write;

fn parse(case: &str) -> (serde_json::Value, Vec<PartText>) {
    let mut sections = case.split("=== ");
    let head = serde_json::from_str(sections.next().unwrap()).unwrap();
    let parts = sections.map(|section| {
        let (heading, body) = section.split_once('\n').unwrap();
        let (name, attached) = heading.split_once(" attached ").unwrap_or((heading, ""));
        PartText {
            slug: name.strip_prefix("skill ").map(str::to_owned),
            name: name.strip_prefix("skill ").unwrap_or_default().to_owned(),
            revision: None,
            attachments: attached.split(", ").filter(|file| !file.is_empty()).map(str::to_owned).collect(),
            body: body.to_owned(),
        }
    });
    (head, parts.collect())
}

fn show(opening: &Opening, texts: &[PartText]) -> String {
    let mut shown = format!("{}\n", opening.text);
    for (part, text) in opening.parts.iter().zip(texts) {
        let name = part.slug.as_deref().unwrap_or("role");
        writeln!(shown, "-- {name}: {:?} {:?}", part.status, part.range).unwrap();
        for span in &part.spans {
            let (from, to) = span.output;
            writeln!(
                shown,
                "   {:?} line {} {:?} <- {:?}",
                span.kind,
                span.line,
                &opening.text[from..to],
                &text.body[span.template.0..span.template.1]
            )
            .unwrap();
        }
        if let Some(problem) = &part.problem {
            shown.push_str(&problem.long(&text.body, name));
        }
    }
    shown
}

#[test]
fn openings() {
    insta::with_settings!({prepend_module_to_snapshot => false, snapshot_path => "snapshots/openings", omit_expression => true}, {
        insta::glob!("../cases/openings", "*.txt", |path| {
            let (head, texts) = parse(&std::fs::read_to_string(path).unwrap());
            let mut facts = head["sample"].as_str().unwrap().parse::<Sample>().unwrap().facts();
            if head["old_server"] == true {
                facts = facts.without_opening();
            }
            insta::assert_snapshot!(show(&compose(&facts, &texts), &texts));
        });
    });
}

fn product() -> Vec<PartText> {
    let role =
        PartText { slug: None, name: String::new(), revision: Some(1), attachments: vec![], body: DEFAULT_ROLE.to_owned() };
    let skills = BUILTINS.iter().map(|builtin| PartText {
        slug: Some(builtin.slug.to_owned()),
        name: builtin.name.to_owned(),
        revision: Some(1),
        attachments: vec![],
        body: builtin.body.to_owned(),
    });
    std::iter::once(role).chain(skills).collect()
}

#[test]
fn the_default_product_reads_well_in_every_sample() {
    for sample in Sample::all() {
        let opening = compose(&sample.facts(), &product());
        insta::assert_snapshot!(format!("product_{sample}").replace('/', "_"), opening.text);
    }
}

/// The preview worker keeps what it rendered; what it answers must not depend on what it was asked before.
#[test]
fn the_preview_worker_answers_like_a_fresh_render() {
    let mut preview = Preview::default();
    let samples: Vec<String> = Sample::all().map(|sample| sample.to_string()).collect();
    let mut texts = product();
    for edit in ["", "x", "{{ role.name }}", "{{ opening.kidn }}", "{% if", "x"] {
        texts[1].body = edit.to_owned();
        for old_server in [false, true] {
            let request = PreviewRequest::Preview { parts: texts.clone(), samples: samples.clone(), old_server, check: None };
            let PreviewAnswer::Preview { openings, .. } = preview.handle(request, &mut || {}) else { panic!("not a preview") };
            for (sample, opening) in Sample::all().zip(openings) {
                let facts = if old_server { sample.facts().without_opening() } else { sample.facts() };
                assert_eq!(opening, compose(&facts, &texts), "{sample} after {edit:?}");
            }
        }
    }
}

#[test]
fn a_facts_document_that_breaks_the_contract_is_refused_with_every_path() {
    let mut document = "task-start/populated".parse::<Sample>().unwrap().facts().document().clone();
    document["opening"]["kidn"] = 1.into();
    document["role"]["name"] = 7.into();
    document["task"].as_object_mut().unwrap().remove("title");
    document["opening"]["updates"][1]["text"] = serde_json::Value::Null;
    document["conversation"] = serde_json::json!({"id": "c"});
    document["opening"]["contract"] = 2.into();
    insta::assert_snapshot!(Facts::parse(&document.to_string()).unwrap_err().0.join("\n"));
    insta::assert_snapshot!(Facts::parse("[1]").unwrap_err());
    insta::assert_snapshot!(Facts::parse("{").unwrap_err());
}

#[test]
fn what_is_missing_is_filled_and_digits_stay() {
    let facts = Facts::parse(
        r#"{"organization":{"id":"1","name":"O"},"role":{"id":"1","name":"R"},"task":{"id":"1","title":"T","status":"s"},
            "opening":{"kind":"task-start","contract":1,"updates_omitted":1234567890123456789}}"#,
    )
    .unwrap();
    let text = |body: &str| {
        let part = PartText { slug: None, name: String::new(), revision: None, attachments: vec![], body: body.to_owned() };
        compose(&facts, &[part]).text
    };
    assert_eq!(text("{{ opening.updates_omitted }} {{ opening.updates }}{{ conversation }}"), "1234567890123456789 []\n");
    assert!(Facts::parse(r#"{"organization":{"id":"1","name":"O"},"role":{"id":"1","name":"R"}}"#).unwrap().kind().is_none());
}

/// What cannot be kept is refused with a sentence, never rounded or dropped.
#[test]
fn facts_are_kept_whole_or_refused() {
    let with = |opening: &str| {
        format!(
            r#"{{"organization":{{"id":"1","name":"O"}},"role":{{"id":"1","name":"R"}},"task":{{"id":"1","title":"T","status":"s"}},
            "opening":{{"kind":"task-start","contract":1{opening}}}}}"#
        )
    };
    let largest = Facts::parse(&with(",\"updates_omitted\":18446744073709551615")).unwrap();
    assert_eq!(largest.document()["opening"]["updates_omitted"].to_string(), "18446744073709551615");
    // Elsewhere than in a task it is 0, as a template expects of a number, whichever way it was left out.
    for left_out in ["", ",\"messages_omitted\":null", ",\"messages_omitted\":0"] {
        assert_eq!(Facts::parse(&with(left_out)).unwrap().document()["opening"]["messages_omitted"], 0);
    }
    let mut told = String::new();
    let long = format!(",\"{}\":1", "é".repeat(500));
    for document in [
        with(",\"updates_omitted\":18446744073709551616"),
        with(",\"updates_omitted\":1e400"),
        with(",\"updates_omitted\":-1"),
        with(",\"updates_omitted\":4.0"),
        with(",\"updates_omitted\":null"),
        with(",\"contract\":1"),
        with(",\"updates\":[],\"kind\":\"task-resume\",\"updates\":[{\"kind\":\"a\",\"kind\":\"b\"}]"),
        with(",\"handoff\":{\"from\":\"a\",\"at\":\"b\",\"not\":\"c\"}"),
        with(",\"\\u001b[2J\":1"),
        with(&long),
        "[".repeat(100_000),
        "{\"a\":".repeat(65) + "1" + &"}".repeat(65),
        "\"\\ud800\"".to_owned(),
        " ".repeat(proem_core::opening::facts::FACTS_LIMIT + 1),
    ] {
        let errors = Facts::parse(&document).unwrap_err();
        writeln!(
            told,
            "{}\n{}\n",
            document.lines().last().unwrap().trim().chars().take(70).collect::<String>(),
            errors.0.join("\n")
        )
        .unwrap();
    }
    insta::assert_snapshot!(told);
    let many: String = (0..1_000).map(|n| format!(",\"x{n}\":1")).collect();
    assert_eq!(Facts::parse(&with(&many)).unwrap_err().0.last().unwrap(), "and 950 more");
}
