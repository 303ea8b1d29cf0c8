//! A trace as it stands on a page: drawn, with its first steps, and with the texts of its calls as far as they were sent.

use proem_core::trace::{Layout, Step, Trace};
use std::sync::Arc;

/// A trace that is here.
#[derive(Debug)]
pub struct Drawn {
    /// The calls, and where they are drawn.
    pub drawing: Arc<(Trace, Layout)>,
    /// Positions of the calls whose texts are cut, rising.
    pub cut: Vec<usize>,
    /// How many steps the turn has.
    pub step_count: usize,
    /// How many decisions the ledger holds about it.
    pub decision_count: usize,
}

impl Drawn {
    /// Whether the texts of a call are cut.
    pub fn is_cut(&self, call: usize) -> bool {
        self.cut.binary_search(&call).is_ok()
    }

    /// The steps that came with the trace.
    pub fn first_steps(&self) -> &[Step] {
        &self.drawing.0.steps
    }
}
