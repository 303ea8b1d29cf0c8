//! What holds for any message, any wording and any configuration.

use super::world::{Here, SESSION, request, skills};
use proem_core::log::{Bucket, OpenedBy};
use proem_core::turn::{Config, ConfigTexts, Opening, SkillLine, run};
use proptest::prelude::*;
use serde_json::Value;

/// Runs a turn and holds its log against the rules of an emitter (specs: iris-session-log, 6).
fn holds(config: &Config, opening: Opening, skills: &[SkillLine]) -> Result<(), TestCaseError> {
    let mut here = Here::default();
    let answer = run(config, &request(opening, skills), &mut here);
    let opened_by = match opening {
        Opening::Message(_) => OpenedBy::User,
        Opening::Opener(_) => OpenedBy::System,
    };
    prop_assert!(answer.is_ok(), "{:?}", answer.err());
    let mut last = String::new();
    for (at, (kind, line)) in here.events.iter().enumerate() {
        prop_assert!(line.is_ascii() && line.ends_with('\n') && line.matches('\n').count() == 1);
        let event: Value = serde_json::from_str(line).unwrap();
        prop_assert_eq!(&event["kind"], kind);
        prop_assert_eq!(kind == "user_message", at == 0 && opened_by == OpenedBy::User);
        prop_assert_eq!(&event["session_id"], SESSION);
        prop_assert_eq!(event["turn_id"].as_str().map(str::len), Some(32));
        let ts = event["ts"].as_str().unwrap().to_owned();
        prop_assert!(ts.len() == 32 && ts >= last);
        last = ts;
    }
    let log = here.log();
    prop_assert_eq!((log.turns().len(), log.skipped().count(), log.preamble().count()), (1, 0, 0));
    prop_assert!(log.records().iter().all(|record| record.bucket == Bucket::Read));
    prop_assert_eq!(log.turns()[0].opened_by, opened_by);
    prop_assert_eq!(log.turns()[0].answers, 1);
    if let Opening::Message(message) = opening {
        let shown: String = message.chars().take(8192).collect();
        prop_assert!(log.turns()[0].request.starts_with(&shown));
    }
    Ok(())
}

/// Texts that are hard to write down.
fn message() -> impl Strategy<Value = String> {
    let odd = prop::sample::select(vec![
        "\0",
        "\n",
        "\r\n",
        "\u{7f}",
        "\u{85}",
        "\u{2028}",
        "\u{feff}",
        "\u{fffd}",
        "\u{ffff}",
        "😀",
        "\u{10ffff}",
        "\"",
        "\\",
        "\\ud800",
        "{",
        "}",
        "@x.org",
        "AKIAIOSFODNN7EXAMPLE",
        "help",
        "ß",
        "İ",
        "{{",
    ]);
    let odd = odd.prop_map(str::to_owned);
    let piece = prop_oneof![odd, any::<String>(), any::<char>().prop_map(String::from)];
    prop::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_message_is_one_turn_of_a_sound_log(message in message()) {
        holds(&Config::read(&ConfigTexts::default()), Opening::Message(&message), &skills())?;
    }

    #[test]
    fn any_wording_and_any_summary_is_a_welcome(words in prop::collection::vec(r"[{}% a-z\\$\n]{0,12}(\{summary\})?[{}]{0,3}", 5), summaries in prop::collection::vec(message(), 0..4)) {
        let keys = ["intro", "capability", "no_capabilities", "invitation", "trace_note"];
        let file: serde_json::Map<String, Value> = keys.iter().zip(words).map(|(key, text)| ((*key).to_owned(), Value::from(text))).collect();
        let file = Value::Object(file).to_string();
        let config = Config::read(&ConfigTexts { welcome: Some(&file), ..ConfigTexts::default() });
        let skills: Vec<SkillLine> = summaries.into_iter().map(|summary| SkillLine { name: summary.clone(), summary }).collect();
        holds(&config, Opening::Opener("welcome"), &skills)?;
    }

    #[test]
    fn any_configuration_answers_any_message(file in r"((openers|intercepts|secrets|forbidden|output|intro|name|handler|match|equals|starts|time|a|: |\[|\]|\{|\}|, |\n|- |  |'|&x|\*x|!!int|\|)){0,40}", message in message()) {
        let config = Config::read(&ConfigTexts { intercepts: Some(&file), response_checks: Some(&file), welcome: Some(&file) });
        holds(&config, Opening::Message(&message), &skills())?;
    }
}

#[test]
fn a_hundred_thousand_characters_are_one_turn() {
    let config = Config::read(&ConfigTexts {
        response_checks: Some("{secrets: [sesame], forbidden: [storm], output: [{phrase: x, verdict: halt, reason: y}]}"),
        ..ConfigTexts::default()
    });
    for piece in ["a", "é", "😀", "\0", "@", "AKIA", "</", "-----BEGIN ", "a@b.cd", " "] {
        holds(&config, Opening::Message(&piece.repeat(100_000 / piece.chars().count())), &skills()).unwrap();
    }
}
