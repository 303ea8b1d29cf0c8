//! The inside of an engine process: requests on standard input, one JSON text a line, and answers on standard output.

use super::{STACK_BYTES, carry_out};
use proem_core::worker::preview::Preview;
use proem_core::worker::{PROGRESS_LINE, PreviewAnswer};
use std::io::{BufRead, Write};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

/// Time between two signs of life.
const PROGRESS_EVERY: Duration = Duration::from_millis(100);
/// How long the last answer may take after the host has gone away.
const FAREWELL: Duration = Duration::from_secs(2);

/// Answers requests until the input ends. The input is read on this thread, so that a process whose host has died ends too,
/// whatever its template is doing.
///
/// # Errors
/// When the input cannot be read or the rendering thread cannot be started.
pub fn serve(input: impl BufRead, output: impl Write + Send + 'static) -> std::io::Result<()> {
    let (requests, inbox) = mpsc::channel::<String>();
    let (done, finished) = mpsc::channel::<()>();
    thread::Builder::new().name("engine".to_owned()).stack_size(STACK_BYTES).spawn(move || {
        answer_all(inbox, output);
        // Nobody listens any more when the farewell took too long.
        let _ = done.send(());
    })?;
    for line in input.lines() {
        if requests.send(line?).is_err() {
            break;
        }
    }
    drop(requests);
    let _ = finished.recv_timeout(FAREWELL);
    Ok(())
}

fn answer_all(inbox: mpsc::Receiver<String>, mut output: impl Write) {
    let mut preview = Preview::default();
    for line in inbox {
        let answer = match serde_json::from_str(&line) {
            Ok(request) => {
                let mut last = Instant::now();
                let mut progress = || {
                    if last.elapsed() >= PROGRESS_EVERY {
                        last = Instant::now();
                        // A host that does not listen is noticed at the answer.
                        let _ = writeln!(output, "{PROGRESS_LINE}").and_then(|()| output.flush());
                    }
                };
                carry_out(&mut preview, request, &mut progress)
            }
            Err(error) => PreviewAnswer::Failed { message: format!("The request is not one the engine knows: {error}.") },
        };
        let text = serde_json::to_string(&answer).unwrap_or_else(|error| {
            serde_json::json!({ "failed": { "message": format!("The answer could not be written: {error}.") } }).to_string()
        });
        if writeln!(output, "{text}").and_then(|()| output.flush()).is_err() {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::serve;
    use std::io::Write;
    use std::sync::{Arc, Mutex};

    #[derive(Clone, Default)]
    struct Shared(Arc<Mutex<Vec<u8>>>);

    impl Write for Shared {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_line_that_is_no_request_gets_an_answer_too() {
        let output = Shared::default();
        serve("{\"do\":\"dance\"}\n[]\n".as_bytes(), output.clone()).unwrap();
        let text = String::from_utf8(output.0.lock().unwrap().clone()).unwrap();
        assert_eq!(text.lines().count(), 2);
        assert!(text.lines().all(|line| line.starts_with(r#"{"failed":{"message":"The request is not one"#)), "{text}");
    }
}
