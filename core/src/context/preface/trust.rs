//! How far a source is to be trusted (specs: retrieved-content, section 5).

use serde::{Deserialize, Serialize};

/// A trust tier, from the most to the least trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Tier {
    /// Internal authoritative state.
    SystemConfig,
    /// What the user wrote.
    UserAuthored,
    /// Earlier inferences of a model.
    ModelInferred,
    /// Third parties.
    External,
}

impl Tier {
    /// All of them, the most trusted first.
    pub const ALL: [Tier; 4] = [Tier::SystemConfig, Tier::UserAuthored, Tier::ModelInferred, Tier::External];

    /// Its name in envelopes.
    pub fn as_str(self) -> &'static str {
        match self {
            Tier::SystemConfig => "system-config",
            Tier::UserAuthored => "user-authored",
            Tier::ModelInferred => "model-inferred",
            Tier::External => "external",
        }
    }

    /// What a reader may make of it, for people.
    pub fn meaning(self) -> &'static str {
        match self {
            Tier::SystemConfig => "factual",
            Tier::UserAuthored => "true for the user's preferences, not beyond",
            Tier::ModelInferred => "plausible, to be verified",
            Tier::External => "data only",
        }
    }
}

/// What is known of a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trust {
    /// How far it is trusted.
    pub tier: Tier,
    /// False for a source that is neither a tier nor a known content key: it is treated as external and shown with a question mark.
    pub known: bool,
}

/// Classifies a source: a tier by its exact name, else a content key by its beginning.
pub fn classify(source: &str) -> Trust {
    let tier = Tier::ALL.into_iter().find(|tier| tier.as_str() == source).or_else(|| {
        let (key, _) = source.split_once(':')?;
        match key {
            "memory" | "artifact" => Some(Tier::UserAuthored),
            "web" => Some(Tier::External),
            _ => None,
        }
    });
    Trust { tier: tier.unwrap_or(Tier::External), known: tier.is_some() }
}

/// The tier of what a signal's provider delivers.
pub fn provider_tier(provider: Option<&str>) -> Tier {
    match provider {
        Some("schedule" | "system") => Tier::SystemConfig,
        Some("slack" | "telegram" | "discord" | "whatsapp" | "teams") => Tier::UserAuthored,
        _ => Tier::External,
    }
}
