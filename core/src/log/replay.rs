//! The conversation of a log: what was typed, every answer, and a notice where there is none (specs: iris-session-log, 7.10).

use super::event::Event;
use super::model::{Message, OpenedBy, Outcome, Replay, Role, Turn};
use super::pace::Pace;
use super::plain::{label, sentence};
use super::session::Log;

/// How much a replay tells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Detail {
    /// What was said, and notices.
    #[default]
    Conversation,
    /// Every event, those before the first turn included (with an empty reference).
    Everything,
}

/// The messages of one turn, or of all. `progress` is called every few hundred events, and oftener where they are large.
pub fn replay(log: &Log, turn: Option<usize>, detail: Detail, progress: &mut dyn FnMut()) -> Replay {
    let mut messages = Vec::new();
    let mut pace = Pace::new(progress);
    if turn.is_none() && detail == Detail::Everything {
        for event in log.preamble() {
            pace.step(log.event_bytes(event));
            messages.push(other(&log.event(event), ""));
        }
    }
    let turns = match turn {
        Some(turn) => turn..(turn + 1).min(log.turns().len()),
        None => 0..log.turns().len(),
    };
    for turn in turns {
        replay_turn(log, turn, detail, &mut pace, &mut messages);
    }
    Replay { messages }
}

fn replay_turn(log: &Log, position: usize, detail: Detail, pace: &mut Pace, messages: &mut Vec<Message>) {
    let turn = &log.turns()[position];
    match turn.opened_by {
        OpenedBy::User | OpenedBy::Agent => messages.push(plain(Role::User, turn.request.clone(), turn.started_at.clone(), turn)),
        OpenedBy::Unknown => {
            let code = Some("resumed".to_owned());
            messages.push(Message { code, ..plain(Role::Notice, resumed_run(log, position), turn.started_at.clone(), turn) });
        }
        OpenedBy::System => {}
    }
    let typed = matches!(turn.opened_by, OpenedBy::User | OpenedBy::Agent);
    let mut answers = 0;
    for (place, event) in log.turn_events(position).enumerate() {
        pace.step(log.event_bytes(event));
        if log.kind(event) == "agent_response" {
            answers += 1;
            let read = log.event(event);
            let last = answers == turn.answers;
            messages.push(Message {
                is_final: last,
                outcome: Some(if last { turn.outcome } else { Outcome::Ok }),
                ..plain(Role::Assistant, read.str("response").unwrap_or_default().to_owned(), read.ts.clone(), turn)
            });
        } else if detail == Detail::Everything && !(place == 0 && typed) {
            messages.push(other(&log.event(event), &turn.reference));
        }
    }
    if turn.answers == 0 {
        messages.push(no_answer(log, position, turn));
    }
}

/// The notice in place of an answer: the last error's message, at the turn's latest stamp.
fn no_answer(log: &Log, position: usize, turn: &Turn) -> Message {
    let error = log.turn_events(position).rfind(|event| log.kind(*event) == "error");
    let text = error.and_then(|event| log.event(event).str("message").map(str::to_owned)).unwrap_or_default();
    let latest =
        log.turn_events(position).filter(|event| log.stamp_us(*event).is_some()).max_by_key(|event| log.stamp_us(*event));
    let ts = latest.and_then(|event| log.event(event).ts).or_else(|| turn.started_at.clone());
    Message { code: Some(turn.outcome.as_str().to_owned()), ..plain(Role::Notice, text, ts, turn) }
}

/// The id of the run that a turn goes on with, where it is logged.
fn resumed_run(log: &Log, position: usize) -> String {
    let mut phases = log.turn_events(position).filter(|event| log.kind(*event) == "pipeline.phase").map(|event| log.event(event));
    let resume = phases.find(|event| event.phase.as_deref() == Some("planner.resume"));
    resume.and_then(|event| event.str("run_id").map(str::to_owned)).unwrap_or_default()
}

fn plain(role: Role, text: String, ts: Option<String>, turn: &Turn) -> Message {
    Message { role, text, ts, reference: turn.reference.clone(), is_final: false, outcome: None, code: None }
}

fn other(event: &Event, reference: &str) -> Message {
    Message {
        role: Role::Tool,
        text: sentence(event),
        ts: event.ts.clone(),
        reference: reference.to_owned(),
        is_final: false,
        outcome: None,
        code: Some(label(event).to_owned()),
    }
}
