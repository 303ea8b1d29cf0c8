//! Fills in what logs were not read for when they were stored: the times of their turns.

use super::sessions::pack_spans;
use super::{LogFacts, ORG, Result, Store, unsigned};
use proem_core::log::Log;
use sqlx::Row;

impl Store {
    /// Reads every log whose turns' times are not known yet, one at a time: each may be large. One that cannot be read is left as it is, and
    /// so are its rows of the ledger: they lead nowhere.
    pub(super) async fn backfill(&self) -> Result<()> {
        let waiting = sqlx::query(
            "SELECT id, content_id, file_name, bytes FROM session_log WHERE org_id = ? AND spans IS NULL ORDER BY id",
        )
        .bind(ORG)
        .fetch_all(&self.reads)
        .await?;
        for row in &waiting {
            let id: &str = row.try_get("id")?;
            let name: String = row.try_get("file_name")?;
            let bytes = match self.content(row.try_get("content_id")?, unsigned(row.try_get("bytes")?)).await {
                Ok(bytes) => bytes,
                Err(error) => {
                    tracing::warn!("the times of the turns in log {id} cannot be read: {error}");
                    continue;
                }
            };
            let read =
                move || Log::read(&name, bytes, &mut || {}).map(|log| LogFacts::of(&log)).map_err(|error| error.to_string());
            match tokio::task::spawn_blocking(read).await.unwrap_or_else(|error| Err(error.to_string())) {
                Ok(facts) => self.fill(id, &facts).await?,
                Err(error) => tracing::warn!("the times of the turns in log {id} cannot be read: {error}"),
            }
        }
        Ok(())
    }

    async fn fill(&self, id: &str, facts: &LogFacts) -> Result<()> {
        let spans = pack_spans(&facts.spans).await?;
        let mut tx = self.write().await?;
        // Another process may have been faster, or a newer copy may have come.
        sqlx::query(
            "UPDATE session_log SET spans = ?, conversation = ? WHERE org_id = ? AND id = ? AND spans IS NULL AND bytes = ?",
        )
        .bind(spans)
        .bind(facts.conversation)
        .bind(ORG)
        .bind(id)
        .bind(super::signed(facts.summary.bytes))
        .execute(&mut *tx)
        .await?;
        tx.commit().await?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use crate::store::{Filter, Store};
    use proem_core::ledger::{LinkedHow, rows_of_json};
    use proem_core::log::Log;

    const LOG: &str =
        r#"{"kind":"user_message","ts":"2026-10-03T08:15:10.000000+00:00","session_id":"s","turn_id":"t","text":"q"}"#;
    const ROW: &str = r#"[{"ts":"2026-10-03T08:15:10.000000+00:00","hook_point":"pre_turn","plugin":"p","decision":"allow","run_id":"s","record_id":"r"}]"#;

    async fn how(store: &Store) -> LinkedHow {
        let page = store.ledger_page(&Filter::default(), None, 10).await.unwrap();
        page.entries[0].link.as_ref().unwrap().how
    }

    #[tokio::test]
    async fn a_log_of_an_earlier_version_is_read_for_its_turns() {
        let home = tempfile::tempdir().unwrap();
        let store = Store::open(home.path()).await.unwrap();
        store.import_rows(&rows_of_json(ROW).unwrap().0).await.unwrap();
        let log = Log::read("session-s.jsonl", LOG.as_bytes().to_vec(), &mut || ()).unwrap();
        crate::import::log(&store, "session-s.jsonl", log).await.unwrap();
        assert_eq!(how(&store).await, LinkedHow::Window);
        // As migration 2 leaves what was there before, and one more whose bytes are gone.
        sqlx::query("UPDATE session_log SET spans = NULL, conversation = 0").execute(&store.writes).await.unwrap();
        sqlx::query("INSERT INTO content (org_id, id) VALUES ('default', 'gone')").execute(&store.writes).await.unwrap();
        sqlx::query(
            "INSERT INTO session_log (org_id, id, session_id, fingerprint, content_id, file_name, stored_at, bytes, summary)
             SELECT org_id, 'aa', 'gone', '', 'gone', file_name, stored_at, bytes, summary FROM session_log",
        )
        .execute(&store.writes)
        .await
        .unwrap();
        assert_eq!(how(&store).await, LinkedHow::None);
        store.close().await;
        let store = Store::open(home.path()).await.unwrap();
        assert_eq!(how(&store).await, LinkedHow::Window);
        let filled: Vec<(i64, bool)> = sqlx::query_as("SELECT conversation, spans IS NULL FROM session_log ORDER BY session_id")
            .fetch_all(&store.reads)
            .await
            .unwrap();
        assert_eq!(filled, [(0, true), (1, false)]);
    }
}
