//! The promise of the product: a text that passes validation renders with any facts that keep the contract. Templates are drawn from a
//! grammar that holds everything the checker must refuse, facts with nulls and lists of none, one and many.

// A failed `unwrap` is a failed test, in helpers as well.
#![allow(clippy::unwrap_used)]

use proem_core::opening::shape::contract;
use proem_core::template::check::check;
use proem_core::template::problem::Severity;

mod promise {
    use super::passes;
    mod cases;
    mod facts;
    mod grammar;
    mod limits;
    mod property;
}

/// Nothing in it is refused.
fn passes(source: &str) -> bool {
    check(source, contract()).iter().all(|problem| problem.severity == Severity::Warning)
}
