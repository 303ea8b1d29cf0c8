//! The ledger over HTTP: pages that are disjoint, complete and stable, every filter, links, files, and refusals.

use super::server::{Server, bearer, plain};
use axum::body::Body;
use axum::http::{Method, StatusCode};
use proem::store::Store;
use proem_core::api::ApiError;
use proem_core::api::governance::LedgerPage;
use proem_core::ledger::{Decision, LedgerEntry, LinkedHow, rows_of_json};
use serde_json::{Value, json};
use std::collections::BTreeSet;

const LOG: &[u8] = include_bytes!("../../cases/iris/session-0d1e2f3a4b5c.jsonl");
const LEDGER: &str = include_str!("../../cases/iris/ledger-0d1e2f3a4b5c.json");

/// A stamp so many milliseconds after a moment.
fn ts(ms: u64) -> String {
    format!("2026-10-05T08:{:02}:{:02}.{:03}000+00:00", ms / 60_000, ms / 1000 % 60, ms % 1000)
}

/// Puts rows into a server's ledger, as another process would.
async fn put(server: &Server, rows: &Value) {
    let (mut rows, left_out) = rows_of_json(&rows.to_string()).unwrap();
    assert_eq!(left_out, Vec::<String>::new());
    for row in &mut rows {
        row.record_id = row.record_id.take().or(Some(format!("r-{}-{}", row.ts, row.id)));
    }
    let store = Store::open(server.home()).await.unwrap();
    store.import_rows(&rows).await.unwrap();
    store.close().await;
}

async fn page(server: &Server, query: &str) -> LedgerPage {
    let answer = server.get(&format!("/api/governance/audit?{query}")).await;
    assert_eq!(answer.status, StatusCode::OK, "{query}: {}", answer.body());
    answer.json()
}

fn ids(page: &LedgerPage) -> Vec<i64> {
    page.entries.iter().map(|entry| entry.id).collect()
}

/// Rows of every kind, ten milliseconds apart; some at the same moment.
fn many(count: u64) -> Value {
    let pick = |of: &[&str], i: u64| of[(i as usize) % of.len()].to_owned();
    let row = |i: u64| {
        json!({
            "record_id": format!("many-{i}"), "ts": ts(i / 3 * 10), "run_id": pick(&["r1", "s1", "r2"], i), "step_id": i, "agent_type": "chat",
            "hook_point": pick(&["pre_turn", "pre_response", "pre_tool_use", "pre_llm_call"], i),
            "plugin": pick(&["response_safety", "screen", "egress", "audit", "grounding"], i),
            "decision": pick(&["allow", "deny", "transform", "require_approval", "approved"], i / 2),
            "severity": pick(&["info", "warn", "error"], i), "reason": pick(&["Nothing matched", "sent to jo@example.org", "100% of_it"], i),
            "kind": if i.is_multiple_of(17) { json!("writer") } else { Value::Null },
            "payload": {
                "caller": pick(&["plugin:a", "plugin:ab", "mcp:x", "core:chat"], i), "deterministic": i.is_multiple_of(2),
                "handler": pick(&["welcome", "help"], i), "session_id": pick(&["s1", "s2"], i), "secret": "never shown",
            },
        })
    };
    Value::Array((0..count).map(row).collect())
}

#[tokio::test]
async fn behaviour_25_pages_are_disjoint_complete_and_stable_while_rows_are_added() {
    let server = Server::start().await;
    put(&server, &many(500)).await;
    let whole = page(&server, "limit=500").await;
    assert_eq!((whole.total, whole.count, whole.next_cursor.as_deref()), (whole.entries.len() as u64, whole.total, None));
    for limit in [1, 7, 100, whole.total, whole.total - 1] {
        let mut seen: Vec<LedgerEntry> = Vec::new();
        let mut cursor = String::new();
        for turn in 0.. {
            let next = page(&server, &format!("limit={limit}{cursor}")).await;
            assert!(next.count <= limit && (next.count == limit || next.next_cursor.is_none()));
            seen.extend(next.entries);
            // Meanwhile the ledger grows: newer rows are for the next visit, and none of the old ones moves.
            if turn % 40 == 3 {
                let newer = json!([{ "record_id": format!("new-{limit}-{turn}"), "ts": ts(900_000), "hook_point": "pre_turn", "plugin": "p",
                    "decision": "allow", "handler": "later" }]);
                put(&server, &newer).await;
            }
            match next.next_cursor {
                Some(next) => cursor = format!("&cursor={next}"),
                None => break,
            }
        }
        let seen: Vec<_> = seen.into_iter().filter(|entry| entry.public.handler.as_deref() != Some("later")).collect();
        assert_eq!(seen.len(), whole.entries.len(), "complete and disjoint by {limit}");
        assert!(seen == whole.entries, "in the same order by {limit}");
    }
    assert!(whole.entries.is_sorted_by(|a, b| (&a.ts, a.id) > (&b.ts, b.id)), "newest first");
}

