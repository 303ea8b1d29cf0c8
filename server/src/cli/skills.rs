//! Finds and reads skills on disk for the command line.

use proem_core::skill::file::{Broken, SkillFile, read};
use std::fs;
use std::path::{Path, PathBuf};

/// A SKILL.md and what it was read as.
pub struct Found {
    /// As the user named it, or below what the user named.
    pub path: PathBuf,
    /// The folder's name.
    pub slug: String,
    /// The skill, or why it is none.
    pub file: Result<SkillFile, Broken>,
}

/// All skills at a path: the file itself, or every SKILL.md in a folder and its folders, sorted by path.
pub fn find(path: &Path) -> Result<Vec<Found>, String> {
    let metadata = fs::metadata(path).map_err(|error| cannot_read(path, &error))?;
    let mut files = Vec::new();
    if metadata.is_dir() {
        collect(path, 0, &mut files)?;
        files.sort();
        if files.is_empty() {
            return Err(format!("{}: there is no SKILL.md in this folder; a skill is a folder that holds one", path.display()));
        }
    } else {
        files.push(path.to_owned());
    }
    files.into_iter().map(load).collect()
}

/// Skills are at most a few folders deep; a limit keeps a link to a parent from running for ever.
fn collect(folder: &Path, depth: usize, files: &mut Vec<PathBuf>) -> Result<(), String> {
    for entry in fs::read_dir(folder).map_err(|error| cannot_read(folder, &error))? {
        let path = entry.map_err(|error| cannot_read(folder, &error))?.path();
        if path.is_dir() {
            if depth < 4 {
                collect(&path, depth + 1, files)?;
            }
        } else if path.file_name().is_some_and(|name| name == "SKILL.md") {
            files.push(path);
        }
    }
    Ok(())
}

fn load(path: PathBuf) -> Result<Found, String> {
    let absolute = path.canonicalize().map_err(|error| cannot_read(&path, &error))?;
    let slug = absolute.parent().and_then(Path::file_name).map_or(String::new(), |name| name.to_string_lossy().into_owned());
    let file = match String::from_utf8(fs::read(&path).map_err(|error| cannot_read(&path, &error))?) {
        Ok(text) => read(&slug, &text),
        Err(error) => {
            let valid = error.utf8_error().valid_up_to();
            let line = error.as_bytes()[..valid].iter().filter(|byte| **byte == b'\n').count() as u32 + 1;
            Err(Broken { line, column: 1, reason: "the file is not UTF-8 text; save it as UTF-8".to_owned() })
        }
    };
    Ok(Found { path, slug, file })
}

/// A sentence for a file that cannot be read.
pub fn cannot_read(path: &Path, error: &std::io::Error) -> String {
    format!("cannot read {}: {error}", path.display())
}
