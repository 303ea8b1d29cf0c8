//! `proem log`: turns, replay and trace of a session log, and rules that logs are held against.

mod assert;
mod governance;
mod text;

use super::Format;
use governance::Ledger;
use proem_core::ledger::entries;
use proem_core::log::{Detail, Log, TurnList, counted, replay};
use proem_core::trace::{layout, trace};
use serde::Serialize;
use std::fmt::Write as _;
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Lines that were left out are named one by one up to here.
const NAMED: usize = 5;

/// What `proem log` takes.
#[derive(clap::Args)]
pub struct LogArgs {
    #[command(subcommand)]
    command: LogCommand,
}

#[derive(clap::Subcommand)]
enum LogCommand {
    /// List the turns: who opened each, how it ended, how long it took
    ///
    /// A turn that did no work and ended well, such as a bare "approve", is hidden; --all shows it too. JSON always holds every turn,
    /// with `listed` saying which are shown.
    Turns(FileArgs),
    /// Show the conversation: what was typed, every answer, and a notice where there is none
    ///
    /// With --all every other event is shown as well, also those before the first turn.
    Replay(FileArgs),
    /// Show the call trace of one turn: what was called, when, by whom, for how long
    ///
    /// Without --turn it is the last listed turn. ≈ marks a duration that is estimated, `open` one whose end is not logged. With --all the
    /// steps come with their full text. With --governance the decisions of a ledger are drawn at the calls they are about, and listed.
    Trace(TraceArgs),
    /// Hold logs, and a ledger of decisions, against rules
    ///
    /// RULES is a file or the word built-in. Of each rule it says whether it holds, is violated, or had nothing to be judged on, which proves
    /// nothing; a violation leads to its file and line. It ends with 1 when a rule is violated.
    Assert(assert::AssertArgs),
}

#[derive(clap::Args)]
struct TraceArgs {
    #[command(flatten)]
    file: FileArgs,
    /// A ledger: rows as JSON, in a list or one a line, or a harness's audit.db
    #[arg(long, value_name = "FILE")]
    governance: Option<PathBuf>,
}

#[derive(clap::Args)]
struct FileArgs {
    /// The session log, a .jsonl file
    file: PathBuf,
    /// The session to read; the file's first without it
    #[arg(long, value_name = "ID")]
    session: Option<String>,
    /// One turn: its number from 0, as in a trace id, or a reference such as SESSION@TURN or SESSION~2
    #[arg(long, value_name = "N|REF")]
    turn: Option<String>,
    /// Leave nothing out
    #[arg(long)]
    all: bool,
    /// How the result is written
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// What a call prints and how it ends.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// For standard output.
    pub out: String,
    /// For standard error: what the reader left out or mended, or why the call is wrong.
    pub err: String,
    /// The exit code: 0; 1 when a rule is violated; 2 when the call is wrong.
    pub code: u8,
}

/// Runs `proem log`.
pub fn run(args: LogArgs) -> ExitCode {
    let answer = answer(&args);
    // Where nobody listens to remarks, the answer still counts.
    let _ = std::io::stderr().write_all(answer.err.as_bytes());
    super::print(&answer.out);
    ExitCode::from(answer.code)
}

/// What `proem log` answers. Reads what is named and touches nothing else.
pub fn answer(args: &LogArgs) -> Answer {
    let file = match &args.command {
        LogCommand::Assert(args) => return assert::answer(args),
        LogCommand::Turns(file) | LogCommand::Replay(file) | LogCommand::Trace(TraceArgs { file, .. }) => file,
    };
    let answered = open(file).and_then(|log| {
        let turn = chosen_turn(&log, file)?;
        let mut err = remarks(&log);
        let out = match &args.command {
            LogCommand::Turns(_) => turns(&log, turn, file),
            LogCommand::Replay(_) => replayed(&log, turn, file),
            // Answered above.
            LogCommand::Assert(_) => String::new(),
            LogCommand::Trace(TraceArgs { governance: path, .. }) => {
                let ledger = path.as_deref().map_or_else(|| Ok(Ledger::default()), governance::read)?;
                err += &ledger.remarks;
                traced(&log, turn, file, &ledger)?
            }
        };
        Ok(Answer { out, err, code: 0 })
    });
    answered.unwrap_or_else(|message| Answer { out: String::new(), err: format!("proem: {message}\n"), code: 2 })
}

