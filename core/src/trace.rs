//! The call trace of a turn: what was called, when, by whom, and where to draw it.

mod model;

pub use model::*;
