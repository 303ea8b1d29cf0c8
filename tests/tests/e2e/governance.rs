//! Governance: the rows of the ledger by filters that are addresses, page by page, and what is switched on beside them.

use super::browser::run;
use super::page::Page;
use super::server::Server;
use axum::body::Body;
use axum::http::{Method, StatusCode};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use thirtyfour::prelude::*;

/// The rows are there, and no others are on their way.
const STILL: &str = "[data-decisions][aria-busy=false]";
/// What the input screen refuses.
const SECRET: &str = "The key is AKIAABCDEFGHIJKLMNOP.";

/// Ids of the rows on screen, in order.
async fn rows(page: &Page) -> Vec<i64> {
    page.see(STILL).await;
    page.js("return [...document.querySelectorAll('[data-entry]')].map(it => Number(it.dataset.entry));", &[]).await
}

/// Waits until so many rows are on screen.
async fn until_rows(page: &Page, count: usize) {
    let test = "document.querySelectorAll('[data-entry]').length === a[0] && !!document.querySelector(a[1])";
    page.until::<Value>(&format!("{count} rows"), test, &[json!(count), json!(STILL)]).await;
}

#[tokio::test]
async fn filters_are_addresses() {
    let server = Server::start().await;
    let talk = server.say(None, "help").await;
    server.say(Some(&talk), SECRET).await;
    server.say(None, "time").await;
    run("filters", server, &[], async |page| {
        page.enter("/governance").await;
        page.see("[data-entry]").await;
        let all = rows(page).await;
        assert!(all.len() >= 5 && all.is_sorted_by(|a, b| a > b), "newest first: {all:?}");
        page.click("[data-decision-filter=deny]").await;
        until_rows(page, 1).await;
        assert_eq!(page.address().await, "/governance?decision=deny");
        page.says("[data-entry]", "Denied").await;
        page.driver.refresh().await.unwrap();
        until_rows(page, 1).await;
        page.see("[data-decision-filter=deny]:checked").await;
        page.click("[data-clear-filters]").await;
        until_rows(page, all.len()).await;
        assert_eq!(page.address().await, "/governance");

        // The reason, from the keyboard.
        page.keys("/").await;
        page.keys("matched").await;
        page.press(Key::Enter).await;
        until_rows(page, all.len() - 1).await;
        assert_eq!(page.address().await, "/governance?q=matched");
        page.driver.back().await.unwrap();
        until_rows(page, all.len()).await;
        assert_eq!(page.js::<String>("return document.querySelector('[data-filter]').value;", &[]).await, "");

        // The others: each from what is known, or typed.
        page.click(".filters-more summary").await;
        page.driver.find(By::Css("select[name=handler] option[value=time]")).await.unwrap().click().await.unwrap();
        until_rows(page, 1).await;
        assert_eq!(page.address().await, "/governance?handler=time");
        page.go(&format!("/governance?session={talk}&hook=pre_turn")).await;
        until_rows(page, 2).await;
        let shown = "return ['session', 'hook'].map(name => document.querySelector(`[name=${name}]`).value);";
        assert_eq!(page.js::<[String; 2]>(shown, &[]).await, [talk.clone(), "pre_turn".to_owned()]);
        page.go("/governance?to=2020-01-01T00:00:00Z").await;
        page.see("[data-clear]").await;
        let time = "return document.querySelector('[name=to]').value.length > 0;";
        assert!(page.js::<bool>(time, &[]).await, "the moment of a link is in its field");
        page.click("[data-clear]").await;
        until_rows(page, all.len()).await;
    })
    .await;
}

