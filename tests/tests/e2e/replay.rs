//! The session pages as tests see them: the turns of a replay and the trace beside it, read from the page.

use super::page::Page;
use serde::Deserialize;
use serde_json::{Value, json};
use std::path::PathBuf;

/// The page of all sessions is there.
pub const LISTED: &str = "[data-drop-zone]";
/// A session is there, read to its end.
pub const READ: &str = "[data-session-page][data-state=ready] article[data-turn]";
/// A link to a local file asks for the file.
pub const ASKS: &str = "[data-session-page][data-state=ask] [data-ask-file]";

/// The log whose reading is written down beside it.
pub const LOG: &str = "session-3fa9c07be21d.jsonl";

/// A file of the IRIS cases.
pub fn iris(name: &str) -> PathBuf {
    proem_tests::cases("iris").join(name)
}

/// A turn as the page shows it.
#[derive(Debug, Deserialize)]
pub struct Turn {
    /// Its reference.
    pub reference: String,
    /// Who opened it.
    pub opened_by: String,
    /// How it ended.
    pub outcome: String,
    /// The label of one that nobody typed.
    pub label: Option<String>,
    /// Role and all text of each message.
    pub messages: Vec<(String, String)>,
}

/// A call trace as the page shows it.
#[derive(Debug, Deserialize)]
pub struct Trace {
    /// Id, kind and all text of each row.
    pub rows: Vec<(String, String, String)>,
    /// Ids of the bars drawn.
    pub bars: Vec<String>,
    /// Id and kind of each arrow.
    pub edges: Vec<(String, String)>,
}

/// The turns that are shown, in order.
pub async fn turns(page: &Page) -> Vec<Turn> {
    page.see(READ).await;
    let look = "return [...document.querySelectorAll('article[data-turn]')].map(it => ({
        reference: it.dataset.turn, opened_by: it.dataset.openedBy, outcome: it.dataset.outcome,
        label: it.querySelector('[data-request]')?.textContent ?? null,
        messages: [...it.querySelectorAll('[data-message]')].map(it => [it.dataset.message, it.textContent]),
    }));";
    page.js(look, &[]).await
}

/// Chooses a turn by its link, and reads its trace.
pub async fn trace(page: &Page, reference: &str) -> Trace {
    page.click(&format!("article[data-turn='{reference}'] a[data-turn-link]")).await;
    page.see(&format!("article[data-turn='{reference}'][aria-current=true]")).await;
    shown_trace(page, reference).await
}

/// Reads the trace beside the replay, which must be that turn's.
pub async fn shown_trace(page: &Page, reference: &str) -> Trace {
    page.see(&format!("[data-trace='{reference}'] [role=option][data-node]")).await;
    let look = "const it = document.querySelector(`[data-trace='${a[0]}']`), all = css => [...it.querySelectorAll(css)];
        return {
            rows: all('[role=option][data-node]').map(it => [it.dataset.node, it.dataset.kind, it.textContent]),
            bars: all('svg[data-drawing] rect[data-bar]').map(it => it.dataset.bar),
            edges: all('g[data-edge]').map(it => [it.dataset.edge, it.dataset.edgeKind]),
        };";
    page.js(look, &[json!(reference)]).await
}

/// Shows the turns that hold nothing a reader needs, too.
pub async fn show_hidden(page: &Page) {
    page.see("input#show-hidden").await;
    let turn_on = "const box = document.querySelector('input#show-hidden'); if (!box.checked) box.click(); return true;";
    page.js::<bool>(turn_on, &[]).await;
}

/// Path and query that link to a turn of what is open.
pub async fn link_to(page: &Page, reference: &str) -> String {
    let href = "return document.querySelector(`article[data-turn='${a[0]}'] a[data-turn-link]`).getAttribute('href');";
    page.js(href, &[json!(reference)]).await
}

/// Whether the browser shows a dialog that a page's script opened.
pub async fn has_alert(page: &Page) -> bool {
    page.driver.get_alert_text().await.is_ok()
}

