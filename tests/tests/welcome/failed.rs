//! A welcome that fails: an error, no record, the session set aside, and the next request runs it again.

use super::home::{Home, WELCOME_EVENTS, kinds};
use proem::store::{NoAnswer, StoreError};
use proem_core::log::Outcome;
use std::path::Path;

fn configure(folder: &Path, intercepts: &str) {
    std::fs::create_dir_all(folder.join("config")).unwrap();
    std::fs::write(folder.join("config/intercepts.yaml"), intercepts).unwrap();
}

/// Names of all points that a welcome reaches in a fresh home.
async fn points() -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let mut seen = Vec::new();
    Home::open(folder.path())
        .await
        .welcome_with("web", &mut |point| {
            seen.push(point.to_owned());
            Ok(())
        })
        .await
        .unwrap();
    seen
}

#[tokio::test]
async fn wherever_it_fails_nothing_is_recorded_and_the_next_request_succeeds() {
    let points = points().await;
    insta::assert_snapshot!(points.join("\n"));
    for failing in points.iter().filter(|point| *point != "committed") {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::open(folder.path()).await;
        // Once: what is written of the failure passes points of the same names.
        let mut fails = true;
        let mut fail_once = |point: &str| match point == failing && std::mem::take(&mut fails) {
            true => Err(StoreError::Damaged("a test".to_owned())),
            false => Ok(()),
        };
        let error = home.welcome_with("web", &mut fail_once).await.unwrap_err();
        let of_turn = failing.starts_with("event") || failing.starts_with("decision");
        assert_eq!(matches!(error, NoAnswer::Failed(_)), of_turn, "{failing}: {error}");
        let state = home.turns.state(&home.store).await.unwrap().welcome;
        assert_eq!(state.state, "due", "{failing}");
        assert_eq!(state.failures, u64::from(failing != "begin"), "{failing}");
        // What the turn logged is there to be looked at, and nothing of what only the store could not take.
        let logs = home.logs().await;
        let aside: Vec<&str> = logs.iter().flat_map(|(_, log)| kinds(log)).collect();
        match failing.strip_prefix("event ") {
            Some(last) => {
                assert!(WELCOME_EVENTS.starts_with(&aside) && aside.last() == Some(&last), "{failing}: {aside:?}");
            }
            None if of_turn => assert!(WELCOME_EVENTS.starts_with(&aside) && !aside.is_empty(), "{failing}: {aside:?}"),
            None => assert_eq!(aside.len(), 0, "{failing}"),
        }
        let again = home.welcome("web").await.unwrap();
        assert!(again.created, "{failing}: {again:?}");
        assert!(logs.iter().all(|(session, _)| session.id != again.session_id));
        assert_eq!(home.logs().await.len(), logs.len() + 1);
    }
}

#[tokio::test]
async fn a_handler_that_cannot_answer_leaves_a_failed_turn_and_a_mended_file_is_read() {
    let folder = tempfile::tempdir().unwrap();
    configure(folder.path(), "openers:\n  - name: welcome\n    handler: plugin:greeter\n    trace_text: Hello\n");
    let home = Home::open(folder.path()).await;
    let mut tried = Vec::new();
    for _ in 0..2 {
        let error = home.welcome("web").await.unwrap_err();
        assert!(matches!(&error, NoAnswer::Failed(_)), "{error}");
        tried = home.logs().await;
    }
    // Each try has a session of its own, which lists show as failed.
    assert_eq!(tried.len(), 2);
    for (session, log) in &tried {
        assert_eq!((kinds(log), log.turns()[0].outcome), (vec!["turn_open", "turn.start"], Outcome::Failed));
        assert_eq!((session.summary.title.as_str(), session.summary.turn_count), ("Hello", 1));
    }
    let state = home.turns.state(&home.store).await.unwrap().welcome;
    assert_eq!((state.state.as_str(), state.failures), ("due", 2));
    assert!(state.last_error.contains("plugin:greeter"), "{}", state.last_error);
    configure(folder.path(), "openers:\n  - name: welcome\n    handler: welcome\n    trace_text: Good morning\n");
    assert!(home.welcome("web").await.unwrap().created);
    assert_eq!(home.logs().await.len(), 3);
}

#[tokio::test]
async fn no_declared_opener_is_an_error_and_leaves_no_session() {
    let folder = tempfile::tempdir().unwrap();
    configure(folder.path(), "openers: []\n");
    let home = Home::open(folder.path()).await;
    let error = home.welcome("web").await.unwrap_err();
    assert!(error.to_string().contains("not declared"), "{error}");
    assert!(home.logs().await.is_empty());
    let state = home.turns.state(&home.store).await.unwrap();
    assert_eq!((state.welcome.state.as_str(), state.welcome.failures, state.openers.len()), ("due", 1, 0));
    std::fs::remove_file(folder.path().join("config/intercepts.yaml")).unwrap();
    assert!(home.welcome("web").await.unwrap().created);
}

#[tokio::test]
async fn a_file_that_was_named_elsewhere_has_to_be_there() {
    let folder = tempfile::tempdir().unwrap();
    let elsewhere = folder.path().join("elsewhere.yaml");
    let store = proem::store::Store::open(folder.path()).await.unwrap();
    let turns = proem::turns::Turns::new(folder.path(), Some(&elsewhere));
    let files = turns.state(&store).await.unwrap().files;
    let problem = format!("There is no file {}, so the built-in default holds.", elsewhere.display());
    assert_eq!((files[0].present, files[0].problems.as_slice()), (false, [problem].as_slice()));
    std::fs::write(&elsewhere, "openers: []\n").unwrap();
    let state = turns.state(&store).await.unwrap();
    assert!(state.files[0].present && state.files[0].problems.is_empty() && state.openers.is_empty(), "{state:?}");
}

#[tokio::test]
async fn a_halted_welcome_is_done_and_says_so() {
    let folder = tempfile::tempdir().unwrap();
    configure(folder.path(), "");
    std::fs::write(folder.path().join("config/response_checks.yaml"), "forbidden: [welcome]\n").unwrap();
    let home = Home::open(folder.path()).await;
    let answer = home.welcome("web").await.unwrap();
    assert!(answer.created && answer.response == proem_core::turn::REFUSAL, "{answer:?}");
    assert_eq!(home.logs().await[0].1.turns()[0].outcome, Outcome::Halted);
    assert!(!home.welcome("web").await.unwrap().created);
}

#[tokio::test]
async fn a_typed_turn_that_fails_is_stored_as_far_as_it_came() {
    let folder = tempfile::tempdir().unwrap();
    let home = Home::open(folder.path()).await;
    let mut fail = |point: &str| match point {
        "event turn.start" => Err(StoreError::Damaged("a test".to_owned())),
        _ => Ok(()),
    };
    let said = proem::turns::Said { session_id: Some("abc"), channel: "console", text: "my words" };
    let error = home.turns.say(&home.store, said, &mut fail).await.unwrap_err();
    assert!(matches!(error, NoAnswer::Failed(_)), "{error}");
    let logs = home.logs().await;
    assert_eq!((logs[0].1.turns()[0].request.as_str(), logs[0].1.turns()[0].outcome), ("my words", Outcome::Unanswered));
    assert_eq!(home.say(Some("abc"), "again").await.unwrap().trace_id, "abc~1");
}
