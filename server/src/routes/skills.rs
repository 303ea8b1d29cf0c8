//! Skills: list, read, save, and their revisions.

use crate::app::AppState;
use crate::engine::Stopped;
use crate::extract::{Json, Segment};
use crate::failure::Failure;
use crate::ids::Slug;
use crate::import::OWNER;
use crate::store::{Draft, Saved};
use axum::extract::State;
use proem_core::api::{RevisionList, SaveSkill, SkillDetail, SkillList};
use proem_core::opening::compose::PartSource;
use proem_core::skill::Revision;
use proem_core::template::normalize;
use proem_core::template::problem::{Problem, Severity};
use proem_core::worker::{PreviewAnswer, PreviewRequest};
use std::sync::Arc;

/// All skills, each with its current text.
pub async fn list(State(app): State<Arc<AppState>>) -> Result<axum::Json<SkillList>, Failure> {
    Ok(axum::Json(SkillList { skills: app.store.skills().await? }))
}

/// One skill.
pub async fn read(State(app): State<Arc<AppState>>, Segment(slug): Segment<Slug>) -> Result<axum::Json<SkillDetail>, Failure> {
    app.store.skill(&slug).await?.map(axum::Json).ok_or_else(|| missing(&slug))
}

/// Its texts, newest first.
pub async fn revisions(
    State(app): State<Arc<AppState>>,
    Segment(slug): Segment<Slug>,
) -> Result<axum::Json<RevisionList>, Failure> {
    let revisions = app.store.revisions(&slug).await?;
    if revisions.is_empty() { Err(missing(&slug)) } else { Ok(axum::Json(RevisionList { revisions })) }
}

/// Makes a text the skill's newest revision, unless it has faults or somebody else saved first.
pub async fn save(
    State(app): State<Arc<AppState>>,
    Segment(slug): Segment<Slug>,
    Json(wanted): Json<SaveSkill>,
) -> Result<axum::Json<SkillDetail>, Failure> {
    let stored = app.store.skill(&slug).await?.ok_or_else(|| missing(&slug))?;
    let body = normalize(&wanted.body);
    // First of all: a save that is sent again because its answer was lost finds its own text and is content.
    if body == stored.head.body {
        return Ok(axum::Json(stored));
    }
    if stored.head.number != wanted.base {
        return Err(stale(stored, wanted.base));
    }
    let problems = check(&app, body.clone()).await?;
    let errors = problems.iter().filter(|problem| problem.severity == Severity::Error).count();
    if errors > 0 {
        let message = match errors {
            1 => "This text has an error, so nothing was saved.".to_owned(),
            _ => format!("This text has {errors} errors, so nothing was saved."),
        };
        return Err(Failure::refused(message).with_problems(problems));
    }
    let draft = Draft { base: wanted.base, body: &body, author: OWNER, note: wanted.note.trim() };
    match app.store.save_skill(&slug, draft).await? {
        Saved::Stored(detail) => Ok(axum::Json(detail)),
        Saved::Stale(detail) => Err(stale(detail, wanted.base)),
        Saved::Missing => Err(missing(&slug)),
    }
}

/// Faults of a text, on all samples.
async fn check(app: &AppState, body: String) -> Result<Vec<Problem>, Failure> {
    match app.engine.ask(PreviewRequest::Check { body, source: PartSource::Skill }).await {
        Ok(PreviewAnswer::Problems { problems }) => Ok(problems),
        Ok(PreviewAnswer::Failed { message }) => Err(Failure::refused(message)),
        Ok(_) => Err(Failure::internal("the engine answered something else than it was asked")),
        Err(Stopped::NotStarted) => Err(Failure::internal(Stopped::NotStarted)),
        Err(stopped) => Ok(vec![stopped.problem()]),
    }
}

fn missing(slug: &Slug) -> Failure {
    Failure::not_found(format!("There is no skill `{slug}`."))
}

fn stale(stored: SkillDetail, base: u32) -> Failure {
    let Revision { number, author, .. } = &stored.head;
    let message = format!(
        "Your text is based on revision {base} of `{}`, but revision {number} by {author} is stored now. Nothing was saved: compare the two.",
        stored.skill.slug
    );
    Failure::stale(message).with_head(stored.head)
}