/// Differences between what is shown and what is written down about a log: its turns, what was said, and every trace.
pub async fn compare(page: &Page, expected: &Value) -> Vec<String> {
    let mut wrong = Vec::new();
    let proem = &expected["proem"];
    let shown = turns(page).await;
    let wanted = proem["turns"].as_array().expect("turns");
    let references: Vec<&str> = shown.iter().map(|turn| turn.reference.as_str()).collect();
    let all: Vec<&str> = wanted.iter().map(|turn| turn["ref"].as_str().expect("a reference")).collect();
    if references != all {
        return vec![format!("turns: {references:?}, not {all:?}")];
    }
    for (turn, wanted) in shown.iter().zip(wanted) {
        let mut check = |what: &str, is: Value, expected: &Value| {
            if is != *expected {
                wrong.push(format!("{} {what}: {is}, not {expected}", turn.reference));
            }
        };
        check("opened by", json!(turn.opened_by), &wanted["opened_by"]);
        check("outcome", json!(turn.outcome), &wanted["outcome"]);
        let said: Vec<&Value> = of_turn(&proem["replay"], &turn.reference);
        let roles: Vec<&str> = turn.messages.iter().map(|(role, _)| role.as_str()).collect();
        check("roles", json!(roles), &said.iter().map(|message| message["role"].clone()).collect());
        for ((_, text), message) in turn.messages.iter().zip(&said) {
            let wanted = message["text"].as_str().unwrap_or_default();
            // White space may be laid out; notices have words of their own.
            if message["role"] != "notice" && !squeezed(text).contains(&squeezed(wanted)) {
                wrong.push(format!("{}: {wanted:?} is not in {text:?}", turn.reference));
            }
        }
        if turn.opened_by == "system" {
            let label = turn.label.as_deref().unwrap_or_default();
            let request = wanted["request"].as_str().unwrap_or_default();
            if !label.contains(request) || roles.contains(&"user") {
                wrong.push(format!("{}: the label {label:?} of a turn nobody typed, {roles:?}", turn.reference));
            }
        }
    }
    for reference in all {
        wrong.extend(compare_trace(reference, &trace(page, reference).await, &proem["traces"][reference]));
    }
    wrong
}

/// A log alone has no rows of the ledger, and so no nodes and edges of them.
fn compare_trace(reference: &str, shown: &Trace, wanted: &Value) -> Vec<String> {
    let mut wrong = Vec::new();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let nodes: Vec<&Value> =
        wanted["nodes"].as_array().expect("nodes").iter().filter(|node| node["kind"] != "governance").collect();
    let edges = wanted["edges"].as_array().expect("edges").iter().filter(|edge| edge["label"] != "guard");
    let mut pairs: Vec<(String, String)> = edges.map(|edge| (text(&edge["id"]), text(&edge["kind"]))).collect();
    let mut drawn = shown.edges.clone();
    pairs.sort();
    drawn.sort();
    if drawn != pairs {
        wrong.push(format!("{reference} edges: {drawn:?}, not {pairs:?}"));
    }
    let mut ids: Vec<String> = nodes.iter().map(|node| text(&node["id"])).collect();
    let (mut rows, mut bars): (Vec<String>, _) = (shown.rows.iter().map(|(id, ..)| id.clone()).collect(), shown.bars.clone());
    ids.sort();
    rows.sort();
    bars.sort();
    if rows != ids || bars != ids {
        wrong.push(format!("{reference} nodes: rows {rows:?}, bars {bars:?}, not {ids:?}"));
    }
    for node in nodes {
        let row = shown.rows.iter().find(|(id, ..)| node["id"] == **id);
        let fits = row.is_some_and(|(_, kind, all)| node["kind"] == **kind && all.contains(&text(&node["label"])));
        if !fits {
            wrong.push(format!("{reference} {}: {row:?}, not {} {}", node["id"], node["kind"], node["label"]));
        }
    }
    wrong
}

fn of_turn<'a>(replay: &'a Value, reference: &str) -> Vec<&'a Value> {
    replay.as_array().expect("messages").iter().filter(|message| message["ref"] == *reference).collect()
}

fn squeezed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
