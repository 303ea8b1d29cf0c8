//! Without a mouse: reach the editor, type, leave it, save.

use super::browser::run;
use super::page::Page;
use super::server::Server;
use super::workbench::{EDITOR, SKILL, fresh, open, saved, written};
use serde_json::json;
use thirtyfour::prelude::*;

/// Presses Tab until the focus is on an element; every stop on the way must be visible.
pub async fn tab_to(page: &Page, css: &str) {
    for _ in 0..60 {
        page.press(Key::Tab).await;
        let (there, shown): (bool, bool) = page
            .js(
                "const it = document.activeElement, box = it.getBoundingClientRect();
                 return [it.matches(a[0]), it === document.body || (box.width > 0 && box.height > 0)];",
                &[json!(css)],
            )
            .await;
        let stop: String = page.js("return document.activeElement.outerHTML.slice(0, 200);", &[]).await;
        assert!(shown, "the focus is on something that takes no room: {stop}");
        if there {
            return;
        }
    }
    panic!("Tab does not lead to {css}");
}

#[tokio::test]
async fn a_skill_is_edited_and_saved() {
    run("keyboard", Server::start().await, &[], async |page| {
        open(page, SKILL).await;
        tab_to(page, EDITOR).await;
        page.chord(Key::Control, 'a').await;
        page.press(Key::Delete).await;
        page.keys("Typed by hand.").await;
        fresh(page).await;
        assert_eq!(written(page).await, "Typed by hand.");
        // Tab leaves the editor rather than indenting.
        tab_to(page, "button[data-save]").await;
        page.press(Key::Enter).await;
        saved(page, 2).await;
        assert_eq!(page.server.skill(SKILL).await.head.body, "Typed by hand.");
    })
    .await;
}

#[tokio::test]
async fn control_s_saves_from_within_the_editor() {
    run("control-s", Server::start().await, &[], async |page| {
        open(page, SKILL).await;
        tab_to(page, EDITOR).await;
        page.chord(Key::Control, 'a').await;
        page.keys("Saved with a chord.").await;
        fresh(page).await;
        page.chord(Key::Control, 's').await;
        saved(page, 2).await;
        assert_eq!(page.server.skill(SKILL).await.head.body, "Saved with a chord.");
    })
    .await;
}

#[tokio::test]
async fn lists_are_walked_with_j_and_k() {
    run("list-keys", Server::start().await, &[], async |page| {
        page.enter("/skills").await;
        page.see("li[data-skill]").await;
        page.keys("jj").await;
        let focused = "return document.activeElement.closest('li[data-skill]')?.dataset.skill ?? document.activeElement.tagName;";
        assert_eq!(page.js::<String>(focused, &[]).await, "opening-task-resume");
        page.keys("k").await;
        assert_eq!(page.js::<String>(focused, &[]).await, SKILL);
        page.keys("/").await;
        page.keys("agent").await;
        page.until::<bool>("two rows", "document.querySelectorAll('li[data-skill]').length === 2", &[]).await;
        page.press(Key::Escape).await;
        page.until::<bool>("all rows", "document.querySelectorAll('li[data-skill]').length === 6", &[]).await;
        page.press(Key::Tab).await;
        tab_to(page, "a.list-title").await;
        page.press(Key::Enter).await;
        page.see("[data-page=skill]").await;
    })
    .await;
}
