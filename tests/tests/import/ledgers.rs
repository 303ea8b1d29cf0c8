//! A harness's ledger of any age: with and without identity columns, half written, damaged, beside newer rows.

use super::run::{Place, case};
use proem_core::ledger::{LinkedHow, rows_of_json};
use serde_json::{Value, json};
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode};
use sqlx::{AssertSqlSafe, ConnectOptions, SqliteConnection};
use std::path::Path;

/// The table as the first harness wrote it.
const OLD: &str = "CREATE TABLE audit_log (id INTEGER PRIMARY KEY AUTOINCREMENT, ts TEXT NOT NULL, run_id TEXT NOT NULL, step_id INTEGER,
     agent_type TEXT NOT NULL, hook_point TEXT NOT NULL, plugin TEXT NOT NULL, decision TEXT NOT NULL, classification TEXT, tier TEXT,
     cost_usd REAL, severity TEXT NOT NULL, reason TEXT NOT NULL, payload_json TEXT NOT NULL)";

async fn database(path: &Path) -> SqliteConnection {
    SqliteConnectOptions::new()
        .filename(path)
        .create_if_missing(true)
        .journal_mode(SqliteJournalMode::Wal)
        .connect()
        .await
        .unwrap()
}

async fn sql(connection: &mut SqliteConnection, text: String) {
    sqlx::query(AssertSqlSafe(text)).execute(connection).await.unwrap();
}

/// A row of the old table.
async fn add(connection: &mut SqliteConnection, row: &Value) {
    sqlx::query(
        "INSERT INTO audit_log (ts, run_id, step_id, agent_type, hook_point, plugin, decision, classification, tier, severity, reason,
         payload_json) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    )
    .bind(row["ts"].as_str().unwrap())
    .bind(row["run_id"].as_str().unwrap())
    .bind(row["step_id"].as_i64())
    .bind(row["agent_type"].as_str().unwrap())
    .bind(row["hook_point"].as_str().unwrap())
    .bind(row["plugin"].as_str().unwrap())
    .bind(row["decision"].as_str().unwrap())
    .bind(row["classification"].as_str())
    .bind(row["tier"].as_str())
    .bind(row["severity"].as_str().unwrap())
    .bind(row["reason"].as_str().unwrap())
    .bind(row["payload"].to_string())
    .execute(connection)
    .await
    .unwrap();
}

/// The rows of the second vector.
fn rows() -> Vec<Value> {
    serde_json::from_slice(&case("ledger-0d1e2f3a4b5c.json")).unwrap()
}

#[tokio::test]
async fn behaviour_24_an_old_ledger_without_identity_is_imported_and_importing_twice_adds_nothing() {
    let place = Place::new();
    let path = place.path("audit.db");
    let mut old = database(&path).await;
    sql(&mut old, OLD.to_owned()).await;
    for row in &rows() {
        add(&mut old, row).await;
    }
    // The same thing once more, word for word, is another decision; and so is the store's own.
    add(&mut old, &rows()[0]).await;
    let mut own = rows()[0].clone();
    (own["plugin"], own["hook_point"]) = (json!("audit"), json!("writer.start"));
    add(&mut old, &own).await;
    sqlx::Connection::close(old).await.unwrap();
    let log = place.put("session-0d1e2f3a4b5c.jsonl", case("session-0d1e2f3a4b5c.jsonl"));

    let first = place.json(&[&path]).await;
    assert_eq!((&first["items"][0]["kind"], &first["items"][0]["rows"]), (&json!("ledger"), &json!([16, 0])));
    let page = place.decisions().await;
    assert_eq!((page.total, page.count, page.next_cursor), (15, 15, None));
    assert!(page.entries.iter().all(|entry| entry.link.as_ref().unwrap().how == LinkedHow::None), "no log is stored yet");
    // Every row says what it said, and an empty column says nothing.
    for row in rows() {
        let entry = page.entries.iter().find(|entry| json!(entry.id) == row["id"]).unwrap();
        let told = (json!(entry.step_id), json!(entry.tier), json!(entry.classification), json!(entry.ts));
        assert_eq!(told, (row["step_id"].clone(), row["tier"].clone(), row["classification"].clone(), row["ts"].clone()));
    }
    let again = place.json(&[&path]).await;
    assert_eq!((&again["items"][0]["outcome"], &again["items"][0]["rows"]), (&json!("known"), &json!([0, 16])));

    // With its log every row finds its turn, as it does in the trace.
    place.json(&[&log]).await;
    let page = place.decisions().await;
    let led = |id: i64| page.entries.iter().find(|entry| entry.id == id).unwrap().link.clone().unwrap();
    assert_eq!(led(1).reference.as_deref(), Some("0d1e2f3a4b5c@11111111111111111111111111111111"));
    assert_eq!(led(14).reference.as_deref(), Some("0d1e2f3a4b5c@77777777777777777777777777777777"));
    assert!(led(1).stored.is_some() && led(1).how == LinkedHow::Window);
    assert_eq!(led(13).how, LinkedHow::None, "another session's");

    // The ledger goes on, with columns that a later harness added.
    let mut newer = database(&path).await;
    for column in ["record_id TEXT", "session_id TEXT", "turn_id TEXT", "kind TEXT", "writer_id TEXT", "writer_seq INTEGER"] {
        sql(&mut newer, format!("ALTER TABLE audit_log ADD COLUMN {column}")).await;
    }
    add(&mut newer, &rows()[1]).await;
    let set = "UPDATE audit_log SET record_id = 'ulid', turn_id = '11111111111111111111111111111111', session_id = '0d1e2f3a4b5c' WHERE id = 17";
    sql(&mut newer, set.to_owned()).await;
    sqlx::Connection::close(newer).await.unwrap();
    let grown = place.json(&[&path]).await;
    assert_eq!(grown["items"][0]["rows"], json!([1, 16]));
    let newest = place.decisions().await.entries.into_iter().find(|entry| entry.record_id.as_deref() == Some("ulid")).unwrap();
    assert_eq!(newest.link.unwrap().how, LinkedHow::Exact);
}

