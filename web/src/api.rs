//! The only place that talks to the server: one function for each path of the HTTP contract.

use crate::page::query::encode;
use crate::state::filters;
use gloo_net::http::{Request, RequestBuilder, Response};
use leptos::prelude::*;
use proem_core::api::chat::{self, ChatAnswer, ChatRequest, WelcomeAnswer, WelcomeRequest};
use proem_core::api::governance::{self, GovernanceState, LedgerPage, LedgerQuery, ProofBundle, RulesDocument, SaveRules};
use proem_core::api::{self, ApiError, Health, RenderRequest, RevisionList, RoleDetail, SaveSkill, SessionList, SignIn};
use proem_core::api::{SkillDetail, SkillList, StoredSession, UploadState};
use proem_core::log::Replay;
use proem_core::opening::compose::Opening;
use serde::{Serialize, de::DeserializeOwned};
use web_sys::AbortSignal;

thread_local! {
    static SIGNED_OUT: ArcRwSignal<bool> = ArcRwSignal::new(false);
}

/// True once the server has answered 401: the shell then shows the sign-in page in place of everything.
pub fn signed_out() -> ArcRwSignal<bool> {
    SIGNED_OUT.with(Clone::clone)
}

/// `GET` [`api::HEALTH`].
pub async fn health() -> Result<Health, ApiError> {
    get(api::HEALTH).await
}

/// `POST` [`api::SIGN_IN`]; on success the pages come back.
pub async fn sign_in(token: &str) -> Result<(), ApiError> {
    let request = with_json(Request::post(api::SIGN_IN), &SignIn { token: token.trim().to_owned() })?;
    let response = request.send().await.map_err(unreachable_server)?;
    if response.status() == 401 {
        return Err(failure(&response).await);
    }
    check(response).await?;
    signed_out().set(false);
    Ok(())
}

/// `GET` [`api::ROLE`].
pub async fn role() -> Result<RoleDetail, ApiError> {
    get(api::ROLE).await
}

/// `GET` [`api::SKILLS`].
pub async fn skills() -> Result<SkillList, ApiError> {
    get(api::SKILLS).await
}

/// `GET` [`api::SKILL`].
pub async fn skill(slug: &str) -> Result<SkillDetail, ApiError> {
    get(&fill(api::SKILL, slug)).await
}

/// `PUT` [`api::SKILL`]: stores a new revision. Code `stale` comes with the stored head, `refused` with the problems.
pub async fn save_skill(slug: &str, text: &SaveSkill) -> Result<SkillDetail, ApiError> {
    answer(with_json(Request::put(&fill(api::SKILL, slug)), text)?).await
}

/// `GET` [`api::REVISIONS`].
pub async fn revisions(slug: &str) -> Result<RevisionList, ApiError> {
    get(&fill(api::REVISIONS, slug)).await
}

/// `POST` [`api::RENDER`].
pub async fn render(request: &RenderRequest) -> Result<Opening, ApiError> {
    answer(with_json(Request::post(api::RENDER), request)?).await
}

/// `GET` [`api::SESSIONS`].
pub async fn sessions() -> Result<SessionList, ApiError> {
    get(api::SESSIONS).await
}

/// `GET` [`api::SESSION`].
pub async fn session(id: &str) -> Result<StoredSession, ApiError> {
    get(&fill(api::SESSION, id)).await
}

/// `GET` [`api::SESSION_MESSAGES`].
pub async fn session_messages(id: &str) -> Result<Replay, ApiError> {
    get(&fill(api::SESSION_MESSAGES, id)).await
}

/// `GET` [`api::SESSION_RAW`]: the log's bytes, ready to be handed to the reader.
pub async fn session_raw(id: &str) -> Result<js_sys::ArrayBuffer, ApiError> {
    let bytes = Request::get(&fill(api::SESSION_RAW, id)).send().await.map_err(unreachable_server)?;
    let bytes = check(bytes).await?.binary().await.map_err(unreachable_server)?;
    Ok(js_sys::Uint8Array::from(bytes.as_slice()).buffer())
}

/// Where the example log lies among the pages' files.
pub const EXAMPLE_LOG: &str = "/example/session-example.jsonl";

/// Where the example of a fork's seed lies among the pages' files.
pub const EXAMPLE_SEED: &str = "/example/seed-trunk.json";

/// An example that comes with the pages.
pub async fn example(path: &str) -> Result<js_sys::ArrayBuffer, ApiError> {
    let response = check(Request::get(path).send().await.map_err(unreachable_server)?).await?;
    let bytes = response.binary().await.map_err(unreachable_server)?;
    Ok(js_sys::Uint8Array::from(bytes.as_slice()).buffer())
}

/// What the pages call themselves where a turn is asked for.
const CHANNEL: &str = "web";

/// `POST` [`chat::WELCOME`].
pub async fn welcome() -> Result<WelcomeAnswer, ApiError> {
    let request = WelcomeRequest { channel: CHANNEL.to_owned(), ..WelcomeRequest::default() };
    answer(with_json(Request::post(chat::WELCOME), &request)?).await
}

/// `DELETE` [`chat::WELCOME`]: the next request runs the welcome again.
pub async fn offer_welcome_again() -> Result<(), ApiError> {
    answer_text(Request::delete(chat::WELCOME).build().map_err(own_fault)?).await.map(drop)
}

