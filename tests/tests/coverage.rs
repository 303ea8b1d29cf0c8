//! Branch coverage and the typed context: cases as files, and properties over templates drawn from a grammar.

// A failed `unwrap` is a failed test, in helpers as well.
#![allow(clippy::unwrap_used)]

mod coverage {
    mod cases;
    mod context;
    mod grammar;
    mod properties;
}
