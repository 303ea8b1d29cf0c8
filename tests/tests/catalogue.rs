//! The catalogue of faults.
#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

mod catalogue {
    mod errors;
    mod look;
    mod rows;
    mod traps;
    mod undefined;
}
