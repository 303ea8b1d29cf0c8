//! Leads rows to the turns of the logs that are stored.

use crate::store::sessions::unpack_spans;
use crate::store::{ORG, Result};
use proem_core::ledger::{LedgerEntry, Link, LinkedHow, TurnIndex};
use proem_core::log::TurnSpan;
use sqlx::{Row, SqliteConnection};
use std::collections::{BTreeSet, HashMap};

/// A stored log and the times of its turns.
pub(super) struct StoredTurns {
    /// Id of the stored log.
    pub log: String,
    /// In file order; none while the log was not read for them.
    pub spans: Vec<TurnSpan>,
}

/// The turns of those sessions that have a stored log, by session id.
pub(super) async fn turns(connection: &mut SqliteConnection, sessions: &BTreeSet<&str>) -> Result<HashMap<String, StoredTurns>> {
    let names = serde_json::json!(sessions).to_string();
    let rows = sqlx::query(
        "SELECT id, session_id, spans FROM session_log WHERE org_id = ? AND session_id IN (SELECT value FROM json_each(?))",
    )
    .bind(ORG)
    .bind(names)
    .fetch_all(connection)
    .await?;
    let stored = rows.iter().map(|row| {
        let spans = row.try_get::<Option<&[u8]>, _>("spans")?.map_or(Ok(Vec::new()), unpack_spans)?;
        Ok((row.try_get("session_id")?, StoredTurns { log: row.try_get("id")?, spans }))
    });
    stored.collect()
}

/// Gives every entry its link.
pub(super) async fn add(connection: &mut SqliteConnection, entries: &mut [LedgerEntry]) -> Result<()> {
    let of = |entry: &LedgerEntry| [entry.public.session_id.clone(), entry.run_id.clone()];
    let named: Vec<[Option<String>; 2]> = entries.iter().map(of).collect();
    let stored = turns(connection, &named.iter().flatten().flatten().map(String::as_str).collect()).await?;
    let indexes: HashMap<&str, (&StoredTurns, TurnIndex)> =
        stored.iter().map(|(session, turns)| (session.as_str(), (turns, TurnIndex::new(session, &turns.spans)))).collect();
    for (entry, names) in entries.iter_mut().zip(&named) {
        let found = names.iter().flatten().find_map(|name| {
            let (turns, index) = indexes.get(name.as_str())?;
            let (turn, how) = index.turn_of(entry)?;
            Some(Link { reference: Some(turns.spans[turn].reference.clone()), how, stored: Some(turns.log.clone()) })
        });
        entry.link = Some(found.unwrap_or(Link { reference: None, how: LinkedHow::None, stored: None }));
    }
    Ok(())
}
