//! The conversation of a session, turn by turn. Turns far from what is seen are not built.

use super::turn_card::TurnCard;
use crate::state::conversation::Conversation;
use crate::state::days::{day_begins, local_day};
use crate::state::said::Heard;
use crate::state::window::{NEAR, TURN_HEIGHT, chunk, chunk_of, chunks};
use js_sys::{Array, Date, Intl, Object, Reflect};
use leptos::html::Div;
use leptos::prelude::*;
use proem_core::log::parse_stamp;
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;
use wasm_bindgen::prelude::*;
use web_sys::{Element, ScrollIntoViewOptions, ScrollLogicalPosition};

/// All turns that are shown.
#[component]
pub fn Replay(
    /// The turns.
    talk: Arc<Conversation>,
    /// Positions of the turns to show.
    shown: Memo<Vec<usize>>,
    /// Told the positions of the turns near what is seen: their words are wanted.
    near: RwSignal<Vec<usize>>,
    /// What was said in a turn. Follows changes.
    said: Callback<usize, Heard>,
    /// Words that could not be read are asked for again.
    on_again: Callback<()>,
    /// The chosen one.
    chosen: Memo<Option<usize>>,
    /// The address of a turn.
    href: Callback<usize, String>,
    /// A turn was chosen.
    on_choose: Callback<usize>,
    /// The calls of a turn are wanted where only one pane is seen.
    #[prop(into)]
    on_calls: Callback<usize>,
) -> impl IntoView {
    let scrolled = use_scroll();
    let place = move |position: usize| shown.with(|shown| shown.binary_search(&position).ok());
    let aim = RwSignal::new(None::<usize>);
    // A turn that was brought on screen before the words around it were here.
    let settling = RwSignal::new(None::<usize>);
    // The chosen turn is brought on screen; one that was clicked is there already.
    Effect::new(move |before: Option<Option<usize>>| {
        let now = chosen.get();
        if before != Some(now) && (before.is_some() || now != shown.with_untracked(|shown| shown.first().copied())) {
            aim.set(now.and_then(place).map(chunk_of));
            if let Some(position) = now {
                settling.set(Some(position));
                bring_on_screen(position);
            }
        }
        now
    });
    let waiting = Memo::new(move |_| near.with(|near| near.iter().filter(|at| said.run(**at) == Heard::Waiting).count()));
    Effect::new(move |_| {
        let Some(position) = settling.get() else { return };
        bring_on_screen(position);
        let is_near = near.with(|near| near.contains(&position));
        if waiting.get() == 0 && is_near {
            settling.set(None);
        }
    });

    let frames = StoredValue::new(Vec::<Frame>::new());
    let built = StoredValue::new(BTreeSet::<usize>::new());
    Effect::new(move |_| {
        scrolled.track();
        let aimed = aim.get();
        frames.with_value(|frames| {
            let Some(seen) = chunks_near(frames) else { return };
            let now: BTreeSet<usize> = seen.chain(aimed.filter(|at| *at < frames.len())).collect();
            let before = built.get_value();
            if now != before {
                for at in before.difference(&now) {
                    frames[*at].take_down();
                }
                for at in now.difference(&before) {
                    frames[*at].is_built.set(true);
                }
            }
            let positions = shown.with_untracked(|shown| {
                let places = now.iter().flat_map(|at| chunk(*at, shown.len()));
                places.map(|place| shown[place]).collect::<Vec<_>>()
            });
            if near.with_untracked(|near| *near != positions) {
                near.set(positions);
            }
            built.set_value(now);
        });
    });
    let all = move || {
        let shown = shown.get();
        let chunks = chunks(shown.len());
        // What was built stays so, or the first ones are built at once, so that nothing flickers.
        let mut first: BTreeSet<usize> = built.get_value().into_iter().filter(|at| *at < chunks.len()).collect();
        if first.is_empty() {
            first.insert(0);
        }
        frames.set_value(chunks.iter().enumerate().map(|(at, range)| Frame::new(range.len(), first.contains(&at))).collect());
        built.set_value(first);
        request_animation_frame(move || {
            scrolled.try_update(|count| *count = count.wrapping_add(1));
        });
        let days = days_of(&talk, &shown);
        chunks
            .into_iter()
            .enumerate()
            .map(|(at, range)| {
                let turns: Vec<(usize, Option<String>)> = range.map(|place| (shown[place], days[place].clone())).collect();
                view! { <Chunk frame=frames.with_value(|frames| frames[at]) turns=turns talk=talk.clone() said=said on_again=on_again chosen=chosen href=href on_choose=on_choose on_calls=on_calls /> }
            })
            .collect_view()
    };
    // Whoever scrolls is not taken back.
    view! { <div class="replay" data-replay="" on:wheel=move |_| settling.set(None) on:touchmove=move |_| settling.set(None)>{all}</div> }
}

