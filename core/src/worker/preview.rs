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
        let mut openings = Vec::with_capacity(samples.len());
        for name in samples {
            let prepared = match name.parse::<Sample>() {
                Ok(sample) => prepared_samples().iter().find(|prepared| prepared.sample == sample),
                Err(message) => return PreviewAnswer::Failed { message },
            };
            let Some(prepared) = prepared else { continue };
            openings.push(self.opening(parts, prepared, old_server, progress));
        }
        let problems = match check.and_then(|at| parts.get(at)) {
            Some(part) => validate(&part.body, part.source(), progress),
            None => Vec::new(),
        };
        PreviewAnswer::Preview { openings, problems }
    }

    /// The opening of a sample, whose parts are remembered.
    fn opening(
        &mut self,
        parts: &[PartText],
        prepared: &PreparedSample,
        old_server: bool,
        progress: &mut dyn FnMut(),
    ) -> Opening {
        let kind = if old_server { None } else { Some(prepared.sample.kind) };
        let context = if old_server { &prepared.old_server } else { &prepared.context };
        let key = (prepared.sample, old_server);
        assemble(kind, parts, |part| {
            let text = self.text(&part.body);
            if let Some(known) = text.rendered.get(&key) {
                return known.clone();
            }
            progress();
            let rendered = text.render(&part.body, context);
            text.rendered.insert(key, rendered.clone());
            rendered
        })
    }

    /// The opening of a facts document, which will hardly come again.
    fn render(&mut self, parts: &[PartText], facts: &Facts, progress: &mut dyn FnMut()) -> Opening {
        let context = facts.context();
        assemble(facts.kind(), parts, |part| {
            progress();
            self.text(&part.body).render(&part.body, &context)
        })
    }

    fn text(&mut self, body: &str) -> &mut Text {
        let request = self.request;
        let text = self.texts.entry(body.to_owned()).or_insert_with(|| Text {
            compiled: Template::compile(body, Printing::Lenient),
            rendered: HashMap::new(),
            used: request,
        });
        text.used = request;
        text
    }
}
