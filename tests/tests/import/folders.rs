//! Folders: what is in them is found, links are not followed, and a whole harness goes in, twice.

use super::run::{Place, case};
use proem_core::ledger::LinkedHow;
use serde_json::json;
use std::collections::BTreeMap;

#[tokio::test]
async fn a_folder_is_read_with_all_that_is_in_it() {
    let place = Place::new();
    place.put("logs/session-3fa9c07be21d.jsonl", case("session-3fa9c07be21d.jsonl"));
    place.put("logs/deep/er/session-0d1e2f3a4b5c.jsonl", case("session-0d1e2f3a4b5c.jsonl"));
    place.put("logs/readme.txt", "Logs.");
    place.put("other/welcome.json", r#"{"title":"Welcome to our site"}"#);
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(place.path("logs"), place.path("logs/round")).unwrap();
        std::os::unix::fs::symlink(place.path("nowhere"), place.path("logs/broken")).unwrap();
    }
    let said = place.run(&[place.files.path()], &[]).await;
    assert_eq!(said.code, 0, "what is none of ours is no fault");
    insta::assert_snapshot!(said.out);
    let again = place.json(&[place.files.path()]).await;
    let left: Vec<_> = again["items"].as_array().unwrap().iter().filter(|item| item["outcome"] == "left").collect();
    assert_eq!(
        (again["added"].as_u64(), again["known"].as_u64(), left.len() as u64),
        (Some(0), Some(2), again["left"].as_u64().unwrap())
    );
    assert!(left.iter().all(|item| !item["message"].as_str().unwrap().is_empty()), "{left:?}");
    assert_eq!(place.store().await.welcome_state().await.unwrap().state, "due");
}

#[tokio::test]
async fn very_deep_folders_end_somewhere() {
    let place = Place::new();
    place.put(&format!("{}session-deep.jsonl", "d/".repeat(40)), case("session-3fa9c07be21d.jsonl"));
    let said = place.json(&[place.files.path()]).await;
    assert_eq!((said["added"].as_u64(), said["left"].as_u64()), (Some(0), Some(1)));
    assert_eq!(said["items"][0]["message"], "more than 32 folders deep");
}

/// Each file set of a harness in the corpus, as a home of its own: logs, ledger, welcome.
#[tokio::test]
async fn a_whole_harness_is_imported_twice() {
    let Some(corpus) = proem_tests::corpus("iris-harness") else { return };
    let mut sums = String::new();
    for set in ["evarness-0.2.5_approvals", "evarness-0.2.5_default", "evarness-0.2.5_minimal", "iris-harness-0.1.5_default"] {
        let place = Place::new();
        let first = place.json(&[&corpus.join(set)]).await;
        let page = place.decisions().await;
        let store = place.store().await;
        let sessions = store.sessions(true).await.unwrap().len();
        let rows = store.ledger_rows(i64::MIN, 0).await.unwrap();
        let record = store.welcome_state().await.unwrap();
        // Rows of the store itself are kept for whoever checks the sequences, and shown to nobody.
        assert_eq!(rows.len() as u64, page.total + rows.iter().filter(|row| row.plugin == "audit").count() as u64);
        assert!(page.plugins.iter().all(|plugin| plugin != "audit"));
        let mut how: BTreeMap<String, u32> = BTreeMap::new();
        for entry in &page.entries {
            let link = entry.link.as_ref().unwrap();
            *how.entry(json!(link.how).as_str().unwrap().to_owned()).or_default() += 1;
            assert_eq!(link.how == LinkedHow::None, link.reference.is_none() && link.stored.is_none());
        }
        sums += &format!(
            "{set}: {} added, {} refused, {sessions} sessions, {} rows, {} decisions {how:?}, welcome {} {}\n",
            first["added"],
            first["refused"],
            rows.len(),
            page.total,
            record.state,
            record.session_id,
        );

        let second = place.json(&[&corpus.join(set)]).await;
        assert_eq!((&second["added"], &second["replaced"], &second["refused"]), (&json!(0), &json!(0), &json!(0)), "{second:#}");
        let store = place.store().await;
        assert_eq!(store.ledger_rows(i64::MIN, 0).await.unwrap(), rows);
        assert_eq!(store.sessions(true).await.unwrap().len(), sessions);
        assert_eq!(store.welcome_state().await.unwrap(), record);
    }
    insta::assert_snapshot!(sums);
}