#[tokio::test]
async fn behaviour_25_every_filter_matches_what_it_says_and_total_counts_it() {
    let server = Server::start().await;
    put(&server, &many(400)).await;
    let whole = page(&server, "limit=500").await;
    assert!(whole.entries.iter().all(|entry| entry.plugin != "audit"));
    let names = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
    assert_eq!(whole.callers, names(&["core:chat", "mcp:x", "plugin:a", "plugin:ab"]));
    assert_eq!(whole.plugins, names(&["egress", "grounding", "response_safety", "screen"]));
    assert_eq!(whole.handlers, names(&["help", "welcome"]));
    type Matches<'a> = &'a dyn Fn(&LedgerEntry) -> bool;
    let caller = |entry: &LedgerEntry| entry.public.caller.clone().unwrap();
    let cases: [(&str, Matches); 20] = [
        ("session=s1", &|e| e.public.session_id.as_deref() == Some("s1") || e.run_id.as_deref() == Some("s1")),
        ("session=nobody", &|_| false),
        ("hook=pre_response", &|e| e.hook_point == "pre_response"),
        ("plugin=egress", &|e| e.plugin == "egress"),
        ("decision=deny", &|e| e.decision == Decision::Deny),
        ("decision=deny&decision=approved&decision=", &|e| matches!(e.decision.as_str(), "deny" | "approved")),
        ("severity=warn", &|e| e.severity == "warn"),
        ("severity=warn&severity=error", &|e| e.severity != "info"),
        ("caller=plugin:a", &|e| caller(e) == "plugin:a"),
        ("caller=plugin:", &|e| caller(e).starts_with("plugin:")),
        ("caller=plugin", &|_| false),
        ("handler=welcome", &|e| e.public.handler.as_deref() == Some("welcome")),
        ("deterministic=true", &|e| e.public.deterministic == Some(true)),
        ("deterministic=false", &|e| e.public.deterministic == Some(false)),
        ("from=2026-10-05T08:00:00.500000%2B00:00", &|e| e.ts >= ts(500)),
        ("from=2026-10-05T08:00:00.500000+00:00", &|e| e.ts >= ts(500)),
        ("to=2026-10-05T10:00:00.5%2B02:00", &|e| e.ts < ts(500)),
        ("q=NOTHING", &|e| e.reason == "Nothing matched"),
        ("q=%25 of_", &|e| e.reason == "100% of_it"),
        ("decision=allow&hook=pre_turn&deterministic=true&q=matched&from=", &|e| {
            e.decision == Decision::Allow
                && e.hook_point == "pre_turn"
                && e.public.deterministic == Some(true)
                && e.reason.contains("matched")
        }),
    ];
    for (query, matches) in cases {
        let found = page(&server, &format!("limit=500&{}", query.replace(' ', "%20"))).await;
        let expected: Vec<i64> = whole.entries.iter().filter(|entry| matches(entry)).map(|entry| entry.id).collect();
        assert_eq!((ids(&found), found.total), (expected.clone(), expected.len() as u64), "{query}");
        assert_eq!(expected.is_empty(), query.ends_with("nobody") || query.ends_with("plugin"), "{query} is worth asking");
        let first = page(&server, &format!("limit=1&{}", query.replace(' ', "%20"))).await;
        assert_eq!(first.total, expected.len() as u64, "{query}: total is that of all pages");
    }
}

