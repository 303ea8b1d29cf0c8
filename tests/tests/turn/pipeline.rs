//! Stages, entry points, stamps and what is left when something fails.

use super::world::{Here, SESSION, answered, built_in, checks, heard, opened_at, request, skills, turn};
use proem_core::ledger::{entry, of_turn};
use proem_core::log::{Detail, OpenedBy, Outcome, Role, TurnDurationSource, replay, stamp_text};
use proem_core::trace::trace;
use proem_core::turn::{CHAT_STAGES, OPENER_STAGES, Opening, Stage, TraceEvent, TurnError, Verdict, run};
use serde_json::Value;

const WELCOME: [&str; 5] = ["turn_open", "turn.start", "handler.end", "guard.end", "agent_response"];
const TYPED: [&str; 6] = ["user_message", "turn.start", "time.end", "handler.end", "guard.end", "agent_response"];

#[test]
fn behaviour_1_the_log_of_a_welcome_is_one_turn_that_nobody_typed() {
    let (answer, here) = answered(&built_in(), Opening::Opener("welcome"));
    assert_eq!(here.kinds(), WELCOME);
    let log = here.log();
    assert_eq!((log.session_id(), log.turns().len(), log.skipped().count()), (SESSION, 1, 0));
    let turn = &log.turns()[0];
    assert_eq!((turn.opened_by, turn.opener.as_deref(), turn.outcome), (OpenedBy::System, Some("welcome"), Outcome::Ok));
    assert_eq!((turn.request.as_str(), turn.listed), ("First-chat welcome", true));
    assert_eq!(turn.turn_id.as_deref(), Some(answer.turn_id.as_str()));
    assert!(log.is_conversation());
}

#[test]
fn behaviour_3_the_trace_of_a_welcome_is_a_handler_and_a_check() {
    let (_, here) = answered(&built_in(), Opening::Opener("welcome"));
    let trace = serde_json::to_value(trace(&here.log(), 0, &[], &mut || ())).unwrap();
    assert_eq!(trace["opened_by_system"], true);
    let node = |kind: &str| trace["nodes"].as_array().unwrap().iter().find(|node| node["kind"] == kind).unwrap().clone();
    assert_eq!(node("handler")["label"], "welcome");
    assert_eq!((&node("guard")["status"], &node("runtime")["status"]), (&Value::from("ok"), &Value::from("ok")));
    let steps: Vec<&str> = trace["steps"].as_array().unwrap().iter().map(|step| step["type"].as_str().unwrap()).collect();
    assert_eq!(steps, ["request", "start", "handler", "guard", "response"]);
}

#[test]
fn behaviour_4_a_welcome_leaves_one_deterministic_row_and_no_pre_turn() {
    let (answer, here) = answered(&built_in(), Opening::Opener("welcome"));
    let hooks: Vec<&str> = here.rows.iter().map(|row| row.hook_point.as_str()).collect();
    assert_eq!(hooks, ["pre_response"]);
    let row = &here.rows[0];
    assert_eq!((row.deterministic, row.handler.as_deref()), (Some(true), Some("welcome")));
    assert_eq!((row.session_id.as_deref(), row.turn_id.as_deref()), (Some(SESSION), Some(answer.turn_id.as_str())));
}

#[test]
fn behaviour_5_the_replay_of_a_welcome_is_one_answer() {
    let (answer, here) = answered(&built_in(), Opening::Opener("welcome"));
    let messages = replay(&here.log(), None, Detail::Conversation, &mut || ()).messages;
    assert_eq!(messages.len(), 1);
    assert_eq!((messages[0].role, &messages[0].text), (Role::Assistant, &answer.response));
    assert_eq!(messages[0].reference, format!("{SESSION}@{}", answer.turn_id));
}

#[test]
fn behaviour_14_events_carry_the_name_of_their_stage() {
    let agents = |opening: Opening| {
        let (_, here) = answered(&built_in(), opening);
        let agent = |line: &String| serde_json::from_str::<Value>(line).unwrap();
        let timeline = here.events.iter().map(|(_, line)| agent(line)).filter(|event| event.get("phase").is_some());
        timeline.map(|event| format!("{} {}", event["phase"], event["agent_type"]).replace('"', "")).collect::<Vec<_>>()
    };
    assert_eq!(agents(Opening::Opener("welcome")), ["turn.start intercept", "handler.end intercept", "guard.end governance"]);
    assert_eq!(
        agents(Opening::Message("time")),
        ["turn.start governance", "time.end intercept", "handler.end intercept", "guard.end governance"]
    );
}

