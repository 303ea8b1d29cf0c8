//! What a fresh home holds: its organisation, the default role, and each built-in skill once.

use super::{ORG, Result, Store};
use crate::clock;
use proem_core::opening::builtin::{BUILTINS, Builtin, DEFAULT_ROLE, DEFAULT_ROLE_ID, DEFAULT_ROLE_NAME};
use proem_core::opening::table::CONTRACT;
use sqlx::SqliteConnection;

/// The author of what Proem itself puts in.
const AUTHOR: &str = "proem";

impl Store {
    /// Puts in what this home was never given. A built-in that was given and then removed does not come back.
    pub(super) async fn seed(&self) -> Result<()> {
        let mut tx = self.write().await?;
        let now = clock::now();
        let fresh = sqlx::query("INSERT INTO org (id, name, created_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING")
            .bind(ORG)
            .bind("Default")
            .bind(&now)
            .execute(&mut *tx)
            .await?
            .rows_affected()
            == 1;
        if fresh {
            default_role(&mut tx, &now).await?;
        }
        for (position, builtin) in (0i64..).zip(BUILTINS.iter()) {
            let given =
                sqlx::query("INSERT INTO seeded_builtin (org_id, builtin, seeded_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING")
                    .bind(ORG)
                    .bind(builtin.slug)
                    .bind(&now)
                    .execute(&mut *tx)
                    .await?
                    .rows_affected();
            if given == 1 {
                give(&mut tx, builtin, position, &now).await?;
            }
        }
        tx.commit().await?;
        Ok(())
    }
}

async fn default_role(tx: &mut SqliteConnection, now: &str) -> Result<()> {
    sqlx::query("INSERT INTO role (org_id, id, name, position) VALUES (?, ?, ?, 0)")
        .bind(ORG)
        .bind(DEFAULT_ROLE_ID)
        .bind(DEFAULT_ROLE_NAME)
        .execute(&mut *tx)
        .await?;
    sqlx::query(
        "INSERT INTO role_revision (org_id, role_id, number, body, author, time, note, contract) VALUES (?, ?, 1, ?, ?, ?, '', ?)",
    )
    .bind(ORG)
    .bind(DEFAULT_ROLE_ID)
    .bind(DEFAULT_ROLE)
    .bind(AUTHOR)
    .bind(now)
    .bind(CONTRACT)
    .execute(tx)
    .await?;
    Ok(())
}

async fn give(tx: &mut SqliteConnection, builtin: &Builtin, position: i64, now: &str) -> Result<()> {
    let added = sqlx::query(
        "INSERT INTO skill (org_id, slug, name, summary, description, mode, enabled, position, roles, builtin, attachments)
         VALUES (?, ?, ?, ?, ?, 'ambient', 1, ?, NULL, ?, '[]') ON CONFLICT DO NOTHING",
    )
    .bind(ORG)
    .bind(builtin.slug)
    .bind(builtin.name)
    .bind(builtin.summary)
    .bind(builtin.description)
    .bind(position)
    .bind(builtin.slug)
    .execute(&mut *tx)
    .await?
    .rows_affected();
    // Somebody's own skill of the same slug is theirs.
    if added == 0 {
        return Ok(());
    }
    sqlx::query(
        "INSERT INTO skill_revision (org_id, slug, number, body, author, time, note, contract) VALUES (?, ?, 1, ?, ?, ?, '', ?)",
    )
    .bind(ORG)
    .bind(builtin.slug)
    .bind(builtin.body)
    .bind(AUTHOR)
    .bind(now)
    .bind(CONTRACT)
    .execute(tx)
    .await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{BUILTINS, Store};

    #[tokio::test]
    async fn a_removed_builtin_stays_away() {
        let home = tempfile::tempdir().unwrap();
        let store = Store::open(home.path()).await.unwrap();
        assert_eq!(store.skills().await.unwrap().len(), BUILTINS.len());
        let slug = BUILTINS[2].slug;
        for statement in ["DELETE FROM skill_revision WHERE slug = ?", "DELETE FROM skill WHERE slug = ?"] {
            sqlx::query(statement).bind(slug).execute(&store.writes).await.unwrap();
        }
        store.close().await;
        let store = Store::open(home.path()).await.unwrap();
        let slugs: Vec<String> = store.skills().await.unwrap().into_iter().map(|detail| detail.skill.slug).collect();
        assert_eq!(slugs.len(), BUILTINS.len() - 1);
        assert!(!slugs.iter().any(|other| other == slug));
    }

    #[tokio::test]
    async fn many_may_open_a_fresh_home_at_once() {
        let home = tempfile::tempdir().unwrap();
        let opened: Vec<_> = (0..4)
            .map(|_| {
                let path = home.path().to_owned();
                tokio::spawn(async move { Store::open(&path).await.unwrap() })
            })
            .collect();
        for store in opened {
            assert_eq!(store.await.unwrap().skills().await.unwrap().len(), BUILTINS.len());
        }
    }
}
