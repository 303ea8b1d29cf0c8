//! What is tried on a random input. The fuzz targets call it with inputs of their making, a test with the seeds that are kept.
//!
//! An input may cost as much time and memory as it likes: fuel bounds neither, and every host has a clock of its own. It may never
//! panic, overflow a stack of the size that hosts render on, or give a range that a reader cannot use.

use proem_core::context::preface::{self, Entry, Mode, read as read_envelopes};
use proem_core::context::seed;
use proem_core::opening::compose::PartSource;
use proem_core::opening::validate::{prepared_samples, validate};
use proem_core::skill::file::read;
use proem_core::skill::write::write;
use proem_core::template::coverage::coverage;
use proem_core::template::engine::{Context, Origin, Printing, Rendered, Template};
use proem_core::template::normalize;
use proem_core::template::problem::{Problem, Severity};
use proem_core::template::trace::Tracing;

/// The stack that the server and the command line render on.
const STACK: usize = 64 << 20;

/// Tries a text as a template: guard, parse, checks, and every sample with spans.
///
/// # Panics
/// When there is a fault in Proem.
pub fn template(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes).into_owned();
    on_large_stack(move || try_template(&text));
}

/// Tries a text as a SKILL.md.
///
/// # Panics
/// When there is a fault in Proem.
pub fn skill_file(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes).into_owned();
    on_large_stack(move || try_skill_file(&text));
}

/// Tries a text as a recorded one with envelopes, and as the body and the attributes of an entry.
///
/// # Panics
/// When there is a fault in Proem.
pub fn preface(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes).into_owned();
    let found = read_envelopes(&text);
    for envelope in &found.envelopes {
        assert!(envelope.open.end <= envelope.body.start && envelope.body.end <= envelope.close.start, "{envelope:?}");
        assert!(text.get(envelope.body.clone()).is_some(), "{envelope:?}");
    }
    let (body, attribute) = text.split_at(text.floor_char_boundary(text.len() / 2));
    let entry = |body: &str| Entry {
        source: attribute.into(),
        origin: attribute.into(),
        body: body.into(),
        fetched_at: Some(attribute.into()),
    };
    let made = preface::preface(&[entry(body), entry(&text)], Mode::Hardened);
    let again = read_envelopes(&made.text);
    let bodies: Vec<_> = again.envelopes.iter().map(|envelope| envelope.body.clone()).collect();
    assert_eq!(bodies, made.entries.iter().map(|placed| placed.body.clone()).collect::<Vec<_>>());
    let parity = preface::preface(&[entry(&text)], Mode::Parity);
    let body = &parity.text[parity.entries[0].body.clone()];
    assert_eq!(preface::preface(&[entry(body)], Mode::Parity).text, parity.text, "defanging twice changes something");
    let _ = preface::lint(&[entry(body), entry(&text)], Mode::Parity);
}

/// Tries a text as what a seed is made of, and as a dump of messages.
///
/// # Panics
/// When there is a fault in Proem.
pub fn seed(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes).into_owned();
    let _ = (seed::dump(&text), seed::messages(&text), seed::SpawnLine::parse(&text));
    let Ok(case) = seed::case(&text) else { return };
    let made = seed::seed(&case.store, &case.compiled, &case.template, &case.fork);
    assert!(made.messages.iter().all(|message| !message.content.is_empty()), "a message of the seed is empty");
    let again = seed::seed(&case.store, &made.messages, &case.template, &case.fork);
    assert!(!again.counts.any(), "seeding twice leaves more out");
    let (terms, leaks) = seed::leaks(&case.store, &made.messages, &case.fork);
    for leak in leaks {
        assert_eq!(leak.excerpt.get(leak.range), terms.get(leak.term).map(|term| term.text.as_str()));
    }
}

fn on_large_stack(work: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(work).expect("the system has a thread for us");
    if let Err(panic) = thread.join() {
        std::panic::resume_unwind(panic);
    }
}