#[tokio::test]
async fn rows_lead_to_turns_and_turns_to_their_rows() {
    let server = Server::start().await;
    put(&server, &serde_json::from_str(LEDGER).unwrap()).await;
    let named = json!([
        { "ts": "2026-10-04T09:00:00.300000+00:00", "hook_point": "pre_turn", "plugin": "p", "decision": "allow", "session_id": "0d1e2f3a4b5c",
          "turn_id": "77777777777777777777777777777777", "record_id": "named" },
        { "ts": "2026-10-04T09:00:00.300000+00:00", "hook_point": "pre_turn", "plugin": "p", "decision": "allow", "session_id": "0d1e2f3a4b5c",
          "turn_id": "ffffffffffffffffffffffffffffffff", "record_id": "nowhere" },
    ]);
    put(&server, &named).await;
    let before = page(&server, "").await;
    assert!(before.entries.iter().all(|entry| entry.link.as_ref().unwrap().how == LinkedHow::None));
    // Without a stored log a turn still has the rows that name it.
    assert_eq!(page(&server, "turn=0d1e2f3a4b5c@77777777777777777777777777777777").await.total, 1);
    assert_eq!(page(&server, "turn=77777777777777777777777777777777").await.total, 1);
    assert_eq!(page(&server, "turn=0d1e2f3a4b5c~0").await.total, 0);

    let path = format!("/api/uploads/00000000000000aa?name=session-0d1e2f3a4b5c.jsonl&size={}&offset=0", LOG.len());
    let stored: Value = server.send(bearer(Method::PUT, &path).body(Body::from(LOG)).unwrap()).await.json();
    let whole = page(&server, "").await;
    let mut of_turns: BTreeSet<String> = BTreeSet::new();
    for entry in &whole.entries {
        let link = entry.link.clone().unwrap();
        let expected = match entry.record_id.as_deref() {
            Some("named") => LinkedHow::Exact,
            Some("nowhere") => LinkedHow::None,
            _ if matches!(entry.reason.as_str(), "after the answer" | "another session") => LinkedHow::None,
            _ => LinkedHow::Window,
        };
        assert_eq!(link.how, expected, "{entry:?}");
        assert_eq!(link.stored.is_some(), link.reference.is_some());
        if let Some(stored_as) = link.stored {
            assert_eq!(json!(stored_as), stored["session"]["id"]);
        }
        of_turns.extend(link.reference);
    }
    assert_eq!(of_turns.len(), 2);
    for reference in &of_turns {
        let led = whole.entries.iter().filter(|e| e.link.as_ref().unwrap().reference.as_ref() == Some(reference));
        let led: Vec<i64> = led.map(|entry| entry.id).collect();
        assert_eq!(ids(&page(&server, &format!("turn={reference}")).await), led, "{reference}");
        let index = if reference.contains("@1") { 0 } else { 6 };
        assert_eq!(ids(&page(&server, &format!("turn=0d1e2f3a4b5c~{index}")).await), led, "{reference} by its trace id");
        let bare = reference.rsplit_once('@').unwrap().1;
        assert_eq!(
            ids(&page(&server, &format!("turn={bare}&session=0d1e2f3a4b5c")).await),
            led,
            "{reference} by its id and session"
        );
    }
    assert_eq!(page(&server, "turn=0d1e2f3a4b5c~99").await.total, 0);
}

/// Logs and rows at random: the filter by turn gives exactly the rows whose link leads there.
#[tokio::test]
async fn the_filter_by_turn_and_the_links_say_the_same() {
    let mut seed = 11u64;
    let mut random = |below: u64| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) % below
    };
    let server = Server::start().await;
    let id = |n: u64| n.to_string().repeat(32);
    let mut rows = Vec::new();
    for session in 0..6 {
        let mut log = String::new();
        for _ in 0..=random(8) {
            let opened = random(40);
            let turn = if random(3) == 0 { Value::Null } else { json!(id(random(6))) };
            for (kind, second) in [("user_message", opened), ("agent_response", opened + random(12))] {
                let event = json!({ "kind": kind, "ts": ts(second * 1000), "session_id": format!("s{session}"), "turn_id": turn, "text": "q" });
                log += &format!("{event}\n");
            }
        }
        let path = format!("/api/uploads/{session:016x}?name=session-s{session}.jsonl&size={}&offset=0", log.len());
        assert_eq!(server.send(bearer(Method::PUT, &path).body(Body::from(log)).unwrap()).await.status, StatusCode::OK);
        for n in 0..40 {
            let turn = if random(2) == 0 { Value::Null } else { json!(id(random(8))) };
            rows.push(json!({
                "record_id": format!("{session}-{n}"), "ts": ts(random(50) * 1000), "hook_point": "h", "plugin": "p", "decision": "allow",
                "session_id": format!("s{session}"), "turn_id": turn,
            }));
        }
    }
    put(&server, &json!(rows)).await;
    let whole = page(&server, "limit=500").await;
    let mut compared = 0;
    for session in 0..6 {
        let name = format!("s{session}");
        let of = || whole.entries.iter().filter(|e| e.public.session_id.as_ref() == Some(&name));
        let references: BTreeSet<String> = of().filter_map(|entry| entry.link.as_ref().unwrap().reference.clone()).collect();
        for reference in references {
            let led: Vec<i64> =
                of().filter(|e| e.link.as_ref().unwrap().reference.as_ref() == Some(&reference)).map(|entry| entry.id).collect();
            let found = page(&server, &format!("limit=500&turn={reference}")).await;
            assert_eq!(ids(&found), led, "{reference}");
            compared += led.len();
        }
    }
    assert!(compared > 60, "{compared}");
}

