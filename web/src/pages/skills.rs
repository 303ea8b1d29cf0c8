//! All skills, in the order in which they stand in an opening, and above them the role's instruction, which comes first.

use super::{Loaded, PageHead};
use crate::components::{EmptyState, Icon, IconName, SituationGlyph, TimeText, status_word, use_list_keys};
use crate::engine::use_engine;
use crate::page::{Page, SkillView};
use crate::state::preview::{opening_parts, samples, why_stopped};
use crate::{api, drafts};
use leptos::prelude::*;
use leptos::task::spawn_local;
use proem_core::api::{RoleDetail, SkillDetail};
use proem_core::opening::compose::{Opening, PartStatus};
use proem_core::opening::kind::OpeningKind;
use proem_core::opening::sample::Variant;
use proem_core::skill::Mode;
use proem_core::worker::{PreviewAnswer, PreviewRequest};

/// The list of skills.
#[component]
pub fn Skills() -> impl IntoView {
    use_list_keys();
    let fetched = LocalResource::new(|| async {
        let skills = api::skills().await?.skills;
        Ok((api::role().await?, skills))
    });
    view! {
        <div class="page" data-page="skills">
            <PageHead title="Skills" lead="What an agent is told before its turn begins, in the order in which it reads it." />
            <Loaded
                resource=fetched
                loading="Loading the skills…"
                show=|(role, skills): (RoleDetail, Vec<SkillDetail>)| view! { <List role=role skills=skills /> }
            />
        </div>
    }
}

/// What the populated samples say about where each skill speaks: not known yet, known, or why not.
type Spoken = RwSignal<Option<Result<Vec<Opening>, String>>>;

#[component]
fn List(role: RoleDetail, skills: Vec<SkillDetail>) -> impl IntoView {
    let spoken: Spoken = RwSignal::new(None);
    let engine = use_engine();
    let request = PreviewRequest::Preview {
        parts: opening_parts(&role, &skills),
        samples: samples(Variant::Populated),
        old_server: false,
        check: None,
    };
    spawn_local(async move {
        spoken.try_set(match engine.preview(request).await {
            Ok(PreviewAnswer::Preview { openings, .. }) => Some(Ok(openings)),
            Ok(_) => None,
            Err(fault) => Some(Err(why_stopped(&fault))),
        });
    });
    let filter = RwSignal::new(String::new());
    let none = skills.is_empty();
    let all = StoredValue::new(skills);
    let matching = Memo::new(move |_| {
        let words = filter.get().to_lowercase();
        all.with_value(|all| {
            let numbered = all.iter().cloned().enumerate();
            numbered.filter(|(_, skill)| matches(skill, &words)).map(|(at, skill)| (at + 1, skill)).collect::<Vec<_>>()
        })
    });
    view! {
        <Role role=role />
        <div class="list-tools" hidden=none>
            <label class="filter">
                <Icon name=IconName::Search />
                <span class="visually-hidden">"Filter the skills"</span>
                <input
                    type="search"
                    class="input"
                    data-filter=""
                    autocomplete="off"
                    placeholder="Filter by name, slug or summary"
                    prop:value=filter
                    on:input:target=move |event| filter.set(event.target().value())
                    on:keydown:target=move |event| if event.key() == "Escape" {
                        filter.set(String::new());
                        // Leaving a field cannot fail in a way that matters.
                        let _ = event.target().blur();
                    }
                />
                <kbd aria-hidden="true">"/"</kbd>
            </label>
            <p class="quiet" role="status">
                {move || match spoken.get() {
                    Some(Err(why)) => format!("Where the skills speak is not known. {why}"),
                    _ if filter.with(String::is_empty) => String::new(),
                    _ => format!("{} of {} skills", matching.with(Vec::len), all.with_value(Vec::len)),
                }}
            </p>
        </div>
        <ol class="list list-numbered">
            <For each=move || matching.get() key=|(_, skill)| skill.skill.slug.clone() let:item>
                <Row number=item.0 skill=item.1 spoken=spoken />
            </For>
        </ol>
        {none.then(|| view! {
            <EmptyState
                title="No skills yet"
                text="A skill is a text that opens an agent's turn. A fresh home comes with six of them: start proem serve with one."
            />
        })}
        {move || (!none && matching.with(Vec::is_empty)).then(|| view! {
            <div data-empty="filter">
                <EmptyState title="No skill matches" text="Names, slugs and summaries are searched.">
                    <button type="button" class="button" on:click=move |_| filter.set(String::new())>"Show all skills"</button>
                </EmptyState>
            </div>
        })}
    }
}

