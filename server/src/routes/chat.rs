//! Chat: the first-chat welcome, messages, test runs of openers, and the conversation so far.

use crate::app::AppState;
use crate::extract::{Json, OptionalJson, Segment};
use crate::failure::Failure;
use crate::ids::{LogId, OpenerName};
use crate::import::OWNER;
use crate::store::{LIVE_MAX, NoAnswer, Place};
use crate::turns::{Said, TEXT_MAX, message, place};
use axum::extract::State;
use axum::http::StatusCode;
use proem_core::api::chat::{ChatAnswer, ChatRequest, WelcomeAnswer, WelcomeRequest};
use proem_core::api::governance::GovernanceState;
use proem_core::ledger::masked;
use proem_core::log::{Detail, Log, Replay, Role, replay};
use std::sync::Arc;

/// The welcome: made now if it is due, else as it is recorded.
pub async fn welcome(
    State(app): State<Arc<AppState>>,
    OptionalJson(wanted): OptionalJson<WelcomeRequest>,
) -> Result<axum::Json<WelcomeAnswer>, Failure> {
    place(&wanted.channel, &wanted.audience).map_err(Failure::refused)?;
    let turn = async move {
        let place = Place { channel: &wanted.channel, audience: &wanted.audience };
        app.turns.welcome(&app.store, place, &mut |_| Ok(())).await
    };
    to_its_end(turn, "welcome_failed").await
}

/// Offers the welcome again.
pub async fn offer(State(app): State<Arc<AppState>>) -> Result<StatusCode, Failure> {
    app.store.offer_welcome(OWNER).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Answers a message.
pub async fn say(State(app): State<Arc<AppState>>, Json(wanted): Json<ChatRequest>) -> Result<axum::Json<ChatAnswer>, Failure> {
    let ChatRequest { session_id, text, channel } = wanted;
    let channel = channel.unwrap_or_else(|| WelcomeRequest::default().channel);
    place(&channel, "owner").map_err(Failure::refused)?;
    message(&text).map_err(|sentence| match text.len() > TEXT_MAX {
        true => Failure::too_large(sentence),
        false => Failure::refused(sentence),
    })?;
    // Over HTTP a conversation is known by the id of its stored log, so only ids that can be both are taken.
    if let Some(id) = &session_id {
        id.parse::<LogId>().map_err(Failure::refused)?;
    }
    let turn = async move {
        let said = Said { session_id: session_id.as_deref(), channel: &channel, text: &text };
        app.turns.say(&app.store, said, &mut |_| Ok(())).await
    };
    to_its_end(turn, "turn_failed").await
}

/// Runs a declared opener as a test.
pub async fn try_opener(
    State(app): State<Arc<AppState>>,
    Segment(name): Segment<OpenerName>,
) -> Result<axum::Json<ChatAnswer>, Failure> {
    let declared = app.turns.openers();
    if !declared.iter().any(|known| known == name.as_str()) {
        let known = if declared.is_empty() { "none is".to_owned() } else { format!("these are: {}", declared.join(", ")) };
        return Err(Failure::not_found(format!("There is no declared opener `{name}`; {known}.")));
    }
    let turn = async move { app.turns.try_opener(&app.store, name.as_str(), &mut |_| Ok(())).await };
    to_its_end(turn, "turn_failed").await
}

/// Runs a turn apart from the request for it: when whoever asked goes away meanwhile, it is stored all the same, and replay shows it.
async fn to_its_end<T: Send + 'static>(
    turn: impl Future<Output = Result<T, NoAnswer>> + Send + 'static,
    code: &str,
) -> Result<axum::Json<T>, Failure> {
    let answered = tokio::spawn(turn).await.map_err(Failure::internal)?;
    answered.map(axum::Json).map_err(|error| failure(code, error))
}

/// What is switched on.
pub async fn state(State(app): State<Arc<AppState>>) -> Result<axum::Json<GovernanceState>, Failure> {
    Ok(axum::Json(app.turns.state(&app.store).await?))
}

/// The conversation in a stored log.
pub async fn messages(State(app): State<Arc<AppState>>, Segment(id): Segment<LogId>) -> Result<axum::Json<Replay>, Failure> {
    let stored =
        app.store.session(&id).await?.ok_or_else(|| Failure::not_found(format!("There is no stored session `{id}`.")))?;
    // A conversation of this home is not larger, but for its last turn.
    if stored.bytes > LIVE_MAX && !stored.session.live {
        return Err(Failure::too_large(format!(
            "The log of session {} has {} bytes; up to {LIVE_MAX} are shown as a chat. Open it under Sessions, which reads it piece by piece.",
            stored.session.summary.session_id, stored.bytes
        )));
    }
    let bytes = app.store.content(&stored.content, stored.bytes).await?;
    let name = stored.session.file_name;
    let read = tokio::task::spawn_blocking(move || {
        Log::read(&name, bytes, &mut || ()).map(|log| replay(&log, None, Detail::Conversation, &mut || ()))
    });
    let mut replay = read.await.map_err(Failure::internal)?.map_err(Failure::internal)?;
    for message in replay.messages.iter_mut().filter(|message| message.role == Role::Assistant) {
        message.text = masked(&message.text);
    }
    Ok(axum::Json(replay))
}

/// The status and sentence for a turn without an answer.
fn failure(code: &str, error: NoAnswer) -> Failure {
    match error {
        NoAnswer::NoSession(_) => Failure::refused(error.to_string()),
        NoAnswer::Imported(_) => Failure::conflict(error.to_string()),
        NoAnswer::Full(_) => Failure::too_large(error.to_string()),
        NoAnswer::Failed(_) => Failure::turn(code, error.to_string()),
        NoAnswer::Store(error) => Failure::unavailable(error),
    }
}
