//! The live preview: what to ask the engine, what came back, and what to show while the text is half typed or the engine was
//! stopped.

use super::supervision::EngineFault;
use proem_core::api::{RoleDetail, SkillDetail};
use proem_core::opening::compose::{Opening, PartStatus, PartText};
use proem_core::opening::kind::OpeningKind;
use proem_core::opening::sample::{Sample, Variant};
use proem_core::skill::Mode;
use proem_core::template::coverage::Coverage;
use proem_core::template::problem::Problem;
use proem_core::worker::PreviewRequest;
use std::collections::HashMap;

/// Everything a preview depends on; an answer to another one is late.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    /// The draft.
    pub body: String,
    /// Which samples.
    pub variant: Variant,
    /// As an older server would.
    pub old_server: bool,
}

/// How what is shown relates to what is in the editor.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Freshness {
    /// An answer is on its way.
    #[default]
    Updating,
    /// What is shown belongs to the draft.
    Fresh,
    /// The engine was stopped or could not answer; the sentence says why.
    Stopped(String),
}

/// What the engine said.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// The question.
    pub asked: Asked,
    /// The six openings in the order of [`OpeningKind::ALL`].
    pub openings: Vec<Opening>,
    /// The faults of the draft.
    pub problems: Vec<Problem>,
}

/// What is known of the openings.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PreviewState {
    /// The newest answer.
    pub answer: Option<Answer>,
    /// The branches of the newest text that could be read, and that text.
    pub coverage: Option<(String, Coverage)>,
    /// How it stands.
    pub freshness: Freshness,
    /// The last openings in which the skill did not fail.
    good: HashMap<(OpeningKind, Variant, bool), Opening>,
}

impl PreviewState {
    /// A question was sent.
    pub fn asked(&mut self) {
        self.freshness = Freshness::Updating;
    }

    /// An answer came while `now` is what we want to know. A late one changes nothing.
    pub fn answered(&mut self, slug: &str, answer: Answer, coverage: Option<Coverage>, now: &Asked) {
        let asked = &answer.asked;
        if asked != now {
            return;
        }
        for (kind, opening) in OpeningKind::ALL.into_iter().zip(&answer.openings) {
            if status_of(opening, slug) != Some(PartStatus::Failed) {
                self.good.insert((kind, asked.variant, asked.old_server), opening.clone());
            }
        }
        if let Some(coverage) = coverage {
            self.coverage = Some((asked.body.clone(), coverage));
        }
        self.answer = Some(answer);
        self.freshness = Freshness::Fresh;
    }

    /// There will be no answer to `asked`.
    pub fn failed(&mut self, asked: &Asked, now: &Asked, fault: &EngineFault) {
        if asked == now && *fault != EngineFault::Superseded {
            self.freshness = Freshness::Stopped(why_stopped(fault));
        }
    }

    /// What became of the skill in a situation, by the newest answer; nothing is known of a text over which the engine was stopped.
    pub fn status(&self, slug: &str, kind: OpeningKind) -> Option<PartStatus> {
        let answer = self.answer.as_ref().filter(|_| !self.is_stopped())?;
        status_of(answer.openings.get(index(kind))?, slug)
    }

    /// What to show of a situation.
    pub fn shown(&self, slug: &str, kind: OpeningKind) -> Option<Shown> {
        let Answer { asked, openings, .. } = self.answer.as_ref()?;
        let newest = openings.get(index(kind))?;
        let (variant, old_server) = (asked.variant, asked.old_server);
        let problem = newest.parts.iter().find(|part| part.slug.as_deref() == Some(slug)).and_then(|part| part.problem.clone());
        let good = problem.is_some().then(|| self.good.get(&(kind, variant, old_server))).flatten();
        let dimmed = good.is_some() || self.is_stopped();
        // What the newest answer says of its text is not true of the one over which the engine was stopped.
        let problem = problem.filter(|_| !self.is_stopped());
        let opening = good.unwrap_or(newest).clone();
        Some(Shown { sample: Sample { kind, variant }, old_server, opening, dimmed, problem })
    }

