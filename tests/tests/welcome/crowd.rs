//! Many at once: one welcome, and turns of one conversation one after the other.

use super::home::{Home, opened_by_system};
use std::sync::Arc;

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn fifty_calls_at_once_make_one_welcome() {
    let folder = tempfile::tempdir().unwrap();
    // Half of them in a store of its own, as another process has.
    let homes = [Arc::new(Home::open(folder.path()).await), Arc::new(Home::open(folder.path()).await)];
    let calls: Vec<_> = (0..50)
        .map(|number| {
            let home = homes[number % 2].clone();
            tokio::spawn(async move { home.welcome(if number % 3 == 0 { "web" } else { "console" }).await.unwrap() })
        })
        .collect();
    let mut answers = Vec::new();
    for call in calls {
        answers.push(call.await.unwrap());
    }
    assert_eq!(answers.iter().filter(|answer| answer.created).count(), 1);
    assert!(answers.iter().all(|answer| answer.session_id == answers[0].session_id && answer.response == answers[0].response));
    let logs = homes[0].logs().await;
    assert_eq!((logs.len(), opened_by_system(&logs)), (1, 1));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn turns_of_two_stores_in_one_conversation_are_whole_and_in_order() {
    const TURNS: usize = 30;
    let folder = tempfile::tempdir().unwrap();
    let homes = [Arc::new(Home::open(folder.path()).await), Arc::new(Home::open(folder.path()).await)];
    let calls: Vec<_> = (0..TURNS)
        .map(|number| {
            let home = homes[number % 2].clone();
            tokio::spawn(async move { home.say(Some("shared"), &format!("message {number}")).await.unwrap() })
        })
        .collect();
    let mut answers = Vec::new();
    for call in calls {
        answers.push(call.await.unwrap());
    }
    let logs = homes[1].logs().await;
    let [(_, log)] = logs.as_slice() else { panic!("{} sessions", logs.len()) };
    assert_eq!((log.turns().len(), log.preamble().len()), (TURNS, 0));
    let mut next = 0;
    for (position, turn) in log.turns().iter().enumerate() {
        // The events of a turn stand together, from its opening to its answer.
        let events: Vec<usize> = log.turn_events(position).collect();
        assert_eq!(events, (next..next + events.len()).collect::<Vec<_>>(), "turn {position}");
        assert_eq!((log.kind(events[0]), log.kind(*events.last().unwrap())), ("user_message", "agent_response"));
        next += events.len();
        // Who asked got the names of just this turn.
        let answer = answers.iter().find(|answer| answer.turn_id == turn.turn_id.clone().unwrap()).unwrap();
        assert_eq!((Some(&answer.trace_id), &answer.reference), (turn.trace_id.as_ref(), &turn.reference));
    }
    let mut requests: Vec<&str> = log.turns().iter().map(|turn| turn.request.as_str()).collect();
    requests.sort_unstable();
    requests.dedup();
    assert_eq!(requests.len(), TURNS);
}
