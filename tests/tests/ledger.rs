//! The governance ledger: what is shown of a row, which turn it leads to, and how rows are read and written.

// A failed `unwrap` is a failed test, in helpers as well.
#![allow(clippy::unwrap_used)]

use proem_core::ledger::{
    Decision, LedgerEntry, LinkedHow, entries, entry, link, masked, of_turn, rows_of_json, to_csv, to_jsonl,
};
use proem_core::log::{Log, TurnSpan};
use serde_json::{Value, json};

/// One row, with these fields over those of a plain one.
fn row(fields: Value) -> LedgerEntry {
    entry(&kept(fields))
}

fn kept(fields: Value) -> proem_core::ledger::LedgerRow {
    let mut plain = json!({
        "id": 1, "ts": "2026-10-03T08:15:00.104000+00:00", "run_id": "r1", "agent_type": "chat", "hook_point": "pre_response",
        "plugin": "response_safety", "decision": "allow", "severity": "info", "reason": "nothing matched",
    });
    for (key, value) in fields.as_object().unwrap() {
        plain[key] = value.clone();
    }
    let (mut rows, left_out) = rows_of_json(&plain.to_string()).unwrap();
    assert_eq!((rows.len(), left_out), (1, Vec::new()));
    rows.remove(0)
}

/// A session of three turns, the second of which is open while the third opens and ends.
fn spans() -> Vec<TurnSpan> {
    let span = |n: u8, opened: &str, closed: &str| TurnSpan {
        reference: format!("s@{}", turn_id(n)),
        trace_id: None,
        turn_id: Some(turn_id(n)),
        opened_at: Some(format!("2026-10-03T08:00:{opened}+00:00")),
        closed_at: Some(format!("2026-10-03T08:00:{closed}+00:00")),
    };
    vec![span(1, "01.000000", "02.000000"), span(2, "03.000000", "09"), span(3, "04.000000", "05.000000")]
}

fn turn_id(n: u8) -> String {
    n.to_string().repeat(32)
}

fn at(second: &str) -> String {
    format!("2026-10-03T08:00:{second}+00:00")
}

/// The last digit of the turn that a row leads to, and how.
fn leads(row: &LedgerEntry) -> (Option<char>, LinkedHow) {
    let link = link(row, "s", &spans());
    (link.reference.and_then(|reference| reference.chars().last()), link.how)
}

#[test]
fn behaviour_20_rows_in_the_window_by_payload_session_or_run_id() {
    use LinkedHow::{None as Nowhere, Window};
    for (ts, turn) in [
        ("00.999999", None),
        ("01.000000", Some('1')),
        ("01.500000", Some('1')),
        ("02.000000", Some('1')),
        ("02.000001", None),
        // Without a fraction: `+` sorts before `.`.
        ("03", None),
        ("03.000000", Some('2')),
        ("04.000000", Some('3')),
        ("05.000000", Some('3')),
        ("05.000001", Some('2')),
        ("09", Some('2')),
        ("09.000000", None),
    ] {
        let expected = (turn, if turn.is_some() { Window } else { Nowhere });
        assert_eq!(leads(&row(json!({ "ts": at(ts), "run_id": "s" }))), expected, "{ts} by its run");
        assert_eq!(leads(&row(json!({ "ts": at(ts), "payload": { "session_id": "s" } }))), expected, "{ts} by its payload");
        assert_eq!(leads(&row(json!({ "ts": at(ts), "session_id": "s" }))), expected, "{ts} by its column");
        assert_eq!(leads(&row(json!({ "ts": at(ts), "session_id": "other" }))), (None, Nowhere), "{ts} of another session");
        assert_eq!(leads(&row(json!({ "ts": at(ts) }))), (None, Nowhere), "{ts} of no session");
    }
}

