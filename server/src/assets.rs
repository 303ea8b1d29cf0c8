//! The pages: the files that Trunk built, carried in the binary, or those a test brings along.

use std::borrow::Cow;
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

/// The built pages; a debug build reads the folder while it runs. Without it there are none.
#[derive(rust_embed::Embed)]
#[folder = "../dist"]
#[allow_missing = true]
struct Built;

/// Where the pages come from.
#[derive(Clone)]
pub enum Assets {
    /// What was built with this program.
    Built,
    /// These files, by path.
    Given(Arc<HashMap<String, Vec<u8>>>),
}

/// One file.
pub struct Asset {
    /// What is in it.
    pub bytes: Cow<'static, [u8]>,
    /// Other bytes, other tag: hex digits.
    pub tag: String,
}

impl Assets {
    /// Files given by path and bytes.
    pub fn given<'a>(files: impl IntoIterator<Item = (&'a str, &'a [u8])>) -> Assets {
        Assets::Given(Arc::new(files.into_iter().map(|(path, bytes)| (path.to_owned(), bytes.to_vec())).collect()))
    }

    /// The file at a path without leading slash.
    pub fn get(&self, path: &str) -> Option<Asset> {
        match self {
            Assets::Built => Built::get(path).map(|file| {
                let hash = file.metadata.sha256_hash();
                Asset { bytes: file.data, tag: hash[..16].iter().map(|byte| format!("{byte:02x}")).collect() }
            }),
            Assets::Given(files) => files.get(path).map(|bytes| {
                let mut hasher = DefaultHasher::new();
                bytes.hash(&mut hasher);
                Asset { bytes: Cow::Owned(bytes.clone()), tag: format!("{:016x}", hasher.finish()) }
            }),
        }
    }
}