    /// The engine was stopped over the text in the editor, or could not answer.
    pub fn is_stopped(&self) -> bool {
        matches!(self.freshness, Freshness::Stopped(_))
    }

    /// The faults of exactly this text; None while they are not known.
    pub fn problems_of(&self, body: &str) -> Option<&[Problem]> {
        self.answer.as_ref().filter(|answer| answer.asked.body == body).map(|answer| answer.problems.as_slice())
    }
}

/// One situation's opening as it is shown.
#[derive(Clone, Debug, PartialEq)]
pub struct Shown {
    /// Which sample it was rendered with.
    pub sample: Sample,
    /// As an older server would.
    pub old_server: bool,
    /// The opening.
    pub opening: Opening,
    /// It is an earlier draft's: the newest failed, or the engine was stopped.
    pub dimmed: bool,
    /// Why the skill failed here.
    pub problem: Option<Problem>,
}

fn index(kind: OpeningKind) -> usize {
    OpeningKind::ALL.iter().position(|other| *other == kind).unwrap_or_default()
}

fn status_of(opening: &Opening, slug: &str) -> Option<PartStatus> {
    opening.parts.iter().find(|part| part.slug.as_deref() == Some(slug)).map(|part| part.status)
}

/// Why a preview was stopped, for the person who typed the template.
pub fn why_stopped(fault: &EngineFault) -> String {
    match fault {
        EngineFault::Silent => {
            "The preview was stopped after 1 s: this template takes too long, or never ends. Its next change starts the preview again.".to_owned()
        }
        EngineFault::Crashed(words) if words.contains("stack") || words.contains("recursion") => {
            "The preview was stopped: this template nests values too deeply. Its next change starts the preview again.".to_owned()
        }
        EngineFault::Crashed(words) if words.contains("memory") || words.contains("unreachable") => {
            "The preview was stopped: this template needs too much memory or nests values too deeply. Its next change starts the preview again.".to_owned()
        }
        other => format!("There is no preview: {other}."),
    }
}

/// Whether a skill is rendered into openings of a role.
pub fn is_in_openings(skill: &SkillDetail, role: &RoleDetail) -> bool {
    skill.skill.enabled && skill.skill.mode == Mode::Ambient && skill.skill.applies_to(&role.id)
}

/// A stored skill as a part.
pub fn part_text(skill: &SkillDetail) -> PartText {
    PartText {
        slug: Some(skill.skill.slug.clone()),
        name: skill.skill.name.clone(),
        revision: Some(skill.head.number),
        attachments: skill.skill.attachments.clone(),
        body: skill.head.body.clone(),
    }
}

/// The role and every skill that is rendered, in their order.
pub fn opening_parts(role: &RoleDetail, skills: &[SkillDetail]) -> Vec<PartText> {
    let role_part = PartText {
        slug: None,
        name: String::new(),
        revision: Some(role.head.number),
        attachments: Vec::new(),
        body: role.head.body.clone(),
    };
    let skills = skills.iter().filter(|skill| is_in_openings(skill, role)).map(part_text);
    std::iter::once(role_part).chain(skills).collect()
}

/// The six samples of one variant.
pub fn samples(variant: Variant) -> Vec<String> {
    OpeningKind::ALL.into_iter().map(|kind| Sample { kind, variant }.to_string()).collect()
}

/// The question for a draft of `slug`: six openings with it in its place, and its faults. A skill that is not in openings stands
/// alone.
pub fn request(role: &RoleDetail, skills: &[SkillDetail], slug: &str, asked: &Asked) -> PreviewRequest {
    let mut parts = opening_parts(role, skills);
    let mut at = parts.iter().position(|part| part.slug.as_deref() == Some(slug));
    if at.is_none() {
        parts = skills.iter().filter(|skill| skill.skill.slug == slug).map(part_text).collect();
        at = (!parts.is_empty()).then_some(0);
    }
    if let Some(part) = at.and_then(|at| parts.get_mut(at)).filter(|part| part.body != asked.body) {
        part.revision = None;
        part.body.clone_from(&asked.body);
    }
    PreviewRequest::Preview { parts, samples: samples(asked.variant), old_server: asked.old_server, check: at }
}

#[cfg(test)]
mod tests;
