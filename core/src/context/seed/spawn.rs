//! The line that a spawn writes about what it left out (specs: fork-seed, section 5), written and read.

use super::Counts;

/// What a logged line says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpawnLine {
    /// The fork.
    pub fork: String,
    /// The template.
    pub template: String,
    /// What was left out.
    pub counts: Counts,
}

impl Counts {
    /// Whether anything was left out.
    pub fn any(&self) -> bool {
        *self != Counts::default()
    }
}

/// The words between the values, in their order.
const WORDS: [&str; 7] = [
    "[conversation] ",
    ": seeded from ",
    " without ",
    " thinking block(s), ",
    " channel or by-name notice(s), ",
    " unanswered tool call(s) and ",
    " orphaned tool result(s)",
];

/// The line of a spawn; none when nothing was left out.
pub fn spawn_line(counts: &Counts, template: &str, fork: &str) -> Option<String> {
    let Counts { thinking, notices, unanswered, orphaned } = counts;
    let values: [&dyn std::fmt::Display; 6] = [&fork, &template, thinking, notices, unanswered, orphaned];
    let line = || {
        let mut line = WORDS[0].to_owned();
        for (value, word) in values.iter().zip(&WORDS[1..]) {
            line.push_str(&value.to_string());
            line.push_str(word);
        }
        line
    };
    counts.any().then(line)
}

impl SpawnLine {
    /// Finds such a line in a line of a log, whatever stands before and behind it.
    pub fn parse(line: &str) -> Option<SpawnLine> {
        let (_, rest) = line.split_once(WORDS[0])?;
        // Names may hold anything, numbers only digits: they are read from the end.
        let (rest, _) = rest.split_once(WORDS[6])?;
        let (rest, orphaned) = rest.rsplit_once(WORDS[5])?;
        let (rest, unanswered) = rest.rsplit_once(WORDS[4])?;
        let (rest, notices) = rest.rsplit_once(WORDS[3])?;
        let (rest, thinking) = rest.rsplit_once(WORDS[2])?;
        let (fork, template) = rest.split_once(WORDS[1])?;
        let number = |digits: &str| digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok()).flatten();
        let counts = Counts {
            thinking: number(thinking)?,
            notices: number(notices)?,
            unanswered: number(unanswered)?,
            orphaned: number(orphaned)?,
        };
        Some(SpawnLine { fork: fork.to_owned(), template: template.to_owned(), counts })
    }
}
