//! Fetches what the ledger holds about a session, so that its traces can show it.

use crate::api;
use crate::state::wording::number;
use proem_core::api::ApiError;
use proem_core::api::governance::LedgerQuery;
use proem_core::ledger::LedgerEntry;

/// Rows are asked for in pages of so many.
const ROWS: u32 = 500;
/// At most so many pages are asked for: the newest rows.
const PAGES: usize = 10;

/// The newest decisions about a session, and a sentence when there are more.
pub async fn fetch(session: &str) -> Result<(Vec<LedgerEntry>, Option<String>), ApiError> {
    let mut query = LedgerQuery { session: Some(session.to_owned()), ..LedgerQuery::default() };
    let mut entries = Vec::new();
    for _ in 0..PAGES {
        let page = api::ledger(&query, ROWS).await?;
        entries.extend(page.entries);
        query.cursor = page.next_cursor;
        if query.cursor.is_none() {
            return Ok((entries, None));
        }
    }
    let shown = number(entries.len() as u64);
    Ok((
        entries,
        Some(format!("Only the {shown} newest decisions about this session are shown here; Governance has all of them.")),
    ))
}
