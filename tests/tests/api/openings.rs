//! Openings over HTTP: what is stored, rendered with a sample or with facts.

use super::server::Server;
use axum::http::{Method, StatusCode};
use proem_core::api::ApiError;
use proem_core::opening::compose::{Opening, PartStatus, PartText, compose};
use proem_core::opening::kind::OpeningKind;
use proem_core::opening::sample::Sample;
use proem_core::opening::{builtin, facts::Facts};
use serde_json::json;

const RENDER: &str = "/api/openings/render";

/// What a fresh home opens with.
fn stored() -> Vec<PartText> {
    let role = PartText {
        slug: None,
        name: String::new(),
        revision: Some(1),
        attachments: Vec::new(),
        body: builtin::DEFAULT_ROLE.to_owned(),
    };
    let skills = builtin::BUILTINS.iter().map(|builtin| PartText {
        slug: Some(builtin.slug.to_owned()),
        name: builtin.name.to_owned(),
        revision: Some(1),
        attachments: Vec::new(),
        body: builtin.body.to_owned(),
    });
    std::iter::once(role).chain(skills).collect()
}

#[tokio::test]
async fn every_sample_is_what_the_core_makes_of_it() {
    let server = Server::start().await;
    for sample in Sample::all() {
        for old_server in [false, true] {
            let wanted = json!({ "sample": sample.to_string(), "old_server": old_server });
            let answer = server.json(Method::POST, RENDER, &wanted).await;
            let facts = if old_server { sample.facts().without_opening() } else { sample.facts() };
            assert_eq!(answer.json::<Opening>(), compose(&facts, &stored()), "{sample}");
        }
    }
}

#[tokio::test]
async fn facts_keep_every_digit() {
    let server = Server::start().await;
    let body = "{% if opening and opening.kind == \"task-start\" %}{{ opening.updates_omitted }}{% endif %}";
    let saved = server.json(Method::PUT, "/api/skills/opening-task-start", &json!({ "base": 1, "body": body })).await;
    assert_eq!(saved.status, StatusCode::OK, "{}", saved.body());
    let sample: Sample = "task-start/populated".parse().unwrap();
    let mut facts = sample.facts().document().clone();
    // One more than a JavaScript number can tell apart.
    facts["opening"]["updates_omitted"] = json!(9_007_199_254_740_993u64);
    let wanted = format!(r#"{{"facts":{facts},"subject":"task","session":"created"}}"#);
    let opening: Opening = server.text(Method::POST, RENDER, &wanted).await.json();
    assert_eq!(opening.kind, Some(OpeningKind::TaskStart));
    assert!(opening.text.contains("9007199254740993"), "{}", opening.text);
}

#[tokio::test]
async fn a_kind_that_subject_and_session_do_not_make_is_refused() {
    let server = Server::start().await;
    let sample: Sample = "task-start/populated".parse().unwrap();
    let facts = sample.facts().document().clone();
    let wanted = json!({ "facts": facts, "subject": "task", "session": "resumed" });
    let answer = server.json(Method::POST, RENDER, &wanted).await;
    assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
    let error: ApiError = answer.json();
    assert_eq!(error.code, "refused");
    insta::assert_snapshot!(error.message);

    let old: Facts = sample.facts().without_opening();
    let mut without = old.document().clone();
    without.as_object_mut().unwrap().remove("opening");
    let wanted = json!({ "facts": without, "subject": "task", "session": "resumed" });
    let opening: Opening = server.json(Method::POST, RENDER, &wanted).await.json();
    assert_eq!(opening.kind, None);
    assert!(opening.parts[1..].iter().all(|part| part.status == PartStatus::Omitted));
}
