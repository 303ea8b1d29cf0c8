//! The rules of the house that a program can check. Each is a function of texts, and each is shown to fail on a bad one.

// A failed `unwrap` is a failed test, in helpers as well.
#![allow(clippy::unwrap_used)]

mod tidy {
    mod arrows;
    mod links;
    mod manifests;
    mod once;
    mod shape;
    mod source;
    mod words;
}
