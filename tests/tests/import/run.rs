//! A home to import into, and what a call answers.

use clap::Parser;
use proem::cli::import::{Answer, ImportArgs, answer};
use proem::store::{Filter, Store};
use proem_core::api::governance::LedgerPage;
use serde_json::Value;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

#[derive(Parser)]
struct Command {
    #[command(flatten)]
    import: ImportArgs,
}

/// A home and a folder of files beside it.
pub struct Place {
    pub home: TempDir,
    pub files: TempDir,
}

impl Place {
    pub fn new() -> Place {
        Place { home: tempfile::tempdir().unwrap(), files: tempfile::tempdir().unwrap() }
    }

    /// Puts a file, in folders as its name says.
    pub fn put(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, bytes).unwrap();
        path
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.files.path().join(name)
    }

    /// Runs `proem import PATHS… OPTIONS`; the place's folders are written `@` and `HOME` in what it says.
    pub async fn run(&self, paths: &[&Path], options: &[&str]) -> Answer {
        let home = self.home.path().to_str().unwrap();
        let paths = paths.iter().map(|path| path.to_str().unwrap());
        let words = ["import"].into_iter().chain(paths).chain(["--home", home]).chain(options.iter().copied());
        let said = answer(&Command::try_parse_from(words).unwrap_or_else(|error| panic!("{error}")).import).await;
        let files = format!("{}", self.files.path().display());
        let told = |text: String| text.replace(&files, "@").replace(home, "HOME");
        Answer { out: told(said.out), err: told(said.err), code: said.code }
    }

    /// The same for programs, which must succeed or refuse.
    pub async fn json(&self, paths: &[&Path]) -> Value {
        let answer = self.run(paths, &["--format", "json"]).await;
        assert!(answer.code < 2, "{}", answer.err);
        serde_json::from_str(&answer.out).unwrap()
    }

    pub async fn store(&self) -> Store {
        Store::open(self.home.path()).await.unwrap()
    }

    /// The newest 500 decisions.
    pub async fn decisions(&self) -> LedgerPage {
        self.store().await.ledger_page(&Filter::default(), None, 500).await.unwrap()
    }
}

/// A file of the IRIS cases.
pub fn case(name: &str) -> Vec<u8> {
    std::fs::read(proem_tests::cases("iris").join(name)).unwrap()
}
