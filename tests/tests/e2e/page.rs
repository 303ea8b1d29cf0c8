//! What a test does with a page: go somewhere, wait for something, click, type, drop, look. Nothing here sleeps: waiting is the page
//! itself looking again and again at a condition, for [`PATIENCE_MS`] at most.

use super::server::{Server, TOKEN};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::path::Path;
use std::time::{Duration, Instant};
use thirtyfour::prelude::*;

/// How long a condition may take to come true, milliseconds: far more than on a busy machine.
const PATIENCE_MS: u64 = 30_000;

/// What the browser says about a request that [`Page::block`] stopped.
pub const BLOCKED: &str = "net::ERR_BLOCKED_BY_CLIENT";

/// A browser's window on a server.
pub struct Page {
    /// The browser.
    pub driver: WebDriver,
    /// What it talks to.
    pub server: Server,
}

impl Page {
    /// A window that shows nothing yet.
    pub fn new(driver: WebDriver, server: Server) -> Page {
        Page { driver, server }
    }

    /// Signs in by the link and goes to a path.
    pub async fn enter(&self, path: &str) {
        let mark = if path.contains('?') { '&' } else { '?' };
        self.go(&format!("{path}{mark}token={TOKEN}")).await;
    }

    /// Goes to a path as by the address bar.
    pub async fn go(&self, path: &str) {
        self.driver.goto(self.server.url(path)).await.unwrap_or_else(|error| panic!("{path}: {error}"));
    }

    /// Runs a script whose arguments are `a`.
    pub async fn js<T: DeserializeOwned>(&self, script: &str, a: &[Value]) -> T {
        let script = format!("const a = arguments; {script}");
        let answer = self.driver.execute(script.clone(), a.to_vec()).await.unwrap_or_else(|error| panic!("{error} in {script}"));
        let json = answer.json().clone();
        serde_json::from_value(json.clone()).unwrap_or_else(|error| panic!("{error}: {json} of {script}"))
    }

    /// Waits until an expression over `a` is true, and gives it back. The page may be exchanged meanwhile.
    pub async fn until<T: DeserializeOwned>(&self, what: &str, expression: &str, a: &[Value]) -> T {
        const LOOK: &str = "const a = arguments[0], limit = arguments[1], done = arguments[2], start = performance.now();
            (function look() {
                let value, fault;
                try { value = test(); } catch (error) { fault = String(error); }
                if (value || performance.now() - start > limit) done({ value: value ?? null, fault: fault ?? null });
                else setTimeout(look, 20);
            })();";
        let script = format!("const test = () => ({expression}); {LOOK}");
        let end = Instant::now() + Duration::from_millis(PATIENCE_MS);
        let mut last = String::new();
        loop {
            let left = end.saturating_duration_since(Instant::now()).as_millis() as u64;
            match self.driver.execute_async(script.clone(), vec![json!(a), json!(left)]).await {
                Ok(answer) => {
                    let json = answer.json();
                    let value = &json["value"];
                    if !matches!(value, Value::Null | Value::Bool(false)) && *value != json!(0) && *value != json!("") {
                        return serde_json::from_value(value.clone()).unwrap_or_else(|error| panic!("{error}: {value}"));
                    }
                    last = json["fault"].as_str().map(str::to_owned).unwrap_or(last);
                }
                // The page was left while the script waited in it.
                Err(error) => last = error.to_string(),
            }
            assert!(
                Instant::now() < end,
                "waited in vain for {what}\n  {expression}\n  {a:?}\n  {last}\n  {}",
                self.outline().await
            );
        }
    }

    /// Waits for an element.
    pub async fn see(&self, css: &str) {
        self.until::<Value>(css, "!!document.querySelector(a[0])", &[json!(css)]).await;
    }

    /// Waits until no element is there.
    pub async fn gone(&self, css: &str) {
        self.until::<Value>(&format!("{css} to go"), "!document.querySelector(a[0])", &[json!(css)]).await;
    }

