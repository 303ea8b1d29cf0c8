//! Turns that need no model: their events and rows, what their configuration means, and what holds for any message.

// A failed `unwrap` is a failed test, in helpers as well.
#![allow(clippy::unwrap_used)]

mod turn {
    mod checks;
    mod config;
    mod golden;
    mod pipeline;
    mod properties;
    mod welcome;
    mod world;
}
