//! One worker of the engine, preview or reader by its name. It says "ready" once, "progress" while it works, and answers each
//! `[id, json, buffer?]` with `[id, json, bytes of memory]`.

use js_sys::{Array, ArrayBuffer, Uint8Array, WebAssembly};
use proem_core::worker::preview::Preview;
use proem_core::worker::reader::Reader;
use proem_core::worker::{PreviewAnswer, ReaderAnswer};
use std::io::{self, Write};
use wasm_bindgen::prelude::*;
use web_sys::{DedicatedWorkerGlobalScope, MessageEvent};

/// The page ends a worker that is silent for a second; saying so this often is enough, and cheap.
const PROGRESS_EVERY_MS: f64 = 100.0;
/// While an answer is written, the clock is looked at after so many bytes.
const TELL_EVERY_BYTES: usize = 64 * 1024;

enum Role {
    Preview(Box<Preview>),
    Reader(Box<Reader>),
}

fn main() {
    console_error_panic_hook::set_once();
    let scope: DedicatedWorkerGlobalScope = js_sys::global().unchecked_into();
    let mut role = match scope.name().as_str() {
        "reader" => Role::Reader(Box::default()),
        _ => Role::Preview(Box::default()),
    };
    let host = scope.clone();
    let on_message = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
        let message: Array = event.data().unchecked_into();
        let json = carry_out(&mut role, &host, &message);
        let _ = host.post_message(&Array::of3(&message.get(0), &json.into(), &memory_bytes().into()));
    });
    scope.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
    on_message.forget();
    let _ = scope.post_message(&"ready".into());
}

/// Reads one request, carries it out and gives back the answer as JSON text.
fn carry_out(role: &mut Role, scope: &DedicatedWorkerGlobalScope, message: &Array) -> String {
    let text = message.get(1).as_string().unwrap_or_default();
    let bytes = message.get(2).dyn_into::<ArrayBuffer>().ok().map(|buffer| Uint8Array::new(&buffer).to_vec());
    let mut progress = progress_reporter(scope);
    match role {
        Role::Preview(preview) => {
            let answer = match serde_json::from_str(&text) {
                Ok(request) => preview.handle(request, &mut progress),
                Err(error) => PreviewAnswer::Failed { message: unreadable(&error) },
            };
            to_json(&answer, &mut progress)
                .unwrap_or_else(|error| plain_json(&PreviewAnswer::Failed { message: unwritten(&error) }))
        }
        Role::Reader(reader) => {
            let answer = match serde_json::from_str(&text) {
                Ok(request) => reader.handle(request, bytes, &mut progress),
                Err(error) => ReaderAnswer::Failed { message: unreadable(&error) },
            };
            to_json(&answer, &mut progress)
                .unwrap_or_else(|error| plain_json(&ReaderAnswer::Failed { message: unwritten(&error) }))
        }
    }
}

/// A function that posts "progress", though never more often than needed.
fn progress_reporter(scope: &DedicatedWorkerGlobalScope) -> impl FnMut() + use<> {
    let scope = scope.clone();
    let clock = scope.performance();
    let now = move || clock.as_ref().map_or_else(js_sys::Date::now, web_sys::Performance::now);
    let mut last = now();
    move || {
        let time = now();
        if time - last >= PROGRESS_EVERY_MS {
            last = time;
            let _ = scope.post_message(&"progress".into());
        }
    }
}

fn to_json(answer: &impl serde::Serialize, progress: &mut dyn FnMut()) -> Result<String, serde_json::Error> {
    let mut text = Telling { text: Vec::new(), told_at: 0, progress };
    serde_json::to_writer(&mut text, answer)?;
    Ok(String::from_utf8_lossy(&text.text).into_owned())
}

/// For an answer of one sentence, which always can be written.
fn plain_json(answer: &impl serde::Serialize) -> String {
    serde_json::to_string(answer).unwrap_or_default()
}

fn unwritten(error: &serde_json::Error) -> String {
    format!("the answer could not be written as JSON: {error}")
}

/// A text that grows, and tells so from time to time.
struct Telling<'a> {
    text: Vec<u8>,
    told_at: usize,
    progress: &'a mut dyn FnMut(),
}

impl Write for Telling<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.text.extend_from_slice(bytes);
        if self.text.len() - self.told_at >= TELL_EVERY_BYTES {
            self.told_at = self.text.len();
            (self.progress)();
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn unreadable(error: &serde_json::Error) -> String {
    format!("the engine does not understand this request ({error}); reload the page, so that page and engine are of one version")
}

fn memory_bytes() -> f64 {
    let memory: WebAssembly::Memory = wasm_bindgen::memory().unchecked_into();
    f64::from(memory.buffer().unchecked_into::<ArrayBuffer>().byte_length())
}
