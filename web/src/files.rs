//! Log files from the reader's own disk: read here, known by a fingerprint, and kept only while this page is open.

use crate::page::LocalFile;
use crate::state::fingerprint::{hex, plain_hash};
use js_sys::{ArrayBuffer, Uint8Array};
use leptos::prelude::*;
use std::cell::RefCell;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::File;

/// Bytes that are read between two looks at "Cancel".
const PIECE: u32 = 8 * 1024 * 1024;

/// A file that was dropped or chosen.
#[derive(Clone)]
struct Kept {
    number: u32,
    file: File,
    fingerprint: Option<String>,
    /// Read for the fingerprint, and handed on once to whoever opens the file.
    bytes: Option<ArrayBuffer>,
}

thread_local! {
    static KEPT: RefCell<Vec<Kept>> = const { RefCell::new(Vec::new()) };
    static CHANGES: ArcRwSignal<u32> = ArcRwSignal::new(0);
}

/// A kept file as a list shows it.
#[derive(Clone, Debug, PartialEq)]
pub struct RecentFile {
    /// Names it while this page is open.
    pub number: u32,
    /// File name.
    pub name: String,
    /// Bytes.
    pub size: u64,
}

/// How far the reading of a file is; shared between the page that shows it and the work, and kept by whoever holds it.
#[derive(Clone)]
pub struct Reading {
    /// Bytes read.
    pub read: ArcRwSignal<u64>,
    /// Somebody pressed "Cancel".
    pub cancelled: ArcRwSignal<bool>,
}

impl Reading {
    /// Nothing read yet.
    pub fn new() -> Reading {
        Reading { read: ArcRwSignal::new(0), cancelled: ArcRwSignal::new(false) }
    }

    fn is_cancelled(&self) -> bool {
        self.cancelled.get_untracked()
    }
}

impl Default for Reading {
    fn default() -> Reading {
        Reading::new()
    }
}

/// Keeps a file and gives it a number.
pub fn keep(file: File) -> u32 {
    let number = KEPT.with_borrow_mut(|kept| {
        let number = kept.last().map_or(1, |last| last.number + 1);
        kept.push(Kept { number, file, fingerprint: None, bytes: None });
        number
    });
    CHANGES.with(|changes| changes.update(|count| *count += 1));
    number
}

/// The kept files, latest first. Follows changes.
pub fn recent() -> Vec<RecentFile> {
    CHANGES.with(ArcRwSignal::track);
    KEPT.with_borrow(|kept| {
        let row = |kept: &Kept| RecentFile { number: kept.number, name: kept.file.name(), size: kept.file.size() as u64 };
        kept.iter().rev().map(row).collect()
    })
}

/// Forgets a kept file.
pub fn forget(number: u32) {
    KEPT.with_borrow_mut(|kept| kept.retain(|kept| kept.number != number));
    CHANGES.with(|changes| changes.update(|count| *count += 1));
}

/// The kept file that a link means.
pub fn find(link: &LocalFile) -> Option<File> {
    KEPT.with_borrow(|kept| {
        let same = |kept: &&Kept| kept.file.size() as u64 == link.size && kept.fingerprint.as_deref() == Some(&link.fingerprint);
        kept.iter().rev().find(same).map(|kept| kept.file.clone())
    })
}

/// Reads a kept file and says what links call it. A file whose content is kept already takes its place.
///
/// # Errors
/// A sentence; none when it was cancelled.
pub async fn identify(number: u32, reading: Reading) -> Result<LocalFile, Option<String>> {
    let file = KEPT.with_borrow(|kept| kept.iter().find(|kept| kept.number == number).map(|kept| kept.file.clone()));
    let file = file.ok_or_else(|| Some("That file is no longer open here; choose it again.".to_owned()))?;
    let bytes = read(&file, &reading).await?;
    let fingerprint = fingerprint(&bytes).await;
    let link = LocalFile { name: file.name(), size: file.size() as u64, fingerprint: fingerprint.clone() };
    KEPT.with_borrow_mut(|kept| {
        kept.retain(|kept| kept.number == number || kept.fingerprint.as_ref() != Some(&fingerprint));
        if let Some(kept) = kept.iter_mut().find(|kept| kept.number == number) {
            kept.fingerprint = Some(fingerprint);
            kept.bytes = Some(bytes);
        }
    });
    CHANGES.with(|changes| changes.update(|count| *count += 1));
    Ok(link)
}

/// The bytes of the kept file that a link means; outer `None`: it is not here.
///
/// # Errors
/// As [`identify`].
pub async fn bytes_of(link: &LocalFile, reading: Reading) -> Result<Option<ArrayBuffer>, Option<String>> {
    let ready = KEPT.with_borrow_mut(|kept| {
        let same = |kept: &&mut Kept| kept.fingerprint.as_deref() == Some(&link.fingerprint);
        kept.iter_mut().find(same).and_then(|kept| kept.bytes.take())
    });
    match (ready, find(link)) {
        (Some(bytes), _) => {
            reading.read.set(link.size);
            Ok(Some(bytes))
        }
        (None, Some(file)) => read(&file, &reading).await.map(Some),
        (None, None) => Ok(None),
    }
}

/// Reads a file piece by piece.
async fn read(file: &File, reading: &Reading) -> Result<ArrayBuffer, Option<String>> {
    let size = file.size();
    let whole = u32::try_from(size as u64)
        .map_err(|_| Some(format!("{} is larger than 4 GB; a browser cannot open that much at once.", file.name())))?;
    let bytes = Uint8Array::new_with_length(whole);
    let mut at = 0;
    while at < whole {
        if reading.is_cancelled() {
            return Err(None);
        }
        let end = at.saturating_add(PIECE).min(whole);
        let piece = file.slice_with_f64_and_f64(f64::from(at), f64::from(end)).map_err(|error| unreadable(file, &error))?;
        let buffer = JsFuture::from(piece.array_buffer()).await.map_err(|error| unreadable(file, &error))?;
        bytes.set(&Uint8Array::new(&buffer), at);
        at = end;
        reading.read.set(u64::from(at));
    }
    if size == 0.0 {
        // A folder looks like an empty file until somebody tries to read it.
        JsFuture::from(file.array_buffer()).await.map_err(|error| unreadable(file, &error))?;
    }
    if reading.is_cancelled() { Err(None) } else { Ok(bytes.buffer()) }
}

/// The bytes of a file that is small enough to be read at once.
///
/// # Errors
/// A sentence.
pub async fn whole(file: &File) -> Result<ArrayBuffer, String> {
    let bytes = JsFuture::from(file.array_buffer()).await;
    let moved =
        |_| format!("{} could not be read. It may be a folder, or it was moved or changed since it was chosen.", file.name());
    bytes.map_err(moved)?.dyn_into().map_err(moved)
}

fn unreadable(file: &File, _: &JsValue) -> Option<String> {
    Some(format!(
        "{} could not be read. It may be a folder, or it was moved or changed since it was chosen; choose a .jsonl file again.",
        file.name()
    ))
}

/// SHA-256 by the browser, which works beside the page; without it a plain hash.
async fn fingerprint(bytes: &ArrayBuffer) -> String {
    let digest = window().crypto().ok().map(|crypto| crypto.subtle()).filter(|subtle| !subtle.is_undefined());
    if let Some(promise) = digest.and_then(|subtle| subtle.digest_with_str_and_buffer_source("SHA-256", bytes).ok())
        && let Ok(digest) = JsFuture::from(promise).await
    {
        return hex(&Uint8Array::new(&digest).to_vec());
    }
    plain_hash(&Uint8Array::new(bytes).to_vec())
}
