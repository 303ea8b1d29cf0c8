//! The reasoning view: one step for each event that says something, in file order (specs: iris-session-log, 4.5 and 7.9).

use super::model::{Status, Step};
use super::nodes::prompt;
use super::pairs::Pairs;
use super::scene::{Scene, round3};
use super::title::{json, signals, title};
use crate::log::{Event, Pace, TURN_OPENING_KINDS};
use serde_json::{Map, Value};

/// All steps of a turn.
pub(super) fn steps(scene: &Scene, pairs: &Pairs, progress: &mut dyn FnMut()) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::with_capacity(scene.events.len());
    let mut latest: Option<f64> = None;
    let mut pace = Pace::new(progress);
    for (at, event) in scene.events.iter().enumerate() {
        let Some(kind) = step_kind(event, at, pairs) else { continue };
        let begun = match event.kind.as_str() {
            "tool.invoke.start" | "response_curator.start" => Some(event),
            _ => pairs.start_of(at).map(|start| &scene.events[start]),
        };
        let logged = scene.at(event);
        let logged_at_ms = match logged {
            Some(_) => scene.shown(logged),
            None => steps.last().map_or(0.0, |step| step.logged_at_ms),
        };
        let work = work(scene, pairs, at, kind, begun);
        let t_offset_ms = match work {
            Some((start @ Some(_), _)) => scene.shown(start),
            _ => logged_at_ms,
        };
        let mut fields = fields(kind, event);
        // File order is the order; a clock that goes back is told, not mended.
        if let Some(back) = latest.zip(logged).map(|(latest, logged)| round3(latest - logged)).filter(|back| *back > 0.0) {
            fields.insert("clock_back_ms".to_owned(), back.into());
        }
        latest = logged.or(latest);
        let detail = detail(kind, event, begun);
        pace.step(detail.as_ref().map_or(0, |detail| detail.len() as u64));
        steps.push(Step {
            seq: steps.len() as u64,
            kind: kind.to_owned(),
            title: title(kind, event, begun),
            t_offset_ms,
            logged_at_ms,
            duration_ms: work.map(|(_, ms)| round3(ms)),
            status: status(kind, event, at, pairs),
            iteration: event.iteration,
            detail,
            fields,
            time_unknown: logged.is_none(),
        });
    }
    steps
}

/// The type of an event's step; `None` for the start of work whose end has the step.
fn step_kind(event: &Event, at: usize, pairs: &Pairs) -> Option<&'static str> {
    Some(match event.kind.as_str() {
        kind if TURN_OPENING_KINDS.contains(&kind) => "request",
        "turn.start" => "start",
        "intent_router.end" => "intent",
        "memory.context" => "memory",
        "planner.end" => "plan",
        "llm_call" => "llm",
        "tool.invoke.end" | "tool_run" => "tool",
        "tool.invoke.start" => return pairs.end_of(at).is_none().then_some("tool"),
        "response_curator.end" => "curator",
        "response_curator.start" => return pairs.end_of(at).is_none().then_some("curator"),
        "handler.end" => "handler",
        "guard.end" => "guard",
        "agent_response" => "response",
        "error" => "error",
        "pipeline.phase" => match event.phase.as_deref() {
            Some("continuation.resumed") => "continuation",
            Some("planner.resume") => "resume",
            _ => "phase",
        },
        "agent.trace" => match event.name() {
            Some("agent.start") => "agent",
            Some("agent.result") if event.flag("success") == Some(false) => "stop",
            Some("agent.result") => "agent_result",
            _ => "note",
        },
        _ => "event",
    })
}

/// Start and duration of the work behind a step, where it took any.
fn work(scene: &Scene, pairs: &Pairs, at: usize, kind: &str, begun: Option<&Event>) -> Option<(Option<f64>, f64)> {
    let event = &scene.events[at];
    let logged = scene.at(event);
    match kind {
        "llm" | "handler" | "guard" => event.duration_ms("duration_ms").map(|ms| (logged.map(|end| end - ms), ms)),
        "tool" if event.kind == "tool_run" => event.duration_ms("duration_ms").map(|ms| (logged.map(|end| end - ms), ms)),
        "tool" | "curator" => {
            let start = scene.at(begun?)?;
            let end = if event.kind.ends_with(".start") { scene.latest } else { logged.filter(|_| pairs.start_of(at).is_some()) };
            Some((Some(start), (end? - start).max(0.0)))
        }
        _ => None,
    }
}

