//! The pieces of work that are timed: each begins and ends with text, as a message to a worker does.

use proem_core::opening::compose::PartText;
use proem_core::opening::validate::prepared_samples;
use proem_core::template::engine::{Printing, Template};
use proem_core::template::guard::guard;
use proem_core::worker::preview::Preview;
use proem_core::worker::{PreviewAnswer, PreviewRequest};
use serde_json::{Value, json};

/// What is kept between pieces of work.
#[derive(Default)]
pub struct Bench {
    parts: Vec<PartText>,
    compiled: Vec<Template>,
    preview: Preview,
    /// The last answer, and the same as JSON.
    answer: Option<PreviewAnswer>,
    written: String,
}

impl Bench {
    /// Does one piece of work and gives back its answer, or its yield as a number that no compiler can leave out.
    ///
    /// # Panics
    /// When the work is unknown or a text of the bench does not compile and render: then there is nothing to time.
    pub fn run(&mut self, name: &str, input: &str) -> String {
        match name {
            "skills" => self.take(input),
            "samples" => samples(),
            "texts" => self.texts(),
            "cold" => self.cold().to_string(),
            "render" => self.compiled.iter().map(render).sum::<usize>().to_string(),
            "guard" => self.parts.iter().filter(|part| guard(&part.body).is_ok()).count().to_string(),
            "compile" => self.parts.iter().map(|part| compile(&part.body)).collect::<Vec<_>>().len().to_string(),
            "forget" => {
                self.preview = Preview::default();
                String::new()
            }
            "handle" => write(&self.handle(input)),
            "keep" => {
                let answer = self.handle(input);
                self.written = write(&answer);
                self.answer = Some(answer);
                String::new()
            }
            "read" => serde_json::from_str::<PreviewRequest>(input).is_ok().to_string(),
            "write" => write(&self.answer).len().to_string(),
            "pass" => self.written.clone(),
            _ => panic!("there is no work called {name}"),
        }
    }

    /// Takes the skills of the bench, a JSON list of parts.
    fn take(&mut self, input: &str) -> String {
        self.parts = serde_json::from_str(input).expect("the bench writes its own skills");
        self.compiled = self.parts.iter().map(|part| compile(&part.body)).collect();
        String::new()
    }

    /// Compiles every skill and renders it with every sample and its spans; nothing is kept.
    fn cold(&self) -> usize {
        self.parts.iter().map(|part| render(&compile(&part.body))).sum()
    }

    /// The text of every skill with every sample, for comparison with other engines.
    fn texts(&self) -> String {
        let of = |template: &Template| -> Value {
            prepared_samples().iter().map(|sample| text(template.render(&sample.context))).collect()
        };
        self.compiled.iter().map(of).collect::<Value>().to_string()
    }

    /// One message to the preview worker and its answer.
    fn handle(&mut self, input: &str) -> PreviewAnswer {
        match serde_json::from_str(input) {
            Ok(request) => self.preview.handle(request, &mut || {}),
            Err(error) => PreviewAnswer::Failed { message: error.to_string() },
        }
    }
}

fn write(answer: &impl serde::Serialize) -> String {
    serde_json::to_string(answer).expect("an answer can be written")
}

fn compile(body: &str) -> Template {
    Template::compile(body, Printing::Lenient).unwrap_or_else(|problem| panic!("{}", problem.long(body, "bench")))
}

/// Bytes and spans of all samples together.
fn render(template: &Template) -> usize {
    let yields = prepared_samples().iter().map(|sample| match template.render(&sample.context) {
        Ok(rendered) => rendered.text.len() + rendered.spans.len(),
        Err(problem) => panic!("{}", problem.one_line()),
    });
    yields.sum()
}

fn text<E: std::fmt::Debug>(rendered: Result<proem_core::template::engine::Rendered, E>) -> Value {
    Value::from(rendered.expect("a skill of the bench renders").text)
}

/// Names of the samples and the facts that templates read.
fn samples() -> String {
    let all = prepared_samples().iter();
    all.map(|prepared| json!([prepared.sample.to_string(), prepared.facts.document()])).collect::<Value>().to_string()
}
