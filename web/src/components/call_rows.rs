//! The calls of a turn as rows: name, bar on the time axis, duration. Only the rows that are seen are built.

use super::call_drawing::{CallDrawing, Legend, ROW, row_top};
use super::glyph::CallGlyph;
use crate::state::decisions::decision_word;
use crate::state::window::visible_rows;
use crate::state::wording::call_kind;
use leptos::ev::KeyboardEvent;
use leptos::html::Div;
use leptos::prelude::*;
use proem_core::trace::{DurationSource, Layout, Status, Trace};
use std::sync::Arc;

/// Deeper rows are not indented further, so that names stay on screen.
const DEEPEST: u32 = 8;

/// Rows of calls.
#[component]
pub fn CallRows(
    /// The calls, and where they are drawn.
    trace: Arc<(Trace, Layout)>,
    /// Position of the chosen call.
    chosen: Memo<Option<usize>>,
    /// Position of the call that the pointer rests on.
    pointed: RwSignal<Option<usize>>,
    /// A call was chosen.
    on_node: Callback<Option<String>>,
) -> impl IntoView {
    let count = trace.1.boxes.len();
    let first_after = trace.1.boxes.iter().position(|row| row.after_answer);
    let height = row_top(count, first_after);
    let frame = NodeRef::<Div>::new();
    // What is seen is only known once the rows are on screen; until then a screenful.
    let seen = RwSignal::new((0.0, 900.0));
    let look = move || {
        if let Some(frame) = frame.get_untracked() {
            seen.set((f64::from(frame.scroll_top()), f64::from(frame.client_height().max(ROW as i32))));
        }
    };
    let range = Memo::new(move |_| {
        let (scrolled, height) = seen.get();
        visible_rows(scrolled, height, ROW, count)
    });

    let rows = trace.clone();
    let row_of = move |node: usize| rows.1.boxes.iter().position(|row| row.node == node);
    let keyed = trace.clone();
    let choose_row = move |row: usize| {
        let node = keyed.1.boxes.get(row).and_then(|row| keyed.0.nodes.get(row.node));
        if let Some(node) = node {
            on_node.run(Some(node.id.clone()));
        }
    };
    let keys = {
        let (row_of, choose_row) = (row_of.clone(), choose_row.clone());
        move |event: KeyboardEvent| {
            if event.ctrl_key() || event.meta_key() || event.alt_key() || count == 0 {
                return;
            }
            let at = chosen.get_untracked().and_then(&row_of);
            let to = match event.key().as_str() {
                "ArrowDown" | "j" => at.map_or(0, |at| (at + 1).min(count - 1)),
                "ArrowUp" | "k" => at.map_or(0, |at| at.saturating_sub(1)),
                "Home" => 0,
                "End" => count - 1,
                "Escape" => return on_node.run(None),
                _ => return,
            };
            event.prevent_default();
            if let Some(frame) = frame.get_untracked() {
                let (top, seen) = (row_top(to, first_after), f64::from(frame.client_height()));
                let scrolled = f64::from(frame.scroll_top());
                if top < scrolled {
                    frame.set_scroll_top(top as i32);
                } else if top + ROW > scrolled + seen {
                    frame.set_scroll_top((top + ROW - seen) as i32);
                }
            }
            look();
            choose_row(to);
        }
    };
    let built = trace.clone();
    let row = move |at: usize| {
        let place = built.1.boxes.get(at)?;
        let node = built.0.nodes.get(place.node)?;
        let (position, id) = (place.node, node.id.clone());
        let mark = match node.status {
            // What was decided says more than that it ended well or not.
            _ if node.governance.is_some() => node.governance.as_ref().map(|card| {
                let class = format!("call-mark call-mark-{}", card.decision);
                view! { <span class=class>{decision_word(&card.decision).to_lowercase()}</span> }.into_any()
            }),
            Status::Error => Some(view! { <span class="call-mark call-mark-error">"error"</span> }.into_any()),
            Status::Open => Some(view! { <span class="call-mark">"open"</span> }.into_any()),
            Status::Ok => None,
        };
        let duration = if node.status == Status::Open { "no end logged".to_owned() } else { place.duration_text.clone() };
        let duration = if node.kind == "error" { String::new() } else { duration };
        let kind = call_kind(&node.kind).to_owned();
        let said_kind = format!("{kind}: ");
        Some(view! {
            <div
                role="option"
                id=format!("call-{position}")
                class="call-row"
                data-node=id.clone()
                data-kind=node.kind.clone()
                data-status=status_code(node.status)
                data-decision=node.governance.as_ref().map(|card| card.decision.to_string())
                data-duration-source=source_code(node.duration_source)
                aria-selected=move || (chosen.get() == Some(position)).to_string()
                aria-setsize=count
                aria-posinset=at + 1
                style:top=format!("{}px", row_top(at, first_after))
                title=kind
                on:click=move |_| on_node.run(Some(id.clone()))
                on:mouseenter=move |_| pointed.set(Some(position))
            >
                <span class="call-name" style:padding-left=format!("{}px", place.depth.min(DEEPEST) * 14)>
                    <CallGlyph kind=node.kind.clone() />
                    <span class="visually-hidden">{said_kind}</span>
                    <span class="call-label foreign">{node.label.clone()}</span>
                    {mark}
                </span>
                <span class="call-duration numbers">{duration}</span>
            </div>
        })
    };
    let ticks = trace.1.ticks.iter().map(|tick| {
        let class = if tick.at > 0.9 { "call-tick call-tick-last" } else { "call-tick" };
        view! { <span class=class style:left=format!("{}%", tick.at * 100.0)>{tick.text.clone()}</span> }
    });
    let ticks = ticks.collect_view();
    let drawing = trace.clone();
    let active = move || chosen.get().map(|at| format!("call-{at}"));
    view! {
        <div class="calls" on:mouseleave=move |_| pointed.set(None)>
            <div class="calls-axis numbers" aria-hidden="true"><span class="calls-axis-name">"Call"</span><div class="calls-axis-times">{ticks}</div><span class="calls-axis-name">"Took"</span></div>
            <div class="calls-frame" node_ref=frame on:scroll=move |_| look()>
                <div
                    class="calls-body"
                    role="listbox"
                    aria-label="Calls of this turn, in the order they are drawn"
                    tabindex="0"
                    aria-activedescendant=active
                    style:height=format!("{height}px")
                    on:keydown=keys
                    on:focus=move |_| look()
                >
                    <CallDrawing trace=drawing range=range chosen=chosen pointed=pointed first_after=first_after height=height />
                    {first_after
                        .map(|at| {
                            view! {
                                <div role="presentation" class="calls-band" data-after-answer="" style:top=format!("{}px", row_top(at, first_after) - ROW)>
                                    "After the answer, on its own scale"
                                </div>
                            }
                        })}
                    {move || range.get().filter_map(&row).collect_view()}
                </div>
            </div>
            <Legend trace=trace />
        </div>
    }
}

fn status_code(status: Status) -> &'static str {
    match status {
        Status::Ok => "ok",
        Status::Error => "error",
        Status::Open => "open",
    }
}

fn source_code(source: DurationSource) -> &'static str {
    match source {
        DurationSource::Measured => "measured",
        DurationSource::Span => "span",
        DurationSource::Gap => "gap",
        DurationSource::Estimated => "estimated",
        DurationSource::Open => "open",
        DurationSource::Reported => "reported",
        DurationSource::None => "none",
    }
}
