//! The reader worker's side: keeps opened logs and answers questions about them.

use super::{ReaderAnswer, ReaderRequest};

/// Opened logs by their number.
#[derive(Default)]
pub struct Reader {}

impl Reader {
    /// Carries out one request; `bytes` is the file of an `Open`. `progress` is called at least every few thousand records.
    pub fn handle(&mut self, _request: ReaderRequest, _bytes: Option<Vec<u8>>, _progress: &mut dyn FnMut()) -> ReaderAnswer {
        todo!()
    }
}
