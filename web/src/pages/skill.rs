//! One skill: its text, and the situation in which it is looked at.

use super::{Loaded, PageHead};
use crate::api;
use crate::components::{CodeEditor, Segment, Segmented, SituationGlyph};
use crate::navigate::use_navigation;
use crate::page::{Page, SampleVariant, SkillView};
use leptos::prelude::*;
use proem_core::api::SkillDetail;
use proem_core::opening::kind::OpeningKind;

/// The page of a skill.
#[component]
pub fn Skill(
    /// What is chosen on it.
    view: Signal<SkillView>,
) -> impl IntoView {
    let slug = view.get_untracked().slug;
    let skill = LocalResource::new(move || {
        let slug = slug.clone();
        async move { api::skill(&slug).await }
    });
    let known = move || skill.get().and_then(Result::ok).map(|detail| detail.skill);
    let title = Signal::derive(move || known().map_or_else(|| view.get().slug, |skill| skill.name));
    let lead = Signal::derive(move || known().map(|skill| skill.summary).unwrap_or_default());
    view! {
        <div class="page">
            <PageHead title=title lead=lead>
                <Sample view=view />
            </PageHead>
            <Situations view=view />
            <Loaded resource=skill loading="Loading the skill…" show=|detail: SkillDetail| view! { <CodeEditor label="Template" doc=detail.head.body /> } />
        </div>
    }
}

/// Which of the situation's samples; every choice is an address.
#[component]
fn Sample(view: Signal<SkillView>) -> impl IntoView {
    let navigation = use_navigation();
    let segments = vec![Segment::new(SampleVariant::Populated, "Busy day"), Segment::new(SampleVariant::Empty, "First day")];
    let value = Signal::derive(move || view.get().variant);
    let choose = move |variant| navigation.replace(&Page::Skill(SkillView { variant, ..view.get_untracked() }));
    view! { <Segmented label="Sample" segments=segments value=value on_change=choose /> }
}

#[component]
fn Situations(view: Signal<SkillView>) -> impl IntoView {
    let tab = move |kind: OpeningKind| {
        let url = move || Page::Skill(SkillView { situation: kind, ..view.get() }).to_url();
        let current = move || (view.get().situation == kind).then_some("true");
        view! { <a class="tab" href=url aria-current=current><SituationGlyph kind=kind />{kind.label()}</a> }
    };
    view! { <nav class="tabs" aria-label="Situation">{OpeningKind::ALL.map(tab).collect_view()}</nav> }
}
