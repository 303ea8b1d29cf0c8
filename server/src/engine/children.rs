//! The outside of the engine processes: two are kept warm, and one that is silent too long or dies is replaced.

use super::{SILENCE, Stopped};
use proem_core::worker::{PROGRESS_LINE, PreviewAnswer, PreviewRequest};
use std::path::PathBuf;
use std::process::Stdio;
use std::sync::{Mutex, PoisonError};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::process::{ChildStdin, ChildStdout, Command};
use tokio::sync::Semaphore;
use tokio::time::timeout;

/// How many requests run at once, each in a process of its own.
const WARM: usize = 2;

/// The engine processes.
pub struct Children {
    program: PathBuf,
    idle: Mutex<Vec<Child>>,
    places: Semaphore,
}

/// One process. It is killed when it is dropped: so is one whose request nobody waits for any more.
struct Child {
    process: tokio::process::Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Children {
    /// Starts the warm ones.
    pub(super) fn start(program: PathBuf) -> Children {
        let idle = (0..WARM).map_while(|_| spawn(&program).ok()).collect();
        Children { program, idle: Mutex::new(idle), places: Semaphore::new(WARM) }
    }

    /// Has one of them carry out a request; waits for a free one.
    pub(super) async fn ask(&self, request: PreviewRequest) -> Result<PreviewAnswer, Stopped> {
        let mut line = serde_json::to_vec(&request).map_err(|_| Stopped::NotStarted)?;
        line.push(b'\n');
        let _place = self.places.acquire().await.map_err(|_| Stopped::NotStarted)?;
        let mut child = self.take()?;
        let answer = child.ask(&line).await;
        match &answer {
            Ok(_) => self.put_back(child),
            Err(stopped) => {
                tracing::warn!("an engine process was replaced: {stopped}");
                drop(child);
                if let Ok(fresh) = spawn(&self.program) {
                    self.put_back(fresh);
                }
            }
        }
        answer
    }

    /// A living process: an idle one, else a new one.
    fn take(&self) -> Result<Child, Stopped> {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        while let Some(mut child) = idle.pop() {
            if matches!(child.process.try_wait(), Ok(None)) {
                return Ok(child);
            }
        }
        drop(idle);
        spawn(&self.program)
    }

    fn put_back(&self, child: Child) {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(child);
    }
}

impl Child {
    /// Sends a request and reads until its answer. Every line read is a sign of life.
    async fn ask(&mut self, line: &[u8]) -> Result<PreviewAnswer, Stopped> {
        timeout(SILENCE, self.input.write_all(line)).await.map_err(|_| Stopped::Silent)?.map_err(|_| Stopped::Died)?;
        let mut reply = String::new();
        loop {
            reply.clear();
            let read = timeout(SILENCE, self.output.read_line(&mut reply)).await.map_err(|_| Stopped::Silent)?;
            match read {
                Ok(0) | Err(_) => return Err(Stopped::Died),
                Ok(_) if reply.trim_end() == PROGRESS_LINE => {}
                Ok(_) => return serde_json::from_str(&reply).map_err(|_| Stopped::Died),
            }
        }
    }
}

fn spawn(program: &PathBuf) -> Result<Child, Stopped> {
    let mut command = Command::new(program);
    command.arg("engine").stdin(Stdio::piped()).stdout(Stdio::piped()).kill_on_drop(true);
    // A group of its own: Ctrl-C in the terminal is for the server, which first finishes what is under way.
    #[cfg(unix)]
    command.process_group(0);
    let failed = |error: &dyn std::fmt::Display| {
        tracing::error!("an engine process ({}) could not be started: {error}", program.display());
        Stopped::NotStarted
    };
    let mut process = command.spawn().map_err(|error| failed(&error))?;
    match (process.stdin.take(), process.stdout.take()) {
        (Some(input), Some(output)) => Ok(Child { process, input, output: BufReader::new(output) }),
        _ => Err(failed(&"it has no pipes")),
    }
}
