//! A test in Chromium, from a fresh profile to an empty console: [`run`] is how each begins and ends.

use super::chromedriver::Chromedriver;
use super::page::Page;
use super::server::Server;
use futures_util::FutureExt;
use std::panic::AssertUnwindSafe;
use std::path::Path;
use std::time::Duration;
use thirtyfour::common::capabilities::chromium::ChromiumLikeCapabilities;
use thirtyfour::prelude::*;
use thirtyfour::{BrowserLogEntry, LoggingPrefsLogLevel};
use tokio::sync::Semaphore;

/// More browsers than this at once would only wait for each other.
static BROWSERS: Semaphore = Semaphore::const_new(2);

/// What the browser says when a script leaves a page that would ask about unsaved text: it does not ask after scripts, only after people.
pub const LEFT_UNSAVED: &str = "Blocked attempt to show a 'beforeunload' confirmation";

/// What Chromium is started with, beside its profile.
const FLAGS: [&str; 10] = [
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--window-size=1280,900",
];

/// Runs `body` in a fresh browser. Afterwards the console must be empty, except for messages that hold one of `expected`. A test that
/// fails leaves a picture behind and says where.
pub async fn run(name: &str, server: Server, expected: &[&str], body: impl AsyncFnOnce(&Page)) {
    let _turn = BROWSERS.acquire().await.expect("it is never closed");
    let chromedriver = Chromedriver::get();
    let profile = tempfile::tempdir().unwrap();
    let driver = start(&chromedriver.address, profile.path()).await;
    let page = Page::new(driver.clone(), server);
    let outcome = AssertUnwindSafe(body(&page)).catch_unwind().await;
    let console = driver.browser_log().await.unwrap_or_default();
    let complaints: Vec<String> = console.iter().filter(|entry| is_complaint(entry, expected)).map(line).collect();
    let picture = match (&outcome, complaints.is_empty()) {
        (Ok(()), true) => None,
        _ => Some(take_picture(&driver, name).await),
    };
    let quit = driver.quit().await;
    if let Some(picture) = picture {
        // The panic itself was reported where it happened.
        let failure = if outcome.is_err() { "the test failed as said above" } else { "the console is not empty" };
        panic!("{failure}\n  picture: {picture}\n  console:\n    {}", complaints.join("\n    "));
    }
    quit.expect("the browser ends");
}

async fn start(address: &str, profile: &Path) -> WebDriver {
    let mut wanted = DesiredCapabilities::chrome();
    for flag in FLAGS {
        wanted.add_arg(flag).unwrap();
    }
    wanted.add_arg(&format!("--user-data-dir={}", profile.display())).unwrap();
    wanted.set_browser_log_level(LoggingPrefsLogLevel::All).unwrap();
    if let Some(program) = chromium() {
        wanted.set_binary(&program).unwrap();
    }
    let driver = WebDriver::new(address, wanted).await.unwrap_or_else(|error| panic!("Chromium does not start: {error}"));
    driver.set_script_timeout(Duration::from_secs(60)).await.unwrap();
    driver
}

/// `CHROMIUM`, or Debian's name for it on the search path; else chromedriver's own choice.
fn chromium() -> Option<String> {
    std::env::var("CHROMIUM").ok().or_else(|| {
        let folders = std::env::var_os("PATH")?;
        let found = std::env::split_paths(&folders).map(|folder| folder.join("chromium")).find(|program| program.is_file())?;
        Some(found.to_string_lossy().into_owned())
    })
}

/// Warnings, errors and anything the policy stopped.
fn is_complaint(entry: &BrowserLogEntry, expected: &[&str]) -> bool {
    let loud = ["SEVERE", "WARNING"].contains(&entry.level.as_str()) || entry.message.contains("Content Security Policy");
    loud && !expected.iter().any(|part| entry.message.contains(part))
}

fn line(entry: &BrowserLogEntry) -> String {
    format!("{} {}: {}", entry.level, entry.source.as_deref().unwrap_or("?"), entry.message)
}

async fn take_picture(driver: &WebDriver, name: &str) -> String {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("e2e");
    let path = folder.join(format!("{name}.png"));
    let taken = match std::fs::create_dir_all(&folder) {
        Ok(()) => driver.screenshot(&path).await.map_err(|error| error.to_string()),
        Err(error) => Err(error.to_string()),
    };
    taken.map_or_else(|error| format!("none ({error})"), |()| path.display().to_string())
}
