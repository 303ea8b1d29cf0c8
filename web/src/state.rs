//! What the pages know, as plain structs: no signals, no browser, tested natively.

pub mod conversation;
pub mod days;
pub mod drawn;
pub mod fingerprint;
pub mod said;
pub mod supervision;
pub mod upload;
pub mod window;
pub mod wording;
