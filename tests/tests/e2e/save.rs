//! Two people save the same skill: whoever comes second sees both texts and loses neither.

use super::browser::{LEFT_UNSAVED, run};
use super::page::Page;
use super::server::Server;
use super::workbench::{SKILL, fresh, open, saved, write, written};
use serde_json::json;

const MINE: &str = "Mine: {{ role.name }}, with my own words.\n";
const THEIRS: &str = "Theirs: {{ organization.name }}, saved meanwhile.\n";

/// The refused save is reported by the browser.
const REFUSED: [&str; 1] = ["409 (Conflict)"];

async fn conflict(page: &Page) {
    open(page, SKILL).await;
    write(page, MINE).await;
    fresh(page).await;
    page.server.save(SKILL, THEIRS).await;
    page.click("button[data-save]").await;
    page.see("dialog[data-conflict][open]").await;
    let texts: [String; 2] = page
        .js("return ['[data-mine]', '[data-theirs]'].map(it => document.querySelector('dialog[data-conflict] ' + it).textContent);", &[])
        .await;
    assert_eq!(texts, [MINE, THEIRS]);
    assert_eq!(page.server.skill(SKILL).await.head.body, THEIRS, "a stale save must not overwrite");
}

#[tokio::test]
async fn a_stale_save_can_keep_my_text() {
    run("keep-mine", Server::start().await, &REFUSED, async |page| {
        conflict(page).await;
        page.click("dialog[data-conflict] [data-keep-mine]").await;
        page.gone("dialog[data-conflict][open]").await;
        assert_eq!(written(page).await, MINE);
        // Either the choice saves by itself, or it makes the text ready to be saved on top of theirs.
        page.see("[data-page=skill][data-revision='2'], [data-page=skill][data-revision='3']").await;
        if page.js::<bool>("return document.querySelector('[data-page=skill]').dataset.dirty === 'true';", &[]).await {
            fresh(page).await;
            page.click("button[data-save]").await;
        }
        saved(page, 3).await;
        assert_eq!(page.server.skill(SKILL).await.head.body, MINE);
        let revisions = page.server.json(axum::http::Method::GET, &format!("/api/skills/{SKILL}/revisions"), json!(null)).await;
        assert_eq!(revisions["revisions"][1]["body"], THEIRS, "their text stays a revision");
    })
    .await;
}

#[tokio::test]
async fn a_stale_save_can_take_their_text() {
    run("take-theirs", Server::start().await, &REFUSED, async |page| {
        conflict(page).await;
        page.click("dialog[data-conflict] [data-take-theirs]").await;
        page.gone("dialog[data-conflict][open]").await;
        saved(page, 2).await;
        assert_eq!(written(page).await, THEIRS);
    })
    .await;
}

#[tokio::test]
async fn a_stale_save_can_be_thought_over() {
    run("keep-editing", Server::start().await, &REFUSED, async |page| {
        conflict(page).await;
        page.click("dialog[data-conflict] [data-keep-editing]").await;
        page.gone("dialog[data-conflict][open]").await;
        assert_eq!(written(page).await, MINE);
        page.see("[data-page=skill][data-dirty=true]").await;
        assert_eq!(page.server.skill(SKILL).await.head.body, THEIRS);
    })
    .await;
}

#[tokio::test]
async fn an_unsaved_draft_survives_a_reload() {
    run("draft", Server::start().await, &[LEFT_UNSAVED], async |page| {
        open(page, SKILL).await;
        write(page, MINE).await;
        fresh(page).await;
        page.until::<serde_json::Value>(
            "the kept draft",
            "localStorage.getItem('proem.draft.' + a[0])?.includes('Mine')",
            &[json!(SKILL)],
        )
        .await;
        page.go("/skills").await;
        page.see(&format!("li[data-skill={SKILL}] [data-draft]")).await;
        page.go(&format!("/skills/{SKILL}")).await;
        page.click("[data-kept-draft] button[data-restore]").await;
        page.see("[data-page=skill][data-dirty=true]").await;
        assert_eq!(written(page).await, MINE);
    })
    .await;
}
