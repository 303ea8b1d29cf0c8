//! Rules that are wrong: each case is a text, and all that Proem says about it is a snapshot.

use proem_core::assertion::{RULES, Rules, TEXT_BYTES};
use proem_core::template::problem::Severity;
use proem_tests::{cases, files};
use proptest::prelude::*;

/// Texts below lines of dashes, each told in the long form with its place.
#[test]
fn every_fault_has_its_sentence() {
    for path in files(&cases("assertions/faults"), ".txt") {
        let cases = std::fs::read_to_string(&path).expect("a case");
        let mut out = String::new();
        for case in cases.split("----\n") {
            let faults = Rules::parse(case).expect_err(case);
            assert!(faults.iter().all(|fault| fault.severity == Severity::Error));
            out.push_str(&faults.iter().map(|fault| fault.long(case, "rules")).collect::<Vec<_>>().join("\n"));
            out.push_str("----\n");
        }
        let name = path.file_stem().expect("a file").to_string_lossy().into_owned();
        insta::with_settings!({ snapshot_path => "../snapshots/assertions", prepend_module_to_snapshot => false, omit_expression => true }, {
            insta::assert_snapshot!(format!("faults-{name}"), out);
        });
    }
}

#[test]
fn limits_are_said() {
    let rule = |number: usize| format!("  - {{id: r{number}, says: s, over: turn, at_most: 1}}\n");
    let rules = |count: usize| format!("rules:\n{}", (0..count).map(rule).collect::<String>());
    assert_eq!(Rules::parse(&rules(RULES)).expect("rules").said().len(), RULES);
    let faults = Rules::parse(&rules(RULES + 1)).expect_err("too many");
    assert_eq!(faults[0].one_line(), "202:5: error: there are more than 200 rules (take some out)");
    let faults = Rules::parse(&"#".repeat(TEXT_BYTES + 1)).expect_err("too long");
    assert_eq!(faults[0].one_line(), "1:1: error: the rules are longer than 64 KiB (take some rules out)");
    let faults = Rules::parse(&format!("rules: {}", "[".repeat(30_000))).expect_err("too deep");
    assert_eq!(faults[0].one_line(), "1:19: error: values stand in each other more than 12 deep (a rule needs five or six)");
    for text in ["", "\n# nothing\n", "rules:\n", "rules: []", "---\nrules: ~\n"] {
        assert_eq!(Rules::parse(text).expect(text).said().len(), 0);
    }
}

/// Texts that are nearly rules: pieces of them, in any order and cut anywhere.
fn nearly() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("rules:\n"),
        Just("  - id: a\n"),
        Just("    says: s\n"),
        Just("    over: turn\n"),
        Just("    where: {kind: [a, \"b\"], x: {in: [1, true]}}\n"),
        Just("    must:\n      outcome: ok\n"),
        Just("    contains: {over: row, exactly: 0}\n"),
        Just("    disjoint: [payload.a[b=c], 'd']\n"),
        Just("{"),
        Just("}"),
        Just("["),
        Just("]"),
        Just(": "),
        Just(","),
        Just("\t"),
        Just("\""),
        Just("'"),
        Just("\\u12"),
        Just(" # é\r\n"),
        Just("- "),
        Just("- - "),
        Just("  "),
        Just("\n"),
        Just("🙂"),
        Just("|"),
        Just("---\n"),
    ];
    prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn reading_never_panics(text in prop_oneof![nearly(), any::<String>()]) {
        if let Err(faults) = Rules::parse(&text) {
            prop_assert!(!faults.is_empty() && faults.len() <= 100);
            for fault in faults {
                prop_assert!(fault.range.0 <= fault.range.1 && text.get(fault.range.0..fault.range.1).is_some());
                let _ = fault.long(&text, "rules");
            }
        }
    }
}
