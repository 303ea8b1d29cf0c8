//! `proem render`: the opening that an agent would receive, from files alone.

use super::Format;
use super::deadline::{self, Lost};
use super::input::read_text;
use super::skills::find;
use proem_core::opening::builtin::BUILTINS;
use proem_core::opening::compose::{Opening, PartSource, PartStatus, PartText, assemble, render_part};
use proem_core::opening::facts::Facts;
use proem_core::opening::sample::Sample;
use proem_core::skill::{Mode, Skill};
use proem_core::template::engine::Rendered;
use proem_core::template::normalize;
use proem_core::template::problem::Problem;
use std::path::PathBuf;
use std::process::ExitCode;

/// What `proem render` takes.
#[derive(clap::Args)]
pub struct RenderArgs {
    /// Folder of skills; its enabled ambient ones are rendered
    #[arg(long, value_name = "DIR")]
    skills: Option<PathBuf>,
    /// Role instruction; without it there is no role part
    #[arg(long, value_name = "FILE")]
    role: Option<PathBuf>,
    /// Facts document, JSON; `-` reads standard input
    #[arg(long, value_name = "FILE", conflicts_with = "sample")]
    facts: Option<PathBuf>,
    /// One of the twelve samples, for example task-start/populated
    #[arg(long, value_name = "KIND/VARIANT")]
    sample: Option<String>,
    /// Leave `opening` out of the facts, as an older server does
    #[arg(long)]
    old_server: bool,
    /// Leave the six built-in skills out
    #[arg(long)]
    no_builtins: bool,
    /// How the result is written
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// Runs `proem render`.
pub fn run(args: RenderArgs) -> ExitCode {
    let (facts, (texts, broken)) = match read_facts(&args).and_then(|facts| read_texts(&args, &facts).map(|texts| (facts, texts)))
    {
        Ok(read) => read,
        Err(message) => return super::fail(&message),
    };
    for sentence in &broken {
        eprintln!("proem: {sentence}");
    }
    let opening = compose(&facts, &texts);
    match args.format {
        Format::Json => super::print_json(&opening),
        Format::Text => super::print(&opening.text),
    }
    let mut failed = !broken.is_empty();
    for (part, text) in opening.parts.iter().zip(&texts).filter(|(part, _)| part.status == PartStatus::Failed) {
        failed = true;
        let name = match part.source {
            PartSource::Role => "the role instruction".to_owned(),
            PartSource::Skill => format!("skill {}", part.slug.as_deref().unwrap_or_default()),
        };
        if let Some(problem) = &part.problem {
            eprint!("{}", problem.long(&text.body, &name));
        }
    }
    if failed { ExitCode::from(1) } else { ExitCode::SUCCESS }
}

/// As core's own, with a limit on the time of each part.
fn compose(facts: &Facts, texts: &[PartText]) -> Opening {
    let context = facts.context();
    let rendered = texts.iter().map(|text| {
        let (body, context) = (text.body.clone(), context.clone());
        let lost: Result<Result<Rendered, Problem>, Lost> = deadline::run(move |_| render_part(&body, &context));
        let rendered = lost.unwrap_or_else(|lost| {
            let (code, message) = match lost {
                Lost::TooLong(_) => ("too-slow", "stopped after 2 s: this template takes too long"),
                Lost::Panicked => ("internal", "Proem itself failed on this template; please report it"),
            };
            Err(Problem::error(&text.body, 0..0, code, message))
        });
        (text, rendered)
    });
    assemble(facts.kind(), rendered)
}

fn read_facts(args: &RenderArgs) -> Result<Facts, String> {
    let facts = match (&args.facts, &args.sample) {
        (Some(path), _) => {
            let (text, name) = read_text(path)?;
            Facts::parse(&text)
                .map_err(|errors| errors.0.iter().map(|error| format!("{name}: {error}")).collect::<Vec<_>>().join("\n"))?
        }
        (None, Some(sample)) => sample.parse::<Sample>()?.facts(),
        (None, None) => return Err("give --facts FILE or --sample KIND/VARIANT".to_owned()),
    };
    Ok(if args.old_server { facts.without_opening() } else { facts })
}

/// The role first, then the ambient skills in scope, by position and slug; and a sentence for each file that is no skill.
fn read_texts(args: &RenderArgs, facts: &Facts) -> Result<(Vec<PartText>, Vec<String>), String> {
    let (mut texts, mut broken) = (Vec::new(), Vec::new());
    if let Some(path) = &args.role {
        let body = normalize(&read_text(path)?.0);
        texts.push(PartText { slug: None, name: String::new(), revision: None, attachments: Vec::new(), body });
    }
    let mut skills: Vec<(Skill, String)> = Vec::new();
    if let Some(path) = &args.skills {
        for found in find(std::slice::from_ref(path))? {
            match found.file {
                Ok(file) => skills.push((file.skill, file.body)),
                Err(problem) => broken.push(format!("{}:{}", found.path.display(), problem.one_line())),
            }
        }
    }
    if !args.no_builtins {
        for (position, builtin) in BUILTINS.iter().enumerate() {
            if !skills.iter().any(|(skill, _)| skill.builtin.as_deref() == Some(builtin.slug)) {
                skills.push((builtin.skill(position as i64), builtin.body.to_owned()));
            }
        }
    }
    let role_id = facts.document()["role"]["id"].as_str().unwrap_or_default();
    skills.retain(|(skill, _)| skill.mode == Mode::Ambient && skill.enabled && skill.applies_to(role_id));
    skills.sort_by(|(a, _), (b, _)| (a.position, &a.slug).cmp(&(b.position, &b.slug)));
    texts.extend(skills.into_iter().map(|(skill, body)| PartText {
        slug: Some(skill.slug),
        name: skill.name,
        revision: None,
        attachments: skill.attachments,
        body,
    }));
    Ok((texts, broken))
}
