//! Chat over HTTP: the welcome, messages, test runs of openers, and the conversation as it is told again.

use super::server::{Answer, Server, bearer, plain};
use axum::body::Body;
use axum::http::{Method, StatusCode};
use proem_core::api::chat::{ChatAnswer, WelcomeAnswer};
use proem_core::api::governance::GovernanceState;
use proem_core::api::{ApiError, SessionList, StoredSession, UploadState};
use proem_core::log::{Log, Outcome, Replay, Role};
use serde_json::{Value, json};
use std::fmt::Write;

const WELCOME: &str = "/api/chat/welcome";
const MESSAGES: &str = "/api/chat/messages";
/// One answered question.
const REAL: &str = r#"{"kind":"user_message","ts":"2026-01-01T00:00:00.000000+00:00","session_id":"real","turn_id":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa","text":"hello"}
{"kind":"agent_response","ts":"2026-01-01T00:00:01.000000+00:00","session_id":"real","turn_id":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa","response":"hi"}
"#;
/// A turn the system opened and that did nothing, later than the other.
const IDLE: &str = r#"{"kind":"turn_open","ts":"2026-02-01T00:00:00.000000+00:00","session_id":"idle","turn_id":"bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb","opener":"tick","label":"Tick"}
"#;

async fn post(server: &Server, path: &str) -> Answer {
    server.send(bearer(Method::POST, path).body(Body::empty()).unwrap()).await
}

async fn say(server: &Server, body: &Value) -> ChatAnswer {
    let answer = server.json(Method::POST, MESSAGES, body).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.body());
    answer.json()
}

async fn upload(server: &Server, session: &str, log: &str) -> Answer {
    let fingerprint = session.bytes().fold(16u64, |sum, byte| sum * 31 + u64::from(byte));
    let path = format!("/api/uploads/{fingerprint:016x}?name=session-{session}.jsonl&size={}&offset=0", log.len());
    server.send(bearer(Method::PUT, &path).body(Body::from(log.to_owned())).unwrap()).await
}

async fn sessions(server: &Server, query: &str) -> Vec<StoredSession> {
    server.get(&format!("/api/sessions{query}")).await.json::<SessionList>().sessions
}

async fn state(server: &Server) -> GovernanceState {
    server.get("/api/governance/state").await.json()
}

#[tokio::test]
async fn the_welcome_is_made_by_an_empty_post_and_answered_alike_again() {
    let server = Server::start().await;
    let answer = post(&server, WELCOME).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.body());
    let mut first: Value = answer.json();
    let id = first["session_id"].as_str().unwrap().to_owned();
    assert_eq!((&first["created"], &first["trace_id"]), (&json!(true), &json!(format!("{id}~0"))));
    let keys: Vec<&String> = first.as_object().unwrap().keys().collect();
    assert_eq!(keys, ["session_id", "created", "response", "trace_id", "at", "skipped", "skip_reason", "ref"]);
    // Again, from elsewhere: the same, but not made by this request.
    first["created"] = json!(false);
    let again = server.json(Method::POST, WELCOME, &json!({ "channel": "telegram", "audience": "other" })).await;
    assert_eq!(again.json::<Value>(), first);
    assert_eq!(post(&server, WELCOME).await.json::<Value>(), first);
    // The session, its log, its replay and the ledger are there.
    let listed = sessions(&server, "").await;
    assert_eq!((listed.len(), &listed[0].id, listed[0].live, listed[0].channel.as_deref()), (1, &id, true, Some("console")));
    assert_eq!(server.get(&format!("/api/sessions/{id}")).await.json::<StoredSession>(), listed[0]);
    let raw = server.get(&format!("/api/sessions/{id}/raw")).await;
    let log = Log::read(&listed[0].file_name, raw.bytes, &mut || ()).unwrap();
    assert_eq!(log.turns()[0].trace_id.as_deref(), first["trace_id"].as_str());
    let replay: Replay = server.get(&format!("/api/sessions/{id}/messages")).await.json();
    let [message] = replay.messages.as_slice() else { panic!("{replay:?}") };
    assert_eq!(
        (message.text.as_str(), message.reference.as_str()),
        (first["response"].as_str().unwrap(), first["ref"].as_str().unwrap())
    );
    let state = state(&server).await;
    assert!(state.enabled && state.audit_count >= 1);
    assert_eq!((state.welcome.state.as_str(), &state.welcome.session_id), ("done", &id));
    assert_eq!(state.openers.iter().map(|opener| opener.label.as_str()).collect::<Vec<_>>(), ["First-chat welcome"]);
}

