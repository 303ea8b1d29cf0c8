//! Session logs: bytes become records, records events, events turns, turns a replay. Knows nothing of templates or pages.

mod model;

pub use model::*;
