//! `proem log`: turns, replay and trace of a session log.

use std::process::ExitCode;

/// What `proem log` takes.
#[derive(clap::Args)]
pub struct LogArgs {}

/// Runs `proem log`.
pub fn run(_args: LogArgs) -> ExitCode {
    ExitCode::SUCCESS
}
