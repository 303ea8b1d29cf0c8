//! All skills, in the order in which they stand in an opening.

use super::{Loaded, PageHead};
use crate::api;
use crate::components::{Badge, EmptyState, TimeText, use_list_keys};
use crate::page::{Page, SkillView};
use leptos::prelude::*;
use proem_core::api::{SkillDetail, SkillList};
use proem_core::skill::Mode;

/// The list of skills.
#[component]
pub fn Skills() -> impl IntoView {
    use_list_keys();
    let skills = LocalResource::new(api::skills);
    view! {
        <div class="page">
            <PageHead title="Skills" lead="What an agent is told before its turn begins, in the order in which it reads it." />
            <Loaded resource=skills loading="Loading the skills…" show=|list: SkillList| view! { <List skills=list.skills /> } />
        </div>
    }
}

#[component]
fn List(skills: Vec<SkillDetail>) -> impl IntoView {
    if skills.is_empty() {
        let text =
            "A skill is a text that opens an agent's turn. The built-in ones come with a fresh home; start proem serve with one.";
        return view! { <EmptyState title="No skills yet" text=text /> }.into_any();
    }
    let rows = skills.into_iter().enumerate().map(|(at, skill)| view! { <Row number=at + 1 skill=skill /> }).collect_view();
    view! { <ol class="list list-numbered">{rows}</ol> }.into_any()
}

#[component]
fn Row(number: usize, skill: SkillDetail) -> impl IntoView {
    let SkillDetail { skill, head } = skill;
    view! {
        <li class="list-row">
            <span class="list-number" aria-hidden="true">{number}</span>
            <div>
                <a class="list-title" href=Page::Skill(SkillView::of(skill.slug)).to_url()>{skill.name}</a>
                <p class="list-text">{skill.summary}</p>
            </div>
            <div class="list-facts">
                {(!skill.enabled).then(|| view! { <Badge>"Switched off"</Badge> })}
                {(skill.mode == Mode::Triggered).then(|| view! { <Badge>"On request"</Badge> })}
                <span>"Revision " {head.number}</span>
                <TimeText at=head.time />
            </div>
        </li>
    }
}
