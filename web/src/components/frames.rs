//! A long list of entries of unlike height, of which those far from what is seen are not built.

use crate::state::window::{NEAR, TURN_HEIGHT, chunk, chunk_of, chunks};
use leptos::html::Div;
use leptos::prelude::*;
use std::collections::BTreeSet;
use std::ops::Range;
use wasm_bindgen::prelude::*;
use web_sys::{Element, ScrollIntoViewOptions, ScrollLogicalPosition};

/// The list's chunks, and which of them are built. Copy it freely.
#[derive(Clone, Copy)]
pub struct Frames {
    /// Positions of the entries that are shown.
    shown: Memo<Vec<usize>>,
    /// What the ids of the entries' elements begin with: `turn` of `turn-12`.
    id: &'static str,
    scrolled: RwSignal<u32>,
    frames: StoredValue<Vec<Frame>>,
    built: StoredValue<BTreeSet<usize>>,
    /// A chunk that is built because it is gone to.
    aim: RwSignal<Option<usize>>,
    /// An entry that was brought on screen before those around it were here.
    settling: RwSignal<Option<usize>>,
}

impl Frames {
    /// Watches what is seen. `near` is told the positions of the entries near that; `is_waiting` says whether one is on its way.
    pub fn new(
        shown: Memo<Vec<usize>>,
        id: &'static str,
        near: RwSignal<Vec<usize>>,
        is_waiting: Callback<usize, bool>,
    ) -> Frames {
        let frames = Frames {
            shown,
            id,
            scrolled: use_scroll(),
            frames: StoredValue::new(Vec::new()),
            built: StoredValue::new(BTreeSet::new()),
            aim: RwSignal::new(None),
            settling: RwSignal::new(None),
        };
        let waiting = Memo::new(move |_| near.with(|near| near.iter().filter(|at| is_waiting.run(**at)).count()));
        Effect::new(move |_| {
            let Some(position) = frames.settling.get() else { return };
            bring_on_screen(id, position);
            let is_near = near.with(|near| near.contains(&position));
            if waiting.get() == 0 && is_near {
                frames.settling.set(None);
            }
        });
        Effect::new(move |_| frames.look(near));
        frames
    }

    /// Brings an entry on screen, and keeps it there until those around it are here.
    pub fn bring(self, position: Option<usize>) {
        let place = |position: usize| self.shown.with_untracked(|shown| shown.binary_search(&position).ok());
        self.aim.set(position.and_then(place).map(chunk_of));
        if let Some(position) = position {
            self.settling.set(Some(position));
            bring_on_screen(self.id, position);
        }
    }

    /// Whoever scrolls is not taken back.
    pub fn let_go(self) {
        self.settling.set(None);
    }

    /// Cuts the list anew and gives each chunk with its places in the list. What was built stays so, or the first ones are built at
    /// once, so that nothing flickers.
    pub fn cut(self, length: usize) -> Vec<(Frame, Range<usize>)> {
        let chunks = chunks(length);
        let mut first: BTreeSet<usize> = self.built.get_value().into_iter().filter(|at| *at < chunks.len()).collect();
        if first.is_empty() {
            first.insert(0);
        }
        let all: Vec<Frame> = chunks.iter().enumerate().map(|(at, range)| Frame::new(range.len(), first.contains(&at))).collect();
        self.frames.set_value(all.clone());
        self.built.set_value(first);
        let scrolled = self.scrolled;
        request_animation_frame(move || {
            scrolled.try_update(|count| *count = count.wrapping_add(1));
        });
        all.into_iter().zip(chunks).collect()
    }

    /// Builds what is near, and takes down what is not any more.
    fn look(self, near: RwSignal<Vec<usize>>) {
        self.scrolled.track();
        let aimed = self.aim.get();
        self.frames.with_value(|frames| {
            let Some(seen) = chunks_near(frames) else { return };
            let now: BTreeSet<usize> = seen.chain(aimed.filter(|at| *at < frames.len())).collect();
            let before = self.built.get_value();
            if now != before {
                for at in before.difference(&now) {
                    frames[*at].take_down();
                }
                for at in now.difference(&before) {
                    frames[*at].is_built.set(true);
                }
            }
            let positions = self.shown.with_untracked(|shown| {
                let places = now.iter().flat_map(|at| chunk(*at, shown.len()));
                places.map(|place| shown[place]).collect::<Vec<_>>()
            });
            if near.with_untracked(|near| *near != positions) {
                near.set(positions);
            }
            self.built.set_value(now);
        });
    }
}

