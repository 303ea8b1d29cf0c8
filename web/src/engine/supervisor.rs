//! Carries out what the supervision decides on one real worker: start, post, listen, watch the clock. It never panics.

use crate::state::supervision::{EngineFault, SILENCE_MS, Sort, Step, Supervision};
use futures_channel::oneshot;
use gloo_timers::callback::Timeout;
use js_sys::{Array, ArrayBuffer, Reflect};
use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;
use std::rc::{Rc, Weak};
use wasm_bindgen::prelude::*;
use web_sys::{Event, MessageEvent, Worker, WorkerOptions, WorkerType};

/// What a supervisor needs to know of its worker.
pub(super) struct WorkerConfig {
    /// `preview` or `reader`; the worker takes its part from it.
    pub name: &'static str,
    /// Bytes of memory above which the worker is replaced.
    pub memory_limit: Option<f64>,
    /// Told when the worker was ended or given up.
    pub on_fault: Box<dyn Fn(&EngineFault)>,
    /// Told the number of the start when another worker has taken over.
    pub on_restart: Box<dyn Fn(u32)>,
}

struct Request {
    json: String,
    bytes: Option<ArrayBuffer>,
    reply: oneshot::Sender<Result<String, EngineFault>>,
}

struct Closures {
    on_message: Closure<dyn FnMut(MessageEvent)>,
    on_error: Closure<dyn FnMut(Event)>,
}

/// One worker and those who wait for it.
pub(super) struct Supervisor {
    config: WorkerConfig,
    supervision: RefCell<Supervision>,
    worker: RefCell<Option<Worker>>,
    requests: RefCell<HashMap<u32, Request>>,
    clock: RefCell<Option<Timeout>>,
    closures: OnceCell<Closures>,
    this: Weak<Supervisor>,
}

impl Supervisor {
    /// Starts the worker.
    pub(super) fn start(config: WorkerConfig) -> Rc<Supervisor> {
        let supervision = RefCell::new(Supervision::new(config.memory_limit));
        let supervisor = Rc::new_cyclic(|this: &Weak<Supervisor>| Supervisor {
            config,
            supervision,
            worker: RefCell::default(),
            requests: RefCell::default(),
            clock: RefCell::default(),
            closures: OnceCell::new(),
            this: this.clone(),
        });
        supervisor.start_worker();
        supervisor
    }

    /// Sends a request when its turn comes and waits for the answer's JSON text.
    pub(super) async fn ask(&self, json: String, bytes: Option<ArrayBuffer>, sort: Sort) -> Result<String, EngineFault> {
        let (reply, answer) = oneshot::channel();
        let (id, steps) = self.supervision.borrow_mut().request(sort);
        self.requests.borrow_mut().insert(id, Request { json, bytes, reply });
        self.carry_out(steps, None);
        answer.await.unwrap_or_else(|_| Err(EngineFault::Unavailable("the page was closed".to_owned())))
    }

    /// Ends what the worker is busy with.
    pub(super) fn abandon(&self) {
        let steps = self.supervision.borrow_mut().abandoned();
        self.carry_out(steps, None);
    }

    /// Does what the supervision said, then sets the clock. `answer` is the text that a `Deliver` hands over.
    fn carry_out(&self, steps: Vec<Step>, mut answer: Option<String>) {
        for step in steps {
            match step {
                Step::Start => {
                    self.start_worker();
                    (self.config.on_restart)(self.supervision.borrow().generation());
                }
                Step::Stop => self.end_worker(),
                Step::Post(id) => self.post(id),
                Step::Deliver(id) => {
                    self.reply(id, answer.take().ok_or_else(|| EngineFault::Unreadable("it is not text".to_owned())))
                }
                Step::Fail(id, fault) => self.reply(id, Err(fault)),
                Step::Report(fault) => (self.config.on_fault)(&fault),
            }
        }
        self.set_clock();
    }

    fn reply(&self, id: u32, result: Result<String, EngineFault>) {
        let request = self.requests.borrow_mut().remove(&id);
        if let Some(request) = request {
            // Whoever asked may have gone away meanwhile.
            let _ = request.reply.send(result);
        }
    }

    fn post(&self, id: u32) {
        let message = Array::of1(&id.into());
        let transfer = Array::new();
        if let Some(request) = self.requests.borrow_mut().get_mut(&id) {
            message.push(&std::mem::take(&mut request.json).into());
            if let Some(bytes) = request.bytes.take() {
                message.push(&bytes);
                transfer.push(&bytes);
            }
        }
        let posted = self.worker.borrow().as_ref().map(|worker| worker.post_message_with_transfer(&message, &transfer));
        if let Some(Err(error)) = posted {
            // A buffer that was given away before cannot be sent again; the worker itself is well.
            self.reply(id, Err(EngineFault::Unreadable(words_of(&error))));
            let steps = self.supervision.borrow_mut().answered(id, 0.0);
            self.carry_out(steps, None);
        }
    }

