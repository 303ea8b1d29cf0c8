//! `proem engine`: what the server starts beside itself to run templates. People have no use for it, so help leaves it out.

use super::fail;
use crate::engine::serve;
use std::process::ExitCode;

/// Runs until the input ends.
pub fn run() -> ExitCode {
    match serve(std::io::stdin().lock(), std::io::stdout()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => fail(&format!("the engine cannot run: {error}")),
    }
}
