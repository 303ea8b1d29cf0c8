//! Logs that are dropped on the page or chosen in it: read locally, as they are written down beside them, broken ones too.

use super::browser::run;
use super::replay::{ASKS, LISTED, LOG, READ, compare, iris, link_to, show_hidden, shown_trace, trace, turns};
use super::server::Server;
use axum::http::Method;
use proem_core::log::Log;
use proem_tests::json;
use serde_json::Value;
use std::path::Path;

#[tokio::test]
async fn a_dropped_log_is_split_replayed_and_traced() {
    run("drop", Server::start().await, &[], async |page| {
        page.enter("/sessions").await;
        page.drop_files(LISTED, &[&iris(LOG)]).await;
        let shown = turns(page).await;
        assert_eq!(shown.len(), 4, "the fifth turn is hidden");
        assert!(page.address().await.starts_with("/sessions/local?name=session-3fa9c07be21d.jsonl&size=8259&fingerprint="));
        let opened = trace(page, "3fa9c07be21d@aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa").await;
        let ids: Vec<&str> = opened.rows.iter().map(|(id, ..)| id.as_str()).collect();
        assert_eq!(ids, ["runtime", "handler", "guard"]);
        for ((_, _, text), label) in opened.rows.iter().zip(["IrisRuntime.open_turn", "welcome", "response check"]) {
            assert!(text.contains(label), "{text:?} does not name {label}");
        }
        assert_eq!(
            opened.edges,
            [("e-runtime-handler", "data"), ("e-handler-guard", "data")].map(|(a, b)| (a.to_owned(), b.to_owned()))
        );
        show_hidden(page).await;
        page.see("article[data-turn='3fa9c07be21d@eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee']").await;
        let wrong = compare(page, &json(&iris("session-3fa9c07be21d.expected.json"))).await;
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
        let stored = page.server.json(Method::GET, "/api/sessions", Value::Null).await;
        assert_eq!(stored["sessions"], serde_json::json!([]), "nothing is uploaded by looking");
    })
    .await;
}

#[tokio::test]
async fn a_chosen_log_reads_like_a_dropped_one() {
    run("choose", Server::start().await, &[], async |page| {
        page.enter("/sessions").await;
        page.choose_file("input#log-files", &iris("session-0d1e2f3a4b5c.jsonl")).await;
        page.see(READ).await;
        show_hidden(page).await;
        page.see("article[data-turn='0d1e2f3a4b5c@22222222222222222222222222222222']").await;
        let wrong = compare(page, &json(&iris("session-0d1e2f3a4b5c.expected.json"))).await;
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    })
    .await;
}

/// The sound lines of the log, with a byte order mark, a number in the middle, a torn last line, and Windows' line ends.
fn battered() -> Vec<u8> {
    let text = std::fs::read_to_string(iris(LOG)).unwrap();
    let mut lines: Vec<&str> = text.lines().filter(|line| line.starts_with('{') && line.ends_with('}')).collect();
    let last = lines.pop().unwrap();
    lines.insert(5, "42");
    let mut bytes = "\u{feff}".as_bytes().to_vec();
    for line in lines {
        bytes.extend_from_slice(line.as_bytes());
        bytes.extend_from_slice(b"\r\n");
    }
    bytes.extend_from_slice(&last.as_bytes()[..last.len() / 2]);
    bytes
}

#[tokio::test]
async fn a_battered_log_loads_and_what_was_skipped_is_counted() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join(LOG);
    let bytes = battered();
    std::fs::write(&file, &bytes).unwrap();
    let read = Log::read(LOG, bytes, &mut || ()).unwrap();
    let skipped: Vec<u64> = read.skipped().map(|line| line.line).collect();
    assert_eq!(skipped.len(), 2);
    run("battered", Server::start().await, &[], async |page| {
        page.enter("/sessions").await;
        page.drop_files(LISTED, &[&file]).await;
        assert_eq!(turns(page).await[0].label.as_deref().map(|label| label.contains("First-chat welcome")), Some(true));
        let summary = page.text("details[data-skipped] summary").await;
        assert!(summary.contains('2'), "the count is not in {summary:?}");
        page.click("details[data-skipped] summary").await;
        let listed: Vec<u64> =
            page.js("return [...document.querySelectorAll('details[data-skipped] li[data-line]')].map(it => Number(it.dataset.line));", &[]).await;
        assert_eq!(listed, skipped);
    })
    .await;
}

#[tokio::test]
async fn what_is_no_log_is_said_and_loses_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let picture = folder.path().join("picture.png");
    std::fs::write(&picture, [0x89, b'P', b'N', b'G', 0, 1, 2, 3]).unwrap();
    let nothing = folder.path().join("empty.jsonl");
    std::fs::write(&nothing, "").unwrap();
    run("no-log", Server::start().await, &[], async |page| {
        page.enter("/sessions").await;
        for file in [picture.as_path(), nothing.as_path()] {
            page.drop_files(LISTED, &[file]).await;
            let fault = "[...document.querySelectorAll('[data-file-fault], [data-session-page][data-state=failed] [role=alert]')].map(it => it.textContent).join(' ').trim()";
            let sentence: String = page.until(&format!("a sentence about {}", file.display()), fault, &[]).await;
            assert!(sentence.split_whitespace().count() > 3, "{sentence:?}");
            page.go("/sessions").await;
            page.see(LISTED).await;
        }
        page.drop_files(LISTED, &[&iris(LOG)]).await;
        page.see(READ).await;
    })
    .await;
}

#[tokio::test]
async fn a_link_to_a_local_file_asks_for_it() {
    let turn = "3fa9c07be21d@cccccccccccccccccccccccccccccccc";
    run("local-link", Server::start().await, &[], async |page| {
        page.enter("/sessions").await;
        page.drop_files(LISTED, &[&iris(LOG)]).await;
        page.see(READ).await;
        let link = link_to(page, turn).await;
        page.go(&link).await;
        page.see(ASKS).await;
        page.says("[data-ask-file]", LOG).await;
        // Another file under the same link is told apart.
        page.choose_file("input#log-again", &iris("session-0d1e2f3a4b5c.jsonl")).await;
        page.says("[data-file-fault]", "session-0d1e2f3a4b5c.jsonl").await;
        page.choose_file("input#log-again", Path::new(&iris(LOG))).await;
        page.see(READ).await;
        page.see(&format!("article[data-turn='{turn}'][aria-current=true]")).await;
        assert_eq!(shown_trace(page, turn).await.rows.len(), 9);
        assert_eq!(page.address().await, link);
    })
    .await;
}
