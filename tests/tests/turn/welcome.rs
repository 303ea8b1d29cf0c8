//! The words of the welcome.

use super::world::{Here, answered, built_in, request, welcome};
use proem_core::turn::{Opening, SkillLine, run};

fn skill(summary: &str) -> SkillLine {
    SkillLine { name: "A skill".to_owned(), summary: summary.to_owned() }
}

#[test]
fn behaviour_9_the_text_lists_every_summary_and_the_hint() {
    let (answer, _) = answered(&built_in(), Opening::Opener("welcome"));
    assert_eq!(
        answer.response,
        "Welcome. This organisation has no conversations yet. These skills are switched on:\n\n\
         - Knows what may be refunded\n- Knows when we are open\n\n\
         Write a first message to begin.\n\n\
         This message was put together without a model. Call trace shows how, and Governance shows the check it passed."
    );
    assert_eq!((answer.capabilities, answer.intent.as_str(), answer.agent_type.as_str()), (Some(2), "welcome", "system"));
}

#[test]
fn behaviour_9_without_summaries_it_says_so_and_invites() {
    let mut here = Here::default();
    let skills = [skill(""), skill(" \n ")];
    let answer = run(&built_in(), &request(Opening::Opener("welcome"), &skills), &mut here).unwrap();
    assert!(answer.response.starts_with(
        "No skill is switched on yet. An admin can add one under Skills.\n\nWrite a first message to begin.\n\nThis message"
    ));
    assert_eq!(answer.capabilities, Some(0));
}

#[test]
fn summaries_are_trimmed_put_on_one_line_and_told_once() {
    let skills = ["  a\nb ", "a b", "c\r\nd", "c d\u{2028}e", "", "A b"].map(skill);
    let text = welcome("{intro: x, capability: '* {summary}'}").welcome_text(&skills);
    assert!(text.starts_with("x\n\n* a b\n* c d\n* c d e\n* A b\n\nWrite"), "{text}");
}

#[test]
fn each_key_falls_back_by_itself() {
    let config =
        welcome("intro: '  Hi.  '\ncapability: no place for it\nno_capabilities: 5\ninvitation: \"\\n\"\ntrace_note: [a]");
    let wording = config.wording();
    let default = built_in();
    assert_eq!((wording.intro.as_str(), &wording.capability), ("Hi.", &default.wording().capability));
    assert_eq!(
        (&wording.no_capabilities, &wording.invitation),
        (&default.wording().no_capabilities, &default.wording().invitation)
    );
    assert_eq!((&wording.trace_note, config.problems().len()), (&default.wording().trace_note, 4));
}

#[test]
fn the_summary_is_put_in_literally_and_once() {
    let config = welcome("{capability: '{summary} {summary} {} {0} }{', invitation: '{ {name} }'}");
    let skills = [skill("{summary} costs $1")];
    let mut here = Here::default();
    let answer = run(&config, &request(Opening::Opener("welcome"), &skills), &mut here).unwrap();
    assert!(answer.response.contains("\n\n{summary} costs $1 {summary} {} {0} }{\n\n{ {name} }\n\n"), "{}", answer.response);
}
