//! The margin of a skill's text: problems of branches that never run, branches and who reaches them, facts, and why a place is not in
//! an opening.

use super::browser::run;
use super::page::Page;
use super::server::Server;
use super::workbench::{EDITOR, SKILL, fresh, open, saved, write};
use serde_json::{Value, json};
use thirtyfour::prelude::*;

/// Speaks in one situation only, with conditions within.
const RESUME: &str = "opening-task-resume";

/// The text that is selected in the editor.
async fn selected(page: &Page) -> String {
    let script = "(view => view.state.sliceDoc(view.state.selection.main.from, view.state.selection.main.to))(document.querySelector(a[0]).view)";
    page.until("a selection", script, &[json!(EDITOR)]).await
}

/// Puts the cursor before some words of the text.
async fn cursor(page: &Page, before: &str) {
    let script = "const view = document.querySelector(a[0]).view, at = view.state.doc.toString().indexOf(a[1]);
        view.dispatch({ selection: { anchor: at } }); return at;";
    assert!(page.js::<i64>(script, &[json!(EDITOR), json!(before)]).await >= 0, "{before}");
}

/// Waits for a row of the open table by its code, and gives its marks.
async fn marks(page: &Page, code: &str) -> Vec<String> {
    let script = "(row => row && [...row.querySelectorAll('td')].map(it => it.textContent))
        ([...document.querySelectorAll('.matrix tbody tr')].find(it => it.querySelector('code').textContent === a[0]))";
    page.until(code, script, &[json!(code)]).await
}

#[tokio::test]
async fn a_typo_in_a_branch_that_never_runs_blocks_the_save() {
    run("typo", Server::start().await, &[], async |page| {
        open(page, SKILL).await;
        write(page, "Hello.\n{% if role.name == 'nobody' %}{{ task.titel }} {{ role.nam }}{% endif %}\n").await;
        page.says("[data-problems] li[data-severity=error]", "titel").await;
        page.says("[data-problems] li[data-severity=error]", "task.title").await;
        // Everything is reported at once.
        page.says("[data-problems] li[data-severity=error]", "role.name").await;
        page.says("#margin-problems", "2").await;
        fresh(page).await;
        assert_eq!(page.js::<Value>("return document.querySelector('[data-part-failed]');", &[]).await, Value::Null);
        page.click("button[data-save]").await;
        page.says(".notices .notice", "Mend the errors").await;
        assert_eq!(page.server.skill(SKILL).await.head.number, 1);
        write(
            page,
            "Hello.\n{% if role.name == 'nobody' %}{% if task %}{{ task.title }}{% endif %} {{ role.name }}{% endif %}\n",
        )
        .await;
        fresh(page).await;
        page.gone("[data-problems] li[data-severity=error]").await;
        page.click("button[data-save]").await;
        saved(page, 2).await;
    })
    .await;
}

#[tokio::test]
async fn branches_that_no_sample_reaches_lead_to_their_conditions() {
    run("branches", Server::start().await, &[], async |page| {
        open(page, RESUME).await;
        page.gone(".matrix").await;
        page.says("#margin-branches", "never").await;
        page.click("#margin-branches").await;
        let outer = "opening and opening.kind == \"task-resume\"";
        let reached = marks(page, outer).await;
        let only_resume = ["not reached", "reached", "not reached", "not reached", "not reached", "not reached"];
        assert_eq!(reached, only_resume);
        page.says(".matrix tbody tr", "otherwise (implied, no text)").await;
        page.click(".margin-head input[value='never reached'] + span").await;
        page.until::<Value>(
            "only what is never reached",
            "document.querySelectorAll('.matrix-never').length === document.querySelectorAll('.matrix tbody tr').length",
            &[],
        )
        .await;
        assert!(page.address().await.contains("margin=never"));
        page.says(".matrix tbody tr", "never").await;
        page.click(".matrix tbody tr .matrix-pick").await;
        let condition = page.text(".matrix tbody tr code").await;
        assert_eq!(selected(page).await, condition);
        // As one types; a half-typed text keeps what is known, and says so.
        write(page, "{% if role.name == 'nobody' %}x{% endif %}").await;
        assert_eq!(marks(page, "role.name == 'nobody'").await, ["not reached"; 6]);
        write(page, "{% if role.name == 'nobody' %}x{% endi").await;
        page.says("[data-branch-words]", "an earlier one").await;
        write(page, "Always the same.").await;
        page.says("[data-branch-words]", "no condition").await;
    })
    .await;
}

#[tokio::test]
async fn why_a_place_is_not_in_another_situation() {
    run("why", Server::start().await, &[], async |page| {
        open(page, &format!("{RESUME}?situation=task-start")).await;
        page.click("[data-not-sent] [data-ask-why]").await;
        page.says(".why-sentence", "task-resume").await;
        cursor(page, "Carry on from").await;
        page.says(".why-sentence", "task-start").await;
        page.click("[data-blocking=true] button").await;
        assert_eq!(selected(page).await, "opening and opening.kind == \"task-resume\"");
        cursor(page, "Carry on from").await;
        page.click("[role=tab][data-situation=task-resume]").await;
        page.says("#margin [data-blocking=false]", "Must be true, and was.").await;
        page.gone("[data-blocking=true]").await;
        // Of a text that cannot be read it says that.
        write(page, "{% if").await;
        page.says("#margin .margin-head", "error").await;
    })
    .await;
}

#[tokio::test]
async fn facts_are_read_or_offered_in_vain() {
    run("facts", Server::start().await, &[], async |page| {
        open(page, &format!("{RESUME}?margin=facts")).await;
        let title = marks(page, "task.title").await;
        assert_eq!((title[0].as_str(), title[1].as_str(), title[2].as_str()), ("not read", "read", "not there"));
        page.click(".margin-head input[value='never read'] + span").await;
        assert_eq!(marks(page, "role.id").await, ["not read"; 6]);
        write(page, "{{ role.id }}{{ role.name }}").await;
        page.until::<Value>(
            "a row to go",
            "![...document.querySelectorAll('.matrix tbody code')].some(it => it.textContent === 'role.id')",
            &[],
        )
        .await;
        page.click(".margin-head input[value='read'] + span").await;
        assert_eq!(marks(page, "role.id").await, ["read"; 6]);
        assert!(page.address().await.contains("margin=read"));
    })
    .await;
}

#[tokio::test]
async fn the_margin_is_walked_with_the_keyboard() {
    run("margin-keys", Server::start().await, &[], async |page| {
        open(page, RESUME).await;
        page.click("#margin-problems").await;
        page.press(Key::Right).await;
        page.see("#margin-branches[aria-selected=true]").await;
        page.press(Key::Right).await;
        page.press(Key::Right).await;
        page.see("#margin-why[aria-selected=true]").await;
        page.press(Key::Right).await;
        page.press(Key::Right).await;
        page.see("#margin[data-margin=branches] .matrix tbody tr").await;
        // Into the panel, past its choices, to the first row.
        for _ in 0..3 {
            page.press(Key::Tab).await;
        }
        page.press(Key::Enter).await;
        assert_eq!(selected(page).await, "opening and opening.kind == \"task-resume\"");
    })
    .await;
}
