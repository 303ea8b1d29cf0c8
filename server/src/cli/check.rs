//! `proem check`: are these skills sound? Checks each statically and renders it with the twelve samples.

use super::Format;
use super::deadline::{self, Lost};
use super::skills::{Found, cannot_read, find};
use proem_core::opening::compose::PartSource;
use proem_core::opening::sample::Sample;
use proem_core::opening::validate::validate;
use proem_core::skill::file::SkillFile;
use proem_core::template::normalize;
use proem_core::template::problem::{Problem, Severity};
use serde::Serialize;
use std::path::PathBuf;
use std::process::ExitCode;

/// What `proem check` takes.
#[derive(clap::Args)]
pub struct CheckArgs {
    /// SKILL.md files, or folders of them
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// The files are role instructions: plain templates without front matter
    #[arg(long)]
    role: bool,
    /// How the result is written
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

#[derive(Serialize)]
struct Report {
    skills: Vec<Checked>,
    errors: usize,
    warnings: usize,
}

#[derive(Serialize)]
struct Checked {
    path: String,
    slug: String,
    status: &'static str,
    problems: Vec<Problem>,
    #[serde(skip)]
    text: String,
}

/// Runs `proem check`.
pub fn run(args: CheckArgs) -> ExitCode {
    let skills: Result<Vec<Checked>, String> = if args.role {
        args.paths.iter().map(role).collect()
    } else {
        find(&args.paths).map(|found| found.into_iter().map(skill).collect())
    };
    let skills = match skills {
        Ok(skills) => skills,
        Err(message) => return super::fail(&message),
    };
    let count = |severity| skills.iter().flat_map(|skill| &skill.problems).filter(|problem| problem.severity == severity).count();
    let report = Report { errors: count(Severity::Error), warnings: count(Severity::Warning), skills };
    match args.format {
        Format::Json => super::print_json(&report),
        Format::Text => super::print(&text(&report)),
    }
    if report.errors == 0 { ExitCode::SUCCESS } else { ExitCode::from(1) }
}

fn role(path: &PathBuf) -> Result<Checked, String> {
    let text = normalize(&std::fs::read_to_string(path).map_err(|error| cannot_read(path, &error))?);
    let problems = check(&text, PartSource::Role);
    Ok(checked(path.display().to_string(), String::new(), text, problems))
}

fn skill(found: Found) -> Checked {
    let path = found.path.display().to_string();
    match found.file {
        Ok(SkillFile { body, body_offset, warnings, .. }) => {
            let mut problems: Vec<Problem> =
                check(&body, PartSource::Skill).into_iter().map(|problem| problem.moved(&found.text, body_offset)).collect();
            problems.extend(warnings);
            checked(path, found.slug, found.text, problems)
        }
        Err(problem) => Checked { status: "broken", ..checked(path, found.slug, found.text, vec![problem]) },
    }
}

fn checked(path: String, slug: String, text: String, problems: Vec<Problem>) -> Checked {
    let status = match problems.iter().map(|problem| problem.severity).min_by_key(|severity| *severity == Severity::Warning) {
        None => "ok",
        Some(Severity::Warning) => "warnings",
        Some(Severity::Error) => "errors",
    };
    Checked { path, slug, status, problems, text }
}

fn check(body: &str, source: PartSource) -> Vec<Problem> {
    let text = body.to_owned();
    match deadline::run(move |beat| validate(&text, source, beat)) {
        Ok(problems) => problems,
        Err(Lost::Panicked) => {
            vec![Problem::error(body, 0..0, "internal", "Proem itself failed on this template; please report it")]
        }
        Err(Lost::TooLong(beats)) => {
            let sample = beats.checked_sub(2).and_then(|at| Sample::all().nth(at)).map(|sample| sample.to_string());
            vec![Problem { sample, ..Problem::error(body, 0..0, "too-slow", "stopped after 2 s: this template takes too long") }]
        }
    }
}

/// The report for people: each fault once, with the samples that show it.
fn text(report: &Report) -> String {
    let mut text = String::new();
    let (mut errors, mut warnings) = (0, 0);
    for skill in &report.skills {
        let mut seen: Vec<(Problem, usize)> = Vec::new();
        for problem in &skill.problems {
            let same =
                |known: &Problem| known.range == problem.range && known.message == problem.message && known.code == problem.code;
            match seen.iter_mut().find(|(known, _)| same(known)) {
                Some((_, count)) => *count += 1,
                None => seen.push((problem.clone(), 1)),
            }
        }
        for (mut problem, count) in seen {
            match problem.severity {
                Severity::Error => errors += 1,
                Severity::Warning => warnings += 1,
            }
            if count > 1 {
                problem.sample = problem.sample.map(|sample| format!("{sample} and {} more", count - 1));
            }
            text.push_str(&problem.long(&skill.text, &skill.path));
            text.push('\n');
        }
    }
    let skills = report.skills.len();
    let plural = |count: usize, word: &str| format!("{count} {word}{}", if count == 1 { "" } else { "s" });
    text.push_str(&match (errors, warnings) {
        (0, 0) => format!("{}: no problems\n", plural(skills, "file")),
        (errors, warnings) => {
            format!("{}: {}, {}\n", plural(skills, "file"), plural(errors, "error"), plural(warnings, "warning"))
        }
    });
    text
}
