//! Files on their way in: every frame is kept as it arrives, so that an interrupted upload goes on where it stopped.

use super::{ORG, Result, Store, contents, fresh_id, signed, unsigned};
use crate::clock;
use crate::ids::{FileName, UploadId};
use sqlx::Row;

/// How long an unfinished upload waits to go on.
const KEPT_SECONDS: i64 = 24 * 60 * 60;

/// A file on its way in.
#[derive(Clone, Debug)]
pub struct Upload {
    /// The file's fingerprint.
    pub id: UploadId,
    /// Where its bytes are.
    pub(super) content: String,
    /// The file's name.
    pub file_name: String,
    /// The file's size.
    pub size: u64,
    /// Bytes stored for good.
    pub received: u64,
}

impl Upload {
    /// Where its bytes are: for the store's reading functions.
    pub fn content(&self) -> &str {
        &self.content
    }
}

impl Store {
    /// The upload of a file, if one is under way.
    pub async fn upload(&self, id: &UploadId) -> Result<Option<Upload>> {
        let row = sqlx::query("SELECT content_id, file_name, size, received FROM upload WHERE org_id = ? AND id = ?")
            .bind(ORG)
            .bind(id.as_str())
            .fetch_optional(&self.reads)
            .await?;
        let Some(row) = row else { return Ok(None) };
        Ok(Some(Upload {
            id: id.clone(),
            content: row.try_get("content_id")?,
            file_name: row.try_get("file_name")?,
            size: unsigned(row.try_get("size")?),
            received: unsigned(row.try_get("received")?),
        }))
    }

    /// Starts the upload of a file, in place of an earlier one with the same id.
    pub async fn begin_upload(&self, id: &UploadId, file_name: &FileName, size: u64) -> Result<Upload> {
        let mut tx = self.write().await?;
        let earlier = sqlx::query("SELECT content_id FROM upload WHERE org_id = ? AND id = ?")
            .bind(ORG)
            .bind(id.as_str())
            .fetch_optional(&mut *tx)
            .await?;
        if let Some(row) = earlier {
            contents::remove(&mut tx, row.try_get("content_id")?).await?;
        }
        let content = fresh_id()?;
        contents::create(&mut tx, &content).await?;
        sqlx::query(
            "INSERT INTO upload (org_id, id, content_id, file_name, size, received, touched_at) VALUES (?, ?, ?, ?, ?, 0, ?)",
        )
        .bind(ORG)
        .bind(id.as_str())
        .bind(&content)
        .bind(file_name.as_str())
        .bind(signed(size))
        .bind(clock::unix_seconds())
        .execute(&mut *tx)
        .await?;
        tx.commit().await?;
        Ok(Upload { id: id.clone(), content, file_name: file_name.to_string(), size, received: 0 })
    }

    /// Stores the next frame of an upload for good and counts it. False, and nothing is stored, when somebody else's frame came
    /// first or the upload is gone.
    pub async fn append(&self, upload: &mut Upload, frame: Vec<u8>) -> Result<bool> {
        let length = frame.len();
        let packed = contents::pack(frame).await?;
        let mut tx = self.write().await?;
        let counted = sqlx::query(
            "UPDATE upload SET received = received + ?, touched_at = ? WHERE org_id = ? AND id = ? AND content_id = ? AND received = ?",
        )
        .bind(signed(length as u64))
        .bind(clock::unix_seconds())
        .bind(ORG)
        .bind(upload.id.as_str())
        .bind(&upload.content)
        .bind(signed(upload.received))
        .execute(&mut *tx)
        .await?
        .rows_affected();
        if counted == 0 {
            return Ok(false);
        }
        contents::add(&mut tx, &upload.content, upload.received, length, &packed).await?;
        tx.commit().await?;
        upload.received += length as u64;
        Ok(true)
    }

    /// Forgets an upload and its bytes.
    pub async fn drop_upload(&self, upload: &Upload) -> Result<()> {
        let mut tx = self.write().await?;
        contents::remove(&mut tx, &upload.content).await?;
        tx.commit().await?;
        Ok(())
    }

    /// Forgets the uploads that did not go on for a day. Returns how many.
    pub async fn clean_uploads(&self) -> Result<u64> {
        let mut tx = self.write().await?;
        let gone = sqlx::query(
            "DELETE FROM content WHERE org_id = ? AND id IN (SELECT content_id FROM upload WHERE org_id = ? AND touched_at < ?)",
        )
        .bind(ORG)
        .bind(ORG)
        .bind(clock::unix_seconds() - KEPT_SECONDS)
        .execute(&mut *tx)
        .await?
        .rows_affected();
        tx.commit().await?;
        Ok(gone)
    }
}

#[cfg(test)]
mod tests {
    use super::{KEPT_SECONDS, Store};

    #[tokio::test]
    async fn an_upload_waits_a_day() {
        let home = tempfile::tempdir().unwrap();
        let store = Store::open(home.path()).await.unwrap();
        let (old, young) = ("00000000000000aa".parse().unwrap(), "00000000000000bb".parse().unwrap());
        for id in [&old, &young] {
            let mut upload = store.begin_upload(id, &"a.jsonl".parse().unwrap(), 10).await.unwrap();
            assert!(store.append(&mut upload, b"hello".to_vec()).await.unwrap());
        }
        sqlx::query("UPDATE upload SET touched_at = touched_at - ? WHERE id = ?")
            .bind(KEPT_SECONDS + 60)
            .bind(old.as_str())
            .execute(&store.writes)
            .await
            .unwrap();
        assert_eq!(store.clean_uploads().await.unwrap(), 1);
        assert!(store.upload(&old).await.unwrap().is_none());
        assert_eq!(store.upload(&young).await.unwrap().unwrap().received, 5);
    }
}
