//! What the command says, and how it ends.

use super::run::{Place, case};
use std::path::Path;

#[tokio::test]
async fn files_are_told_apart_by_what_they_hold() {
    let place = Place::new();
    let log = place.put("one.txt", case("session-3fa9c07be21d.jsonl"));
    let welcome = place.put(
        "two.txt",
        r#"{"session_id":"3fa9c07be21d","at":"2026-10-03T08:15:00.1+00:00","channel":"web","response":"Hello."}"#,
    );
    let notes = place.put("session-notes.jsonl", "Dear diary,\nnothing happened.\n");
    let empty = place.put("session-empty.jsonl", "");
    let database = place.put("audit.db", b"SQLite format 3\0and then nothing of the kind");
    let paths: [&Path; 5] = [&log, &welcome, &notes, &empty, &database];
    let first = place.run(&paths, &[]).await;
    assert_eq!((first.code, first.err.as_str()), (1, ""), "something was refused");
    let second = place.run(&paths, &[]).await;
    insta::assert_snapshot!(format!("{}\nand again\n{}", first.out, second.out));
    let welcome = place.store().await.welcome_state().await.unwrap();
    assert_eq!((welcome.state.as_str(), welcome.session_id.as_str()), ("done", "3fa9c07be21d"));
}

#[tokio::test]
async fn a_log_that_went_on_replaces_and_other_text_does_not() {
    let place = Place::new();
    let whole = String::from_utf8(case("session-3fa9c07be21d.jsonl")).unwrap();
    let early: String = whole.lines().take(20).flat_map(|line| [line, "\n"]).collect();
    let name = "session-3fa9c07be21d.jsonl";
    let mut said = String::new();
    for text in [&early, &early, &whole, &early, &whole.replacen("what time", "what Time", 1)] {
        let path = place.put(name, text);
        let answer = place.run(&[&path], &[]).await;
        said += &format!("{} {}", answer.code, answer.out);
    }
    insta::assert_snapshot!(said);
    let sessions = place.store().await.sessions(true).await.unwrap();
    assert_eq!((sessions.len(), sessions[0].summary.bytes), (1, whole.len() as u64));
}

#[tokio::test]
async fn wrong_calls_end_with_2_and_a_sentence_and_change_nothing() {
    let place = Place::new();
    let log = place.put("session-a.jsonl", case("session-3fa9c07be21d.jsonl"));
    let missing = place.path("missing");
    let answer = place.run(&[&log, &missing], &[]).await;
    assert_eq!((answer.code, answer.out.as_str()), (2, ""));
    assert_eq!(answer.err, "proem: there is no file or folder @/missing\n");
    assert!(!place.home.path().join("proem.db").exists(), "nothing was begun");
}
