//! The bars and links of a trace as one drawing under its rows, and the legend that names their looks. Numbers come from the layout.

use crate::state::wording::call_family;
use leptos::prelude::*;
use proem_core::trace::{DurationSource, EdgeKind, Layout, Link, Node, NodeBox, Status, Trace};
use std::ops::Range;
use std::sync::Arc;

/// Height of a row, pixels; the style sheet has the same.
pub const ROW: f64 = 28.0;
const BAR: f64 = 12.0;
/// No more links are built at once: one call may own thousands that end far below.
const MOST_LINKS: usize = 400;

/// Top of a row: the band after the answer has a row of words above it. A row past the last gives the whole height.
pub fn row_top(row: usize, first_after: Option<usize>) -> f64 {
    let words = first_after.is_some_and(|first| row >= first);
    (row + usize::from(words)) as f64 * ROW
}

/// The drawing.
#[component]
pub fn CallDrawing(
    /// The calls, and where they are drawn.
    trace: Arc<(Trace, Layout)>,
    /// Rows to draw.
    range: Memo<Range<usize>>,
    /// Position of the chosen call.
    chosen: Memo<Option<usize>>,
    /// Position of the call that the pointer rests on.
    pointed: RwSignal<Option<usize>>,
    /// First row of the band after the answer.
    first_after: Option<usize>,
    /// Height of all rows, pixels.
    height: f64,
) -> impl IntoView {
    let lines = trace.1.ticks.iter().map(|tick| {
        let x = percent(tick.at);
        view! { <line class="calls-grid" x1=x.clone() x2=x y1="0" y2=height /> }
    });
    let lines = lines.collect_view();
    let lit = move || pointed.get().or(chosen.get());
    let with_links = trace.clone();
    let links = move || {
        let range = range.get();
        let (from, to) = (range.start as u32, range.end as u32);
        let crossing = |link: &&Link| link.from_row.min(link.to_row) < to && link.from_row.max(link.to_row) >= from;
        let ends_here = |link: &&Link| (from..to).contains(&link.to_row);
        let links = || with_links.1.links.iter().filter(crossing);
        // Those that enter a row on screen come first.
        let seen = links().filter(ends_here).chain(links().filter(|link| !ends_here(link))).take(MOST_LINKS);
        seen.map(|link| {
            let edge = with_links.0.edges.get(link.edge);
            let kind = edge.map_or(EdgeKind::Control, |edge| edge.kind);
            let id = edge.map(|edge| edge.id.clone()).unwrap_or_default();
            let middle = |row: u32| row_top(row as usize, first_after) + ROW / 2.0;
            let (top, bottom) = (middle(link.from_row), middle(link.to_row));
            let (from, to) = (percent(link.from), percent(link.to));
            let ends = [link.from_row, link.to_row].map(|row| with_links.1.boxes.get(row as usize).map(|place| place.node));
            let is_lit = move || lit().is_some_and(|node| ends.contains(&Some(node)));
            let (class, code) = match kind {
                EdgeKind::Data => ("call-link call-link-data", "data"),
                EdgeKind::Control => ("call-link call-link-control", "control"),
            };
            // A data link leaves the end of a bar, a control link drops from where the call was made. Both enter from the left or above.
            let arrow = if top <= bottom { bottom - BAR / 2.0 } else { bottom + BAR / 2.0 };
            let head = if top <= bottom { "M-3 -5 L0 0 L3 -5" } else { "M-3 5 L0 0 L3 5" };
            view! {
                <g class=class class:lit=is_lit data-edge=id data-edge-kind=code>
                    <line x1=from x2=to.clone() y1=top y2=top />
                    <line x1=to.clone() x2=to.clone() y1=top y2=arrow />
                    <svg x=to y=arrow width="1" height="1" overflow="visible"><path d=head /></svg>
                </g>
            }
        })
        .collect_view()
    };
    let bars = move || {
        let drawn = range.get().filter_map(|row| {
            let place = trace.1.boxes.get(row)?;
            let node = trace.0.nodes.get(place.node)?;
            let at = place.node;
            Some(view! { <g class="call-bar-of" class:lit=move || lit() == Some(at)>{bar(node, place, row_top(row, first_after) + (ROW - BAR) / 2.0)}</g> })
        });
        drawn.collect_view()
    };
    view! {
        <svg class="calls-drawing" data-drawing="" aria-hidden="true" height=height>
            <Patterns />
            {lines}
            {links}
            {bars}
        </svg>
    }
}

