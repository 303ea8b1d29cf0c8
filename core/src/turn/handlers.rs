//! Who answers without a model: a table of names and functions from what is known to a text.

use super::config::Config;
use super::{SkillLine, welcome};
use crate::log::moment;

/// What a handler knows.
pub(super) struct Ask<'a> {
    pub config: &'a Config,
    pub skills: &'a [SkillLine],
    /// When the handler was asked, microseconds since 1970.
    pub now_us: i64,
}

/// What a handler says.
pub(super) struct Said {
    pub text: String,
    /// How many skills it told of, when that is what it does.
    pub capabilities: Option<usize>,
}

/// A row of the table.
pub(super) struct Handler {
    pub name: &'static str,
    /// What its answers are about.
    pub intent: &'static str,
    pub answer: fn(&Ask) -> Said,
}

const SYSTEM: &str = "system";

static HANDLERS: [Handler; 4] = [
    Handler { name: "welcome", intent: "welcome", answer: welcome },
    Handler { name: "help", intent: SYSTEM, answer: |ask| plain(help(ask)) },
    Handler { name: "list_skills", intent: SYSTEM, answer: |ask| plain(list_skills(ask)) },
    Handler { name: "time", intent: SYSTEM, answer: |ask| plain(time(ask)) },
];

/// Answers what no intercept takes.
static NO_MODEL: Handler = Handler { name: "no_model", intent: SYSTEM, answer: |ask| plain(no_model(ask)) };

/// The names a configuration may use.
pub fn handler_names() -> Vec<&'static str> {
    HANDLERS.iter().map(|handler| handler.name).collect()
}

/// The handler of that name.
pub(super) fn find(name: &str) -> Option<&'static Handler> {
    HANDLERS.iter().chain([&NO_MODEL]).find(|handler| handler.name == name)
}

/// The handler for what no intercept takes.
pub(super) fn last_resort() -> &'static Handler {
    &NO_MODEL
}

fn plain(text: String) -> Said {
    Said { text, capabilities: None }
}

fn welcome(ask: &Ask) -> Said {
    let summaries = welcome::summaries(ask.skills);
    Said { text: ask.config.wording().text(&summaries), capabilities: Some(summaries.len()) }
}

fn help(ask: &Ask) -> String {
    match phrases(ask).as_slice() {
        [] => "Nothing is set up that could be asked here.".to_owned(),
        lines => format!("This can be asked here:\n{}", lines.join("\n")),
    }
}

fn no_model(ask: &Ask) -> String {
    let told = "No model is connected here, so nobody can answer this message.";
    match phrases(ask).as_slice() {
        [] => format!("{told} No fixed answer is set up either."),
        lines => format!("{told} Fixed answers exist to these:\n{}", lines.join("\n")),
    }
}

/// A line for each enabled intercept: what to write, and what it gives.
fn phrases(ask: &Ask) -> Vec<String> {
    let line = |row: &super::Row| {
        let when = row.when.as_ref()?.invitation();
        Some(match &row.trace_text {
            Some(label) => format!("- {when}: {label}"),
            None => format!("- {when}"),
        })
    };
    ask.config.enabled_intercepts().filter_map(line).collect()
}

fn list_skills(ask: &Ask) -> String {
    let line = |skill: &SkillLine| match one_line(&skill.summary).as_str() {
        "" => format!("- {}", one_line(&skill.name)),
        summary => format!("- {}: {summary}", one_line(&skill.name)),
    };
    match ask.skills {
        [] => "No skill is switched on. An admin can add one under Skills.".to_owned(),
        [one] => format!("One skill is switched on:\n{}", line(one)),
        all => format!("{} skills are switched on:\n{}", all.len(), all.iter().map(line).collect::<Vec<_>>().join("\n")),
    }
}

fn time(ask: &Ask) -> String {
    const DAYS: [&str; 7] = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];
    const MONTHS: [&str; 12] = [
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
    ];
    let now = moment(ask.now_us);
    let (weekday, month) = (DAYS[now.weekday as usize], MONTHS[now.month as usize - 1]);
    format!("It is {:02}:{:02} UTC on {weekday}, {} {month} {}.", now.hour, now.minute, now.day, now.year)
}

/// The text on one line, trimmed: a line break becomes a space.
pub(super) fn one_line(text: &str) -> String {
    text.trim().replace("\r\n", " ").replace(['\n', '\r', '\u{b}', '\u{c}', '\u{85}', '\u{2028}', '\u{2029}'], " ")
}
