//! Reads a skill from its SKILL.md: YAML front matter between two `---` lines, then the template (specs: opening, section 7).

use super::fault;
use super::front::{Front, entries, split};
use super::{Mode, Skill};
use crate::template::problem::Problem;
use serde::Deserialize;

/// The keys of a front matter that Proem reads, in the order in which it writes them.
pub const KEYS: [&str; 9] = ["name", "description", "summary", "mode", "enabled", "position", "roles", "builtin", "attachments"];

/// A SKILL.md that was read.
#[derive(Clone, Debug, PartialEq)]
pub struct SkillFile {
    /// The skill; its slug is the folder's name.
    pub skill: Skill,
    /// The template behind the front matter, line ends normalised.
    pub body: String,
    /// Byte offset of the body in the normalised file; positions in the file are the body's plus this.
    pub body_offset: usize,
    /// The whole file, normalised as a save does it. Positions are positions in it.
    pub text: String,
    /// What is odd in the front matter and was passed over.
    pub warnings: Vec<Problem>,
}

#[derive(Deserialize)]
struct FrontMatter {
    name: Option<String>,
    description: Option<String>,
    summary: Option<String>,
    mode: Option<Mode>,
    enabled: Option<bool>,
    position: Option<i64>,
    builtin: Option<String>,
    attachments: Option<Vec<String>>,
}

/// Roles are read for themselves: a list, or one word. (Read as either at once, `yes` in a list would be no text.)
#[derive(Deserialize)]
struct Roles<T> {
    roles: Option<T>,
}

/// Reads a file. `slug` is the name of its folder. A file that is no skill is one problem, which says where and what to do.
pub fn read(slug: &str, file: &str) -> Result<SkillFile, Problem> {
    let text = crate::template::normalize(file);
    let Front { yaml, body } = split(&text).map_err(|missing| fault::no_front(&text, missing))?;
    let source = &text[yaml.clone()];
    let front: FrontMatter = parse(source).map_err(|error| fault::yaml(&text, &yaml, &error))?;
    let roles = match parse::<Roles<Vec<String>>>(source) {
        Ok(Roles { roles }) => roles,
        Err(error) => {
            let word = parse::<Roles<String>>(source).map_err(|_| fault::yaml(&text, &yaml, &error))?;
            word.roles.filter(|word| word != "all").map(|word| vec![word])
        }
    };
    let entries = entries(&text, yaml.clone());
    let name = front.name.filter(|name| !name.trim().is_empty());
    let name = name.ok_or_else(|| fault::missing(&text, &entries, "name"))?;
    let description = front.description.ok_or_else(|| fault::missing(&text, &entries, "description"))?;
    let warnings = fault::misspelt(&text, &entries);
    let skill = Skill {
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
    };
    Ok(SkillFile { skill, body: text[body..].to_owned(), body_offset: body, text, warnings })
}

/// Keys that are not ours may hold anything that YAML knows.
pub(super) fn parse<'a, T: Deserialize<'a>>(yaml: &'a str) -> Result<T, serde_saphyr::Error> {
    let options = serde_saphyr::options! { non_finite_float_policy: serde_saphyr::NonFiniteFloatPolicy::PassThrough };
    serde_saphyr::from_str_with_options(yaml, options)
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
        assert!(file.skill.enabled && file.skill.roles.is_none() && file.skill.slug == "greet" && file.warnings.is_empty());
    }

    #[test]
    fn roles_are_all_one_or_a_list_of_any_words() {
        let roles = |value: &str| read("x", &format!("---\nname: a\ndescription: b\nroles: {value}\n---\n")).unwrap().skill.roles;
        assert_eq!((roles("all"), roles("")), (None, None));
        assert_eq!(roles("5"), Some(vec!["5".to_owned()]));
        assert_eq!(roles("[y, 1, all]"), Some(["y", "1", "all"].map(str::to_owned).to_vec()));
        assert_eq!(roles("\n- on\n"), Some(vec!["on".to_owned()]));
        assert_eq!(roles("[]"), Some(Vec::new()));
    }
}
