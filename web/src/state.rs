//! What the pages know, as plain structs: no signals, no browser, tested natively.

pub mod draft;
pub mod findings;
pub mod lines;
pub mod pieces;
pub mod preview;
pub mod supervision;