#[tokio::test]
async fn older_rows_come_page_by_page() {
    let server = Server::start().await;
    let talk = server.say(None, "help").await;
    for _ in 0..30 {
        server.say(Some(&talk), "time").await;
    }
    run("older", server, &[], async |page| {
        page.enter("/governance").await;
        until_rows(page, 50).await;
        page.says("[data-count]", "50 of 62 decisions").await;
        let newest = rows(page).await;
        page.click("[data-older]").await;
        until_rows(page, 12).await;
        page.gone("[data-older]").await;
        let older = rows(page).await;
        let both: BTreeSet<i64> = newest.iter().chain(&older).copied().collect();
        assert_eq!(both.len(), 62, "no row twice");
        assert!(older[0] < newest[49]);
        page.driver.refresh().await.unwrap();
        until_rows(page, 12).await;
        page.click("[data-newest]").await;
        until_rows(page, 50).await;
        assert_eq!((rows(page).await, page.address().await), (newest, "/governance".to_owned()));

        // The file holds what the filters ask for, not the page.
        page.go("/governance?hook=pre_turn").await;
        until_rows(page, 31).await;
        for (format, lines) in [("jsonl", 31), ("csv", 32)] {
            let href = "return document.querySelector(`[data-export=${a[0]}]`).getAttribute('href');";
            let href: String = page.js(href, &[json!(format)]).await;
            let (status, file) = page.server.ask(Method::GET, &href, Body::empty()).await;
            assert_eq!((status, String::from_utf8_lossy(&file).lines().count()), (StatusCode::OK, lines), "{href}");
        }
    })
    .await;
}

#[tokio::test]
async fn an_empty_ledger_says_what_to_do() {
    run("no-decisions", Server::start().await, &[], async |page| {
        page.enter("/governance").await;
        page.says(".empty", "No decisions yet").await;
        page.says(".decisions-import", "proem import").await;
        page.see("[data-welcome=due]").await;
        page.click(".empty a[href='/chat']").await;
        page.see("[data-said=opener]").await;
        // The welcome's address took the place of the empty one: one step back is here again.
        page.driver.back().await.unwrap();
        page.see("[data-page=governance] [data-entry]").await;
        page.keys("j").await;
        page.press(Key::Enter).await;
        page.see("[data-session-page][data-state=ready] [data-firing]").await;
    })
    .await;
}

#[tokio::test]
async fn the_welcome_is_offered_again_after_a_question() {
    run("welcome-again", Server::start().await, &[], async |page| {
        page.enter("/chat").await;
        page.see("[data-said=opener]").await;
        page.click("nav[aria-label=Main] a[href='/governance']").await;
        page.see("[data-welcome=done] a").await;
        let first: String = page.js("return document.querySelector('[data-welcome] a').getAttribute('href');", &[]).await;
        page.click("[data-welcome-again]").await;
        page.see("dialog[open]").await;
        page.press(Key::Escape).await;
        page.gone("dialog[open]").await;
        page.click("[data-welcome-again]").await;
        page.click("dialog[open] [data-confirm]").await;
        page.see("[data-welcome=due]").await;
        page.click("nav[aria-label=Main] a[href='/chat']").await;
        page.see("[data-said=opener]").await;
        let elsewhere = "location.pathname.startsWith('/chat/') && location.pathname !== a[0]";
        page.until::<Value>("another conversation", elsewhere, &[json!(first)]).await;
        page.until::<Value>("both are listed", "document.querySelectorAll('[data-conversation]').length === 2", &[]).await;
    })
    .await;
}

#[tokio::test]
async fn what_is_switched_on_is_said_with_the_faults_of_its_files() {
    let server = Server::start().await;
    server.configure("response_checks.yaml", "forbidden: [\"as an AI\"]\n");
    server.configure("intercepts.yaml", "openers: 3\n");
    run("posture", server, &[], async |page| {
        page.enter("/governance").await;
        page.says("[data-check=forbidden][data-on=true]", "1 phrase").await;
        page.see("[data-check=org_secret][data-on=false]").await;
        page.see("[data-config='config/intercepts.yaml'] [data-config-problem]").await;
        page.see("[data-write-health=true]").await;
        page.see("[data-handler-row=welcome][data-on=true]").await;
    })
    .await;
}
