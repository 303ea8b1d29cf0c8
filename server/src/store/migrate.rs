//! Brings a database up to date: numbered steps, each applied once, all in one transaction.

use super::{Result, StoreError};
use sqlx::{Row, SqlitePool};
use std::path::Path;

/// The steps in order; the version of a database is how many it has seen. A step that was released is never changed.
const STEPS: [&str; 2] = [include_str!("migrations/0001_first.sql"), include_str!("migrations/0002_governance.sql")];

/// Applies what the database at `path` has not seen.
pub(super) async fn run(writes: &SqlitePool, path: &Path) -> Result<()> {
    let mut tx = writes.begin_with("BEGIN IMMEDIATE").await?;
    sqlx::query("CREATE TABLE IF NOT EXISTS schema_version (version INTEGER NOT NULL) STRICT").execute(&mut *tx).await?;
    let found: i64 = sqlx::query("SELECT COALESCE(MAX(version), 0) FROM schema_version").fetch_one(&mut *tx).await?.try_get(0)?;
    let known = STEPS.len() as i64;
    if found > known {
        return Err(StoreError::Newer { path: path.to_owned(), found, known });
    }
    for (version, step) in (1i64..).zip(STEPS).filter(|(version, _)| *version > found) {
        sqlx::raw_sql(step).execute(&mut *tx).await?;
        sqlx::query("INSERT INTO schema_version (version) VALUES (?)").bind(version).execute(&mut *tx).await?;
    }
    tx.commit().await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::store::{Store, StoreError};

    #[tokio::test]
    async fn a_newer_database_is_left_alone() {
        let home = tempfile::tempdir().unwrap();
        let store = Store::open(home.path()).await.unwrap();
        sqlx::query("INSERT INTO schema_version (version) VALUES (99)").execute(&store.writes).await.unwrap();
        store.close().await;
        let error = Store::open(home.path()).await.err().unwrap();
        assert!(matches!(error, StoreError::Newer { found: 99, known: 2, .. }), "{error}");
    }
}