#[tokio::test]
async fn without_the_token_there_is_no_welcome_and_no_record() {
    let server = Server::start().await;
    for path in [WELCOME, MESSAGES, "/api/chat/openers/welcome"] {
        let answer = server.send(plain(Method::POST, path).body(Body::empty()).unwrap()).await;
        assert_eq!(answer.status, StatusCode::UNAUTHORIZED, "{path}");
    }
    let state = state(&server).await;
    assert_eq!((state.welcome.state.as_str(), state.audit_count), ("due", 0));
    assert!(sessions(&server, "?include_runs=true").await.is_empty());
}

#[tokio::test]
async fn a_message_begins_a_conversation_and_the_next_goes_on_with_it() {
    let server = Server::start().await;
    let first = say(&server, &json!({ "text": "help", "channel": "web" })).await;
    assert_eq!((first.handler.as_str(), first.verdict.as_str(), first.has_errors), ("help", "pass", false));
    assert_eq!((first.session_id.len(), &first.reference), (12, &format!("{}@{}", first.session_id, first.turn_id)));
    let second = say(&server, &json!({ "session_id": first.session_id, "text": "Écris-moi un poème 🎈" })).await;
    assert_eq!((&second.session_id, second.trace_id.ends_with("~1")), (&first.session_id, true));
    let replay: Replay = server.get(&format!("/api/sessions/{}/messages", first.session_id)).await.json();
    let told: Vec<(Role, &str)> = replay.messages.iter().map(|message| (message.role, message.text.as_str())).collect();
    let expected = [
        (Role::User, "help"),
        (Role::Assistant, first.response.as_str()),
        (Role::User, "Écris-moi un poème 🎈"),
        (Role::Assistant, second.response.as_str()),
    ];
    assert_eq!(told, expected);
    // A conversation may be given its id.
    let named = say(&server, &json!({ "session_id": "my-notes", "text": "time" })).await;
    assert_eq!((named.session_id.as_str(), named.trace_id.as_str()), ("my-notes", "my-notes~0"));
    assert_eq!(server.get("/api/sessions/my-notes").await.json::<StoredSession>().channel.as_deref(), Some("console"));
}

#[tokio::test]
async fn a_turn_goes_on_when_whoever_asked_goes_away() {
    let server = Server::start().await;
    let body = json!({ "session_id": "left", "text": "help" });
    {
        let mut asked = std::pin::pin!(server.json(Method::POST, MESSAGES, &body));
        assert!(futures_util::poll!(&mut asked).is_pending());
    }
    // Turns are stored in the order in which they were asked for.
    assert_eq!(say(&server, &body).await.trace_id, "left~1");
    assert_eq!(server.get("/api/sessions/left/messages").await.json::<Replay>().messages.len(), 4);
}

#[tokio::test]
async fn answers_are_masked_wherever_they_are_shown() {
    let server = Server::start().await;
    std::fs::create_dir(server.home().join("config")).unwrap();
    std::fs::write(server.home().join("config/welcome.yaml"), "invitation: Ask marianne.dupont@example.org first.\n").unwrap();
    let welcome: WelcomeAnswer = post(&server, WELCOME).await.json();
    let replay: Replay = server.get(&format!("/api/sessions/{}/messages", welcome.session_id)).await.json();
    assert_eq!(replay.messages[0].text, welcome.response);
    assert!(!welcome.response.contains("marianne.dupont"), "{}", welcome.response);
    let raw = server.get(&format!("/api/sessions/{}/raw", welcome.session_id)).await;
    assert!(raw.body().contains("marianne.dupont@example.org"));
}

