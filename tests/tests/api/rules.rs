//! Rules are saved like skills, and the proof bundle judges what the home holds.

use super::server::{Server, bearer};
use axum::body::Body;
use axum::http::{Method, StatusCode};
use proem_core::api::governance::{ProofBundle, RulesDocument};
use proem_core::api::{ApiError, SessionList};
use proem_core::assertion::{Rules, Verdict};
use proem_core::log::stamp_text;
use serde_json::json;
use std::time::{SystemTime, UNIX_EPOCH};

const RULES: &str = "/api/governance/rules";
const PROOF: &str = "/api/governance/proof-bundle/check";
const BODY: &str = "rules:\n  - {id: answered, says: Every turn is answered., over: turn, must: {answers: 1}}\n";

async fn save(server: &Server, base: u32, body: &str) -> super::server::Answer {
    server.json(Method::PUT, RULES, &json!({ "base": base, "body": body })).await
}

#[tokio::test]
async fn rules_are_saved_and_stay() {
    let server = Server::start().await;
    let none: RulesDocument = server.get(RULES).await.json();
    assert_eq!(none, RulesDocument::default());
    let saved: RulesDocument = save(&server, 0, &BODY.replace('\n', "\r\n")).await.json();
    assert_eq!((saved.revision, saved.body.as_str(), saved.author.as_str()), (1, BODY, "owner"));
    // Sent again, as after a lost answer.
    assert_eq!(save(&server, 0, BODY).await.json::<RulesDocument>(), saved);
    let server = server.restart().await;
    assert_eq!(server.get(RULES).await.json::<RulesDocument>(), saved);
    let emptied: RulesDocument = save(&server, 1, "").await.json();
    assert_eq!((emptied.revision, emptied.body.as_str()), (2, ""));
}

#[tokio::test]
async fn a_stale_or_faulty_save_stores_nothing() {
    let server = Server::start().await;
    save(&server, 0, BODY).await;
    let stale = save(&server, 0, "rules: []\n").await;
    assert_eq!(stale.status, StatusCode::CONFLICT);
    let faulty = save(&server, 1, "rules:\n  - {id: a, says: s, over: turn, must: {outcom: ok}}\n  - {id: b}\n").await;
    assert_eq!(faulty.status, StatusCode::UNPROCESSABLE_ENTITY);
    let wrong = server.json(Method::PUT, RULES, &json!({ "base": 1 })).await;
    assert_eq!(wrong.status, StatusCode::BAD_REQUEST);
    let [stale, faulty]: [ApiError; 2] = [stale.json(), faulty.json()];
    assert_eq!(stale.head.as_ref().map(|head| (head.number, head.body.as_str())), Some((1, BODY)));
    let faults: Vec<String> = faulty.problems.iter().map(|problem| problem.one_line()).collect();
    insta::assert_snapshot!(format!(
        "{}: {}\n{}: {}\n{}",
        stale.code,
        stale.message,
        faulty.code,
        faulty.message,
        faults.join("\n")
    ));
    assert_eq!(server.get(RULES).await.json::<RulesDocument>().revision, 1);
}

async fn proof(server: &Server, query: &str) -> ProofBundle {
    server.get(&format!("{PROOF}{query}")).await.json()
}

fn told(bundle: &ProofBundle) -> Vec<String> {
    let word = |verdict: Verdict| verdict.words();
    bundle
        .invariants
        .iter()
        .map(|rule| format!("{} {} {:?}", rule.id, word(rule.verdict), rule.evidence.values().next()))
        .collect()
}

#[tokio::test]
async fn an_empty_home_proves_nothing() {
    let server = Server::start().await;
    let bundle = proof(&server, "").await;
    assert_eq!((bundle.ok, bundle.days, bundle.ledger_rows, bundle.logs), (true, 7, 0, 0));
    let ids: Vec<&str> = bundle.invariants.iter().map(|rule| rule.id.as_str()).collect();
    assert_eq!(ids, Rules::built_in().said().map(|(id, _)| id).collect::<Vec<_>>());
    assert!(bundle.invariants.iter().all(|rule| rule.verdict == Verdict::Nothing && rule.ok));
}