fn status(kind: &str, event: &Event, at: usize, pairs: &Pairs) -> Status {
    let failed = match kind {
        "stop" | "error" => true,
        "tool" if event.kind == "tool_run" => event.value("exit_code").as_i64().is_some_and(|code| code != 0),
        "tool" => event.flag("ok") == Some(false),
        "curator" => event.flag("has_errors") == Some(true) || event.value("metadata")["judge_bundle"]["halted"] == true,
        "guard" => event.str("verdict") == Some("halt"),
        "response" => event.flag("has_errors") == Some(true) || event.str("response").is_none_or(|text| text.trim().is_empty()),
        _ => false,
    };
    let open = match kind {
        "tool" | "curator" => event.kind.ends_with(".start"),
        "agent" => pairs.end_of(at).is_none(),
        _ => false,
    };
    match (failed, open) {
        (true, _) => Status::Error,
        (_, true) => Status::Open,
        _ => Status::Ok,
    }
}

/// The values that a step carries by name; null for what the log does not tell.
fn fields(kind: &str, event: &Event) -> Map<String, Value> {
    let named = |pairs: &[(&str, &str)]| pairs.iter().map(|(name, key)| ((*name).to_owned(), event.value(key))).collect();
    match kind {
        "request" if event.kind == "turn_open" => named(&[("opener", "opener")]),
        "start" => named(&[("chars", "message_chars")]),
        "intent" => {
            named(&[("intent", "intent"), ("agent", "agent_type"), ("confidence", "confidence"), ("multi_step", "is_multi_step")])
        }
        "plan" => named(&[("tasks", "task_ids")]),
        "continuation" => named(&[("owner", "owner"), ("tier", "tier"), ("decision", "decision")]),
        "resume" => named(&[("run_id", "run_id"), ("step_id", "step_id")]),
        "phase" => one("phase", event.phase.clone().into()),
        "agent" => named(&[("agent", "agent_type"), ("task", "task_id")]),
        "agent_result" => named(&[("agent", "agent_type"), ("stall_count", "stall_count")]),
        "stop" => named(&[("agent", "agent_type"), ("stall_count", "stall_count"), ("iterations", "iterations")]),
        "note" => one("name", event.name().into()),
        "llm" => {
            let mut fields: Map<String, Value> = named(&[("model", "model"), ("provider", "provider"), ("tier", "tier")]);
            fields.insert("tokens".to_owned(), event.value("tokens")["total_tokens"].clone());
            fields
        }
        "tool" if event.kind == "tool_run" => one("tool", "shell".into()),
        "tool" if event.kind == "tool.invoke.start" => named(&[("tool", "tool")]),
        "tool" => named(&[("tool", "tool"), ("ok", "ok")]),
        "curator" => {
            let bundle = &event.value("metadata")["judge_bundle"];
            let verdicts: Map<String, Value> = signals(bundle).map(|(name, verdict)| (name.to_owned(), verdict.into())).collect();
            let mut fields = named(&[("has_errors", "has_errors"), ("chars", "response_chars")]);
            fields.insert("halted".to_owned(), (bundle["halted"] == true).into());
            fields.insert("verdicts".to_owned(), verdicts.into());
            fields
        }
        "handler" => named(&[("handler", "handler"), ("intent", "intent")]),
        "guard" => named(&[("verdict", "verdict"), ("checks", "checks")]),
        "response" => {
            let mut fields = named(&[("tokens", "total_tokens"), ("duration_ms", "total_duration_ms")]);
            fields.insert("chars".to_owned(), event.str("response").map_or(0, |text| text.chars().count() as u64).into());
            fields
        }
        "error" => {
            let mut fields = named(&[("error", "type")]);
            fields.insert("phase".to_owned(), event.phase.clone().into());
            fields
        }
        "event" => one("kind", event.kind.clone().into()),
        _ => Map::new(),
    }
}

fn one(name: &str, value: Value) -> Map<String, Value> {
    Map::from_iter([(name.to_owned(), value)])
}

/// The full text behind a step.
fn detail(kind: &str, event: &Event, begun: Option<&Event>) -> Option<String> {
    let text = |key| event.str(key).map(str::to_owned);
    let payload = || (!event.payload.is_empty()).then(|| event.payload_json());
    match kind {
        "request" if event.kind == "turn_open" => Some("No user message.".to_owned()),
        "request" => event.text.clone(),
        "llm" => Some(format!("{}\n\n{}", prompt(event), event.value("output")["text"].as_str().unwrap_or_default())),
        "tool" if event.kind == "tool_run" => {
            let outputs = [text("cmd"), text("stdout"), text("stderr")];
            Some(outputs.into_iter().flatten().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n\n"))
        }
        "tool" => {
            let arguments = begun.and_then(|event| event.payload.get("arguments")).map(json);
            let parts = [arguments, text("result_preview").or_else(|| text("error"))];
            Some(parts.into_iter().flatten().collect::<Vec<_>>().join("\n\n"))
        }
        "response" => text("response"),
        "error" => text("message"),
        "note" | "event" => event.text.clone().or_else(payload),
        _ => payload(),
    }
    .filter(|detail| !detail.is_empty())
}
