//! Where templates run: in child processes, which can be killed, or for tests in memory on a thread of this one, which cannot.

mod child;
mod children;
mod in_process;
mod render;

pub use child::serve;
pub use render::{Facts, NoOpening};

use children::Children;
use in_process::InProcess;
use proem_core::template::problem::Problem;
use proem_core::worker::preview::Preview;
use proem_core::worker::{PreviewAnswer, PreviewRequest};
use std::fmt;
use std::panic::AssertUnwindSafe;
use std::path::PathBuf;
use std::time::Duration;

/// How long the engine may be silent while it owes an answer.
pub const SILENCE: Duration = Duration::from_secs(2);
/// The stack rendering runs on: what the limits of the template guard are measured for. Pages are used as needed.
pub const STACK_BYTES: usize = 64 * 1024 * 1024;

/// Where templates run.
pub enum EngineMode {
    /// In processes of this program, which is the `proem` binary.
    Children(PathBuf),
    /// On a thread of this process; a template that never ends is never stopped.
    InProcess,
}

/// What runs templates.
pub enum Engine {
    /// See [`EngineMode::Children`].
    Children(Children),
    /// See [`EngineMode::InProcess`].
    InProcess(InProcess),
}

/// Why there is no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// It was silent for [`SILENCE`] and was killed.
    Silent,
    /// It died, most likely of too much memory or a fault of its own.
    Died,
    /// It could not be started.
    NotStarted,
}

impl fmt::Display for Stopped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Stopped::Silent => {
                write!(f, "stopped after {} s: the template does more work than a rendering may take", SILENCE.as_secs())
            }
            Stopped::Died => f.write_str("stopped: the template made the engine fail, most likely for want of memory"),
            Stopped::NotStarted => f.write_str("the engine could not be started on this machine; the server's log says why"),
        }
    }
}

impl Stopped {
    /// As a fault of the text that was being carried out. Nobody knows its place, so it stands at the start.
    pub fn problem(self) -> Problem {
        let code = if self == Stopped::Silent { "time" } else { "engine" };
        Problem::error("", 0..0, code, format!("This text was {self}."))
            .suggest("Look for loops inside loops, and for values that grow with every round.")
    }
}

impl Engine {
    /// Starts what a mode asks for. Call it inside the runtime.
    pub fn start(mode: EngineMode) -> Engine {
        match mode {
            EngineMode::Children(program) => Engine::Children(Children::start(program)),
            EngineMode::InProcess => Engine::InProcess(InProcess::start()),
        }
    }

    /// Carries out one request.
    ///
    /// # Errors
    /// When the engine was stopped over it. The next request finds a fresh one.
    pub async fn ask(&self, request: PreviewRequest) -> Result<PreviewAnswer, Stopped> {
        match self {
            Engine::Children(children) => children.ask(request).await,
            Engine::InProcess(thread) => thread.ask(request).await,
        }
    }
}

/// Carries out one request on this thread. A panic is a fault of ours: it becomes an answer, and what was remembered is dropped.
fn carry_out(preview: &mut Preview, request: PreviewRequest, progress: &mut dyn FnMut()) -> PreviewAnswer {
    let outcome = std::panic::catch_unwind(AssertUnwindSafe(|| preview.handle(request, progress)));
    outcome.unwrap_or_else(|_| {
        *preview = Preview::default();
        PreviewAnswer::Failed { message: "The engine failed on this text, which is a fault of Proem.".to_owned() }
    })
}
