//! `proem import`: takes logs, a harness's ledger and its record of the welcome into a home. A server may run on it meanwhile.

use super::{Format, home};
use crate::import::{Found, Imported, LOG_MAX, NotImported, find, ledger, log, welcome};
use crate::store::{NO_LEDGER, SQLITE_HEADER, Store};
use proem_core::log::{Log, counted};
use serde::Serialize;
use std::fmt::Write as _;
use std::fs::File;
use std::io::{Read, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Larger files are no record of a welcome.
const WELCOME_MAX: u64 = 1024 * 1024;
/// Rows that were left out are named one by one up to here.
const NAMED: usize = 5;

/// What `proem import` takes.
#[derive(clap::Args)]
pub struct ImportArgs {
    /// Session logs, a harness's audit.db and welcome.json, or folders of them
    ///
    /// Folders are read with all that is in them; links are not followed. What a file is, is told by what it holds.
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// The folder that holds the database [default: ~/.proem]
    #[arg(long, value_name = "DIR")]
    home: Option<PathBuf>,
    /// How the result is written
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// What became of one file.
#[derive(Debug, Serialize)]
struct Item {
    path: String,
    /// What it is; absent for what is none of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<&'static str>,
    outcome: Outcome,
    /// The session of a log or a welcome.
    #[serde(skip_serializing_if = "Option::is_none")]
    session_id: Option<String>,
    /// Rows of a ledger that were added, and that were here already.
    #[serde(skip_serializing_if = "Option::is_none")]
    rows: Option<[u64; 2]>,
    /// A sentence, when there is more to say.
    #[serde(skip_serializing_if = "String::is_empty")]
    message: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum Outcome {
    Added,
    Replaced,
    Known,
    Refused,
    /// Found in a folder, and none of what can be imported.
    Left,
}

impl Item {
    fn new(path: &Path, kind: Option<&'static str>, outcome: Outcome) -> Item {
        Item { path: path.display().to_string(), kind, outcome, session_id: None, rows: None, message: String::new() }
    }

    fn with(self, message: impl Into<String>) -> Item {
        Item { message: message.into(), ..self }
    }
}

/// What a call prints and how it ends.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// For standard output.
    pub out: String,
    /// For standard error: why the call is wrong.
    pub err: String,
    /// The exit code: 0; 1 when something was refused; 2 when the call is wrong.
    pub code: u8,
}

/// Runs `proem import`.
pub fn run(args: ImportArgs) -> ExitCode {
    home::log("warn");
    let runtime = match tokio::runtime::Builder::new_multi_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => return super::fail(&format!("the import cannot start: {error}")),
    };
    let answer = runtime.block_on(answer(&args));
    let _ = std::io::stderr().write_all(answer.err.as_bytes());
    super::print(&answer.out);
    ExitCode::from(answer.code)
}

/// What `proem import` answers, once it is done.
pub async fn answer(args: &ImportArgs) -> Answer {
    let wrong = |message: String| Answer { err: format!("proem: {message}\n"), code: 2, ..Answer::default() };
    let found = match find(&args.paths) {
        Ok(found) => found,
        Err(message) => return wrong(message),
    };
    let folder = match home::folder(args.home.clone()) {
        Ok(folder) => folder,
        Err(message) => return wrong(message),
    };
    let store = match Store::open(&folder).await {
        Ok(store) => store,
        Err(error) => return wrong(error.to_string()),
    };
    let mut items = Vec::with_capacity(found.len());
    for found in found {
        items.push(match found {
            Found::File { path, named } => take(&store, &path, named).await,
            Found::Left { path, why } => Item::new(&path, None, Outcome::Left).with(why),
        });
    }
    store.close().await;
    let refused = items.iter().any(|item| item.outcome == Outcome::Refused);
    let out = match args.format {
        Format::Text => text(&items),
        Format::Json => json(&items),
    };
    Answer { out, err: String::new(), code: u8::from(refused) }
}

/// Takes one file in, whatever it is.
async fn take(store: &Store, path: &Path, named: bool) -> Item {
    // Of what was found in a folder most is none of ours, and nothing is wrong with that.
    let other = if named { Outcome::Refused } else { Outcome::Left };
    let none_of_ours = |why: String| Item::new(path, None, other).with(why);
    let unreadable =
        |error: &std::io::Error| Item::new(path, None, Outcome::Refused).with(format!("It cannot be read: {error}."));
    let (mut file, size) = match File::open(path).and_then(|file| file.metadata().map(|what| (file, what.len()))) {
        Ok(opened) => opened,
        Err(error) => return unreadable(&error),
    };
    let mut bytes = Vec::new();
    if let Err(error) = (&mut file).take(SQLITE_HEADER.len() as u64).read_to_end(&mut bytes) {
        return unreadable(&error);
    }
    if bytes == SQLITE_HEADER {
        return match ledger(store, path).await {
            Ok(Some(rows)) => taken_rows(path, rows),
            Ok(None) => none_of_ours(format!("It {NO_LEDGER}.")),
            Err(why) => Item::new(path, None, Outcome::Refused).with(format!("It {why}.")),
        };
    }
    if size > LOG_MAX {
        return none_of_ours(format!("It has {size} bytes; a log may have {LOG_MAX}."));
    }
    if let Err(error) = file.take(LOG_MAX).read_to_end(&mut bytes) {
        return unreadable(&error);
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    if bytes.len() as u64 <= WELCOME_MAX
        && let Some(welcome) = welcome(&bytes, name == "welcome.json")
    {
        let session_id = Some(welcome.session_id.clone()).filter(|id| !id.is_empty());
        return match store.import_welcome(&welcome, crate::import::OWNER).await {
            Ok(true) => Item { session_id, ..Item::new(path, Some("welcome"), Outcome::Added) },
            Ok(false) => {
                let message = "This home has a record of its welcome, which is final.";
                Item { session_id, ..Item::new(path, Some("welcome"), Outcome::Known).with(message) }
            }
            Err(error) => Item::new(path, Some("welcome"), Outcome::Refused).with(format!("{error}.")),
        };
    }
    let read_as = name.clone();
    let read = move || Log::read(&read_as, bytes, &mut || {}).map_err(|error| error.to_string());
    let read = match tokio::task::spawn_blocking(read).await.unwrap_or_else(|error| Err(error.to_string())) {
        Ok(read) => read,
        Err(sentence) => return none_of_ours(sentence),
    };
    let skipped = read.summary().skipped_lines;
    let (outcome, session) = match log(store, &name, read).await {
        Ok(Imported::Added(session)) => (Outcome::Added, session),
        Ok(Imported::Replaced(session)) => (Outcome::Replaced, session),
        Ok(Imported::Known(session)) => (Outcome::Known, session),
        Err(NotImported::NotALog(sentence) | NotImported::Conflict(sentence)) => {
            return Item::new(path, Some("log"), Outcome::Refused).with(sentence);
        }
        Err(NotImported::Store(error)) => return Item::new(path, Some("log"), Outcome::Refused).with(format!("{error}.")),
    };
    let message = if skipped > 0 { format!("{} could not be read.", counted(skipped, "line")) } else { String::new() };
    Item { session_id: Some(session.summary.session_id), ..Item::new(path, Some("log"), outcome).with(message) }
}

fn taken_rows(path: &Path, rows: crate::import::Rows) -> Item {
    let outcome = if rows.added > 0 { Outcome::Added } else { Outcome::Known };
    let mut message = String::new();
    if !rows.left_out.is_empty() {
        let named = rows.left_out.iter().take(NAMED).cloned().collect::<Vec<_>>().join(", ");
        let more = rows.left_out.len().saturating_sub(NAMED);
        let more = if more > 0 { format!(", and {more} more") } else { String::new() };
        let _ = write!(message, "Left out: {named}{more}.");
    }
    if let Some(unread) = rows.unread {
        let space = if message.is_empty() { "" } else { " " };
        let _ = write!(message, "{space}{unread}.");
    }
    Item { rows: Some([rows.added, rows.known]), ..Item::new(path, Some("ledger"), outcome).with(message) }
}

fn count(items: &[Item], outcome: Outcome) -> usize {
    items.iter().filter(|item| item.outcome == outcome).count()
}

fn json(items: &[Item]) -> String {
    let [added, replaced, known, refused, left] =
        [Outcome::Added, Outcome::Replaced, Outcome::Known, Outcome::Refused, Outcome::Left].map(|outcome| count(items, outcome));
    let document = serde_json::json!({
        "items": items, "added": added, "replaced": replaced, "known": known, "refused": refused, "left": left,
    });
    format!("{document:#}\n")
}

/// A line for each file that was one of ours or was named; what was left alone is counted.
fn text(items: &[Item]) -> String {
    let mut out = String::new();
    for item in items.iter().filter(|item| item.outcome != Outcome::Left) {
        let outcome = match item.outcome {
            Outcome::Added => "added",
            Outcome::Replaced => "replaced a shorter copy",
            Outcome::Known => "already there",
            Outcome::Refused | Outcome::Left => "refused",
        };
        let about = match (&item.rows, &item.session_id) {
            (Some([added, known]), _) => format!(", {}, {known} already there", counted(*added, "new row")),
            (None, Some(session)) => format!(", session {session}"),
            (None, None) => String::new(),
        };
        let kind = item.kind.map(|kind| format!(" ({kind}{about})")).unwrap_or_default();
        let message = if item.message.is_empty() { String::new() } else { format!(": {}", item.message) };
        let line = format!("{}: {outcome}{kind}{message}", item.path);
        out.extend(line.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }));
        out.push('\n');
    }
    let left = count(items, Outcome::Left);
    let words = [
        (Outcome::Added, "added"),
        (Outcome::Replaced, "replaced"),
        (Outcome::Known, "already there"),
        (Outcome::Refused, "refused"),
    ];
    let sums = words.iter().map(|(outcome, word)| (count(items, *outcome), word)).filter(|(count, _)| *count > 0);
    let sums: Vec<String> = sums.map(|(count, word)| format!("{count} {word}")).collect();
    out += &if sums.is_empty() { "Nothing to import".to_owned() } else { sums.join(", ") };
    if left > 0 {
        let _ = write!(
            out,
            "; {} left alone, being none of what can be imported (--format json names them)",
            counted(left as u64, "file")
        );
    }
    out + ".\n"
}
