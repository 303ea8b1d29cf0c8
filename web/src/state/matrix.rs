//! Branches and facts against the six situations: the rows of the two tables, and what is said where there are none.

use super::margin::Margin;
use proem_core::opening::kind::OpeningKind;
use proem_core::opening::reads::{FactUse, Use};
use proem_core::opening::sample::{Sample, Variant};
use proem_core::template::coverage::{Arm, ArmKind, Coverage};

/// A row; its marks are words, one for each situation in the order of [`OpeningKind::ALL`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Position of what it stands for.
    pub at: usize,
    /// The line in the template; None for what has none.
    pub line: Option<u32>,
    /// Code: a condition, or a fact's path.
    pub title: String,
    /// In words: which way.
    pub note: &'static str,
    /// No situation has it.
    pub never: bool,
    /// What is so in each situation.
    pub marks: [&'static str; 6],
}

/// Longest condition that is shown, in characters.
const LONGEST: usize = 90;

/// The branches of a text in the order of their conditions. A way that has no text of its own because an `elif` follows is not one:
/// the rows of that `elif` tell who went it.
pub fn branch_rows(body: &str, coverage: &Coverage, only_never: bool) -> Vec<Row> {
    let never = coverage.never();
    let row = |(at, arm): (usize, &Arm)| Row {
        at,
        line: Some(arm.line),
        title: in_short(body.get(arm.condition.0..arm.condition.1).unwrap_or_default()),
        note: way(arm),
        never: arm.samples.is_empty(),
        marks: std::array::from_fn(|kind| if arm.samples.contains(&(kind as u32)) { "reached" } else { "not reached" }),
    };
    let arms = coverage.arms.iter().enumerate().filter(|(_, arm)| arm.implied || arm.body.is_some());
    arms.filter(|(_, arm)| !only_never || never.contains(arm)).map(row).collect()
}

fn way(arm: &Arm) -> &'static str {
    match (arm.kind, arm.implied) {
        (ArmKind::True, _) => "when true",
        (ArmKind::Items, _) => "for each",
        (ArmKind::False, false) => "otherwise",
        (ArmKind::False, true) => "otherwise (implied, no text)",
        (ArmKind::Empty, false) => "when empty",
        (ArmKind::Empty, true) => "when empty (implied, no text)",
    }
}

/// In one line, and cut.
fn in_short(code: &str) -> String {
    let words = code.split_whitespace().collect::<Vec<_>>().join(" ");
    match words.char_indices().nth(LONGEST) {
        Some((end, _)) => words[..end].to_owned() + "…",
        None => words,
    }
}

/// What is said beside the branches; None when they speak for themselves. `body` is the text in the editor.
pub fn branch_words(body: &str, coverage: Option<&(String, Coverage)>, is_stopped: bool, rows: usize) -> Option<String> {
    Some(match coverage {
        None if is_stopped => "Nothing is known of the branches, because the preview was stopped.".to_owned(),
        None => "The branches are known once the text can be read.".to_owned(),
        Some((_, Coverage { disabled: Some(why), .. })) => format!("The branches are not known: {why}."),
        Some(_) if is_stopped => "The preview was stopped: these are the branches of an earlier text.".to_owned(),
        Some((of, _)) if of != body => {
            "The text cannot be read as it stands: these are the branches of an earlier one.".to_owned()
        }
        Some((_, coverage)) if coverage.arms.is_empty() => "There is no condition and no loop in this text.".to_owned(),
        Some(_) if rows == 0 => "Some sample reaches each of them.".to_owned(),
        Some(_) => return None,
    })
}

/// The facts of one variant's six samples. `samples` names the columns of `facts`.
pub fn fact_rows(samples: &[String], facts: &[FactUse], variant: Variant, view: Margin) -> Vec<Row> {
    let columns = OpeningKind::ALL.map(|kind| {
        let name = Sample { kind, variant }.to_string();
        samples.iter().position(|sample| *sample == name)
    });
    let rows = facts.iter().enumerate().filter_map(|(at, fact)| {
        let uses = columns.map(|column| column.and_then(|at| fact.uses.get(at)).copied().unwrap_or(Use::Absent));
        let is_read = uses.iter().any(|used| matches!(used, Use::Read | Use::ReadAbsent));
        let is_there = uses.iter().any(|used| matches!(used, Use::Read | Use::Unused));
        let shown = match view {
            Margin::Read => is_read,
            Margin::Unused => is_there && !is_read,
            _ => is_there || is_read,
        };
        shown.then(|| Row { at, line: None, title: fact.path.clone(), note: "", never: !is_read, marks: uses.map(mark) })
    });
    rows.collect()
}

