//! The steps of a turn in words, each with everything it holds on demand.

use super::call_trace::Take;
use super::copy_button::CopyButton;
use super::long_text::LongText;
use crate::state::drawn::Drawn;
use crate::state::wording::counted;
use leptos::prelude::*;
use proem_core::api::ApiError;
use proem_core::trace::{Status, Step, duration_text};
use std::ops::Range;
use std::sync::Arc;
use wasm_bindgen::prelude::*;
use web_sys::HtmlDetailsElement;

/// So many steps are asked for together.
const MORE: usize = 300;

/// Steps in the order of the log.
#[component]
pub fn StepList(
    /// The trace they belong to.
    trace: Arc<Drawn>,
    /// Fetches some steps and hands them over.
    fetch: Callback<(Range<usize>, Take<Vec<Step>>)>,
) -> impl IntoView {
    let count = trace.step_count;
    let steps = RwSignal::new(trace.first_steps().to_vec());
    let is_asking = RwSignal::new(false);
    let fault = RwSignal::new(None::<String>);
    let more = move || {
        if is_asking.get_untracked() {
            return;
        }
        is_asking.set(true);
        let from = steps.with_untracked(Vec::len);
        let take = move |answer: Result<Vec<Step>, ApiError>| {
            is_asking.try_set(false);
            match answer {
                Ok(more) => {
                    fault.try_set(None);
                    steps.try_update(|steps| steps.extend(more));
                }
                Err(error) => drop(fault.try_set(Some(error.message))),
            }
        };
        fetch.run((from..from + MORE, Callback::new(take)));
    };
    // A first step that is large does not come with the trace.
    if count > 0 && trace.first_steps().is_empty() {
        more();
    }
    view! {
        <ol class="steps" data-steps="">
            <For each=move || steps.get() key=|step| step.seq let:step>
                <StepRow step=step />
            </For>
        </ol>
        {move || {
            let left = count.saturating_sub(steps.with(Vec::len));
            (left > 0).then(|| {
                let next = counted(left.min(MORE) as u64, "more step");
                view! {
                    <p class="steps-more">
                        <button type="button" class="button" on:click=move |_| more()>"Show "{next}</button>
                        <span class="quiet numbers">{counted(left as u64, "step")}" not shown"</span>
                    </p>
                }
            })
        }}
        <p class="field-fault" role="alert">{fault}</p>
    }
}

#[component]
fn StepRow(step: Step) -> impl IntoView {
    let open = RwSignal::new(false);
    let times = if step.time_unknown { "time unknown".to_owned() } else { format!("+{}", duration_text(step.t_offset_ms)) };
    let duration = step.duration_ms.map(duration_text);
    let logged = (!step.time_unknown && (step.logged_at_ms - step.t_offset_ms).abs() > 0.0005)
        .then(|| format!("Logged {} after the opening.", duration_text(step.logged_at_ms)));
    let fields: Vec<(String, String)> = step
        .fields
        .iter()
        .filter(|(_, value)| !value.is_null())
        .map(|(name, value)| (name.clone(), value.as_str().map_or_else(|| value.to_string(), str::to_owned)))
        .collect();
    let detail = step.detail.clone().filter(|detail| !detail.is_empty());
    let round = step.iteration.map(|round| format!("round {round}"));
    let inside = move || {
        let (detail, fields, logged) = (detail.clone(), fields.clone(), logged.clone());
        let has_nothing = detail.is_none() && fields.is_empty() && logged.is_none();
        open.get().then(|| {
            let fields = fields.into_iter().map(
                |(name, value)| view! { <div><dt class="foreign">{name}</dt><dd class="foreign" dir="auto"><LongText text=value class="foreign" /></dd></div> },
            );
            view! {
                <div class="step-inside">
                    {logged.map(|logged| view! { <p class="quiet">{logged}</p> })}
                    <dl class="call-facts">{fields.collect_view()}</dl>
                    {detail.map(|detail| view! { <LongText text=detail.clone() /> <CopyButton text=detail /> })}
                    {has_nothing.then(|| view! { <p class="quiet">"The log holds nothing more about this step."</p> })}
                </div>
            }
        })
    };
    let took = round.into_iter().chain(duration).collect::<Vec<_>>().join(" · ");
    let kind = step.kind.clone();
    let toggle = move |event: leptos::ev::Event| {
        let details = event.current_target().and_then(|target| target.dyn_into::<HtmlDetailsElement>().ok());
        open.set(details.is_some_and(|details| details.open()));
    };
    view! {
        <li class="step" data-step=step.seq data-step-type=kind>
            <details on:toggle=toggle>
                <summary>
                    <span class="step-time numbers">{times}</span>
                    <span class="step-kind">{step.kind}</span>
                    <span class="step-title foreign" dir="auto">{step.title}</span>
                    {(step.status == Status::Error).then(|| view! { <span class="call-mark call-mark-error">"error"</span> })}
                    <span class="step-took numbers">{took}</span>
                </summary>
                {inside}
            </details>
        </li>
    }
}
