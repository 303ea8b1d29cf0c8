//! Chat: the first-chat welcome and the turns that deterministic handlers answer.

use serde::{Deserialize, Serialize};

/// `POST`, a [`WelcomeRequest`] or nothing: [`WelcomeAnswer`]. Idempotent. 422 for values it does not take, 500 `welcome_failed` when
/// the turn failed (it is offered again by the next request). `DELETE`: 204; the next request runs the welcome again, whatever the
/// home holds.
pub const WELCOME: &str = "/api/chat/welcome";
/// `POST`, a [`ChatRequest`]: [`ChatAnswer`]. 409 `conflict` when the session was imported and so cannot be continued; 413 for a text of
/// more than 32 KiB, and when the conversation's log is full; 422 for other values it does not take; 500 `turn_failed`.
pub const CHAT: &str = "/api/chat/messages";
/// `POST`: [`ChatAnswer`], 404 when it is not declared, 500 `turn_failed`. Runs a declared opener as a test, in a new session whose id begins with `playground-`, which no list counts.
pub const OPENER: &str = "/api/chat/openers/{name}";

/// Request of [`WELCOME`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct WelcomeRequest {
    /// Where it is asked for: up to 32 characters.
    pub channel: String,
    /// `owner` or `other`.
    pub audience: String,
}

impl Default for WelcomeRequest {
    fn default() -> WelcomeRequest {
        WelcomeRequest { channel: "console".to_owned(), audience: "owner".to_owned() }
    }
}

/// Answer of [`WELCOME`] (specs: system-opened-turns, 4.4).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WelcomeAnswer {
    /// The welcome's session; empty when it was skipped.
    pub session_id: String,
    /// Whether this very request made it.
    pub created: bool,
    /// Its text, masked.
    pub response: String,
    /// `<session>~0`, or empty.
    pub trace_id: String,
    /// When it was made or skipped: a stamp of the session log's form.
    pub at: String,
    /// Whether it was skipped.
    #[serde(default)]
    pub skipped: bool,
    /// Why.
    #[serde(default)]
    pub skip_reason: String,
    /// `<session>@<turn>`, or empty.
    #[serde(rename = "ref", default)]
    pub reference: String,
}

/// Request of [`CHAT`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChatRequest {
    /// The conversation to go on with; absent for a new one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session_id: Option<String>,
    /// What was typed.
    pub text: String,
    /// Where: up to 32 characters; `console` when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub channel: Option<String>,
}

/// A turn that was answered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChatAnswer {
    /// The conversation. The id of its stored log in paths is the same.
    pub session_id: String,
    /// The turn.
    pub turn_id: String,
    /// `<session>@<turn>`.
    #[serde(rename = "ref")]
    pub reference: String,
    /// `<session>~<index>`.
    pub trace_id: String,
    /// The answer, masked.
    pub response: String,
    /// Which handler answered; `governance` when the screen refused the message.
    pub handler: String,
    /// What the response check said: `pass`, `warn`, `retry`, `halt`; `refused` when the screen refused the message.
    pub verdict: String,
    /// Whether the answer stands for an error.
    pub has_errors: bool,
    /// When it was answered.
    pub at: String,
}