#[tokio::test]
async fn an_opener_runs_as_a_test_that_no_list_counts() {
    let server = Server::start().await;
    let answer = post(&server, "/api/chat/openers/welcome").await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.body());
    let run: ChatAnswer = answer.json();
    assert!(run.session_id.starts_with("playground-"), "{}", run.session_id);
    assert_eq!((run.handler.as_str(), run.verdict.as_str()), ("welcome", "pass"));
    assert!(sessions(&server, "").await.is_empty() && sessions(&server, "?include_runs=false").await.is_empty());
    assert_eq!(sessions(&server, "?include_runs=true").await[0].id, run.session_id);
    // It can be looked at all the same, and takes the welcome nothing.
    assert_eq!(server.get(&format!("/api/sessions/{}/messages", run.session_id)).await.json::<Replay>().messages.len(), 1);
    assert!(post(&server, WELCOME).await.json::<WelcomeAnswer>().created);
}

#[tokio::test]
async fn imported_sessions_count_and_are_not_continued() {
    let server = Server::start().await;
    for (session, log) in [("real", REAL), ("idle", IDLE)] {
        assert_eq!(upload(&server, session, log).await.status, StatusCode::OK);
    }
    // The newest holds nothing that was said; the older one does.
    assert_eq!(sessions(&server, "").await[0].summary.session_id, "idle");
    let answer: WelcomeAnswer = post(&server, WELCOME).await.json();
    assert_eq!((answer.skipped, answer.skip_reason.as_str()), (true, "1 conversation existed before the first welcome request"));
    let refused = server.json(Method::POST, MESSAGES, &json!({ "session_id": "real", "text": "and then?" })).await;
    assert_eq!((refused.status, refused.json::<ApiError>().code.as_str()), (StatusCode::CONFLICT, "conflict"));
    assert!(upload(&server, "real", REAL).await.json::<UploadState>().session.is_some_and(|session| !session.live));
    // Offered again, it does not ask about them.
    let offered = server.send(bearer(Method::DELETE, WELCOME).body(Body::empty()).unwrap()).await;
    assert_eq!(offered.status, StatusCode::NO_CONTENT);
    assert!(post(&server, WELCOME).await.json::<WelcomeAnswer>().created);
}

#[tokio::test]
async fn only_a_home_with_idle_sessions_is_welcomed() {
    let server = Server::start().await;
    assert_eq!(upload(&server, "idle", IDLE).await.status, StatusCode::OK);
    assert!(post(&server, WELCOME).await.json::<WelcomeAnswer>().created);
}

#[tokio::test]
async fn no_file_takes_the_place_of_a_conversation() {
    let server = Server::start().await;
    let said = say(&server, &json!({ "text": "time" })).await;
    let raw = server.get(&format!("/api/sessions/{}/raw", said.session_id)).await.body();
    let mine = sessions(&server, "").await;
    // Its own bytes change nothing; text that goes on from them would.
    let same: UploadState = upload(&server, &said.session_id, &raw).await.json();
    assert_eq!(same.session.as_ref(), Some(&mine[0]));
    let longer = format!("{raw}{}", REAL.replace("real", &said.session_id));
    let answer = upload(&server, &said.session_id, &longer).await;
    assert_eq!(answer.status, StatusCode::CONFLICT);
    insta::assert_snapshot!(answer.json::<ApiError>().message.replace(&said.session_id, "ID"));
    assert_eq!(sessions(&server, "").await, mine);
}

#[tokio::test]
async fn a_failed_welcome_is_500_and_shown_as_failed() {
    let server = Server::start().await;
    std::fs::create_dir(server.home().join("config")).unwrap();
    std::fs::write(server.home().join("config/intercepts.yaml"), "openers: [{name: welcome, handler: nobody}]\n").unwrap();
    let answer = post(&server, WELCOME).await;
    assert_eq!((answer.status, answer.json::<ApiError>().code.as_str()), (StatusCode::INTERNAL_SERVER_ERROR, "welcome_failed"));
    let run = post(&server, "/api/chat/openers/welcome").await;
    assert_eq!((run.status, run.json::<ApiError>().code.as_str()), (StatusCode::INTERNAL_SERVER_ERROR, "turn_failed"));
    let listed = sessions(&server, "").await;
    let replay: Replay = server.get(&format!("/api/sessions/{}/messages", listed[0].id)).await.json();
    assert_eq!(replay.messages[0].code.as_deref(), Some(Outcome::Failed.as_str()));
    let state = state(&server).await;
    assert_eq!((state.welcome.state.as_str(), state.welcome.failures), ("due", 1));
    assert!(state.welcome.last_error.contains("nobody"), "{}", state.welcome.last_error);
    // Mended, the next request makes it.
    std::fs::remove_file(server.home().join("config/intercepts.yaml")).unwrap();
    assert!(post(&server, WELCOME).await.json::<WelcomeAnswer>().created);
}