fn try_template(source: &str) {
    let problems = validate(source, PartSource::Skill, &mut || {});
    for problem in &problems {
        usable(source, problem);
    }
    let sound = problems.iter().all(|problem| problem.severity == Severity::Warning);
    let template = match Template::compile(source, Printing::Lenient) {
        Ok(template) => template,
        Err(problem) => {
            assert!(!sound, "it validates and does not compile: {problem:?}");
            return usable(source, &problem);
        }
    };
    for prepared in prepared_samples() {
        match template.render(&prepared.context) {
            Ok(rendered) => covered(source, &rendered),
            Err(problem) => {
                assert!(!sound, "it validates and does not render {}: {problem:?}", prepared.sample);
                usable(source, &problem);
            }
        }
    }
    measured(source, &template);
}

/// Measuring changes nothing and nothing panics, wherever one asks.
fn measured(source: &str, template: &Template) {
    let contexts: Vec<&Context> = prepared_samples().iter().map(|prepared| &prepared.context).collect();
    let found = coverage(source, &contexts).expect("it compiles");
    let deep = found.disabled.as_deref().is_none_or(|reason| reason.contains("nested too deeply"));
    assert!(deep, "{:?}", found.disabled);
    let tracing = Tracing::new(source);
    for prepared in prepared_samples().iter().take(2) {
        let trace = tracing.trace(prepared.facts.shape(), prepared.facts.document());
        let mut rendered = template.render(&prepared.context);
        if let Ok(rendered) = &mut rendered {
            tracing.provenance(&trace, &mut rendered.spans);
        }
        for position in (0..=source.len()).step_by(source.len() / 16 + 1) {
            assert!(!tracing.why(source, &trace, &rendered, position).sentence.is_empty());
        }
    }
}

/// A problem's place is one that people, programs and editors can each go to.
fn usable(source: &str, problem: &Problem) {
    let (from, to) = problem.range;
    assert!(from <= to && source.is_char_boundary(from) && source.is_char_boundary(to), "{problem:?}");
    let units = |text: &str| text.encode_utf16().count();
    assert_eq!(problem.utf16, (units(&source[..from]), units(&source[..to])), "{problem:?}");
    assert_eq!(problem.line as usize, source[..from].matches('\n').count() + 1, "{problem:?}");
    assert!(problem.column >= 1 && !problem.code.is_empty() && !problem.message.is_empty(), "{problem:?}");
    assert!(!problem.one_line().contains('\n') && !problem.long(source, "x").is_empty(), "{problem:?}");
}

/// Every byte of the output has one span, and a raw one is the template's own bytes.
fn covered(source: &str, rendered: &Rendered) {
    let mut at = 0;
    for span in &rendered.spans {
        assert_eq!(span.output.start, at, "{span:?}");
        assert!(span.output.end >= at && rendered.text.is_char_boundary(span.output.end), "{span:?}");
        let template = source.get(span.template.clone());
        assert!(template.is_some(), "{span:?}");
        if span.origin == Origin::Raw {
            assert_eq!(template, rendered.text.get(span.output.clone()), "{span:?}");
        }
        at = span.output.end;
    }
    assert_eq!(at, rendered.text.len(), "the last bytes have no span");
}

fn try_skill_file(file: &str) {
    match read("slug", file) {
        Ok(skill) => {
            assert_eq!(skill.text.get(skill.body_offset..), Some(skill.body.as_str()));
            assert!(!skill.skill.name.trim().is_empty());
            // What was read from a file is read again from the text that is kept of it.
            // (Of several marks at its start one goes each time.)
            if !skill.text.starts_with('\u{feff}') {
                assert_eq!(read("slug", &skill.text).as_ref(), Ok(&skill));
            }
            // Nothing changed: the same bytes. Something changed: it is read back, or the writer says why it cannot be.
            assert_eq!(write(Some(file), &skill.skill, &skill.body).as_deref(), Ok(file));
            let mut changed = skill.skill.clone();
            changed.summary = format!("{}: # '\"{}", changed.name, changed.summary);
            changed.enabled = !changed.enabled;
            if let Ok(written) = write(Some(file), &changed, "new\n") {
                let again = read("slug", &written).expect("what was written is a skill");
                assert_eq!((again.skill, again.body.as_str()), (changed, "new\n"));
            }
        }
        Err(problem) => usable(&normalize(file), &problem),
    }
}
