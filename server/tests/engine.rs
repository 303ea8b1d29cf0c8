//! The engine in child processes of the real binary: what an endless template does to it, and that it goes on.

use proem::engine::{Engine, EngineMode, Facts, Stopped};
use proem_core::opening::compose::{PartSource, PartStatus, PartText};
use proem_core::template::problem::Severity;
use proem_core::worker::{PreviewAnswer, PreviewRequest};

/// Doubles a list forty times: few steps, and all the memory there is.
const ENDLESS: &str =
    "{% set ns = namespace(x=[1]) %}{% for i in range(40) %}{% set ns.x = ns.x + ns.x %}{% endfor %}{{ ns.x|length }}";

fn engine() -> Engine {
    Engine::start(EngineMode::Children(env!("CARGO_BIN_EXE_proem").into()))
}

fn check(body: &str) -> PreviewRequest {
    PreviewRequest::Check { body: body.to_owned(), source: PartSource::Skill }
}

fn part(slug: Option<&str>, body: &str) -> PartText {
    PartText {
        slug: slug.map(str::to_owned),
        name: slug.unwrap_or_default().to_owned(),
        revision: Some(1),
        attachments: Vec::new(),
        body: body.to_owned(),
    }
}

#[tokio::test]
async fn an_endless_template_is_stopped_and_the_next_one_is_answered() {
    let engine = engine();
    let (endless, sound) = tokio::join!(engine.ask(check(ENDLESS)), engine.ask(check("Hello")));
    let stopped = endless.unwrap_err();
    assert!(matches!(stopped, Stopped::Silent | Stopped::Died), "{stopped}");
    assert!(matches!(sound, Ok(PreviewAnswer::Problems { .. })));
    for _ in 0..4 {
        let Ok(PreviewAnswer::Problems { problems }) = engine.ask(check("Hello {{ nobody }}")).await else { panic!("no answer") };
        assert!(problems.iter().any(|problem| problem.severity == Severity::Error));
    }
}

#[tokio::test]
async fn a_part_that_never_ends_does_not_take_the_others_with_it() {
    let parts = vec![part(None, "You are here."), part(Some("endless"), ENDLESS), part(Some("sound"), "Carry on.")];
    let facts = Facts::Sample { name: "task-start/empty".to_owned(), old_server: false };
    let opening = engine().render(parts, &facts).await.unwrap();
    assert_eq!(opening.text, "You are here.\n\n## sound\n\nCarry on.\n");
    let statuses: Vec<_> = opening.parts.iter().map(|part| (part.slug.as_deref(), part.status)).collect();
    assert_eq!(
        statuses,
        [(None, PartStatus::Contributed), (Some("endless"), PartStatus::Failed), (Some("sound"), PartStatus::Contributed)]
    );
    assert!(opening.parts[1].problem.is_some());
}

#[tokio::test]
async fn what_cannot_be_started_is_said() {
    let engine = Engine::start(EngineMode::Children("no-such-program".into()));
    assert_eq!(engine.ask(check("Hello")).await.unwrap_err(), Stopped::NotStarted);
}
