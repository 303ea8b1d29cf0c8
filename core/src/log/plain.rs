//! An event in plain words: a label and one line of text (specs: iris-session-log, 3.2 and 7.10).

use super::event::Event;
use super::import::iris::count;
use super::session::{counted, cut};
use serde_json::Value;

/// The time of day in a stamp, as it is written there: `08:15:20`; empty when it has none.
pub fn clock(ts: Option<&str>) -> String {
    ts.map(|ts| ts.chars().skip(11).take(8).collect()).unwrap_or_default()
}

/// What kind of event it is, in at most a few letters; the kind itself when it is not a known one.
pub fn label(event: &Event) -> &str {
    match event.kind.as_str() {
        "user_message" => "user",
        "turn_open" => "open",
        "turn.start" => "turn",
        "pipeline.phase" => "phase",
        "intent_router.end" => "router",
        "memory.context" => "memory",
        "planner.end" => "plan",
        "tool.invoke.start" | "tool.invoke.end" | "tool_run" => "tool",
        "response_curator.start" | "response_curator.end" => "curate",
        "agent.trace" => match trace_name(event) {
            Some(name) if name.starts_with("agent.") && name != "agent.trace" => "agent",
            Some(name) if name.starts_with("llm.") => "llm",
            _ => "trace",
        },
        "llm_call" => "llm",
        "agent_response" => "final",
        "handler.end" => "handler",
        "guard.end" => "check",
        other => other,
    }
}

/// One line about the event, cut where it would grow long.
pub fn sentence(event: &Event) -> String {
    let text = |key| event.str(key).unwrap_or("?");
    let yes = |key| if event.flag(key) == Some(true) { "yes" } else { "no" };
    match event.kind.as_str() {
        "user_message" => line(event.text.as_deref().unwrap_or_default(), 240),
        "turn_open" => {
            let name = event.str("label").filter(|l| !l.is_empty()).or_else(|| event.str("opener")).unwrap_or("?");
            format!("{} (opened by the system, no user message)", line(name, 240))
        }
        "turn.start" => format!("start, {}", counted(number(event, "message_chars"), "character")),
        "pipeline.phase" => line(event.phase.as_deref().unwrap_or_default(), 240),
        "intent_router.end" => {
            let confidence = event.number("confidence").map(|c| format!(", {c:.2}")).unwrap_or_default();
            format!("{} -> {}{confidence}", text("intent"), text("agent_type"))
        }
        "memory.context" => {
            let behaviour = event.str("behavior_name").map(|name| format!(", behavior {name}")).unwrap_or_default();
            format!(
                "profile {}, active {}, recent {}, episodic {}{behaviour}",
                yes("has_user_profile"),
                yes("has_active_context"),
                number(event, "recent_turns"),
                number(event, "episodic_patterns"),
            )
        }
        "planner.end" => format!("{}, first {}", counted(number(event, "plan_size"), "task"), text("first_agent")),
        "tool.invoke.start" => format!("start {}", text("tool")),
        "tool.invoke.end" => format!("end {}, {}", text("tool"), if event.flag("ok") == Some(false) { "failed" } else { "ok" }),
        "response_curator.start" => format!("start, {}", counted(number(event, "result_count"), "result")),
        "response_curator.end" => {
            let errors = if event.flag("has_errors") == Some(true) { "errors" } else { "no errors" };
            format!("end, {}, {errors}", counted(number(event, "response_chars"), "character"))
        }
        "agent.trace" => agent_trace(event),
        "llm_call" => llm_call(event),
        "tool_run" => {
            let exit = event.value("exit_code").as_i64().map_or("exit ?".to_owned(), |code| format!("exit {code}"));
            format!("{exit}: {}", line(event.str("cmd").unwrap_or_default(), 220))
        }
        "agent_response" => line(event.str("response").unwrap_or_default(), 600),
        "error" => line(&format!("{}: {}", event.str("type").unwrap_or("error"), event.str("message").unwrap_or_default()), 400),
        "handler.end" => format!("{} -> {}, {}", text("handler"), text("intent"), took(event)),
        "guard.end" => format!("{}, {}, {}", text("verdict"), event.strings("checks").join(" "), took(event)),
        _ if event.payload.is_empty() => line(event.text.as_deref().unwrap_or_default(), 400),
        _ => cut(&event.payload_json(), 400),
    }
}

fn agent_trace(event: &Event) -> String {
    let agent = event.str("agent_type").unwrap_or("?");
    match trace_name(event) {
        Some("agent.start") => format!("start {agent}"),
        Some("agent.result") => {
            let ended = if event.flag("success") == Some(false) { "failed" } else { "ok" };
            let took = event.duration_ms("latency_ms").map(|ms| format!(", {ms} ms")).unwrap_or_default();
            format!("result {agent}, {ended}{took}")
        }
        Some(name) if name.starts_with("llm.") => {
            let either = |a, b| event.str(a).or_else(|| event.str(b)).unwrap_or("?");
            let tokens = event.number("total_tokens").map(|n| format!(", {}", counted(n as u64, "token"))).unwrap_or_default();
            format!("{name} {}/{}{tokens}", either("provider", "tier_provider"), either("model", "tier_model"))
        }
        _ => line(event.text.as_deref().unwrap_or_default(), 240),
    }
}

fn llm_call(event: &Event) -> String {
    let calls = event.value("output")["tool_calls"].as_array().map_or(0, Vec::len) as u64;
    let round = event.iteration.map(|n| format!("#{n}")).unwrap_or_default();
    format!(
        "{}/{}, {}, {}, {}{round}: {}",
        event.str("provider").unwrap_or("?"),
        event.str("model").unwrap_or("?"),
        counted(count(&event.value("tokens")["total_tokens"]), "token"),
        counted(calls, "tool call"),
        event.agent_type.as_deref().unwrap_or("?"),
        line(event.value("output")["text"].as_str().unwrap_or_default(), 240),
    )
}

/// What an `agent.trace` is about.
fn trace_name(event: &Event) -> Option<&str> {
    event.str("event").or_else(|| event.str("name")).or(event.phase.as_deref())
}

fn number(event: &Event, key: &str) -> u64 {
    event.payload.get(key).map_or(0, |value: &Value| count(value))
}

fn took(event: &Event) -> String {
    event.duration_ms("duration_ms").map_or("? ms".to_owned(), |ms| format!("{ms} ms"))
}

/// White space collapsed, cut at `limit` characters.
fn line(text: &str, limit: usize) -> String {
    cut(&text.split_whitespace().collect::<Vec<_>>().join(" "), limit)
}
