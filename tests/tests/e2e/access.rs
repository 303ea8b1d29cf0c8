//! Every page for everybody: axe finds no fault in light and dark, and nothing runs out of a narrow window.

use super::browser::{LEFT_UNSAVED, run};
use super::page::Page;
use super::server::Server;
use super::workbench::{fresh, write};
use serde_json::{Value, json};
use std::path::Path;

/// What is asked of a page before it is looked at.
struct Place {
    /// For messages.
    name: &'static str,
    /// Path and query.
    path: String,
    /// What must be there first.
    ready: &'static str,
}

fn place(name: &'static str, path: &str, ready: &'static str) -> Place {
    Place { name, path: path.to_owned(), ready }
}

/// Every page, and its states that look different.
async fn places(server: &Server) -> Vec<Place> {
    let log = proem_tests::cases("iris").join("session-3fa9c07be21d.jsonl");
    let id = server.upload("session-3fa9c07be21d.jsonl", &std::fs::read(log).unwrap()).await;
    let talk = server.say(None, "help").await;
    // A message that the input screen refuses, so that there is a denial to see.
    server.say(Some(&talk), "The key is AKIAABCDEFGHIJKLMNOP.").await;
    vec![
        place("a conversation", &format!("/chat/{talk}"), "[data-page=chat][data-state=ready] [data-handler=help]"),
        place("a conversation held elsewhere", &format!("/chat/{id}"), "[data-imported]"),
        place("no such conversation", "/chat/0123456789abcdef", "[data-page=chat][data-state=failed]"),
        place("governance", "/governance", "[data-entry][data-decision=deny]"),
        place("governance, filtered to nothing", "/governance?handler=nobody&from=2026-10-05T08:00:00Z", "[data-clear]"),
        place(
            "a trace with decisions",
            &format!("/sessions/{talk}?turn=~1&node=gov0"),
            "[data-node-detail=gov0] .call-decisions",
        ),
        place("skills", "/skills", "[data-page=skills] li[data-skill]"),
        place("a skill", "/skills/opening-task-start", "[data-page=skill][data-preview=fresh]"),
        place(
            "a skill that is silent",
            "/skills/opening-task-start?situation=agent-conversation-resume&sample=empty&show=own",
            "[data-page=skill][data-preview=fresh] [data-not-sent]",
        ),
        place("branches", "/skills/opening-task-resume?margin=branches", ".matrix tbody tr [data-mark]"),
        place("branches never reached", "/skills/opening-task-resume?margin=never&sample=empty", ".matrix tbody tr.matrix-never"),
        place("facts", "/skills/opening-task-resume?margin=facts&situation=task-resume", ".matrix tbody tr [data-mark]"),
        place("a place and its conditions", "/skills/opening-task-resume?margin=why", ".why-sentence"),
        place("sessions", "/sessions", super::replay::LISTED),
        place("a stored session", &format!("/sessions/{id}"), super::replay::READ),
        place("the example", "/sessions/example", super::replay::READ),
        place("a link to a file", "/sessions/local?name=a.jsonl&size=12&fingerprint=0123456789abcdef", super::replay::ASKS),
        place("rules", "/governance/rules", "[data-proof] [data-rule]"),
        place("no such skill", "/skills/none-of-that-name", "main h1"),
        place("no such page", "/nowhere", "main h1"),
    ]
}

/// A missing skill is asked for, and a faulty text left, on purpose.
const EXPECTED: [&str; 2] = ["404 (Not Found)", LEFT_UNSAVED];

#[tokio::test]
async fn axe_finds_nothing_in_light_and_dark() {
    run("axe", Server::start().await, &EXPECTED, async |page| {
        let mut found = Vec::new();
        let places = places(&page.server).await;
        page.enter("/skills").await;
        for scheme in ["light", "dark"] {
            prefer(page, scheme).await;
            for place in &places {
                page.go(&place.path).await;
                page.see(place.ready).await;
                found.extend(violations(page).await.into_iter().map(|what| format!("{} in {scheme}: {what}", place.name)));
            }
            page.go("/skills/opening-task-start").await;
            fresh(page).await;
            write(page, "{{ nothing }} {% if %}").await;
            page.see("[data-problems] li[data-severity=error]").await;
            found.extend(violations(page).await.into_iter().map(|what| format!("a skill with faults in {scheme}: {what}")));
        }
        assert!(found.is_empty(), "{} faults:\n{}", found.len(), found.join("\n"));
    })
    .await;
}

