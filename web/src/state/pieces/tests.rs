//! Pieces put together again are the opening, and places in template and output find each other.

use super::*;
use proem_core::opening::builtin::BUILTINS;
use proem_core::opening::compose::{PartText, compose};
use proem_core::opening::sample::Sample;

fn parts() -> Vec<PartText> {
    let role = PartText { slug: None, name: String::new(), revision: None, attachments: vec![], body: "Be kind.\n\n".into() };
    let skills = BUILTINS.iter().map(|builtin| PartText {
        slug: Some(builtin.slug.into()),
        name: builtin.name.into(),
        revision: None,
        attachments: vec!["a.txt".into()],
        body: builtin.body.into(),
    });
    std::iter::once(role).chain(skills).collect()
}

#[test]
fn pieces_put_together_are_the_opening() {
    for sample in Sample::all() {
        let opening = compose(&sample.facts(), &parts());
        let again: String = passages(&opening)
            .iter()
            .flat_map(|passage| &passage.pieces)
            .map(|piece| &opening.text[piece.output.clone()])
            .collect();
        assert_eq!(again, opening.text, "{sample}");
    }
}

#[test]
fn raw_pieces_are_the_template_s_own_words() {
    let texts = parts();
    for sample in Sample::all() {
        let opening = compose(&sample.facts(), &texts);
        for passage in passages(&opening) {
            let Some(text) = passage.part.map(|part| &texts[part].body) else { continue };
            for piece in passage.pieces.iter().filter(|piece| !piece.is_value) {
                if let Some(template) = &piece.template {
                    assert_eq!(&opening.text[piece.output.clone()], &text[template.clone()], "{sample}");
                }
            }
        }
    }
}

#[test]
fn one_skill_alone() {
    let opening = compose(&"task-start/empty".parse::<Sample>().unwrap().facts(), &parts());
    let own = shown_text(&opening, "opening-task-start", Show::Own);
    assert!(own.starts_with("## ") && opening.text.contains(own));
    assert_eq!(shown_text(&opening, "opening-task-resume", Show::Own), "");
    assert_eq!(shown_text(&opening, "opening-task-start", Show::Whole), opening.text);
}

#[test]
fn a_cursor_touches_one_piece_and_a_selection_several() {
    assert!(touches(&(2..5), &(2..2), 9) && !touches(&(2..5), &(5..5), 9) && touches(&(5..9), &(9..9), 9));
    assert!(touches(&(2..5), &(4..8), 9) && touches(&(5..9), &(4..8), 9) && !touches(&(0..4), &(4..8), 9));
}

#[test]
fn positions_in_units_and_bytes() {
    let text = "é🙂x";
    assert_eq!([0, 1, 2, 3, 4, 9].map(|units| byte_of_utf16(text, units)), [0, 2, 2, 6, 7, 7]);
    assert_eq!([0, 2, 6, 7, 99].map(|byte| utf16_of_byte(text, byte)), [0, 1, 3, 4, 4]);
}
