//! The link with the token opens the product; without it every page asks.

use super::browser::run;
use super::server::{Server, TOKEN};
use thirtyfour::prelude::*;

#[tokio::test]
async fn the_link_signs_in_and_leaves_no_token_behind() {
    run("link", Server::start().await, &[], async |page| {
        page.enter("/").await;
        page.see("[data-page=skills]").await;
        assert_eq!(page.address().await, "/skills");
        assert!(!page.js::<String>("return document.cookie;", &[]).await.contains(TOKEN), "scripts must not see the cookie");
    })
    .await;
}

#[tokio::test]
async fn a_page_without_the_token_asks_for_it() {
    // Refused requests are what this test provokes; the browser reports them.
    run("token", Server::start().await, &["401 (Unauthorized)"], async |page| {
        for path in ["/sessions/0123456789abcdef", "/skills/opening-task-start", "/sessions", "/skills"] {
            page.go(path).await;
            page.see("#token").await;
        }
        page.click("#token").await;
        page.keys("not the token").await;
        page.press(Key::Enter).await;
        page.says("[role=alert]", "token").await;
        page.js::<bool>("document.querySelector('#token').select(); return true;", &[]).await;
        page.keys(TOKEN).await;
        page.press(Key::Enter).await;
        page.gone("#token").await;
        page.go("/skills").await;
        page.see("[data-page=skills]").await;
    })
    .await;
}
