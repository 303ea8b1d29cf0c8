//! Makes the nodes of a trace out of a turn's events, in the order of the stages (specs: iris-session-log, 4.4, 7.4, 7.6 and 7.8).

use super::model::{DurationSource, Node, Status, Tokens};
use super::pairs::{Pair, Pairs, agent_type, call_id};
use super::scene::{Scene, round3};
use super::title::json;
use crate::log::{Event, OpenedBy, Outcome, Pace, TurnDurationSource};
use serde_json::Value;

/// Milliseconds that the harness gives to planning, which it does not measure.
const PLANNING_MS: f64 = 6.0;
/// Milliseconds given to memory when nothing follows it.
const MEMORY_MS: f64 = 20.0;
/// Milliseconds that the harness gives to the firing of a hook, which it does not measure.
const HOOK_MS: f64 = 2.0;
/// Characters of a command that name its node.
const COMMAND_LABEL: usize = 40;

/// A node, and when it really began and ended.
#[derive(Debug)]
pub(super) struct Call {
    pub node: Node,
    /// Not clamped; `None` when no stamp can be read.
    pub start: Option<f64>,
    /// The logged end; `None` for open work.
    pub end: Option<f64>,
    /// The stamp that decides which agent it belongs to.
    pub logged: Option<f64>,
    /// The id of a tool call.
    pub call_id: Option<String>,
}

/// How a node's time is known.
enum Time {
    /// A stamp at the end and a duration field.
    Measured { end: Option<f64>, ms: Option<f64> },
    /// Two stamps; without the first, only a mark.
    Between { start: Option<f64>, end: Option<f64>, source: DurationSource },
    /// A start and a constant.
    Constant { start: Option<f64>, ms: f64 },
    /// A start and no end.
    Open { start: Option<f64> },
}

/// All nodes of a turn in insertion order: runtime, the stages, agents, then tools, model calls and errors.
pub(super) fn calls(scene: &Scene, pairs: &Pairs, progress: &mut dyn FnMut()) -> Vec<Call> {
    let mut pace = Pace::new(progress);
    let mut calls = vec![runtime(scene)];
    stages(scene, &mut calls);
    for (i, run) in pairs.agents.iter().enumerate() {
        calls.extend(agent(scene, i, run));
    }
    if let Some(event) = first(scene, "handler.end") {
        let mut call = make(scene, "handler", "handler", event.str("handler").unwrap_or("handler"), measured(scene, event));
        call.node.handler = event.str("handler").map(str::to_owned);
        call.node.input = Some(scene.turn.request.clone());
        call.node.output = scene.answer.map(str::to_owned);
        calls.push(call);
    }
    calls.extend(curator(scene));
    if let Some(event) = first(scene, "guard.end") {
        let mut call = make(scene, "guard", "guard", "response check", measured(scene, event));
        let verdict = event.str("verdict").unwrap_or_default();
        if verdict == "halt" {
            call.node.status = Status::Error;
        }
        call.node.input = scene.answer.map(str::to_owned);
        call.node.output = Some(format!("{verdict} ({})", event.strings("checks").join(", ")));
        calls.push(call);
    }
    tools(scene, pairs, &mut pace, &mut calls);
    for (i, event) in scene.events.iter().filter(|event| event.kind == "llm_call").enumerate() {
        let call = model_call(scene, i, event);
        pace.step(text_bytes(&call.node));
        calls.push(call);
    }
    for (i, event) in scene.events.iter().filter(|event| event.kind == "error").enumerate() {
        let at = scene.at(event);
        let label = event.str("type").filter(|t| !t.is_empty()).unwrap_or("error");
        let time = Time::Between { start: None, end: at, source: DurationSource::Span };
        let mut call = make(scene, &format!("err{i}"), "error", label, time);
        call.start = at;
        call.node.status = Status::Error;
        call.node.agent = event.agent_type.clone();
        call.node.output = event.str("message").map(str::to_owned);
        calls.push(call);
    }
    calls
}

fn runtime(scene: &Scene) -> Call {
    let turn = scene.turn;
    let label = match turn.opened_by {
        OpenedBy::System => "IrisRuntime.open_turn",
        OpenedBy::User | OpenedBy::Agent => "IrisRuntime.chat",
        OpenedBy::Unknown => "resumed run",
    };
    let mut call = make(scene, "runtime", "runtime", label, Time::Constant { start: None, ms: 0.0 });
    call.node.duration_ms = round3(turn.duration_ms);
    call.node.duration_source = match turn.duration_source {
        TurnDurationSource::Reported => DurationSource::Reported,
        TurnDurationSource::Span => DurationSource::Span,
        TurnDurationSource::None => DurationSource::None,
    };
    let answer = scene.events.iter().rfind(|event| event.kind == "agent_response");
    let has_errors = answer.is_some_and(|event| event.flag("has_errors") == Some(true));
    call.node.status = match turn.outcome {
        Outcome::Failed | Outcome::Error => Status::Error,
        _ if has_errors => Status::Error,
        Outcome::Unanswered => Status::Open,
        _ => Status::Ok,
    };
    call.node.input = Some(turn.request.clone());
    call.node.output = scene.answer.map(str::to_owned);
    call
}