    fn set_clock(&self) {
        let owes = self.supervision.borrow().owes_an_answer();
        let this = self.this.clone();
        let clock = owes.then(|| {
            Timeout::new(SILENCE_MS, move || {
                if let Some(this) = this.upgrade() {
                    let steps = this.supervision.borrow_mut().silent();
                    this.carry_out(steps, None);
                }
            })
        });
        // Dropping the old one stops it.
        self.clock.replace(clock);
    }

    fn start_worker(&self) {
        self.end_worker();
        match self.new_worker() {
            Ok(worker) => *self.worker.borrow_mut() = Some(worker),
            Err(words) => {
                // As with a worker that cannot be loaded: counted, and given up after a few times.
                let steps = self.supervision.borrow_mut().crashed(&words);
                self.carry_out(steps, None);
            }
        }
    }

    fn new_worker(&self) -> Result<Worker, String> {
        let options = WorkerOptions::new();
        options.set_type(WorkerType::Module);
        options.set_name(self.config.name);
        let worker = Worker::new_with_options(&worker_url()?, &options).map_err(|error| words_of(&error))?;
        let closures = self.closures.get_or_init(|| self.make_closures());
        worker.set_onmessage(Some(closures.on_message.as_ref().unchecked_ref()));
        worker.set_onerror(Some(closures.on_error.as_ref().unchecked_ref()));
        worker.set_onmessageerror(Some(closures.on_error.as_ref().unchecked_ref()));
        Ok(worker)
    }

    fn end_worker(&self) {
        if let Some(worker) = self.worker.borrow_mut().take() {
            worker.set_onmessage(None);
            worker.set_onerror(None);
            worker.terminate();
        }
    }

    /// Made once and used for every worker of this supervisor.
    fn make_closures(&self) -> Closures {
        let (this, that) = (self.this.clone(), self.this.clone());
        let on_message = Closure::new(move |event: MessageEvent| {
            if let Some(this) = this.upgrade().filter(|this| this.is_current(&event)) {
                this.heard(&event.data());
            }
        });
        let on_error = Closure::new(move |event: Event| {
            event.prevent_default();
            if let Some(this) = that.upgrade().filter(|this| this.is_current(&event)) {
                // A script that is missing sends a plain event, which has no message.
                let message = Reflect::get(&event, &"message".into()).ok().and_then(|message| message.as_string());
                let words =
                    message.filter(|text| !text.is_empty()).unwrap_or_else(|| "its program could not be loaded".to_owned());
                let steps = this.supervision.borrow_mut().crashed(words.trim_start_matches("Uncaught "));
                this.carry_out(steps, None);
            }
        });
        Closures { on_message, on_error }
    }

    /// Events of a worker that was ended may still arrive.
    fn is_current(&self, event: &Event) -> bool {
        let worker = self.worker.borrow();
        worker.as_ref().is_some_and(|worker| event.target().is_some_and(|target| js_sys::Object::is(&target, worker)))
    }

    fn heard(&self, message: &JsValue) {
        if let Some(word) = message.as_string() {
            let steps = if word == "ready" { self.supervision.borrow_mut().ready() } else { Vec::new() };
            return self.carry_out(steps, None);
        }
        if let Some(answer) = message.dyn_ref::<Array>() {
            let id = answer.get(0).as_f64().unwrap_or_default() as u32;
            let memory = answer.get(2).as_f64().unwrap_or_default();
            let steps = self.supervision.borrow_mut().answered(id, memory);
            self.carry_out(steps, answer.get(1).as_string());
        }
    }
}

impl Drop for Supervisor {
    fn drop(&mut self) {
        self.end_worker();
    }
}

/// The build writes the loader's hashed name into the page.
fn worker_url() -> Result<String, String> {
    let document = web_sys::window().and_then(|window| window.document()).ok_or("there is no document")?;
    let meta = document.query_selector("meta[name=engine-worker]").ok().flatten();
    meta.and_then(|meta| meta.get_attribute("content")).ok_or_else(|| "the page does not name it".to_owned())
}

fn words_of(error: &JsValue) -> String {
    Reflect::get(error, &"message".into()).ok().and_then(|message| message.as_string()).unwrap_or_else(|| format!("{error:?}"))
}
