//! When the welcome is due: in a home without a conversation, whatever else it holds.

use super::home::{Home, opened_by_system};

#[tokio::test]
async fn a_home_with_conversations_skips_it_and_says_how_many_there_were() {
    for (count, reason) in [
        (1, "1 conversation existed before the first welcome request"),
        (3, "3 conversations existed before the first welcome request"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::open(folder.path()).await;
        for text in &["help", "time", "something else"][..count] {
            home.say(None, text).await.unwrap();
        }
        let answer = home.welcome("web").await.unwrap();
        assert!(answer.skipped && !answer.created && !answer.at.is_empty());
        assert_eq!((answer.skip_reason.as_str(), answer.response.as_str()), (reason, ""));
        assert_eq!((answer.session_id.as_str(), answer.trace_id.as_str(), answer.reference.as_str()), ("", "", ""));
        assert_eq!(home.welcome("console").await.unwrap(), answer, "it stays skipped");
        let logs = home.logs().await;
        assert_eq!((logs.len(), opened_by_system(&logs)), (count, 0));
        let state = home.turns.state(&home.store).await.unwrap().welcome;
        assert_eq!((state.state.as_str(), state.reason.as_str()), ("skipped", reason));
    }
}

#[tokio::test]
async fn test_runs_are_no_conversations() {
    let folder = tempfile::tempdir().unwrap();
    let home = Home::open(folder.path()).await;
    let run = home.turns.try_opener(&home.store, "welcome", &mut |_| Ok(())).await.unwrap();
    assert!(run.session_id.starts_with("playground-"), "{}", run.session_id);
    home.say(Some("eval:seven"), "help").await.unwrap();
    assert!(home.store.sessions(false).await.unwrap().is_empty(), "lists leave them out");
    assert_eq!(home.store.sessions(true).await.unwrap().len(), 2);
    let answer = home.welcome("web").await.unwrap();
    assert!(answer.created && !answer.skipped);
    let document = serde_json::to_value(&answer).unwrap();
    assert_eq!((&document["skipped"], &document["skip_reason"]), (&false.into(), &"".into()));
    assert_eq!(home.store.sessions(false).await.unwrap().len(), 1);
}

#[tokio::test]
async fn a_message_that_failed_the_checks_is_a_conversation_too() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("config")).unwrap();
    std::fs::write(folder.path().join("config/response_checks.yaml"), "forbidden: [\"no model\"]\n").unwrap();
    let home = Home::open(folder.path()).await;
    let halted = home.say(None, "tell me a story").await.unwrap();
    assert!(halted.has_errors, "{halted:?}");
    assert!(home.welcome("web").await.unwrap().skipped);
}
