//! The reference pages say what the tables say. What stands in them between `<!-- NAME -->` and `<!-- end -->` is made here;
//! `PROEM_WRITE_PAGES=1 cargo test -p proem-tests --test pages` writes it anew.
#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

use proem_core::opening::kind::OpeningKind;
use proem_core::opening::table::{FIELDS, Field, Kinds, Type, roots};
use proem_core::template::builtins::{FILTERS, FUNCTIONS, Known, LOOP, STATEMENTS, TESTS};
use std::fmt::Write;
use std::path::Path;

/// What each made part of the pages is called, and what it says.
fn parts() -> Vec<(&'static str, String)> {
    vec![
        ("situations", situations()),
        ("facts", facts()),
        ("statements", known(STATEMENTS)),
        ("filters", known(FILTERS)),
        ("tests", known(TESTS)),
        ("functions", known(FUNCTIONS)),
        ("loop", known(LOOP)),
    ]
}

fn situations() -> String {
    let mut text = "| `opening.kind` | called | can hold |\n|---|---|---|\n".to_owned();
    for kind in OpeningKind::ALL {
        let held = FIELDS.iter().filter(|field| field.kinds != Kinds::All && field.kinds.include(kind));
        let held = held.filter(|field| FIELDS.iter().all(|other| other.path != field.parent() || other.kinds != field.kinds));
        let held: Vec<String> =
            held.filter(|field| !field.parent().contains("[]")).map(|field| format!("`{}`", field.path)).collect();
        writeln!(text, "| `{kind}` | {} | {} |", kind.label(), held.join(", ")).unwrap();
    }
    text
}

/// One table for each root.
fn facts() -> String {
    let mut text = String::new();
    for root in roots() {
        writeln!(text, "### `{}`\n\n| field | type | in | meaning | example |\n|---|---|---|---|---|", root.path).unwrap();
        let below = |field: &&Field| field.path == root.path || field.path.starts_with(&format!("{}.", root.path));
        for field in FIELDS.iter().filter(below) {
            let null = if field.nullable { ", or null" } else { "" };
            let meaning = cell(field.meaning);
            writeln!(
                text,
                "| `{}` | {}{null} | {} | {meaning} | {} |",
                field.path,
                kind_of(field),
                situations_of(field),
                example(field)
            )
            .unwrap();
        }
        text.push('\n');
    }
    text
}

fn kind_of(field: &Field) -> String {
    match field.ty {
        Type::Word(words) => words.iter().map(|word| format!("`\"{word}\"`")).collect::<Vec<_>>().join(" or "),
        ty => ty.describe(),
    }
}

fn situations_of(field: &Field) -> String {
    match field.kinds {
        Kinds::All => "all".to_owned(),
        kinds => format!("`{}`", kinds.as_str()),
    }
}

fn example(field: &Field) -> String {
    match field.examples[0] {
        "" => String::new(),
        text => format!("`{}`", cell(text.lines().next().unwrap())),
    }
}

fn known(words: &[Known]) -> String {
    let mut text = "| written | meaning |\n|---|---|\n".to_owned();
    for word in words {
        writeln!(text, "| `{}` | {} |", cell(word.usage), cell(word.meaning)).unwrap();
    }
    text
}

/// A text in a cell of a table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

/// The page with its made parts made anew; and their names.
fn remade(page: &str) -> (String, Vec<String>) {
    let (mut text, mut rest, mut names) = (String::new(), page, Vec::new());
    let parts = parts();
    while let Some((before, after)) = rest.split_once("<!-- ") {
        let (name, after) = after.split_once(" -->").expect("a comment ends");
        let (_, part) =
            parts.iter().find(|(known, _)| *known == name).unwrap_or_else(|| panic!("no table makes the part {name}"));
        let (_, after) = after.split_once("<!-- end -->").unwrap_or_else(|| panic!("the part {name} has no <!-- end -->"));
        write!(text, "{before}<!-- {name} -->\n\n{}\n\n<!-- end -->", part.trim_end()).unwrap();
        names.push(name.to_owned());
        rest = after;
    }
    text.push_str(rest);
    (text, names)
}

#[test]
fn the_pages_say_what_the_tables_say() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs");
    let mut made = Vec::new();
    for name in ["facts.md", "template-language.md"] {
        let path = docs.join(name);
        let page = std::fs::read_to_string(&path).unwrap();
        let (text, names) = remade(&page);
        made.extend(names);
        if std::env::var_os("PROEM_WRITE_PAGES").is_some() {
            std::fs::write(&path, &text).unwrap();
        } else {
            assert!(
                text == page,
                "docs/{name} is not what the tables say; run PROEM_WRITE_PAGES=1 cargo test -p proem-tests --test pages"
            );
        }
    }
    assert_eq!(made, parts().iter().map(|(name, _)| *name).collect::<Vec<_>>(), "every part is on a page");
}

#[test]
fn a_changed_table_is_noticed() {
    let (text, _) = remade("a\n<!-- functions -->\nold\n<!-- end -->\nb\n");
    assert!(
        text.starts_with("a\n<!-- functions -->\n\n| written")
            && text.ends_with("|\n\n<!-- end -->\nb\n")
            && !text.contains("old")
    );
    assert_eq!(remade(&text).0, text);
}
