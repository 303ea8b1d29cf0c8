//! Foreign text is text: titles, labels, names and answers that look like markup or links make neither elements nor dialogs.

use super::browser::run;
use super::page::Page;
use super::replay::{LISTED, LOG, READ, has_alert, iris, trace, turns};
use super::server::Server;
use super::workbench::{SKILL, fresh, open, write};
use serde_json::{Value, json};

const MARKUP: &str = "<img src=x onerror=alert(1)><script>alert(2)</script>";
const MARKDOWN: &str =
    "[press](javascript:alert(3)) ![see](https://example.org/pixel.png) <svg onload=alert(4)> <a href='data:text/html,x'>go</a>";

/// The log with foreign words in every place that is shown.
fn log() -> String {
    let text = std::fs::read_to_string(iris(LOG)).unwrap();
    let quoted = |value: &str| json!(value).to_string().trim_matches('"').to_owned();
    let mut log = text;
    for (word, foreign) in [
        ("First-chat welcome", MARKUP),
        ("what time is it?", MARKDOWN),
        ("Hello. I can look things up for you.", MARKDOWN),
        ("It is 10:15.", MARKUP),
        ("stock_quote", MARKUP),
        ("\"welcome\"", "\"<b>welcome</b>\""),
        ("big:7b", MARKUP),
    ] {
        assert!(log.contains(word), "{word}");
        let foreign = if foreign.starts_with('"') { foreign.to_owned() } else { quoted(foreign) };
        log = log.replace(word, &foreign);
    }
    log
}

/// No element, link or dialog that foreign text could have made.
async fn is_text(page: &Page) {
    assert!(!has_alert(page).await, "a dialog opened");
    let look = "const odd = [...document.querySelectorAll('main img, main script, main iframe, main object, main svg[onload], main b')];
        const links = [...document.querySelectorAll('main a[href]')].filter(it => !['http:', 'https:', 'mailto:'].includes(it.protocol));
        return [...odd, ...links].map(it => it.outerHTML.slice(0, 200));";
    assert_eq!(page.js::<Vec<String>>(look, &[]).await, Vec::<String>::new());
}

#[tokio::test]
async fn words_of_a_log_stay_words() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("<img src=x onerror=alert(5)>.jsonl");
    std::fs::write(&file, log()).unwrap();
    run("foreign-log", Server::start().await, &[], async |page| {
        page.enter("/sessions").await;
        page.drop_files(LISTED, &[&file]).await;
        let shown = turns(page).await;
        assert!(shown[0].label.as_deref().is_some_and(|label| label.contains(MARKUP)), "{:?}", shown[0]);
        assert!(shown[1].messages[0].1.contains("javascript:alert(3)"), "what a person typed is shown as typed: {:?}", shown[1]);
        assert!(shown[1].messages[1].1.contains("onerror=alert(1)"), "{:?}", shown[1]);
        is_text(page).await;
        for turn in &shown {
            let drawn = trace(page, &turn.reference).await;
            for (id, ..) in drawn.rows {
                page.click(&format!("[data-trace='{}'] [role=option][data-node='{id}']", turn.reference)).await;
                page.see(&format!("[data-node-detail='{id}']")).await;
                is_text(page).await;
            }
        }
        page.go("/sessions").await;
        page.see(LISTED).await;
        is_text(page).await;
    })
    .await;
}

#[tokio::test]
async fn words_of_a_stored_session_stay_words() {
    let server = Server::start().await;
    let id = server.upload("%3Cimg%20src%3Dx%20onerror%3Dalert(5)%3E.jsonl", log().as_bytes()).await;
    run("foreign-stored", server, &[], async |page| {
        page.enter("/sessions").await;
        page.see(&format!("li[data-session='{id}']")).await;
        is_text(page).await;
        page.click(&format!("li[data-session='{id}'] a.list-title")).await;
        page.see(READ).await;
        is_text(page).await;
    })
    .await;
}

#[tokio::test]
async fn words_of_a_template_stay_words() {
    run("foreign-skill", Server::start().await, &[], async |page| {
        open(page, SKILL).await;
        write(page, &format!("{MARKUP}\n{MARKDOWN}\n{{{{ \"{MARKUP}\" }}}}\n")).await;
        fresh(page).await;
        page.says("[data-opening]", MARKUP).await;
        page.says("[data-opening]", MARKDOWN).await;
        is_text(page).await;
        // A fault quotes the text it is about.
        write(page, &format!("{{{{ \"{MARKUP}\" | no_such_filter }}}} {{% {MARKUP} %}}")).await;
        page.see("[data-problems] li[data-severity=error]").await;
        is_text(page).await;
        page.until::<Value>("the page still works", "!!document.querySelector('[data-page=skill]')", &[]).await;
    })
    .await;
}