/// The place of a chunk in the page.
#[derive(Clone, Copy)]
pub struct Frame {
    /// Its element.
    pub element: NodeRef<Div>,
    /// It is near what is seen.
    pub is_built: RwSignal<bool>,
    /// What it measured when it was last built, or is thought to measure, pixels.
    pub height: StoredValue<f64>,
}

impl Frame {
    fn new(entries: usize, is_built: bool) -> Frame {
        let height = StoredValue::new(entries as f64 * TURN_HEIGHT);
        Frame { element: NodeRef::new(), is_built: RwSignal::new(is_built), height }
    }

    /// Its last height keeps its place.
    fn take_down(self) {
        if let Some(element) = self.element.get_untracked() {
            self.height.set_value(element.get_bounding_client_rect().height());
        }
        self.is_built.set(false);
    }
}

/// The chunks near what is seen; they lie one under the other. None when the pane is not in front.
fn chunks_near(frames: &[Frame]) -> Option<Range<usize>> {
    let rect = |at: usize| frames[at].element.get_untracked().map(|element| element.get_bounding_client_rect());
    if frames.is_empty() || rect(0)?.width() == 0.0 {
        return None;
    }
    let seen = window().inner_height().ok().and_then(|height| height.as_f64()).unwrap_or(1_000.0);
    let (mut from, mut to) = (0, frames.len());
    while from < to {
        let middle = (from + to) / 2;
        if rect(middle)?.bottom() <= -NEAR { from = middle + 1 } else { to = middle }
    }
    let mut end = from;
    while end < frames.len() && rect(end)?.top() < seen + NEAR {
        end += 1;
    }
    Some(from..end)
}

/// Changes when anything on the page was scrolled or the window changed, once a frame.
fn use_scroll() -> RwSignal<u32> {
    let scrolled = RwSignal::new(0u32);
    let waiting = StoredValue::new(false);
    let look = move || {
        if waiting.try_get_value() == Some(false) {
            waiting.set_value(true);
            request_animation_frame(move || {
                waiting.try_set_value(false);
                scrolled.try_update(|count| *count = count.wrapping_add(1));
            });
        }
    };
    let listener = Closure::<dyn FnMut()>::new(look);
    let function: js_sys::Function = listener.as_ref().clone().unchecked_into();
    // Scrolling does not bubble, but it can be heard on its way down.
    let _ = window().add_event_listener_with_callback_and_bool("scroll", &function, true);
    let _ = window().add_event_listener_with_callback_and_bool("resize", &function, true);
    let kept = StoredValue::new_local((listener, function));
    look();
    on_cleanup(move || {
        kept.with_value(|(_, function)| {
            let _ = window().remove_event_listener_with_callback_and_bool("scroll", function, true);
            let _ = window().remove_event_listener_with_callback_and_bool("resize", function, true);
        });
    });
    scrolled
}

/// Scrolls to an entry once it is built: first roughly, then, when its neighbours have their heights, exactly.
fn bring_on_screen(id: &'static str, position: usize) {
    request_animation_frame(move || {
        scroll_to(id, position);
        request_animation_frame(move || {
            scroll_to(id, position);
            request_animation_frame(move || scroll_to(id, position));
        });
    });
}

fn scroll_to(id: &str, position: usize) {
    let Some(entry) = document().get_element_by_id(&format!("{id}-{position}")) else { return };
    if !is_seen(&entry) {
        let options = ScrollIntoViewOptions::new();
        options.set_block(ScrollLogicalPosition::Start);
        entry.scroll_into_view_with_scroll_into_view_options(&options);
    }
}

/// Whether the head of an element is inside its pane and the window.
fn is_seen(element: &Element) -> bool {
    let rect = element.get_bounding_client_rect();
    let pane = element.closest(".pane").ok().flatten().map(|pane| pane.get_bounding_client_rect());
    let bottom = window().inner_height().ok().and_then(|height| height.as_f64()).unwrap_or(0.0);
    let (from, to) = pane.map_or((0.0, bottom), |pane| (pane.top().max(0.0), pane.bottom().min(bottom)));
    rect.top() >= from && rect.top() < to - 60.0
}
