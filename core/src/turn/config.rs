//! What an organisation sets up for turns, read from three YAML files. A file that cannot be read as it should be is a problem with its
//! place, and says what holds instead; it never fails a turn by itself.

mod lists;
mod rows;
mod values;

pub use rows::{Match, Row};
pub(super) use rows::{PLUGIN, fold};

use super::SkillLine;
use super::checks::ResponseChecks;
use super::handlers;
use super::state::{CheckState, HandlerState};
use super::welcome::{Wording, summaries};
use rows::Registry;
use std::fmt;

/// The file of openers and intercepts, below the home.
pub const INTERCEPTS_FILE: &str = "config/intercepts.yaml";
/// The file of response checks, below the home.
pub const RESPONSE_CHECKS_FILE: &str = "config/response_checks.yaml";
/// The file of the welcome's wording, below the home.
pub const WELCOME_FILE: &str = "config/welcome.yaml";

/// What holds without [`INTERCEPTS_FILE`]; the text of a file that changes nothing.
pub const BUILT_IN_INTERCEPTS: &str = include_str!("builtin/intercepts.yaml");
/// The same for [`RESPONSE_CHECKS_FILE`].
pub const BUILT_IN_RESPONSE_CHECKS: &str = include_str!("builtin/response_checks.yaml");
/// The same for [`WELCOME_FILE`].
pub const BUILT_IN_WELCOME: &str = include_str!("builtin/welcome.yaml");

/// The texts of the three files; `None` where there is no file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ConfigTexts<'a> {
    /// Of [`INTERCEPTS_FILE`].
    pub intercepts: Option<&'a str>,
    /// Of [`RESPONSE_CHECKS_FILE`].
    pub response_checks: Option<&'a str>,
    /// Of [`WELCOME_FILE`].
    pub welcome: Option<&'a str>,
}

/// Something in a file that is not as it should be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigProblem {
    /// The file's name below the home.
    pub file: String,
    /// Where, what, and what holds instead.
    pub message: String,
}

impl fmt::Display for ConfigProblem {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}: {}", self.file, self.message)
    }
}

/// What an organisation set up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Config {
    registry: Registry,
    last_resort: Row,
    checks: ResponseChecks,
    wording: Wording,
    problems: Vec<ConfigProblem>,
}

impl Config {
    /// Reads the three files. Never fails: see [`problems`](Self::problems).
    pub fn read(texts: &ConfigTexts) -> Config {
        let (registry, of_registry) = Registry::read(texts.intercepts);
        let (checks, of_checks) = lists::checks(texts.response_checks);
        let (wording, of_wording) = lists::wording(texts.welcome);
        let files = [(INTERCEPTS_FILE, of_registry), (RESPONSE_CHECKS_FILE, of_checks), (WELCOME_FILE, of_wording)];
        let problem = |file: &str, message| ConfigProblem { file: file.to_owned(), message };
        let problems = files.into_iter().flat_map(|(file, all)| all.into_iter().map(move |message| problem(file, message)));
        let last_resort =
            Row { trace_text: Some("No model is connected".to_owned()), ..Row::named(handlers::last_resort().name) };
        Config { registry, last_resort, checks, wording, problems: problems.collect() }
    }

    /// What is not as it should be, file by file.
    pub fn problems(&self) -> &[ConfigProblem] {
        &self.problems
    }

    /// The enabled opener of that name.
    pub fn opener(&self, name: &str) -> Option<&Row> {
        self.enabled_openers().find(|row| row.name == name)
    }

    /// The first enabled intercept that takes a message.
    pub fn intercept(&self, message: &str) -> Option<&Row> {
        let message = fold(message.trim());
        self.enabled_intercepts().find(|row| row.when.as_ref().is_some_and(|when| when.takes(&message)))
    }

    /// The organisation's lists of what answers may not hold.
    pub fn response_checks(&self) -> &ResponseChecks {
        &self.checks
    }

    /// The words of the welcome.
    pub fn wording(&self) -> &Wording {
        &self.wording
    }

    /// The welcome as it would be said now.
    pub fn welcome_text(&self, skills: &[SkillLine]) -> String {
        self.wording.text(&summaries(skills))
    }

    /// All declared openers, for a screen.
    pub fn openers(&self) -> Vec<HandlerState> {
        self.registry.openers.iter().map(Row::state).collect()
    }

    /// All declared intercepts, in order, for a screen.
    pub fn intercepts(&self) -> Vec<HandlerState> {
        self.registry.intercepts.iter().map(Row::state).collect()
    }

    /// All checks, for a screen.
    pub fn checks(&self) -> Vec<CheckState> {
        self.checks.states()
    }

    pub(super) fn enabled_openers(&self) -> impl Iterator<Item = &Row> {
        self.registry.openers.iter().filter(|row| row.enabled)
    }

    pub(super) fn enabled_intercepts(&self) -> impl Iterator<Item = &Row> {
        self.registry.intercepts.iter().filter(|row| row.enabled)
    }

    /// The row that answers what no intercept takes.
    pub(super) fn last_resort(&self) -> &Row {
        &self.last_resort
    }
}