#[tokio::test]
async fn an_empty_ledger_is_an_empty_page_and_an_empty_file() {
    let server = Server::start().await;
    let empty = page(&server, "").await;
    assert_eq!((empty.total, empty.count, empty.entries.len(), empty.next_cursor), (0, 0, 0, None));
    assert_eq!(server.get("/api/governance/export").await.body(), "");
    let table = server.get("/api/governance/export?format=csv").await;
    assert_eq!(table.body().lines().count(), 1, "the names of the columns");
}

#[tokio::test]
async fn files_hold_what_the_filters_match_oldest_first() {
    let server = Server::start().await;
    // More than is read at once.
    put(&server, &many(2_500)).await;
    let lines = server.get("/api/governance/export").await;
    assert_eq!(lines.header("content-type"), "application/x-ndjson");
    assert_eq!(lines.header("content-disposition"), "attachment; filename=\"governance-ledger.jsonl\"");
    let entries: Vec<LedgerEntry> = lines.body().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(entries.len() as u64, page(&server, "limit=1").await.total);
    assert!(entries.len() > 1_500 && entries.is_sorted_by(|a, b| (&a.ts, a.id) < (&b.ts, b.id)));
    assert!(entries.iter().all(|entry| entry.link.is_some()));
    for text in ["never shown", "jo@example.org"] {
        assert!(!lines.body().contains(text), "{text}");
    }
    let table = server.get("/api/governance/export?format=csv&decision=deny").await;
    assert_eq!(table.header("content-type"), "text/csv; charset=utf-8; header=present");
    assert_eq!(table.header("content-disposition"), "attachment; filename=\"governance-ledger.csv\"");
    let denied = entries.iter().filter(|entry| entry.decision == Decision::Deny).count();
    assert_eq!(table.body().matches("\r\n").count(), denied + 1);
}

#[tokio::test]
async fn what_cannot_be_asked_is_refused_with_a_sentence() {
    let server = Server::start().await;
    let long = "x".repeat(401);
    let mut said = String::new();
    for query in [
        "limit=0",
        "limit=501",
        "limit=many",
        "cursor=x",
        "cursor=00000000000000000000000000000000z",
        "session=%0A",
        "session=",
        "turn=%00",
        "deterministic=yes",
        "from=yesterday",
        "to=2026-10-05",
        "format=xml",
        "decison=deny",
        "hook=a&hook=b",
        &format!("q={long}"),
    ] {
        let answer = server.get(&format!("/api/governance/audit?{query}")).await;
        if query == "session=" {
            assert_eq!(answer.status, StatusCode::OK, "a field that was left empty");
            continue;
        }
        let error: ApiError = answer.json();
        assert_eq!((answer.status, error.code.as_str()), (StatusCode::BAD_REQUEST, "bad_request"), "{query}");
        let file = server.get(&format!("/api/governance/export?{query}")).await;
        assert_eq!(file.json::<ApiError>(), error, "{query}");
        said += &format!("{}: {}\n", query.get(..40).unwrap_or(query), error.message);
    }
    insta::assert_snapshot!(said);
    for path in ["/api/governance/audit", "/api/governance/export"] {
        let anonymous = server.send(plain(Method::GET, path).body(Body::empty()).unwrap()).await;
        assert_eq!(anonymous.status, StatusCode::UNAUTHORIZED);
        let written = server.json(Method::POST, path, &json!({})).await;
        assert_eq!(written.status, StatusCode::METHOD_NOT_ALLOWED);
    }
}

#[tokio::test]
async fn a_ledger_that_cannot_be_read_is_an_error_and_no_empty_view() {
    let server = Server::start().await;
    put(&server, &many(5)).await;
    let options = sqlx::sqlite::SqliteConnectOptions::new().filename(server.home().join("proem.db"));
    let mut other = sqlx::ConnectOptions::connect(&options).await.unwrap();
    sqlx::query("ALTER TABLE governance_ledger RENAME TO gone").execute(&mut other).await.unwrap();
    for path in ["/api/governance/audit", "/api/governance/export"] {
        let answer = server.get(path).await;
        let error: ApiError = answer.json();
        assert_eq!((answer.status, error.code.as_str()), (StatusCode::SERVICE_UNAVAILABLE, "unreadable"), "{path}");
        insta::allow_duplicates! { insta::assert_snapshot!("unreadable", error.message) }
    }
}