#[test]
fn behaviour_15_stages_are_data() {
    assert_eq!(OPENER_STAGES, [Stage::Open, Stage::Guard, Stage::Record]);
    assert_eq!(CHAT_STAGES, [Stage::Screen, Stage::Intercept, Stage::Guard, Stage::Record]);
    let agents: Vec<&str> = CHAT_STAGES.iter().chain(&OPENER_STAGES[..1]).map(|stage| stage.agent()).collect();
    assert_eq!(agents, ["governance", "intercept", "governance", "turn_capture", "intercept"]);
}

#[test]
fn behaviour_15_a_handler_ends_the_turn_on_both_entry_points() {
    let (answer, plain) = answered(&built_in(), Opening::Message("time"));
    let (told, streamed) = heard(&built_in(), Opening::Message("time"));
    assert_eq!(plain.kinds(), TYPED);
    assert_eq!(plain.file(), streamed.file());
    assert_eq!(told.last(), Some(&TraceEvent::Done { turn_id: answer.turn_id, response: answer.masked }));
}

#[test]
fn behaviour_15_streaming_makes_an_error_an_event_and_the_plain_call_returns_it() {
    let (ended, _) = turn(&built_in(), Opening::Opener("weather"));
    let error = ended.unwrap_err();
    assert_eq!(error, TurnError::NotDeclared { opener: "weather".into(), declared: vec!["welcome".into()] });
    let (told, _) = heard(&built_in(), Opening::Opener("weather"));
    assert_eq!(told, [TraceEvent::Error { code: "not_declared".into(), message: error.to_string() }]);
}

#[test]
fn behaviour_15_masking_is_for_display_and_not_for_the_log() {
    let config = super::world::welcome("invitation: Write to ada.lovelace@example.org.");
    let (answer, here) = answered(&config, Opening::Opener("welcome"));
    assert!(answer.masked.contains("Write to ad***ce@example.org."));
    assert!(answer.response.contains("ada.lovelace@example.org"));
    assert_eq!(here.event("agent_response")["response"], answer.response);
    let (told, _) = heard(&config, Opening::Opener("welcome"));
    assert_eq!(told.last(), Some(&TraceEvent::Done { turn_id: answer.turn_id, response: answer.masked }));
}

#[test]
fn behaviour_28_a_refused_message_is_not_meaningful_and_still_listed_as_refused() {
    let (answer, here) = answered(&built_in(), Opening::Message("-----BEGIN RSA PRIVATE KEY-----"));
    assert_eq!(here.kinds(), ["user_message", "turn.start", "agent_response"]);
    assert_eq!((answer.verdict, answer.handler.as_str(), answer.has_errors), (Verdict::Refused, "governance", true));
    let log = here.log();
    assert_eq!((log.turns()[0].outcome, log.turns()[0].listed), (Outcome::Refused, true));
    let hooks: Vec<&str> = here.rows.iter().map(|row| row.hook_point.as_str()).collect();
    assert_eq!(hooks, ["pre_turn"]);
}

#[test]
fn each_failure_leaves_exactly_what_was_logged_before_it() {
    for (opening, kinds, decisions) in [
        (Opening::Opener("welcome"), &WELCOME[..], [3].as_slice()),
        // The screen decides after `turn.start`, the response check after `handler.end`.
        (Opening::Message("time"), &TYPED[..], &[2, 5]),
        (Opening::Message("AKIAIOSFODNN7EXAMPLE"), &["user_message", "turn.start", "agent_response"], &[2]),
    ] {
        let steps = kinds.len() + decisions.len();
        for room in 0..steps {
            let mut here = Here { room, ..Here::default() };
            let error = run(&built_in(), &request(opening, &skills()), &mut here).unwrap_err();
            let rows = decisions.iter().filter(|at| **at < room).count();
            assert_eq!(
                (here.kinds().as_slice(), here.rows.len()),
                (&kinds[..room - rows].iter().map(|k| (*k).to_owned()).collect::<Vec<_>>()[..], rows)
            );
            let what = if decisions.contains(&room) { "the decision of `" } else { "the event `" };
            let told = error.to_string();
            assert!(
                told.starts_with(&format!("The turn ended early, because {what}")) && told.ends_with(": the disk is full"),
                "{told}"
            );
        }
        let mut here = Here { room: steps, ..Here::default() };
        assert!(run(&built_in(), &request(opening, &skills()), &mut here).is_ok());
    }
}

