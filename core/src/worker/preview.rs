//! The preview worker's side: carries out preview requests and remembers what it compiled and rendered, so that after a
//! keystroke only the changed text is rendered again.

use super::{PreviewAnswer, PreviewRequest};
use crate::opening::complete::{byte_offset, complete};
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

    fn tracing(&mut self, body: &str) -> Result<&Tracing, Problem> {
        match &self.compiled {
            Ok(_) => Ok(self.tracing.get_or_insert_with(|| Tracing::new(body))),
            Err(problem) => Err(problem.clone()),
        }
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
                // Looked up once for all samples: to hash every text anew for each sample costs more than all the rest.
                let mut texts: Vec<Text> = parts.iter().map(|part| self.take(&part.body)).collect();
                let openings = samples.iter().map(|asked| opening(&parts, &mut texts, *asked, progress)).collect();
                let (problems, coverage) = match check.and_then(|at| parts.get(at).zip(texts.get_mut(at))) {
                    Some((part, text)) => {
                        (validate(&part.body, part.source(), progress), text.coverage(&part.body, &samples, progress))
                    }
                    None => (Vec::new(), None),
                };
                for (part, text) in parts.iter().zip(texts) {
                    self.texts.insert(part.body.clone(), text);
                }
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
            PreviewRequest::Complete { body, offset } => {
                PreviewAnswer::Completions { completions: complete(&body, byte_offset(&body, offset)) }
            }
            PreviewRequest::Why { body, position, sample, old_server } => {
                let asked = Asked::new(&sample, old_server)?;
                let why: Result<_, Problem> = self.with(&body, |text| {
                    let rendered = text.sample(&body, asked, progress);
                    progress();
                    let tracing = text.tracing(&body)?;
                    Ok(tracing.why(&body, &trace(tracing, &asked.facts()), &rendered, position))
                });
                PreviewAnswer::Why { why: why.map_err(|problem| problem.one_line())? }
            }
            PreviewRequest::Reads { body } => {
                let samples = prepared_samples();
                let facts: Vec<&Facts> = samples.iter().map(|prepared| &prepared.facts).collect();
                progress();
                let facts: Result<_, Problem> = self.with(&body, |text| Ok(reads(text.tracing(&body)?, &facts)));
                PreviewAnswer::Reads {
                    samples: samples.iter().map(|prepared| prepared.sample.to_string()).collect(),
                    facts: facts.map_err(|problem| problem.one_line())?,
                }
            }
        })
    }

    /// The opening of a sample, with the facts that its values came from.
    fn inspect(&mut self, parts: &[PartText], asked: Asked, progress: &mut dyn FnMut()) -> Opening {
        let facts = asked.facts();
        let rendered = parts.iter().map(|part| {
            let rendered = self.with(&part.body, |text| {
                let mut rendered = text.sample(&part.body, asked, progress)?;
                progress();
                let tracing = text.tracing(&part.body)?;
                tracing.provenance(&trace(tracing, &facts), &mut rendered.spans);
                Ok(rendered)
            });
            (part, rendered)
        });
        assemble(facts.kind(), rendered)
    }

    /// The opening of a facts document, which will hardly come again.
    fn render(&mut self, parts: &[PartText], facts: &Facts, progress: &mut dyn FnMut()) -> Opening {
        let context = facts.context();
        let rendered = parts.iter().map(|part| {
            progress();
            (part, self.with(&part.body, |text| text.render(&part.body, &context)))
        });
        assemble(facts.kind(), rendered)
    }

    /// Does something with what is known of a text.
    fn with<T>(&mut self, body: &str, act: impl FnOnce(&mut Text) -> T) -> T {
        let mut text = self.take(body);
        let result = act(&mut text);
        self.texts.insert(body.to_owned(), text);
        result
    }

    /// What is known of a text, compiled now if it is new. It is put back when the request is carried out.
    fn take(&mut self, body: &str) -> Text {
        let known = self.texts.remove(body);
        let text = known.unwrap_or_else(|| Text {
            compiled: Template::compile(body, Printing::Lenient),
            rendered: HashMap::new(),
            covering: None,
            reached: HashMap::new(),
            tracing: None,
            used: 0,
        });
        Text { used: self.request, ..text }
    }
}

/// The opening of a sample, whose parts are remembered. `texts` are those of the parts, in their order.
fn opening(parts: &[PartText], texts: &mut [Text], asked: Asked, progress: &mut dyn FnMut()) -> Opening {
    let kind = if asked.old_server { None } else { Some(asked.prepared.sample.kind) };
    assemble(kind, parts.iter().zip(texts).map(|(part, text)| (part, text.sample(&part.body, asked, progress))))
}
