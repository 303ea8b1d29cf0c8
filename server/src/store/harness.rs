//! A harness's own ledger, an SQLite file (specs: system-opened-turns, 1.2): read as it lies there, never written, locked or mended.

use proem_core::ledger::{LedgerRow, row_of_fields};
use serde_json::{Map, Value};
use sqlx::sqlite::{SqliteConnectOptions, SqliteRow};
use sqlx::{Column, ConnectOptions, Row, SqliteConnection, TypeInfo, ValueRef};
use std::path::{Path, PathBuf};

/// What every SQLite file begins with.
pub const SQLITE_HEADER: &[u8; 16] = b"SQLite format 3\0";
/// Rows that are read at once.
const BATCH: i64 = 1_000;

/// An opened ledger of a harness.
pub struct HarnessLedger {
    path: PathBuf,
    connection: SqliteConnection,
    /// The last row that was read.
    after: i64,
}

impl HarnessLedger {
    /// Opens a file; `None` when it is another program's database. Errors are parts of sentences, to follow the file's name.
    ///
    /// # Errors
    /// When it is no SQLite file that can be read.
    pub async fn open(path: &Path) -> Result<Option<HarnessLedger>, String> {
        // Immutable: no lock is taken and no file is made beside it, so that a running harness is not disturbed and a read-only folder will
        // do. What stands in a `-wal` beside it is not seen; see `unread`.
        let options = SqliteConnectOptions::new().filename(path).read_only(true).immutable(true).pragma("trusted_schema", "OFF");
        let mut connection = options.connect().await.map_err(|error| told(&error))?;
        // A view could be made to run for ever; the harness writes a table.
        let table = sqlx::query("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'audit_log'")
            .fetch_optional(&mut connection)
            .await
            .map_err(|error| told(&error))?;
        Ok(table.map(|_| HarnessLedger { path: path.to_owned(), connection, after: i64::MIN }))
    }

    /// A sentence, when rows of the newest minutes are not in the file yet.
    pub fn unread(&self) -> Option<String> {
        let mut wal = self.path.clone().into_os_string();
        wal.push("-wal");
        let bytes = std::fs::metadata(&wal).map_or(0, |wal| wal.len());
        (bytes > 0).then(|| {
            format!(
                "{} lies beside it with {bytes} bytes: rows in there are not read. Stop the harness, which puts them into the database, and \
                 import again",
                Path::new(&wal).display()
            )
        })
    }

    /// The next rows in the order they were written, the store's own included; none at the end. A row that cannot be one is told by its id.
    ///
    /// # Errors
    /// When the file is damaged.
    pub async fn next(&mut self) -> Result<Option<Vec<Result<LedgerRow, String>>>, String> {
        let rows = sqlx::query("SELECT rowid AS row_number, * FROM audit_log WHERE rowid > ? ORDER BY rowid LIMIT ?")
            .bind(self.after)
            .bind(BATCH)
            .fetch_all(&mut self.connection)
            .await
            .map_err(|error| told(&error))?;
        let mut batch = Vec::with_capacity(rows.len());
        for row in &rows {
            let number: i64 = row.try_get("row_number").map_err(|error| told(&error))?;
            self.after = number;
            batch.push(row_of_fields(fields(row), number).map_err(|why| format!("row {number} {why}")));
        }
        Ok((!batch.is_empty()).then_some(batch))
    }

    /// All rows, and a sentence about each that cannot be one.
    ///
    /// # Errors
    /// As [`next`](HarnessLedger::next).
    pub async fn all(mut self) -> Result<(Vec<LedgerRow>, Vec<String>), String> {
        let (mut rows, mut left_out) = (Vec::new(), Vec::new());
        while let Some(batch) = self.next().await? {
            for row in batch {
                match row {
                    Ok(row) => rows.push(row),
                    Err(why) => left_out.push(why),
                }
            }
        }
        Ok((rows, left_out))
    }
}

/// The columns that the file has, by name: older files have fewer. Text that is no UTF-8 is read as far as it is.
fn fields(row: &SqliteRow) -> Map<String, Value> {
    let mut fields = Map::new();
    for column in row.columns().iter().skip(1) {
        let at = column.ordinal();
        let Some(raw) = row.try_get_raw(at).ok().filter(|raw| !raw.is_null()) else { continue };
        let kind = raw.type_info().name().to_owned();
        let value = match kind.as_str() {
            "INTEGER" => row.try_get_unchecked::<i64, _>(at).map_or(Value::Null, Value::from),
            "REAL" => row.try_get_unchecked::<f64, _>(at).map_or(Value::Null, Value::from),
            "TEXT" => row.try_get_unchecked::<&[u8], _>(at).map_or(Value::Null, |bytes| String::from_utf8_lossy(bytes).into()),
            _ => Value::Null,
        };
        fields.insert(column.name().to_owned(), value);
    }
    fields
}

/// What the database says, without our library's words around it.
fn told(error: &sqlx::Error) -> String {
    match error.as_database_error() {
        Some(error) => format!("cannot be read as a database: {}", error.message()),
        None => format!("cannot be read as a database: {error}"),
    }
}

/// What is wrong with another program's database, to follow its name.
pub const NO_LEDGER: &str = "is a database without the table `audit_log`, so it is no harness's ledger";
