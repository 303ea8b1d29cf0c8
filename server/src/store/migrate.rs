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
    use super::STEPS;
    use crate::store::{Store, StoreError};
    use proem_core::log::is_ephemeral;
    use sqlx::Row;

    #[tokio::test]
    async fn a_newer_database_is_left_alone() {
        let home = tempfile::tempdir().unwrap();
        let store = Store::open(home.path()).await.unwrap();
        sqlx::query("INSERT INTO schema_version (version) VALUES (99)").execute(&store.writes).await.unwrap();
        store.close().await;
        let error = Store::open(home.path()).await.err().unwrap();
        assert!(matches!(error, StoreError::Newer { found: 99, known: 2, .. }), "{error}");
    }

    #[tokio::test]
    async fn logs_of_the_first_version_are_told_apart() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("proem.db");
        let options = sqlx::sqlite::SqliteConnectOptions::new().filename(path).create_if_missing(true);
        let first = sqlx::SqlitePool::connect_with(options).await.unwrap();
        sqlx::raw_sql(STEPS[0]).execute(&first).await.unwrap();
        let version = "CREATE TABLE schema_version (version INTEGER NOT NULL) STRICT; INSERT INTO schema_version VALUES (1);
                       INSERT INTO org VALUES ('default', 'Default', ''); INSERT INTO content VALUES ('default', 'c');";
        sqlx::raw_sql(version).execute(&first).await.unwrap();
        let ids = [
            "3fa9c07be21d",
            "playground-1",
            "EVAL:7",
            "exp01",
            "Test",
            "verify1",
            "smoke",
            "accept",
            "leakjudge",
            "dbg-1",
            "ob-1",
            "clean-1",
            "__eval",
            "xxeval",
            "probe",
            "proof-1",
            "wiki-switch-proof",
            "mut",
            "ob",
            "web-test",
        ];
        for (number, id) in ids.iter().enumerate() {
            let summary = format!(r#"{{"turn_count":{},"hidden_turns":0}}"#, number % 2);
            sqlx::query("INSERT INTO session_log VALUES ('default', ?1, ?1, '', 'c', '', '', 0, NULL, ?2)")
                .bind(id)
                .bind(summary)
                .execute(&first)
                .await
                .unwrap();
        }
        first.close().await;
        let store = Store::open(home.path()).await.unwrap();
        let rows = sqlx::query("SELECT id, ephemeral, conversation FROM session_log").fetch_all(&store.reads).await.unwrap();
        assert_eq!(rows.len(), ids.len());
        for row in rows {
            let id: String = row.get("id");
            assert_eq!(row.get::<bool, _>("ephemeral"), is_ephemeral(&id), "{id}");
            let place = ids.iter().position(|known| *known == id).unwrap();
            assert_eq!(row.get::<bool, _>("conversation"), place % 2 == 1, "{id}");
        }
    }
}
