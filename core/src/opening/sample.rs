//! The twelve samples: six situations, each with everything missing that can be and with everything there.

use super::facts::Facts;
use super::kind::OpeningKind;
use super::table::{Field, Type, roots};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// How much a sample holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Variant {
    /// Every optional value null, every list empty.
    Empty,
    /// Every value there, lists of two, awkward texts.
    Populated,
}

impl Variant {
    /// Both.
    pub const ALL: [Variant; 2] = [Variant::Empty, Variant::Populated];

    /// The word in sample names.
    pub fn as_str(self) -> &'static str {
        match self {
            Variant::Empty => "empty",
            Variant::Populated => "populated",
        }
    }
}

impl std::str::FromStr for Variant {
    type Err = String;

    fn from_str(s: &str) -> Result<Self, String> {
        Variant::ALL
            .into_iter()
            .find(|variant| variant.as_str() == s)
            .ok_or_else(|| format!("`{s}` is not a variant; write empty or populated"))
    }
}

/// A sample's name: `task-start/populated`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Sample {
    /// The situation.
    pub kind: OpeningKind,
    /// Empty or populated.
    pub variant: Variant,
}

impl Sample {
    /// All twelve, by situation.
    pub fn all() -> impl Iterator<Item = Sample> {
        OpeningKind::ALL.into_iter().flat_map(|kind| Variant::ALL.into_iter().map(move |variant| Sample { kind, variant }))
    }

    /// The sample's facts, made from the table.
    pub fn facts(self) -> Facts {
        let document = Value::Object(object(roots(), self, 0));
        Facts::from_json(document).expect("a sample is made from the same table that reads it")
    }
}

impl std::fmt::Display for Sample {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}/{}", self.kind, self.variant.as_str())
    }
}

impl std::str::FromStr for Sample {
    type Err = String;

    fn from_str(s: &str) -> Result<Self, String> {
        let (kind, variant) = s
            .split_once('/')
            .ok_or_else(|| format!("`{s}` is not a sample; write KIND/VARIANT, for example task-start/populated"))?;
        Ok(Sample { kind: kind.parse()?, variant: variant.parse()? })
    }
}

fn object(fields: impl Iterator<Item = &'static Field>, sample: Sample, item: usize) -> Map<String, Value> {
    fields.map(|field| (field.name().to_owned(), value(field, sample, item))).collect()
}

fn value(field: &'static Field, sample: Sample, item: usize) -> Value {
    let there = field.kinds.include(sample.kind) && (sample.variant == Variant::Populated || !field.nullable);
    match field.ty {
        Type::ObjectList | Type::TextList if !there || sample.variant == Variant::Empty => Value::Array(Vec::new()),
        Type::ObjectList => (0..2).map(|item| Value::Object(object(field.fields(), sample, item))).collect(),
        Type::TextList => field.examples.iter().copied().collect(),
        Type::Integer if field.is_contract() => Value::from(super::table::CONTRACT),
        Type::Integer if !there || sample.variant == Variant::Empty => Value::from(0),
        Type::Integer => field.examples[item].parse::<u64>().map_or(Value::Null, Value::from),
        _ if !there => Value::Null,
        Type::Kind => Value::from(sample.kind.as_str()),
        Type::Object => Value::Object(object(field.fields(), sample, item)),
        Type::Text | Type::Word(_) => Value::from(field.examples[item]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn populated_samples_hold_awkward_text() {
        for kind in OpeningKind::ALL {
            let text = Sample { kind, variant: Variant::Populated }.facts().document().to_string();
            for wanted in ["<", "&", "\\\"", "\\n", "{{"] {
                // Agent conversations carry no multi-line text but their messages, which do.
                assert!(text.contains(wanted), "{kind}: {wanted}");
            }
            assert!(text.chars().any(|c| c > '\u{1f000}'), "{kind}: an emoji");
            assert!(text.chars().any(|c| ('\u{590}'..'\u{600}').contains(&c)), "{kind}: a right-to-left word");
        }
    }

    #[test]
    fn empty_samples_hold_nothing_optional() {
        for kind in OpeningKind::ALL {
            let facts = Sample { kind, variant: Variant::Empty }.facts();
            assert!(facts.document()["opening"]["stop_reason"].is_null());
            assert!(facts.document()["opening"]["handoff"].is_null() && facts.document()["opening"]["peer"].is_null());
            assert!(facts.document()["task"]["description"].is_null() && facts.document()["conversation"]["title"].is_null());
            assert_eq!(facts.document()["opening"]["messages"].as_array().map(Vec::len), Some(0));
        }
    }
}
