//! Rules in the browser: written with their faults in sight, saved, run over what is stored and over files, and led to their turns.

use super::browser::run;
use super::page::{BLOCKED, Page};
use super::server::Server;
use axum::http::Method;
use proem_tests::cases;
use serde_json::{Value, json};

const EDITOR: &str = "code-editor[data-rules-editor]";
const RULES: &str = "/api/governance/rules";
const OWN: &str = "rules:\n  - {id: answered, says: Every turn is answered., over: turn, must: {answers: {at_least: 1}}}\n";

async fn open(page: &Page) {
    page.enter("/governance/rules").await;
    page.until::<Value>("the editor", "!!document.querySelector(a[0])?.view", &[json!(EDITOR)]).await;
}

async fn write(page: &Page, text: &str) {
    let script = "const view = document.querySelector(a[0]).view;
        view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: a[1] } }); return true;";
    page.js::<bool>(script, &[json!(EDITOR), json!(text)]).await;
    page.see("[data-rules][data-checked=true]").await;
}

/// A home with a welcome, a question, and a log whose last turns went wrong.
async fn home() -> (Server, String) {
    let server = Server::start().await;
    server.json(Method::POST, "/api/chat/welcome", json!({})).await;
    server.json(Method::POST, "/api/chat/messages", json!({ "text": "help" })).await;
    let name = "session-0d1e2f3a4b5c.jsonl";
    let id = server.upload(name, &std::fs::read(cases("iris").join(name)).unwrap()).await;
    (server, id)
}

#[tokio::test]
async fn rules_are_written_saved_run_and_lead_to_turns() {
    let (server, id) = home().await;
    run("rules", server, &[], async |page| {
        open(page).await;
        page.see("[data-no-rules]").await;
        write(page, "rules:\n  - {id: answered, says: s, over: turn, must: {answer: 1}}\n").await;
        page.says("[data-problems]", "answers").await;
        page.says("[data-fault-count]", "1 error").await;
        page.see("button[data-save][aria-disabled=true]").await;
        write(page, OWN).await;
        page.says("[data-fault-count]", "No problems").await;
        page.click("button[data-save]").await;
        page.see("[data-rules][data-revision='1'][data-dirty=false]").await;
        assert_eq!(page.server.json(Method::GET, RULES, json!(null)).await["body"], OWN);

        page.click(".segmented-option:has(input[value='these rules'])").await;
        page.click("button[data-run]").await;
        page.see("[data-run-state=judged] [data-rule=answered][data-verdict=violated]").await;
        page.says("[data-rule=answered]", "judged on 10 turns").await;
        page.says("[data-sum]", "1 is violated").await;
        page.click("[data-rule=answered] [data-violation]:first-of-type a").await;
        page.see("[data-session-page][data-state=ready]").await;
        let address: String = page.js("return location.pathname + location.search;", &[]).await;
        assert_eq!(address, format!("/sessions/{id}?turn=0d1e2f3a4b5c%4033333333333333333333333333333333"));
    })
    .await;
}

#[tokio::test]
async fn built_in_rules_hold_over_what_the_home_ran_itself() {
    let (server, _) = home().await;
    run("rules-built-in", server, &[], async |page| {
        open(page).await;
        // Nothing of its own is written, so the built-in rules are chosen.
        page.click("button[data-run]").await;
        page.see("[data-run-state=judged] [data-rule=welcome-once][data-verdict=holds]").await;
        page.see("[data-run-state=judged] [data-rule=opened-turns-recorded][data-verdict=holds]").await;
        page.see("[data-run-state=judged] [data-rule=seeds-without-notices][data-verdict=nothing]").await;
        page.says("[data-run-state=judged] [data-rule=seeds-without-notices]", "Nothing to judge").await;
        page.see("[data-proof] [data-rule=typed-turns-recorded][data-verdict=holds]").await;
        page.see("[data-proof] [data-proof-sum][data-ok=true]").await;
        page.click("[data-start-built-in]").await;
        page.see("[data-rules][data-dirty=true][data-checked=true]").await;
        page.says("[data-fault-count]", "No problems").await;
    })
    .await;
}

#[tokio::test]
async fn a_stale_save_of_rules_shows_both_texts() {
    run("rules-stale", Server::start().await, &["409 (Conflict)"], async |page| {
        open(page).await;
        page.see("[data-run-state=idle] .empty-title").await;
        write(page, OWN).await;
        let theirs = json!({ "base": 0, "body": "rules: []\n" });
        page.server.json(Method::PUT, RULES, theirs).await;
        page.click("button[data-save]").await;
        page.see("dialog[data-conflict][open]").await;
        page.click("dialog[data-conflict] [data-keep-mine]").await;
        page.see("[data-rules][data-revision='2'][data-dirty=false]").await;
        assert_eq!(page.server.json(Method::GET, RULES, json!(null)).await["body"], OWN);
    })
    .await;
}

#[tokio::test]
async fn a_file_of_this_device_is_judged_and_opened() {
    run("rules-file", Server::start().await, &[], async |page| {
        open(page).await;
        write(page, OWN).await;
        let file = cases("iris").join("session-3fa9c07be21d.jsonl");
        let input = page.driver.find(thirtyfour::By::Id("rule-files")).await.unwrap();
        input.send_keys(file.display().to_string()).await.unwrap();
        page.says(".rules-targets", "Files of this device (1)").await;
        page.click(".segmented-option:has(input[value='these rules'])").await;
        page.click("button[data-run]").await;
        page.see("[data-run-state=judged] [data-rule=answered][data-verdict=violated]").await;
        page.says("[data-rule=answered] [data-violation]", "session-3fa9c07be21d.jsonl:30").await;
        page.click("[data-rule=answered] [data-violation]:first-of-type a").await;
        page.see("[data-session-page][data-state=ready]").await;
        page.says("main", "what time is it?").await;
    })
    .await;
}

#[tokio::test]
async fn a_run_is_cancelled_and_begun_again() {
    let (server, _) = home().await;
    run("rules-cancel", server, &[], async |page| {
        open(page).await;
        page.see("button[data-run][aria-disabled=false]").await;
        // The first log never arrives.
        let stall = "window.given = window.fetch;
            window.fetch = (...asked) => String(asked[0].url ?? asked[0]).endsWith('/raw') ? new Promise(() => {}) : window.given(...asked);
            return true;";
        page.js::<bool>(stall, &[]).await;
        page.click("button[data-run]").await;
        page.says("[data-run-state=running] [data-run-progress]", "0 of 4").await;
        page.click("[data-run-progress] [data-cancel]").await;
        page.see("[data-run-state=idle] button[data-run]").await;
        page.js::<bool>("window.fetch = window.given; return true;", &[]).await;
        page.click("button[data-run]").await;
        page.see("[data-run-state=judged] [data-rule=welcome-once][data-verdict=holds]").await;
        // The worker that was ended with the run has a successor that looks at rules as before.
        write(page, OWN).await;
    })
    .await;
}

#[tokio::test]
async fn a_log_that_does_not_arrive_is_said() {
    let (server, id) = home().await;
    run("rules-left-out", server, &[BLOCKED], async |page| {
        open(page).await;
        page.block(&[&format!("*/api/sessions/{id}/raw")]).await;
        page.click("button[data-run]").await;
        page.says("[data-left-out]", "session-0d1e2f3a4b5c.jsonl").await;
        page.see("[data-results][data-ok=false] [data-rule=welcome-once][data-verdict=holds]").await;
    })
    .await;
}
