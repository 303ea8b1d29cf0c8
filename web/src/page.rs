//! Every view of Proem as a value. This file alone knows what their addresses look like.

pub mod context;
pub(crate) mod query;

use crate::state::filters;
use crate::state::margin::Margin;
use crate::state::pieces::Show;
use context::{PrefaceView, SeedView};
use proem_core::api::governance::LedgerQuery;
use proem_core::opening::kind::OpeningKind;
use proem_core::opening::sample::Variant;
use query::{Query, decode, encode};

/// What the skill page shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SkillView {
    /// The skill's slug.
    pub slug: String,
    /// The situation whose opening is in front.
    pub situation: OpeningKind,
    /// Which of its two samples.
    pub variant: Variant,
    /// Preview as an older server would, whose facts have no `opening`.
    pub old_server: bool,
    /// The whole opening, or this skill's part of it.
    pub show: Show,
    /// What stands in the text's margin.
    pub margin: Margin,
}

impl SkillView {
    /// The first view of a skill.
    pub fn of(slug: impl Into<String>) -> SkillView {
        SkillView {
            slug: slug.into(),
            situation: OpeningKind::TaskStart,
            variant: Variant::Populated,
            old_server: false,
            show: Show::Whole,
            margin: Margin::Problems,
        }
    }
}

/// Which log a session page shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SessionSource {
    /// A log that the server stores, by id.
    Stored(String),
    /// A file on the reader's machine: a link names it, and the page asks for it.
    Local(LocalFile),
    /// The example that comes with Proem.
    Example,
}

/// How a link names a file that it cannot carry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LocalFile {
    /// File name.
    pub name: String,
    /// Bytes.
    pub size: u64,
    /// Hex digits of a hash of its content.
    pub fingerprint: String,
}

/// What a session page shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionView {
    /// The log.
    pub source: SessionSource,
    /// The chosen turn, in any reference form.
    pub turn: Option<String>,
    /// The chosen node of the turn's trace.
    pub node: Option<String>,
}

impl SessionView {
    /// The first view of a log.
    pub fn of(source: SessionSource) -> SessionView {
        SessionView { source, turn: None, node: None }
    }
}

/// A view of Proem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Page {
    /// All skills.
    Skills,
    /// One skill and its openings.
    Skill(SkillView),
    /// All sessions.
    Sessions,
    /// One session.
    Session(SessionView),
    /// A conversation with this server, by its session; a new one without.
    Chat(Option<String>),
    /// The governance ledger, as far as it is asked for.
    Governance(Box<LedgerQuery>),
    /// Rules, and what came of them.
    Rules,
    /// The text that is put before the model for one turn, and what stands around it.
    Preface(PrefaceView),
    /// What a fork is given of its template.
    Seed(SeedView),
}

impl Page {
    /// Reads an address: the path, and the query without its `?`. None is "no such page". Unknown query names are ignored, and
    /// unknown values are the first view's.
    pub fn parse(path: &str, query: &str) -> Option<Page> {
        let parts = path.split('/').filter(|part| !part.is_empty()).map(decode).collect::<Option<Vec<String>>>()?;
        let query = Query::parse(query);
        match parts.iter().map(String::as_str).collect::<Vec<_>>()[..] {
            [] | ["skills"] => Some(Page::Skills),
            ["skills", slug] => Some(Page::Skill(SkillView {
                slug: slug.to_owned(),
                situation: query.get("situation").and_then(|kind| kind.parse().ok()).unwrap_or(OpeningKind::TaskStart),
                variant: query.get("sample").and_then(|variant| variant.parse().ok()).unwrap_or(Variant::Populated),
                old_server: query.get("server") == Some("old"),
                show: if query.get("show") == Some(Show::Own.as_str()) { Show::Own } else { Show::Whole },
                margin: Margin::named(query.get("margin")),
            })),
            ["sessions"] => Some(Page::Sessions),
            ["sessions", "example"] => Some(session(SessionSource::Example, &query)),
            ["sessions", "local"] => {
                let file = LocalFile {
                    name: query.get("name")?.to_owned(),
                    size: query.get("size")?.parse().ok()?,
                    fingerprint: query.get("fingerprint")?.to_owned(),
                };
                Some(session(SessionSource::Local(file), &query))
            }
            ["chat"] => Some(Page::Chat(None)),
            ["chat", id] => Some(Page::Chat(Some(id.to_owned()))),
            ["preface"] => Some(Page::Preface(PrefaceView::read(&query))),
            ["seed"] => Some(Page::Seed(SeedView::read(&query))),
            ["governance"] => Some(Page::Governance(Box::new(filters::read(query.pairs())))),
            ["governance", "rules"] => Some(Page::Rules),
            ["sessions", id] => Some(session(SessionSource::Stored(id.to_owned()), &query)),
            _ => None,
        }
    }

