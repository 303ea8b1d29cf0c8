//! Renders a copy of a template whose conditions, loops and values are wrapped in calls that note what they see: which arms were
//! taken, and, when asked for, every value and every read in order (specs: engine notes, section 8). What a copy prints is never
//! shown: texts, spans and errors come from the template itself.

use super::super::shape::Shape;
use super::context::{Context, Node, is_there};
use super::{FUEL, NAME, Printing, prepared};
use minijinja::value::{Value, ValueKind};
use minijinja::{Environment, State};
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard};

/// The names of the calls. The guard refuses a template that uses one.
pub const RESERVED: [&str; 4] = ["__o", "__b", "__l", "__v"];

/// Most events that one render keeps; what comes later is not noted.
const EVENT_LIMIT: usize = 200_000;
/// Longest description of a value, in characters.
const DESCRIBED: usize = 60;

/// A wrapped template. The calls are `__b(ID,(E))` for conditions and filters of loops, `__l(ID,(E))` for what a loop goes through,
/// `__v(ID,(E))` for values; in a trace the id is written `__o(ID)`, so that the beginning of E is noted as well.
pub(in crate::template) struct Probe {
    environment: Environment<'static>,
    log: Shared,
}

pub(super) type Shared = Arc<Mutex<Log>>;

/// Which arms of the conditions and loops were taken, by id: bit 1 for false or empty, bit 2 for true or with items.
pub(in crate::template) type Arms = Vec<u8>;

/// Bit of [`Arms`]: the condition was false, the loop had nothing to go through.
pub(in crate::template) const NO: u8 = 1;
/// Bit of [`Arms`]: the condition was true, the loop's body was run.
pub(in crate::template) const YES: u8 = 2;

/// Something that happened in a traced render.
#[derive(Clone, Debug)]
pub(in crate::template) enum Event {
    /// A fact was read: its path with positions, and whether it is more than null, an empty list or an empty text.
    Read { path: Arc<str>, there: bool },
    /// What is wrapped under `id` had this value. Everything from event `from` on happened while it was found.
    Seen { id: usize, from: usize, yes: bool, value: String },
    /// The value last seen was printed: not as nothing, and which fact it is, if it is one unchanged.
    Printed { id: usize, seen: usize, fact: Option<Arc<str>> },
}

/// What is noted of one render.
#[derive(Debug)]
pub(super) struct Log {
    everything: bool,
    arms: Arms,
    /// For each filter of a loop the id of its loop.
    loop_of: HashMap<usize, usize>,
    /// Those loops.
    filtered: HashSet<usize>,
    /// Loops with a filter that were begun: whether an item has passed.
    passed: HashMap<usize, bool>,
    events: Vec<Event>,
    open: Vec<usize>,
    /// The printed value's id and the position of its event.
    pending: Option<(usize, usize)>,
    /// Texts of the facts, by their address.
    leaves: HashMap<usize, Arc<str>>,
}

impl Log {
    pub(super) fn read(&mut self, path: Arc<str>, there: bool) {
        self.add(Event::Read { path, there });
    }

    pub(super) fn leaf(&mut self, text: &Arc<str>, path: Arc<str>) {
        self.leaves.insert(text.as_ptr() as usize, path);
    }

    fn add(&mut self, event: Event) {
        if self.everything && self.events.len() < EVENT_LIMIT {
            self.events.push(event);
        }
    }

    fn arm(&mut self, id: usize, yes: bool) {
        if let Some(arms) = self.arms.get_mut(id) {
            *arms |= if yes { YES } else { NO };
        }
    }

    /// A loop with a filter that let nothing pass was empty.
    fn end_loop(&mut self, id: usize) {
        if self.passed.remove(&id) == Some(false) {
            self.arm(id, false);
        }
    }
}

impl Probe {
    /// Compiles wrapped source with `ids` ids. `loop_of` names for each filter of a loop the loop. `None` when the copy cannot be
    /// compiled although the template can: the calls nest it too deeply.
    pub(in crate::template) fn compile(wrapped: String, ids: usize, loop_of: HashMap<usize, usize>) -> Option<Probe> {
        let log = Arc::new(Mutex::new(Log {
            everything: false,
            arms: vec![0; ids],
            filtered: loop_of.values().copied().collect(),
            loop_of,
            passed: HashMap::new(),
            events: Vec::new(),
            open: Vec::new(),
            pending: None,
            leaves: HashMap::new(),
        }));
        let mut environment = prepared(Printing::Lenient).clone();
        // Without it no name is looked up for an error's sake, which would be noted as a read.
        environment.set_debug(false);
        // The calls cost work that the template does not do.
        environment.set_fuel(Some(FUEL * 8));
        add_calls(&mut environment, &log);
        environment.add_template_owned(NAME, wrapped).ok()?;
        Some(Probe { environment, log })
    }

