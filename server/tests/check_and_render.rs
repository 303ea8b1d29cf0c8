//! `proem check` and `proem render` as a user calls them: what is printed where, and the exit code.
#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// Runs the program in the folder of the skill cases, so that paths in its answers are short.
fn proem(arguments: &[&str]) -> Output {
    proem_with(arguments, "")
}

fn proem_with(arguments: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_proem"))
        .args(arguments)
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/cases"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}

fn shown(output: &Output) -> String {
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    format!("exit {:?}\n--- stdout\n{out}--- stderr\n{err}", output.status.code())
}

fn json(output: &Output) -> serde_json::Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {}", shown(output)))
}

#[test]
fn check_tells_every_fault_with_its_place() {
    insta::assert_snapshot!(shown(&proem(&["check", "skills"])));
    insta::assert_snapshot!(shown(&proem(&["check", "skills/clean"])));
}

#[test]
fn check_as_json_has_positions_of_the_file() {
    let output = proem(&["check", "skills/typo", "skills/clean", "skills/colon", "--format", "json"]);
    assert_eq!(output.status.code(), Some(1));
    let report = json(&output);
    assert_eq!(report["errors"], 3);
    let statuses: Vec<_> = report["skills"].as_array().unwrap().iter().map(|skill| skill["status"].clone()).collect();
    assert_eq!(statuses, ["errors", "ok", "broken"]);
    let problem = &report["skills"][0]["problems"][0];
    let file =
        std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/cases/skills/typo/SKILL.md")).unwrap();
    let range = problem["range"][0].as_u64().unwrap() as usize..problem["range"][1].as_u64().unwrap() as usize;
    assert_eq!(&file[range], "task.titel");
    assert_eq!((&problem["line"], &problem["column"]), (&7.into(), &11.into()));
    assert_eq!(problem["suggestion"], "did you mean `task.title`?");
    assert_eq!(report["skills"][2]["problems"][0]["line"], 3);
}

#[test]
fn a_wrong_call_says_what_is_wrong() {
    for call in [
        &["check", "skills/missing"][..],
        &["check", "iris"],
        &["render", "--sample", "task-start/nope"],
        &["render", "--sample", "task"],
        &["render", "--facts", "skills/clean/SKILL.md"],
        &["render", "--sample", "task-start/empty", "--role", "missing.md"],
    ] {
        let output = proem(call);
        assert_eq!(output.status.code(), Some(2), "{call:?}");
        assert!(output.stdout.is_empty(), "{call:?}");
        insta::assert_snapshot!(call.join("_").replace(['/', '.'], "_"), String::from_utf8_lossy(&output.stderr));
    }
    assert_eq!(proem(&["render"]).status.code(), Some(2));
    assert_eq!(proem(&["render", "--facts", "x", "--sample", "task-start/empty"]).status.code(), Some(2));
}

#[test]
fn render_puts_the_opening_on_stdout_and_faults_on_stderr() {
    let output = proem(&["render", "--skills", "skills/typo", "--sample", "task-start/empty", "--no-builtins"]);
    insta::assert_snapshot!(shown(&output));
    let output = proem(&["render", "--skills", "skills/colon", "--sample", "human-conversation-resume/empty"]);
    assert_eq!(output.status.code(), Some(1), "a file that is no skill is an error, and the rest is rendered");
    insta::assert_snapshot!(shown(&output));
    let output = proem(&["render", "--skills", "skills/clean", "--sample", "task-start/populated", "--no-builtins"]);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8_lossy(&output.stdout), "## Clean\n\nDo it: Move the \"orders\" table & its <status> index\n");
}

#[test]
fn hostile_templates_end_with_a_clear_error_and_the_rest_is_there() {
    let output = proem(&["render", "--skills", "skills/endless", "--sample", "task-start/empty", "--format", "json"]);
    assert_eq!(output.status.code(), Some(1));
    let opening = json(&output);
    let endless = opening["parts"].as_array().unwrap().iter().find(|part| part["slug"] == "endless").unwrap();
    assert_eq!(endless["problem"]["message"], "stopped after 2 s: this template takes too long");
    assert!(opening["text"].as_str().unwrap().contains("You are starting work on a task."));
    let folder = tempfile::tempdir().unwrap();
    for (name, body) in [
        ("terms", format!("{{{{ a{} }}}}", "+a".repeat(20_000))),
        ("elifs", format!("{{% if 0 %}}{}{{% endif %}}", "{% elif 0 %}".repeat(5_000))),
        ("brackets", format!("{{{{ {}{} }}}}", "[".repeat(10_000), "]".repeat(10_000))),
        ("stacked", "{% set x=[x] %}".repeat(4_000) + "{{ x }}"),
    ] {
        std::fs::create_dir(folder.path().join(name)).unwrap();
        let text = format!("---\nname: {name}\ndescription: x\nmode: ambient\n---\n{body}");
        std::fs::write(folder.path().join(name).join("SKILL.md"), text).unwrap();
    }
    let output = proem(&["check", folder.path().to_str().unwrap(), "--format", "json"]);
    assert_eq!(output.status.code(), Some(1));
    let report = json(&output);
    let messages: Vec<_> =
        report["skills"].as_array().unwrap().iter().map(|skill| skill["problems"][0]["message"].clone()).collect();
    assert_eq!(
        messages,
        [
            "nested deeper than 60",
            "more than 200 elif in one if",
            "`x` may be nested too deeply to be printed",
            "this expression has more than 400 operators",
        ]
    );
}