#[test]
fn an_opener_that_fails_is_a_failed_turn() {
    let config = super::world::intercepts("openers: [{name: welcome, handler: plugin:x}]");
    let (ended, here) = turn(&config, Opening::Opener("welcome"));
    assert_eq!(ended.unwrap_err(), TurnError::NoHandler { opener: "welcome".into(), handler: "plugin:x".into() });
    assert_eq!(here.kinds(), ["turn_open", "turn.start"]);
    assert_eq!((here.log().turns()[0].outcome, here.rows.len()), (Outcome::Failed, 0));
    assert!(!here.log().is_conversation());
}

#[test]
fn durations_are_real() {
    // Opening, start, handler asked, handler ended; guard began, row, guard ended; answer.
    let clock = [0, 200, 300, 3400, 3500, 3600, 7700, 9000].map(|us| opened_at() + us).to_vec();
    let mut here = Here { clock, ..Here::default() };
    run(&built_in(), &request(Opening::Opener("welcome"), &[]), &mut here).unwrap();
    assert_eq!(here.event("handler.end")["payload"]["duration_ms"], 3.1);
    assert_eq!(here.event("guard.end")["payload"]["duration_ms"], 4.2);
    assert_eq!(here.event("agent_response")["total_duration_ms"], 9.0);
    let log = here.log();
    let turn = &log.turns()[0];
    assert_eq!((turn.duration_ms, turn.duration_source), (9.0, TurnDurationSource::Reported));
}

#[test]
fn a_clock_that_goes_back_is_held() {
    let clock = [0, -5_000_000, 10, i64::MIN / 2, 20, 15, 25, 1].map(|us| opened_at() + us).to_vec();
    let mut here = Here { clock, ..Here::default() };
    run(&built_in(), &request(Opening::Opener("welcome"), &[]), &mut here).unwrap();
    let stamps: Vec<String> = here
        .events
        .iter()
        .map(|(_, line)| serde_json::from_str::<Value>(line).unwrap()["ts"].as_str().unwrap().to_owned())
        .collect();
    let expected = [0, 0, 10, 25, 25].map(|us| stamp_text(opened_at() + us));
    assert_eq!(stamps, expected);
}

#[test]
fn rows_lead_to_their_turn() {
    let mut here = Here::default();
    for opening in [Opening::Opener("welcome"), Opening::Message("help"), Opening::Message("who are you?")] {
        run(&built_in(), &request(opening, &skills()), &mut here).unwrap();
    }
    let mut entries: Vec<_> = here.rows.iter().map(entry).collect();
    for (entry, id) in entries.iter_mut().zip(1..) {
        entry.id = id;
    }
    let log = here.log();
    let ids = |turn| of_turn(&entries, &log, turn).iter().map(|entry| entry.id).collect::<Vec<_>>();
    assert_eq!((ids(0), ids(1), ids(2)), (vec![1], vec![2, 3], vec![4, 5]));
}

#[test]
fn what_is_long_is_cut_in_the_log_only() {
    let message = "é".repeat(9000);
    let (_, here) = answered(&built_in(), Opening::Message(&message));
    let logged = here.event("user_message")["text"].as_str().unwrap().to_owned();
    assert_eq!(logged, format!("{}…[truncated]", "é".repeat(8192)));
    assert_eq!(here.event("turn.start")["payload"]["message_chars"], 9000);

    let config = super::world::welcome(&format!("invitation: {}", "é".repeat(20_000)));
    let (answer, here) = answered(&config, Opening::Opener("welcome"));
    assert!(answer.response.chars().count() > 20_000);
    let logged = here.event("agent_response")["response"].as_str().unwrap().to_owned();
    assert_eq!(logged.chars().count(), 16_384 + "…[truncated]".chars().count());
    assert!(logged.ends_with("é…[truncated]"));
}

#[test]
fn no_reason_and_no_event_but_the_message_itself_repeats_a_secret() {
    let config = checks("secrets: [open sesame]");
    let (_, here) = answered(&config, Opening::Message("say open sesame"));
    assert!(here.event("user_message")["text"].as_str().unwrap().contains("open sesame"));
    let rest = here.events[1..].iter().map(|(_, line)| line.as_str()).chain(here.rows.iter().map(|row| row.reason.as_str()));
    assert!(rest.clone().count() == 3 && rest.into_iter().all(|text| !text.contains("sesame")));
}
