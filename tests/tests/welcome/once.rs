//! The welcome of an empty home: what it leaves, and that it is made once.

use super::home::{Home, WELCOME_EVENTS, kinds};
use proem_core::log::{Detail, Outcome, Role, replay};
use proem_core::trace::trace;

#[tokio::test]
async fn the_first_request_makes_one_session_and_it_is_the_one_in_the_answer() {
    let folder = tempfile::tempdir().unwrap();
    let home = Home::open(folder.path()).await;
    let answer = home.welcome("console").await.unwrap();
    assert!(answer.created && !answer.skipped && answer.skip_reason.is_empty());
    let id = answer.session_id.clone();
    assert!(id.len() == 12 && id.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f')), "{id}");
    let logs = home.logs().await;
    let [(session, log)] = logs.as_slice() else { panic!("{} sessions", logs.len()) };
    // Events of the log: opened by the system, nobody's words, no model.
    assert_eq!(kinds(log), WELCOME_EVENTS);
    assert_eq!((session.id.as_str(), log.session_id(), session.live), (id.as_str(), id.as_str(), true));
    assert_eq!((session.channel.as_deref(), session.file_name.as_str()), (Some("console"), &*format!("session-{id}.jsonl")));
    // The list shows it with one turn and the label as title; the only trace is the answer's.
    assert_eq!((session.summary.turn_count, session.summary.title.as_str()), (1, "First-chat welcome"));
    let [turn] = log.turns() else { panic!("{:?}", log.turns()) };
    assert_eq!(turn.trace_id.as_deref(), Some(answer.trace_id.as_str()));
    assert_eq!((answer.trace_id.as_str(), answer.reference.as_str()), (&*format!("{id}~0"), turn.reference.as_str()));
    assert_eq!((turn.outcome, turn.listed, turn.opener.as_deref()), (Outcome::Ok, true, Some("welcome")));
    // Replayed, it is one message with the answer's text and a reference.
    let messages = replay(log, None, Detail::Conversation, &mut || ()).messages;
    let [message] = messages.as_slice() else { panic!("{messages:?}") };
    assert_eq!((message.role, &message.text, &message.reference), (Role::Assistant, &answer.response, &answer.reference));
    assert_eq!(message.ts.as_ref(), Some(&answer.at));
    // The record and the ledger are there.
    let state = home.turns.state(&home.store).await.unwrap();
    assert_eq!((state.welcome.state.as_str(), &state.welcome.session_id, &state.welcome.at), ("done", &id, &answer.at));
    let rows = home.store.decisions_of(&id).await.unwrap();
    assert!(rows.iter().any(|row| row.hook_point == "pre_response" && row.public.deterministic == Some(true)), "{rows:?}");
    assert!(rows.iter().all(|row| row.hook_point != "pre_turn" && row.public.turn_id == turn.turn_id), "{rows:?}");
    assert_eq!((state.audit_count, state.write_health.ok), (rows.len() as u64, true));
    // Its trace, with its decisions, is that of any turn.
    let trace = trace(log, 0, &rows, &mut || ());
    assert!(trace.opened_by_system);
    let nodes: Vec<(&str, &str)> = trace.nodes.iter().map(|node| (node.kind.as_str(), node.label.as_str())).collect();
    assert_eq!(nodes[1..], [("handler", "welcome"), ("guard", "response check"), ("governance", "pre_response")]);
    let steps: Vec<&str> = trace.steps.iter().map(|step| step.kind.as_str()).collect();
    assert_eq!(steps, ["request", "start", "handler", "guard", "response"]);
    // Nothing is written outside the database.
    let mut files: Vec<String> =
        folder.path().read_dir().unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    files.sort();
    assert_eq!(files, ["proem.db", "proem.db-shm", "proem.db-wal", "proem.lock"]);
}

#[tokio::test]
async fn a_second_request_from_another_channel_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let home = Home::open(folder.path()).await;
    let first = home.welcome("web").await.unwrap();
    let (session, state) = (home.logs().await.remove(0).0, home.turns.state(&home.store).await.unwrap());
    for channel in ["console", "telegram"] {
        let again = home.welcome(channel).await.unwrap();
        assert!(!again.created);
        assert_eq!(proem_core::api::chat::WelcomeAnswer { created: true, ..again }, first);
    }
    let logs = home.logs().await;
    assert_eq!((logs.len(), &logs[0].0), (1, &session));
    assert_eq!(home.turns.state(&home.store).await.unwrap(), state);
}

#[tokio::test]
async fn the_first_question_continues_the_welcome_and_names_the_session() {
    let folder = tempfile::tempdir().unwrap();
    let home = Home::open(folder.path()).await;
    let welcome = home.welcome("web").await.unwrap();
    let answer = home.say(Some(&welcome.session_id), "What can you do?").await.unwrap();
    assert_eq!((&answer.session_id, &answer.trace_id), (&welcome.session_id, &format!("{}~1", welcome.session_id)));
    let logs = home.logs().await;
    let [(session, log)] = logs.as_slice() else { panic!("{} sessions", logs.len()) };
    assert_eq!(log.turns()[1].reference, answer.reference);
    assert_eq!((session.summary.turn_count, session.summary.title.as_str()), (2, "What can you do?"));
    assert_eq!(session.summary.openers, ["First-chat welcome"]);
    // It belongs to the channel that it began on.
    assert_eq!(session.channel.as_deref(), Some("web"));
}

#[tokio::test]
async fn addresses_are_masked_in_the_answer_and_kept_in_the_log() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("config")).unwrap();
    std::fs::write(folder.path().join("config/welcome.yaml"), "invitation: Ask marianne.dupont@example.org first.\n").unwrap();
    let home = Home::open(folder.path()).await;
    let answer = home.welcome("web").await.unwrap();
    assert!(!answer.response.contains("marianne.dupont") && answer.response.contains("@example.org"), "{}", answer.response);
    assert_eq!(home.welcome("web").await.unwrap().response, answer.response, "the record is masked, too");
    let logs = home.logs().await;
    let messages = replay(&logs[0].1, None, Detail::Conversation, &mut || ()).messages;
    assert!(messages[0].text.contains("marianne.dupont@example.org"), "{}", messages[0].text);
}

#[tokio::test]
async fn an_admin_can_offer_it_again() {
    let folder = tempfile::tempdir().unwrap();
    let home = Home::open(folder.path()).await;
    let first = home.welcome("web").await.unwrap();
    home.say(None, "hello").await.unwrap();
    home.store.offer_welcome("owner").await.unwrap();
    assert_eq!(home.turns.state(&home.store).await.unwrap().welcome.state, "due");
    // The due check is left out that one time; what was there stays.
    let second = home.welcome("web").await.unwrap();
    assert!(second.created && second.session_id != first.session_id);
    assert_eq!(home.logs().await.len(), 3);
    assert!(!home.welcome("web").await.unwrap().created);
    home.store.offer_welcome("owner").await.unwrap();
    home.store.offer_welcome("owner").await.unwrap();
    assert!(home.welcome("web").await.unwrap().created);
}
