//! SKILL.md files as cases: `cases/skill-files/broken-*.txt` are files that cannot be read, or are read with a warning; the others begin
//! with a line of JSON that says what to change, and go on with the file, or `none`. In them `␍` stands for a carriage return, `‹BOM›`
//! for a byte order mark, and `‹END›` for the end without a last line end.
#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

use proem_core::skill::file::read;
use proem_core::skill::write::write;
use proem_core::skill::{Mode, Skill};
use proem_core::template::normalize;
use proptest::prelude::*;
use serde_json::Value;

fn skill() -> Skill {
    serde_json::from_value(serde_json::json!({"slug": "x", "name": "", "mode": "triggered", "enabled": true, "position": 0}))
        .unwrap()
}

fn with(skill: &Skill, changes: &Value) -> Skill {
    let mut document = serde_json::to_value(skill).unwrap();
    document.as_object_mut().unwrap().extend(changes.as_object().unwrap().clone());
    serde_json::from_value(document).unwrap()
}

fn real(shown: &str) -> String {
    shown.replace("␍\n", "\r\n").replace("‹BOM›", "\u{feff}").split("‹END›").next().unwrap().to_owned()
}

fn shown(real: &str) -> String {
    let end = if real.ends_with('\n') || real.is_empty() { "" } else { "‹END›" };
    real.replace('\r', "␍").replace('\u{feff}', "‹BOM›") + end
}

fn changed(case: &str) -> String {
    let (changes, file) = case.split_once('\n').unwrap();
    let changes: Value = serde_json::from_str(changes).unwrap();
    let before = if file.trim() == "none" { None } else { Some(real(file)) };
    let old = before.as_ref().map(|before| read("x", before).unwrap());
    let wanted = with(old.as_ref().map_or(&skill(), |old| &old.skill), &changes);
    let body = changes["body"].as_str().map_or(old.map_or(String::new(), |old| old.body), str::to_owned);
    match write(before.as_deref(), &wanted, &body) {
        Ok(after) => {
            let again = read("x", &after).unwrap();
            assert_eq!((&again.skill, &again.body), (&wanted, &body));
            assert_eq!(write(Some(&after), &wanted, &body).unwrap(), after, "nothing is left to change");
            shown(&after)
        }
        Err(problem) => format!("refused: {}", problem.one_line()),
    }
}

fn refused(file: &str) -> String {
    let (text, problems) = match read("x", file) {
        Ok(file) => (file.text, file.warnings),
        Err(problem) => (normalize(file), vec![problem]),
    };
    assert!(!problems.is_empty(), "nothing is wrong with it");
    problems.iter().map(|problem| problem.long(&text, "x/SKILL.md")).collect::<Vec<_>>().join("\n")
}

#[test]
fn skill_files() {
    insta::with_settings!({prepend_module_to_snapshot => false, snapshot_path => "snapshots/skill-files", omit_expression => true}, {
        insta::glob!("../cases/skill-files", "*.txt", |path| {
            let case = std::fs::read_to_string(path).unwrap();
            let broken = path.file_name().unwrap().to_string_lossy().starts_with("broken-");
            insta::assert_snapshot!(if broken { refused(&case) } else { changed(&case) });
        });
    });
}

/// Texts that YAML likes to take for something else.
fn words() -> impl Strategy<Value = String> {
    prop_oneof![
        prop::sample::select(vec![
            "",
            "yes",
            "Null",
            "~",
            "12",
            "0x1F",
            "1e3",
            ".5",
            "-",
            "- a",
            "a: b",
            "a:",
            "a #b",
            "#a",
            " a ",
            "\"a\"",
            "'a'",
            "it's",
            "[a]",
            "{a: b}",
            "a, b",
            "*a",
            "&a",
            "!a",
            "|",
            ">",
            "%a",
            "@a",
            "`a`",
            "---",
            "...",
            "a\nb",
            "a\n",
            "\na",
            "a\n\n",
            "a\n  b\n",
            "  a\nb",
            "a\n \nb",
            "a\r\nb",
            "a\tb",
            "\ta",
            "a\n\tb",
            "\u{85}",
            "\u{2028}",
            "\u{feff}",
            "\u{0}",
            "🙂",
            "שלום",
            "plain words",
            "? a",
            "= a",
            "<<",
            "a\\b",
            "2026-11-30",
            "12:30:45",
            "---\nname: no\n---\n",
            "# a\n# b\n",
            "\u{a0}a",
            "null",
            "True",
            "a\n---\nb",
        ])
        .prop_map(str::to_owned),
        "\\PC{0,12}",
        "[ -~\n]{0,16}",
        any::<String>(),
    ]
}

fn skills() -> impl Strategy<Value = (Skill, String)> {
    let list = || prop::collection::vec(words(), 0..4);
    let head = (words(), words(), words(), any::<bool>(), any::<bool>(), any::<i64>());
    let tail = (prop::option::of(list()), prop::option::of(words()), list(), words());
    (head, tail).prop_map(|((name, summary, description, ambient, enabled, position), (roles, builtin, attachments, body))| {
        let name = if name.trim().is_empty() { "a".to_owned() } else { name };
        let mode = if ambient { Mode::Ambient } else { Mode::Triggered };
        let skill =
            Skill { slug: "x".to_owned(), name, summary, description, mode, enabled, position, roles, builtin, attachments };
        (skill, normalize(&body))
    })
}

