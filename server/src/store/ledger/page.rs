//! Pages of the ledger: newest first for screens, oldest first for files.

use super::filter::{Filter, TurnRows};
use super::{COLUMNS, links, row_of};
use crate::store::{ORG, Result, Store, unsigned};
use proem_core::api::governance::LedgerPage;
use proem_core::ledger::{LedgerEntry, entry};
use proem_core::log::{parse_stamp, session_of_reference};
use sqlx::{QueryBuilder, Row, Sqlite, SqliteConnection};
use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

/// A place between two rows: right after one of them, whichever way one goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cursor {
    ts_us: i64,
    id: i64,
}

impl Cursor {
    fn after(entry: &LedgerEntry) -> Cursor {
        // As it was stored.
        Cursor { ts_us: parse_stamp(&entry.ts).unwrap_or(0), id: entry.id }
    }
}

impl fmt::Display for Cursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}{:016x}", self.ts_us, self.id)
    }
}

impl FromStr for Cursor {
    type Err = String;

    fn from_str(text: &str) -> std::result::Result<Self, String> {
        let number = |digits: Option<&str>| u64::from_str_radix(digits?, 16).ok().map(u64::cast_signed);
        let sound = text.len() == 32 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        let parts = number(text.get(..16)).zip(number(text.get(16..))).filter(|_| sound);
        parts.map(|(ts_us, id)| Cursor { ts_us, id }).ok_or_else(|| {
            "`cursor` is not one that this ledger gave: take the `next_cursor` of the page before, or none for the newest rows.".to_owned()
        })
    }
}

/// A file of decisions that is being made: oldest first, up to the row that was the newest when it was begun.
pub struct Export {
    filter: Filter,
    newest: i64,
    after: Option<Cursor>,
}

impl Store {
    /// One page of decisions, newest first, each with its link.
    pub async fn ledger_page(&self, filter: &Filter, cursor: Option<Cursor>, limit: u32) -> Result<LedgerPage> {
        // One moment of the database for all of it.
        let mut tx = self.reads.begin().await?;
        let turn = turn_rows(&mut tx, filter).await?;
        let mut sql = QueryBuilder::<Sqlite>::new("SELECT COUNT(*)");
        filter.push(turn.as_ref(), &mut sql);
        let total: i64 = sql.build().fetch_one(&mut *tx).await?.try_get(0)?;

        let mut sql = QueryBuilder::<Sqlite>::new(format!("SELECT {COLUMNS}"));
        filter.push(turn.as_ref(), &mut sql);
        if let Some(Cursor { ts_us, id }) = cursor {
            sql.push(" AND (ts_us, id) < (").push_bind(ts_us).push(", ").push_bind(id).push(")");
        }
        // One more than is shown, to know whether there is another page.
        sql.push(" ORDER BY ts_us DESC, id DESC LIMIT ").push_bind(i64::from(limit) + 1);
        let mut entries = fetch(&mut tx, sql).await?;
        let more = entries.len() > limit as usize;
        entries.truncate(limit as usize);
        links::add(&mut tx, &mut entries).await?;
        let [callers, plugins, handlers] = names(&mut tx).await?;
        let next_cursor = entries.last().filter(|_| more).map(|last| Cursor::after(last).to_string());
        Ok(LedgerPage { count: entries.len() as u64, total: unsigned(total), callers, plugins, handlers, entries, next_cursor })
    }

    /// Begins a file of the decisions that match.
    pub async fn begin_export(&self, filter: Filter) -> Result<Export> {
        let row = sqlx::query("SELECT COALESCE(MAX(id), 0) FROM governance_ledger WHERE org_id = ?")
            .bind(ORG)
            .fetch_one(&self.reads)
            .await?;
        Ok(Export { filter, newest: row.try_get(0)?, after: None })
    }

    /// Its next rows, at most `limit`; none at the end.
    pub async fn next_of_export(&self, export: &mut Export, limit: u32) -> Result<Vec<LedgerEntry>> {
        let mut tx = self.reads.begin().await?;
        let turn = turn_rows(&mut tx, &export.filter).await?;
        let mut sql = QueryBuilder::<Sqlite>::new(format!("SELECT {COLUMNS}"));
        export.filter.push(turn.as_ref(), &mut sql);
        sql.push(" AND id <= ").push_bind(export.newest);
        if let Some(Cursor { ts_us, id }) = export.after {
            sql.push(" AND (ts_us, id) > (").push_bind(ts_us).push(", ").push_bind(id).push(")");
        }
        sql.push(" ORDER BY ts_us, id LIMIT ").push_bind(i64::from(limit));
        let mut entries = fetch(&mut tx, sql).await?;
        links::add(&mut tx, &mut entries).await?;
        export.after = entries.last().map(Cursor::after).or(export.after);
        Ok(entries)
    }
}

async fn fetch(connection: &mut SqliteConnection, mut sql: QueryBuilder<Sqlite>) -> Result<Vec<LedgerEntry>> {
    let rows = sql.build().fetch_all(connection).await?;
    rows.iter().map(|row| Ok(entry(&row_of(row)?))).collect()
}

/// The rows of the turn that a filter names: by its time where its session has a stored log, else by its id alone.
async fn turn_rows(connection: &mut SqliteConnection, filter: &Filter) -> Result<Option<TurnRows>> {
    let Some(reference) = &filter.turn else { return Ok(None) };
    let Some(session) = session_of_reference(reference).or(filter.session.as_deref()) else {
        return Ok(Some(TurnRows::of_unknown(reference)));
    };
    let stored = links::turns(connection, &BTreeSet::from([session])).await?;
    Ok(Some(match stored.get(session) {
        Some(stored) => TurnRows::of_known(reference, session, &stored.spans),
        None => TurnRows::of_unknown(reference),
    }))
}

/// All callers, checks and handlers of decisions, sorted.
async fn names(connection: &mut SqliteConnection) -> Result<[Vec<String>; 3]> {
    let rows = sqlx::query(
        "SELECT DISTINCT caller, plugin, handler FROM governance_ledger INDEXED BY governance_ledger_decisions
         WHERE org_id = ? AND kind IS NULL AND plugin <> 'audit'",
    )
    .bind(ORG)
    .fetch_all(connection)
    .await?;
    let mut names: [BTreeSet<String>; 3] = Default::default();
    for row in &rows {
        for (at, names) in names.iter_mut().enumerate() {
            names.extend(row.try_get::<Option<String>, _>(at)?);
        }
    }
    Ok(names.map(|names| names.into_iter().collect()))
}
