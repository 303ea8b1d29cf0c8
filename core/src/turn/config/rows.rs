//! Openers and intercepts: the rows of `config/intercepts.yaml` (specs: system-opened-turns, section 2).

use super::super::handlers;
use super::super::state::HandlerState;
use super::BUILT_IN_INTERCEPTS;
use super::values::{flag, mapping, phrase, text, unknown};
use serde_json::{Map, Value};

/// Begins the name of a handler that a plugin would bring.
pub(in crate::turn) const PLUGIN: &str = "plugin:";

const OPENER_KEYS: [&str; 8] =
    ["name", "handler", "enabled", "passes_channel", "trace_text", "trace_fields", "resolves_confirmation", "guard_output"];
const INTERCEPT_KEYS: [&str; 9] = [
    "name",
    "handler",
    "enabled",
    "match",
    "passes_channel",
    "trace_text",
    "trace_fields",
    "resolves_confirmation",
    "guard_output",
];

/// An opener or intercept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Its name; of an opener what a caller asks for.
    pub name: String,
    /// Which handler answers.
    pub handler: String,
    /// A disabled row is not asked.
    pub enabled: bool,
    /// Whether the result says where the turn came from: the value `channel`.
    pub passes_channel: bool,
    /// Its label; an opener's turn is called so.
    pub trace_text: Option<String>,
    /// Which values of the result are told while the turn runs.
    pub trace_fields: Vec<String>,
    /// Whether the organisation's output check looks at its answers, too.
    pub guard_output: bool,
    /// What an intercept takes; absent on openers.
    pub when: Option<Match>,
}

/// What an intercept takes. Compared trimmed and case-folded; there are no patterns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Match {
    /// A message that is one of these.
    Equals(Vec<String>),
    /// A message that begins so.
    Starts(String),
    /// A message that holds this.
    Contains(String),
}

/// The two lists.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Registry {
    pub openers: Vec<Row>,
    pub intercepts: Vec<Row>,
}

impl Registry {
    /// Reads the file, and says what is wrong with it. A list that is missing or malformed is the built-in one.
    pub fn read(file: Option<&str>) -> (Registry, Vec<String>) {
        let (own, mut problems) = match file.map(mapping) {
            None => (Map::new(), Vec::new()),
            Some(Ok(map)) => {
                let problems = unknown("", &map, &["openers", "intercepts"]);
                (map, problems)
            }
            Some(Err(why)) => (Map::new(), vec![format!("{why}; the built-in openers and intercepts hold.")]),
        };
        let built_in = mapping(BUILT_IN_INTERCEPTS).expect("the built-in file is YAML, which a test reads");
        let mut list = |key: &str, read: &dyn Fn(&Value) -> Result<List, String>| {
            let of_built_in = || read(&built_in[key]).expect("the built-in lists are sound, which a test reads").rows;
            match own.get(key).map(read) {
                None => of_built_in(),
                Some(Ok(list)) => {
                    problems.extend(list.problems);
                    list.rows
                }
                Some(Err(why)) => {
                    problems.push(format!("{why}; the built-in {key} hold."));
                    of_built_in()
                }
            }
        };
        let registry = Registry { openers: list("openers", &openers), intercepts: list("intercepts", &intercepts) };
        (registry, problems)
    }
}

/// A list that was read.
struct List {
    rows: Vec<Row>,
    problems: Vec<String>,
}

/// Openers are known by name: of two enabled rows the later wins. A disabled row is shown and takes nobody's place.
fn openers(value: &Value) -> Result<List, String> {
    let mut list = rows("openers", value, &OPENER_KEYS)?;
    let mut kept: Vec<Row> = Vec::new();
    for row in list.rows {
        match kept.iter_mut().find(|other| other.name == row.name) {
            None => kept.push(row),
            Some(other) => {
                if row.enabled && other.enabled {
                    list.problems.push(format!("`openers` declares `{}` twice; the later row holds.", row.name));
                }
                if row.enabled || !other.enabled {
                    *other = row;
                }
            }
        }
    }
    let wrong = kept.iter().filter(|row| handlers::find(&row.handler).is_none());
    list.problems
        .extend(wrong.map(|row| format!("The opener `{}`: {}; a turn that it opens fails.", row.name, no_handler(&row.handler))));
    Ok(List { rows: kept, ..list })
}

fn intercepts(value: &Value) -> Result<List, String> {
    let mut list = rows("intercepts", value, &INTERCEPT_KEYS)?;
    let (rows, wrong): (Vec<Row>, Vec<Row>) = list.rows.into_iter().partition(|row| handlers::find(&row.handler).is_some());
    list.problems
        .extend(wrong.iter().map(|row| format!("The intercept `{}`: {}; it is left out.", row.name, no_handler(&row.handler))));
    Ok(List { rows, ..list })
}

fn no_handler(handler: &str) -> String {
    if handler.starts_with(PLUGIN) {
        return format!("plugins such as `{handler}` cannot answer here");
    }
    format!("there is no handler `{handler}` (there are `{}`)", handlers::handler_names().join("`, `"))
}

/// The rows of a list. One malformed row spoils the list, so that no half of it holds unnoticed.
fn rows(key: &str, value: &Value, keys: &[&str]) -> Result<List, String> {
    let Value::Array(items) = value else { return Err(format!("`{key}` is not a list")) };
    let mut list = List { rows: Vec::new(), problems: Vec::new() };
    for (item, number) in items.iter().zip(1..) {
        let Value::Object(map) = item else {
            list.problems.push(format!("`{key}`, row {number} is not made of keys and values; it is ignored."));
            continue;
        };
        let row = Row::read(map, keys.contains(&"match")).map_err(|why| format!("`{key}`, row {number} {why}"))?;
        list.problems.extend(unknown(&format!("`{key}`, row {number} (`{}`): ", row.name), map, keys));
        list.rows.push(row);
    }
    Ok(list)
}

