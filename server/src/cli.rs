//! The command line: what can be asked, and which module answers (docs: the command line).

use clap::{Parser, Subcommand};
use std::process::ExitCode;

pub mod engine;
pub mod log;
pub mod serve;

/// Write, preview, prove and audit how agents' turns open.
#[derive(Parser)]
#[command(name = "proem", version, about, long_about = None)]
pub struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Serve the pages and the API, and print the link that opens them.
    Serve(serve::ServeArgs),
    /// Run templates for a server.
    #[command(hide = true)]
    Engine,
    /// Read a session log: its turns, its conversation, or one turn's call trace.
    Log(log::LogArgs),
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
        Command::Engine => engine::run(),
        Command::Log(args) => log::run(args),
    }
}
