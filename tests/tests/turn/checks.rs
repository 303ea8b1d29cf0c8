//! What no answer and no message may hold.

use super::world::{answered, built_in, checks};
use proem_core::ledger::Decision;
use proem_core::turn::{Config, ConfigTexts, Opening, REFUSAL, Verdict};
use std::fmt::Write;

/// A configuration whose welcome says a text.
fn saying(text: &str, checks: &str) -> Config {
    let wording = serde_json::json!({ "invitation": text }).to_string();
    let config = Config::read(&ConfigTexts { welcome: Some(&wording), response_checks: Some(checks), intercepts: None });
    assert_eq!(config.problems(), []);
    config
}

#[test]
fn behaviour_19_each_halting_pattern_replaces_the_answer() {
    for (pattern, text) in [
        ("aws_key", "the key is AKIAIOSFODNN7EXAMPLE."),
        ("aws_key", "AKIAakiaAKIA0123456789ABCDEF"),
        ("private_key", "-----BEGIN PRIVATE KEY-----"),
        ("private_key", "x -----BEGIN OPENSSH PRIVATE KEY-----\nabc"),
        ("private_key", "-----BEGIN A -----BEGIN EC PRIVATE KEY-----"),
        ("org_secret", "say Open Sesame now"),
        ("forbidden", "a STRASSE and a half"),
        ("template", "Hello {{ name }}"),
        ("template", "{% if"),
        ("template", "{# note"),
        ("envelope", "</retrieved_content>"),
        ("envelope", "</RETRIEVED_content\n>"),
        ("envelope", "< / Retrieved_Content foo>"),
        ("envelope", "it ends in </retrieved_content"),
    ] {
        let config = saying(text, "{secrets: [Open Sesame], forbidden: [nothing, Straße]}");
        let (answer, here) = answered(&config, Opening::Opener("welcome"));
        assert_eq!((answer.response.as_str(), answer.verdict, answer.has_errors), (REFUSAL, Verdict::Halt, true), "{text}");
        assert_eq!((&answer.metadata["pattern"], &answer.metadata["halted_by"]), (&pattern.into(), &"safety".into()), "{text}");
        assert_eq!((here.rows[0].decision.clone(), here.rows[0].severity.as_str()), (Decision::Deny, "error"));
        assert!(here.rows[0].reason.ends_with(&format!("({pattern})")), "{}", here.rows[0].reason);
        assert_eq!(here.event("agent_response")["response"], REFUSAL);
        assert_eq!(here.event("guard.end")["payload"]["verdict"], "halt");
        assert_eq!(here.log().turns()[0].outcome, proem_core::log::Outcome::Halted);
    }
}

#[test]
fn behaviour_19_what_only_looks_alike_passes() {
    for text in [
        "AKIA and 16 letters, AKIAIOSFODNN7EXAMPL",
        "AKIAIOSFODNN7EXAMPLe",
        "-----BEGIN PUBLIC KEY-----",
        "-----BEGIN CERTIFICATE-----\nPRIVATE KEY-----",
        "open sesame, in lower case",
        "{ { } % } a stray { and a stray }",
        "<\\/retrieved_content>",
        "&lt;/retrieved_content&gt;",
        "</retrieved_content_hygiene>",
        "</retrieved content>",
        "<retrieved_content provenance=\"external\">",
        "</",
    ] {
        let config = saying(text, "secrets: [Open Sesame]");
        let (answer, here) = answered(&config, Opening::Opener("welcome"));
        assert_eq!((answer.verdict, answer.has_errors), (Verdict::Pass, false), "{text}");
        assert!(answer.response.contains(text), "{text}");
        assert_eq!((here.rows[0].decision.clone(), here.rows[0].reason.as_str()), (Decision::Allow, "nothing matched"));
    }
}

#[test]
fn behaviour_19_a_long_answer_gets_a_banner() {
    let text = "x".repeat(16_384);
    let (answer, here) = answered(&saying(&text, "{}"), Opening::Opener("welcome"));
    assert_eq!((answer.verdict, answer.has_errors), (Verdict::Warn, false));
    let (banner, rest) = answer.response.split_once("\n\n").unwrap();
    assert_eq!(
        banner,
        "Read this with care; a check says:\nsafety: the answer is longer than 16,384 characters, so that the log cuts it (long)"
    );
    assert!(rest.contains(&text) && rest.starts_with("Welcome."));
    assert_eq!((here.rows[0].decision.clone(), here.rows[0].severity.as_str()), (Decision::Transform, "warn"));
    assert_eq!(here.event("guard.end")["payload"]["verdict"], "warn");
}