/// The part that comes before all skills.
#[component]
fn Role(role: RoleDetail) -> impl IntoView {
    view! {
        <details class="role" data-role-instruction="">
            <summary>
                <span class="role-title">"Role instruction"</span>
                <span class="list-text">{role.name} ", read before every skill"</span>
                <span class="list-facts"><span data-revision=role.head.number>"Revision " {role.head.number}</span><TimeText at=role.head.time /></span>
            </summary>
            <pre class="opening role-text" data-role-text="">{role.head.body}</pre>
        </details>
    }
}

#[component]
fn Row(number: usize, skill: SkillDetail, spoken: Spoken) -> impl IntoView {
    let SkillDetail { skill, head } = skill;
    let slug = skill.slug.clone();
    let mode = if skill.mode == Mode::Ambient { "ambient" } else { "triggered" };
    view! {
        <li class="list-row" data-skill=skill.slug.clone()>
            <span class="list-number" aria-hidden="true">{number}</span>
            <div>
                <a class="list-title" href=Page::Skill(SkillView::of(skill.slug.clone())).to_url()>{skill.name}</a>
                " " <span class="skill-slug">{skill.slug.clone()}</span>
                <p class="list-text">{skill.summary}</p>
            </div>
            <div class="skill-facts">
                <Speaks slug=slug spoken=spoken />
                <div class="list-facts">
                    {drafts::is_kept(&skill.slug).then(|| view! { <span class="badge badge-rubric" data-draft="">"Unsaved draft"</span> })}
                    {skill.builtin.is_some().then(|| view! { <span class="badge" data-builtin="">"Built in"</span> })}
                    <span data-mode=mode>{if mode == "ambient" { "Ambient" } else { "On request" }}</span>
                    <span data-enabled=skill.enabled.to_string()>{if skill.enabled { "Enabled" } else { "Switched off" }}</span>
                    <span data-revision=head.number>"Revision " {head.number}</span>
                    <TimeText at=head.time />
                </div>
            </div>
        </li>
    }
}

/// Six glyphs, lit where the skill speaks.
#[component]
fn Speaks(slug: String, spoken: Spoken) -> impl IntoView {
    let slug = StoredValue::new(slug);
    // None: not known. Some(None): not part of openings.
    let status = move |at: usize| {
        spoken.with(|spoken| {
            let openings = spoken.as_ref()?.as_ref().ok()?;
            let part = |part: &&proem_core::opening::compose::Part| slug.with_value(|slug| part.slug.as_deref() == Some(slug));
            Some(openings.get(at)?.parts.iter().find(part).map_or(PartStatus::Omitted, |part| part.status))
        })
    };
    let sentence = move || {
        let labels = |wanted: PartStatus| {
            let kinds = OpeningKind::ALL.into_iter().enumerate().filter(|(at, _)| status(*at) == Some(wanted));
            kinds.map(|(_, kind)| kind.label()).collect::<Vec<_>>().join("; ")
        };
        if status(0).is_none() {
            return "Where it speaks is not known yet".to_owned();
        }
        let (speaks, fails) = (labels(PartStatus::Contributed), labels(PartStatus::Failed));
        let speaks = if speaks.is_empty() { "Speaks in no situation".to_owned() } else { format!("Speaks in: {speaks}") };
        if fails.is_empty() { speaks } else { format!("{speaks}. Fails in: {fails}") }
    };
    let glyph = move |(at, kind): (usize, OpeningKind)| {
        view! {
            <span
                class="speaks"
                data-speaks=kind.as_str()
                data-state=move || status_word(status(at)).1
                title=move || format!("{}: {}", kind.label(), status_word(status(at)).0)
            >
                <SituationGlyph kind=kind />
            </span>
        }
    };
    view! { <div class="speaks-row" role="img" aria-label=sentence>{OpeningKind::ALL.into_iter().enumerate().map(glyph).collect_view()}</div> }
}

fn matches(skill: &SkillDetail, words: &str) -> bool {
    let skill = &skill.skill;
    words
        .split_whitespace()
        .all(|word| [&skill.name, &skill.slug, &skill.summary].iter().any(|text| text.to_lowercase().contains(word)))
}