#[tokio::test]
async fn the_sign_in_page_is_for_everybody() {
    run("axe-sign-in", Server::start().await, &["401 (Unauthorized)"], async |page| {
        for scheme in ["light", "dark"] {
            prefer(page, scheme).await;
            page.go("/skills").await;
            page.see("#token").await;
            assert_eq!(violations(page).await, Vec::<String>::new(), "{scheme}");
            assert_eq!(too_wide(page).await, "");
        }
    })
    .await;
}

#[tokio::test]
async fn nothing_runs_out_of_a_narrow_window() {
    run("narrow", Server::start().await, &EXPECTED, async |page| {
        let mut found = Vec::new();
        let places = places(&page.server).await;
        let size = json!({ "width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": false });
        page.cdp("Emulation.setDeviceMetricsOverride", size).await;
        page.enter("/skills").await;
        for place in &places {
            page.go(&place.path).await;
            page.see(place.ready).await;
            let wide = too_wide(page).await;
            if !wide.is_empty() {
                found.push(format!("{}: {wide}", place.name));
            }
        }
        assert!(found.is_empty(), "{} pages run out of the window:\n{}", found.len(), found.join("\n"));
    })
    .await;
}

/// Sets the colour scheme, and stands animations still.
pub async fn prefer(page: &Page, scheme: &str) {
    let features = json!([
        { "name": "prefers-color-scheme", "value": scheme },
        { "name": "prefers-reduced-motion", "value": "reduce" },
    ]);
    page.cdp("Emulation.setEmulatedMedia", json!({ "features": features })).await;
}

/// What axe finds on the page as it is.
pub async fn violations(page: &Page) -> Vec<String> {
    let axe = Path::new(env!("CARGO_MANIFEST_DIR")).join("../web/editor/node_modules/axe-core/axe.min.js");
    let axe = std::fs::read_to_string(&axe).unwrap_or_else(|error| panic!("{}: {error}; run scripts/test", axe.display()));
    page.driver.execute(axe, Vec::new()).await.unwrap();
    let look = "const done = arguments[0];
        axe.run(document, { resultTypes: ['violations'] }).then(
            found => done(found.violations.flatMap(rule => rule.nodes.map(node =>
                `${rule.id}: ${node.target.flat().join(' ')}: ${(node.any[0] ?? node.all[0] ?? node.none[0])?.message ?? rule.help}`))),
            error => done([String(error)]));";
    let found = page.driver.execute_async(look, Vec::new()).await.unwrap();
    serde_json::from_value(found.json().clone()).unwrap()
}

/// The page's width and what sticks out, when it is wider than the window; else nothing.
pub async fn too_wide(page: &Page) -> String {
    let look = "const width = document.documentElement.clientWidth, wide = document.documentElement.scrollWidth;
        if (wide <= width) return '';
        const out = [...document.querySelectorAll('body *')].filter(it => it.getBoundingClientRect().right > width + 1);
        return `${wide} > ${width}: ` + out.slice(0, 5).map(it => it.outerHTML.slice(0, 120)).join(' … ');";
    page.js(look, &[]).await
}

#[tokio::test]
async fn the_looks_can_fail() {
    run("axe-can-fail", Server::start().await, &[], async |page| {
        page.enter("/skills").await;
        page.see("[data-page=skills]").await;
        let spoil = "const it = document.createElement('button'); it.id = 'nameless'; document.querySelector('main').append(it);
            const wide = document.createElement('div'); wide.style.width = '5000px'; wide.style.height = '1px'; document.body.append(wide); return true;";
        page.js::<Value>(spoil, &[]).await;
        assert!(violations(page).await.iter().any(|what| what.contains("button-name")), "axe sees no nameless button");
        assert!(too_wide(page).await.starts_with("50"), "{}", too_wide(page).await);
    })
    .await;
}