#[tokio::test]
async fn broken_configuration_is_told_and_the_default_holds() {
    let server = Server::start().await;
    let folder = server.home().join("config");
    std::fs::create_dir(&folder).unwrap();
    std::fs::write(folder.join("intercepts.yaml"), "openers: [").unwrap();
    std::fs::write(folder.join("welcome.yaml"), b"intro: \xff\n").unwrap();
    let files = state(&server).await.files;
    assert_eq!(
        files.iter().map(|file| (file.present, file.problems.len())).collect::<Vec<_>>(),
        [(true, 1), (false, 0), (true, 1)]
    );
    assert!(post(&server, WELCOME).await.json::<WelcomeAnswer>().created);
    std::fs::write(folder.join("intercepts.yaml"), "openers: []\n").unwrap();
    let after = state(&server).await;
    assert_eq!((after.openers.len(), after.files[0].problems.len()), (0, 0));
}

#[tokio::test]
async fn each_failure_has_its_sentence() {
    let server = Server::start().await;
    upload(&server, "real", REAL).await;
    let large = "\n".repeat(9 * 1024 * 1024) + &REAL.replace("real", "large");
    let large: UploadState = upload(&server, "large", &large).await.json();
    let large = large.session.unwrap().id;
    let long = json!({ "text": "x".repeat(32 * 1024 + 1) }).to_string();
    let mut report = String::new();
    for (method, path, body) in [
        (Method::POST, WELCOME, "{"),
        (Method::POST, WELCOME, "[1]"),
        (Method::POST, WELCOME, r#"{"channel":7}"#),
        (Method::POST, WELCOME, r#"{"channel":"a name of more than thirty-two letters"}"#),
        (Method::POST, WELCOME, r#"{"audience":"everybody"}"#),
        (Method::POST, WELCOME, r#"{"chanel":"web"}"#),
        (Method::POST, MESSAGES, ""),
        (Method::POST, MESSAGES, r#"{"text":7}"#),
        (Method::POST, MESSAGES, r#"{"text":" \n"}"#),
        (Method::POST, MESSAGES, long.as_str()),
        (Method::POST, MESSAGES, r#"{"text":"hi","channel":"a name of more than thirty-two letters"}"#),
        (Method::POST, MESSAGES, r#"{"text":"hi","session_id":"../up"}"#),
        (Method::POST, MESSAGES, r#"{"text":"hi","session_id":"real"}"#),
        (Method::POST, "/api/chat/openers/none-such", ""),
        (Method::GET, WELCOME, ""),
        (Method::GET, "/api/sessions/none-such/messages", ""),
        (Method::GET, "/api/sessions/LARGE/messages", ""),
        (Method::GET, "/api/sessions?include_runs=perhaps", ""),
    ] {
        let answer = server.text(method.clone(), &path.replace("LARGE", &large), body).await;
        let ApiError { code, message, .. } = answer.json();
        let shown: String = body.chars().take(70).collect();
        writeln!(report, "{method} {path} {shown}\n  {} {code}: {}", answer.status.as_u16(), message.replace(&large, "LARGE"))
            .unwrap();
    }
    let request = bearer(Method::POST, WELCOME).body(Body::from("{}")).unwrap();
    let ApiError { code, message, .. } = server.send(request).await.json();
    writeln!(report, "POST {WELCOME} without a content type\n  {code}: {message}").unwrap();
    insta::assert_snapshot!(report);
    let state = state(&server).await;
    assert_eq!((state.welcome.state.as_str(), state.audit_count), ("due", 0), "none of these left anything");
}
