//! `proem seed`: what a fork is given of its template's context.

use super::Format;
use super::input::read_text;
use proem_core::context::seed::{Counts, Fate, Leak, Message, Term, case, leaks, seed, spawn_line};
use serde::Serialize;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

/// What `proem seed` takes.
#[derive(clap::Args)]
pub struct SeedArgs {
    /// Template, fork, store and compiled context, JSON; `-` reads standard input
    file: PathBuf,
    /// How the result is written
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// The JSON form of the result.
#[derive(Serialize)]
struct Answer {
    messages: Vec<Message>,
    counts: Counts,
    log_line: Option<String>,
    fates: Vec<Fate>,
    terms: Vec<Term>,
    leaks: Vec<Leak>,
}

/// Runs `proem seed`.
pub fn run(args: &SeedArgs) -> ExitCode {
    let read = read_text(&args.file).and_then(|(text, name)| case(&text).map_err(|error| format!("{name}: {error}")));
    let case = match read {
        Ok(case) => case,
        Err(message) => return super::fail(&message),
    };
    let made = seed(&case.store, &case.compiled, &case.template, &case.fork);
    let (terms, leaks) = leaks(&case.store, &made.messages, &case.fork);
    let log_line = spawn_line(&made.counts, &case.template, &case.fork);
    let answer = Answer { messages: made.messages, counts: made.counts, log_line, fates: made.fates, terms, leaks };
    match args.format {
        Format::Json => super::print_json(&answer),
        Format::Text => super::print(&text(&answer)),
    }
    ExitCode::SUCCESS
}

/// For people: the messages, the line of the spawn, and what the seed still holds of other conversations.
fn text(answer: &Answer) -> String {
    let mut out = String::new();
    for message in &answer.messages {
        for block in &message.content {
            let shown = block.text.as_deref().unwrap_or_else(|| block.raw.get());
            let _ = writeln!(out, "{}: {shown}", message.participant);
        }
    }
    if answer.messages.is_empty() {
        out.push_str("The seed is empty.\n");
    }
    let nothing = "Nothing was left out.";
    let _ = writeln!(out, "\n{}", answer.log_line.as_deref().unwrap_or(nothing));
    if !answer.leaks.is_empty() {
        out.push_str("\nIt still holds of other conversations:\n");
    }
    for leak in &answer.leaks {
        let term = &answer.terms[leak.term].text;
        let _ = writeln!(out, "  {term} in {} (message {}): {}", leak.place.words(), leak.message + 1, leak.excerpt);
    }
    out
}