/// `POST` [`chat::CHAT`]: says something in a conversation, or in a new one.
pub async fn say(session: Option<String>, text: String) -> Result<ChatAnswer, ApiError> {
    let request = ChatRequest { session_id: session, text, channel: Some(CHANNEL.to_owned()) };
    answer(with_json(Request::post(chat::CHAT), &request)?).await
}

/// `GET` [`governance::GOVERNANCE`].
pub async fn governance() -> Result<GovernanceState, ApiError> {
    get(governance::GOVERNANCE).await
}

/// `GET` [`governance::LEDGER`]: at most so many rows.
pub async fn ledger(query: &LedgerQuery, limit: u32) -> Result<LedgerPage, ApiError> {
    get(&asked(governance::LEDGER, query, ("limit", &limit.to_string()))).await
}

/// Where the rows of a query are found as a file, in `jsonl` or `csv`.
pub fn ledger_export(query: &LedgerQuery, format: &str) -> String {
    asked(governance::LEDGER_EXPORT, &filters::first_page(query), ("format", format))
}

/// `GET` [`governance::RULES`].
pub async fn rules() -> Result<RulesDocument, ApiError> {
    get(governance::RULES).await
}

/// `PUT` [`governance::RULES`]: stores a new revision. Code `stale` comes with the stored head, `refused` with the problems.
pub async fn save_rules(rules: &SaveRules) -> Result<RulesDocument, ApiError> {
    answer(with_json(Request::put(governance::RULES), rules)?).await
}

/// `GET` [`governance::PROOF`], looking so many days back.
pub async fn proof(days: u32) -> Result<ProofBundle, ApiError> {
    get(&format!("{}?days={days}", governance::PROOF)).await
}

fn asked(path: &str, query: &LedgerQuery, (name, value): (&str, &str)) -> String {
    let mut url = format!("{path}?{name}={value}");
    for (name, value) in filters::pairs(query) {
        url.push('&');
        url.push_str(name);
        url.push('=');
        url.push_str(&encode(&value));
    }
    url
}

/// `GET` [`api::UPLOAD`]: how much of a file the server already has.
pub async fn upload_state(fingerprint: &str) -> Result<UploadState, ApiError> {
    get(&fill(api::UPLOAD, fingerprint)).await
}

/// Which piece of which file an upload carries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UploadPiece {
    /// Hex digits of a hash of the whole file.
    pub fingerprint: String,
    /// File name.
    pub name: String,
    /// Bytes of the whole file.
    pub size: u64,
    /// Where this piece starts, in bytes.
    pub offset: u64,
}

/// `PUT` [`api::UPLOAD`]: sends one piece, until it is there or `stop` says not to go on.
pub async fn upload(piece: &UploadPiece, bytes: &web_sys::Blob, stop: Option<&AbortSignal>) -> Result<UploadState, ApiError> {
    let path = fill(api::UPLOAD, &piece.fingerprint);
    let url = format!("{path}?name={}&size={}&offset={}", encode(&piece.name), piece.size, piece.offset);
    let request = Request::put(&url).header("content-type", "application/octet-stream").abort_signal(stop);
    answer(request.body(bytes.clone()).map_err(own_fault)?).await
}

fn fill(path: &str, id: &str) -> String {
    path.replace("{slug}", &encode(id)).replace("{id}", &encode(id))
}

fn with_json(builder: RequestBuilder, body: &impl Serialize) -> Result<Request, ApiError> {
    builder.json(body).map_err(own_fault)
}

async fn get<Answer: DeserializeOwned>(path: &str) -> Result<Answer, ApiError> {
    answer(Request::get(path).build().map_err(own_fault)?).await
}

async fn answer<Answer: DeserializeOwned>(request: Request) -> Result<Answer, ApiError> {
    serde_json::from_str(&answer_text(request).await?).map_err(unreadable)
}

/// Apart from the reading, which is in the program once for each sort of answer.
async fn answer_text(request: Request) -> Result<String, ApiError> {
    let response = check(request.send().await.map_err(unreachable_server)?).await?;
    response.text().await.map_err(unreachable_server)
}

fn unreadable(error: serde_json::Error) -> ApiError {
    let message = format!("The server's answer could not be read ({error}). Reload the page; it may be of another version.");
    client_error("internal", message)
}

async fn check(response: Response) -> Result<Response, ApiError> {
    if response.ok() {
        return Ok(response);
    }
    let error = failure(&response).await;
    if response.status() == 401 {
        signed_out().set(true);
    }
    Err(error)
}

/// What an answer that is not a success says; a proxy's page in place of our JSON becomes a sentence.
async fn failure(response: &Response) -> ApiError {
    let text = response.text().await.unwrap_or_default();
    serde_json::from_str(&text).unwrap_or_else(|_| {
        client_error(
            "internal",
            format!("The server answered {} {} without saying why.", response.status(), response.status_text()),
        )
    })
}

fn unreachable_server(_: gloo_net::Error) -> ApiError {
    client_error("offline", "The server does not answer. See whether `proem serve` is still running, then try again.".to_owned())
}

fn own_fault(error: gloo_net::Error) -> ApiError {
    client_error("bad_request", format!("The request could not be made ({error})."))
}

fn client_error(code: &str, message: String) -> ApiError {
    ApiError { code: code.to_owned(), message, ..ApiError::default() }
}