#[tokio::test]
async fn what_proem_runs_itself_keeps_every_rule() {
    let server = Server::start().await;
    assert_eq!(server.json(Method::POST, "/api/chat/welcome", &json!({})).await.status, StatusCode::OK);
    let said = server.json(Method::POST, "/api/chat/messages", &json!({ "text": "help" })).await;
    assert_eq!(said.status, StatusCode::OK, "{}", said.body());
    let test = server.send(bearer(Method::POST, "/api/chat/openers/welcome").body(Body::empty()).unwrap()).await;
    assert_eq!(test.status, StatusCode::OK, "{}", test.body());
    let bundle = proof(&server, "?days=1").await;
    assert!(bundle.ok, "{bundle:#?}");
    assert_eq!((bundle.logs, bundle.turns), (3, 3));
    insta::assert_snapshot!(told(&bundle).join("\n"));
}

#[tokio::test]
async fn a_second_welcome_is_found_with_its_stored_log_and_line() {
    let server = Server::start().await;
    server.json(Method::POST, "/api/chat/welcome", &json!({})).await;
    let now = i64::try_from(SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_micros()).unwrap();
    upload(&server, "session-again.jsonl", now).await;
    upload(&server, "session-old.jsonl", now - 40 * 24 * 3600 * 1_000_000).await;
    let bundle = proof(&server, "?days=30").await;
    assert!(!bundle.ok);
    let once = &bundle.invariants[0];
    assert_eq!((once.id.as_str(), once.verdict, once.violation_count), ("welcome-once", Verdict::Violated, 1));
    let found = &once.violations[0];
    let sessions: SessionList = server.get("/api/sessions").await.json();
    let id = |session: &str| sessions.sessions.iter().find(|s| s.summary.session_id == session).map(|s| s.id.clone());
    assert_eq!(found.stored, id(found.violation.spot.session.as_deref().unwrap()));
    assert!(found.violation.spot.line.is_some());
    // Nothing of the imported log's rows is known here, so nothing is said about them.
    assert_eq!(bundle.invariants[4].evidence["turns"], 1, "{bundle:#?}");
    assert_eq!(proof(&server, "?days=366").await.invariants[0].violation_count, 2);
}

/// A log of one welcome at a time.
async fn upload(server: &Server, name: &str, at_us: i64) {
    let ts = stamp_text(at_us);
    let turn = format!("{:032x}", at_us);
    let line = |kind: &str, rest: &str| format!(r#"{{"kind":"{kind}","ts":"{ts}","turn_id":"{turn}",{rest}}}"#);
    let lines = [
        line("turn_open", r#""opener":"welcome","label":"First-chat welcome""#),
        line("handler.end", r#""payload":{"handler":"welcome"}"#),
        line("guard.end", r#""payload":{"verdict":"pass"}"#),
        line("agent_response", r#""response":"Welcome.","intent":"welcome","agent_type":"system","has_errors":false"#),
    ];
    let body = lines.join("\n") + "\n";
    let path = format!("/api/uploads/{turn}?name={name}&size={}&offset=0", body.len());
    let answer = server.send(bearer(Method::PUT, &path).body(Body::from(body)).unwrap()).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.body());
}

#[tokio::test]
async fn other_days_are_refused_and_strangers_too() {
    let server = Server::start().await;
    for days in ["0", "367", "-1", "1.5", "", "a week", "99999999999"] {
        let query = days.replace(' ', "%20");
        let answer = server.get(&format!("{PROOF}?days={query}")).await;
        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY, "{days}");
    }
    let error: ApiError = server.get(&format!("{PROOF}?days=0")).await.json();
    assert_eq!(error.message, "`days` is a whole number from 1 to 366, not `0`.");
    assert_eq!(proof(&server, "?days=366").await.days, 366);
    for path in [RULES, PROOF] {
        let answer = server.send(super::server::plain(Method::GET, path).body(Body::empty()).unwrap()).await;
        assert_eq!(answer.status, StatusCode::UNAUTHORIZED);
    }
}
