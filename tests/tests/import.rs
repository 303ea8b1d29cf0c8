//! `proem import` in memory: logs, a harness's ledger and its welcome, folders of them, twice, and what is none of these.

// A failed `unwrap` is a failed test, in helpers as well.
#![allow(clippy::unwrap_used)]

mod import {
    mod command;
    mod folders;
    mod ledgers;
    mod run;
    mod welcomes;
}
