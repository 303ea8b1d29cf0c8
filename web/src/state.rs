//! What the pages know, as plain structs: no signals, no browser, tested natively.

pub mod supervision;
