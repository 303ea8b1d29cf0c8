//! The bytes of logs: packed frames in order, each readable on its own.

use super::{ORG, Result, Store, StoreError, signed, unsigned};
use sqlx::sqlite::SqliteRow;
use sqlx::{Row, SqliteConnection};

/// A frame is at most this long before packing.
pub const FRAME_BYTES: usize = 1024 * 1024;
/// zstd's fast end: logs shrink about tenfold already, and an upload must not wait for more.
const LEVEL: i32 = 1;

/// Packs a frame; on a thread of its own, since it takes milliseconds.
pub(super) async fn pack(bytes: Vec<u8>) -> Result<Vec<u8>> {
    let packed = tokio::task::spawn_blocking(move || zstd::bulk::compress(&bytes, LEVEL)).await;
    let failed = |error: &dyn std::fmt::Display| StoreError::Damaged(format!("a frame could not be packed ({error})"));
    packed.map_err(|error| failed(&error))?.map_err(|error| failed(&error))
}

/// Adds a packed frame that starts at byte `start` of a content.
pub(super) async fn add(tx: &mut SqliteConnection, content: &str, start: u64, length: usize, packed: &[u8]) -> Result<()> {
    sqlx::query("INSERT INTO frame (org_id, content_id, start, length, packed) VALUES (?, ?, ?, ?, ?)")
        .bind(ORG)
        .bind(content)
        .bind(signed(start))
        .bind(signed(length as u64))
        .bind(packed)
        .execute(tx)
        .await?;
    Ok(())
}

/// Makes an empty content.
pub(super) async fn create(tx: &mut SqliteConnection, content: &str) -> Result<()> {
    sqlx::query("INSERT INTO content (org_id, id) VALUES (?, ?)").bind(ORG).bind(content).execute(tx).await?;
    Ok(())
}

/// Removes a content with its frames and its upload.
pub(super) async fn remove(tx: &mut SqliteConnection, content: &str) -> Result<()> {
    sqlx::query("DELETE FROM content WHERE org_id = ? AND id = ?").bind(ORG).bind(content).execute(tx).await?;
    Ok(())
}

/// All bytes of a content as a transaction sees them: for logs that grow by small frames, and are small.
pub(super) async fn all(tx: &mut SqliteConnection, content: &str) -> Result<Vec<u8>> {
    let rows = sqlx::query("SELECT length, packed FROM frame WHERE org_id = ? AND content_id = ? ORDER BY start")
        .bind(ORG)
        .bind(content)
        .fetch_all(tx)
        .await?;
    rows.iter().try_fold(Vec::new(), |mut bytes, row| {
        bytes.extend_from_slice(&unpack(row, content, bytes.len() as u64)?);
        Ok(bytes)
    })
}

/// The bytes of the frame in a row.
fn unpack(row: &SqliteRow, content: &str, start: u64) -> Result<Vec<u8>> {
    let length = usize::try_from(unsigned(row.try_get("length")?)).unwrap_or(0);
    let packed: &[u8] = row.try_get("packed")?;
    let damaged = || StoreError::Damaged(format!("the frame at byte {start} of content {content}"));
    let bytes = zstd::bulk::decompress(packed, length).map_err(|_| damaged())?;
    if bytes.len() == length { Ok(bytes) } else { Err(damaged()) }
}

impl Store {
    /// The bytes of the frame that starts at byte `start`; absent at the end.
    pub async fn frame(&self, content: &str, start: u64) -> Result<Option<Vec<u8>>> {
        let row = sqlx::query("SELECT length, packed FROM frame WHERE org_id = ? AND content_id = ? AND start = ?")
            .bind(ORG)
            .bind(content)
            .bind(signed(start))
            .fetch_optional(&self.reads)
            .await?;
        row.as_ref().map(|row| unpack(row, content, start)).transpose()
    }

    /// The first `size` bytes of a content: all of it, unless it has grown by a frame since.
    pub async fn content(&self, content: &str, size: u64) -> Result<Vec<u8>> {
        let mut bytes = Vec::with_capacity(usize::try_from(size).unwrap_or(0));
        while (bytes.len() as u64) < size
            && let Some(frame) = self.frame(content, bytes.len() as u64).await?
        {
            bytes.extend_from_slice(&frame);
        }
        if bytes.len() as u64 == size {
            Ok(bytes)
        } else {
            Err(StoreError::Damaged(format!("content {content} has {} of its {size} bytes", bytes.len())))
        }
    }

    /// How many bytes two contents have in common from the start.
    pub async fn common_prefix(&self, left: &str, right: &str) -> Result<u64> {
        let (mut at, mut ours, mut theirs) = (0u64, Vec::new(), Vec::new());
        let (mut ours_next, mut theirs_next) = (0u64, 0u64);
        loop {
            if ours.is_empty() {
                ours = self.frame(left, ours_next).await?.unwrap_or_default();
                ours_next += ours.len() as u64;
            }
            if theirs.is_empty() {
                theirs = self.frame(right, theirs_next).await?.unwrap_or_default();
                theirs_next += theirs.len() as u64;
            }
            let reach = ours.len().min(theirs.len());
            let same = if ours[..reach] == theirs[..reach] {
                reach
            } else {
                ours.iter().zip(&theirs).take_while(|(one, other)| one == other).count()
            };
            at += same as u64;
            if same < reach || reach == 0 {
                return Ok(at);
            }
            ours.drain(..reach);
            theirs.drain(..reach);
        }
    }
}
