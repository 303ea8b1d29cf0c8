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

impl Engine {
    /// Renders an opening. When the engine is stopped over it, each part is tried alone: those that stop it are reported as
    /// failed in their places, and the others make the opening.
    ///
    /// # Errors
    /// A sentence, when the facts are not acceptable or the engine does not run at all.
    pub async fn render(&self, parts: Vec<PartText>, facts: &Facts) -> Result<Opening, String> {
        match self.render_together(parts.clone(), facts).await? {
            Ok(opening) => return Ok(opening),
            Err(Stopped::NotStarted) => return Err(sentence(Stopped::NotStarted)),
            Err(Stopped::Silent | Stopped::Died) => {}
        }
        let (mut sound, mut stopping) = (Vec::new(), Vec::new());
        for (position, part) in parts.into_iter().enumerate() {
            match self.render_together(vec![part.clone()], facts).await? {
                Ok(_) => sound.push(part),
                Err(stopped) => stopping.push((position, part, stopped)),
            }
        }
        let mut opening = self.render_together(sound, facts).await?.map_err(sentence)?;
        // In rising order, so that every earlier part already stands where it belongs.
        for (position, part, stopped) in stopping {
            opening.parts.insert(position.min(opening.parts.len()), failed(part, stopped));
        }
        Ok(opening)
    }

    /// The outer error is the engine's own sentence about the request; the inner one says that it was stopped.
    async fn render_together(&self, parts: Vec<PartText>, facts: &Facts) -> Result<Result<Opening, Stopped>, String> {
        let request = match facts {
            Facts::Document(facts) => PreviewRequest::Render { parts, facts: facts.clone() },
            Facts::Sample { name, old_server } => {
                PreviewRequest::Preview { parts, samples: vec![name.clone()], old_server: *old_server, check: None }
            }
        };
        match self.ask(request).await {
            Ok(PreviewAnswer::Opening { opening }) => Ok(Ok(opening)),
            Ok(PreviewAnswer::Preview { mut openings, .. }) if openings.len() == 1 => Ok(Ok(openings.remove(0))),
            Ok(PreviewAnswer::Failed { message }) => Err(message),
            Ok(_) => Err("The engine answered something else than it was asked, which is a fault of Proem.".to_owned()),
            Err(stopped) => Ok(Err(stopped)),
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

fn sentence(stopped: Stopped) -> String {
    format!("There is no opening: {stopped}.")
}
