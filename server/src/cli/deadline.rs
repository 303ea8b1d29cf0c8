//! Runs template work on a thread with a large stack and gives up on it when it is silent for too long. Fuel bounds work, not
//! time, and a thread cannot be stopped: an abandoned one ends with the process (specs: engine notes, section 11).

use crate::engine::{SILENCE, STACK_BYTES};
use std::sync::mpsc::{RecvTimeoutError, channel};

/// Why there is no result.
#[derive(Debug)]
pub enum Lost {
    /// Silent for [`SILENCE`]; the number of beats that came before.
    TooLong(usize),
    /// The work panicked, which is a fault of Proem.
    Panicked,
}

enum Sign<T> {
    Beat,
    Done(T),
}

/// Runs `work`, which calls its argument before each render.
pub fn run<T: Send + 'static>(work: impl FnOnce(&mut dyn FnMut()) -> T + Send + 'static) -> Result<T, Lost> {
    let (send, receive) = channel();
    let spawned = std::thread::Builder::new().name("render".to_owned()).stack_size(STACK_BYTES).spawn(move || {
        let beats = send.clone();
        let result = work(&mut || {
            // A listener that has gone needs no beat.
            let _ = beats.send(Sign::Beat);
        });
        let _ = send.send(Sign::Done(result));
    });
    if spawned.is_err() {
        return Err(Lost::Panicked);
    }
    let mut beats = 0;
    loop {
        match receive.recv_timeout(SILENCE) {
            Ok(Sign::Beat) => beats += 1,
            Ok(Sign::Done(result)) => return Ok(result),
            Err(RecvTimeoutError::Timeout) => return Err(Lost::TooLong(beats)),
            Err(RecvTimeoutError::Disconnected) => return Err(Lost::Panicked),
        }
    }
}
