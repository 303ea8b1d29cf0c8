//! What watches over turns: checks, openers, intercepts, the files that set them, and whether their decisions can be written.

use super::welcome::Welcome;
use crate::api;
use crate::components::{Icon, IconName};
use crate::pages::Loaded;
use crate::state::wording::counted;
use leptos::prelude::*;
use proem_core::api::governance::{CheckState, ConfigFile, GovernanceState, HandlerState, WriteHealth};

/// Everything that is switched on or off.
#[component]
pub fn Posture() -> impl IntoView {
    let state = LocalResource::new(api::governance);
    let again = Callback::new(move |()| state.refetch());
    let shown = move |state: GovernanceState| {
        let GovernanceState { checks, openers, intercepts, files, welcome, write_health, .. } = state;
        view! {
            <Files files=files health=write_health />
            <Welcome state=welcome on_change=again />
            <Checks checks=checks />
            <Handlers title="Openers" note="Begin a turn that nobody typed" handlers=openers />
            <Handlers title="Intercepts" note="The first that matches answers" handlers=intercepts />
        }
    };
    view! {
        <aside class="posture" aria-label="What is switched on" data-posture="">
            <Loaded resource=state loading="Loading what is switched on…" show=shown />
        </aside>
    }
}

#[component]
fn Checks(checks: Vec<CheckState>) -> impl IntoView {
    let on = checks.iter().filter(|check| check.on).count();
    let note = format!("{on} of {} on", checks.len());
    let row = |CheckState { name, label, on, value }: CheckState| {
        let own = name.clone();
        view! {
            <li data-check=own data-on=on.to_string()>
                <OnOff on=on />
                <span>{label}</span>
                <span class="posture-value"><code>{name}</code> {value.map(|value| format!(" {value}"))}</span>
            </li>
        }
    };
    view! { <Part title="Checks of messages and answers" note=note>{checks.into_iter().map(row).collect_view()}</Part> }
}

#[component]
fn Handlers(title: &'static str, note: &'static str, handlers: Vec<HandlerState>) -> impl IntoView {
    let none = handlers.is_empty();
    let row = |HandlerState { name, label, handler, enabled, when }: HandlerState| {
        let own = name.clone();
        view! {
            <li data-handler-row=own data-on=enabled.to_string()>
                <OnOff on=enabled />
                <span class="foreign">{label}</span>
                <span class="posture-value foreign">
                    <code>{if name == handler { name } else { format!("{name} → {handler}") }}</code> {when.map(|when| format!(" {when}"))}
                </span>
            </li>
        }
    };
    let rows = handlers.into_iter().map(row).collect_view();
    view! { <Part title=title note=note>{rows}{none.then(|| view! { <li><span class="quiet">"None"</span></li> })}</Part> }
}

/// The files come first when something is wrong with them; else they are a line each.
#[component]
fn Files(files: Vec<ConfigFile>, health: WriteHealth) -> impl IntoView {
    let count = files.iter().map(|file| file.problems.len() as u64).sum::<u64>();
    let note = if count == 0 { "in order".to_owned() } else { counted(count, "problem") };
    let row = |ConfigFile { name, present, problems }: ConfigFile| {
        let wrong = !problems.is_empty();
        let own = name.clone();
        let problem = |problem: String| view! { <p class="warn-text foreign" data-config-problem="">{problem}</p> };
        view! {
            <li data-config=own>
                <span class:warn-text=wrong class:good-text=!wrong><Icon name=if wrong { IconName::Warning } else { IconName::Check } /></span>
                <code>{name}</code>
                {(!present).then(|| view! { <span class="posture-value">"Not there, so the built-in holds"</span> })}
                {problems.into_iter().map(problem).collect_view()}
            </li>
        }
    };
    let WriteHealth { ok, last_error } = health;
    view! {
        <Part title="Configuration" note=note class="posture-files">
            {files.into_iter().map(row).collect_view()}
            <li data-write-health=ok.to_string()>
                <span class:bad-text=!ok class:good-text=ok><Icon name=if ok { IconName::Check } else { IconName::Error } /></span>
                <span>{if ok { "Decisions are written with their turn" } else { "Decisions could not be written, nor their turns" }}</span>
                {(!last_error.is_empty()).then(|| view! { <p class="bad-text foreign">{last_error}</p> })}
            </li>
        </Part>
    }
}

#[component]
fn OnOff(on: bool) -> impl IntoView {
    view! { <span class="posture-mark" class:good-text=on>{on.then(|| view! { <Icon name=IconName::Check /> })}" "{if on { "On" } else { "Off" }}</span> }
}

/// A titled list.
#[component]
fn Part(
    title: &'static str,
    #[prop(into)] note: String,
    #[prop(optional)] class: &'static str,
    children: Children,
) -> impl IntoView {
    view! {
        <section class="posture-part">
            <h3>{title} " " <span class="quiet">{note}</span></h3>
            <ul class=class>{children()}</ul>
        </section>
    }
}
