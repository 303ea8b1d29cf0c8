//! The configuration files of a home: read when they are first needed, and again when one of them changes.

use proem_core::api::governance::ConfigFile;
use proem_core::turn::{Config, ConfigTexts};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

/// Their names below the home, in the order of [`ConfigTexts`].
const NAMES: [&str; 3] = ["config/intercepts.yaml", "config/response_checks.yaml", "config/welcome.yaml"];

/// Where they are, and what they said last.
pub(super) struct Files {
    paths: [PathBuf; 3],
    /// Somebody named another place for the first one, so it has to be there.
    named: bool,
    last: Mutex<Option<(Marks, Arc<Loaded>)>>,
}

/// What tells that a file changed: its modification time and its size; absent when there is no file, or none that can be looked at.
type Marks = [Option<(SystemTime, u64)>; 3];

/// What they say.
pub(super) struct Loaded {
    pub config: Config,
    pub files: Vec<ConfigFile>,
}

impl Files {
    /// Those of a home; the first may be elsewhere.
    pub fn of(home: &Path, intercepts: Option<&Path>) -> Files {
        let mut paths = NAMES.map(|name| home.join(name));
        if let Some(elsewhere) = intercepts {
            elsewhere.clone_into(&mut paths[0]);
        }
        Files { paths, named: intercepts.is_some(), last: Mutex::new(None) }
    }

    /// What they say now.
    pub fn load(&self) -> Arc<Loaded> {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        // Marks are taken before the texts: a change in between is seen by the next call.
        let marks: Marks = self.paths.each_ref().map(|path| mark(path));
        match &*last {
            Some((seen, loaded)) if *seen == marks => loaded.clone(),
            _ => {
                let loaded = Arc::new(self.read());
                *last = Some((marks, loaded.clone()));
                loaded
            }
        }
    }

    fn read(&self) -> Loaded {
        let texts = self.paths.each_ref().map(std::fs::read_to_string);
        let [intercepts, response_checks, welcome] = texts.each_ref().map(|text| text.as_deref().ok());
        let config = Config::read(&ConfigTexts { intercepts, response_checks, welcome });
        let files = NAMES.iter().zip(&texts).zip(&self.paths).enumerate().map(|(place, ((name, text), path))| {
            let unreadable = match text {
                Err(error) if error.kind() != ErrorKind::NotFound => {
                    Some(format!("It cannot be read ({error}), so the built-in default holds."))
                }
                Err(_) if place == 0 && self.named => {
                    Some(format!("There is no file {}, so the built-in default holds.", path.display()))
                }
                _ => None,
            };
            let said =
                config.problems().iter().filter(|problem| name.ends_with(&problem.file)).map(|problem| problem.message.clone());
            let present = text.as_ref().err().is_none_or(|error| error.kind() != ErrorKind::NotFound);
            ConfigFile { name: (*name).to_owned(), present, problems: unreadable.into_iter().chain(said).collect() }
        });
        let files = files.collect();
        Loaded { files, config }
    }
}

fn mark(path: &Path) -> Option<(SystemTime, u64)> {
    let metadata = std::fs::metadata(path).ok()?;
    Some((metadata.modified().ok()?, metadata.len()))
}
