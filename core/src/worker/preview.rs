//! The preview worker's side: carries out preview requests and remembers what it compiled and rendered, so that after a
//! keystroke only the changed text is rendered again.

use super::{PreviewAnswer, PreviewRequest};
use crate::opening::compose::{Opening, PartText, assemble};
use crate::opening::facts::Facts;
use crate::opening::reads::{reads, trace};
use crate::opening::sample::Sample;
use crate::opening::suggest::with_suggestion;
use crate::opening::validate::{PreparedSample, prepared_samples, validate};
use crate::template::coverage::{Coverage, Covering, Reached};
use crate::template::engine::{Context, Printing, Rendered, Template};
use crate::template::problem::Problem;
use crate::template::trace::Tracing;
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
    covering: Option<Covering>,
    /// As `rendered`.
    reached: HashMap<(Sample, bool), Reached>,
    tracing: Option<Tracing>,
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

impl Text {
    /// The render of a sample, which is remembered.
    fn sample(&mut self, body: &str, asked: Asked, progress: &mut dyn FnMut()) -> Result<Rendered, Problem> {
        if let Some(known) = self.rendered.get(&asked.key()) {
            return known.clone();
        }
        progress();
        let rendered = self.render(body, asked.context());
        self.rendered.insert(asked.key(), rendered.clone());
        rendered
    }

    /// Which arms the samples reach, which is remembered for each; nothing of a text that cannot be compiled.
    fn coverage(&mut self, body: &str, samples: &[Asked], progress: &mut dyn FnMut()) -> Option<Coverage> {
        self.compiled.as_ref().ok()?;
        let covering = self.covering.take().unwrap_or_else(|| Covering::new(body));
        for asked in samples {
            if !self.reached.contains_key(&asked.key()) {
                let rendered = self.sample(body, *asked, progress).ok();
                progress();
                let reached = covering.reached(asked.context(), rendered.as_ref().map(|rendered| rendered.text.as_str()));
                self.reached.insert(asked.key(), reached);
            }
        }
        let reached: Vec<&Reached> = samples.iter().filter_map(|asked| self.reached.get(&asked.key())).collect();
        let coverage = covering.coverage(&reached);
        self.covering = Some(covering);
        Some(coverage)
    }

    fn tracing(&mut self, body: &str) -> &Tracing {
        self.tracing.get_or_insert_with(|| Tracing::new(body))
    }
}

/// A sample as a request names it.
#[derive(Clone, Copy)]
struct Asked {
    prepared: &'static PreparedSample,
    old_server: bool,
}

impl Asked {
    fn new(name: &str, old_server: bool) -> Result<Asked, String> {
        let sample = name.parse::<Sample>()?;
        let prepared = prepared_samples().iter().find(|prepared| prepared.sample == sample);
        Ok(Asked { prepared: prepared.ok_or_else(|| format!("`{name}` is not a sample"))?, old_server })
    }

    fn key(&self) -> (Sample, bool) {
        (self.prepared.sample, self.old_server)
    }

    fn context(&self) -> &'static Context {
        if self.old_server { &self.prepared.old_server } else { &self.prepared.context }
    }

    fn facts(&self) -> Facts {
        let facts = self.prepared.facts.clone();
        if self.old_server { facts.without_opening() } else { facts }
    }
}

impl Preview {
    /// Carries out one request. `progress` is called before each render, so that the host can show that it is alive.
    pub fn handle(&mut self, request: PreviewRequest, progress: &mut dyn FnMut()) -> PreviewAnswer {
        self.request += 1;
        let answer = self.answer(request, progress).unwrap_or_else(|message| PreviewAnswer::Failed { message });
        self.texts.retain(|_, text| text.used + KEPT_REQUESTS > self.request);
        answer
    }

    fn answer(&mut self, request: PreviewRequest, progress: &mut dyn FnMut()) -> Result<PreviewAnswer, String> {
        Ok(match request {
            PreviewRequest::Preview { parts, samples, old_server, check } => {
                let samples = samples.iter().map(|name| Asked::new(name, old_server)).collect::<Result<Vec<Asked>, String>>()?;
                let openings = samples.iter().map(|asked| self.opening(&parts, *asked, progress)).collect();
                let (problems, coverage) = match check.and_then(|at| parts.get(at)) {
                    Some(part) => (
                        validate(&part.body, part.source(), progress),
                        self.text(&part.body).coverage(&part.body, &samples, progress),
                    ),
                    None => (Vec::new(), None),
                };
                PreviewAnswer::Preview { openings, problems, coverage }
            }
            PreviewRequest::Render { parts, facts } => {
                let facts = Facts::parse(&facts).map_err(|errors| errors.to_string())?;
                PreviewAnswer::Opening { opening: self.render(&parts, &facts, progress) }
            }
            PreviewRequest::Check { body, source } => PreviewAnswer::Problems { problems: validate(&body, source, progress) },
            PreviewRequest::Inspect { parts, sample, old_server } => {
                PreviewAnswer::Opening { opening: self.inspect(&parts, Asked::new(&sample, old_server)?, progress) }
            }
            PreviewRequest::Why { body, position, sample, old_server } => {
                let asked = Asked::new(&sample, old_server)?;
                let text = self.text(&body);
                text.compiled.as_ref().map_err(Problem::one_line)?;
                let rendered = text.sample(&body, asked, progress);
                progress();
                let tracing = text.tracing(&body);
                PreviewAnswer::Why { why: tracing.why(&body, &trace(tracing, &asked.facts()), &rendered, position) }
            }
            PreviewRequest::Reads { body } => {
                let text = self.text(&body);
                text.compiled.as_ref().map_err(Problem::one_line)?;
                let samples = prepared_samples();
                let facts: Vec<&Facts> = samples.iter().map(|prepared| &prepared.facts).collect();
                progress();
                PreviewAnswer::Reads {
                    samples: samples.iter().map(|prepared| prepared.sample.to_string()).collect(),
                    facts: reads(text.tracing(&body), &facts),
                }
            }
        })
    }

    /// The opening of a sample, whose parts are remembered.
    fn opening(&mut self, parts: &[PartText], asked: Asked, progress: &mut dyn FnMut()) -> Opening {
        let kind = if asked.old_server { None } else { Some(asked.prepared.sample.kind) };
        assemble(kind, parts, |part| self.text(&part.body).sample(&part.body, asked, progress))
    }

    /// The same, with the facts that its values came from.
    fn inspect(&mut self, parts: &[PartText], asked: Asked, progress: &mut dyn FnMut()) -> Opening {
        let facts = asked.facts();
        assemble(facts.kind(), parts, |part| {
            let text = self.text(&part.body);
            let mut rendered = text.sample(&part.body, asked, progress)?;
            progress();
            let tracing = text.tracing(&part.body);
            tracing.provenance(&trace(tracing, &facts), &mut rendered.spans);
            Ok(rendered)
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
            covering: None,
            reached: HashMap::new(),
            tracing: None,
            used: request,
        });
        text.used = request;
        text
    }
}
