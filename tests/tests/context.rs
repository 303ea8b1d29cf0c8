//! What stands around an opening: envelopes of retrieved content, and the seeds of forks.

// A failed `unwrap` is a failed test, in helpers as well.
#![allow(clippy::unwrap_used)]

mod context {
    mod cache;
    mod leaks;
    mod preface;
    mod reading;
    mod seed;
    mod worker;
}
