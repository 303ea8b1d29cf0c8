//! One skill: its text, and what it says in the situation in which it is looked at.

use super::{Loaded, PageHead};
use crate::api;
use crate::components::{CodeEditor, CopyButton, ProblemList, Segment, Segmented, SituationGlyph};
use crate::engine::{EngineFault, use_engine};
use crate::navigate::use_navigation;
use crate::page::{Page, SkillView};
use leptos::prelude::*;
use leptos::task::spawn_local;
use proem_core::api::SkillDetail;
use proem_core::opening::compose::PartText;
use proem_core::opening::kind::OpeningKind;
use proem_core::opening::sample::{Sample, Variant};
use proem_core::template::problem::Problem;
use proem_core::worker::{PreviewAnswer, PreviewRequest};

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
                <SampleSwitch view=view />
            </PageHead>
            <Situations view=view />
            <Loaded resource=skill loading="Loading the skill…" show=move |detail| view! { <Workbench view=view detail=detail /> } />
        </div>
    }
}

/// Which of the situation's samples; every choice is an address.
#[component]
fn SampleSwitch(view: Signal<SkillView>) -> impl IntoView {
    let navigation = use_navigation();
    let segments = vec![Segment::new(Variant::Populated, "Busy day"), Segment::new(Variant::Empty, "First day")];
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

/// The text with its faults, and under it what it says.
#[component]
fn Workbench(view: Signal<SkillView>, detail: SkillDetail) -> impl IntoView {
    let engine = use_engine();
    let loaded = detail.head.body.clone();
    let draft = RwSignal::new(loaded.clone());
    let said = RwSignal::new(String::new());
    let problems = RwSignal::new(Vec::<Problem>::new());
    let reveal = RwSignal::new(None);

    Effect::new(move || {
        let SkillView { situation, variant, old_server, .. } = view.get();
        let part = PartText {
            slug: Some(detail.skill.slug.clone()),
            name: detail.skill.name.clone(),
            revision: None,
            attachments: detail.skill.attachments.clone(),
            body: draft.get(),
        };
        let samples = vec![Sample { kind: situation, variant }.to_string()];
        let request = PreviewRequest::Preview { parts: vec![part], samples, old_server, check: Some(0) };
        spawn_local(async move {
            match engine.preview(request).await {
                Ok(PreviewAnswer::Preview { openings, problems: found }) => {
                    said.try_set(openings.into_iter().next().map(|opening| opening.text).unwrap_or_default());
                    problems.try_set(found);
                }
                Ok(_) | Err(EngineFault::Superseded) => {}
                Err(fault) => {
                    said.try_set(format!("No preview: {fault}."));
                }
            }
        });
    });

    let shown =
        move || if said.with(|said| said.trim().is_empty()) { "Not sent in this situation.".to_owned() } else { said.get() };
    view! {
        <CodeEditor label="Template" doc=loaded problems=problems reveal=reveal on_input=move |text| draft.set(text) />
        <ProblemList problems=problems on_pick=move |problem: Problem| reveal.set(Some(problem.utf16)) />
        <section class="paper" aria-label="What the agent is told">
            <CopyButton text=said />
            <div class="reading reading-exact">{shown}</div>
        </section>
    }
}