/// Front matter as people write it, to be changed.
fn before() -> impl Strategy<Value = String> {
    let line = prop::sample::select(vec![
        "name: Old",
        "name: \"Old\" # c",
        "name: 'O'",
        "name: Old\n  name",
        "description: old",
        "description: |\n  old\n\n  text\n",
        "description: >- # c\n  old\n  # text",
        "summary: \"a\n  b\"",
        "summary:",
        "summary: # c",
        "mode: ambient  # c",
        "mode: triggered",
        "enabled: no",
        "position: 3",
        "roles: all",
        "roles: [a, b]  # c",
        "roles: [a,\n  b]",
        "roles:\n  - a # c\n  # d\n  - b",
        "roles:\n- a\n- b",
        "attachments:\n  - a.pdf\n\n  - b.pdf",
        "attachments: []",
        "builtin: x",
        "# comment",
        "",
        "license: MIT",
        "metadata:\n  name: x\n  list: [1, 2]",
        "allowed-tools: Read, Write",
    ]);
    let ends = prop::sample::select(vec!["\n", "\r\n"]);
    (prop::collection::vec(line, 0..9), ends, words(), any::<bool>()).prop_map(|(lines, end, body, mark)| {
        let mut keys: Vec<&str> = Vec::new();
        let mut front: Vec<&str> = Vec::new();
        for line in lines.iter().chain(&["name: Old", "description: old"]) {
            let key = line.split(':').next().unwrap();
            let is_key = line.contains(':');
            if !is_key || !keys.contains(&key) {
                keys.push(if is_key { key } else { "" });
                front.push(line);
            }
        }
        let text = format!("---\n{}\n---\n", front.join("\n")).replace('\n', end);
        format!("{}{text}{body}", if mark { "\u{feff}" } else { "" })
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_written_is_read_again((skill, body) in skills()) {
        let file = write(None, &skill, &body).unwrap();
        let again = read("x", &file).unwrap_or_else(|problem| panic!("{}", problem.long(&normalize(&file), "SKILL.md")));
        prop_assert_eq!((again.skill, again.body), (skill, body));
        prop_assert_eq!(again.warnings, vec![]);
    }

    #[test]
    fn any_file_takes_any_change(before in before(), (skill, body) in skills(), old in any::<bool>()) {
        let before = if old { before.replace("\r\n", "\n").replace('\n', "\r") } else { before };
        let after = write(Some(&before), &skill, &body).unwrap_or_else(|problem| panic!("{}\n{before:?}", problem.one_line()));
        let again = read("x", &after).unwrap();
        prop_assert_eq!((&again.skill, &again.body), (&skill, &body));
        prop_assert_eq!(write(Some(&after), &skill, &body).unwrap(), after);
    }

    #[test]
    fn nothing_changed_is_the_same_bytes(before in before()) {
        let file = read("x", &before).unwrap();
        prop_assert_eq!(write(Some(&before), &file.skill, &file.body).unwrap(), before);
    }

    /// Every line that does not say the changed key is still there, with its bytes, in its order.
    #[test]
    fn one_changed_key_leaves_the_other_lines_alone(before in before(), name in words(), position in 4i64..99, disable in any::<bool>()) {
        let file = read("x", &before).unwrap();
        let mut skill = file.skill.clone();
        let key = if disable {
            skill.enabled = !skill.enabled;
            "enabled"
        } else if name.trim().is_empty() {
            skill.position = position;
            "position"
        } else {
            skill.name = name;
            "name"
        };
        let after = write(Some(&before), &skill, &file.body).unwrap();
        let same_front = |text: &str| {
            let lines = text.split_inclusive(['\n', '\r']);
            let mut skipping = false;
            lines.filter(|line| {
                if !line.starts_with([' ', '\n', '\r']) {
                    skipping = line.starts_with(&format!("{key}:"));
                }
                // Lines below a key belong to it; a blank one may stand behind its block.
                !skipping || line.trim().is_empty()
            }).map(|line| line.trim().to_owned() + &line[line.trim_end().len()..]).filter(|line| !line.trim().is_empty()).collect::<Vec<_>>()
        };
        prop_assert_eq!(same_front(&after), same_front(&before));
    }

    #[test]
    fn any_text_is_a_skill_or_a_problem(front in "[a-z:#\\-|>\"'\\[\\]{},&*!? \t\r\n]{0,60}", (skill, body) in skills()) {
        let before = format!("---\nname: a\ndescription: b\n{front}\n---\n");
        if let Ok(file) = read("x", &before) {
            prop_assert_eq!(write(Some(&before), &file.skill, &file.body).unwrap(), before.clone());
            // What cannot be changed in place is refused; what is written is right (`write` reads it again).
            if let Ok(after) = write(Some(&before), &skill, &body) {
                prop_assert_eq!(read("x", &after).unwrap().skill, skill);
            }
        }
    }
}
