//! The engine on a thread of this process, for tests that run the server in memory.

use super::{STACK_BYTES, Stopped, carry_out};
use proem_core::worker::preview::Preview;
use proem_core::worker::{PreviewAnswer, PreviewRequest};
use std::sync::mpsc;
use std::thread;
use tokio::sync::oneshot;

/// A thread with a stack as large as an engine process has; it ends with this value.
pub struct InProcess {
    requests: mpsc::Sender<(PreviewRequest, oneshot::Sender<PreviewAnswer>)>,
}

impl InProcess {
    pub(super) fn start() -> InProcess {
        let (requests, inbox) = mpsc::channel::<(PreviewRequest, oneshot::Sender<PreviewAnswer>)>();
        let run = move || {
            let mut preview = Preview::default();
            for (request, reply) in inbox {
                // Whoever asked may have gone.
                let _ = reply.send(carry_out(&mut preview, request, &mut || {}));
            }
        };
        if let Err(error) = thread::Builder::new().name("engine".to_owned()).stack_size(STACK_BYTES).spawn(run) {
            tracing::error!("the engine's thread could not be started: {error}");
        }
        InProcess { requests }
    }

    pub(super) async fn ask(&self, request: PreviewRequest) -> Result<PreviewAnswer, Stopped> {
        let (reply, answer) = oneshot::channel();
        self.requests.send((request, reply)).map_err(|_| Stopped::NotStarted)?;
        answer.await.map_err(|_| Stopped::Died)
    }
}
