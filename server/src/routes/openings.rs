//! Rendering an opening with what is stored, for a runtime that opens a turn or for somebody who wants to see one.

use crate::app::AppState;
use crate::engine::{Facts, NoOpening, Stopped};
use crate::extract::Json;
use crate::failure::Failure;
use axum::extract::State;
use proem_core::api::{RenderRequest, RoleDetail, SkillDetail};
use proem_core::opening::compose::{Opening, PartText};
use proem_core::opening::facts::FACTS_LIMIT;
use proem_core::opening::kind::{OpeningKind, SessionResult, Subject};
use proem_core::skill::Mode;
use serde::Deserialize;
use std::sync::Arc;

/// Renders the role's instruction and the ambient skills in its scope.
pub async fn render(State(app): State<Arc<AppState>>, Json(wanted): Json<RenderRequest>) -> Result<axum::Json<Opening>, Failure> {
    let facts = match wanted {
        RenderRequest::Sample { sample, old_server } => Facts::Sample { name: sample, old_server },
        RenderRequest::Facts { facts, subject, session } => {
            let facts = facts.get();
            if facts.len() > FACTS_LIMIT {
                return Err(Failure::too_large(format!("`facts` has {} bytes; at most {FACTS_LIMIT} are taken.", facts.len())));
            }
            agree(facts, subject, session)?;
            Facts::Document(facts.to_owned())
        }
    };
    let parts = parts(app.store.role().await?, app.store.skills().await?);
    app.engine.render(parts, &facts).await.map(axum::Json).map_err(|error| match error {
        NoOpening::Refused(sentence) => Failure::refused(sentence),
        NoOpening::Stopped(Stopped::NotStarted) => Failure::internal(Stopped::NotStarted),
        NoOpening::Stopped(stopped) => Failure::refused(format!("There is no opening: its rendering was {stopped}.")),
    })
}

/// The texts of an opening, in order: the role's, then those of its enabled ambient skills.
fn parts(role: RoleDetail, skills: Vec<SkillDetail>) -> Vec<PartText> {
    let in_scope =
        |detail: &SkillDetail| detail.skill.enabled && detail.skill.mode == Mode::Ambient && detail.skill.applies_to(&role.id);
    let skills = skills.into_iter().filter(in_scope).map(|detail| PartText {
        slug: Some(detail.skill.slug),
        name: detail.skill.name,
        revision: Some(detail.head.number),
        attachments: detail.skill.attachments,
        body: detail.head.body,
    });
    let role = PartText {
        slug: None,
        name: String::new(),
        revision: Some(role.head.number),
        attachments: Vec::new(),
        body: role.head.body.clone(),
    };
    std::iter::once(role).chain(skills).collect()
}

/// As much of a facts document as tells its kind; the engine looks at the rest.
#[derive(Deserialize)]
struct KindOnly {
    opening: Option<OpeningOnly>,
}

#[derive(Deserialize)]
struct OpeningOnly {
    kind: String,
}

/// Refuses facts whose kind is not the one that subject and session make: two sources that disagree are a fault of the caller.
fn agree(facts: &str, subject: Subject, session: SessionResult) -> Result<(), Failure> {
    // Facts that do not even have this shape get their own sentence from the engine.
    let Ok(KindOnly { opening: Some(OpeningOnly { kind }) }) = serde_json::from_str(facts) else { return Ok(()) };
    let expected = OpeningKind::of(subject, session);
    if kind == expected.as_str() {
        return Ok(());
    }
    Err(Failure::refused(format!(
        "`facts.opening.kind` is `{kind}`, but `subject` and `session` make it `{expected}`: correct the one that is wrong."
    )))
}
