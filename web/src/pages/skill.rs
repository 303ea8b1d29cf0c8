//! One skill: its text on the left, and on the right, while one types, what each of the six situations will be told.

mod bench;
mod history;
mod margin;
mod preview_pane;
mod text_pane;

use super::{Loaded, PageHead};
use crate::api;
use crate::app::focus_heading;
use crate::components::{Badge, BadgeTone, Conflict};
use crate::page::SkillView;
use bench::{Bench, Loaded as Everything};
use leptos::prelude::*;
use proem_core::api::ApiError;
use proem_core::skill::Mode;

/// The page of a skill.
#[component]
pub fn Skill(
    /// What is chosen on it.
    view: Signal<SkillView>,
) -> impl IntoView {
    let slug = view.get_untracked().slug;
    let fetched = LocalResource::new(move || fetch(slug.clone()));
    let name = Signal::derive(move || match fetched.get() {
        Some(Ok(everything)) => everything.skill().map_or_else(|| view.get().slug, |skill| skill.skill.name.clone()),
        _ => view.get().slug,
    });
    view! {
        <div class="page page-wide skill-page">
            <Loaded
                resource=fetched
                loading="Loading the skill…"
                show=move |everything| view! { <Workbench view=view everything=everything name=name /> }
            />
            // Before and instead of the workbench the page still has its heading.
            {move || (!matches!(fetched.get(), Some(Ok(_)))).then(|| view! { <div class="skill-head-alone"><PageHead title=name /></div> })}
        </div>
    }
}

/// The preview renders all skills, so all of them are fetched.
async fn fetch(slug: String) -> Result<Everything, ApiError> {
    let skills = api::skills().await?.skills;
    let role = api::role().await?;
    let everything = Everything { slug, role, skills };
    if everything.skill().is_none() {
        // The server says in its own words that there is no such skill; one that was made just now is found.
        let skill = api::skill(&everything.slug).await?;
        return Ok(Everything { skills: everything.skills.into_iter().chain([skill]).collect(), ..everything });
    }
    Ok(everything)
}

#[component]
fn Workbench(view: Signal<SkillView>, everything: Everything, name: Signal<String>) -> impl IntoView {
    let Some(skill) = everything.skill().map(|detail| detail.skill.clone()) else { return ().into_any() };
    let bench = Bench::new(view, everything);
    // The heading that had the focus while the skill was loading has gone; the keyboard continues at the one in its place.
    request_animation_frame(|| {
        if document().active_element().is_none_or(|element| element.tag_name() == "BODY") {
            focus_heading();
        }
    });
    let badges = view! {
        <span class="skill-slug">{skill.slug}</span>
        {skill.builtin.is_some().then(|| view! { <Badge>"Built in"</Badge> })}
        {(skill.mode == Mode::Triggered).then(|| view! { <Badge>"On request"</Badge> })}
        {(!skill.enabled).then(|| view! { <Badge tone=BadgeTone::Warn>"Switched off"</Badge> })}
    };
    view! {
        <div
            class="skill-bench"
            data-page="skill"
            data-slug=move || view.get().slug
            data-revision=move || bench.draft.with(|draft| draft.base.number)
            data-dirty=move || bench.is_dirty().to_string()
            data-preview=move || bench.preview_word()
        >
            <PageHead title=name>
                <div class="skill-badges">{badges}</div>
                <text_pane::SaveBar bench=bench />
            </PageHead>
            <div class="skill-panes">
                <text_pane::TextPane bench=bench />
                <preview_pane::PreviewPane bench=bench />
            </div>
            <Conflict
                label="The skill was changed meanwhile"
                newer=bench.conflict
                mine=Signal::derive(move || bench.body())
                on_take=move |()| bench.take_theirs()
                on_keep=move |()| bench.keep_mine()
            />
        </div>
    }
    .into_any()
}
