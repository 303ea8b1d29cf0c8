//! What Proem keeps: one SQLite database in the home folder. No SQL stands outside this module.

mod backfill;
mod contents;
mod harness;
mod imports;
mod ledger;
mod live;
mod migrate;
mod roles;
mod rules;
mod seed;
mod sessions;
mod skills;
mod uploads;
mod welcome;

pub use contents::FRAME_BYTES;
pub use harness::{HarnessLedger, NO_LEDGER, SQLITE_HEADER};
pub use imports::ForeignWelcome;
pub use ledger::{Cursor, Export, Filter};
pub use live::{Conversation, LIVE_MAX, NoAnswer, Place, Ran, Told, Turn};
pub use rules::SavedRules;
pub use sessions::{Finished, LogFacts, Replaces};
pub use skills::{Draft, Saved};
pub use uploads::Upload;

use crate::clock;
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePool, SqlitePoolOptions, SqliteSynchronous};
use sqlx::{Row, Sqlite, SqliteConnection, Transaction};
use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The one organisation of a home.
const ORG: &str = "default";
/// How long a write waits for another process's.
const BUSY_TIMEOUT: Duration = Duration::from_secs(10);
/// Reading connections.
const READERS: u32 = 4;

/// The store of one home. Cheap to clone.
#[derive(Clone)]
pub struct Store {
    /// For everything that only reads.
    reads: SqlitePool,
    /// One connection: writes queue here instead of meeting each other in the database.
    writes: SqlitePool,
}

/// Why the store could not do something.
#[derive(Debug)]
pub enum StoreError {
    /// The home folder cannot be made or used.
    Home {
        /// The folder.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A later version of Proem wrote the database.
    Newer {
        /// The database.
        path: PathBuf,
        /// Its version.
        found: i64,
        /// The latest version this program knows.
        known: i64,
    },
    /// What is stored cannot be read back: which row, and why.
    Damaged(String),
    /// The database said no.
    Sql(sqlx::Error),
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StoreError::Home { path, source } => write!(f, "the home folder {} cannot be used: {source}", path.display()),
            StoreError::Newer { path, found, known } => write!(
                f,
                "{} was written by a newer Proem (its version is {found}, this program knows {known}): update Proem, or give another --home",
                path.display()
            ),
            StoreError::Damaged(what) => write!(f, "the database holds something that cannot be read: {what}"),
            StoreError::Sql(source) => write!(f, "the database failed: {source}"),
        }
    }
}

impl std::error::Error for StoreError {}

impl From<sqlx::Error> for StoreError {
    fn from(source: sqlx::Error) -> Self {
        StoreError::Sql(source)
    }
}

/// What the functions of the store answer.
pub type Result<T> = std::result::Result<T, StoreError>;

impl Store {
    /// Opens the store in a home folder, which is made (for its owner only) when it is missing; brings the database up to date
    /// and puts in what a fresh home holds. Several processes may do this at once.
    pub async fn open(home: &Path) -> Result<Store> {
        let home_error = |source| StoreError::Home { path: home.to_owned(), source };
        make_home(home).map_err(home_error)?;
        // Turning write-ahead logging on does not wait for others as all else does, so opening is done one process at a time.
        let lock = owners_file(&home.join("proem.lock")).map_err(home_error)?;
        let lock = tokio::task::spawn_blocking(move || lock.lock().map(|()| lock)).await;
        let lock = lock.map_err(|error| home_error(std::io::Error::other(error)))?.map_err(home_error)?;

        let path = home.join("proem.db");
        // Made here so that it is its owner's alone; the files that SQLite adds beside it follow it in that. One that is there is not
        // touched: closing it would drop the locks that this process may hold on it.
        if !path.exists() {
            owners_file(&path).map_err(home_error)?;
        }
        let options = SqliteConnectOptions::new()
            .filename(&path)
            .create_if_missing(true)
            .journal_mode(SqliteJournalMode::Wal)
            // An acknowledged frame of an upload survives a power cut.
            .synchronous(SqliteSynchronous::Full)
            .foreign_keys(true)
            .busy_timeout(BUSY_TIMEOUT);
        let writes = SqlitePoolOptions::new().max_connections(1).connect_with(options.clone()).await?;
        migrate::run(&writes, &path).await?;
        let reads = SqlitePoolOptions::new().max_connections(READERS).connect_with(options.pragma("query_only", "ON")).await?;
        let store = Store { reads, writes };
        store.seed().await?;
        drop(lock);
        store.backfill().await?;
        Ok(store)
    }

    /// Waits for what is under way and closes the database.
    pub async fn close(&self) {
        self.reads.close().await;
        self.writes.close().await;
    }

    /// Starts a write: nobody else writes until it is committed or dropped.
    async fn write(&self) -> Result<Transaction<'static, Sqlite>> {
        Ok(self.writes.begin_with("BEGIN IMMEDIATE").await?)
    }
}

/// Notes what somebody changed, in the transaction that changes it.
async fn audit(tx: &mut SqliteConnection, who: &str, what: &str, target: &str, detail: serde_json::Value) -> Result<()> {
    let last: i64 = sqlx::query("SELECT COALESCE(MAX(number), 0) FROM audit WHERE org_id = ?")
        .bind(ORG)
        .fetch_one(&mut *tx)
        .await?
        .try_get(0)?;
    sqlx::query("INSERT INTO audit (org_id, number, at, who, what, target, detail) VALUES (?, ?, ?, ?, ?, ?, ?)")
        .bind(ORG)
        .bind(last + 1)
        .bind(clock::now())
        .bind(who)
        .bind(what)
        .bind(target)
        .bind(detail.to_string())
        .execute(tx)
        .await?;
    Ok(())
}

/// A fresh id of the store's own making: 16 hex digits.
fn fresh_id() -> Result<String> {
    crate::token::random_hex(8).map_err(|error| StoreError::Damaged(format!("no random bytes for an id ({error})")))
}

/// Sizes and offsets: SQLite's integers are signed.
fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// The way back.
fn unsigned(number: i64) -> u64 {
    u64::try_from(number).unwrap_or(0)
}

fn make_home(home: &Path) -> std::io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(home)
}

/// A file that only its owner may read, made when it is missing.
fn owners_file(path: &Path) -> std::io::Result<std::fs::File> {
    let mut options = std::fs::OpenOptions::new();
    options.read(true).append(true).create(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}
