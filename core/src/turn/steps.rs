//! What each stage does, and which events and rows it leaves (specs: system-opened-turns, 3.2; iris-session-log, 1.6 to 1.8).

use super::checks::{Finding, NOTHING};
use super::config::{Config, Row};
use super::handlers::{self, Ask, Handler};
use super::running::{Firing, Reply, Running, ms};
use super::stage::Next;
use super::write::{ANSWER_LIMIT, MESSAGE_LIMIT, cut};
use super::{Opening, REFUSAL, TurnError, Verdict};
use crate::ledger::Decision;
use serde_json::{Map, Value, json};

/// Who answers for a refused message.
const GOVERNANCE: &str = "governance";
/// Names of the two checks of an answer.
pub(super) const SAFETY: &str = "safety";
pub(super) const OUTPUT_SAFETY: &str = "output_safety";

/// Lets a declared opener answer.
pub(super) fn open(turn: &mut Running) -> Result<Next, TurnError> {
    let row = declared(turn.config, turn.request.opening)?;
    turn.opened_us = turn.now();
    let label = row.trace_text.as_deref().unwrap_or(&row.name);
    turn.direct(turn.opened_us, "turn_open", json!({ "opener": row.name, "label": cut(label, MESSAGE_LIMIT) }))?;
    start(turn, json!({ "message_chars": 0, "opener": row.name }))?;
    let Some(handler) = handlers::find(&row.handler) else {
        return Err(TurnError::NoHandler { opener: row.name.clone(), handler: row.handler.clone() });
    };
    let began = turn.now();
    let reply = answer(turn, row, handler, began);
    handler_end(turn, &reply, began)?;
    turn.tell_answered(row, handler.name, &reply.metadata);
    turn.reply = Some(reply);
    Ok(Next::GoOn)
}

fn declared<'a>(config: &'a Config, opening: Opening) -> Result<&'a Row, TurnError> {
    let Opening::Opener(name) = opening else { return Err(TurnError::NotNamed) };
    if name.is_empty() {
        return Err(TurnError::NotNamed);
    }
    config.opener(name).ok_or_else(|| {
        let declared = config.enabled_openers().map(|row| row.name.clone()).collect();
        TurnError::NotDeclared { opener: name.to_owned(), declared }
    })
}

/// Logs a typed message and looks at it.
pub(super) fn screen(turn: &mut Running) -> Result<Next, TurnError> {
    let message = typed(turn);
    turn.opened_us = turn.now();
    let fields = json!({ "text": cut(message, MESSAGE_LIMIT), "intent": null, "agent_type": null });
    turn.direct(turn.opened_us, "user_message", fields)?;
    start(turn, json!({ "message_chars": message.chars().count() }))?;
    let found = turn.config.response_checks().screen(message);
    let refused = found.is_some();
    turn.decide(Firing {
        hook_point: "pre_turn",
        plugin: "input_screen",
        decision: if refused { Decision::Deny } else { Decision::Allow },
        severity: if refused { "error" } else { "info" },
        reason: found.map_or_else(|| NOTHING.to_owned(), |finding| finding.reason),
        handler: None,
    })?;
    if !refused {
        return Ok(Next::GoOn);
    }
    turn.verdict = Verdict::Refused;
    turn.reply = Some(Reply {
        text: REFUSAL.to_owned(),
        handler: GOVERNANCE.to_owned(),
        intent: GOVERNANCE,
        agent_type: GOVERNANCE,
        has_errors: true,
        guard_output: false,
        metadata: Map::new(),
    });
    Ok(Next::RecordAlone)
}

fn typed<'a>(turn: &Running<'a>) -> &'a str {
    match turn.request.opening {
        Opening::Message(text) => text,
        Opening::Opener(_) => "",
    }
}

/// Lets the first intercept that matches answer; a message that none takes gets the last resort's answer.
pub(super) fn intercept(turn: &mut Running) -> Result<Next, TurnError> {
    let began = turn.now();
    let config = turn.config;
    let row = config.intercept(typed(turn)).unwrap_or(config.last_resort());
    let handler = handlers::find(&row.handler).unwrap_or(handlers::last_resort());
    let reply = answer(turn, row, handler, began);
    let at = turn.now();
    turn.timeline(at, "pipeline.phase", &format!("{}.end", row.name), json!({ "matched": true }))?;
    handler_end(turn, &reply, began)?;
    turn.tell_answered(row, &row.name, &reply.metadata);
    turn.reply = Some(reply);
    Ok(Next::GoOn)
}

/// Logs and tells that the turn begins.
fn start(turn: &mut Running, payload: Value) -> Result<(), TurnError> {
    let at = turn.now();
    turn.timeline(at, "turn.start", "turn.start", payload.clone())?;
    turn.tell("turn.start", "turn.start", payload);
    Ok(())
}