#[tokio::test]
async fn what_a_ledger_holds_is_data_whatever_it_is() {
    let place = Place::new();
    let path = place.path("audit.db");
    let mut odd = database(&path).await;
    // A table that takes anything.
    sql(
        &mut odd,
        "CREATE TABLE audit_log (ts, hook_point, plugin, decision, reason, payload_json, step_id, new_column)".to_owned(),
    )
    .await;
    for values in [
        "'2026-10-03T08:15:00Z', 'pre_turn', 'p', 'allow', CAST(x'66ff6f' AS TEXT), '{\"session_id\":\"s\"}', 'three', 1",
        "'yesterday', 'pre_turn', 'p', 'deny', NULL, 'not json', 3, x'00'",
        "NULL, 'pre_turn', 'p', 'allow', '', '', NULL, NULL",
        "'2026-10-03T08:15:00Z', 'pre_turn', 5, 'allow', '', '[]', 1.5, NULL",
    ] {
        sql(&mut odd, format!("INSERT INTO audit_log VALUES ({values})")).await;
    }
    sqlx::Connection::close(odd).await.unwrap();
    let said = place.run(&[&path], &[]).await;
    insta::assert_snapshot!(said.out);
    let entries = place.decisions().await.entries;
    let told: Vec<_> =
        entries.iter().map(|e| (e.ts.as_str(), e.reason.as_str(), e.step_id, e.public.session_id.as_deref())).collect();
    assert_eq!(told, [("2026-10-03T08:15:00Z", "f\u{fffd}o", None, Some("s")), ("yesterday", "", Some(3), None)]);
}

#[tokio::test]
async fn what_is_no_ledger_is_refused_with_a_sentence() {
    let place = Place::new();
    let (other, view, torn) = (place.path("other.db"), place.path("view.db"), place.path("torn.db"));
    let mut database_of = database(&other).await;
    sql(&mut database_of, "CREATE TABLE notes (text)".to_owned()).await;
    sqlx::Connection::close(database_of).await.unwrap();
    let mut endless = database(&view).await;
    let text =
        "CREATE VIEW audit_log AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i AS id, i AS ts FROM n";
    sql(&mut endless, text.to_owned()).await;
    sqlx::Connection::close(endless).await.unwrap();
    let mut long = database(&torn).await;
    sql(&mut long, OLD.to_owned()).await;
    for _ in 0..40 {
        for row in &rows() {
            add(&mut long, row).await;
        }
    }
    sqlx::Connection::close(long).await.unwrap();
    let bytes = std::fs::read(&torn).unwrap();
    std::fs::write(&torn, &bytes[..bytes.len() / 2]).unwrap();
    let said = place.run(&[&other, &view, &torn], &[]).await;
    assert_eq!(said.code, 1);
    insta::assert_snapshot!(said.out);
}

#[tokio::test]
async fn a_running_harness_is_left_in_peace_and_its_newest_rows_are_told_of() {
    let place = Place::new();
    let path = place.path("audit.db");
    let mut harness = database(&path).await;
    sql(&mut harness, OLD.to_owned()).await;
    add(&mut harness, &rows()[0]).await;
    sql(&mut harness, "PRAGMA wal_checkpoint(TRUNCATE)".to_owned()).await;
    add(&mut harness, &rows()[1]).await;
    // It holds a lock while we read.
    sql(&mut harness, "BEGIN IMMEDIATE".to_owned()).await;
    let before = std::fs::read(&path).unwrap();
    let said = place.json(&[&path]).await;
    let item = &said["items"][0];
    assert_eq!(item["rows"], json!([1, 0]));
    let message = item["message"].as_str().unwrap();
    assert!(message.contains("audit.db-wal lies beside it") && message.contains("import again"), "{message}");
    assert!(std::fs::read(&path).unwrap() == before);
    add(&mut harness, &rows()[2]).await;
    sql(&mut harness, "COMMIT".to_owned()).await;
    sqlx::Connection::close(harness).await.unwrap();
    // Once it is stopped the rest comes in.
    let rest = place.json(&[&path]).await;
    assert_eq!((&rest["items"][0]["rows"], rest["items"][0]["message"].is_null()), (&json!([2, 1]), true));
}

#[tokio::test]
async fn a_ledger_in_a_folder_that_may_not_be_written_is_read() {
    let place = Place::new();
    let path = place.path("kept/audit.db");
    std::fs::create_dir(place.path("kept")).unwrap();
    let mut kept = database(&path).await;
    sql(&mut kept, OLD.to_owned()).await;
    add(&mut kept, &rows()[0]).await;
    sqlx::Connection::close(kept).await.unwrap();
    let listed = || std::fs::read_dir(place.path("kept")).unwrap().count();
    let before = listed();
    assert_eq!(place.json(&[&path]).await["items"][0]["rows"], json!([1, 0]));
    assert_eq!(listed(), before, "no file is made beside it");
}

#[test]
fn the_rows_of_the_vector_are_what_the_core_reads() {
    assert_eq!(rows_of_json(&json!(rows()).to_string()).unwrap().0.len(), 14);
}
