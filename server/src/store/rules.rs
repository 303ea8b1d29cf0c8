//! The organisation's rules: texts, which are only ever added.

use super::{ORG, Result, Store, audit};
use crate::clock;
use proem_core::api::governance::RulesDocument;
use sqlx::{Executor, Row, Sqlite};

/// What became of rules that were to be saved.
pub enum SavedRules {
    /// They are the newest now.
    Stored(RulesDocument),
    /// Somebody else saved first; this is what they saved.
    Stale(RulesDocument),
}

impl Store {
    /// The newest rules; revision 0 without a text while none were saved.
    pub async fn rules(&self) -> Result<RulesDocument> {
        newest(&self.reads).await
    }

    /// Adds a revision, unless its base is no longer the newest. The text is normalised and read as rules before.
    pub async fn save_rules(&self, base: u32, body: &str, author: &str) -> Result<SavedRules> {
        let mut tx = self.write().await?;
        let stored = newest(&mut *tx).await?;
        if stored.revision != base {
            return Ok(SavedRules::Stale(stored));
        }
        let document = RulesDocument { revision: base + 1, body: body.to_owned(), author: author.to_owned(), time: clock::now() };
        sqlx::query("INSERT INTO rules_revision (org_id, number, body, author, time) VALUES (?, ?, ?, ?, ?)")
            .bind(ORG)
            .bind(document.revision)
            .bind(&document.body)
            .bind(&document.author)
            .bind(&document.time)
            .execute(&mut *tx)
            .await?;
        let detail = serde_json::json!({ "revision": document.revision, "base": base });
        audit(&mut tx, author, "rules.revision", "rules", detail).await?;
        tx.commit().await?;
        Ok(SavedRules::Stored(document))
    }
}

async fn newest(executor: impl Executor<'_, Database = Sqlite>) -> Result<RulesDocument> {
    let row = sqlx::query("SELECT number, body, author, time FROM rules_revision WHERE org_id = ? ORDER BY number DESC LIMIT 1")
        .bind(ORG)
        .fetch_optional(executor)
        .await?;
    let Some(row) = row else { return Ok(RulesDocument::default()) };
    Ok(RulesDocument {
        revision: row.try_get("number")?,
        body: row.try_get("body")?,
        author: row.try_get("author")?,
        time: row.try_get("time")?,
    })
}
