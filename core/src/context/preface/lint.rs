//! What deserves a remark about a preface's entries (specs: retrieved-content, sections 5, 6 and 9). Remarks never refuse anything.

use super::{Entry, Mode, classify, read, tag};
use serde::{Deserialize, Serialize};

/// The name that the rule about envelopes goes by in prompts.
const RULE: &str = "retrieved_content_hygiene";

/// One remark.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lint {
    /// Position of the entry; absent when it concerns all of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub entry: Option<usize>,
    /// Stable name: `generic-source`, `origin-form`, `no-fetched-at`, `differing-stamps`, `nested`, `breaks-tag`.
    pub code: String,
    /// A sentence: what is meant and what to do.
    pub message: String,
}

/// All remarks about entries that are rendered in a mode.
pub fn lint(entries: &[Entry], mode: Mode) -> Vec<Lint> {
    let mut found = Vec::new();
    for (at, entry) in entries.iter().enumerate() {
        let mut say = |code: &str, message: String| found.push(Lint { entry: Some(at), code: code.to_owned(), message });
        if !classify(&entry.source).known {
            let message = match entry.source.as_str() {
                "" => "The source is empty, so the entry is treated as external: name a tier or a content key such as `web:https://…`.".to_owned(),
                source => format!(
                    "`{source}` is neither a trust tier nor a content key (`memory:…`, `artifact:…`, `web:…`), so the entry is treated as external: name one of them."
                ),
            };
            say("generic-source", message);
        }
        if !is_host_and_scope(&entry.origin) {
            say(
                "origin-form",
                format!(
                    "The origin `{}` is not of the form `host:scope`, such as `workspace:w1/session:s1`: nobody can tell from it where the text comes from.",
                    entry.origin
                ),
            );
        }
        if stamp(entry).is_none() {
            say("no-fetched-at", "There is no time of fetching: leave it out only for text that never changes.".to_owned());
        }
        if mode == Mode::Parity {
            for (name, value) in
                [("source", Some(&entry.source)), ("origin", Some(&entry.origin)), ("time", entry.fetched_at.as_ref())]
            {
                if value.is_some_and(|value| value.contains(['"', '<', '>'])) {
                    say(
                        "breaks-tag",
                        format!(
                            "The {name} holds a quote or an angle bracket, which goes out as it is and can end the tag: take it out, or render in hardened mode."
                        ),
                    );
                }
            }
        }
        if !read(&entry.body).envelopes.is_empty() && (mode == Mode::Hardened || entry.origin != "artifacts:session") {
            say("nested", "The body holds an envelope of its own. Envelopes are not nested on purpose: give it as an entry beside this one.".to_owned());
        }
    }
    let mut stamps: Vec<&str> = entries.iter().filter_map(stamp).collect();
    stamps.sort_unstable();
    stamps.dedup();
    if stamps.len() > 1 {
        let message = format!(
            "The entries have {} different times of fetching; one time, taken once, serves all entries of a turn.",
            stamps.len()
        );
        found.push(Lint { entry: None, code: "differing-stamps".to_owned(), message });
    }
    found
}

fn stamp(entry: &Entry) -> Option<&str> {
    entry.fetched_at.as_deref().filter(|stamp| !stamp.is_empty())
}

/// Whether an origin can be taken apart into a host and a scope.
fn is_host_and_scope(origin: &str) -> bool {
    let plain = |c: char| !(c.is_whitespace() || c.is_control() || matches!(c, '"' | '<' | '>'));
    let host = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    origin.chars().all(plain)
        && origin.split_once(':').is_some_and(|(left, scope)| !left.is_empty() && left.chars().all(host) && !scope.is_empty())
}

/// Whether a text that holds an envelope also states the rule that tells a model what envelopes are; true as well when it holds none.
pub fn states_the_rule(text: &str) -> bool {
    text.contains(RULE) || tag::candidates(text).next().is_none()
}