/// Hatching for estimates and a fading end for open work.
#[component]
fn Patterns() -> impl IntoView {
    let hatch = ["runtime", "agent", "llm", "tool", "guard", "governance", "error"].map(|family| {
        view! {
            <pattern id=format!("hatch-{family}") width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
                <rect class=format!("bar-{family}") width="2" height="5" />
            </pattern>
            <linearGradient id=format!("open-{family}")>
                <stop class=format!("stop-{family}") offset="0" />
                <stop class=format!("stop-{family}") offset="0.5" />
                <stop class=format!("stop-{family} stop-end") offset="1" />
            </linearGradient>
        }
    });
    view! { <defs>{hatch.collect_view()}</defs> }
}

fn bar(node: &Node, place: &NodeBox, top: f64) -> impl IntoView + use<> {
    let family = call_family(&node.kind);
    let (x, width) = (percent(place.left), percent(place.width));
    let id = node.id.clone();
    let error = (node.status == Status::Error).then(|| {
        let class = if node.kind == "error" { "call-cross call-cross-alone" } else { "call-cross" };
        view! { <svg class=class x=x.clone() y=top + BAR / 2.0 width="1" height="1" overflow="visible"><path d="M-4 -4 L4 4 M4 -4 L-4 4" /></svg> }
    });
    if node.kind == "error" {
        return view! { <rect data-bar=id class="bar-nothing" x=x y=top width=width height=BAR /> {error} }.into_any();
    }
    let looks = if node.status == Status::Open { DurationSource::Open } else { node.duration_source };
    match looks {
        DurationSource::Estimated => view! {
            <rect data-bar=id class=format!("bar-outline outline-{family}") x=x y=top width=width height=BAR rx="1.5" fill=format!("url(#hatch-{family})") />
            {error}
        }
        .into_any(),
        DurationSource::Open => view! {
            <rect data-bar=id x=x.clone() y=top width=width height=BAR fill=format!("url(#open-{family})") />
            <line class=format!("outline-{family} bar-edge") x1=x.clone() x2=x y1=top y2=top + BAR />
            {error}
        }
        .into_any(),
        DurationSource::None => view! {
            <rect data-bar=id class=format!("bar-outline outline-{family}") x=x y=top width=width height=BAR rx="1.5" fill="none" />
            {error}
        }
        .into_any(),
        _ => view! { <rect data-bar=id class=format!("bar-{family}") x=x y=top width=width height=BAR rx="1.5" /> {error} }.into_any(),
    }
}

/// What the looks mean, as far as they occur.
#[component]
pub fn Legend(
    /// The calls.
    trace: Arc<(Trace, Layout)>,
) -> impl IntoView {
    let edge = |kind| trace.0.edges.iter().any(|edge| edge.kind == kind);
    let source = |source| trace.0.nodes.iter().any(|node| node.duration_source == source);
    let line = |class: &'static str, words: &'static str| {
        view! { <li><svg class="legend-sign" viewBox="0 0 28 12" aria-hidden="true"><g class=class><line x1="1" x2="27" y1="6" y2="6" /></g></svg>{words}</li> }
    };
    let error = trace.0.nodes.iter().any(|node| node.status == Status::Error);
    let open = trace.0.nodes.iter().any(|node| node.status == Status::Open);
    view! {
        <ul class="legend" aria-label="Legend">
            {edge(EdgeKind::Data).then(|| line("call-link call-link-data", "Solid: a result goes on"))}
            {edge(EdgeKind::Control).then(|| line("call-link call-link-control", "Dashed: one calls the other"))}
            {(trace.0.edges.len() > MOST_LINKS).then(|| view! { <li>"Links that end far from the rows on screen are left out"</li> })}
            {source(DurationSource::Estimated)
                .then(|| view! { <li><svg class="legend-sign" viewBox="0 0 28 12" aria-hidden="true"><rect class="bar-outline outline-runtime" x="1" y="1" width="26" height="10" fill="url(#hatch-runtime)" /></svg>"Hatched, ≈: an estimate"</li> })}
            {open
                .then(|| view! { <li><svg class="legend-sign" viewBox="0 0 28 12" aria-hidden="true"><rect x="1" y="1" width="26" height="10" fill="url(#open-tool)" /></svg>"Fading: no end logged"</li> })}
            {error.then(|| view! { <li><svg class="legend-sign call-cross" viewBox="-14 -6 28 12" aria-hidden="true"><path d="M-4 -4 L4 4 M4 -4 L-4 4" /></svg>"Cross: an error"</li> })}
        </ul>
    }
}

fn percent(part: f64) -> String {
    format!("{}%", (part * 1e6).round() / 1e4)
}
