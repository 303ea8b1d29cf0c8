//! The server's API, run in memory: `app(state)` without a network, each test with a home of its own.

mod api {
    mod border;
    mod errors;
    mod openings;
    mod pages;
    mod server;
    mod skills;
    mod uploads;
}