impl Row {
    /// A row that says no more than its name.
    pub(super) fn named(name: &str) -> Row {
        Row {
            name: name.to_owned(),
            handler: name.to_owned(),
            enabled: true,
            passes_channel: false,
            trace_text: None,
            trace_fields: Vec::new(),
            guard_output: false,
            when: None,
        }
    }

    fn read(map: &Map<String, Value>, matches: bool) -> Result<Row, String> {
        let name = map.get("name").and_then(phrase).ok_or("has no `name`")?;
        let named = |what: String| format!("(`{name}`): {what}");
        // A key without a value is a key that is not there.
        let given = |key: &str| map.get(key).filter(|value| !value.is_null());
        let text =
            |key: &str| given(key).map(|value| phrase(value).ok_or_else(|| named(format!("`{key}` is not text")))).transpose();
        let flag = |key: &str, default: bool| {
            let read = given(key).map(|value| flag(value).ok_or_else(|| named(format!("`{key}` is neither true nor false"))));
            Ok::<bool, String>(read.transpose()?.unwrap_or(default))
        };
        let fields =
            given("trace_fields").map(|value| texts(value).ok_or_else(|| named("`trace_fields` is not a list of texts".into())));
        flag("resolves_confirmation", false)?;
        Ok(Row {
            handler: text("handler")?.unwrap_or_else(|| name.clone()),
            enabled: flag("enabled", true)?,
            passes_channel: flag("passes_channel", false)?,
            trace_text: text("trace_text")?,
            trace_fields: fields.transpose()?.unwrap_or_default(),
            guard_output: flag("guard_output", false)?,
            when: if matches { Some(Match::read(map.get("match")).map_err(named)?) } else { None },
            name,
        })
    }

    /// What a screen shows of it.
    pub(super) fn state(&self) -> HandlerState {
        HandlerState {
            name: self.name.clone(),
            label: self.trace_text.clone().unwrap_or_else(|| self.name.clone()),
            handler: self.handler.clone(),
            enabled: self.enabled,
            when: self.when.as_ref().map(Match::sentence),
        }
    }
}

fn texts(value: &Value) -> Option<Vec<String>> {
    value.as_array()?.iter().map(text).collect()
}

impl Match {
    fn read(value: Option<&Value>) -> Result<Match, String> {
        let Some(Value::Object(map)) = value else {
            return Err("it has no `match` with `equals`, `starts` or `contains`".to_owned());
        };
        let one = |key: &str| phrase(&map[key]).ok_or_else(|| format!("`{key}` of its `match` is not a text, or is blank"));
        match map.keys().map(String::as_str).collect::<Vec<_>>().as_slice() {
            ["starts"] => one("starts").map(Match::Starts),
            ["contains"] => one("contains").map(Match::Contains),
            ["equals"] => {
                let all = map["equals"]
                    .as_array()
                    .map_or_else(|| phrase(&map["equals"]).map(|only| vec![only]), |items| items.iter().map(phrase).collect());
                let all = all.filter(|phrases: &Vec<String>| !phrases.is_empty());
                all.map(Match::Equals).ok_or_else(|| "`equals` of its `match` is not a list of texts, or one is blank".to_owned())
            }
            _ => Err("its `match` needs exactly one of `equals`, `starts` and `contains`".to_owned()),
        }
    }

    /// Whether it takes a message that is already trimmed and folded.
    pub(super) fn takes(&self, folded: &str) -> bool {
        match self {
            Match::Equals(phrases) => phrases.iter().any(|phrase| fold(phrase) == folded),
            Match::Starts(phrase) => folded.starts_with(&fold(phrase)),
            Match::Contains(phrase) => folded.contains(&fold(phrase)),
        }
    }

    /// What a message does that it takes: `says exactly "help" or "?"`.
    fn sentence(&self) -> String {
        match self {
            Match::Equals(phrases) => format!("says exactly {}", alternatives(phrases)),
            Match::Starts(phrase) => format!("begins with \"{phrase}\""),
            Match::Contains(phrase) => format!("holds \"{phrase}\""),
        }
    }

    /// What to write, so that it takes it.
    pub(in crate::turn) fn invitation(&self) -> String {
        match self {
            Match::Equals(phrases) => alternatives(phrases),
            Match::Starts(phrase) => format!("a message that begins with \"{phrase}\""),
            Match::Contains(phrase) => format!("a message that holds \"{phrase}\""),
        }
    }
}

/// `"a", "b" or "c"`.
fn alternatives(phrases: &[String]) -> String {
    let quoted: Vec<String> = phrases.iter().map(|phrase| format!("\"{phrase}\"")).collect();
    match quoted.as_slice() {
        [before @ .., last] if !before.is_empty() => format!("{} or {last}", before.join(", ")),
        all => all.concat(),
    }
}

/// The text in a form that is the same however it is capitalised. Through upper case, so that `ß` is `ss`; letter by letter, so that a
/// sigma at the end of a word is like any other.
pub(in crate::turn) fn fold(text: &str) -> String {
    text.chars().flat_map(char::to_uppercase).flat_map(char::to_lowercase).collect()
}
