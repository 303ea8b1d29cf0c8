//! When the ledger does not answer: the pages say so, and everything else is there.

use super::browser::run;
use super::page::BLOCKED;
use super::server::Server;

#[tokio::test]
async fn a_ledger_that_does_not_answer_is_no_empty_ledger() {
    let server = Server::start().await;
    server.say(None, "help").await;
    run("ledger-fails", server, &[BLOCKED], async |page| {
        page.enter("/governance").await;
        page.see("[data-entry]").await;
        page.block(&["*/api/governance/audit*"]).await;
        page.driver.refresh().await.unwrap();
        page.says("[data-decisions] [role=alert]", "does not answer").await;
        page.gone(".empty").await;
        // What is switched on does not depend on it.
        page.see("[data-posture] [data-check]").await;
        page.block(&[]).await;
        page.click("[data-decisions] [role=alert] button").await;
        page.see("[data-entry]").await;
    })
    .await;
}

#[tokio::test]
async fn a_trace_is_drawn_without_the_ledger() {
    let server = Server::start().await;
    let talk = server.say(None, "help").await;
    run("trace-without-ledger", server, &[BLOCKED], async |page| {
        page.enter("/sessions").await;
        page.see("[data-session]").await;
        page.block(&["*/api/governance/audit*"]).await;
        page.go(&format!("/sessions/{talk}")).await;
        page.see("[data-trace] [data-kind=handler]").await;
        page.says("[data-ledger-note]", "could not be fetched").await;
        page.gone("[data-trace] [data-kind=governance]").await;
        // In a conversation, only who answered is not known.
        page.go(&format!("/chat/{talk}")).await;
        page.says("[data-said=answer] [data-answered-by]", "Answered").await;
        page.gone("[data-said=answer][data-handler]").await;
        page.block(&[]).await;
        page.go(&format!("/sessions/{talk}")).await;
        page.see("[data-trace] [data-kind=governance][data-decision=allow]").await;
        page.gone("[data-ledger-note]").await;
        page.click("[data-firing] button").await;
        page.see("[data-node-detail^=gov] .call-decisions li").await;
    })
    .await;
}
