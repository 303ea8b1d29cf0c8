//! Finds the files that an import may be about. Links are not followed, so that a folder cannot lead out of itself or round in a circle.

use std::fs;
use std::path::{Path, PathBuf};

/// Folders inside folders are read down to here.
const DEPTH_MAX: usize = 32;
/// Files are taken up to here.
const FILES_MAX: usize = 100_000;

/// Something found below what was named.
#[derive(Debug, PartialEq, Eq)]
pub enum Found {
    /// A file.
    File {
        /// Where it is.
        path: PathBuf,
        /// It was named itself, not found in a folder.
        named: bool,
    },
    /// Something that is not looked into, and why: a sentence.
    Left {
        /// Where it is.
        path: PathBuf,
        /// Why.
        why: String,
    },
}

/// All files below `paths`, folders by name.
///
/// # Errors
/// A sentence, when one of `paths` is not there or may not be read.
pub fn find(paths: &[PathBuf]) -> Result<Vec<Found>, String> {
    let mut found = Vec::new();
    for path in paths {
        let what = fs::metadata(path).map_err(|error| cannot(path, &error))?;
        if what.is_dir() {
            // Reading it tells at once whether it may be read.
            fs::read_dir(path).map_err(|error| cannot(path, &error))?;
            walk(path, &mut found);
        } else if what.is_file() {
            fs::File::open(path).map_err(|error| cannot(path, &error))?;
            found.push(Found::File { path: path.clone(), named: true });
        } else {
            return Err(format!("{} is neither a file nor a folder", path.display()));
        }
    }
    Ok(found)
}

fn walk(folder: &Path, found: &mut Vec<Found>) {
    let mut files = 0;
    // The next to look at is the last.
    let mut waiting = vec![(folder.to_owned(), 0usize)];
    while let Some((path, depth)) = waiting.pop() {
        let left = |why: &str| Found::Left { path: path.clone(), why: why.to_owned() };
        let what = match fs::symlink_metadata(&path) {
            // What was named may be a link; what is in it is not followed.
            Ok(_) if depth == 0 => None,
            Ok(what) => Some(what),
            Err(error) => {
                found.push(left(&cannot(&path, &error)));
                continue;
            }
        };
        if what.as_ref().is_some_and(|what| what.is_file()) {
            if files == FILES_MAX {
                found.push(left(&format!("more than {FILES_MAX} files in {}; name its folders one by one", folder.display())));
                return;
            }
            files += 1;
            found.push(Found::File { path, named: false });
        } else if what.as_ref().is_none_or(|what| what.is_dir()) {
            if depth > DEPTH_MAX {
                found.push(left(&format!("more than {DEPTH_MAX} folders deep")));
                continue;
            }
            match fs::read_dir(&path) {
                Ok(entries) => {
                    let mut inside: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
                    inside.sort_unstable_by(|a, b| b.cmp(a));
                    waiting.extend(inside.into_iter().map(|path| (path, depth + 1)));
                }
                Err(error) => found.push(left(&cannot(&path, &error))),
            }
        } else {
            let is_link = what.is_some_and(|what| what.is_symlink());
            found.push(left(if is_link { "a link, which is not followed" } else { "neither a file nor a folder" }));
        }
    }
}

fn cannot(path: &Path, error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::NotFound => format!("there is no file or folder {}", path.display()),
        std::io::ErrorKind::PermissionDenied => format!("{} may not be read by this user", path.display()),
        _ => format!("{} cannot be read: {error}", path.display()),
    }
}
