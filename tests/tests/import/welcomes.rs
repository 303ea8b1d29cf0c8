//! A harness's record of its welcome becomes this home's, and is final.

use super::run::Place;
use serde_json::json;

const DONE: &str = r#"{
  "session_id": "18a4ad7c7e3b",
  "at": "2026-11-30T11:02:15.914081+00:00",
  "channel": "web",
  "response": "Write to anna.lee@example.org."
}
"#;

#[tokio::test]
async fn a_done_welcome_stays_done_and_is_never_replaced() {
    let place = Place::new();
    let path = place.put("welcome.json", DONE);
    let first = place.json(&[&path]).await;
    assert_eq!((&first["items"][0]["kind"], &first["items"][0]["outcome"]), (&json!("welcome"), &json!("added")));
    let store = place.store().await;
    let record = store.welcome_state().await.unwrap();
    assert_eq!((record.state.as_str(), record.session_id.as_str()), ("done", "18a4ad7c7e3b"));
    assert_eq!(record.at, "2026-11-30T11:02:15.914081+00:00");
    let path = place.put("welcome.json", DONE.replace("18a4ad7c7e3b", "ffffffffffff"));
    let second = place.json(&[&path]).await;
    assert_eq!((&second["items"][0]["outcome"], &second["known"]), (&json!("known"), &json!(1)));
    assert_eq!(place.store().await.welcome_state().await.unwrap(), record);
}

#[tokio::test]
async fn a_skipped_welcome_and_one_that_cannot_be_read() {
    for (text, state, reason) in [
        (
            r#"{"session_id":"","at":"t","channel":"cli-setup","response":"","skipped":true,"reason":"set up"}"#,
            "skipped",
            "set up",
        ),
        ("{ torn", "done", ""),
        ("[]", "done", ""),
        ("", "done", ""),
    ] {
        let place = Place::new();
        let path = place.put("welcome.json", text);
        let said = place.json(&[&path]).await;
        assert_eq!(said["added"], 1, "{text}: {said:#}");
        let record = place.store().await.welcome_state().await.unwrap();
        assert_eq!((record.state.as_str(), record.reason.as_str(), record.session_id.as_str()), (state, reason, ""), "{text}");
    }
}
