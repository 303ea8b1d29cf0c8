//! Reads a skill from its SKILL.md: YAML front matter between two `---` lines, then the template (specs: opening, section 7).

use super::{Mode, Skill};
use serde::Deserialize;

/// A SKILL.md that was read.
#[derive(Clone, Debug, PartialEq)]
pub struct SkillFile {
    /// The skill; its slug is the folder's name.
    pub skill: Skill,
    /// The template behind the front matter, line ends normalised.
    pub body: String,
    /// Byte offset of the body in the normalised file; positions in the file are the body's plus this.
    pub body_offset: usize,
    /// The whole file, normalised as a save does it.
    pub text: String,
}

/// Why a file is not a skill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broken {
    /// From 1.
    pub line: u32,
    /// From 1.
    pub column: u32,
    /// One sentence with what to do.
    pub reason: String,
}

#[derive(Deserialize)]
struct FrontMatter {
    name: Option<String>,
    description: Option<String>,
    summary: Option<String>,
    mode: Option<Mode>,
    enabled: Option<bool>,
    position: Option<i64>,
    roles: Option<Roles>,
    builtin: Option<String>,
    attachments: Option<Vec<String>>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Roles {
    /// `all`
    Word(String),
    List(Vec<String>),
}

/// Reads a file. `slug` is the name of its folder.
pub fn read(slug: &str, file: &str) -> Result<SkillFile, Broken> {
    let text = crate::template::normalize(file);
    let broken = |line: u32, reason: &str| Broken { line, column: 1, reason: reason.to_owned() };
    let rest = text
        .strip_prefix("---\n")
        .ok_or_else(|| broken(1, "the file does not begin with front matter; write `---`, name and description, `---` first"))?;
    let (yaml_length, body_start) =
        front_matter_end(rest).ok_or_else(|| broken(1, "the front matter is not closed; end it with a line `---`"))?;
    let front: FrontMatter =
        serde_saphyr::from_str(&rest[..yaml_length]).map_err(|error| explain(&rest[..yaml_length], &error))?;
    let name = front.name.filter(|name| !name.trim().is_empty());
    let name = name.ok_or_else(|| broken(1, "the front matter has no `name`; add `name: …`"))?;
    let description =
        front.description.ok_or_else(|| broken(1, "the front matter has no `description`; add `description: …`"))?;
    let roles = match front.roles {
        None => None,
        Some(Roles::Word(word)) if word == "all" => None,
        Some(Roles::Word(word)) => Some(vec![word]),
        Some(Roles::List(list)) => Some(list),
    };
    let body_offset = 4 + body_start;
    Ok(SkillFile {
        skill: Skill {
            slug: slug.to_owned(),
            name,
            summary: front.summary.unwrap_or_default(),
            description,
            mode: front.mode.unwrap_or(Mode::Triggered),
            enabled: front.enabled.unwrap_or(true),
            position: front.position.unwrap_or(0),
            roles,
            builtin: front.builtin,
            attachments: front.attachments.unwrap_or_default(),
        },
        body: text[body_offset..].to_owned(),
        body_offset,
        text,
    })
}

/// Length of the YAML and where the body begins behind the closing line.
fn front_matter_end(rest: &str) -> Option<(usize, usize)> {
    let mut at = 0;
    for line in rest.split_inclusive('\n') {
        if line.trim_end() == "---" {
            return Some((at, at + line.len()));
        }
        at += line.len();
    }
    None
}

/// A YAML error as a sentence; lines are the file's, whose first is `---`.
fn explain(yaml: &str, error: &serde_saphyr::Error) -> Broken {
    let (line, column) = error.location().map_or((1, 1), |place| (place.line() as u32, place.column() as u32));
    let text = yaml.lines().nth(line.saturating_sub(1) as usize).unwrap_or_default();
    let value = text.split_once(':').map(|(key, value)| (key.trim(), value.trim()));
    let reason = match value {
        Some((key, value)) if value.contains(": ") && !value.starts_with(['"', '\'']) => {
            format!("the value of `{key}` holds a colon; put it in quotes: {key}: \"{}\"", value.replace('"', "\\\""))
        }
        Some((key, value)) if value.starts_with('[') && !value.ends_with(']') => {
            format!("the value of `{key}` begins like a list; put it in quotes: {key}: \"{}\"", value.replace('"', "\\\""))
        }
        _ => {
            let message = error.to_string();
            let first = message.lines().next().unwrap_or_default();
            format!("the front matter is not valid YAML: {first}")
        }
    };
    Broken { line: line + 1, column, reason }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_name_and_description_are_needed() {
        let file =
            read("greet", "---\r\nname: Greeting\r\ndescription: Says hello\r\nunknown: 1\r\n---\r\nHi {{ role.name }}\r\n")
                .unwrap();
        assert_eq!(file.body, "Hi {{ role.name }}\n");
        assert_eq!(&file.text[file.body_offset..], file.body);
        assert_eq!(file.skill.mode, Mode::Triggered);
        assert!(file.skill.enabled && file.skill.roles.is_none() && file.skill.slug == "greet");
    }

    #[test]
    fn a_broken_file_says_where_and_what_to_do() {
        let reason = |file: &str| {
            let broken = read("x", file).unwrap_err();
            format!("{}:{}: {}", broken.line, broken.column, broken.reason)
        };
        assert_eq!(
            reason("---\nname: A\ndescription: Two steps: plan, do\n---\n"),
            "3:23: the value of `description` holds a colon; put it in quotes: description: \"Two steps: plan, do\""
        );
        assert!(reason("---\nname: A\ndescription: b\nargument-hint: [x] — y\n---\n").contains("argument-hint: \"[x] — y\""));
        assert!(reason("Hello").contains("does not begin with front matter"));
        assert!(reason("---\nname: A\n").contains("is not closed"));
        assert!(reason("---\ndescription: b\n---\n").contains("no `name`"));
        assert!(reason("---\nname: b\nmode: sometimes\ndescription: c\n---\n").contains("not valid YAML"));
    }
}