    /// The arms that a render takes, and its text if it succeeds.
    pub(in crate::template) fn arms(&self, context: &Context) -> (Arms, Option<String>) {
        self.reset(false);
        let text = self.render(context).ok();
        let Ok(mut log) = self.log.lock() else { return Default::default() };
        // A render that failed may have been inside a loop's filter: what did not pass by then is not known to be empty.
        let loops: Vec<usize> = if text.is_some() { log.passed.keys().copied().collect() } else { Vec::new() };
        loops.into_iter().for_each(|id| log.end_loop(id));
        (log.arms.clone(), text)
    }

    /// Everything that happens in a render with a contract's values; `None` when it is too much to keep.
    pub(in crate::template) fn trace(&self, shape: &Shape, facts: &serde_json::Value) -> Option<Vec<Event>> {
        self.reset(true);
        let context = Context::recorded(shape, facts, &self.log);
        // An error ends the events where it happened; which error it is says the template itself.
        let _ = self.render(&context);
        let events = std::mem::take(&mut self.log.lock().ok()?.events);
        (events.len() < EVENT_LIMIT).then_some(events)
    }

    fn render(&self, context: &Context) -> Result<String, minijinja::Error> {
        self.environment.get_template(NAME)?.render(context.0.clone())
    }

    fn reset(&self, everything: bool) {
        if let Ok(mut log) = self.log.lock() {
            log.everything = everything;
            log.arms.fill(0);
            log.passed.clear();
            log.events.clear();
            log.open.clear();
            log.pending = None;
            log.leaves.clear();
        }
    }
}

fn add_calls(environment: &mut Environment<'static>, log: &Shared) {
    let lock = |log: &Shared, note: &dyn Fn(&mut MutexGuard<Log>)| {
        if let Ok(mut log) = log.lock() {
            note(&mut log);
        }
    };
    let open = log.clone();
    environment.add_function("__o", move |id: u32| {
        lock(&open, &|log| {
            let at = log.events.len();
            log.open.push(at);
        });
        id
    });
    for (name, call) in [("__b", Call::Condition), ("__l", Call::Loop), ("__v", Call::Value)] {
        let log = log.clone();
        environment.add_function(name, move |id: u32, value: Value| {
            // Outside the lock: looking into a value may be a read.
            let yes = if call == Call::Loop { has_items(&value) } else { value.is_true() };
            lock(&log, &|log| note(log, call, id as usize, yes, &value));
            value
        });
    }
    let log = log.clone();
    environment.set_formatter(move |out, state: &mut State, value| {
        let fact = value.downcast_object_ref::<Node>().map(|node| node.path.clone());
        lock(&log, &|log| {
            let Some((id, seen)) = log.pending.take() else { return };
            let empty = matches!(value.kind(), ValueKind::None | ValueKind::Undefined) || value.as_str() == Some("");
            if !empty {
                let text = value.as_str().and_then(|text| log.leaves.get(&(text.as_ptr() as usize)).cloned());
                log.add(Event::Printed { id, seen, fact: fact.clone().or(text) });
            }
        });
        super::print::print(out, state, value, Printing::Lenient)
    });
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Call {
    Condition,
    Loop,
    Value,
}

fn note(log: &mut Log, call: Call, id: usize, yes: bool, value: &Value) {
    match (call, log.loop_of.get(&id).copied()) {
        (Call::Condition, Some(of)) if yes => {
            log.passed.insert(of, true);
            log.arm(of, true);
        }
        (Call::Condition, Some(_)) | (Call::Value, _) => {}
        (Call::Condition, None) => log.arm(id, yes),
        (Call::Loop, _) => {
            log.end_loop(id);
            if yes && log.filtered.contains(&id) {
                log.passed.insert(id, false);
            } else if !value.is_undefined() {
                log.arm(id, yes);
            }
        }
    }
    if log.everything {
        let from = log.open.pop().unwrap_or(log.events.len());
        log.add(Event::Seen { id, from, yes, value: describe(value) });
        log.pending = (call == Call::Value).then(|| (id, log.events.len() - 1));
    }
}

/// Whether a loop over the value has a first round.
fn has_items(value: &Value) -> bool {
    match value.len() {
        Some(length) => length > 0,
        None => value.as_object().is_some() && value.try_iter().is_ok_and(|mut items| items.next().is_some()),
    }
}

/// A value in a few words.
fn describe(value: &Value) -> String {
    match value.kind() {
        ValueKind::Undefined => "not there".to_owned(),
        ValueKind::None => "null".to_owned(),
        ValueKind::Bool => if value.is_true() { "true" } else { "false" }.to_owned(),
        ValueKind::Number => value.to_string(),
        ValueKind::String => {
            let text = value.as_str().unwrap_or_default();
            let cut: String = text.chars().take(DESCRIBED).collect();
            let mark = if cut.len() < text.len() { "…" } else { "" };
            serde_json::to_string(&(cut + mark)).unwrap_or_default()
        }
        ValueKind::Seq | ValueKind::Iterable => match value.len() {
            Some(0) => "an empty list".to_owned(),
            Some(1) => "a list of 1".to_owned(),
            Some(length) => format!("a list of {length}"),
            None => "a list".to_owned(),
        },
        _ if is_there(value) => "an object".to_owned(),
        _ => "an empty object".to_owned(),
    }
}
