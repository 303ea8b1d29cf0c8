//! Skills and their revisions, which are only ever added.

use super::{ORG, Result, Store, StoreError, audit};
use crate::clock;
use crate::ids::Slug;
use proem_core::api::SkillDetail;
use proem_core::opening::table::CONTRACT;
use proem_core::skill::{Mode, Revision, Skill};
use sqlx::sqlite::SqliteRow;
use sqlx::{Executor, Row, Sqlite};

/// A text that is to become a revision.
pub struct Draft<'a> {
    /// The revision it was written on.
    pub base: u32,
    /// The template, normalised and checked.
    pub body: &'a str,
    /// Who saves it.
    pub author: &'a str,
    /// Why.
    pub note: &'a str,
}

/// What became of a [`Draft`].
pub enum Saved {
    /// It is the newest revision now.
    Stored(SkillDetail),
    /// Somebody else saved first; this is what they saved.
    Stale(SkillDetail),
    /// There is no such skill.
    Missing,
}

/// A skill with its newest revision: the columns that [`detail_of`] reads.
macro_rules! select_details {
    ($rest:literal) => {
        concat!(
            "SELECT skill.slug, skill.name, skill.summary, skill.description, skill.mode, skill.enabled, skill.position, skill.roles,
             skill.builtin, skill.attachments, revision.number, revision.body, revision.author, revision.time, revision.note,
             revision.contract
             FROM skill JOIN skill_revision AS revision ON revision.org_id = skill.org_id AND revision.slug = skill.slug
             AND revision.number = (SELECT MAX(number) FROM skill_revision WHERE org_id = skill.org_id AND slug = skill.slug) ",
            $rest
        )
    };
}

impl Store {
    /// All skills in order of position, then slug.
    pub async fn skills(&self) -> Result<Vec<SkillDetail>> {
        let rows = sqlx::query(select_details!("WHERE skill.org_id = ? ORDER BY skill.position, skill.slug"))
            .bind(ORG)
            .fetch_all(&self.reads)
            .await?;
        rows.iter().map(detail_of).collect()
    }

    /// One skill.
    pub async fn skill(&self, slug: &Slug) -> Result<Option<SkillDetail>> {
        detail(&self.reads, slug).await
    }

    /// All revisions of a skill, newest first; none when there is no such skill.
    pub async fn revisions(&self, slug: &Slug) -> Result<Vec<Revision>> {
        let rows = sqlx::query(
            "SELECT number, body, author, time, note, contract FROM skill_revision WHERE org_id = ? AND slug = ? ORDER BY number DESC",
        )
        .bind(ORG)
        .bind(slug.as_str())
        .fetch_all(&self.reads)
        .await?;
        rows.iter().map(revision_of).collect()
    }

    /// Adds a revision, unless its base is no longer the newest.
    pub async fn save_skill(&self, slug: &Slug, draft: Draft<'_>) -> Result<Saved> {
        let mut tx = self.write().await?;
        let Some(mut stored) = detail(&mut *tx, slug).await? else {
            return Ok(Saved::Missing);
        };
        if stored.head.number != draft.base {
            return Ok(Saved::Stale(stored));
        }
        let revision = Revision {
            number: stored.head.number + 1,
            body: draft.body.to_owned(),
            author: draft.author.to_owned(),
            time: clock::now(),
            note: draft.note.to_owned(),
            contract: CONTRACT,
        };
        sqlx::query(
            "INSERT INTO skill_revision (org_id, slug, number, body, author, time, note, contract) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        )
        .bind(ORG)
        .bind(slug.as_str())
        .bind(revision.number)
        .bind(&revision.body)
        .bind(&revision.author)
        .bind(&revision.time)
        .bind(&revision.note)
        .bind(revision.contract)
        .execute(&mut *tx)
        .await?;
        let detail = serde_json::json!({ "revision": revision.number, "base": draft.base, "note": draft.note });
        audit(&mut tx, draft.author, "skill.revision", slug.as_str(), detail).await?;
        tx.commit().await?;
        stored.head = revision;
        Ok(Saved::Stored(stored))
    }
}

async fn detail(executor: impl Executor<'_, Database = Sqlite>, slug: &Slug) -> Result<Option<SkillDetail>> {
    let row = sqlx::query(select_details!("WHERE skill.org_id = ? AND skill.slug = ?"))
        .bind(ORG)
        .bind(slug.as_str())
        .fetch_optional(executor)
        .await?;
    row.as_ref().map(detail_of).transpose()
}

fn detail_of(row: &SqliteRow) -> Result<SkillDetail> {
    let slug: String = row.try_get("slug")?;
    let damaged = |what: &str| StoreError::Damaged(format!("the {what} of skill `{slug}`"));
    let mode: &str = row.try_get("mode")?;
    let roles: Option<&str> = row.try_get("roles")?;
    let attachments: &str = row.try_get("attachments")?;
    Ok(SkillDetail {
        skill: Skill {
            name: row.try_get("name")?,
            summary: row.try_get("summary")?,
            description: row.try_get("description")?,
            mode: match mode {
                "ambient" => Mode::Ambient,
                "triggered" => Mode::Triggered,
                _ => return Err(damaged("mode")),
            },
            enabled: row.try_get::<i64, _>("enabled")? != 0,
            position: row.try_get("position")?,
            roles: roles.map(serde_json::from_str).transpose().map_err(|_| damaged("roles"))?,
            builtin: row.try_get("builtin")?,
            attachments: serde_json::from_str(attachments).map_err(|_| damaged("attachments"))?,
            slug,
        },
        head: revision_of(row)?,
    })
}

/// The revision in a row.
pub(super) fn revision_of(row: &SqliteRow) -> Result<Revision> {
    Ok(Revision {
        number: row.try_get("number")?,
        body: row.try_get("body")?,
        author: row.try_get("author")?,
        time: row.try_get("time")?,
        note: row.try_get("note")?,
        contract: row.try_get("contract")?,
    })
}
