//! What rules mean to Proem they mean to every reader of YAML: texts that Proem takes are read by another one and say the same.

use proem_core::assertion::Rules;
use proem_tests::{cases, files};
use serde_json::Value;

/// The same rules as JSON, which is YAML in brackets: a reader that took anything for something else would not find them alike.
#[test]
fn another_reader_reads_the_same() {
    let mut texts = vec![proem_core::assertion::BUILT_IN.to_owned()];
    for path in files(&cases("assertions/runs"), ".txt") {
        let case = std::fs::read_to_string(path).expect("a case");
        let rules = case.split("\n--- ").next().expect("rules").trim_start_matches("--- rules\n").to_owned();
        texts.extend((rules != "built-in").then_some(rules));
    }
    texts.push(
        "--- # odd but allowed\r\nrules:\r\n- id: a-1 # comment\r\n  \"says\": 'it''s # not a comment'\r\n  over: turn\r\n  where:\r\n    request: \"a\\\"\\u00e9\\n\"\r\n    'ref' :  x#y\r\n    opener: {in: [a b,\r\n      'c, d', # more\r\n      e]}\r\n    records: {at_least: -1.5e1, at_most: +7}\r\n    listed: False\r\n  must: {outcome: ok, }\r\n"
            .to_owned(),
    );
    for text in texts {
        let ours = Rules::parse(&text).unwrap_or_else(|faults| panic!("{text}\n{faults:#?}"));
        let other: Value = serde_saphyr::from_str(&text).expect(&text);
        let json = serde_json::to_string(&other).expect("JSON");
        let again = Rules::parse(&json).unwrap_or_else(|faults| panic!("{json}\n{faults:#?}"));
        assert_eq!(format!("{ours:?}"), format!("{again:?}"), "{text}");
    }
}
