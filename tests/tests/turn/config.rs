//! What the configuration files mean, and what holds when they mean nothing.

use super::world::{answered, built_in, checks, intercepts, problems, turn, welcome};
use proem_core::turn::{
    BUILT_IN_INTERCEPTS, BUILT_IN_RESPONSE_CHECKS, BUILT_IN_WELCOME, Config, ConfigTexts, INTERCEPTS_FILE, Opening,
    RESPONSE_CHECKS_FILE, WELCOME_FILE, Wording,
};
use std::fmt::Write;

fn names(config: &Config) -> (Vec<String>, Vec<String>) {
    let enabled =
        |all: Vec<proem_core::turn::HandlerState>| all.into_iter().filter(|row| row.enabled).map(|row| row.name).collect();
    (enabled(config.openers()), enabled(config.intercepts()))
}

fn owned(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

#[test]
fn behaviour_10_the_shipped_files_change_nothing() {
    let shipped = ConfigTexts {
        intercepts: Some(BUILT_IN_INTERCEPTS),
        response_checks: Some(BUILT_IN_RESPONSE_CHECKS),
        welcome: Some(BUILT_IN_WELCOME),
    };
    assert_eq!(Config::read(&shipped), built_in());
    assert_eq!(names(&built_in()), (owned(&["welcome"]), owned(&["help", "list_skills", "time"])));
    let welcome = &built_in().openers()[0];
    assert_eq!((welcome.handler.as_str(), welcome.label.as_str()), ("welcome", "First-chat welcome"));
}

#[test]
fn behaviour_10_the_wording_file_has_exactly_the_keys_of_the_defaults() {
    let keys: Vec<&str> = BUILT_IN_WELCOME.lines().filter_map(|line| line.split_once(": ")).map(|(key, _)| key).collect();
    assert_eq!(keys, Wording::KEYS);
    let wording = built_in().wording().clone();
    let spec = Wording {
        intro: "Welcome. This organisation has no conversations yet. These skills are switched on:".into(),
        capability: "- {summary}".into(),
        no_capabilities: "No skill is switched on yet. An admin can add one under Skills.".into(),
        invitation: "Write a first message to begin.".into(),
        trace_note:
            "This message was put together without a model. Call trace shows how, and Governance shows the check it passed."
                .into(),
    };
    assert_eq!(wording, spec);
}

#[test]
fn behaviour_18_a_list_that_cannot_be_read_is_the_built_in_one() {
    for text in [
        "openers: [",
        "openers: 5\n\tintercepts: x",
        "openers:\nintercepts: {}",
        "just words",
        "openers: {welcome: 1}",
        "openers: [{handler: welcome}]",
        "openers: [{name: other}, {handler: welcome}]",
        "openers: [{name: other, enabled: perhaps}]",
        "{openers: [{name: a}], openers: []}",
    ] {
        let config = intercepts(text);
        assert_eq!(names(&config).0, ["welcome"], "{text}");
        assert!(!config.problems().is_empty(), "{text}");
    }
    for text in ["", "# nothing\n", "intercepts: []", "{}"] {
        let config = intercepts(text);
        assert_eq!((names(&config).0, problems(&config)), (owned(&["welcome"]), Vec::new()), "{text}");
    }
}

#[test]
fn behaviour_18_no_openers_is_not_declared() {
    for text in ["openers: []", "openers: [{name: welcome, enabled: false}]", "openers: [{name: welcome, enabled: no}]"] {
        let config = intercepts(text);
        assert_eq!((names(&config).0, problems(&config)), (Vec::new(), Vec::new()), "{text}");
        let (ended, here) = turn(&config, Opening::Opener("welcome"));
        assert_eq!((ended.unwrap_err().code(), here.events.len()), ("not_declared", 0), "{text}");
    }
}

#[test]
fn behaviour_18_of_two_rows_with_one_name_the_later_wins() {
    let config = intercepts("openers: [{name: a, handler: time}, {name: b, handler: help}, {name: a, handler: list_skills}]");
    let (answer, _) = answered(&config, Opening::Opener("a"));
    assert_eq!((answer.handler.as_str(), names(&config).0), ("list_skills", owned(&["a", "b"])));
    // A disabled row is dropped, so it takes nobody's place.
    for text in [
        "openers: [{name: a, handler: time}, {name: a, enabled: off}]",
        "openers: [{name: a, enabled: off}, {name: a, handler: time}]",
    ] {
        assert_eq!(answered(&intercepts(text), Opening::Opener("a")).0.handler, "time");
    }
}

#[test]
fn behaviour_18_rows_that_are_no_mappings_are_ignored_and_handlers_default_to_the_name() {
    let config = intercepts("openers: [5, null, [a], {name: time}]");
    assert_eq!((names(&config).0, config.problems().len()), (owned(&["time"]), 3));
    assert_eq!(answered(&config, Opening::Opener("time")).0.handler, "time");
}

#[test]
fn behaviour_18_a_plugin_handler_fails_its_turn() {
    let config = intercepts("openers: [{name: welcome, handler: plugin:greeter}]");
    assert_eq!(config.problems().len(), 1);
    let (ended, here) = turn(&config, Opening::Opener("welcome"));
    assert_eq!((ended.unwrap_err().code(), here.kinds()), ("no_handler", owned(&["turn_open", "turn.start"])));
}

#[test]
fn an_intercept_without_sense_spoils_its_list_and_not_the_other() {
    for rows in [
        "[{name: a}]",
        "[{name: a, handler: time, match: help}]",
        "[{name: a, handler: time, match: {}}]",
        "[{name: a, handler: time, match: {equals: []}}]",
        "[{name: a, handler: time, match: {equals: ['a', ' ']}}]",
        "[{name: a, handler: time, match: {starts: ''}}]",
        "[{name: a, handler: time, match: {contains: [x]}}]",
        "[{name: a, handler: time, match: {starts: x, contains: y}}]",
        "[{name: a, handler: time, match: {pattern: x}}]",
        "[{handler: time, match: {equals: x}}]",
        "5",
    ] {
        let config = intercepts(&format!("openers: []\nintercepts: {rows}"));
        assert_eq!(names(&config), (Vec::new(), owned(&["help", "list_skills", "time"])), "{rows}");
        assert_eq!(config.problems().len(), 1, "{rows}");
    }
}

#[test]
fn the_first_intercept_that_matches_answers() {
    let config = intercepts(
        "intercepts:
          - {name: off, handler: list_skills, enabled: false, match: {contains: e}}
          - {name: street, handler: help, match: {equals: [Straße, 12, yes]}}
          - {name: when, handler: time, match: {starts: \"when \"}}
          - {name: hours, handler: list_skills, match: {contains: ΟΔΟΣ}}",
    );
    assert_eq!(problems(&config), Vec::<String>::new());
    for (message, handler) in [
        ("  STRASSE\n", "help"),
        ("12", "help"),
        ("Yes", "help"),
        ("straße 1", "no_model"),
        ("When is it", "time"),
        ("WHEN", "time"),
        ("say when", "no_model"),
        ("which οδος, when?", "list_skills"),
        ("", "no_model"),
    ] {
        assert_eq!(answered(&config, Opening::Message(message)).0.handler, handler, "{message}");
    }
}

#[test]
fn every_problem_is_a_sentence_with_its_place_and_what_holds_instead() {
    let mut shown = String::new();
    let mut show = |config: Config| {
        assert!(!config.problems().is_empty());
        for problem in problems(&config) {
            assert!(problem.ends_with('.'), "{problem}");
            let _ = writeln!(shown, "{problem}");
        }
    };
    for text in [
        "openers: [",
        "a: 1\na: 2",
        "\tx: 1",
        "- a list",
        "openers: no list\nintercepts: {}\nhandlers: []",
        "openers: [{handler: x}]",
        "openers: [5, {name: a, enbled: true, handler: time}, {name: a, handler: help}]",
        "openers: [{name: a, handler: plugin:x}, {name: b}]\nintercepts: [{name: c, match: {equals: c}}, {name: d, handler: plugin:d, match: {equals: d}}]",
        "openers: [{name: a, trace_text: [x]}]",
        "openers: [{name: a, trace_fields: x}]",
        "openers: [{name: a, guard_output: 1}]",
        "intercepts: [{name: a, match: {starts: x, contains: y}}]",
        "intercepts: [{name: a}]",
        "intercepts: [{name: a, match: {starts: ' '}}]",
        "intercepts: [{name: a, match: {equals: [a, 1.5]}}]",
    ] {
        show(intercepts(text));
    }
    for text in [
        "secrets: [",
        "secrets: sesame\nforbidden: 5\nwords: []",
        "secrets: [ok, '', {a: b}, 1.5]\nforbidden: [null]",
        "output: [stop, {phrase: a}, {phrase: a, verdict: deny, reason: b}, {phrase: a, verdict: halt}, {phrase: a, verdict: halt, reason: b, more: c}]",
    ] {
        show(checks(text));
    }
    for text in ["- a", "intro: ''\ncapability: no place\ninvitation: 5\ngreeting: x", "intro: [a]"] {
        show(welcome(text));
    }
    assert!(!shown.contains("sesame"), "a value under `secrets` is never repeated");
    insta::assert_snapshot!(shown);
}

#[test]
fn a_list_of_secrets_is_read_around_its_broken_entries() {
    let config = checks("secrets: [' a1 ', '', {a: b}, 12345]\nforbidden: ~\noutput: []");
    assert_eq!((config.response_checks().secrets.clone(), config.problems().len()), (owned(&["a1", "12345"]), 2));
}

#[test]
fn the_state_shows_what_is_declared() {
    let mut shown = String::new();
    let config = intercepts(
        "openers: [{name: welcome, trace_text: Hello}, {name: night, handler: time, enabled: false}]
intercepts: [{name: a, handler: help, match: {equals: [b, c, d]}}, {name: e, handler: time, trace_text: E, match: {starts: f}},
  {name: g, handler: time, enabled: false, match: {contains: h}}]",
    );
    for row in config.openers().into_iter().chain(config.intercepts()).chain(built_in().intercepts()) {
        let _ = writeln!(shown, "{} ({}) {} {} {:?}", row.name, row.label, row.handler, row.enabled, row.when);
    }
    insta::assert_snapshot!(shown);
}

#[test]
fn the_examples_of_the_documentation_are_sound_and_change_something() {
    let page = proem_tests::cases("../../docs/turns.md");
    let page = std::fs::read_to_string(page).unwrap();
    let example = |file: &str| {
        let start = page.find(&format!("```yaml\n# {file}\n")).unwrap() + "```yaml\n".len();
        page[start..].split("```").next()
    };
    let config = Config::read(&ConfigTexts {
        intercepts: example(INTERCEPTS_FILE),
        response_checks: example(RESPONSE_CHECKS_FILE),
        welcome: example(WELCOME_FILE),
    });
    assert_eq!(problems(&config), Vec::<String>::new());
    assert_eq!(names(&config), (owned(&["welcome", "good_morning"]), owned(&["help", "clock"])));
    assert_eq!(config.response_checks().output.len(), 1);
    let (answer, _) = answered(&config, Opening::Opener("welcome"));
    assert!(answer.response.contains("* Knows what may be refunded\n* Knows when we are open\n\nWhat is on your mind?"));
    assert_eq!(answered(&config, Opening::Message("What time is it in Rome?")).0.handler, "time");
    for check in config.checks() {
        assert!(page.contains(&format!("\n| `{}` | ", check.name)), "{} is not in the table", check.name);
    }
}

#[test]
fn hostile_files_end_in_the_built_in_lists() {
    let nested = format!("openers: {}{}", "[".repeat(100_000), "]".repeat(100_000));
    let mapped = format!("openers: {}", "{a: ".repeat(100_000));
    let mut laughs = String::from("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
    for level in 1..12 {
        let before = format!("*a{}, ", level - 1).repeat(10);
        let _ = writeln!(laughs, "a{level}: &a{level} [{}]", before.trim_end_matches(", "));
    }
    laughs.push_str("openers: *a11\n");
    let long = format!("openers: [{}]", "{name: a, handler: time}, ".repeat(2000));
    for text in [nested, mapped, laughs] {
        let config = Config::read(&ConfigTexts { intercepts: Some(&text), response_checks: Some(&text), welcome: Some(&text) });
        assert_eq!(names(&config), names(&built_in()));
        assert_eq!(config.problems().len(), 3, "{:?}", problems(&config));
    }
    assert_eq!(names(&intercepts(&long)).0, ["a"]);
}