    /// The address, path and query.
    pub fn to_url(&self) -> String {
        let mut query = Query::default();
        let path = match self {
            Page::Skills => "/skills".to_owned(),
            Page::Sessions => "/sessions".to_owned(),
            Page::Rules => "/governance/rules".to_owned(),
            Page::Chat(None) => "/chat".to_owned(),
            Page::Chat(Some(id)) => format!("/chat/{}", encode(id)),
            Page::Preface(view) => {
                view.write(&mut query);
                "/preface".to_owned()
            }
            Page::Seed(view) => {
                view.write(&mut query);
                "/seed".to_owned()
            }
            Page::Governance(wanted) => {
                for (name, value) in filters::pairs(wanted) {
                    query.push(name, &value);
                }
                "/governance".to_owned()
            }
            Page::Skill(view) => {
                if view.situation != OpeningKind::TaskStart {
                    query.push("situation", view.situation.as_str());
                }
                if view.variant == Variant::Empty {
                    query.push("sample", view.variant.as_str());
                }
                if view.old_server {
                    query.push("server", "old");
                }
                if view.show == Show::Own {
                    query.push("show", view.show.as_str());
                }
                if view.margin != Margin::Problems {
                    query.push("margin", view.margin.as_str());
                }
                format!("/skills/{}", encode(&view.slug))
            }
            Page::Session(view) => {
                let path = match &view.source {
                    SessionSource::Example => "/sessions/example".to_owned(),
                    SessionSource::Stored(id) => format!("/sessions/{}", encode(id)),
                    SessionSource::Local(file) => {
                        query.push("name", &file.name);
                        query.push("size", &file.size.to_string());
                        query.push("fingerprint", &file.fingerprint);
                        "/sessions/local".to_owned()
                    }
                };
                if let Some(turn) = &view.turn {
                    query.push("turn", turn);
                }
                if let Some(node) = &view.node {
                    query.push("node", node);
                }
                path
            }
        };
        path + &query.to_string()
    }

    /// What the window is called before the page knows better.
    pub fn title(&self) -> String {
        match self {
            Page::Skills => "Skills".to_owned(),
            Page::Skill(view) => view.slug.clone(),
            Page::Sessions => "Sessions".to_owned(),
            Page::Session(SessionView { source: SessionSource::Local(file), .. }) => file.name.clone(),
            Page::Session(SessionView { source: SessionSource::Example, .. }) => "Example session".to_owned(),
            Page::Session(_) => "Session".to_owned(),
            Page::Chat(_) => "Chat".to_owned(),
            Page::Governance(_) => "Governance".to_owned(),
            Page::Rules => "Rules".to_owned(),
            Page::Preface(_) => "Preface".to_owned(),
            Page::Seed(_) => "Fork seed".to_owned(),
        }
    }

    /// The same page, whatever is chosen on it: what stays mounted while only the query changes.
    pub fn place(&self) -> Page {
        match self {
            Page::Skill(view) => Page::Skill(SkillView::of(view.slug.clone())),
            Page::Session(view) => Page::Session(SessionView::of(view.source.clone())),
            // A new conversation gets its address when it is answered; the page stays.
            Page::Chat(_) => Page::Chat(None),
            Page::Governance(_) => Page::Governance(Box::default()),
            Page::Preface(_) => Page::Preface(PrefaceView::default()),
            Page::Seed(_) => Page::Seed(SeedView::default()),
            other => other.clone(),
        }
    }
}

fn session(source: SessionSource, query: &Query) -> Page {
    Page::Session(SessionView { source, turn: query.get("turn").map(str::to_owned), node: query.get("node").map(str::to_owned) })
}

#[cfg(test)]
mod tests;
