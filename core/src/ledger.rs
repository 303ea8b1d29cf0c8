//! The governance ledger: one row for each decision that a hook made about a turn (specs: system-opened-turns, section 1). Knows logs, so
//! that a row can be led to its turn; knows nothing of who keeps the rows.

mod entry;
mod export;
mod link;
mod mask;
mod read;
mod row;
mod windows;

pub use entry::{entries, entry};
pub use export::{csv_head, csv_lines, to_csv, to_jsonl};
pub use link::{TurnIndex, link, of_turn};
pub use mask::masked;
pub use read::{row_of_fields, rows_of_json};
pub use row::*;
pub(crate) use windows::Windows;