/// The place of a chunk in the page.
#[derive(Clone, Copy)]
struct Frame {
    element: NodeRef<Div>,
    is_built: RwSignal<bool>,
    /// What it measured when it was last built, or is thought to measure, pixels.
    height: StoredValue<f64>,
}

impl Frame {
    fn new(turns: usize, is_built: bool) -> Frame {
        let height = StoredValue::new(turns as f64 * TURN_HEIGHT);
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

/// Some turns, built while they are near what is seen.
#[component]
fn Chunk(
    frame: Frame,
    turns: Vec<(usize, Option<String>)>,
    talk: Arc<Conversation>,
    said: Callback<usize, Heard>,
    on_again: Callback<()>,
    chosen: Memo<Option<usize>>,
    href: Callback<usize, String>,
    on_choose: Callback<usize>,
    on_calls: Callback<usize>,
) -> impl IntoView {
    let positions: Vec<usize> = turns.iter().map(|(position, _)| *position).collect();
    let is_whole = Memo::new(move |_| frame.is_built.get() && positions.iter().all(|at| said.run(*at) != Heard::Waiting));
    let inside = move || {
        frame.is_built.get().then(|| {
            turns
                .iter()
                .map(|(position, day)| {
                    let position = *position;
                    let day = day.clone().map(|day| view! { <h2 class="day" data-day="">{day}</h2> });
                    let card = talk.turn(position).cloned().map(|turn| {
                        let earlier = turn.continues.as_ref().and_then(|of| talk.find(of));
                        let continues = earlier.and_then(|at| Some((at, format!("turn {}", talk.turn(at)?.index?))));
                        let words = Memo::new(move |_| said.run(position));
                        view! { <TurnCard position=position turn=turn said=words.into() continues=continues chosen=chosen href=href on_choose=on_choose on_again=on_again on_calls=on_calls /> }
                    });
                    view! { {day} {card} }
                })
                .collect_view()
        })
    };
    // Until the words are here the chunk is not lower than it was, or is thought to be.
    let spare = move || if is_whole.get() { String::new() } else { format!("{}px", frame.height.get_value()) };
    view! { <div class="replay-chunk" node_ref=frame.element style:min-height=spare>{inside}</div> }
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

/// Scrolls to a turn once it is built: first roughly, then, when its neighbours have their heights, exactly.
fn bring_on_screen(position: usize) {
    request_animation_frame(move || {
        scroll_to(position);
        request_animation_frame(move || {
            scroll_to(position);
            request_animation_frame(move || scroll_to(position));
        });
    });
}

fn scroll_to(position: usize) {
    let Some(turn) = document().get_element_by_id(&format!("turn-{position}")) else { return };
    if !is_seen(&turn) {
        let options = ScrollIntoViewOptions::new();
        options.set_block(ScrollLogicalPosition::Start);
        turn.scroll_into_view_with_scroll_into_view_options(&options);
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

/// For each shown turn the words of a day that begins with it, in the reader's zone, which the first one names.
fn days_of(talk: &Conversation, shown: &[usize]) -> Vec<Option<String>> {
    let moment = |position: usize| {
        let stamp = talk.turn(position)?.started_at.as_deref()?;
        parse_stamp(stamp).map(|us| us.div_euclid(1000))
    };
    let moments: Vec<Option<i64>> = shown.iter().map(|position| moment(*position)).collect();
    let day = |ms: i64| local_day(ms, -(Date::new(&(ms as f64).into()).get_timezone_offset() as i32));
    let begins = day_begins(&moments.iter().map(|moment| moment.map(day)).collect::<Vec<_>>());
    let mut format = None;
    let mut first = true;
    moments
        .into_iter()
        .zip(begins)
        .map(|(moment, begins)| {
            let ms = moment.filter(|_| begins)?;
            let format = format.get_or_insert_with(day_format);
            let words = format.format().call1(&JsValue::UNDEFINED, &Date::new(&(ms as f64).into())).ok()?.as_string()?;
            let zone = std::mem::take(&mut first).then(|| zone_of(format)).flatten();
            Some(zone.map_or(words.clone(), |zone| format!("{words} · times in {zone}")))
        })
        .collect()
}

fn day_format() -> Intl::DateTimeFormat {
    let options = Object::new();
    // Setting a field of a fresh object cannot fail.
    let _ = Reflect::set(&options, &"dateStyle".into(), &"full".into());
    Intl::DateTimeFormat::new(&Array::new(), &options)
}

fn zone_of(format: &Intl::DateTimeFormat) -> Option<String> {
    Reflect::get(&format.resolved_options(), &"timeZone".into()).ok()?.as_string().map(|zone| zone.replace('_', " "))
}
