//! The server's API, run in memory: `app(state)` without a network, each test with a home of its own.

// A failed `unwrap` is a failed test, in helpers as well.
#![allow(clippy::unwrap_used)]

mod api {
    mod border;
    mod chat;
    mod errors;
    mod governance;
    mod openings;
    mod pages;
    mod rules;
    mod server;
    mod skills;
    mod uploads;
}
