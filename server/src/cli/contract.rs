//! `proem contract`: what a template may read, as a table for people or as a JSON Schema for programs.

use super::Format;
use proem_core::opening::contract::json_schema;
use proem_core::opening::kind::OpeningKind;
use proem_core::opening::table::{CONTRACT, FIELDS, Field};
use std::process::ExitCode;

/// What `proem contract` takes.
#[derive(clap::Args)]
pub struct ContractArgs {
    /// `json` writes the JSON Schema of a facts document
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// Runs `proem contract`.
pub fn run(args: &ContractArgs) -> ExitCode {
    match args.format {
        Format::Json => super::print_json(&json_schema()),
        Format::Text => super::print(&text()),
    }
    ExitCode::SUCCESS
}

fn text() -> String {
    let mut text = format!("What a template may read, contract {CONTRACT}. `[]` stands for each item of a list.\n");
    text.push_str("Outside its situations a field is null, an empty list or 0; where `null` is written it may be null inside them, too.\n\n");
    let rows: Vec<[String; 6]> = FIELDS.iter().map(row).collect();
    let head = ["field", "type", "situations", "null", "meaning", "example"].map(str::to_owned);
    let width = |column: usize| rows.iter().chain([&head]).map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths = [0, 1, 2, 3].map(width);
    for row in [&head].into_iter().chain(&rows) {
        for (cell, width) in row.iter().zip(widths) {
            text.push_str(&format!("{cell:width$}  "));
        }
        text.push_str(&row[4]);
        if !row[5].is_empty() {
            text.push_str(&format!("  ({})", row[5]));
        }
        text.push('\n');
    }
    text.push_str("\nThe situations, which are the values of opening.kind:\n");
    for kind in OpeningKind::ALL {
        text.push_str(&format!("  {:26} {}\n", kind.as_str(), kind.label()));
    }
    text
}

fn row(field: &Field) -> [String; 6] {
    let null = if field.nullable { "null" } else { "" };
    let cells = [field.path, &field.ty.describe(), field.kinds.as_str(), null, field.meaning, &example(field)];
    cells.map(str::to_owned)
}

/// The first example, in one line and cut.
fn example(field: &Field) -> String {
    let line = field.examples[0].lines().next().unwrap_or_default();
    match line.char_indices().nth(40) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line.to_owned(),
    }
}
