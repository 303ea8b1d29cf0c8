//! Envelopes in what a recorded call was given.

use super::{ContextAnswer, PromptMessage};
use crate::context::preface::{self, Envelopes};
use crate::log::{Event, Log};
use crate::worker::reader::as_many_as_fit;
use serde_json::Value;

/// The envelopes in what a call of a turn was given.
pub(in crate::worker) fn prompt(log: &Log, turn: usize, node: &str) -> Result<ContextAnswer, String> {
    let events = || log.turn_events(turn).map(|event| log.event(event));
    let given: Vec<(String, String)> = match node.strip_prefix("llm").and_then(|number| number.parse::<usize>().ok()) {
        Some(number) => {
            let call = events().filter(|event| event.kind == "llm_call").nth(number);
            messages(&call.ok_or_else(|| format!("There is no call {node} in this turn."))?)
        }
        None if node == "runtime" => {
            let typed = events().find(|event| event.kind == "user_message");
            typed.into_iter().map(|event| ("typed".to_owned(), event.text.unwrap_or_default())).collect()
        }
        None => Vec::new(),
    };
    let first = given.iter().position(|(role, _)| role == "user");
    let found: Vec<PromptMessage> = given
        .into_iter()
        .enumerate()
        .filter_map(|(position, (role, text))| {
            let envelopes = preface::read(&text);
            let any = !(envelopes.envelopes.is_empty() && envelopes.strays.is_empty() && envelopes.loose.is_empty());
            let findings = findings(&envelopes, &role, Some(position) == first, log.session_id());
            any.then_some(PromptMessage { position, role, text, envelopes, findings })
        })
        .collect();
    let messages = as_many_as_fit(&found, 0..found.len(), PromptMessage::clone, |message| 400 + 2 * message.text.len());
    Ok(ContextAnswer::Prompt { messages, count: found.len() })
}

/// Role and text of what a model call was given.
fn messages(event: &Event) -> Vec<(String, String)> {
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let messages = event.payload.get("input_messages").and_then(Value::as_array);
    messages.into_iter().flatten().map(|message| (text(&message["role"]), text(&message["content"]))).collect()
}

/// What should not be about envelopes in a recorded message (specs: retrieved-content, 9 and 10).
fn findings(found: &Envelopes, role: &str, is_first: bool, session_id: &str) -> Vec<String> {
    let mut said: Vec<String> = Vec::new();
    for envelope in &found.envelopes {
        said.extend(envelope.flags.iter().map(|flag| flag.sentence().to_owned()));
        if envelope.is_of_another_session(session_id) {
            said.push(format!("The origin `{}` is that of another session.", envelope.tag.origin));
        }
    }
    if found.envelopes.is_empty() && !found.strays.is_empty() {
        said.push("A closing tag stands here alone.".to_owned());
    }
    match role {
        _ if found.envelopes.is_empty() => {}
        "typed" => said.push(
            "A preface is stored with this message. It is rebuilt for every turn and never stored: stored copies grow old."
                .to_owned(),
        ),
        "system" => {
            said.push("Retrieved content stands in the system prompt, where it changes the start of every request.".to_owned())
        }
        "user" if !is_first => said.push(
            "This is not the first message, where the preface stands: it may be a stored copy of an earlier turn's.".to_owned(),
        ),
        _ => {}
    }
    said.dedup();
    said
}
