//! "Why is this not here?", where values came from, and what a text reads. `cases/why/*.txt` holds a line of JSON (`sample`,
//! `old_server`), a line `---` and a template in which `‸` marks places; the snapshot is the answer for each. `cases/facts/*.txt` is the
//! same without marks; the snapshot is the facts of each value and all that was read.
#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

use proem_core::opening::builtin::BUILTINS;
use proem_core::opening::compose::{PartSource, PartText};
use proem_core::opening::facts::Facts;
use proem_core::opening::reads::{Use, reads, trace};
use proem_core::opening::sample::Sample;
use proem_core::template::engine::{Origin, Printing, Template};
use proem_core::template::trace::Tracing;
use proem_core::template::why::Why;
use proem_core::worker::preview::Preview;
use proem_core::worker::{PreviewAnswer, PreviewRequest};

const MARK: char = '‸';

fn case(text: &str) -> (Facts, String) {
    let (head, source) = text.split_once("\n---\n").unwrap();
    let head: serde_json::Value = serde_json::from_str(head).unwrap();
    let facts = head["sample"].as_str().unwrap().parse::<Sample>().unwrap().facts();
    (if head["old_server"] == true { facts.without_opening() } else { facts }, source.to_owned())
}

fn show(why: &Why) -> String {
    let mut shown = format!("{:?}: {}\n", why.reach, why.sentence);
    for (at, condition) in why.conditions.iter().enumerate() {
        let mark = if why.blocking == Some(at) { "*" } else { " " };
        let (met, missed) = (condition.met, condition.missed);
        shown += &format!(
            "  {mark} {}: {} wanted {:?}, was so {met}, not {missed}\n",
            condition.line, condition.text, condition.wanted
        );
        for reason in &condition.reasons {
            shown += &format!("      {} x{}\n", reason.text, reason.rounds);
        }
    }
    shown
}

#[test]
fn cases() {
    insta::with_settings!({prepend_module_to_snapshot => false, snapshot_path => "snapshots/why", omit_expression => true}, {
        insta::glob!("../cases/why", "*.txt", |path| {
            let (facts, marked) = case(&std::fs::read_to_string(path).unwrap());
            let source = marked.replace(MARK, "");
            let template = Template::compile(&source, Printing::Lenient).unwrap();
            let tracing = Tracing::new(&source);
            let (trace, rendered) = (trace(&tracing, &facts), template.render(&facts.context()));
            let mut shown = String::new();
            for (count, (at, _)) in marked.match_indices(MARK).enumerate() {
                let position = at - count * MARK.len_utf8();
                let place: String = source[position..].chars().take(24).collect();
                shown += &format!("{place:?}\n{}", show(&tracing.why(&source, &trace, &rendered, position)));
            }
            insta::assert_snapshot!(shown);
        });
    });
}

#[test]
fn facts() {
    insta::with_settings!({prepend_module_to_snapshot => false, snapshot_path => "snapshots/facts", omit_expression => true}, {
        insta::glob!("../cases/facts", "*.txt", |path| {
            let (facts, source) = case(&std::fs::read_to_string(path).unwrap());
            let tracing = Tracing::new(&source);
            let trace = trace(&tracing, &facts);
            let mut rendered = Template::compile(&source, Printing::Lenient).unwrap().render(&facts.context()).unwrap();
            tracing.provenance(&trace, &mut rendered.spans);
            let mut shown = String::new();
            for span in rendered.spans.iter().filter(|span| span.origin == Origin::Expression) {
                let text: String = rendered.text[span.output.clone()].chars().take(20).collect();
                shown += &format!("{} -> {text:?} {:?}\n", &source[span.template.clone()], span.facts);
            }
            for read in trace.reads() {
                shown += &format!("read {}{}\n", read.path, if read.there { "" } else { " (absent)" });
            }
            insta::assert_snapshot!(shown);
        });
    });
}

/// The engine looks up names for its error messages; that is no read of the template's.
#[test]
fn an_error_adds_no_reads() {
    let source =
        "{% if role.id == '' %}{{ conversation }}{{ organization }}{% endif %}{{ task.id.nothing.more }}{{ opening.kind }}";
    let facts = "task-start/populated".parse::<Sample>().unwrap().facts();
    let read: Vec<String> = trace(&Tracing::new(source), &facts).reads().into_iter().map(|read| read.path).collect();
    assert_eq!(read, ["role", "role.id", "task", "task.id"]);
}

