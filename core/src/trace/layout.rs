//! Where to draw a trace: numbers only, the same for the same trace.
//!
//! Rows. A call stands right under the call that made it, in order of start, so that a family is read as one block. Calls made by the runtime
//! itself stand at their own place in time, because the runtime begins first and would draw everything to the top. Blocks follow each other in
//! the order of their first rows' starts. Calls that began after the answer form a band below, ordered by the same rule among themselves.

use super::axis::{node_duration, ticks};
use super::model::{DurationSource, EdgeKind, Layout, Link, NodeBox, Trace};
use std::collections::HashMap;

/// A box is never narrower, so that it can be seen and pointed at.
const NARROWEST: f64 = 0.008;

/// Places a trace. Works without recursion, and with any edges: those that name no node are left out of the links, calls that own each other
/// in a circle stand as roots.
pub fn layout(trace: &Trace) -> Layout {
    let by_id: HashMap<&str, usize> = trace.nodes.iter().enumerate().map(|(at, node)| (node.id.as_str(), at)).collect();
    let owners = owners(trace, &by_id);
    let mut rows: Vec<(usize, u32)> = Vec::with_capacity(trace.nodes.len());
    for after in [false, true] {
        rows.extend(band(trace, &owners, after));
    }

    let scale_ms = scale(trace);
    let band_axis = Axis::of_band(trace);
    let mut boxes: Vec<NodeBox> = Vec::with_capacity(rows.len());
    let mut row_of = vec![0usize; trace.nodes.len()];
    for (row, (at, depth)) in (0u32..).zip(rows) {
        let node = &trace.nodes[at];
        let axis = if node.after_answer { &band_axis } else { &Axis { from: 0.0, span: scale_ms } };
        let left = ((node.t_offset_ms - axis.from) / axis.span).clamp(0.0, 1.0 - NARROWEST);
        let width = (node.duration_ms / axis.span).max(NARROWEST).min(1.0 - left);
        row_of[at] = boxes.len();
        boxes.push(NodeBox {
            node: at,
            row,
            depth,
            left,
            width,
            after_answer: node.after_answer,
            duration_text: node_duration(node),
        });
    }

    let links = trace.edges.iter().enumerate().filter_map(|(edge, of)| {
        let source = &boxes[row_of[*by_id.get(of.source.as_str())?]];
        let target = &boxes[row_of[*by_id.get(of.target.as_str())?]];
        let from = match of.kind {
            EdgeKind::Data => source.left + source.width,
            // A call leaves its owner at the moment it begins.
            EdgeKind::Control => target.left.clamp(source.left, source.left + source.width),
        };
        Some(Link { edge, from_row: source.row, to_row: target.row, from, to: target.left })
    });
    Layout { links: links.collect(), scale_ms, ticks: ticks(scale_ms), boxes }
}

/// The right end of the axis (specs: iris-session-log, 7.9). Work without a logged end ends nowhere, so it does not lengthen it.
fn scale(trace: &Trace) -> f64 {
    let before = trace.nodes.iter().filter(|node| !node.after_answer);
    let ends = before.map(|node| match node.duration_source {
        DurationSource::Open => node.t_offset_ms,
        _ => node.t_offset_ms + node.duration_ms,
    });
    ends.chain([trace.total_duration_ms, 1.0]).filter(|end| end.is_finite()).fold(1.0, f64::max)
}

/// A stretch of time, in milliseconds.
struct Axis {
    from: f64,
    span: f64,
}

impl Axis {
    /// From the first start to the last end of the calls after the answer.
    fn of_band(trace: &Trace) -> Axis {
        let band = || trace.nodes.iter().filter(|node| node.after_answer);
        let from = band().map(|node| node.t_offset_ms).fold(f64::INFINITY, f64::min);
        let to = band().map(|node| node.t_offset_ms + node.duration_ms).fold(f64::NEG_INFINITY, f64::max);
        if to > from && (to - from).is_finite() {
            Axis { from, span: to - from }
        } else {
            Axis { from: from.min(f64::MAX), span: 1.0 }
        }
    }
}

/// For each node, the node that called it.
fn owners(trace: &Trace, by_id: &HashMap<&str, usize>) -> Vec<Option<usize>> {
    let mut owners = vec![None; trace.nodes.len()];
    for edge in trace.edges.iter().filter(|edge| edge.kind == EdgeKind::Control) {
        if let (Some(source), Some(target)) = (by_id.get(edge.source.as_str()), by_id.get(edge.target.as_str()))
            && source != target
            && owners[*target].is_none()
        {
            owners[*target] = Some(*source);
        }
    }
    owners
}

/// The nodes of one band in row order, with their depths.
fn band(trace: &Trace, owners: &[Option<usize>], after: bool) -> Vec<(usize, u32)> {
    let inside = |at: &usize| trace.nodes[*at].after_answer == after;
    let is_runtime = |at: usize| trace.nodes[at].kind == "runtime";
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); trace.nodes.len()];
    let mut roots: Vec<(usize, u32)> = Vec::new();
    for at in (0..trace.nodes.len()).filter(inside) {
        match owners[at].filter(inside) {
            Some(owner) if is_runtime(owner) => roots.push((at, 1)),
            Some(owner) => children[owner].push(at),
            None => roots.push((at, 0)),
        }
    }
    let mut placed = vec![false; trace.nodes.len()];
    let mut rows = Vec::new();
    let mut place = |root: (usize, u32), placed: &mut Vec<bool>| {
        let mut waiting = vec![root];
        while let Some((at, depth)) = waiting.pop() {
            if std::mem::replace(&mut placed[at], true) {
                continue;
            }
            rows.push((at, depth));
            waiting.extend(children[at].iter().rev().map(|child| (*child, depth.saturating_add(1))));
        }
    };
    for root in roots {
        place(root, &mut placed);
    }
    // What is left owns itself through a circle.
    for at in (0..trace.nodes.len()).filter(inside) {
        if !placed[at] {
            place((at, 0), &mut placed);
        }
    }
    rows
}
