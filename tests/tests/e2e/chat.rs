//! Chat: the first visit on an empty home, a conversation by keyboard, and what happens when something does not work.

use super::browser::run;
use super::keyboard::tab_to;
use super::page::{BLOCKED, Page};
use super::replay::{LOG, READ, iris, shown_trace};
use super::server::Server;
use axum::body::Body;
use axum::http::Method;
use serde_json::{Value, json};
use thirtyfour::prelude::*;

/// A conversation is there and waits for a message.
const READY: &str = "[data-page=chat][data-state=ready]";

/// Waits for the welcome of an empty home; its session and its turn.
async fn welcomed(page: &Page) -> (String, String) {
    page.see("[data-said=opener] [data-answered-by]").await;
    let id: String = page.until("the conversation's address", "location.pathname.match(/^\\/chat\\/(.+)$/)?.[1]", &[]).await;
    let turn = "document.querySelector('[data-said=opener]').dataset.turn";
    (id, page.until("its turn", turn, &[]).await)
}

/// Sends what is typed, and waits for the answer of a handler.
async fn ask(page: &Page, text: &str, handler: &str) {
    page.click("#composer").await;
    page.keys(text).await;
    page.press(Key::Enter).await;
    page.see(&format!("{READY} [data-said=answer][data-handler={handler}]")).await;
}

async fn sessions(page: &Page) -> Vec<Value> {
    let list = page.server.json(Method::GET, "/api/sessions", Value::Null).await;
    list["sessions"].as_array().unwrap().clone()
}

#[tokio::test]
async fn a_first_visit_on_an_empty_home_holds_real_data_everywhere() {
    run("first-visit", Server::start().await, &[], async |page| {
        page.enter("/chat").await;
        let (id, turn) = welcomed(page).await;
        assert_eq!(turn.split_once('@').map(|(session, _)| session), Some(id.as_str()));
        page.says("[data-said=opener]", "Nobody typed this").await;
        page.says("[data-conversation]", "First-chat welcome").await;
        // The first message goes on with the welcome's session.
        ask(page, "help", "help").await;
        assert_eq!(page.address().await, format!("/chat/{id}"));
        page.says("[data-conversation] .list-title", "help").await;
        let stored = sessions(page).await;
        assert_eq!(stored.len(), 1, "{stored:?}");
        assert_eq!((&stored[0]["id"], &stored[0]["live"], &stored[0]["channel"]), (&json!(id), &json!(true), &json!("web")));

        // Sessions: one, named after the first question, with the opener's badge.
        page.click("nav[aria-label=Main] a[href='/sessions']").await;
        let row = format!("li[data-session='{id}']");
        assert_eq!(page.text(&format!("{row} .list-title")).await, "help");
        page.says(&format!("{row} .badge"), "First-chat welcome").await;
        page.says(&row, "2 turns").await;

        // Call trace: the handler, the check and what it decided.
        page.click(&format!("{row} a.list-title")).await;
        page.see(READ).await;
        page.see(&format!("[data-trace='{turn}'] [data-kind=governance]")).await;
        let drawn = shown_trace(page, &turn).await;
        let kinds: Vec<&str> = drawn.rows.iter().map(|(_, kind, _)| kind.as_str()).collect();
        for kind in ["runtime", "handler", "guard", "governance"] {
            assert!(kinds.contains(&kind), "no {kind} in {kinds:?}");
        }
        page.says(&format!("[data-trace='{turn}'] [data-kind=governance]"), "allowed").await;
        page.says("[data-firings] [data-firing]", "PRE_RESPONSE").await;

        // Governance: its row leads to the turn, and the turn to its rows.
        page.click("nav[aria-label=Main] a[href='/governance']").await;
        page.see("[data-entry]").await;
        page.go("/governance?handler=welcome").await;
        page.says("[data-entry] .decision-hook", "pre_response").await;
        page.says("[data-count]", "1 decision").await;
        page.click("[data-entry] a[data-turn-link]").await;
        page.see(&format!("article[data-turn='{turn}'][aria-current=true]")).await;
        page.click("[data-firings] a[data-link=decisions]").await;
        page.see("[data-page=governance] [data-entry][data-decision=allow]").await;
        assert!(page.address().await.starts_with("/governance?turn="), "{}", page.address().await);
        page.says("[data-count]", "1 decision").await;
    })
    .await;
}

