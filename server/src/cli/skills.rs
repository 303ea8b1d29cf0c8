//! Finds and reads skills on disk for the command line.

use proem_core::skill::file::{SkillFile, read};
use proem_core::template::normalize;
use proem_core::template::problem::Problem;
use std::collections::{HashSet, VecDeque};
use std::fs;
use std::path::{Path, PathBuf};

/// A SKILL.md and what it was read as.
pub struct Found {
    /// As the user named it, or below what the user named.
    pub path: PathBuf,
    /// The folder's name.
    pub slug: String,
    /// The whole file with its line ends normalised, which positions belong to.
    pub text: String,
    /// The skill, or why it is none.
    pub file: Result<SkillFile, Problem>,
}

/// All skills at some paths, each once: the files themselves, or every SKILL.md in a folder and its folders, sorted by path.
pub fn find(paths: &[PathBuf]) -> Result<Vec<Found>, String> {
    let mut found = Vec::new();
    let mut seen = HashSet::new();
    for path in paths {
        let metadata = fs::metadata(path).map_err(|error| cannot_read(path, &error))?;
        let files = if metadata.is_dir() { below(path)? } else { vec![path.to_owned()] };
        for file in files {
            if seen.insert(canonical(&file)?) {
                found.push(load(file)?);
            }
        }
    }
    Ok(found)
}

/// Every SKILL.md below a folder. A folder that is reached twice, through a link, is read once.
fn below(top: &Path) -> Result<Vec<PathBuf>, String> {
    let mut files = Vec::new();
    let mut seen = HashSet::new();
    // Breadth first: the shortest way to a folder is the one that is shown.
    let mut waiting = VecDeque::from([top.to_owned()]);
    while let Some(folder) = waiting.pop_front() {
        if !seen.insert(canonical(&folder)?) {
            continue;
        }
        let entries = fs::read_dir(&folder).and_then(Iterator::collect::<Result<Vec<_>, _>>);
        let mut paths: Vec<PathBuf> =
            entries.map_err(|error| cannot_read(&folder, &error))?.into_iter().map(|entry| entry.path()).collect();
        paths.sort();
        let (folders, others): (Vec<_>, Vec<_>) = paths.into_iter().partition(|path| path.is_dir());
        waiting.extend(folders);
        files.extend(others.into_iter().filter(|path| path.file_name().is_some_and(|name| name == "SKILL.md")));
    }
    if files.is_empty() {
        return Err(format!("{}: there is no SKILL.md in this folder; a skill is a folder that holds one", top.display()));
    }
    files.sort();
    Ok(files)
}

fn canonical(path: &Path) -> Result<PathBuf, String> {
    path.canonicalize().map_err(|error| cannot_read(path, &error))
}

fn load(path: PathBuf) -> Result<Found, String> {
    let slug =
        canonical(&path)?.parent().and_then(Path::file_name).map_or(String::new(), |name| name.to_string_lossy().into_owned());
    let bytes = fs::read(&path).map_err(|error| cannot_read(&path, &error))?;
    let text = normalize(&String::from_utf8_lossy(&bytes));
    let file = match std::str::from_utf8(&bytes) {
        Ok(_) => read(&slug, &text),
        Err(error) => {
            let at = normalize(&String::from_utf8_lossy(&bytes[..error.valid_up_to()])).len();
            let end = at + text[at..].chars().next().map_or(0, char::len_utf8);
            Err(Problem::error(&text, at..end, "broken", "the file is not UTF-8 text").suggest("save it as UTF-8"))
        }
    };
    Ok(Found { path, slug, text, file })
}

/// A sentence for a file that cannot be read.
pub fn cannot_read(path: &Path, error: &std::io::Error) -> String {
    format!("cannot read {}: {error}", path.display())
}