/// Intent router, memory and planner.
fn stages(scene: &Scene, calls: &mut Vec<Call>) {
    let routed = first(scene, "intent_router.end");
    if let Some(event) = routed {
        let start = scene.events.iter().find(|event| event.phase.as_deref() == Some("intent_router.start"));
        let time = Time::Between { start: start.and_then(|s| scene.at(s)), end: scene.at(event), source: DurationSource::Span };
        let mut call = make(scene, "intent_router", "intent_router", "intent_router", time);
        call.node.input = Some(scene.turn.request.clone());
        call.node.output = Some(event.payload_json());
        calls.push(call);
    }
    let planned = first(scene, "planner.end");
    if let Some(event) = first(scene, "memory.context") {
        let start = scene.at(event);
        let time = match planned {
            Some(next) => Time::Between { start, end: scene.at(next), source: DurationSource::Gap },
            None => Time::Constant { start, ms: MEMORY_MS },
        };
        let mut call = make(scene, "memory", "memory", "memory_retriever", time);
        call.node.input = Some(format!("session_id={}", scene.session_id));
        call.node.output = Some(event.payload_json());
        calls.push(call);
    }
    if let Some(event) = planned {
        let time = Time::Constant { start: scene.at(event), ms: PLANNING_MS };
        let mut call = make(scene, "task_planner", "task_planner", "task_planner", time);
        call.node.input = routed.map(Event::payload_json);
        call.node.output = Some(event.payload_json());
        calls.push(call);
    }
}

fn agent(scene: &Scene, i: usize, run: &Pair) -> Option<Call> {
    let begun = &scene.events[run.start?];
    let result = run.end.map(|at| &scene.events[at]);
    let start = scene.at(begun);
    let name = agent_type(begun);
    let end = result.and_then(|event| scene.at(event));
    let latency = result.and_then(|event| event.duration_ms("latency_ms")).filter(|ms| *ms > 0.0);
    let time = match (result, latency) {
        (None, _) => Time::Open { start },
        _ => Time::Between { start, end, source: DurationSource::Span },
    };
    let mut call = make(scene, &format!("agent{i}"), "agent", &format!("{name}_agent"), time);
    if let Some(ms) = latency {
        call.node.duration_ms = round3(ms);
        call.node.duration_source = DurationSource::Measured;
    }
    if result.is_some_and(|event| event.flag("success") == Some(false)) {
        call.node.status = Status::Error;
    }
    call.node.agent = Some(name.to_owned());
    call.node.input = begun.text.clone();
    call.node.output = result.and_then(|event| event.text.clone());
    Some(call)
}

fn curator(scene: &Scene) -> Option<Call> {
    let (begun, ended) = (first(scene, "response_curator.start"), first(scene, "response_curator.end"));
    let start = begun.and_then(|event| scene.at(event));
    let time = match (begun, ended) {
        (None, None) => return None,
        (_, Some(event)) => Time::Between { start, end: scene.at(event), source: DurationSource::Span },
        (Some(_), None) => Time::Open { start },
    };
    let mut call = make(scene, "curator", "response_curator", "response_curator", time);
    call.node.input = begun.map(Event::payload_json);
    call.node.output = scene.answer.map(str::to_owned).or_else(|| ended.map(Event::payload_json));
    Some(call)
}

/// Finished tool calls and shell runs in file order, then calls without an end.
fn tools(scene: &Scene, pairs: &Pairs, pace: &mut Pace, calls: &mut Vec<Call>) {
    let mut ended: Vec<(usize, Option<Pair>)> = pairs.tools.iter().filter_map(|pair| Some((pair.end?, Some(*pair)))).collect();
    ended.extend(scene.events.iter().enumerate().filter(|(_, event)| event.kind == "tool_run").map(|(at, _)| (at, None)));
    ended.sort_by_key(|(at, _)| *at);
    let open = pairs.tools.iter().filter(|pair| pair.end.is_none()).filter_map(|pair| Some((pair.start?, Some(*pair))));
    for (i, (at, pair)) in ended.into_iter().chain(open).enumerate() {
        let event = &scene.events[at];
        let id = format!("tool{i}");
        let mut call = match pair {
            Some(pair) => tool_call(scene, &id, event, &pair),
            None => shell_run(scene, &id, event),
        };
        call.logged = scene.at(event);
        call.node.agent = event.agent_type.clone();
        call.call_id = Some(call_id(event)).filter(|id| pair.is_some() && !id.is_empty()).map(str::to_owned);
        pace.step(text_bytes(&call.node));
        calls.push(call);
    }
}

fn text_bytes(node: &Node) -> u64 {
    [&node.input, &node.output].into_iter().flatten().map(|text| text.len() as u64).sum()
}