    /// Waits for an element that says something, and gives all its text.
    pub async fn text(&self, css: &str) -> String {
        self.until(&format!("text in {css}"), "document.querySelector(a[0])?.textContent", &[json!(css)]).await
    }

    /// Waits until an element's text holds another.
    pub async fn says(&self, css: &str, part: &str) {
        let test = "[...document.querySelectorAll(a[0])].some(it => it.textContent.includes(a[1]))";
        self.until::<Value>(&format!("{part:?} in {css}"), test, &[json!(css), json!(part)]).await;
    }

    /// Waits for an element and clicks it as a person does: it must be visible and not covered.
    pub async fn click(&self, css: &str) {
        self.see(css).await;
        let element = self.driver.find(By::Css(css)).await.unwrap_or_else(|error| panic!("{css}: {error}"));
        element.scroll_into_view().await.unwrap_or_else(|error| panic!("{css}: {error}"));
        element.click().await.unwrap_or_else(|error| panic!("{css}: {error}"));
    }

    /// Types keys wherever the focus is.
    pub async fn keys(&self, keys: impl AsRef<str>) {
        self.driver.action_chain().send_keys(keys.as_ref()).perform().await.unwrap_or_else(|error| panic!("{error}"));
    }

    /// Presses one key.
    pub async fn press(&self, key: Key) {
        self.keys(char::from(key).to_string()).await;
    }

    /// Presses one key while another is held.
    pub async fn chord(&self, held: Key, key: char) {
        let chain = self.driver.action_chain().key_down(held.clone()).key_down(key).key_up(key).key_up(held);
        chain.perform().await.unwrap_or_else(|error| panic!("{error}"));
    }

    /// One command of the browser's own protocol.
    pub async fn cdp(&self, method: &str, parameters: Value) -> Value {
        self.driver.cdp().send_raw(method, parameters).await.unwrap_or_else(|error| panic!("{method}: {error}"))
    }

    /// Lets requests to these addresses (with `*`) fail from now on, and all others go.
    pub async fn block(&self, urls: &[&str]) {
        self.cdp("Network.enable", json!({})).await;
        self.cdp("Network.setBlockedURLs", json!({ "urls": urls })).await;
    }

    /// Drops files on an element: a drop that the browser itself makes.
    pub async fn drop_files(&self, css: &str, files: &[&Path]) {
        self.see(css).await;
        let centre = "const r = document.querySelector(a[0]).getBoundingClientRect(); return [r.x + r.width / 2, r.y + Math.min(r.height, 300) / 2];";
        let (x, y): (f64, f64) = self.js(centre, &[json!(css)]).await;
        let files: Vec<_> = files.iter().map(|path| path.canonicalize().unwrap()).collect();
        for step in ["dragEnter", "dragOver", "drop"] {
            let data = json!({ "items": [], "files": files, "dragOperationsMask": 1 });
            self.cdp("Input.dispatchDragEvent", json!({ "type": step, "x": x, "y": y, "data": data })).await;
        }
    }

    /// Chooses a file in a file input.
    pub async fn choose_file(&self, css: &str, file: &Path) {
        self.see(css).await;
        let input = self.driver.find(By::Css(css)).await.unwrap();
        input.send_keys(file.canonicalize().unwrap().to_string_lossy()).await.unwrap_or_else(|error| panic!("{css}: {error}"));
    }

    /// Path and query of the address.
    pub async fn address(&self) -> String {
        self.js("return location.pathname + location.search;", &[]).await
    }

    /// What the page says, for the message of a failed wait.
    async fn outline(&self) -> String {
        let script = "return location.href + '\\n' + (document.querySelector('main')?.innerText ?? document.body.innerText).slice(0, 1500)";
        match self.driver.execute(script, Vec::new()).await {
            Ok(answer) => answer.json().as_str().unwrap_or_default().replace('\n', "\n    "),
            Err(error) => error.to_string(),
        }
    }
}
