//! The command line: what can be asked, and which module answers (docs: the command line).

use clap::{Parser, Subcommand};
use serde::Serialize;
use std::io::Write;
use std::process::ExitCode;

pub mod chat;
pub mod check;
pub mod contract;
pub mod deadline;
pub mod engine;
pub mod home;
pub mod import;
mod input;
pub mod log;
mod preface;
pub mod render;
mod seed;
pub mod serve;
mod skills;

/// Write, preview, prove and audit how agents' turns open.
#[derive(Parser)]
#[command(name = "proem", version)]
pub struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Serve the pages and the API, and print the link that opens them.
    Serve(serve::ServeArgs),
    /// Converse with this home's own handlers; every turn is recorded.
    Chat(chat::ChatArgs),
    /// Take logs, a harness's ledger and its record of the welcome into this home.
    Import(import::ImportArgs),
    /// Run templates for a server.
    #[command(hide = true)]
    Engine,
    /// Check skills: whatever could fail with any facts, and every sample.
    Check(check::CheckArgs),
    /// Render the opening that an agent would receive.
    Render(render::RenderArgs),
    /// Show what a template may read.
    Contract(contract::ContractArgs),
    /// Read a session log: its turns, its conversation, or one turn's call trace.
    Log(log::LogArgs),
    /// Write the text that is put before a model: entries of fetched content in their envelopes
    ///
    /// FILE is a JSON list of {"source", "origin", "body", "fetched_at"}. The text is written byte for byte, without a newline at its end; what
    /// deserves a remark goes to standard error.
    Preface(preface::PrefaceArgs),
    /// Make the messages that a fork is given of its template, and say what was left out
    ///
    /// FILE is {"template", "fork", "store": [message], "compiled": [message]}.
    Seed(seed::SeedArgs),
}

/// How results are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// For people.
    #[default]
    Text,
    /// One JSON document, for programs.
    Json,
}

/// Runs the command line of this process.
pub fn main() -> ExitCode {
    match Cli::parse().command {
        Command::Serve(args) => serve::run(args),
        Command::Chat(args) => chat::run(args),
        Command::Import(args) => import::run(args),
        Command::Engine => engine::run(),
        Command::Check(args) => check::run(args),
        Command::Render(args) => render::run(args),
        Command::Contract(args) => contract::run(&args),
        Command::Log(args) => log::run(args),
        Command::Preface(args) => preface::run(&args),
        Command::Seed(args) => seed::run(&args),
    }
}

/// Says why the call is wrong; exit code 2.
pub fn fail(message: &str) -> ExitCode {
    eprintln!("proem: {message}");
    ExitCode::from(2)
}

/// Writes text to standard output. A reader that has gone away (`| head`) is no fault; a full disk ends the program with exit code 1.
pub fn print(text: &str) {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            eprintln!("proem: the result cannot be written: {error}");
            std::process::exit(1);
        }
        _ => {}
    }
}

/// Writes one JSON document to standard output.
pub fn print_json(value: &impl Serialize) {
    match serde_json::to_string_pretty(value) {
        Ok(text) => print(&format!("{text}\n")),
        Err(error) => eprintln!("proem: the result cannot be written as JSON: {error}"),
    }
}
