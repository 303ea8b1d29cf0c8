//! Conversations: recorded ones, the welcome, and what is sent while other things happen.

use super::{SHOWN, Talk, Voice, answered_by, verdict_word};
use crate::state::decisions::tests::entry;
use proem_core::api::chat::{ChatAnswer, WelcomeAnswer};
use proem_core::log::{Message, Outcome, Role};
use serde_json::json;

fn message(role: Role, text: &str, turn: &str) -> Message {
    let is_final = role == Role::Assistant;
    let outcome = is_final.then_some(Outcome::Ok);
    Message { role, text: text.into(), ts: None, reference: turn.into(), is_final, outcome, code: None }
}

fn answer(text: &str) -> ChatAnswer {
    ChatAnswer {
        session_id: "s1".into(),
        turn_id: "t2".into(),
        reference: "s1@t2".into(),
        trace_id: "s1~1".into(),
        response: text.into(),
        handler: "help".into(),
        verdict: "pass".into(),
        has_errors: false,
        at: "2026-10-05T08:00:00.000000+00:00".into(),
    }
}

fn welcome() -> WelcomeAnswer {
    WelcomeAnswer {
        session_id: "s1".into(),
        created: true,
        response: "Welcome.".into(),
        reference: "s1@t1".into(),
        ..WelcomeAnswer::default()
    }
}

fn voices(talk: &Talk) -> Vec<(Voice, &str)> {
    talk.said().iter().map(|said| (said.voice, said.text.as_str())).collect()
}

#[test]
fn a_recorded_conversation_tells_openers_from_answers() {
    let messages = [
        message(Role::Assistant, "Welcome.", "s1@t1"),
        message(Role::User, "help", "s1@t2"),
        message(Role::Assistant, "I can …", "s1@t2"),
        message(Role::Tool, "a tool", "s1@t2"),
        message(Role::User, "go", "s1@t3"),
        message(Role::Notice, "", "s1@t3"),
    ];
    let talk = Talk::recorded("s1", &messages);
    let wanted = [
        (Voice::Opener, "Welcome."),
        (Voice::Person, "help"),
        (Voice::Answer, "I can …"),
        (Voice::Person, "go"),
        (Voice::Notice, "There is no answer."),
    ];
    assert_eq!((voices(&talk), talk.session()), (wanted.to_vec(), Some("s1")));
    assert!(!talk.is_unasked() && Talk::recorded("s1", &messages[..1]).is_unasked());
}

#[test]
fn the_ledger_tells_who_answered() {
    let mut halted = message(Role::Assistant, "Not shown.", "s1@t3");
    halted.outcome = Some(Outcome::Halted);
    let messages = [
        message(Role::User, "help", "s1@t2"),
        message(Role::Assistant, "I can …", "s1@t2"),
        message(Role::User, "key", "s1@t3"),
        halted,
    ];
    let mut talk = Talk::recorded("s1", &messages);
    assert_eq!(answered_by(&talk.said()[1]), "Answered");
    let row = |turn: &str, hook: &str, handler: &str, severity: &str| {
        entry(
            json!({ "hook_point": hook, "deterministic": true, "handler": handler, "severity": severity, "link": { "ref": turn, "how": "exact" } }),
        )
    };
    talk.learn(&[
        row("s1@t2", "pre_turn", "nobody", "error"),
        row("s1@t2", "pre_response", "help", "warn"),
        row("s1@t3", "pre_response", "echo", "warn"),
        row("s2@t2", "pre_response", "other", "info"),
    ]);
    let known: Vec<_> = talk.said().iter().map(|said| (said.handler.as_deref(), said.verdict.as_str())).collect();
    assert_eq!(known, [(None, "pass"), (Some("help"), "warn"), (None, "pass"), (Some("echo"), "halt")]);
    assert_eq!(answered_by(&talk.said()[1]), "Answered by help, no model");
}

#[test]
fn the_first_message_goes_on_from_the_welcome() {
    let mut talk = Talk::default();
    // Typed before the welcome was there.
    let ticket = talk.send("help").unwrap();
    assert!(talk.welcome(&welcome()));
    assert_eq!((talk.session(), talk.sending()), (Some("s1"), Some("help")));
    assert!(talk.answered(ticket, &answer("I can …")));
    let wanted = [(Voice::Opener, "Welcome."), (Voice::Person, "help"), (Voice::Answer, "I can …")];
    assert_eq!((voices(&talk), talk.sending()), (wanted.to_vec(), None));
    let keys: Vec<usize> = talk.said().iter().map(|said| said.key).collect();
    assert_eq!(keys, [0, 1, 2]);
    assert!(!talk.welcome(&welcome()), "a conversation that has begun is left alone");
}

#[test]
fn one_message_is_sent_at_a_time_and_a_late_answer_finds_nobody() {
    let mut talk = Talk::default();
    assert_eq!((talk.send(" \n "), talk.is_unasked()), (None, true));
    let first = talk.send("one").unwrap();
    assert_eq!(talk.send("two"), None);
    assert_eq!(talk.failed(first).as_deref(), Some("one"));
    assert_eq!((talk.sending(), talk.said().len()), (None, 0));
    let second = talk.send("one again").unwrap();
    assert!(!talk.answered(first, &answer("late")));
    assert!(talk.answered(second, &answer("here")));
    assert_eq!(talk.failed(second), None);
    let third = talk.send("in this one").unwrap();
    assert!(talk.awaits(third) && !talk.awaits(second));
    talk.turn_to(Talk::recorded("s2", &[]));
    assert!(!talk.awaits(third) && talk.session() == Some("s2"));
    assert!(talk.send("in the other").is_some_and(|fourth| fourth != third));
}

#[test]
fn a_long_conversation_shows_its_end() {
    let messages: Vec<Message> = (0..SHOWN + 3).map(|at| message(Role::User, &at.to_string(), "s1@t")).collect();
    let mut talk = Talk::recorded("s1", &messages);
    assert_eq!((talk.earlier(), talk.said().len(), talk.said()[0].text.as_str()), (3, SHOWN, "3"));
    let ticket = talk.send("more").unwrap();
    talk.answered(ticket, &answer("yes"));
    let keys: Vec<usize> = talk.said().iter().map(|said| said.key).collect();
    assert!(keys.is_sorted_by(|a, b| a < b), "every key is its own");
}

#[test]
fn verdicts_have_words_where_there_is_something_to_say() {
    assert_eq!(["pass", "halt", "odd"].map(verdict_word), [None, Some("Halted by a check"), Some("odd")]);
}
