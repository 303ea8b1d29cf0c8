//! Stored sessions and the example: found, opened, linked to, and left again.

use super::browser::run;
use super::replay::{LISTED, LOG, READ, iris, link_to, shown_trace, trace, turns};
use super::server::Server;
use axum::body::Body;
use axum::http::Method;
use serde_json::{Value, json};

const TURN: &str = "3fa9c07be21d@cccccccccccccccccccccccccccccccc";

#[tokio::test]
async fn the_example_is_one_click_away_and_is_not_stored() {
    run("example", Server::start().await, &[], async |page| {
        page.enter("/sessions").await;
        page.click("a[href='/sessions/example']").await;
        let shown = turns(page).await;
        let system = shown.iter().find(|turn| turn.opened_by == "system").expect("the example has a turn that nobody typed");
        assert!(system.label.as_deref().is_some_and(|label| !label.trim().is_empty()), "{system:?}");
        assert!(system.messages.iter().all(|(role, _)| role != "user"), "{system:?}");
        let drawn = trace(page, &system.reference).await;
        assert!(drawn.rows.len() > 1 && drawn.rows[0].2.contains("IrisRuntime.open_turn"), "{drawn:?}");
        assert_eq!(page.server.json(Method::GET, "/api/sessions", Value::Null).await["sessions"], json!([]));
    })
    .await;
}

#[tokio::test]
async fn a_stored_session_opens_from_the_list_and_by_its_link() {
    let server = Server::start().await;
    let id = server.upload(LOG, &std::fs::read(iris(LOG)).unwrap()).await;
    run("stored", server, &[], async |page| {
        page.enter("/sessions").await;
        page.click(&format!("li[data-session='{id}'] a.list-title")).await;
        page.see(READ).await;
        trace(page, TURN).await;
        let address = page.address().await;
        assert_eq!(address, link_to(page, TURN).await, "what is chosen is in the address");
        page.driver.refresh().await.unwrap();
        page.see(&format!("article[data-turn='{TURN}'][aria-current=true]")).await;
        let shown = shown_trace(page, TURN).await;
        assert_eq!(shown.rows.len(), 9);
        // A call is an address, too.
        page.click(&format!("[data-trace='{TURN}'] [role=option][data-node=tool0]")).await;
        page.see("[data-node-detail=tool0]").await;
        assert!(page.address().await.contains("node=tool0"));
        page.driver.refresh().await.unwrap();
        page.see("[data-node-detail=tool0]").await;
        page.see(&format!("[data-trace='{TURN}'] [data-node=tool0][aria-selected=true]")).await;
    })
    .await;
}

#[tokio::test]
async fn a_dropped_log_is_stored_as_it_is() {
    run("store", Server::start().await, &[], async |page| {
        page.enter("/sessions").await;
        page.drop_files(LISTED, &[&iris(LOG)]).await;
        page.see(READ).await;
        page.click("[data-store]").await;
        page.until::<bool>("the stored session's address", "/^\\/sessions\\/[0-9a-f]{8,}$/.test(location.pathname)", &[]).await;
        page.see(READ).await;
        let stored = page.server.json(Method::GET, "/api/sessions", Value::Null).await;
        let id = stored["sessions"][0]["id"].as_str().expect("it is stored").to_owned();
        assert!(page.address().await.starts_with(&format!("/sessions/{id}")));
        let (_, raw) = page.server.ask(Method::GET, &format!("/api/sessions/{id}/raw"), Body::empty()).await;
        assert_eq!(raw, std::fs::read(iris(LOG)).unwrap());
        page.go("/sessions").await;
        page.see(&format!("li[data-session='{id}']")).await;
    })
    .await;
}

#[tokio::test]
async fn back_and_forward_lead_through_sessions() {
    let server = Server::start().await;
    let id = server.upload(LOG, &std::fs::read(iris(LOG)).unwrap()).await;
    run("session-history", server, &[], async |page| {
        page.enter("/sessions").await;
        page.click(&format!("li[data-session='{id}'] a.list-title")).await;
        page.see(READ).await;
        page.click("nav[aria-label=Main] a[href='/skills']").await;
        page.see("[data-page=skills]").await;
        page.driver.back().await.unwrap();
        page.see(READ).await;
        page.driver.back().await.unwrap();
        page.see(LISTED).await;
        page.driver.forward().await.unwrap();
        page.see(READ).await;
    })
    .await;
}

#[tokio::test]
async fn a_session_that_is_not_there_is_said() {
    run("no-session", Server::start().await, &["404 (Not Found)"], async |page| {
        page.enter("/sessions/0123456789abcdef0123456789abcdef").await;
        let sentence = page.text("main [role=alert]").await;
        assert!(sentence.split_whitespace().count() > 3, "{sentence:?}");
    })
    .await;
}
