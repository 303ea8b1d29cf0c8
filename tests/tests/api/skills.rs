//! Reading and saving skills: nothing is overwritten, nothing faulty is stored, nothing is seeded twice.

use super::server::Server;
use axum::http::{Method, StatusCode};
use proem_core::api::{ApiError, RevisionList, RoleDetail, SkillDetail, SkillList};
use proem_core::opening::builtin::{BUILTINS, DEFAULT_ROLE, DEFAULT_ROLE_ID};
use serde_json::json;

const SKILL: &str = "/api/skills/opening-task-start";
const REVISIONS: &str = "/api/skills/opening-task-start/revisions";

async fn revisions(server: &Server) -> Vec<u32> {
    server.get(REVISIONS).await.json::<RevisionList>().revisions.iter().map(|revision| revision.number).collect()
}

#[tokio::test]
async fn a_fresh_home_holds_the_role_and_the_builtins_once() {
    let server = Server::start().await.restart().await;
    let role: RoleDetail = server.get("/api/role").await.json();
    assert_eq!((role.id.as_str(), role.head.number, role.head.body.as_str()), (DEFAULT_ROLE_ID, 1, DEFAULT_ROLE));
    let list: SkillList = server.get("/api/skills").await.json();
    assert_eq!(list.skills.len(), BUILTINS.len());
    for (detail, builtin) in list.skills.iter().zip(&BUILTINS) {
        assert_eq!(detail.skill.slug, builtin.slug);
        assert_eq!(detail.skill.builtin.as_deref(), Some(builtin.slug));
        assert!(detail.skill.enabled);
        assert_eq!((detail.head.number, detail.head.author.as_str(), detail.head.contract), (1, "proem", 1));
        assert_eq!(detail.head.body, builtin.body);
    }
}

#[tokio::test]
async fn a_save_is_a_new_revision_and_stays() {
    let server = Server::start().await;
    let wanted = json!({ "base": 1, "body": "\u{feff}Do it.\r\nNow.\r", "note": " shorter " });
    let saved: SkillDetail = server.json(Method::PUT, SKILL, &wanted).await.json();
    assert_eq!((saved.head.number, saved.head.body.as_str(), saved.head.note.as_str()), (2, "Do it.\nNow.\n", "shorter"));
    let server = server.restart().await;
    assert_eq!(server.get(SKILL).await.json::<SkillDetail>(), saved);
    assert_eq!(revisions(&server).await, [2, 1]);
    let oldest = server.get(REVISIONS).await.json::<RevisionList>().revisions.remove(1);
    assert_eq!(oldest.body, BUILTINS[0].body);
}

#[tokio::test]
async fn the_same_text_is_no_new_revision() {
    let server = Server::start().await;
    let wanted = json!({ "base": 1, "body": "New." });
    let first = server.json(Method::PUT, SKILL, &wanted).await;
    // Sent again, as after a lost answer: its base is old by now, its text is what is stored.
    let second = server.json(Method::PUT, SKILL, &wanted).await;
    assert_eq!((first.status, second.status), (StatusCode::OK, StatusCode::OK));
    assert_eq!(first.json::<SkillDetail>(), second.json::<SkillDetail>());
    assert_eq!(revisions(&server).await, [2, 1]);
}

#[tokio::test]
async fn a_stale_save_stores_nothing_and_shows_what_is_stored() {
    let server = Server::start().await;
    server.json(Method::PUT, SKILL, &json!({ "base": 1, "body": "Theirs." })).await;
    let answer = server.json(Method::PUT, SKILL, &json!({ "base": 1, "body": "Ours." })).await;
    assert_eq!(answer.status, StatusCode::CONFLICT);
    let error: ApiError = answer.json();
    assert_eq!(error.code, "stale");
    let head = error.head.unwrap();
    assert_eq!((head.number, head.body.as_str()), (2, "Theirs."));
    insta::assert_snapshot!(error.message);
    // A base that does not exist yet is no better.
    let answer = server.json(Method::PUT, SKILL, &json!({ "base": 7, "body": "Ours." })).await;
    assert_eq!(answer.status, StatusCode::CONFLICT);
    assert_eq!(revisions(&server).await, [2, 1]);
}

#[tokio::test]
async fn of_two_saves_at_once_one_is_stale() {
    let server = Server::start().await;
    let (ours, theirs) = (json!({ "base": 1, "body": "Ours." }), json!({ "base": 1, "body": "Theirs." }));
    let (one, other) = tokio::join!(server.json(Method::PUT, SKILL, &ours), server.json(Method::PUT, SKILL, &theirs));
    let mut statuses = [one.status.as_u16(), other.status.as_u16()];
    statuses.sort();
    assert_eq!(statuses, [200, 409]);
    assert_eq!(revisions(&server).await, [2, 1]);
}

#[tokio::test]
async fn a_faulty_text_is_refused_with_all_its_faults() {
    let server = Server::start().await;
    let mut report = String::new();
    for body in ["Hello {% if %}", "{{ task.titel.x }}", "{{ task.title }} {{ conversation.title }}", "{{ a + }"] {
        let answer = server.json(Method::PUT, SKILL, &json!({ "base": 1, "body": body })).await;
        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY, "{body}");
        let error: ApiError = answer.json();
        assert_eq!(error.code, "refused");
        assert!(!error.problems.is_empty());
        report += &format!("{body}\n  {}\n", error.message);
        for problem in &error.problems {
            let sample = problem.sample.as_deref().unwrap_or("-");
            report += &format!("  {}:{} {} {sample}\n", problem.line, problem.column, problem.code);
        }
    }
    insta::assert_snapshot!(report);
    assert_eq!(revisions(&server).await, [1]);
}