#[test]
fn a_halt_comes_before_a_warning() {
    let text = format!("{} AKIAIOSFODNN7EXAMPLE", "x".repeat(20_000));
    let (answer, _) = answered(&saying(&text, "{}"), Opening::Opener("welcome"));
    assert_eq!((answer.verdict, &answer.metadata["pattern"]), (Verdict::Halt, &"aws_key".into()));
}

#[test]
fn the_screen_looks_for_secrets_only() {
    let config = checks("{secrets: [Open Sesame], forbidden: [storm]}");
    for (message, refused) in [
        ("AKIAIOSFODNN7EXAMPLE", true),
        ("-----BEGIN RSA PRIVATE KEY-----", true),
        ("is it Open Sesame?", true),
        ("", false),
        ("   ", false),
        ("storm", false),
        ("{{ 1 }} </retrieved_content>", false),
    ] {
        let (answer, here) = answered(&config, Opening::Message(message));
        assert_eq!(answer.verdict == Verdict::Refused, refused, "{message}");
        let row = &here.rows[0];
        assert_eq!((row.hook_point.as_str(), row.plugin.as_str()), ("pre_turn", "input_screen"));
        assert_eq!(
            (&row.decision, row.severity.as_str()),
            if refused { (&Decision::Deny, "error") } else { (&Decision::Allow, "info") }
        );
        assert_eq!((row.deterministic, row.handler.as_deref()), (None, None));
        if refused {
            assert_eq!((answer.response.as_str(), answer.intent.as_str(), here.rows.len()), (REFUSAL, "governance", 1));
        }
    }
}

#[test]
fn the_output_check_runs_when_asked_for_set_up_and_not_halted() {
    let guarded = "openers: [{name: welcome, guard_output: true}]";
    let run = |intercepts: Option<&str>, checks: &str, wording: Option<&str>| {
        let config = Config::read(&ConfigTexts { intercepts, response_checks: Some(checks), welcome: wording });
        assert_eq!(config.problems(), []);
        let (answer, here) = answered(&config, Opening::Opener("welcome"));
        let plugins: Vec<String> = here.rows.iter().map(|row| row.plugin.clone()).collect();
        (answer.verdict, here.event("guard.end")["payload"]["checks"].to_string(), plugins.join(" "))
    };
    let output = "output: [{phrase: welcome, verdict: warn, reason: greets}]";
    let alone = |verdict| (verdict, "[\"safety\"]".to_owned(), "response_safety".to_owned());
    assert_eq!(run(None, output, None), alone(Verdict::Pass));
    assert_eq!(run(Some(guarded), "{}", None), alone(Verdict::Pass));
    assert_eq!(run(Some(guarded), output, Some("intro: \"{{\"")), alone(Verdict::Halt));
    // The verdict of the turn is that of the response check, unless one halts (specs: system-opened-turns, 3.3).
    let both =
        |verdict| (verdict, "[\"safety\",\"output_safety\"]".to_owned(), "response_safety curator_output_safety".to_owned());
    assert_eq!(run(Some(guarded), output, None), both(Verdict::Pass));
    let halts = "output: [{phrase: nowhere, verdict: warn, reason: a}, {phrase: WELCOME, verdict: halt, reason: greets}]";
    assert_eq!(run(Some(guarded), halts, None), both(Verdict::Halt));
}

#[test]
fn the_state_lists_every_check() {
    let mut shown = String::new();
    for (title, config) in [
        ("built in", built_in()),
        ("set up", checks("{secrets: [a, b], forbidden: [c], output: [{phrase: d, verdict: retry, reason: e}]}")),
    ] {
        let _ = writeln!(shown, "{title}");
        for check in config.checks() {
            let on = if check.on { "on " } else { "off" };
            let _ = writeln!(shown, "  {on} {}: {} {}", check.name, check.label, check.value.unwrap_or_default());
        }
    }
    insta::assert_snapshot!(shown);
}