fn turns(log: &Log, turn: Option<usize>, file: &FileArgs) -> String {
    let mut list = log.turn_list();
    if let Some(turn) = turn {
        list = TurnList { turns: vec![list.turns.swap_remove(turn)], ..list };
    }
    match file.format {
        Format::Json => json(&list),
        Format::Text => text::turns(log.summary(), &list, file.all || turn.is_some()),
    }
}

fn replayed(log: &Log, turn: Option<usize>, file: &FileArgs) -> String {
    let detail = if file.all { Detail::Everything } else { Detail::Conversation };
    let replay = replay(log, turn, detail, &mut || ());
    match file.format {
        Format::Json => json(&replay),
        Format::Text => text::replay(log, &replay),
    }
}

fn traced(log: &Log, turn: Option<usize>, file: &FileArgs, ledger: &Ledger) -> Result<String, String> {
    let turn = turn.or_else(|| log.default_turn());
    let turn = turn.ok_or_else(|| format!("{} holds no turn, so there is no trace to show.", file.file.display()))?;
    let trace = trace(log, turn, &entries(&ledger.rows), &mut || ());
    Ok(match file.format {
        Format::Json => json(&trace),
        Format::Text => text::trace(&log.turns()[turn], &trace, &layout(&trace), file.all),
    })
}

fn json(value: &impl Serialize) -> String {
    let text =
        serde_json::to_string_pretty(value).expect("these shapes have text keys and finite numbers, so they have a JSON form");
    text + "\n"
}

fn open(args: &FileArgs) -> Result<Log, String> {
    let name = args.file.display();
    let log = read(&args.file)?;
    match &args.session {
        Some(wanted) if wanted != log.session_id() => {
            Err(format!("There is no session {wanted} in {name}; it holds session {}.", log.session_id()))
        }
        _ => Ok(log),
    }
}

/// The log in a file.
fn read(path: &Path) -> Result<Log, String> {
    let file_name = path.file_name().unwrap_or_default().to_string_lossy();
    Log::read(&file_name, bytes_of(path)?, &mut || ()).map_err(|error| format!("{}: {error}", path.display()))
}

/// The bytes of a file.
fn bytes_of(path: &Path) -> Result<Vec<u8>, String> {
    let name = path.display();
    std::fs::read(path).map_err(|error| match error.kind() {
        ErrorKind::NotFound => format!("There is no file {name}."),
        ErrorKind::IsADirectory => format!("{name} is a folder; name one file in it."),
        ErrorKind::PermissionDenied => format!("{name} may not be read by this user."),
        _ => format!("{name} cannot be read: {error}."),
    })
}

fn chosen_turn(log: &Log, args: &FileArgs) -> Result<Option<usize>, String> {
    let Some(wanted) = &args.turn else { return Ok(None) };
    let last = log.turns().iter().filter_map(|turn| turn.index).max();
    log.find_turn(wanted).map(Some).ok_or_else(|| match last {
        Some(last) => format!("There is no turn {wanted} in session {}; its turns are numbered 0 to {last}.", log.session_id()),
        None => format!("There is no turn {wanted} in session {}: nothing in it opens a turn.", log.session_id()),
    })
}

/// What the reader had to leave out or mend; empty when the file is sound.
fn remarks(log: &Log) -> String {
    let summary = log.summary();
    let mut out = String::new();
    if summary.skipped_lines > 0 {
        let named: Vec<String> = log.skipped().take(NAMED).map(|s| format!("line {} {}", s.line, s.reason.sentence())).collect();
        let more = summary.skipped_lines - named.len() as u64;
        let more = if more > 0 { format!(", and {more} more") } else { String::new() };
        let _ = writeln!(out, "proem: {} left out: {}{more}.", were(summary.skipped_lines, "line"), named.join(", "));
    }
    if summary.repaired_lines > 0 {
        let _ = writeln!(out, "proem: {} damaged and read after a repair.", were(summary.repaired_lines, "line"));
    }
    if summary.foreign_events > 0 {
        let _ = writeln!(
            out,
            "proem: {} logged under another session id than {}.",
            were(summary.foreign_events, "event"),
            summary.session_id
        );
    }
    out
}

fn were(count: u64, what: &str) -> String {
    format!("{} {}", counted(count, what), if count == 1 { "was" } else { "were" })
}