#[test]
fn behaviour_26_a_named_turn_beats_the_window() {
    use LinkedHow::{Exact, None as Nowhere, Window};
    // Written while the third turn was open.
    let named = |n: u8| row(json!({ "ts": at("04.500000"), "run_id": "s", "payload": { "turn_id": turn_id(n) } }));
    assert_eq!(leads(&named(1)), (Some('1'), Exact));
    assert_eq!(leads(&named(3)), (Some('3'), Exact));
    assert_eq!(leads(&named(9)), (None, Nowhere), "a turn that is not in the session");
    assert_eq!(leads(&row(json!({ "ts": "never", "turn_id": turn_id(2), "session_id": "s" }))), (Some('2'), Exact));
    assert_eq!(leads(&row(json!({ "ts": at("04.500000"), "turn_id": turn_id(2) }))), (Some('2'), Exact), "no session named");
    let elsewhere = json!({ "ts": at("04.500000"), "turn_id": turn_id(2), "session_id": "other" });
    assert_eq!(leads(&row(elsewhere)), (None, Nowhere), "a turn of another session that has the same id");
    // Old logs have no turn ids, so a row that names one can only be led by its time.
    let nameless: Vec<TurnSpan> = spans().into_iter().map(|span| TurnSpan { turn_id: None, ..span }).collect();
    let link = link(&named(9), "s", &nameless);
    assert_eq!((link.reference, link.how), (Some(nameless[2].reference.clone()), Window));
}

#[test]
fn behaviour_22_only_public_fields_of_the_right_type_are_shown() {
    let shown = row(json!({
        "reason": "sent to jo@example.org by anna.lee@mail.example.org",
        "tier": "tier_3",
        "payload": {
            "deterministic": "yes", "attempt": true, "handler": "", "caller": 5, "tool_name": null, "model": ["m"], "matched_patterns": ["x"],
            "secret": "s3cret", "capability": "mail", "provider": true, "session_id": "s",
        },
    }));
    assert_eq!(
        serde_json::to_value(&shown).unwrap(),
        json!({
            "id": 1, "ts": "2026-10-03T08:15:00.104000+00:00", "run_id": "r1", "step_id": null, "agent_type": "chat",
            "hook_point": "pre_response", "plugin": "response_safety", "decision": "allow", "severity": "info", "classification": null,
            "tier": "tier_3", "locality": "cloud", "reason": "sent to **@example.org by an***ee@mail.example.org",
            "capability": "mail", "session_id": "s",
        })
    );
    let right = row(
        json!({ "tier": "tier_1", "payload": { "deterministic": true, "attempt": 2, "handler": "welcome", "call_id": "c" } }),
    );
    let public = &right.public;
    assert_eq!((public.deterministic, public.attempt, public.handler.as_deref()), (Some(true), Some(2), Some("welcome")));
    assert_eq!((public.call_id.as_deref(), right.locality.as_deref()), (Some("c"), Some("local")));
    // A column is nearer to the truth than a payload; an empty one says nothing.
    let both = row(json!({ "turn_id": "t", "session_id": "", "payload": { "turn_id": "u", "session_id": "s" } }));
    assert_eq!((both.public.turn_id.as_deref(), both.public.session_id.as_deref()), (Some("t"), Some("s")));
    for payload in [json!(null), json!([1]), json!("text"), json!(7)] {
        assert_eq!(row(json!({ "payload": payload })).public, row(json!({})).public);
        assert_eq!(row(json!({ "payload_json": payload.to_string() })).public, row(json!({})).public);
    }
    assert_eq!(row(json!({ "payload_json": "{\"audience\":\"owner\"}" })).public.audience.as_deref(), Some("owner"));
}

#[test]
fn behaviour_23_rows_of_the_store_itself_are_not_shown() {
    let rows = [
        kept(json!({ "id": 1 })),
        kept(json!({ "id": 2, "kind": "writer", "plugin": "audit", "hook_point": "writer.start" })),
        kept(json!({ "id": 3, "kind": "gap" })),
        kept(json!({ "id": 4, "plugin": "audit", "hook_point": "ledger.removed" })),
        kept(json!({ "id": 5, "decision": "approved" })),
    ];
    let shown: Vec<i64> = entries(&rows).iter().map(|entry| entry.id).collect();
    assert_eq!(shown, [1, 5]);
    assert_eq!(rows[4].decision, Decision::Other("approved".to_owned()));
}

