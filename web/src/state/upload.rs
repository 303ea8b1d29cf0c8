//! An upload in pieces, as a plain plan: which bytes come next, and what to do when the server says something else.

use proem_core::api::ApiError;

/// Bytes of one request: large enough for whole frames of the store, small enough to show progress and to be stopped.
pub const PIECE_BYTES: u64 = 4 * 1024 * 1024;

/// How far an upload has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Bytes the server has stored.
    pub sent: u64,
    /// Bytes of the file.
    pub size: u64,
}

impl Progress {
    /// The next piece as offset and end. An empty one asks again for the session of a file that is complete.
    pub fn next_piece(&self) -> (u64, u64) {
        let from = self.sent.min(self.size);
        (from, (from + PIECE_BYTES).min(self.size))
    }

    /// Takes an error in: true when the upload can simply go on from where the server is.
    pub fn corrected_by(&mut self, error: &ApiError) -> bool {
        match error.received {
            // The same place again would ask for ever.
            Some(received) if received != self.sent && received <= self.size => {
                self.sent = received;
                true
            }
            _ => false,
        }
    }

    /// Whole percent.
    pub fn percent(&self) -> u64 {
        (self.sent.min(self.size) * 100).checked_div(self.size).unwrap_or(100)
    }
}

#[cfg(test)]
mod tests {
    use super::{PIECE_BYTES, Progress};
    use proem_core::api::ApiError;

    #[test]
    fn pieces_cover_the_file_once() {
        let mut progress = Progress { sent: 0, size: PIECE_BYTES * 2 + 5 };
        let mut pieces = Vec::new();
        while progress.sent < progress.size {
            let (from, to) = progress.next_piece();
            pieces.push((from, to));
            progress.sent = to;
        }
        assert_eq!(pieces, [(0, PIECE_BYTES), (PIECE_BYTES, PIECE_BYTES * 2), (PIECE_BYTES * 2, PIECE_BYTES * 2 + 5)]);
        assert_eq!(progress.next_piece(), (progress.size, progress.size));
        assert_eq!(progress.percent(), 100);
    }

    #[test]
    fn the_server_knows_better_once() {
        let mut progress = Progress { sent: 10, size: 100 };
        let stale = ApiError { received: Some(40), ..ApiError::default() };
        assert!(progress.corrected_by(&stale));
        assert_eq!(progress.sent, 40);
        assert!(!progress.corrected_by(&stale));
        assert!(!progress.corrected_by(&ApiError::default()));
        assert!(!progress.corrected_by(&ApiError { received: Some(101), ..ApiError::default() }));
    }
}
