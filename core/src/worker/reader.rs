//! The reader worker's side: keeps opened logs and answers questions about them.

use super::{ReaderAnswer, ReaderRequest};
use crate::log::{Detail, Log, replay};
use crate::trace::{layout, trace};
use std::collections::HashMap;

/// Lines that were left out are listed up to here; the summary has the full count.
const SKIPPED_SHOWN: usize = 1000;

/// Opened logs by their number.
#[derive(Default)]
pub struct Reader {
    logs: HashMap<u32, Log>,
}

impl Reader {
    /// Carries out one request; `bytes` is the file of an `Open`. `progress` is called at least every few thousand records.
    pub fn handle(&mut self, request: ReaderRequest, bytes: Option<Vec<u8>>, progress: &mut dyn FnMut()) -> ReaderAnswer {
        match request {
            ReaderRequest::Open { log, name } => self.open(log, &name, bytes, progress),
            ReaderRequest::Replay { log } => match self.logs.get(&log) {
                Some(log) => {
                    let messages = replay(log, None, Detail::Conversation, progress).messages;
                    ReaderAnswer::Replay { turns: log.turns().to_vec(), messages }
                }
                None => not_open(),
            },
            ReaderRequest::Trace { log, turn } => match self.logs.get(&log) {
                Some(log) => match log.find_turn(&turn) {
                    Some(position) => {
                        let trace = trace(log, position, progress);
                        progress();
                        let layout = layout(&trace);
                        ReaderAnswer::Trace { trace: Box::new(trace), layout }
                    }
                    None => failed(format!("There is no turn {turn} in session {}.", log.session_id())),
                },
                None => not_open(),
            },
            ReaderRequest::Close { log } => {
                self.logs.remove(&log);
                ReaderAnswer::Closed
            }
        }
    }

    fn open(&mut self, number: u32, name: &str, bytes: Option<Vec<u8>>, progress: &mut dyn FnMut()) -> ReaderAnswer {
        // The earlier log goes first, so that two large ones are never held at once.
        self.logs.remove(&number);
        let Some(bytes) = bytes else { return failed(format!("The bytes of {name} did not arrive; open the file again.")) };
        match Log::read(name, bytes, progress) {
            Ok(log) => {
                let skipped = log.skipped().take(SKIPPED_SHOWN).collect();
                let summary = log.summary().clone();
                self.logs.insert(number, log);
                ReaderAnswer::Opened { summary, skipped }
            }
            Err(error) => failed(error.to_string()),
        }
    }
}

fn not_open() -> ReaderAnswer {
    failed("That log is no longer open; open the file again.".to_owned())
}

fn failed(message: String) -> ReaderAnswer {
    ReaderAnswer::Failed { message }
}
