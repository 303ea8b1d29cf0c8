//! The skill page as tests use it: write into the editor, look at an opening, save.

use super::page::Page;
use proem_core::api::SkillDetail;
use proem_core::opening::compose::{PartText, compose};
use proem_core::opening::kind::OpeningKind;
use proem_core::opening::sample::{Sample, Variant};
use serde_json::{Value, json};

/// The skill that most tests edit.
pub const SKILL: &str = "opening-task-start";
/// The editor of the draft.
pub const EDITOR: &str = "code-editor[data-draft-editor]";

/// Goes to a skill's page and waits for its first preview.
pub async fn open(page: &Page, slug: &str) {
    page.enter(&format!("/skills/{slug}")).await;
    fresh(page).await;
}

/// Waits until what is shown belongs to the text in the editor.
pub async fn fresh(page: &Page) {
    page.until::<Value>("the editor", "!!document.querySelector(a[0])?.view", &[json!(EDITOR)]).await;
    page.see("[data-page=skill][data-preview=fresh]").await;
}

/// Replaces the text in the editor, as one edit of its writer.
pub async fn write(page: &Page, text: &str) {
    let script = "const view = document.querySelector(a[0]).view;
        view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: a[1] } }); return true;";
    page.until::<Value>("the editor", "!!document.querySelector(a[0])?.view", &[json!(EDITOR)]).await;
    page.js::<bool>(script, &[json!(EDITOR), json!(text)]).await;
}

/// The text in the editor.
pub async fn written(page: &Page) -> String {
    page.js("return document.querySelector(a[0]).doc;", &[json!(EDITOR)]).await
}

/// The fresh opening of a situation's busy day, after choosing its tab.
pub async fn opening(page: &Page, kind: OpeningKind) -> String {
    page.click(&format!("[role=tab][data-situation={kind}]")).await;
    fresh(page).await;
    let shown = format!("[data-opening='{}'][data-stale=false]", Sample { kind, variant: Variant::Populated });
    page.see(&shown).await;
    page.js("return document.querySelector(a[0]).textContent;", &[json!(shown)]).await
}

/// What the core says an agent gets on a busy day, with a draft in the place of a stored text.
pub async fn expected(page: &Page, slug: &str, draft: &str, kind: OpeningKind) -> String {
    let texts = stored(page).await.into_iter().map(|mut part| {
        if part.slug.as_deref() == Some(slug) {
            part.body = draft.to_owned();
        }
        part
    });
    compose(&Sample { kind, variant: Variant::Populated }.facts(), &texts.collect::<Vec<_>>()).text
}

/// The role's instruction and every skill's text, as the server stores them.
pub async fn stored(page: &Page) -> Vec<PartText> {
    let role = page.server.json(axum::http::Method::GET, "/api/role", Value::Null).await;
    let skills = page.server.json(axum::http::Method::GET, "/api/skills", Value::Null).await;
    let part = |slug: Option<String>, name: &str, body: &str| PartText {
        slug,
        name: name.to_owned(),
        revision: None,
        attachments: Vec::new(),
        body: body.to_owned(),
    };
    let mut parts = vec![part(None, "", role["head"]["body"].as_str().expect("a body"))];
    for skill in skills["skills"].as_array().expect("skills") {
        let skill: SkillDetail = serde_json::from_value(skill.clone()).expect("a skill");
        parts.push(part(Some(skill.skill.slug), &skill.skill.name, &skill.head.body));
    }
    parts
}

/// Waits until the page shows a saved revision and nothing unsaved.
pub async fn saved(page: &Page, number: u32) {
    page.see(&format!("[data-page=skill][data-revision='{number}'][data-dirty=false]")).await;
}