fn answer(turn: &Running, row: &Row, handler: &'static Handler, now_us: i64) -> Reply {
    let said = (handler.answer)(&Ask { config: turn.config, skills: turn.request.skills, now_us });
    let mut metadata = Map::new();
    metadata.insert("session_id".to_owned(), json!(turn.request.session_id));
    metadata.insert("handler".to_owned(), json!(handler.name));
    if row.passes_channel {
        metadata.insert("channel".to_owned(), json!(turn.request.channel));
    }
    if let Some(count) = said.capabilities {
        metadata.insert("capabilities".to_owned(), json!(count));
    }
    metadata.insert("model".to_owned(), json!("deterministic"));
    metadata.insert("provider".to_owned(), json!("local"));
    Reply {
        text: said.text,
        handler: handler.name.to_owned(),
        intent: handler.intent,
        agent_type: "system",
        has_errors: false,
        guard_output: row.guard_output,
        metadata,
    }
}

fn handler_end(turn: &mut Running, reply: &Reply, began: i64) -> Result<(), TurnError> {
    let at = turn.now();
    let payload = json!({ "handler": reply.handler, "intent": reply.intent, "duration_ms": ms(began, at) });
    turn.timeline(at, "handler.end", "handler.end", payload)
}

/// Checks the answer. A halt replaces it, a warning goes before it; either way the turn goes on.
pub(super) fn guard(turn: &mut Running) -> Result<Next, TurnError> {
    let began = turn.now();
    let mut reply = turn.reply.take().expect("the stage before guard sets a reply or fails");
    let checks = turn.config.response_checks();
    let mut ran = vec![SAFETY];
    let mut findings = Vec::new();
    let found = checks.check(&reply.text);
    turn.verdict = found.as_ref().map_or(Verdict::Pass, |finding| finding.verdict);
    fire(turn, "response_safety", &reply, found.as_ref())?;
    findings.extend(found.map(|finding| (SAFETY, finding)));
    if reply.guard_output && checks.has_output() && turn.verdict != Verdict::Halt {
        let found = checks.check_output(&reply.text);
        fire(turn, "curator_output_safety", &reply, found.as_ref())?;
        ran.push(OUTPUT_SAFETY);
        findings.extend(found.map(|finding| (OUTPUT_SAFETY, finding)));
    }
    let halting = findings.iter().find(|(_, finding)| finding.verdict == Verdict::Halt);
    if let Some((check, finding)) = halting {
        turn.verdict = Verdict::Halt;
        reply.text = REFUSAL.to_owned();
        reply.has_errors = true;
        for (key, value) in [("governance_guard", "halt"), ("pattern", finding.pattern), ("halted_by", *check)] {
            reply.metadata.insert(key.to_owned(), json!(value));
        }
    } else if !findings.is_empty() {
        reply.text = format!("{}\n\n{}", banner(&findings), reply.text);
    }
    let at = turn.now();
    let told = json!({ "verdict": turn.verdict.as_str(), "handler": reply.handler, "checks": ran });
    let mut payload = told.clone();
    payload["duration_ms"] = json!(ms(began, at));
    turn.timeline(at, "guard.end", "guard.end", payload)?;
    turn.tell("guard.end", "guard.end", told);
    turn.reply = Some(reply);
    Ok(Next::GoOn)
}

/// Writes the row of a response check.
fn fire(turn: &mut Running, plugin: &'static str, reply: &Reply, found: Option<&Finding>) -> Result<(), TurnError> {
    let (decision, severity) = match found.map(|finding| finding.verdict) {
        None => (Decision::Allow, "info"),
        Some(Verdict::Halt) => (Decision::Deny, "error"),
        Some(_) => (Decision::Transform, "warn"),
    };
    turn.decide(Firing {
        hook_point: "pre_response",
        plugin,
        decision,
        severity,
        reason: found.map_or_else(|| NOTHING.to_owned(), |finding| finding.reason.clone()),
        handler: Some(reply.handler.clone()),
    })
}

/// What stands before an answer that is shown all the same.
fn banner(findings: &[(&str, Finding)]) -> String {
    let mut lines = vec!["Read this with care; a check says:".to_owned()];
    lines.extend(findings.iter().map(|(check, finding)| format!("{check}: {}", finding.reason)));
    lines.join("\n")
}

/// Writes the answer down.
pub(super) fn record(turn: &mut Running) -> Result<Next, TurnError> {
    let at = turn.now();
    let reply = turn.reply.as_ref().expect("the stages before record set a reply or fail");
    let fields = json!({
        "response": cut(&reply.text, ANSWER_LIMIT),
        "intent": reply.intent,
        "agent_type": reply.agent_type,
        "has_errors": reply.has_errors,
        "total_tokens": null,
        "total_duration_ms": ms(turn.opened_us, at),
        "resources": null,
    });
    turn.direct(at, "agent_response", fields)?;
    turn.answered_at = crate::log::stamp_text(at);
    Ok(Next::GoOn)
}