#[test]
fn what_the_built_ins_read() {
    let samples: Vec<Sample> = Sample::all().collect();
    let facts: Vec<Facts> = samples.iter().map(|sample| sample.facts()).collect();
    let mut shown = samples.iter().map(|sample| format!("{sample}\n")).collect::<String>();
    for builtin in [&BUILTINS[0], &BUILTINS[5]] {
        shown += &format!("== {}\n", builtin.slug);
        for row in reads(&Tracing::new(builtin.body), &facts.iter().collect::<Vec<_>>()) {
            let letters = row.uses.iter().map(|used| match used {
                Use::Read => 'R',
                Use::ReadAbsent => 'a',
                Use::Unused => 'u',
                Use::Absent => '.',
            });
            shown += &format!("{} {}\n", letters.collect::<String>(), row.path);
        }
    }
    insta::assert_snapshot!(shown);
}

fn part(slug: &str, body: &str) -> PartText {
    PartText { slug: Some(slug.to_owned()), name: slug.to_owned(), revision: Some(3), attachments: vec![], body: body.to_owned() }
}

#[test]
fn the_worker_answers_and_remembers() {
    let mut preview = Preview::default();
    let mut renders = 0;
    let mut ask = |request: &PreviewRequest, renders: &mut u32| preview.handle(request.clone(), &mut || *renders += 1);
    let body = "{% if opening.kind == 'task-start' %}{{ task.title|upper }}{% else %}x{% endif %}\n";
    let parts = vec![part("a", body), part("b", "## {{ role.name }}")];
    let samples = vec!["task-start/empty".to_owned(), "task-resume/empty".to_owned()];

    let request = PreviewRequest::Preview { parts: parts.clone(), samples, old_server: false, check: Some(0) };
    let first = ask(&request, &mut renders);
    let PreviewAnswer::Preview { coverage: Some(coverage), .. } = &first else { panic!("no coverage") };
    let arms: Vec<_> = coverage.arms.iter().map(|arm| arm.samples.clone()).collect();
    assert_eq!(arms, [[0], [1]]);
    let before = renders;
    assert_eq!(ask(&request, &mut renders), first);
    // Only the checks of the validation are made again: twelve samples.
    assert!(renders - before <= 24, "{}", renders - before);

    let inspect = PreviewRequest::Inspect { parts: parts.clone(), sample: "task-start/populated".to_owned(), old_server: false };
    let PreviewAnswer::Opening { opening } = ask(&inspect, &mut renders) else { panic!("no opening") };
    let facts: Vec<_> = opening.parts.iter().flat_map(|part| &part.spans).flat_map(|span| &span.facts).collect();
    assert_eq!(facts, ["task.title", "role.name"]);
    // What is not inspected names no facts, and is otherwise the same.
    let document = "task-start/populated".parse::<Sample>().unwrap().facts().document().to_string();
    let PreviewAnswer::Opening { opening: plain } = ask(&PreviewRequest::Render { parts, facts: document }, &mut renders) else {
        panic!("no opening")
    };
    assert!(plain.parts.iter().flat_map(|part| &part.spans).all(|span| span.facts.is_empty()));
    assert_eq!(plain.text, opening.text);

    let position = body.find("{{ task").unwrap();
    let why = PreviewRequest::Why { body: body.to_owned(), position, sample: "task-resume/empty".to_owned(), old_server: false };
    let PreviewAnswer::Why { why } = ask(&why, &mut renders) else { panic!("no answer") };
    insta::assert_snapshot!(why.sentence, @r#"Not reached: `opening.kind` is "task-resume", not "task-start" (line 1)."#);

    let PreviewAnswer::Reads { samples, facts } = ask(&PreviewRequest::Reads { body: body.to_owned() }, &mut renders) else {
        panic!("no reads")
    };
    assert_eq!(samples.len(), 12);
    let title = facts.iter().find(|row| row.path == "task.title").unwrap();
    assert_eq!(title.uses[..4], [Use::Read, Use::Read, Use::Unused, Use::Unused]);

    let broken = PreviewRequest::Reads { body: "{% if".to_owned() };
    assert!(matches!(ask(&broken, &mut renders), PreviewAnswer::Failed { .. }));
    let unknown = PreviewRequest::Inspect { parts: vec![], sample: "x".to_owned(), old_server: true };
    assert!(matches!(ask(&unknown, &mut renders), PreviewAnswer::Failed { .. }));
    let check = PreviewRequest::Check { body: body.to_owned(), source: PartSource::Skill };
    assert!(matches!(ask(&check, &mut renders), PreviewAnswer::Problems { .. }));
}
