//! A turn while it runs: who works, what it will answer, and how its events and decisions are written.

use super::config::{Config, Row};
use super::stage::{self, CHAT_STAGES, NOBODY, OPENER_STAGES};
use super::write::{capped, line};
use super::{Answer, Opening, Request, TraceEvent, TurnError, Verdict, World};
use crate::ledger::{Decision, LedgerRow, masked};
use crate::log::stamp_text;
use serde_json::{Map, Value, json};

/// A turn while it runs.
pub(super) struct Running<'a> {
    pub config: &'a Config,
    pub request: &'a Request<'a>,
    /// Whose name events carry.
    pub agent: &'static str,
    pub turn_id: String,
    /// When it was opened.
    pub opened_us: i64,
    pub reply: Option<Reply>,
    pub verdict: Verdict,
    /// Stamp of the answer, once it is written.
    pub answered_at: String,
    world: &'a mut dyn World,
    emit: &'a mut dyn FnMut(TraceEvent),
    last_us: i64,
}

/// What a turn will answer.
pub(super) struct Reply {
    pub text: String,
    pub handler: String,
    pub intent: &'static str,
    pub agent_type: &'static str,
    pub has_errors: bool,
    /// Whether the organisation's output check looks at it, too.
    pub guard_output: bool,
    pub metadata: Map<String, Value>,
}

/// A decision of a hook, before it is a row.
pub(super) struct Firing {
    pub hook_point: &'static str,
    pub plugin: &'static str,
    pub decision: Decision,
    pub severity: &'static str,
    pub reason: String,
    /// The handler whose deterministic answer it is about.
    pub handler: Option<String>,
}

/// Runs a turn from its opening to its answer.
pub(super) fn run(
    config: &Config,
    request: &Request,
    world: &mut dyn World,
    emit: &mut dyn FnMut(TraceEvent),
) -> Result<Answer, TurnError> {
    let mut turn = Running::new(config, request, world, emit);
    match request.opening {
        Opening::Opener(_) => stage::run(&OPENER_STAGES, &mut turn)?,
        Opening::Message(_) => stage::run(&CHAT_STAGES, &mut turn)?,
    }
    let reply = turn.reply.take().expect("the stages before record set a reply or fail");
    Ok(Answer {
        masked: masked(&reply.text),
        response: reply.text,
        handler: reply.handler,
        intent: reply.intent.to_owned(),
        agent_type: reply.agent_type.to_owned(),
        verdict: turn.verdict,
        has_errors: reply.has_errors,
        at: turn.answered_at,
        capabilities: reply.metadata.get("capabilities").and_then(Value::as_u64),
        metadata: reply.metadata,
        turn_id: turn.turn_id,
    })
}

impl<'a> Running<'a> {
    pub fn new(
        config: &'a Config,
        request: &'a Request<'a>,
        world: &'a mut dyn World,
        emit: &'a mut dyn FnMut(TraceEvent),
    ) -> Running<'a> {
        Running {
            config,
            request,
            agent: NOBODY,
            turn_id: world.turn_id(),
            opened_us: 0,
            reply: None,
            verdict: Verdict::Skipped,
            answered_at: String::new(),
            world,
            emit,
            last_us: i64::MIN,
        }
    }

    /// The time, microseconds since 1970. A clock that goes back is held.
    pub fn now(&mut self) -> i64 {
        self.last_us = self.last_us.max(self.world.now_us());
        self.last_us
    }

    /// Writes an event whose fields stand beside its kind (specs: iris-session-log, 1.6).
    pub fn direct(&mut self, at: i64, kind: &str, fields: Value) -> Result<(), TurnError> {
        let mut event = self.envelope(at, kind);
        if let Value::Object(fields) = fields {
            event.extend(fields);
        }
        self.write(kind, event)
    }

    /// Writes an event of the timeline (specs: iris-session-log, 1.7).
    pub fn timeline(&mut self, at: i64, kind: &str, phase: &str, payload: Value) -> Result<(), TurnError> {
        let mut event = self.envelope(at, kind);
        event.insert("agent_type".to_owned(), json!(self.agent));
        event.insert("iteration".to_owned(), Value::Null);
        event.insert("phase".to_owned(), json!(phase));
        event.insert("payload".to_owned(), capped(payload));
        self.write(kind, event)
    }

    fn envelope(&self, at: i64, kind: &str) -> Map<String, Value> {
        let fields = [
            ("kind", json!(kind)),
            ("ts", json!(stamp_text(at))),
            ("session_id", json!(self.request.session_id)),
            ("turn_id", json!(self.turn_id)),
        ];
        fields.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
    }

    fn write(&mut self, kind: &str, event: Map<String, Value>) -> Result<(), TurnError> {
        let kept = self.world.event(kind, line(&Value::Object(event)));
        kept.map_err(|reason| TurnError::NotKept { what: format!("the event `{kind}`"), reason })
    }

    /// Writes a row of the ledger (specs: system-opened-turns, 1.1).
    pub fn decide(&mut self, firing: Firing) -> Result<(), TurnError> {
        let at = self.now();
        let mut payload = Map::new();
        payload.insert("audience".to_owned(), json!(self.request.audience));
        if let Some(handler) = &firing.handler {
            payload.insert("deterministic".to_owned(), json!(true));
            payload.insert("handler".to_owned(), json!(handler));
        }
        payload.insert("session_id".to_owned(), json!(self.request.session_id));
        payload.insert("turn_id".to_owned(), json!(self.turn_id));
        let row = LedgerRow {
            id: 0,
            record_id: Some(self.world.record_id()),
            ts: stamp_text(at),
            session_id: Some(self.request.session_id.to_owned()),
            turn_id: Some(self.turn_id.clone()),
            run_id: Some(self.request.session_id.to_owned()),
            agent_type: Some("chat".to_owned()),
            step_id: None,
            attempt: None,
            hook_point: firing.hook_point.to_owned(),
            plugin: firing.plugin.to_owned(),
            decision: firing.decision,
            severity: firing.severity.to_owned(),
            reason: firing.reason,
            classification: None,
            tier: None,
            call_id: None,
            parent_call_id: None,
            replay_of: None,
            resumed_from_run: None,
            caller: None,
            deterministic: firing.handler.is_some().then_some(true),
            handler: firing.handler,
            payload,
            kind: None,
            writer_id: None,
            writer_seq: None,
        };
        let kept = self.world.decision(row);
        kept.map_err(|reason| TurnError::NotKept { what: format!("the decision of `{}`", firing.plugin), reason })
    }

    /// Tells the caller that something happened.
    pub fn tell(&mut self, text: &str, name: &str, values: Value) {
        let mut payload = Map::from_iter([("name".to_owned(), json!(name))]);
        if let Value::Object(values) = values {
            payload.extend(values);
        }
        (self.emit)(TraceEvent::Trace { text: text.to_owned(), payload });
    }

    /// Tells the caller that a handler answered, when its row has a label.
    pub fn tell_answered(&mut self, row: &Row, name: &str, metadata: &Map<String, Value>) {
        let Some(label) = &row.trace_text else { return };
        let mut values = Map::from_iter([("matched".to_owned(), json!(true))]);
        for field in &row.trace_fields {
            if let Some(value) = metadata.get(field) {
                values.insert(field.clone(), value.clone());
            }
        }
        self.tell(label, &format!("{name}.end"), Value::Object(values));
    }
}

/// Milliseconds between two moments, in steps of a microsecond: three decimals.
pub(super) fn ms(from: i64, to: i64) -> f64 {
    to.saturating_sub(from) as f64 / 1000.0
}
