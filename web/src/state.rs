//! What the pages know, as plain structs: no signals, no browser, tested natively.

pub mod conditions;
pub mod conversation;
pub mod days;
pub mod decisions;
pub mod draft;
pub mod drawn;
pub mod filters;
pub mod findings;
pub mod fingerprint;
pub mod judged;
pub mod lines;
pub mod margin;
pub mod matrix;
pub mod pieces;
pub mod preview;
pub mod said;
pub mod supervision;
pub mod talk;
pub mod timeline;
pub mod upload;
pub mod window;
pub mod wording;
