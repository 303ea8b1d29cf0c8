//! The golden sequences: every kind of turn as its log's lines, its ledger rows, and what a listener hears.

use super::world::{answered, built_in, checks, heard, intercepts, turn};
use proem_core::ledger::{entry, masked};
use proem_core::turn::{Config, ConfigTexts, Opening};
use std::fmt::Write;

/// All that a turn leaves. Plain and streaming must leave the same.
fn all(config: &Config, opening: Opening) -> String {
    let (ended, here) = turn(config, opening);
    let (told, listened) = heard(config, opening);
    assert_eq!((&here.events, &here.rows), (&listened.events, &listened.rows));
    let mut out = here.file();
    out.push_str("-- ledger\n");
    for row in &here.rows {
        assert_eq!((row.id, row.session_id.is_some(), row.turn_id.is_some()), (0, true, true));
        assert_eq!(entry(row).reason, masked(&row.reason));
        let _ = writeln!(
            out,
            "{} {} {} {} {} {} {} {} {} {:?} {:?}\n  {}\n  {}",
            row.ts,
            row.record_id.as_deref().unwrap(),
            row.run_id.as_deref().unwrap(),
            row.agent_type.as_deref().unwrap(),
            row.hook_point,
            row.plugin,
            row.decision,
            row.severity,
            row.turn_id.as_deref().unwrap(),
            row.deterministic,
            row.handler,
            row.reason,
            serde_json::to_string(&row.payload).unwrap(),
        );
    }
    out.push_str("-- heard\n");
    for event in told {
        let _ = writeln!(out, "{}", serde_json::to_string(&event).unwrap());
    }
    match ended {
        Ok(answer) => {
            let _ = writeln!(
                out,
                "-- answer: {} {} {} {:?} errors {} at {} capabilities {:?} {}\n{}",
                answer.handler,
                answer.intent,
                answer.agent_type,
                answer.verdict,
                answer.has_errors,
                answer.at,
                answer.capabilities,
                serde_json::to_string(&answer.metadata).unwrap(),
                answer.masked,
            );
        }
        Err(error) => {
            let _ = writeln!(out, "-- error: {} {error}", error.code());
        }
    }
    out
}

#[test]
fn welcome() {
    insta::assert_snapshot!(all(&built_in(), Opening::Opener("welcome")));
}

#[test]
fn help() {
    insta::assert_snapshot!(all(&built_in(), Opening::Message(" HELP ")));
}

#[test]
fn list_skills() {
    insta::assert_snapshot!(all(&built_in(), Opening::Message("skills")));
}

#[test]
fn time() {
    insta::assert_snapshot!(all(&built_in(), Opening::Message("what time is it?")));
}

#[test]
fn no_model() {
    insta::assert_snapshot!(all(&built_in(), Opening::Message("Wie geht es Ihnen, Frau Müller? 😀")));
}

#[test]
fn refused() {
    insta::assert_snapshot!(all(&built_in(), Opening::Message("is AKIAIOSFODNN7EXAMPLE still in use?")));
}

#[test]
fn halted() {
    insta::assert_snapshot!(all(&checks("forbidden: [\"KNOWS WHEN\"]"), Opening::Opener("welcome")));
}

/// An opener and an intercept whose answers the output check looks at.
fn looked_at(output: &str) -> Config {
    let intercepts = "openers: [{name: morning, handler: welcome, guard_output: true, passes_channel: true, trace_text: Good morning,
        trace_fields: [capabilities, channel, nothing]}]\nintercepts: [{name: clock, handler: time, match: {starts: when}, guard_output: yes}]";
    let config = Config::read(&ConfigTexts { intercepts: Some(intercepts), response_checks: Some(output), welcome: None });
    assert_eq!(config.problems(), []);
    config
}

#[test]
fn warned_by_the_output_check() {
    let config = looked_at("output: [{phrase: refunded, verdict: warn, reason: ask ada.lovelace@example.org about refunds}]");
    insta::assert_snapshot!(all(&config, Opening::Opener("morning")));
}

#[test]
fn halted_by_the_output_check() {
    let config = looked_at(
        "output: [{phrase: utc, verdict: retry, reason: says a zone}, {phrase: october, verdict: halt, reason: says a month}]",
    );
    insta::assert_snapshot!(all(&config, Opening::Message("when is it?")));
}

#[test]
fn failed_without_handler() {
    insta::assert_snapshot!(all(&intercepts("openers: [{name: welcome, handler: welcom}]"), Opening::Opener("welcome")));
}

#[test]
fn failed_by_plugin() {
    let config = intercepts("openers: [{name: weather, handler: \"plugin:weather.today\", trace_text: Weather report}]");
    insta::assert_snapshot!(all(&config, Opening::Opener("weather")));
}

#[test]
fn not_declared() {
    let nothing = all(&intercepts("openers: []"), Opening::Opener("welcome"));
    let other = all(&built_in(), Opening::Opener("weather"));
    let unnamed = all(&built_in(), Opening::Opener(""));
    insta::assert_snapshot!([nothing, other, unnamed].concat());
}

#[test]
fn what_is_said_without_skills_and_without_intercepts() {
    let config = intercepts("intercepts: [{name: skills, handler: list_skills, match: {equals: skills}, enabled: false}]");
    let mut said = String::new();
    for message in ["skills", "help"] {
        let (answer, _) = answered(&config, Opening::Message(message));
        let _ = writeln!(said, "{message} -> {}\n{}\n", answer.handler, answer.response);
    }
    insta::assert_snapshot!(said);
}