fn mark(used: Use) -> &'static str {
    match used {
        Use::Read => "read",
        Use::ReadAbsent => "asked for, not there",
        Use::Unused => "not read",
        Use::Absent => "not there",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::preview::samples;
    use proem_core::opening::compose::PartText;
    use proem_core::worker::preview::Preview;
    use proem_core::worker::{PreviewAnswer, PreviewRequest};

    const TEXT: &str = "{% if opening.kind == \"task-start\" %}{% if task.id == 'never' %}a{% endif %}{% elif organization\n  and role %}b{% else %}c{% endif %}{% for update in opening.updates %}-{% endfor %}";

    fn coverage(variant: Variant) -> Coverage {
        let part = PartText { slug: Some("a".into()), name: "A".into(), revision: None, attachments: vec![], body: TEXT.into() };
        let request = PreviewRequest::Preview { parts: vec![part], samples: samples(variant), old_server: false, check: Some(0) };
        let PreviewAnswer::Preview { coverage: Some(coverage), .. } = Preview::default().handle(request, &mut || {}) else {
            panic!("no coverage")
        };
        coverage
    }

    /// `line title: note marks`, a mark as its first letter.
    fn plain(rows: &[Row]) -> Vec<String> {
        let marks = |row: &Row| row.marks.iter().map(|mark| &mark[..1]).collect::<String>();
        let line = |row: &Row| row.line.map(|line| format!("{line} ")).unwrap_or_default();
        rows.iter().map(|row| format!("{}{}: {} {}", line(row), row.title, row.note, marks(row))).collect()
    }

    #[test]
    fn every_branch_with_text_or_implied_is_a_row() {
        assert_eq!(
            plain(&branch_rows(TEXT, &coverage(Variant::Populated), false)),
            [
                "1 opening.kind == \"task-start\": when true rnnnnn",
                "1 task.id == 'never': when true nnnnnn",
                "1 task.id == 'never': otherwise (implied, no text) rnnnnn",
                "1 organization and role: when true nrrrrr",
                "1 organization and role: otherwise nnnnnn",
                "2 opening.updates: for each rrnnnn",
                "2 opening.updates: when empty (implied, no text) nnrrrr",
            ]
        );
    }

    #[test]
    fn what_no_sample_reaches_can_stand_alone() {
        let rows = branch_rows(TEXT, &coverage(Variant::Populated), true);
        assert_eq!(rows.iter().map(|row| row.at).collect::<Vec<_>>(), [2, 5]);
        assert!(rows.iter().all(|row| row.never));
    }

    #[test]
    fn why_there_are_no_branches_is_said() {
        let known = (TEXT.to_owned(), coverage(Variant::Populated));
        let words = |body: &str, known: Option<&(String, Coverage)>, stopped, rows| branch_words(body, known, stopped, rows);
        assert_eq!(words(TEXT, Some(&known), false, 7), None);
        assert!(words(TEXT, Some(&known), false, 0).unwrap().contains("each of them"));
        assert!(words("{% if", Some(&known), false, 7).unwrap().contains("earlier one"));
        assert!(words("x", Some(&known), true, 7).unwrap().contains("stopped"));
        assert!(words("x", None, true, 0).unwrap().contains("stopped"));
        assert!(words("{% if", None, false, 0).unwrap().contains("once the text can be read"));
        let plain = ("x".to_owned(), Coverage::default());
        assert!(words("x", Some(&plain), false, 0).unwrap().contains("no condition"));
        let odd = ("x".to_owned(), Coverage { arms: Vec::new(), disabled: Some("nested too deeply".into()) });
        assert_eq!(words("x", Some(&odd), false, 0).unwrap(), "The branches are not known: nested too deeply.");
    }

    #[test]
    fn long_conditions_are_cut_between_characters() {
        assert_eq!(in_short(&"é".repeat(LONGEST)), "é".repeat(LONGEST));
        assert_eq!(in_short(&"é".repeat(LONGEST + 1)), "é".repeat(LONGEST) + "…");
    }

    #[test]
    fn facts_are_read_unused_or_asked_for_in_vain() {
        let body = "{% if task %}{{ task.title }}{% endif %}{% if opening.peer %}x{% endif %}".to_owned();
        let request = PreviewRequest::Reads { body };
        let PreviewAnswer::Reads { samples, facts } = Preview::default().handle(request, &mut || {}) else { panic!("no reads") };
        let rows = |variant, view| fact_rows(&samples, &facts, variant, view);
        let marks =
            |view, path: &str| rows(Variant::Populated, view).into_iter().find(|row| row.title == path).map(|row| row.marks);
        let peer = marks(Margin::Facts, "opening.peer").unwrap();
        assert_eq!((peer[0], peer[4]), ("asked for, not there", "read"));
        assert!(marks(Margin::Read, "task.title").is_some() && marks(Margin::Unused, "task.title").is_none());
        assert!(marks(Margin::Read, "role.name").is_none() && marks(Margin::Unused, "role.name").is_some());
        assert!(rows(Variant::Populated, Margin::Unused).iter().all(|row| row.never));
        let empty = rows(Variant::Empty, Margin::Read).into_iter().find(|row| row.title == "opening.peer").unwrap();
        assert_eq!(empty.marks, ["asked for, not there"; 6]);
    }
}
