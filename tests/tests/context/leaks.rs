//! The leak lens: which terms of other conversations a seed still holds.

use proem_core::context::seed::{case, leaks, seed};
use proem_tests::{cases, files, json};
use proptest::prelude::*;
use serde_json::{Value, json};

#[test]
fn every_case() {
    let all = files(&cases("leaks"), ".json");
    assert!(!all.is_empty());
    for path in all {
        let file = json(&path);
        let read = case(&file.to_string()).unwrap();
        let made = seed(&read.store, &read.compiled, &read.template, &read.fork);
        let (terms, found) = leaks(&read.store, &made.messages, &read.fork);
        let hits: Vec<Value> = found.iter().map(|leak| json!([terms[leak.term].text, leak.place])).collect();
        assert_eq!(Value::from(hits), file["hits"], "{}", path.display());
        for leak in &found {
            assert_eq!(&leak.excerpt[leak.range.clone()], terms[leak.term].text);
        }
        let seeded = serde_json::to_string(&made.messages).unwrap();
        for (what, text) in file["near_misses"].as_object().unwrap() {
            let text = text.as_str().unwrap();
            assert!(seeded.contains(text), "{what}: the seed must hold {text}, or the case says nothing");
            assert!(!terms.iter().any(|term| term.text == text), "{what}");
        }
        insta::assert_json_snapshot!("terms", terms);
    }
}

#[test]
fn both_schemes_of_names_tell_the_forks_own_channel() {
    let store = |channel: &str| json!([{"id": "m1", "participant": "user", "content": [], "metadata": {"channelId": channel}}]);
    for (fork, channel, own) in [
        ("conversation-slack-C1-g1", "slack:C1", true),
        ("conversation-slack-C1-g12", "slack:C1", true),
        ("conversation~slack~003aC1-g1", "slack:C1", true),
        ("conversation~slack~003aC1-g1", "slack:C11", false),
        ("conversation-slack-C11-g1", "slack:C1", false),
    ] {
        let read = case(&json!({"template": "t", "fork": fork, "store": store(channel), "compiled": []}).to_string()).unwrap();
        let (terms, _) = leaks(&read.store, &[], fork);
        assert_eq!(terms.is_empty(), own, "{fork}, {channel}: {terms:?}");
    }
}

proptest! {
    #[test]
    fn any_words_are_looked_through(text in any::<String>(), label in any::<String>(), author in "\\PC{0,12}") {
        let document = json!({"template": "t", "fork": "conversation~a-g1",
            "store": [{"id": "m", "participant": "user", "content": [{"type": "text", "text": text}],
                "metadata": {"channelId": label, "channelLabel": label, "author": author, "system": true, "speaker": text}}],
            "compiled": [{"participant": "t", "content": [{"type": "text", "text": format!("{text} {author} {label}")}]}]});
        let read = case(&document.to_string()).unwrap();
        let made = seed(&read.store, &read.compiled, &read.template, &read.fork);
        let (terms, found) = leaks(&read.store, &made.messages, &read.fork);
        for leak in found {
            prop_assert_eq!(&leak.excerpt[leak.range.clone()], &terms[leak.term].text);
        }
    }
}