#[test]
fn addresses_are_masked() {
    for (text, expected) in [
        ("a@b.org", "*@b.org"),
        ("ab@b.org", "**@b.org"),
        ("abc@b.org", "a***@b.org"),
        ("abcd@b.org", "a***@b.org"),
        ("abcde@b.org", "ab***de@b.org"),
        ("müller@straße.de", "mü***er@straße.de"),
        ("<john.doe+x@mail.b.co.uk>, and jo@b.org.", "<jo***+x@mail.b.co.uk>, and **@b.org."),
        ("x@y@anna@b.org", "x@y@a***@b.org"),
        ("a@b.org@c.org", "*@b.org@c.org"),
        ("no@domain, no@tld.x, @b.org, a@.org, a @b.org", "no@domain, no@tld.x, @b.org, a@.org, a @b.org"),
        ("pip install a==1 @host", "pip install a==1 @host"),
        ("", ""),
    ] {
        assert_eq!(masked(text), expected, "{text}");
    }
    // Each character is looked at a bounded number of times.
    let long = "a@".repeat(200_000) + &"b.".repeat(200_000);
    assert_eq!(masked(&long), long);
}

#[test]
fn rows_are_read_from_every_form() {
    let one = json!({ "ts": "t", "hook_point": "h", "plugin": "p", "decision": "deny" });
    let id = |text: &str| rows_of_json(text).map(|(rows, out)| (rows.iter().map(|row| row.id).collect::<Vec<_>>(), out));
    assert_eq!(id(&json!([one, one]).to_string()), Ok((vec![1, 2], Vec::new())), "a list");
    assert_eq!(id(&format!("{one}\n\n{one}\r\n")), Ok((vec![1, 3], Vec::new())), "lines");
    assert_eq!(id(&format!("\u{feff}{one:#}")), Ok((vec![1], Vec::new())), "one row over several lines");
    assert_eq!(id(&json!({ "count": 1, "entries": [one] }).to_string()), Ok((vec![1], Vec::new())), "a page");
    assert_eq!((id(""), id("[]")), (Ok((Vec::new(), Vec::new())), Ok((Vec::new(), Vec::new()))), "nothing is no row");
    let (rows, left_out) = rows_of_json(&format!("{one}\nnot a row\n42\n{{\"ts\":\"t\"}}\n{one}")).unwrap();
    assert_eq!(rows.len(), 2);
    assert_eq!(left_out, ["line 2 is not JSON", "line 3 is JSON but no object", "line 4 has no `hook_point`"]);
    let mut said = String::new();
    for text in ["Dear diary,", "{\"kind\":\"user_message\"}", "[1,2]", "SQLite format 3\0\0"] {
        said += &format!("{}\n", rows_of_json(text).unwrap_err());
    }
    insta::assert_snapshot!(said);
}

#[test]
fn an_export_is_read_again() {
    let session = proem_tests::log(&proem_tests::cases("iris").join("session-0d1e2f3a4b5c.jsonl"));
    let text = std::fs::read_to_string(proem_tests::cases("iris").join("ledger-0d1e2f3a4b5c.json")).unwrap();
    let mut all = entries(&rows_of_json(&text).unwrap().0);
    for entry in &mut all {
        entry.link = Some(link(entry, session.session_id(), &session.spans()));
    }
    assert_eq!(all.len(), 14);
    let again = entries(&rows_of_json(&to_jsonl(&all)).unwrap().0);
    let without_links: Vec<LedgerEntry> = all.iter().map(|entry| LedgerEntry { link: None, ..entry.clone() }).collect();
    assert_eq!(again, without_links);
    insta::assert_snapshot!("csv", to_csv(&all));
}

