//! Seeds of forks (specs: fork-seed, section 7): the rows of its tables, and what holds for any store.

use proem_core::context::seed::{
    Counts, Message, Reason, Seed, SeedCase, SpawnLine, Stored, case, dump, messages, seed, spawn_line,
};
use proem_tests::{cases, json};
use proptest::prelude::*;
use serde_json::{Value, json};

fn run(case: &SeedCase) -> Seed {
    seed(&case.store, &case.compiled, &case.template, &case.fork)
}

fn read(value: &Value) -> SeedCase {
    case(&value.to_string()).unwrap()
}

fn shown(messages: &[Message]) -> Value {
    serde_json::to_value(messages).unwrap()
}

/// A case of the shared file.
fn named(name: &str) -> SeedCase {
    let file = json(&cases("fork-seed.json"));
    let case = file["cases"].as_array().unwrap().iter().find(|case| case["name"] == name).unwrap_or_else(|| panic!("{name}"));
    read(case)
}

/// The case that the table is about.
fn table() -> (SeedCase, Value) {
    let case = named("all notice kinds");
    let seeded = shown(&run(&case).messages);
    (case, seeded)
}

fn stored_text(case: &SeedCase, id: &str) -> String {
    let message = case.store.iter().find(|message| message.id == id).unwrap();
    message.content[0].text.clone().unwrap()
}

fn texts(seeded: &Value) -> Vec<&str> {
    let blocks = seeded.as_array().unwrap().iter().flat_map(|message| message["content"].as_array().unwrap());
    blocks.filter_map(|block| block["text"].as_str()).collect()
}

#[test]
fn every_case() {
    let file = json(&cases("fork-seed.json"));
    let all = file["cases"].as_array().unwrap();
    assert!(all.len() >= 16);
    for case in all {
        let read = read(case);
        let made = run(&read);
        assert_eq!(shown(&made.messages), case["seed"], "{}", case["name"]);
        assert_eq!(json!(made.counts), case["counts"], "{}", case["name"]);
        assert_eq!(json!(spawn_line(&made.counts, &read.template, &read.fork)), case["log"], "{}", case["name"]);
    }
}

#[test]
fn the_four_by_name_notices_are_gone() {
    let (case, seeded) = table();
    for id in ["m2", "m3", "m4", "m5"] {
        assert!(!texts(&seeded).contains(&stored_text(&case, id).as_str()), "{id}");
    }
}

#[test]
fn policy_admission_and_own_open_are_gone() {
    let (case, seeded) = table();
    for id in ["m6", "m7"] {
        assert!(!texts(&seeded).contains(&stored_text(&case, id).as_str()), "{id}");
    }
}

#[test]
fn a_policy_admission_in_other_words_is_gone() {
    let (case, seeded) = table();
    assert!(!texts(&seeded).contains(&stored_text(&case, "m8").as_str()));
}

#[test]
fn the_reply_that_repeats_a_notice_keeps_its_second_block() {
    let (case, seeded) = table();
    let reply = case.store.iter().find(|message| message.id == "m9").unwrap();
    let [first, second] = [0, 1].map(|at| reply.content[at].text.clone().unwrap());
    assert!(!texts(&seeded).contains(&first.as_str()));
    assert!(texts(&seeded).contains(&second.as_str()));
}

#[test]
fn eight_notices_are_counted() {
    let (case, _) = table();
    let made = run(&case);
    assert_eq!(made.counts.notices, 8);
    let line = spawn_line(&made.counts, &case.template, &case.fork).unwrap();
    assert!(line.contains(" 8 channel or by-name notice(s)"), "{line}");
}

#[test]
fn a_second_spawn_for_the_ended_forks_own_channel_leaves_the_same_out() {
    let first = run(&named("all notice kinds"));
    let second = run(&named("next generation of the ended fork's own channel"));
    let left_out = |seed: &Seed| seed.fates.iter().map(|fate| fate.blocks.clone()).collect::<Vec<_>>();
    assert_eq!(left_out(&first), left_out(&second));
}

#[test]
fn the_templates_store_is_as_it_was() {
    let case = named("all notice kinds");
    let before: Vec<Value> = case.store.iter().map(|message| message.whole.clone()).collect();
    let _ = run(&case);
    assert_eq!(before, case.store.iter().map(|message| message.whole.clone()).collect::<Vec<_>>());
}

#[test]
fn own_failed_reply_handbook_and_module_note_are_kept() {
    let (case, seeded) = table();
    for id in ["m10", "m1", "m11"] {
        assert!(texts(&seeded).contains(&stored_text(&case, id).as_str()), "{id}");
    }
}

