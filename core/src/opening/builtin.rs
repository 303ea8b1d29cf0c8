//! The six built-in skills and the default role, as a fresh home gets them (specs: opening, section 5).

use crate::skill::{Mode, Skill};

/// A built-in skill: ambient, enabled, for all roles. Its slug is also its `builtin` key.
#[derive(Clone, Copy, Debug)]
pub struct Builtin {
    /// Slug and `builtin` key.
    pub slug: &'static str,
    /// Heading.
    pub name: &'static str,
    /// One line for owners.
    pub summary: &'static str,
    /// For developers.
    pub description: &'static str,
    /// The template.
    pub body: &'static str,
}

impl Builtin {
    /// As a skill at a position.
    pub fn skill(&self, position: i64) -> Skill {
        Skill {
            slug: self.slug.to_owned(),
            name: self.name.to_owned(),
            summary: self.summary.to_owned(),
            description: self.description.to_owned(),
            mode: Mode::Ambient,
            enabled: true,
            position,
            roles: None,
            builtin: Some(self.slug.to_owned()),
            attachments: Vec::new(),
        }
    }
}

/// The six, in the order of their positions (0 to 5).
pub const BUILTINS: [Builtin; 6] = [
    Builtin {
        slug: "opening-task-start",
        name: "Task",
        summary: "What a role is told when it starts a task",
        description: "Speaks in task-start only: the task, who asked, hand-off, unseen updates, how to report and escalate.",
        body: include_str!("builtin/opening-task-start.md"),
    },
    Builtin {
        slug: "opening-task-resume",
        name: "Task, continued",
        summary: "What a role is told when it goes on with a task",
        description: "Speaks in task-resume only: why the last run stopped, what changed since, carry on.",
        body: include_str!("builtin/opening-task-resume.md"),
    },
    Builtin {
        slug: "opening-human-conversation-start",
        name: "Conversation",
        summary: "What a role is told when a conversation with a person begins",
        description: "Speaks in human-conversation-start only: who is there, the topic, recent messages, that a person reads the reply.",
        body: include_str!("builtin/opening-human-conversation-start.md"),
    },
    Builtin {
        slug: "opening-human-conversation-resume",
        name: "Conversation, continued",
        summary: "What a role is told when it comes back to a conversation with a person",
        description: "Speaks in human-conversation-resume only: stop reason, messages since, no second introduction.",
        body: include_str!("builtin/opening-human-conversation-resume.md"),
    },
    Builtin {
        slug: "opening-agent-conversation-start",
        name: "Agent conversation",
        summary: "What a role is told when it meets another agent",
        description: "Speaks in agent-conversation-start only: the peer, the allowed origin facts, no borrowed authority, explicit sends.",
        body: include_str!("builtin/opening-agent-conversation-start.md"),
    },
    Builtin {
        slug: "opening-agent-conversation-resume",
        name: "Agent conversation, continued",
        summary: "What a role is told when it comes back to another agent",
        description: "Speaks in agent-conversation-resume only: stop reason, the new batch, the same limits.",
        body: include_str!("builtin/opening-agent-conversation-resume.md"),
    },
];

/// Id of the role that a fresh home holds.
pub const DEFAULT_ROLE_ID: &str = "assistant";
/// Its name.
pub const DEFAULT_ROLE_NAME: &str = "Assistant";
/// Its instruction.
pub const DEFAULT_ROLE: &str = include_str!("builtin/role.md");

#[cfg(test)]
mod tests {
    use super::*;
    use crate::opening::compose::PartSource;
    use crate::opening::validate::{prepared_samples, validate};
    use crate::template::engine::{Printing, Template};

    #[test]
    fn each_is_clean_and_speaks_in_its_own_situation_only() {
        for builtin in BUILTINS {
            // They answer to more stop reasons than the samples have.
            let said = validate(builtin.body, PartSource::Skill, &mut || {}).into_iter();
            let said: Vec<_> = said.filter(|problem| problem.code != "unexercised").collect();
            assert_eq!(said, vec![], "{}", builtin.slug);
            let template = Template::compile(builtin.body, Printing::Strict).unwrap();
            for prepared in prepared_samples() {
                let spoke = !template.render(&prepared.context).unwrap().text.trim().is_empty();
                let own = builtin.slug == format!("opening-{}", prepared.sample.kind);
                assert_eq!(spoke, own, "{} with {}", builtin.slug, prepared.sample);
                assert_eq!(template.render(&prepared.old_server).unwrap().text.trim(), "", "{} on an old server", builtin.slug);
            }
        }
    }

    #[test]
    fn the_role_speaks_everywhere() {
        assert_eq!(validate(DEFAULT_ROLE, PartSource::Role, &mut || {}), vec![]);
    }
}
