//! `proem log assert`: logs and a ledger against rules.

use super::{Answer, bytes_of, governance, json, read};
use crate::cli::Format;
use proem_core::assertion::{BUILT_IN, LISTED, Report, Row, RuleReport, Rules, Run, Verdict};
use proem_core::ledger::{LedgerRow, entries};
use proem_core::log::counted;
use proem_core::template::problem::Problem;
use serde::Serialize;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// The word for the rules that Proem is shipped with.
const BUILT_IN_NAME: &str = "built-in";

#[derive(clap::Args)]
pub(super) struct AssertArgs {
    /// A file of rules, or the word built-in
    rules: PathBuf,
    /// Session logs; of a folder every .jsonl file in it
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The ledger of these sessions: JSON, JSON lines, or a harness's audit.db. Without it rules about its rows are not judged
    #[arg(long, value_name = "FILE")]
    governance: Option<PathBuf>,
    /// How the result is written
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// What is wrong with rules, for programs.
#[derive(Serialize)]
struct Faults {
    problems: Vec<Problem>,
}

/// What `proem log assert` answers.
pub(super) fn answer(args: &AssertArgs) -> Answer {
    let wrong = |message: String| Answer { err: format!("proem: {message}\n"), code: 2, ..Answer::default() };
    let (name, text) = match rules_text(&args.rules) {
        Ok(found) => found,
        Err(message) => return wrong(message),
    };
    let rules = match Rules::parse(&text) {
        Ok(rules) => rules,
        Err(problems) => {
            let err = problems.iter().map(|problem| problem.long(&text, &name)).collect::<Vec<_>>().join("\n");
            let out = if args.format == Format::Json { json(&Faults { problems }) } else { String::new() };
            return Answer { out, err, code: 2 };
        }
    };
    let ledger = || args.governance.as_deref().map(governance::read).transpose();
    let (files, ledger) = match files(&args.files).and_then(|files| Ok((files, ledger()?))) {
        Ok(found) => found,
        Err(message) => return wrong(message),
    };
    let mut err = ledger.as_ref().map_or(String::new(), |ledger| ledger.remarks.clone());
    let report = run(rules, &files, ledger.as_ref().map(|ledger| ledger.rows.as_slice()), &mut err);
    let out = match args.format {
        Format::Json => json(&report),
        Format::Text => text_of(&report),
    };
    let violated = report.rules.iter().any(|rule| rule.verdict == Verdict::Violated);
    let code = if report.left_out.is_empty() { u8::from(violated) } else { 2 };
    Answer { out, err, code }
}

/// One log after the other; never two are held at once.
fn run(rules: Rules, files: &[PathBuf], rows: Option<&[LedgerRow]>, err: &mut String) -> Report {
    let shown = rows.map(entries);
    let mut run = Run::new(rules);
    for path in files {
        let name = path.display().to_string();
        match read(path) {
            Ok(log) => {
                let skipped = log.summary().skipped_lines;
                if skipped > 0 {
                    let were = if skipped == 1 { "was" } else { "were" };
                    let _ = writeln!(err, "proem: {name}: {} {were} left out.", counted(skipped, "line"));
                }
                run.log(&name, &log, shown.as_deref(), &mut || ());
            }
            Err(message) => {
                let _ = writeln!(err, "proem: {message}");
                run.left_out(&name, message);
            }
        }
    }
    run.rows(rows.into_iter().flatten().map(Row::Kept), &mut || ());
    run.finish()
}

/// The rules' name and text.
fn rules_text(path: &Path) -> Result<(String, String), String> {
    if path == Path::new(BUILT_IN_NAME) {
        return Ok((BUILT_IN_NAME.to_owned(), BUILT_IN.to_owned()));
    }
    let name = path.display().to_string();
    let text = String::from_utf8(bytes_of(path)?).map_err(|error| {
        let line = error.as_bytes()[..error.utf8_error().valid_up_to()].iter().filter(|b| **b == b'\n').count() + 1;
        format!("{name} is no UTF-8 text: see line {line}.")
    })?;
    Ok((name, text))
}

/// The logs: of a folder its `.jsonl` files, in order of their names.
fn files(paths: &[PathBuf]) -> Result<Vec<PathBuf>, String> {
    let mut files = Vec::new();
    for path in paths {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let name = path.display();
        let entries = std::fs::read_dir(path).map_err(|error| format!("{name} cannot be read: {error}."))?;
        let paths = entries.map(|entry| entry.map(|entry| entry.path()));
        let mut found = paths.collect::<Result<Vec<_>, _>>().map_err(|error| format!("{name} cannot be read: {error}."))?;
        found.retain(|path| path.extension().is_some_and(|extension| extension == "jsonl"));
        if found.is_empty() {
            return Err(format!("There is no .jsonl file in {name}."));
        }
        found.sort();
        files.append(&mut found);
    }
    Ok(files)
}

/// A line a rule, its violations below it, and the sum.
fn text_of(report: &Report) -> String {
    let mut out = String::new();
    for rule in &report.rules {
        let judged = counted(rule.judged, rule.over.trim_end_matches('s'));
        let evidence = match rule.verdict {
            Verdict::Nothing => String::new(),
            Verdict::Holds => format!(" ({judged})"),
            Verdict::Violated => format!(" ({judged}, {})", counted(rule.violation_count, "violation")),
        };
        let _ = writeln!(out, "{:<16}  {}: {}{evidence}", rule.verdict.words(), rule.id, rule.says);
        violations(&mut out, rule);
    }
    let with = |verdict: Verdict| report.rules.iter().filter(|rule| rule.verdict == verdict).count() as u64;
    let _ = writeln!(
        out,
        "{}: {} ok, {} violated, {} with nothing to judge. Read: {}, {}, {} of the ledger.",
        counted(report.rules.len() as u64, "rule"),
        with(Verdict::Holds),
        with(Verdict::Violated),
        with(Verdict::Nothing),
        counted(report.logs, "log"),
        counted(report.turns, "turn"),
        counted(report.rows, "row"),
    );
    out
}

fn violations(out: &mut String, rule: &RuleReport) {
    for violation in &rule.violations {
        let place = violation.spot.words();
        let colon = if place.is_empty() { "" } else { ": " };
        let turn = violation.spot.turn.as_ref().map_or(String::new(), |turn| format!(" [{turn}]"));
        let line = format!("  {place}{colon}{}{turn}", violation.message);
        // A terminal obeys control characters; a text of a log must not speak to it.
        let _ = writeln!(out, "{}", line.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect::<String>());
    }
    if rule.violation_count > LISTED as u64 {
        let _ = writeln!(out, "  and {} more", rule.violation_count - LISTED as u64);
    }
}