#[test]
fn no_seeded_message_is_empty() {
    for case in json(&cases("fork-seed.json"))["cases"].as_array().unwrap() {
        assert!(run(&read(case)).messages.iter().all(|message| !message.content.is_empty()), "{}", case["name"]);
    }
}

#[test]
fn a_line_without_notices_says_zero() {
    let case = named("thinking and redacted thinking");
    let line = spawn_line(&run(&case).counts, &case.template, &case.fork).unwrap();
    assert!(line.contains(" 0 channel or by-name notice(s)"), "{line}");
}

#[test]
fn every_block_left_out_says_why() {
    let case = named("all notice kinds");
    let made = run(&case);
    let reasons: Vec<String> = made
        .fates
        .iter()
        .flat_map(|fate| &fate.blocks)
        .map(|reason| reason.as_ref().map_or("kept".to_owned(), |reason| serde_json::to_string(reason).unwrap()))
        .collect();
    insta::assert_snapshot!("reasons", reasons.join("\n"));
    let repeated =
        made.fates.iter().flat_map(|fate| &fate.blocks).flatten().filter(|r| matches!(r, Reason::Repeats { .. })).count();
    assert_eq!(repeated, 1);
}

#[test]
fn blocks_go_through_as_they_were_written() {
    // No number, no field and no order is changed: 1.0 stays 1.0, a number past 64 bits keeps its digits.
    let block = r#"{"rawItem": {"z": 1.0, "a": 123456789012345678901234567890, "e": 1e400}, "type":"hologram" }"#;
    let text = format!(
        r#"{{"template":"trunk","fork":"f","store":[],"compiled":[{{"participant":"trunk","content":[{block}, 7, null],"cacheBreakpoint":{{"ttl":1.50}},"metadata":{{"x":1}},"odd":[1]}}]}}"#
    );
    let made = run(&case(&text).unwrap());
    let out = serde_json::to_string(&made.messages).unwrap();
    assert_eq!(out, format!(r#"[{{"participant":"f","content":[{block},7,null],"cacheBreakpoint":{{"ttl":1.50}},"odd":[1]}}]"#));
}

#[test]
fn a_logged_line_is_read_back() {
    let counts = Counts { thinking: 1, notices: 8, unanswered: 0, orphaned: 12 };
    let line = spawn_line(&counts, "trunk: seeded", "conversation-slack-C1-g1").unwrap();
    let read = SpawnLine::parse(&format!("2026-10-05T10:00:00Z stderr {line}\n")).unwrap();
    assert_eq!((read.fork.as_str(), read.counts), ("conversation-slack-C1-g1", counts));
    assert_eq!(spawn_line(&Counts::default(), "a", "b"), None);
    for torn in ["", "[conversation] f: seeded from t without", &line.replace("12", "x"), &line[..line.len() - 3]] {
        assert_eq!(SpawnLine::parse(torn), None, "{torn}");
    }
}

#[test]
fn dumps_are_lists_wrapped_lists_or_lines() {
    let message =
        r#"{"id":"m1","participant":"user","content":[{"type":"text","text":"a"}],"metadata":{"system":true,"speaker":""}}"#;
    for text in [format!("[{message}]"), format!("{{\"messages\":[{message}]}}"), format!("\u{feff}{message}\n\n{message}\n")] {
        let (stored, remarks) = dump(&text).unwrap();
        assert!(!stored.is_empty() && remarks.is_empty() && stored[0].mark.is_some(), "{text}");
        assert_eq!(messages(&text).unwrap().0[0].participant, "user");
    }
    let (stored, remarks) = dump(&format!("{message}\n{{\"a\":1}}\n{{\"tor")).unwrap();
    assert_eq!(stored.len(), 1);
    let faults = [
        dump("").unwrap_err(),
        dump("[{\"participant\":\"user\"}]").unwrap_err(),
        dump("[{\"participant\":\"user\",\"content\":\"text\"}]").unwrap_err(),
        messages("[{\"content\":[]}]").unwrap_err(),
        messages("[{\"participant\":7,\"content\":[]}]").unwrap_err(),
        dump("[1, 2").unwrap_err(),
        case("{}").unwrap_err(),
        case("{\"template\":\"t\",\"fork\":\"f\",\"store\":[],\"compiled\":[{}]}").unwrap_err(),
    ];
    insta::assert_snapshot!("faults", [remarks, faults.to_vec()].concat().join("\n"));
}

/// Stores and contexts in which everything that the filters look at is likely, and near misses of it.
fn drawn() -> impl Strategy<Value = Value> {
    let text = || prop::sample::select(vec!["X", "X ", "x", "Y", "", "keep"]).prop_map(str::to_owned);
    let id = || prop::sample::select(vec!["u1", "u2", "u3"]);
    let block = prop_oneof![
        4 => text().prop_map(|text| json!({"type": "text", "text": text})),
        1 => Just(json!({"type": "thinking", "thinking": "hm"})),
        1 => Just(json!({"type": "redacted_thinking", "data": "z"})),
        2 => id().prop_map(|id| json!({"type": "tool_use", "id": id, "name": "n", "input": {}})),
        2 => id().prop_map(|id| json!({"type": "tool_result", "toolUseId": id, "content": [{"type": "text", "text": "X"}]})),
        1 => text().prop_map(|text| json!({"type": "hologram", "text": text})),
        1 => Just(json!(3)),
    ];
    let content = prop::collection::vec(block, 0..4);
    let metadata = prop::sample::select(vec![
        json!({"system": true, "kind": "channel-notice"}),
        json!({"system": true, "speaker": "s"}),
        json!({"system": true, "kind": "other"}),
        json!({"system": "true", "kind": "channel-notice"}),
        json!({"kind": "channel-notice", "speaker": "s"}),
        json!(null),
    ]);
    let stored = (text(), metadata).prop_map(|(text, metadata)| {
        json!({"id": "m", "participant": "user", "content": [{"type": "text", "text": text}], "metadata": metadata})
    });
    let message = (prop::sample::select(vec!["trunk", "user", "bob"]), content)
        .prop_map(|(participant, content)| json!({"participant": participant, "content": content}));
    (prop::collection::vec(stored, 0..4), prop::collection::vec(message, 0..6))
        .prop_map(|(store, compiled)| json!({"template": "trunk", "fork": "f", "store": store, "compiled": compiled}))
}

fn is_part_of<'a>(part: impl Iterator<Item = &'a str>, whole: impl IntoIterator<Item = &'a str>) -> bool {
    let mut whole = whole.into_iter();
    part.into_iter().all(|one| whole.any(|other| other == one))
}

proptest! {
    #[test]
    fn seeding_keeps_order_is_idempotent_and_leaves_nothing_empty(value in drawn()) {
        let case = read(&value);
        let made = run(&case);
        prop_assert!(made.messages.iter().all(|message| !message.content.is_empty()));

        let raws = |messages: &[Message]| {
            messages.iter().flat_map(|message| message.content.iter().map(|block| block.raw.get().to_owned())).collect::<Vec<_>>()
        };
        let placeholders = made.fates.iter().filter(|fate| fate.placeholder).count();
        let (before, after) = (raws(&case.compiled), raws(&made.messages));
        let kept: Vec<&str> = after.iter().map(String::as_str).filter(|raw| !raw.contains("[tool call omitted]")).collect();
        prop_assert!(is_part_of(kept.iter().copied(), before.iter().map(String::as_str)));
        prop_assert_eq!(after.len() - kept.len(), placeholders);

        let again = seed(&case.store, &made.messages, &case.template, &case.fork);
        prop_assert_eq!(shown(&again.messages), shown(&made.messages));
        prop_assert_eq!(again.counts, Counts::default());

        let left_out = before.len() - kept.len();
        let Counts { thinking, notices, unanswered, orphaned } = made.counts;
        prop_assert_eq!(left_out as u64, thinking + notices + unanswered + orphaned);
    }

    #[test]
    fn any_text_is_read_or_refused(text in any::<String>()) {
        let _ = (case(&text), dump(&text), messages(&text));
    }
}

#[test]
fn ten_megabytes_are_seeded_in_one_pass() {
    let store = vec![
        json!({"id": "m", "participant": "user", "content": [{"type": "text", "text": "X"}], "metadata": {"system": true, "speaker": "s"}});
        20_000
    ];
    let compiled = vec![
        json!({"participant": "trunk", "content": [{"type": "text", "text": "X"}, {"type": "tool_use", "id": "u", "name": "n", "input": {}},
            {"type": "text", "text": "slack:C1 ".repeat(40)}]});
        20_000
    ];
    let case = read(&json!({"template": "trunk", "fork": "f", "store": store, "compiled": compiled}));
    let _: &Vec<Stored> = &case.store;
    let made = run(&case);
    assert_eq!(made.messages.len(), 20_000);
    assert_eq!(made.counts.notices, 20_000);
}
