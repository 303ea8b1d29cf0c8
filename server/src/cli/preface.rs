//! `proem preface`: entries of fetched content as the text that is put before a model.

use super::Format;
use super::input::read_text;
use proem_core::context::preface::{Entry, Lint, Mode, Preface, lint, preface};
use serde::Serialize;
use std::path::PathBuf;
use std::process::ExitCode;

/// What `proem preface` takes.
#[derive(clap::Args)]
pub struct PrefaceArgs {
    /// The entries, JSON; `-` reads standard input
    file: PathBuf,
    /// Make bodies and attributes unable to open or close anything
    #[arg(long)]
    hardened: bool,
    /// How the result is written
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// The JSON form of the result.
#[derive(Serialize)]
struct Answer {
    mode: Mode,
    #[serde(flatten)]
    preface: Preface,
    lints: Vec<Lint>,
}

/// Runs `proem preface`.
pub fn run(args: &PrefaceArgs) -> ExitCode {
    let (text, name) = match read_text(&args.file) {
        Ok(read) => read,
        Err(message) => return super::fail(&message),
    };
    let entries: Vec<Entry> = match serde_json::from_str(text.trim_start_matches('\u{feff}')) {
        Ok(entries) => entries,
        Err(error) => {
            return super::fail(&format!(
                "{name} is no list of entries, [{{\"source\", \"origin\", \"body\", \"fetched_at\"?}}]: {error}"
            ));
        }
    };
    let mode = if args.hardened { Mode::Hardened } else { Mode::Parity };
    let answer = Answer { mode, preface: preface(&entries, mode), lints: lint(&entries, mode) };
    for Lint { entry, message, .. } in &answer.lints {
        match entry {
            Some(entry) => eprintln!("proem: entry {}: {message}", entry + 1),
            None => eprintln!("proem: {message}"),
        }
    }
    match args.format {
        Format::Json => super::print_json(&answer),
        Format::Text => super::print(&answer.preface.text),
    }
    ExitCode::SUCCESS
}