fn tool_call(scene: &Scene, id: &str, event: &Event, pair: &Pair) -> Call {
    let begun = pair.start.map(|at| &scene.events[at]);
    let start = begun.and_then(|event| scene.at(event));
    let time = match pair.end {
        Some(_) => Time::Between { start, end: scene.at(event), source: DurationSource::Span },
        None => Time::Open { start },
    };
    let mut call = make(scene, id, "tool", event.str("tool").unwrap_or("tool"), time);
    call.node.input = begun.and_then(|event| event.payload.get("arguments")).map(json);
    if pair.end.is_some() {
        let ok = event.flag("ok") != Some(false);
        if !ok {
            call.node.status = Status::Error;
        }
        let preview = event.str("result_preview").or_else(|| event.str("error")).map(str::to_owned);
        call.node.exit_code = Some(i64::from(!ok));
        call.node.stderr = preview.clone().filter(|_| !ok);
        call.node.output = preview;
    }
    call
}

fn shell_run(scene: &Scene, id: &str, event: &Event) -> Call {
    let command = event.str("cmd").unwrap_or_default();
    let label: String = command.chars().take(COMMAND_LABEL).collect();
    let mut call = make(scene, id, "tool", &label, measured(scene, event));
    call.node.exit_code = event.value("exit_code").as_i64();
    if call.node.exit_code.is_some_and(|code| code != 0) {
        call.node.status = Status::Error;
    }
    call.node.input = Some(command.to_owned());
    call.node.output = event.str("stdout").map(str::to_owned);
    call.node.stderr = event.str("stderr").map(str::to_owned);
    call
}

fn model_call(scene: &Scene, i: usize, event: &Event) -> Call {
    let model = event.str("model").filter(|model| !model.is_empty());
    let mut call = make(scene, &format!("llm{i}"), "llm", model.unwrap_or("llm"), measured(scene, event));
    let tokens = event.value("tokens");
    call.node.tokens = tokens.is_object().then(|| Tokens {
        prompt: tokens["prompt_tokens"].as_u64(),
        completion: tokens["completion_tokens"].as_u64(),
        total: tokens["total_tokens"].as_u64(),
    });
    call.node.model = model.map(str::to_owned);
    call.node.provider = event.str("provider").map(str::to_owned);
    call.node.tier = event.str("tier").map(str::to_owned);
    call.node.agent = event.agent_type.clone();
    call.node.input = Some(prompt(event));
    call.node.output = event.value("output")["text"].as_str().map(str::to_owned);
    call
}

/// The firing of a hook at some moment; what it decided is still to be filled in.
pub(super) fn governance_call(scene: &Scene, i: usize, hook: &str, start: Option<f64>) -> Call {
    make(scene, &format!("gov{i}"), "governance", hook, Time::Constant { start, ms: HOOK_MS })
}

/// The messages of a model call, one a line: `[role] content`.
pub(super) fn prompt(event: &Event) -> String {
    let messages = event.payload.get("input_messages").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let text = |value: &Value| value.as_str().map_or_else(|| json(value), str::to_owned);
    let lines = messages.iter().map(|m| format!("[{}] {}", text(&m["role"]), text(&m["content"])));
    lines.collect::<Vec<_>>().join("\n")
}

fn first<'a>(scene: &Scene<'a>, kind: &str) -> Option<&'a Event> {
    scene.events.iter().find(|event| event.kind == kind)
}

fn measured(scene: &Scene, event: &Event) -> Time {
    Time::Measured { end: scene.at(event), ms: event.duration_ms("duration_ms") }
}

fn make(scene: &Scene, id: &str, kind: &str, label: &str, time: Time) -> Call {
    let (start, end, ms, source) = match time {
        Time::Measured { end, ms: Some(ms) } => (end.map(|end| end - ms), end, ms, DurationSource::Measured),
        Time::Measured { end, ms: None } => (end, end, 0.0, DurationSource::None),
        Time::Between { start: Some(start), end: Some(end), source } => (Some(start), Some(end), (end - start).max(0.0), source),
        Time::Between { start, end, .. } => (start.or(end), end, 0.0, DurationSource::None),
        Time::Constant { start, ms } => (start, start.map(|start| start + ms), ms, DurationSource::Estimated),
        Time::Open { start } => {
            let ms = start.zip(scene.latest).map_or(0.0, |(start, latest)| (latest - start).max(0.0));
            (start, None, ms, DurationSource::Open)
        }
    };
    let node = Node {
        id: id.to_owned(),
        kind: kind.to_owned(),
        label: label.to_owned(),
        t_offset_ms: scene.shown(start),
        duration_ms: round3(ms),
        duration_source: source,
        status: if matches!(source, DurationSource::Open) { Status::Open } else { Status::Ok },
        after_answer: start.zip(scene.answered).is_some_and(|(start, answered)| start > answered),
        input: None,
        output: None,
        agent: None,
        model: None,
        provider: None,
        tier: None,
        tokens: None,
        exit_code: None,
        stderr: None,
        handler: None,
        governance: None,
    };
    Call { node, start, end, logged: end, call_id: None }
}
