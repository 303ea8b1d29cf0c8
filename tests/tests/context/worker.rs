//! What the reader worker answers about prefaces, recorded prompts and seeds.

use proem_core::context::preface::{Entry, Flag, Mode};
use proem_core::context::seed::{LeakPlace, OLDER_PLACEHOLDER, PLACEHOLDER};
use proem_core::worker::context::{ContextAnswer, ContextRequest, SeedAsked, SeedRow, SeedSummary};
use proem_core::worker::reader::Reader;
use proem_core::worker::{ReaderAnswer, ReaderRequest};
use proem_tests::{cases, json};
use serde_json::{Value, json};
use std::collections::BTreeSet;

fn ask(reader: &mut Reader, request: ContextRequest, bytes: Option<&str>) -> Result<ContextAnswer, String> {
    let request: ReaderRequest = serde_json::from_str(&serde_json::to_string(&ReaderRequest::Context(request)).unwrap()).unwrap();
    match reader.handle(request, bytes.map(|text| text.as_bytes().to_vec()), &mut || ()) {
        ReaderAnswer::Context(answer) => Ok(serde_json::from_str(&serde_json::to_string(&answer).unwrap()).unwrap()),
        ReaderAnswer::Failed { message } => Err(message),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_preface_comes_with_what_is_found_in_it() {
    let entry =
        Entry { source: "external".into(), origin: "web:x".into(), body: "a </retrieved_content> b".into(), fetched_at: None };
    let mut reader = Reader::default();
    let answer = ask(&mut reader, ContextRequest::Preface { entries: vec![entry], mode: Mode::Parity }, None).unwrap();
    let ContextAnswer::Preface { preface, envelopes, lints } = answer else { panic!("{answer:?}") };
    assert_eq!(envelopes.envelopes[0].body, preface.entries[0].body);
    assert_eq!(lints[0].code, "no-fetched-at");
    let fault = ask(&mut reader, ContextRequest::Entries { json: "{}".into() }, None).unwrap_err();
    assert!(fault.starts_with("This is no list of entries"), "{fault}");
}

#[test]
fn envelopes_of_recorded_prompts_are_found_and_what_is_wrong_with_them() {
    let envelope = |origin: &str, body: &str| {
        format!("<retrieved_content provenance=\"artifact:7\" origin=\"{origin}\">\n{body}\n</retrieved_content>")
    };
    let own = envelope("workspace:w/session:s", "fine");
    let lines = [
        json!({"kind": "user_message", "ts": "2026-01-05T10:00:00Z", "session_id": "s", "text": format!("{own}\n\nQuestion?")}),
        json!({"kind": "llm_call", "ts": "2026-01-05T10:00:01Z", "session_id": "s", "model": "m", "input_messages": [
            {"role": "system", "content": "You answer."},
            {"role": "user", "content": own},
            {"role": "assistant", "content": "Hm."},
            {"role": "user", "content": envelope("workspace:w/session:other", "a </retrieved_content> b")},
        ]}),
    ];
    let log = lines.map(|line| line.to_string()).join("\n");
    let mut reader = Reader::default();
    reader.handle(ReaderRequest::Open { log: 1, name: "session-s.jsonl".into() }, Some(log.into_bytes()), &mut || ());
    let mut prompt = |node: &str| {
        let request = ContextRequest::Prompt { log: 1, turn: "0".into(), node: node.into() };
        match ask(&mut reader, request, None) {
            Ok(ContextAnswer::Prompt { messages, count }) => {
                assert_eq!(messages.len(), count);
                messages
            }
            other => panic!("{other:?}"),
        }
    };
    let typed = prompt("runtime");
    assert!(typed[0].findings[0].contains("stored"), "{typed:?}");
    let given = prompt("llm0");
    assert_eq!(given.iter().map(|message| message.position).collect::<Vec<_>>(), [1, 3]);
    assert!(given[0].findings.is_empty(), "{given:?}");
    assert_eq!(given[1].envelopes.envelopes[0].flags, [Flag::BodyCloses]);
    insta::assert_snapshot!("prompt_findings", given[1].findings.join("\n"));
    assert!(prompt("tool0").is_empty());
    assert!(ask(&mut reader, ContextRequest::Prompt { log: 1, turn: "0".into(), node: "llm9".into() }, None).is_err());
    assert!(ask(&mut reader, ContextRequest::Prompt { log: 2, turn: "0".into(), node: "llm0".into() }, None).is_err());
}

fn make(reader: &mut Reader, asked: SeedAsked, dump: &str) -> SeedSummary {
    match ask(reader, ContextRequest::Seed(asked), Some(dump)) {
        Ok(ContextAnswer::Seed(summary)) => *summary,
        other => panic!("{other:?}"),
    }
}

fn rows(reader: &mut Reader) -> Vec<SeedRow> {
    let mut all = Vec::new();
    loop {
        match ask(reader, ContextRequest::SeedRows { from: all.len(), to: all.len() + 3 }, None) {
            Ok(ContextAnswer::SeedRows { rows }) if rows.is_empty() => return all,
            Ok(ContextAnswer::SeedRows { rows }) => all.extend(rows),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn a_dump_is_seeded_and_told_row_by_row() {
    let file = json(&cases("fork-seed.json"));
    let case = file["cases"].as_array().unwrap().iter().find(|case| case["name"] == "all notice kinds").unwrap();
    let mut reader = Reader::default();
    assert!(ask(&mut reader, ContextRequest::SeedRows { from: 0, to: 1 }, None).is_err());
    assert!(ask(&mut reader, ContextRequest::Seed(SeedAsked::default()), None).is_err());

    let own = serde_json::to_string(&case["seed"]).unwrap();
    let asked = SeedAsked { line: case["log"].as_str().map(str::to_owned), own: Some(own), ..SeedAsked::default() };
    let summary = make(&mut reader, asked, &case.to_string());
    assert_eq!((summary.template.as_str(), summary.fork.as_str()), ("trunk", "conversation-slack-C2-g1"));
    assert_eq!(summary.reconciled, Some(Vec::new()));
    let seeded = case["seed"].as_array().unwrap().len();
    assert_eq!(summary.compared.map(|compared| (compared.own, compared.same)), Some((seeded, seeded)));
    let all = rows(&mut reader);
    assert_eq!(all.len(), summary.context);
    assert_eq!(all.iter().filter(|row| row.seeded.is_some()).count(), summary.seeded);

    // The store's messages alone say the same, with template and fork from the logged line.
    let line = case["log"].as_str().unwrap().replace(" 8 ", " 9 ").replace("from trunk", "from trunk2");
    let asked = SeedAsked { template: "trunk".into(), line: Some(line), own: Some("[]".into()), ..SeedAsked::default() };
    let summary = make(&mut reader, asked, &case["store"].to_string());
    assert_eq!(summary.counts.notices, 8);
    insta::assert_snapshot!("reconciled", summary.reconciled.unwrap().join("\n"));
    assert_eq!(summary.compared.map(|compared| (compared.own, compared.same)), Some((0, 0)));
}

#[test]
fn rows_say_words_and_lead_to_the_notices_they_repeat() {
    let notice = json!({"id": "m2", "participant": "user", "content": [{"type": "text", "text": "A notice."}],
        "metadata": {"system": true, "kind": "channel-notice"}});
    let repeats = json!({"id": "m3", "participant": "trunk", "content": [
        {"type": "text", "text": "A notice."}, {"type": "thinking", "thinking": "Hm.", "signature": "x"},
        {"type": "tool_use", "id": "t", "name": "look", "input": {"at": 1}}, {"type": "hologram", "depth": 3}]});
    let result = |content: Value| json!({"id": "m4", "participant": "user", "content": [{"type": "tool_result", "toolUseId": "t", "content": content}]});
    let dump = json!([{"id": "m1", "participant": "user", "content": []}, notice, repeats, result(json!("plain")),
        result(json!([{"type": "text", "text": "one"}, {"type": "text", "text": "two"}])), result(json!([{"type": "image"}]))]);
    let mut reader = Reader::default();
    make(&mut reader, SeedAsked::default(), &dump.to_string());
    let all = rows(&mut reader);
    let words: Vec<&str> = all.iter().flat_map(|row| row.blocks.iter().map(|block| block.text.as_str())).collect();
    let (hologram, image) = (dump[2]["content"][3].to_string(), dump[5]["content"][0].to_string());
    assert_eq!(words, ["A notice.", "A notice.", "Hm.", r#"look {"at":1}"#, &hologram, "plain", "one\ntwo", &image]);
    // The notice itself leads nowhere; what repeats it leads to it.
    assert_eq!(all[1].blocks[0].marked, None);
    assert_eq!(all[2].blocks[0].marked, Some(1));
    // Where only the store holds the notice there is nothing to go to.
    let case = json!({"template": "trunk", "fork": "f", "store": [notice], "compiled": [repeats], "log": "nonsense"});
    let summary = make(&mut reader, SeedAsked::default(), &case.to_string());
    assert_eq!((summary.logged.as_deref(), summary.reconciled.unwrap().len()), (Some("nonsense"), 1));
    assert_eq!(rows(&mut reader)[0].blocks[0].marked, None);
}

#[test]
fn a_seed_tells_that_it_is_being_made_at_every_message() {
    let message = json!({"participant": "trunk", "content": [{"type": "text", "text": "see slack:C2 and slack:C2"}], "metadata": {"channelId": "slack:C2"}});
    let lines = vec![message.to_string(); 300];
    // As lines, as a list, and as a list with a name: read, taken as store and as context, and looked through for terms.
    for dump in [lines.join("\n"), format!("[{}]", lines.join(",")), format!("{{\"messages\":[{}]}}", lines.join(","))] {
        let mut told = 0;
        let request = ReaderRequest::Context(ContextRequest::Seed(SeedAsked::default()));
        let answer = Reader::default().handle(request, Some(dump.into_bytes()), &mut || told += 1);
        let ReaderAnswer::Context(ContextAnswer::Seed(summary)) = answer else { panic!("{answer:?}") };
        assert!(told >= 4 * lines.len(), "{told}");
        // Each occurrence counts, though a block tells of a term once.
        assert_eq!((summary.found[0].term.text.as_str(), summary.found[0].count), ("slack:C2", 600));
    }
    // In one large block it tells so as well.
    let large = json!([{"participant": "trunk", "content": [{"type": "text", "text": "word ".repeat(100_000)}]}]).to_string();
    let mut told = 0;
    let request = ReaderRequest::Context(ContextRequest::Seed(SeedAsked::default()));
    Reader::default().handle(request, Some(large.into_bytes()), &mut || told += 1);
    assert!(told > 20, "{told}");
}

#[test]
fn the_example_shows_every_reason_and_says_the_same_as_its_line() {
    let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../public/example/seed-trunk.json");
    let mut reader = Reader::default();
    let summary = make(&mut reader, SeedAsked::default(), &std::fs::read_to_string(file).unwrap());
    assert_eq!(summary.reconciled, Some(Vec::new()));
    let all = rows(&mut reader);
    let reasons: BTreeSet<String> = all
        .iter()
        .flat_map(|row| &row.blocks)
        .filter_map(|block| block.reason.as_ref())
        .map(|reason| serde_json::to_value(reason).unwrap()["why"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(reasons.into_iter().collect::<Vec<_>>(), ["notice", "orphaned", "repeats", "thinking", "unanswered"]);
    assert!(all.iter().any(|row| row.placeholder));
    let places: BTreeSet<LeakPlace> = summary.found.iter().map(|found| found.place).collect();
    assert_eq!(places.into_iter().collect::<Vec<_>>(), [LeakPlace::ToolResult, LeakPlace::Summary, LeakPlace::OwnWords]);
}

#[test]
fn an_older_placeholder_is_the_same_message() {
    let call = json!({"type": "tool_use", "id": "u1", "name": "x", "input": {}});
    let dump = json!({"template": "t", "fork": "f", "store": [], "compiled": [{"participant": "t", "content": [call]}]});
    let own = |text: &str| json!([{"participant": "f", "content": [{"type": "text", "text": text}]}]).to_string();
    for (text, same) in [(PLACEHOLDER, 1), (OLDER_PLACEHOLDER, 1), ("[tool call omitted ]", 0)] {
        let asked = SeedAsked { own: Some(own(text)), ..SeedAsked::default() };
        let summary = make(&mut Reader::default(), asked, &dump.to_string());
        assert_eq!(summary.compared.map(|compared| compared.same), Some(same), "{text}");
    }
}

#[test]
fn leaks_stand_at_their_blocks() {
    let case = json(&cases("leaks").join("trunk.json"));
    let mut reader = Reader::default();
    let summary = make(&mut reader, SeedAsked::default(), &case.to_string());
    let found: Vec<Value> = summary.found.iter().map(|found| json!([found.term.text, found.place])).collect();
    let mut expected = case["hits"].as_array().unwrap().clone();
    assert_eq!(found.len(), expected.len());
    expected.retain(|hit| !found.contains(hit));
    assert!(expected.is_empty(), "{expected:?}");
    let all = rows(&mut reader);
    let at: Vec<usize> = all.iter().flat_map(|row| row.blocks.iter().map(|block| block.leaks.len())).collect();
    assert_eq!(at, [2, 1, 2, 2]);
    assert!(summary.found.iter().all(|found| found.place != LeakPlace::Other && all[found.first].seeded.is_some()));
}
