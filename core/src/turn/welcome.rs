//! The text of the first-chat welcome: the organisation's words and the summaries of its skills (specs: system-opened-turns, 4.5).

use super::SkillLine;
use super::handlers::one_line;
use std::collections::HashSet;

/// Where a summary stands in a line of [`Wording::capability`].
const SUMMARY: &str = "{summary}";

/// The words of the welcome (`config/welcome.yaml`).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wording {
    /// Before the skills.
    pub intro: String,
    /// A line for each skill; `{summary}` in it is the skill's summary.
    pub capability: String,
    /// In place of the skills, when there is none.
    pub no_capabilities: String,
    /// What to do next.
    pub invitation: String,
    /// How the message came about.
    pub trace_note: String,
}

impl Wording {
    /// The keys of the file, in the order of the text.
    pub const KEYS: [&str; 5] = ["intro", "capability", "no_capabilities", "invitation", "trace_note"];

    /// The words under a key of [`KEYS`](Self::KEYS).
    pub(super) fn field(&mut self, key: &str) -> Option<&mut String> {
        Some(match key {
            "intro" => &mut self.intro,
            "capability" => &mut self.capability,
            "no_capabilities" => &mut self.no_capabilities,
            "invitation" => &mut self.invitation,
            "trace_note" => &mut self.trace_note,
            _ => return None,
        })
    }

    /// Why a text cannot stand under a key; nothing when it can.
    pub(super) fn refuses(key: &str, text: &str) -> Option<String> {
        let lacks = key == "capability" && !text.contains(SUMMARY);
        lacks.then(|| format!("holds no `{SUMMARY}`, so no skill could be told"))
    }

    /// The welcome. Words are put in literally and once: braces of any kind stay as they are.
    pub(super) fn text(&self, summaries: &[String]) -> String {
        let line = |summary: &String| self.capability.replacen(SUMMARY, summary, 1);
        let lines: Vec<String> = summaries.iter().map(line).collect();
        let mut blocks = Vec::new();
        if lines.is_empty() {
            blocks.push(self.no_capabilities.clone());
        } else {
            blocks.push(self.intro.clone());
            blocks.push(lines.join("\n"));
        }
        blocks.push(self.invitation.clone());
        blocks.push(self.trace_note.clone());
        blocks.join("\n\n")
    }
}

/// The summaries that a welcome tells: trimmed, on one line, without blank ones, each once in its first place.
pub(super) fn summaries(skills: &[SkillLine]) -> Vec<String> {
    let mut seen = HashSet::new();
    let lines = skills.iter().map(|skill| one_line(&skill.summary)).filter(|summary| !summary.is_empty());
    lines.filter(|summary| seen.insert(summary.clone())).collect()
}
