//! The governance ledger: one row for each decision that a hook made about a turn (specs: system-opened-turns, section 1). Knows logs, so
//! that a row can be led to its turn; knows nothing of who keeps the rows.

mod mask;
mod row;

pub use mask::masked;
pub use row::*;
