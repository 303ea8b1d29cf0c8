//! Texts that a command is given: a file, or standard input.

use super::skills::cannot_read;
use std::io::Read;
use std::path::Path;

/// The text of a file and what to call it; `-` is standard input.
///
/// # Errors
/// A sentence.
pub(super) fn read_text(path: &Path) -> Result<(String, String), String> {
    if path == Path::new("-") {
        let mut text = String::new();
        std::io::stdin().read_to_string(&mut text).map_err(|error| format!("cannot read standard input: {error}"))?;
        return Ok((text, "standard input".to_owned()));
    }
    let text = std::fs::read_to_string(path).map_err(|error| cannot_read(path, &error))?;
    Ok((text, path.display().to_string()))
}
