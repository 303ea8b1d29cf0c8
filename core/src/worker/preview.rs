//! The preview worker's side: carries out preview requests and remembers what it compiled and rendered, so that after a
//! keystroke only the changed text is rendered again.

use super::{PreviewAnswer, PreviewRequest};
use crate::opening::complete::{byte_offset, complete};
use crate::opening::compose::{Opening, PartText, assemble};
use crate::opening::facts::Facts;
use crate::opening::sample::Sample;
use crate::opening::suggest::with_suggestion;
use crate::opening::validate::{PreparedSample, prepared_samples, validate};
use crate::template::engine::{Context, Printing, Rendered, Template};
use crate::template::problem::Problem;
use std::collections::HashMap;

/// Texts that no request of the last few used are forgotten: drafts of earlier keystrokes do not come again.
const KEPT_REQUESTS: u64 = 8;

/// Compiled templates and rendered parts, kept between requests.
#[derive(Default)]
pub struct Preview {
    texts: HashMap<String, Text>,
    request: u64,
}

/// What is known of one text.
struct Text {
    compiled: Result<Template, Problem>,
    /// By sample and whether `opening` was left out.
    rendered: HashMap<(Sample, bool), Result<Rendered, Problem>>,
    /// The request that used it last.
    used: u64,
}

impl Text {
    fn render(&self, body: &str, context: &Context) -> Result<Rendered, Problem> {
        match &self.compiled {
            Ok(template) => template.render(context).map_err(|problem| with_suggestion(body, problem)),
            Err(problem) => Err(problem.clone()),
        }
    }
}

impl Preview {
    /// Carries out one request. `progress` is called before each render, so that the host can show that it is alive.
    pub fn handle(&mut self, request: PreviewRequest, progress: &mut dyn FnMut()) -> PreviewAnswer {
        self.request += 1;
        let answer = match request {
            PreviewRequest::Preview { parts, samples, old_server, check } => {
                self.preview(&parts, &samples, old_server, check, progress)
            }
            PreviewRequest::Render { parts, facts } => match Facts::parse(&facts) {
                Ok(facts) => PreviewAnswer::Opening { opening: self.render(&parts, &facts, progress) },
                Err(errors) => PreviewAnswer::Failed { message: errors.to_string() },
            },
            PreviewRequest::Complete { body, offset } => {
                PreviewAnswer::Completions { completions: complete(&body, byte_offset(&body, offset)) }
            }
            PreviewRequest::Check { body, source } => PreviewAnswer::Problems { problems: validate(&body, source, progress) },
        };
        self.texts.retain(|_, text| text.used + KEPT_REQUESTS > self.request);
        answer
    }

    fn preview(
        &mut self,
        parts: &[PartText],
        samples: &[String],
        old_server: bool,
        check: Option<usize>,
        progress: &mut dyn FnMut(),
    ) -> PreviewAnswer {
        let mut known = Vec::with_capacity(samples.len());
        for name in samples {
            match name.parse::<Sample>() {
                Ok(sample) => known.extend(prepared_samples().iter().find(|prepared| prepared.sample == sample)),
                Err(message) => return PreviewAnswer::Failed { message },
            }
        }
        // Looked up once for all samples: to hash every text anew for each sample costs more than all the rest.
        let mut texts: Vec<Text> = parts.iter().map(|part| self.take(&part.body)).collect();
        let openings = known.iter().map(|prepared| opening(parts, &mut texts, prepared, old_server, progress)).collect();
        for (part, text) in parts.iter().zip(texts) {
            self.texts.insert(part.body.clone(), text);
        }
        let problems = match check.and_then(|at| parts.get(at)) {
            Some(part) => validate(&part.body, part.source(), progress),
            None => Vec::new(),
        };
        PreviewAnswer::Preview { openings, problems }
    }

    /// The opening of a facts document, which will hardly come again.
    fn render(&mut self, parts: &[PartText], facts: &Facts, progress: &mut dyn FnMut()) -> Opening {
        let context = facts.context();
        let rendered = parts.iter().map(|part| {
            progress();
            let text = self.take(&part.body);
            let rendered = text.render(&part.body, &context);
            self.texts.insert(part.body.clone(), text);
            (part, rendered)
        });
        assemble(facts.kind(), rendered)
    }

    /// What is known of a text, compiled now if it is new. It is put back when the request is carried out.
    fn take(&mut self, body: &str) -> Text {
        let known = self.texts.remove(body);
        let text = known.unwrap_or_else(|| Text {
            compiled: Template::compile(body, Printing::Lenient),
            rendered: HashMap::new(),
            used: 0,
        });
        Text { used: self.request, ..text }
    }
}

/// The opening of a sample, whose parts are remembered. `texts` are those of the parts, in their order.
fn opening(
    parts: &[PartText],
    texts: &mut [Text],
    prepared: &PreparedSample,
    old_server: bool,
    progress: &mut dyn FnMut(),
) -> Opening {
    let kind = if old_server { None } else { Some(prepared.sample.kind) };
    let context = if old_server { &prepared.old_server } else { &prepared.context };
    let key = (prepared.sample, old_server);
    let rendered = parts.iter().zip(texts).map(|(part, text)| {
        let rendered = match text.rendered.get(&key) {
            Some(known) => known.clone(),
            None => {
                progress();
                let rendered = text.render(&part.body, context);
                text.rendered.insert(key, rendered.clone());
                rendered
            }
        };
        (part, rendered)
    });
    assemble(kind, rendered)
}
