//! Late answers change nothing, a half-typed text keeps the last good opening, and a stop says why.

use super::*;
use proem_core::opening::builtin::BUILTINS;
use proem_core::skill::Revision;
use proem_core::worker::PreviewAnswer;
use proem_core::worker::preview::Preview;

fn revision(body: &str) -> Revision {
    Revision { number: 4, body: body.into(), author: "a".into(), time: String::new(), note: String::new(), contract: 1 }
}

fn home() -> (RoleDetail, Vec<SkillDetail>) {
    let role = RoleDetail { id: "default".into(), name: "Default".into(), head: revision("Be kind.") };
    let skill = |(at, builtin): (usize, &proem_core::opening::builtin::Builtin)| SkillDetail {
        skill: builtin.skill(at as i64),
        head: revision(builtin.body),
    };
    (role, BUILTINS.iter().enumerate().map(skill).collect())
}

fn asked(body: &str) -> Asked {
    Asked { body: body.into(), variant: Variant::Populated, old_server: false }
}

const SLUG: &str = "opening-task-start";

fn answer(state: &mut PreviewState, body: &str, now: &Asked) {
    let (role, skills) = home();
    let PreviewAnswer::Preview { openings, problems, coverage } =
        Preview::default().handle(request(&role, &skills, SLUG, &asked(body)), &mut || {})
    else {
        panic!("no preview")
    };
    state.answered(SLUG, Answer { asked: asked(body), openings, problems }, coverage, now);
}

#[test]
fn the_draft_stands_in_its_place() {
    let (role, skills) = home();
    let PreviewRequest::Preview { parts, samples, check, .. } = request(&role, &skills, "opening-task-resume", &asked("new"))
    else {
        panic!("not a preview")
    };
    assert_eq!((parts.len(), samples.len(), check), (7, 6, Some(2)));
    assert_eq!((parts[2].body.as_str(), parts[2].revision, parts[1].revision), ("new", None, Some(4)));
}

#[test]
fn a_skill_outside_openings_stands_alone() {
    let (role, mut skills) = home();
    skills[0].skill.enabled = false;
    let PreviewRequest::Preview { parts, check, .. } = request(&role, &skills, SLUG, &asked("x")) else {
        panic!("not a preview")
    };
    assert_eq!((parts.len(), check), (1, Some(0)));
    assert_eq!(opening_parts(&role, &skills).len(), 6);
}

#[test]
fn a_late_answer_changes_nothing() {
    let mut state = PreviewState::default();
    answer(&mut state, "one", &asked("two"));
    assert_eq!(state, PreviewState::default());
    answer(&mut state, "two", &asked("two"));
    assert_eq!(state.freshness, Freshness::Fresh);
    assert_eq!(state.problems_of("one"), None);
    assert!(state.problems_of("two").is_some());
}

#[test]
fn a_half_typed_text_keeps_the_last_good_opening() {
    let mut state = PreviewState::default();
    answer(&mut state, "Hello {{ opening.kind }}", &asked("Hello {{ opening.kind }}"));
    let good = state.shown(SLUG, OpeningKind::TaskStart).unwrap();
    assert!(!good.dimmed && good.problem.is_none());
    answer(&mut state, "Hello {{ opening.", &asked("Hello {{ opening."));
    let shown = state.shown(SLUG, OpeningKind::TaskStart).unwrap();
    assert_eq!(shown.opening, good.opening);
    assert!(shown.dimmed && shown.problem.is_some());
    assert_eq!(state.status(SLUG, OpeningKind::TaskStart), Some(PartStatus::Failed));
    assert_eq!(state.coverage.unwrap().0, "Hello {{ opening.kind }}", "the branches stay those of the last text that was read");
}

#[test]
fn a_stop_keeps_what_was_shown_and_the_next_answer_ends_it() {
    let mut state = PreviewState::default();
    answer(&mut state, "one", &asked("one"));
    state.failed(&asked("old"), &asked("two"), &EngineFault::Silent);
    assert_eq!(state.freshness, Freshness::Fresh);
    state.failed(&asked("two"), &asked("two"), &EngineFault::Silent);
    assert!(matches!(&state.freshness, Freshness::Stopped(why) if why.contains("after 1 s")));
    assert!(state.shown(SLUG, OpeningKind::TaskStart).unwrap().dimmed);
    assert_eq!(state.status(SLUG, OpeningKind::TaskStart), None);
    answer(&mut state, "three", &asked("three"));
    assert!(!state.shown(SLUG, OpeningKind::TaskStart).unwrap().dimmed);
}

#[test]
fn a_trap_is_told_in_words() {
    let words = |words: &str| why_stopped(&EngineFault::Crashed(words.into()));
    assert!(words("RangeError: Maximum call stack size exceeded").contains("nests values too deeply"));
    assert!(words("RuntimeError: unreachable").contains("too much memory"));
}
