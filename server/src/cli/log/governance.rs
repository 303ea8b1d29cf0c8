//! The ledger beside a log: rows as JSON, one a line or in a list, or a harness's database.

use crate::store::{HarnessLedger, NO_LEDGER, SQLITE_HEADER};
use proem_core::ledger::{LedgerRow, rows_of_json};
use std::io::ErrorKind;
use std::path::Path;

/// Rows that were left out are named one by one up to here.
const NAMED: usize = 5;

/// A ledger that was read.
#[derive(Debug, Default)]
pub struct Ledger {
    /// Its rows, those that it wrote about itself included.
    pub rows: Vec<LedgerRow>,
    /// What was left out, in lines for standard error.
    pub remarks: String,
}

/// Reads a file.
///
/// # Errors
/// A sentence, when it cannot be read or is no ledger.
pub fn read(path: &Path) -> Result<Ledger, String> {
    let name = path.display();
    let bytes = std::fs::read(path).map_err(|error| match error.kind() {
        ErrorKind::NotFound => format!("There is no file {name}."),
        ErrorKind::IsADirectory => format!("{name} is a folder; name the ledger in it."),
        ErrorKind::PermissionDenied => format!("{name} may not be read by this user."),
        _ => format!("{name} cannot be read: {error}."),
    })?;
    let (rows, left_out, unread) = if bytes.starts_with(SQLITE_HEADER) {
        let failed = |error: &dyn std::fmt::Display| format!("{name} cannot be read: {error}.");
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(|error| failed(&error))?;
        let read = runtime.block_on(async {
            let ledger = HarnessLedger::open(path).await?.ok_or_else(|| NO_LEDGER.to_owned())?;
            let unread = ledger.unread();
            ledger.all().await.map(|(rows, left_out)| (rows, left_out, unread))
        });
        read.map_err(|why| format!("{name} {why}."))?
    } else {
        let (rows, left_out) =
            rows_of_json(&String::from_utf8_lossy(&bytes)).map_err(|sentence| format!("{name}: {sentence}"))?;
        (rows, left_out, None)
    };
    let mut remarks = String::new();
    if !left_out.is_empty() {
        let named = left_out.iter().take(NAMED).cloned().collect::<Vec<_>>().join(", ");
        let more = left_out.len().saturating_sub(NAMED);
        let more = if more > 0 { format!(", and {more} more") } else { String::new() };
        remarks += &format!("proem: of the ledger were left out: {named}{more}.\n");
    }
    if let Some(unread) = unread {
        remarks += &format!("proem: {unread}.\n");
    }
    Ok(Ledger { rows, remarks })
}
