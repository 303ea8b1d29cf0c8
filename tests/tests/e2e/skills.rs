//! Edit a skill, see every situation change, save, come back; and faults that come and go while typing.

use super::browser::run;
use super::server::Server;
use super::workbench::{EDITOR, SKILL, expected, fresh, open, opening, saved, write, written};
use proem_core::opening::kind::OpeningKind;
use serde_json::{Value, json};

/// Speaks in every situation, and differently in each.
const TEXT: &str = "{% if opening %}\nThis run is a {{ opening.kind }} for {{ role.name }}.\n{% endif %}\n";

#[tokio::test]
async fn an_edit_changes_all_six_openings_and_a_save_keeps_it() {
    run("edit", Server::start().await, &[], async |page| {
        open(page, SKILL).await;
        let mut before = Vec::new();
        for kind in OpeningKind::ALL {
            before.push(opening(page, kind).await);
        }
        write(page, TEXT).await;
        fresh(page).await;
        for (kind, before) in OpeningKind::ALL.into_iter().zip(before) {
            let now = opening(page, kind).await;
            assert_ne!(now, before, "{kind} did not change");
            assert!(now.contains(&format!("This run is a {kind} for Release engineer.")), "{kind}: {now}");
            assert_eq!(now, expected(page, SKILL, TEXT, kind).await, "{kind}");
        }
        assert_eq!(page.server.skill(SKILL).await.head.number, 1, "nothing is saved before it is asked for");
        page.click("button[data-save]").await;
        saved(page, 2).await;
        page.says(".notices .notice", "Revision 2").await;
        assert_eq!(page.server.skill(SKILL).await.head.body, TEXT);
        page.driver.refresh().await.unwrap();
        fresh(page).await;
        saved(page, 2).await;
        assert_eq!(written(page).await, TEXT);
        let kind = OpeningKind::HumanConversationResume;
        assert_eq!(opening(page, kind).await, expected(page, SKILL, TEXT, kind).await);
        page.go("/skills").await;
        page.see(&format!("li[data-skill={SKILL}] [data-revision='2'], li[data-skill={SKILL}][data-revision='2']")).await;
    })
    .await;
}

/// Where the editor underlines: line, and the text under the mark.
const MARKED: &str =
    "[...document.querySelector(a[0]).shadowRoot.querySelectorAll('.cm-lintRange-error')].map(it => it.textContent).join('|')";

#[tokio::test]
async fn a_fault_is_shown_at_its_place_and_in_the_list_until_it_is_mended() {
    run("fault", Server::start().await, &[], async |page| {
        open(page, SKILL).await;
        write(page, "Für {{ role.name }}.\n{% if opening %}{{ opening.kidn }}{% endif %}\n").await;
        page.says("[data-problems] li[data-severity=error]", "kidn").await;
        page.says("[data-problems] li[data-severity=error]", "line 2, column 20").await;
        page.says("[data-problems]", "kind").await;
        let marked: String = page.until("a mark in the editor", MARKED, &[json!(EDITOR)]).await;
        assert_eq!(marked, "opening.kidn");
        // From the list to the place.
        page.click("[data-problems] li[data-severity=error] button").await;
        let selected = "(view => view.state.sliceDoc(view.state.selection.main.from, view.state.selection.main.to))(document.querySelector(a[0]).view)";
        assert_eq!(page.until::<String>("a selection", selected, &[json!(EDITOR)]).await, "opening.kidn");
        assert_eq!(page.js::<String>("return document.querySelector('button[data-save]').ariaDisabled;", &[]).await, "true");
        // Mended.
        write(page, "Für {{ role.name }}.\n{% if opening %}{{ opening.kind }}{% endif %}\n").await;
        fresh(page).await;
        page.gone("[data-problems] li[data-severity=error]").await;
        let unmarked = "!document.querySelector(a[0]).shadowRoot.querySelector('.cm-lintRange-error')";
        page.until::<Value>("no mark in the editor", unmarked, &[json!(EDITOR)]).await;
        page.click("button[data-save]").await;
        saved(page, 2).await;
    })
    .await;
}

#[tokio::test]
async fn samples_and_situations_are_addresses() {
    run("addresses", Server::start().await, &[], async |page| {
        page.enter("/skills").await;
        page.click(&format!("li[data-skill={SKILL}] a.list-title")).await;
        fresh(page).await;
        page.click("[role=tab][data-situation=task-resume]").await;
        page.see("[data-opening='task-resume/populated']").await;
        assert!(page.address().await.contains("situation=task-resume"));
        page.go(&format!("/skills/{SKILL}?situation=agent-conversation-start&sample=empty&server=old")).await;
        fresh(page).await;
        page.see("[data-opening='agent-conversation-start/empty'][data-old-server=true]").await;
        page.driver.refresh().await.unwrap();
        page.see("[data-opening='agent-conversation-start/empty'][data-old-server=true]").await;
    })
    .await;
}

#[tokio::test]
async fn back_and_forward_lead_through_the_pages() {
    run("history", Server::start().await, &[], async |page| {
        page.enter("/skills").await;
        page.click(&format!("li[data-skill={SKILL}] a.list-title")).await;
        page.see(&format!("[data-page=skill][data-slug={SKILL}]")).await;
        page.click("nav[aria-label=Main] a[href='/sessions']").await;
        page.gone("[data-page=skill]").await;
        page.until::<Value>("the sessions' address", "location.pathname === '/sessions'", &[]).await;
        page.driver.back().await.unwrap();
        page.see(&format!("[data-page=skill][data-slug={SKILL}]")).await;
        page.driver.back().await.unwrap();
        page.see("[data-page=skills]").await;
        page.driver.forward().await.unwrap();
        page.see(&format!("[data-page=skill][data-slug={SKILL}]")).await;
        fresh(page).await;
    })
    .await;
}