#[tokio::test]
async fn a_second_visit_goes_on_without_a_second_welcome() {
    run("second-visit", Server::start().await, &[], async |page| {
        page.enter("/chat").await;
        let (id, _) = welcomed(page).await;
        ask(page, "time", "time").await;
        page.go("/chat").await;
        page.until::<Value>("the last conversation", "location.pathname === a[0]", &[json!(format!("/chat/{id}"))]).await;
        // Who answered is known from the ledger.
        page.see(&format!("{READY} [data-said=answer][data-handler=time]")).await;
        page.see("[data-said=opener][data-handler=welcome]").await;
        let said = "return [...document.querySelectorAll('[data-said]')].map(it => it.dataset.said);";
        assert_eq!(page.js::<Vec<String>>(said, &[]).await, ["opener", "person", "answer"]);
        let (_, raw) = page.server.ask(Method::GET, &format!("/api/sessions/{id}/raw"), Body::empty()).await;
        assert_eq!(String::from_utf8_lossy(&raw).matches("\"turn_open\"").count(), 1);
        // A new conversation gets a session of its own once something is said.
        page.click("[data-new]").await;
        page.see("[data-suggestion=help]").await;
        page.click("[data-suggestion=skills]").await;
        page.see(&format!("{READY} [data-handler=list_skills]")).await;
        assert_ne!(page.address().await, format!("/chat/{id}"));
        let stored = sessions(page).await;
        assert_eq!((stored.len(), &stored[1]["id"]), (2, &json!(id)), "newest first");
        page.until::<Value>("both are listed", "document.querySelectorAll('[data-conversation]').length === 2", &[]).await;
        page.click(&format!("[data-conversation='{id}'] a")).await;
        page.see("[data-said=opener]").await;
    })
    .await;
}

#[tokio::test]
async fn a_conversation_needs_no_mouse() {
    run("chat-keyboard", Server::start().await, &[], async |page| {
        page.enter("/chat").await;
        welcomed(page).await;
        page.says("[aria-live][data-spoken]", "Welcome").await;
        page.keys("/").await;
        assert_eq!(page.js::<String>("return document.activeElement.id;", &[]).await, "composer");
        page.keys("two").await;
        page.chord(Key::Shift, char::from(Key::Enter)).await;
        page.keys("lines").await;
        assert_eq!(page.js::<String>("return document.activeElement.value;", &[]).await, "two\nlines");
        page.chord(Key::Control, 'a').await;
        page.keys("help").await;
        page.press(Key::Enter).await;
        page.see(&format!("{READY} [data-said=answer][data-handler=help]")).await;
        let focused = "document.activeElement.id === 'composer' && document.activeElement.value === ''";
        page.until::<Value>("the focus in the empty field", focused, &[]).await;
        page.says("[aria-live][data-spoken]", "can be asked").await;
        page.press(Key::Escape).await;
        tab_to(page, "[data-conversation] a").await;
        page.driver.refresh().await.unwrap();
        page.see(&format!("{READY} [data-handler=help]")).await;
        tab_to(page, "[data-said=answer] a[data-link=calls]").await;
        page.press(Key::Enter).await;
        page.see("[data-node-detail=runtime]").await;
    })
    .await;
}

#[tokio::test]
async fn a_message_that_could_not_be_sent_is_kept() {
    run("chat-offline", Server::start().await, &[BLOCKED], async |page| {
        page.enter("/chat").await;
        let (id, _) = welcomed(page).await;
        page.block(&["*/api/chat/messages*"]).await;
        page.click("#composer").await;
        page.keys("help").await;
        page.press(Key::Enter).await;
        page.says(".chat-fault[role=alert]", "Not sent.").await;
        assert_eq!(page.js::<String>("return document.querySelector('#composer').value;", &[]).await, "help");
        page.gone("[data-said=sending]").await;
        page.block(&[]).await;
        page.click("[data-again]").await;
        page.see(&format!("{READY} [data-said=answer][data-handler=help]")).await;
        page.gone(".chat-fault").await;
        assert_eq!(page.address().await, format!("/chat/{id}"));
    })
    .await;
}

#[tokio::test]
async fn a_conversation_held_elsewhere_is_read_and_not_continued() {
    let server = Server::start().await;
    let id = server.upload(LOG, &std::fs::read(iris(LOG)).unwrap()).await;
    run("chat-imported", server, &["404 (Not Found)"], async |page| {
        page.enter(&format!("/chat/{id}")).await;
        page.see("[data-imported]").await;
        page.gone("#composer:not([hidden] *)").await;
        page.click("[data-imported] a").await;
        page.see(READ).await;
        page.go("/chat/0123456789abcdef").await;
        page.says("main [role=alert]", "0123456789abcdef").await;
        page.click("[data-new]").await;
        page.see("[data-suggestion=help]").await;
    })
    .await;
}

#[tokio::test]
async fn a_welcome_that_fails_is_silent_here_and_seen_in_governance() {
    let server = Server::start().await;
    server.configure("intercepts.yaml", "openers: []\n");
    run("welcome-fails", server, &["500 (Internal Server Error)"], async |page| {
        page.enter("/chat").await;
        page.see("[data-suggestion=help]").await;
        page.gone("[role=alert]:not(:empty)").await;
        ask(page, "time", "time").await;
        page.click("nav[aria-label=Main] a[href='/governance']").await;
        page.says("[data-welcome]", "not declared").await;
    })
    .await;
}
