//! The first-chat welcome and the turns that a home runs itself, on the store: once, whole, and offered again when they fail (specs:
//! system-opened-turns, sections 4 and 7).

// A failed `unwrap` is a failed test, in helpers as well.
#![allow(clippy::unwrap_used)]

mod welcome {
    mod crowd;
    mod due;
    mod failed;
    mod home;
    mod killed;
    mod once;
    mod program;
}
