//! The shape of a rule that was read: what it is about, which of those, and what is expected of them.

use super::condition::Condition;
use super::field::{Named, Over, What};

/// One rule.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Rule {
    pub id: String,
    pub says: String,
    pub over: Over,
    pub conditions: Vec<Condition>,
    pub expect: Expect,
}

/// What is expected.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Expect {
    /// Each meets these conditions too.
    Must(Vec<Condition>),
    /// Each holds so many of these.
    Contains { over: Over, conditions: Vec<Condition>, count: Count },
    /// In each, every event that meets the first is followed by one that meets the second, before any that meets the third.
    Order { each: Vec<Condition>, then: Vec<Condition>, before: Option<Vec<Condition>> },
    /// There are so many of them in everything that was read.
    Count(Count),
    /// No two have the same value.
    Unique(Named),
    /// The numbers of those with the same `per` follow each other without a gap.
    Gapless { field: Named, per: Named },
    /// No text is in both fields of one of them.
    Disjoint(Named, Named),
}

/// How many, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Count {
    pub least: Option<u64>,
    pub most: Option<u64>,
}

impl Count {
    pub fn allows(self, count: u64) -> bool {
        self.least.is_none_or(|least| count >= least) && self.most.is_none_or(|most| count <= most)
    }

    /// `exactly 1`, `at least 1`, `1 to 3`, `none`.
    pub fn sentence(self) -> String {
        match (self.least, self.most) {
            (_, Some(0)) => "none".to_owned(),
            (Some(least), Some(most)) if least == most => format!("exactly {most}"),
            (Some(least), Some(most)) => format!("{least} to {most}"),
            (Some(least), None) => format!("at least {least}"),
            (None, Some(most)) => format!("at most {most}"),
            (None, None) => "any number".to_owned(),
        }
    }
}

impl Rule {
    /// The conditions on events that it looks for, apart from its own.
    pub fn events_looked_for(&self) -> Vec<&[Condition]> {
        match &self.expect {
            Expect::Contains { over: Over::Event, conditions, .. } => vec![conditions],
            Expect::Order { each, then, before } => {
                let mut all: Vec<&[Condition]> = vec![each, then];
                all.extend(before.as_deref());
                all
            }
            _ => Vec::new(),
        }
    }

    /// Whether it needs the rows of a log's turns.
    pub fn looks_for_rows(&self) -> bool {
        matches!(&self.expect, Expect::Contains { over: Over::Row, .. })
    }

    /// Every field that it reads.
    pub fn fields(&self) -> Vec<&Named> {
        let mut conditions: Vec<&Condition> = self.conditions.iter().collect();
        let mut named = Vec::new();
        match &self.expect {
            Expect::Must(more) | Expect::Contains { conditions: more, .. } => conditions.extend(more),
            Expect::Order { each, then, before } => {
                conditions.extend(each.iter().chain(then).chain(before.iter().flatten()));
            }
            Expect::Count(_) => {}
            Expect::Unique(field) => named.push(field),
            Expect::Gapless { field, per } => named.extend([field, per]),
            Expect::Disjoint(this, that) => named.extend([this, that]),
        }
        for condition in conditions {
            named.push(&condition.field);
            named.extend(condition.tests.iter().filter_map(|test| match test {
                super::condition::Test::Same(other) => Some(other),
                _ => None,
            }));
        }
        named
    }

    /// Whether it reads something of turns that only their events tell.
    pub fn reads_what_events_tell(&self) -> bool {
        let told =
            |named: &&Named| matches!(named.what, What::Field(Over::Turn, "handler" | "verdict" | "intent" | "agent_type"));
        self.fields().iter().any(told)
    }
}