#[test]
fn a_table_is_safe_to_open() {
    let cells = |reason: &str| {
        let table = to_csv(&[row(json!({ "reason": reason, "step_id": -1 }))]);
        let (head, line) = table.split_once("\r\n").unwrap();
        assert!(line.ends_with("\r\n"));
        let columns = head.split(',').count();
        (columns, line.trim_end_matches("\r\n").to_owned())
    };
    let (columns, plain) = cells("nothing");
    assert_eq!((columns, plain.split(',').count()), (36, 36));
    assert!(plain.contains(",-1,"), "a number stays one: {plain}");
    for (reason, cell) in [
        ("=1+1", "'=1+1"),
        ("+1", "'+1"),
        ("-1", "'-1"),
        ("@sum", "'@sum"),
        ("\t=1", "'\t=1"),
        ("=\"a\",b", "\"'=\"\"a\"\",b\""),
        ("a, b", "\"a, b\""),
        ("two\nlines", "\"two\nlines\""),
        ("say \"no\"", "\"say \"\"no\"\"\""),
        (" room ", "\" room \""),
    ] {
        assert_eq!(cells(reason).1, plain.replace("nothing", cell), "{reason}");
    }
}

/// A log of turns that open and close at random, some without ids, some sharing one, with answers or without.
fn random_log(random: &mut impl FnMut(u64) -> u64) -> Log {
    let mut text = String::new();
    for _ in 0..random(12) + 1 {
        let opened = random(40);
        let id = match random(4) {
            0 => Value::Null,
            _ => json!(turn_id(random(8) as u8)),
        };
        let mut line = |kind: &str, second: u64| {
            let ts = format!("2026-10-03T08:00:{second:02}.000000+00:00");
            text += &format!(
                "{}\n",
                json!({ "kind": kind, "ts": ts, "session_id": "s", "turn_id": id, "text": "q", "response": "a" })
            );
        };
        line("user_message", opened);
        for _ in 0..random(3) {
            line(["agent_response", "turn.start"][random(2) as usize], opened + random(15));
        }
    }
    Log::read("session-s.jsonl", text.into_bytes(), &mut || ()).unwrap()
}

#[test]
fn a_turn_has_exactly_the_rows_that_lead_to_it() {
    let mut seed = 3u64;
    let mut random = |below: u64| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) % below
    };
    let (mut exact, mut window, mut none) = (0, 0, 0);
    for _ in 0..200 {
        let log = random_log(&mut random);
        let rows: Vec<LedgerEntry> = (0..40)
            .map(|id| {
                let turn = [Value::Null, json!(turn_id(random(9) as u8))][random(2) as usize].clone();
                let session = [json!("s"), json!("other"), Value::Null][random(3) as usize].clone();
                row(json!({ "id": id, "ts": at(&format!("{:02}.000000", random(50))), "session_id": session, "turn_id": turn }))
            })
            .collect();
        let spans = log.spans();
        let mut led: Vec<Vec<i64>> = vec![Vec::new(); log.turns().len()];
        for row in &rows {
            let link = link(row, "s", &spans);
            match link.how {
                LinkedHow::Exact => exact += 1,
                LinkedHow::Window => window += 1,
                LinkedHow::None => none += 1,
            }
            if let Some(reference) = link.reference {
                led[log.turns().iter().position(|turn| turn.reference == reference).unwrap()].push(row.id);
            }
        }
        for (turn, mut expected) in led.into_iter().enumerate() {
            let found = of_turn(&rows, &log, turn);
            assert!(found.is_sorted_by_key(|row| (&row.ts, row.id)));
            let mut found: Vec<i64> = found.iter().map(|row| row.id).collect();
            found.sort_unstable();
            expected.sort_unstable();
            assert_eq!(found, expected, "turn {turn} of {:?}", log.spans());
        }
    }
    assert!(exact > 100 && window > 100 && none > 100, "{exact} {window} {none}");
}
