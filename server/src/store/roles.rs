//! Roles and their instructions.

use super::skills::revision_of;
use super::{ORG, Result, Store, StoreError};
use proem_core::api::RoleDetail;
use sqlx::Row;

impl Store {
    /// The role whose openings are shown: the first one.
    pub async fn role(&self) -> Result<RoleDetail> {
        let row = sqlx::query(
            "SELECT role.id, role.name, revision.number, revision.body, revision.author, revision.time, revision.note, revision.contract
             FROM role JOIN role_revision AS revision ON revision.org_id = role.org_id AND revision.role_id = role.id
             WHERE role.org_id = ? ORDER BY role.position, role.id, revision.number DESC LIMIT 1",
        )
        .bind(ORG)
        .fetch_optional(&self.reads)
        .await?
        .ok_or_else(|| StoreError::Damaged("it has no role".to_owned()))?;
        Ok(RoleDetail { id: row.try_get("id")?, name: row.try_get("name")?, head: revision_of(&row)? })
    }
}
