//! One opening by the engine, with the rule that a part which cannot be rendered never takes the others with it.

use super::{Engine, Stopped};
use proem_core::opening::compose::{Opening, Part, PartStatus, PartText};
use proem_core::worker::{PreviewAnswer, PreviewRequest};

/// What an opening is rendered with.
#[derive(Clone, Debug)]
pub enum Facts {
    /// A facts document, as JSON text.
    Document(String),
    /// A sample.
    Sample {
        /// `KIND/VARIANT`.
        name: String,
        /// Leave `opening` out.
        old_server: bool,
    },
}

/// Why there is no opening.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoOpening {
    /// The request is not acceptable: the engine's sentence.
    Refused(String),
    /// The engine was stopped over all parts together, or does not run.
    Stopped(Stopped),
}

impl Engine {
    /// Renders an opening. When the engine is stopped over it, each part is tried alone: those that stop it are reported as
    /// failed in their places, and the others make the opening.
    ///
    /// # Errors
    /// When the facts are not acceptable, or the engine does not run at all.
    pub async fn render(&self, parts: Vec<PartText>, facts: &Facts) -> Result<Opening, NoOpening> {
        match self.render_together(parts.clone(), facts).await {
            Err(NoOpening::Stopped(Stopped::Silent | Stopped::Died)) => self.render_apart(parts, facts).await,
            outcome => outcome,
        }
    }

    async fn render_apart(&self, parts: Vec<PartText>, facts: &Facts) -> Result<Opening, NoOpening> {
        let (mut sound, mut stopping) = (Vec::new(), Vec::new());
        for (position, part) in parts.into_iter().enumerate() {
            match self.render_together(vec![part.clone()], facts).await {
                Ok(_) => sound.push(part),
                Err(NoOpening::Stopped(stopped)) => stopping.push((position, part, stopped)),
                Err(refused) => return Err(refused),
            }
        }
        let mut opening = self.render_together(sound, facts).await?;
        // In rising order, so that every earlier part already stands where it belongs.
        for (position, part, stopped) in stopping {
            opening.parts.insert(position.min(opening.parts.len()), failed(part, stopped));
        }
        Ok(opening)
    }

    async fn render_together(&self, parts: Vec<PartText>, facts: &Facts) -> Result<Opening, NoOpening> {
        let request = match facts {
            Facts::Document(facts) => PreviewRequest::Render { parts, facts: facts.clone() },
            Facts::Sample { name, old_server } => {
                PreviewRequest::Preview { parts, samples: vec![name.clone()], old_server: *old_server, check: None }
            }
        };
        match self.ask(request).await.map_err(NoOpening::Stopped)? {
            PreviewAnswer::Opening { opening } => Ok(opening),
            PreviewAnswer::Preview { mut openings, .. } if openings.len() == 1 => Ok(openings.remove(0)),
            PreviewAnswer::Failed { message } => Err(NoOpening::Refused(message)),
            _ => Err(NoOpening::Refused(
                "The engine answered something else than it was asked, which is a fault of Proem.".to_owned(),
            )),
        }
    }
}

fn failed(part: PartText, stopped: Stopped) -> Part {
    Part {
        source: part.source(),
        slug: part.slug,
        revision: part.revision,
        status: PartStatus::Failed,
        range: None,
        spans: Vec::new(),
        problem: Some(stopped.problem()),
    }
}
