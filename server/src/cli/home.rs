//! The home folder that a command works on, and where it says what goes on in it.

use std::io::IsTerminal;
use std::path::PathBuf;
use tracing_subscriber::EnvFilter;

/// The folder that was named, else `~/.proem`.
///
/// # Errors
/// A sentence, when there is no home folder to keep it in.
pub fn folder(named: Option<PathBuf>) -> Result<PathBuf, String> {
    match named {
        Some(home) => Ok(home),
        None => {
            let home = std::env::home_dir().ok_or("there is no home folder to keep ~/.proem in: give one with --home DIR")?;
            Ok(home.join(".proem"))
        }
    }
}

/// Logs to standard error: what `RUST_LOG` chooses, else what `default` does.
pub fn log(default: &str) {
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new(default));
    let colours = std::io::stderr().is_terminal();
    tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).with_ansi(colours).with_target(false).init();
}
