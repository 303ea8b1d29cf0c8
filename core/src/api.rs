//! The HTTP contract: paths, requests, answers and errors, shared by server and browser. Types only.

pub mod chat;
pub mod governance;

use crate::log::SessionSummary;
use crate::opening::kind::{SessionResult, Subject};
use crate::skill::{Revision, Skill};
use crate::template::problem::Problem;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

/// `GET`: [`Health`]. The only path that needs no token.
pub const HEALTH: &str = "/api/health";
/// `POST`, a [`SignIn`]: sets the cookie, or 401.
pub const SIGN_IN: &str = "/api/sign-in";
/// `GET`: [`RoleDetail`], the role whose openings are shown.
pub const ROLE: &str = "/api/role";
/// `GET`: [`SkillList`].
pub const SKILLS: &str = "/api/skills";
/// `GET`: [`SkillDetail`]; `PUT`, a [`SaveSkill`]: [`SkillDetail`], 409 with [`ApiError::head`], or 422 with [`ApiError::problems`].
pub const SKILL: &str = "/api/skills/{slug}";
/// `GET`: [`RevisionList`], newest first.
pub const REVISIONS: &str = "/api/skills/{slug}/revisions";
/// `POST`, a [`RenderRequest`]: an [`Opening`](crate::opening::compose::Opening), or 422.
pub const RENDER: &str = "/api/openings/render";
/// `GET`: [`SessionList`]; with `?include_runs=true` test, playground and evaluation runs as well.
pub const SESSIONS: &str = "/api/sessions";
/// `GET`: [`StoredSession`].
pub const SESSION: &str = "/api/sessions/{id}";
/// `GET`: a [`Replay`](crate::log::Replay) of the conversation, for chats: answers masked as they were when they were given. 413 when the
/// log is larger than a chat is: replay it from its bytes.
pub const SESSION_MESSAGES: &str = "/api/sessions/{id}/messages";
/// `GET`: the bytes of the log as they were uploaded.
pub const SESSION_RAW: &str = "/api/sessions/{id}/raw";
/// `GET`: [`UploadState`]; `PUT` with `?name=FILE&size=BYTES&offset=BYTES` and raw bytes: [`UploadState`]. `{id}` is the file's
/// fingerprint (16 to 64 hex digits), chosen by the client, so that an interrupted upload is found again.
///
/// A body may be the whole file or any next piece of it. An `offset` other than the bytes stored so far is answered 409 with
/// [`ApiError::received`], where to go on. The session is made by the request that completes the file; when that request was
/// cut off after its last byte, an empty body at `offset=size` asks again. Text that is no log: 422, and the upload is dropped.
/// A log whose session is stored with other text: 409 `conflict`; stored text that the new text continues is replaced by it.
pub const UPLOAD: &str = "/api/uploads/{id}";

/// Answer of [`HEALTH`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Health {
    /// Always `ok`.
    pub status: String,
    /// The server's version.
    pub version: String,
}

/// Request of [`SIGN_IN`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SignIn {
    /// The token of this start, as `proem serve` printed it.
    pub token: String,
}

/// Any answer that is not a success.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ApiError {
    /// Stable machine name: `unauthorized`, `forbidden` (a host or page that may not ask), `not_found`, `method_not_allowed`,
    /// `bad_request`, `stale`, `refused`, `too_large`, `conflict`, `unreadable`, `internal`, `welcome_failed`, `turn_failed`, `unavailable`.
    pub code: String,
    /// A sentence for a person.
    pub message: String,
    /// Why a save was refused.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub problems: Vec<Problem>,
    /// What is stored now, when a save named an older revision.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub head: Option<Box<Revision>>,
    /// Bytes stored so far, when an upload went on at another place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub received: Option<u64>,
}

/// Answer of [`ROLE`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RoleDetail {
    /// Stable id.
    pub id: String,
    /// Name for people.
    pub name: String,
    /// The current instruction.
    pub head: Revision,
}

/// Answer of [`SKILLS`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SkillList {
    /// In order of position, then slug, each with its current text: the preview renders all of them.
    pub skills: Vec<SkillDetail>,
}

/// A skill with its current text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SkillDetail {
    /// The skill.
    #[serde(flatten)]
    pub skill: Skill,
    /// Its newest revision.
    pub head: Revision,
}

/// Request to save a new text of a skill.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SaveSkill {
    /// The revision the text was written on; 409 when it is no longer the newest.
    pub base: u32,
    /// The new text. Line ends are normalised and a leading byte order mark is removed.
    pub body: String,
    /// Why.
    #[serde(default)]
    pub note: String,
}

/// Answer of [`REVISIONS`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RevisionList {
    /// Newest first.
    pub revisions: Vec<Revision>,
}

/// Request of [`RENDER`]: either a sample, or facts with what they are about.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(untagged, try_from = "RenderFields")]
pub enum RenderRequest {
    /// One of the twelve samples.
    Sample {
        /// `KIND/VARIANT`, for example `task-start/populated`.
        sample: String,
        /// Leave `opening` out, as an older server does.
        old_server: bool,
    },
    /// Facts of a real run.
    Facts {
        /// The facts document (specs: opening, section 2), as it was sent, so that no digit is lost.
        facts: Box<RawValue>,
        /// What the run is about.
        subject: Subject,
        /// Whether its session is new.
        session: SessionResult,
    },
}

/// Every field a [`RenderRequest`] may have: raw JSON cannot be read through an untagged enum.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RenderFields {
    sample: Option<String>,
    old_server: Option<bool>,
    facts: Option<Box<RawValue>>,
    subject: Option<Subject>,
    session: Option<SessionResult>,
}

impl TryFrom<RenderFields> for RenderRequest {
    type Error = &'static str;

    fn try_from(fields: RenderFields) -> Result<Self, Self::Error> {
        match fields {
            RenderFields { sample: Some(sample), old_server, facts: None, subject: None, session: None } => {
                Ok(RenderRequest::Sample { sample, old_server: old_server.unwrap_or(false) })
            }
            RenderFields {
                sample: None,
                old_server: None,
                facts: Some(facts),
                subject: Some(subject),
                session: Some(session),
            } => Ok(RenderRequest::Facts { facts, subject, session }),
            _ => Err("give either `sample` (and `old_server`), or all of `facts`, `subject` and `session`"),
        }
    }
}

/// Answer of [`SESSIONS`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SessionList {
    /// Latest activity first.
    pub sessions: Vec<StoredSession>,
}

/// A stored log and what its first reading found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StoredSession {
    /// Identifies the stored log in paths: lower-case letters, digits and dashes.
    pub id: String,
    /// The name of the file it came from.
    pub file_name: String,
    /// Whether Proem ran the conversation itself; otherwise it was imported.
    #[serde(default)]
    pub live: bool,
    /// Where the conversation was held, when Proem ran it: `web`, `console`, …
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub channel: Option<String>,
    /// When it was stored, RFC 3339, UTC.
    pub stored_at: String,
    /// The summary of the session in it.
    pub summary: SessionSummary,
}

/// How far an upload has come.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct UploadState {
    /// Bytes stored for good.
    pub received: u64,
    /// The session, once every byte is there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<StoredSession>,
}
