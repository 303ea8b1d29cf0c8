//! The one line that each step of the reasoning view is known by (specs: iris-session-log, 4.5).

use crate::log::{Event, counted, cut};
use serde_json::Value;

/// Characters of the free part of a title.
const FREE: usize = 140;
/// Characters of a tool's arguments, result or command in a title.
const BRIEF: usize = 80;

/// The title of a step of type `kind` made from `event`; `begun` is the event that started the work, where there is one.
pub(super) fn title(kind: &str, event: &Event, begun: Option<&Event>) -> String {
    let text = |key| event.str(key).unwrap_or("?");
    match kind {
        "request" if event.kind == "turn_open" => {
            let label = event.str("label").filter(|label| !label.is_empty()).or_else(|| event.str("opener"));
            format!("Opened by the system: {}", first_line(label.unwrap_or("?"), FREE))
        }
        "request" => match first_line(event.text.as_deref().unwrap_or_default(), FREE) {
            line if line.is_empty() => "Asked: (empty message)".to_owned(),
            line => format!("Asked: {line}"),
        },
        "start" => format!("Turn started, {}", counted(whole(event, "message_chars"), "character")),
        "intent" => {
            let confidence = event.number("confidence").map(|c| format!(", {c:.2}")).unwrap_or_default();
            format!("Intent {} for {}{confidence}", text("intent"), text("agent_type"))
        }
        "memory" => {
            let profile = if event.flag("has_user_profile") == Some(true) { "yes" } else { "no" };
            let (episodic, recent) = (whole(event, "episodic_patterns"), whole(event, "recent_turns"));
            format!("Memory: profile {profile}, {episodic} episodic, {recent} recent")
        }
        "plan" => format!("Plan of {}, first {}", whole(event, "plan_size"), text("first_agent")),
        "continuation" => {
            let decision = event.str("decision").map(|d| format!(": {d}")).unwrap_or_default();
            format!("Continues {} (tier {}){decision}", text("owner"), text("tier"))
        }
        "resume" => format!("Run {} resumed at step {}", text("run_id"), json(&event.value("step_id"))),
        "phase" => format!("Phase {}", event.phase.as_deref().unwrap_or("?")),
        "agent" => format!("{} started on task {}", text("agent_type"), text("task_id")),
        "agent_result" => format!("{} finished, {}", text("agent_type"), counted(whole(event, "output_chars"), "character")),
        "stop" => match whole(event, "stall_count") {
            0 => "Stopped without a result".to_owned(),
            times => format!("Stopped: same action repeated {}", counted(times, "time")),
        },
        "note" => match first_line(event.text.as_deref().unwrap_or_default(), FREE) {
            line if line.is_empty() => event.name().unwrap_or("note").to_owned(),
            line => format!("{}: {line}", event.name().unwrap_or("note")),
        },
        "llm" => {
            let line = first_line(event.value("output")["text"].as_str().unwrap_or_default(), FREE);
            let model = event.str("model").filter(|model| !model.is_empty()).unwrap_or("llm");
            format!("{model}: {}", if line.is_empty() { "no text" } else { &line })
        }
        "tool" if event.kind == "tool_run" => {
            let exit = event.value("exit_code").as_i64().map_or("?".to_owned(), |code| code.to_string());
            format!("$ {}, exit {exit}", first_line(event.str("cmd").unwrap_or_default(), BRIEF))
        }
        "tool" => {
            let arguments = begun.and_then(|event| event.payload.get("arguments")).map(json).unwrap_or_default();
            let call = format!("{}({})", text("tool"), cut(&arguments, BRIEF));
            match event.str("result_preview").or_else(|| event.str("error")) {
                Some(result) => format!("{call} gave {}", first_line(result, BRIEF)),
                None if event.kind == "tool.invoke.start" => format!("{call}, no end logged"),
                None => format!("{call} gave nothing"),
            }
        }
        "curator" => curator(event),
        "handler" => format!("{} answered, no model", text("handler")),
        "guard" => format!("Response check: {} ({})", text("verdict"), event.strings("checks").join(", ")),
        "response" => match event.str("response").unwrap_or_default() {
            answer if answer.trim().is_empty() => "Answer is empty".to_owned(),
            answer => format!("Answer, {}", counted(answer.chars().count() as u64, "character")),
        },
        "error" => {
            let message = first_line(event.str("message").unwrap_or_default(), FREE);
            format!("{}: {message}", event.str("type").unwrap_or("error"))
        }
        _ => match first_line(event.text.as_deref().unwrap_or_default(), FREE) {
            line if line.is_empty() => event.kind.clone(),
            line => format!("{}: {line}", event.kind),
        },
    }
}

fn curator(event: &Event) -> String {
    if event.kind == "response_curator.start" {
        return "Checks began, no end logged".to_owned();
    }
    let bundle = &event.value("metadata")["judge_bundle"];
    if bundle["halted"] == true {
        return "Checks halted the answer".to_owned();
    }
    let signals: Vec<String> = signals(bundle).map(|(name, verdict)| format!("{name} {verdict}")).collect();
    format!("Checks: {}", if signals.is_empty() { "none".to_owned() } else { signals.join(", ") })
}

/// Names and verdicts of a curator's checks.
pub(super) fn signals(bundle: &Value) -> impl Iterator<Item = (&str, &str)> {
    let all = bundle["signals"].as_array().map_or(&[][..], Vec::as_slice);
    all.iter().filter_map(|signal| Some((signal["name"].as_str()?, signal["verdict"].as_str().unwrap_or("?"))))
}

/// A value as compact JSON.
pub(super) fn json(value: &Value) -> String {
    value.to_string()
}

fn whole(event: &Event, key: &str) -> u64 {
    // A count; the cast of a float saturates at both ends.
    event.number(key).map_or(0, |n| n as u64)
}

/// The first line that is not blank, cut at `limit` characters.
fn first_line(text: &str, limit: usize) -> String {
    cut(text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default(), limit)
}
