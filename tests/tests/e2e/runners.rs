//! The three ways to an opening's text: the page, the command line and HTTP. Each is given the same stored skills.

use super::page::Page;
use super::server::program;
use super::workbench::{fresh, stored};
use axum::http::Method;
use proem_core::api::SkillDetail;
use proem_core::opening::sample::{Sample, Variant};
use serde_json::{Value, json};
use std::path::Path;
use std::process::Command;

/// A sample as a current server or an older one gives it.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    /// The facts.
    pub sample: Sample,
    /// Without `opening`.
    pub old_server: bool,
}

/// What the page shows: chosen by its own tabs and switches, read from the element that holds the opening.
pub async fn page(page: &Page, case: Case) -> String {
    let choose = "const set = (box, on) => { if (box.checked !== on) box.click(); };
        document.querySelector(`[role=tab][data-situation='${a[0]}']`).click();
        set(document.querySelector(`[data-sample-switch] input[value=${a[1]}]`), true);
        set(document.querySelector('input[data-old-server]'), a[2]);
        return true;";
    let Sample { kind, variant } = case.sample;
    page.js::<bool>(choose, &[json!(kind.as_str()), json!(variant.as_str()), json!(case.old_server)]).await;
    let shown = format!("[data-opening='{}'][data-old-server={}][data-stale=false]", case.sample, case.old_server);
    fresh(page).await;
    page.see(&shown).await;
    page.js("return document.querySelector(a[0]).textContent;", &[json!(shown)]).await
}

/// What the server answers.
pub async fn http(page: &Page, case: Case) -> String {
    let wanted = json!({ "sample": case.sample.to_string(), "old_server": case.old_server });
    let opening = page.server.json(Method::POST, "/api/openings/render", wanted).await;
    opening["text"].as_str().expect("a text").to_owned()
}

/// What `proem render` prints, given the role and the skills as files.
pub fn command_line(files: &Path, case: Case) -> String {
    let mut command = Command::new(program());
    command.args(["render", "--sample", &case.sample.to_string(), "--role"]).arg(files.join("role.md"));
    if files.join("skills").is_dir() {
        command.arg("--skills").arg(files.join("skills"));
    }
    if case.old_server {
        command.arg("--old-server");
    }
    let output = command.output().unwrap();
    assert!(output.status.success(), "{case:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// Writes what the command line is given: the role, and each skill of `bodies` as a file in the place of the built-in of its slug.
pub async fn write_files(page: &Page, bodies: &[(&str, &str)], folder: &Path) {
    let role = stored(page).await.into_iter().find(|part| part.slug.is_none()).expect("a role");
    std::fs::write(folder.join("role.md"), role.body).unwrap();
    for (slug, body) in bodies {
        let SkillDetail { skill, .. } = page.server.skill(slug).await;
        let own = folder.join("skills").join(slug);
        std::fs::create_dir_all(&own).unwrap();
        let text = |value: &str| Value::from(value).to_string();
        let front = format!(
            "---\nname: {}\ndescription: {}\nmode: ambient\nposition: {}\nbuiltin: {slug}\n---\n",
            text(&skill.name),
            text(&skill.description),
            skill.position
        );
        std::fs::write(own.join("SKILL.md"), with_front(&front, body)).unwrap();
    }
}

/// A file of front matter and body; a byte order mark of the body begins the file.
fn with_front(front: &str, body: &str) -> String {
    match body.strip_prefix('\u{feff}') {
        Some(body) => format!("\u{feff}{front}{body}"),
        None => format!("{front}{body}"),
    }
}

/// All samples, each with and without `opening`.
pub fn cases() -> Vec<Case> {
    let all = Sample::all().flat_map(|sample| [false, true].map(|old_server| Case { sample, old_server }));
    let all: Vec<Case> = all.collect();
    assert_eq!(all.len(), 24);
    assert!(all.iter().any(|case| case.sample.variant == Variant::Empty));
    all
}