#[test]
fn facts_come_from_a_file_or_from_standard_input() {
    let facts = r#"{"organization":{"id":"1","name":"O"},"role":{"id":"1","name":"R"},"task":{"id":"1","title":"T","status":"s"},
        "opening":{"kind":"task-start","contract":1,"updates_omitted":1234567890123456789}}"#;
    let output = proem_with(&["render", "--facts", "-", "--skills", "skills/clean", "--no-builtins"], facts);
    assert_eq!(String::from_utf8_lossy(&output.stdout), "## Clean\n\nDo it: T\n");
    let output = proem_with(&["render", "--facts", "-", "--old-server", "--skills", "skills/clean", "--no-builtins"], facts);
    assert_eq!((output.status.code(), output.stdout.len()), (Some(0), 0));
    let output = proem_with(&["render", "--facts", "-"], r#"{"role": {"id": "1", "nam": "R"}}"#);
    assert_eq!(output.status.code(), Some(2));
    insta::assert_snapshot!(String::from_utf8_lossy(&output.stderr));
}

#[test]
fn a_terminal_gets_no_control_characters_and_a_full_disk_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("loud")).unwrap();
    let text = "---\nname: Loud\ndescription: x\n---\n\u{1b}[2J\u{7} {{ nope }}\n";
    std::fs::write(folder.path().join("loud/SKILL.md"), text).unwrap();
    let output = proem(&["check", folder.path().to_str().unwrap()]);
    assert!(output.stdout.iter().all(|byte| *byte == b'\n' || *byte >= b' '), "{}", shown(&output));
    let Ok(full) = std::fs::File::create("/dev/full") else { return };
    let status = Command::new(env!("CARGO_BIN_EXE_proem"))
        .args(["render", "--sample", "task-start/empty"])
        .stdout(full)
        .stderr(Stdio::null())
        .status()
        .unwrap();
    assert_eq!(status.code(), Some(1));
}

/// A folder with skills that are reached in more than one way, and a file that is called something else.
#[test]
fn each_skill_is_checked_once_however_it_is_reached() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let text = "---\nname: A\ndescription: x\n---\n{{ role.name }}\n";
    for name in ["one", "far/far/far/far/far/down"] {
        std::fs::create_dir_all(path(name)).unwrap();
        std::fs::write(path(&format!("{name}/SKILL.md")), text).unwrap();
    }
    std::fs::write(path("one/draft.md"), text).unwrap();
    std::fs::create_dir(path("empty")).unwrap();
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(folder.path(), path("one/loop")).unwrap();
        std::os::unix::fs::symlink(path("one"), path("far/link")).unwrap();
    }
    let checked = |paths: &[String]| {
        let mut arguments = vec!["check", "--format", "json"];
        arguments.extend(paths.iter().map(String::as_str));
        let report = json(&proem(&arguments));
        let skills = report["skills"].as_array().unwrap();
        skills
            .iter()
            .map(|skill| (skill["path"].as_str().unwrap().to_owned(), skill["slug"].as_str().unwrap().to_owned()))
            .collect::<Vec<_>>()
    };
    let (one, down) = (path("one/SKILL.md"), path("far/far/far/far/far/down/SKILL.md"));
    let both = vec![(down.clone(), "down".to_owned()), (one.clone(), "one".to_owned())];
    let found = checked(&[path("")]);
    assert_eq!(found.len(), 2, "{found:?}");
    assert_eq!(found[0], both[0]);
    assert_eq!(checked(&[down.clone(), one.clone(), path("one"), path("")]), both);
    assert_eq!(checked(&[path("one/draft.md")]), [(path("one/draft.md"), "one".to_owned())]);
    let output = proem(&["check", &path("empty")]);
    assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0));
    assert!(String::from_utf8_lossy(&output.stderr).contains("there is no SKILL.md in this folder"));
    assert_eq!(proem(&["check", &one, &path("nothing")]).status.code(), Some(2));
}

#[test]
fn a_file_that_is_no_text_is_broken_at_its_place() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("latin")).unwrap();
    std::fs::write(folder.path().join("latin/SKILL.md"), b"---\r\nname: Caf\xe9\r\ndescription: x\r\n---\r\n").unwrap();
    let output = proem(&["check", folder.path().to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(1));
    insta::assert_snapshot!(shown(&output).replace(folder.path().to_str().unwrap(), "FOLDER"));
}

#[test]
fn a_misspelt_key_is_a_warning() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("a")).unwrap();
    let text = "---\nname: A\ndescription: x\nrole: writer\n---\n{% if opening and opening.kind == 'task-start' %}x{% endif %}\n";
    std::fs::write(folder.path().join("a/SKILL.md"), text).unwrap();
    let output = proem(&["check", folder.path().to_str().unwrap(), "--format", "json"]);
    assert_eq!(output.status.code(), Some(0));
    let skill = &json(&output)["skills"][0];
    let problem = &skill["problems"][0];
    assert_eq!((&skill["status"], &problem["code"], &problem["line"]), (&"warnings".into(), &"unknown-key".into(), &4.into()));
}
