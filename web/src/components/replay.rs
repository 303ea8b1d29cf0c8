//! The conversation of a session, turn by turn. Turns far from what is seen are not built.

use super::turn_card::TurnCard;
use crate::state::conversation::Conversation;
use crate::state::days::{day_begins, local_day};
use crate::state::window::{NEAR, TURN_HEIGHT, chunk_of, chunks};
use js_sys::{Array, Date, Intl, Object, Reflect};
use leptos::html::Div;
use leptos::prelude::*;
use proem_core::log::parse_stamp;
use std::ops::Range;
use std::sync::Arc;
use wasm_bindgen::prelude::*;
use web_sys::{Element, ScrollIntoViewOptions, ScrollLogicalPosition};

/// All turns that are shown.
#[component]
pub fn Replay(
    /// Turns and messages.
    talk: Arc<Conversation>,
    /// Positions of the turns to show.
    shown: Memo<Vec<usize>>,
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
    // The chosen turn is brought on screen; one that was clicked is there already.
    Effect::new(move |before: Option<Option<usize>>| {
        let now = chosen.get();
        if before != Some(now) && (before.is_some() || now != shown.with_untracked(|shown| shown.first().copied())) {
            aim.set(now.and_then(place).map(chunk_of));
            if let Some(position) = now {
                bring_on_screen(position);
            }
        }
        now
    });
    let frames = StoredValue::new(Vec::<NodeRef<Div>>::new());
    let near = Memo::new(move |before: Option<&Range<usize>>| {
        scrolled.track();
        let before = before.cloned().unwrap_or(0..1);
        frames.with_value(|frames| chunks_near(frames)).unwrap_or(before)
    });
    let all = move || {
        let shown = shown.get();
        frames.set_value((0..chunks(shown.len()).len()).map(|_| NodeRef::new()).collect());
        request_animation_frame(move || {
            scrolled.try_update(|count| *count = count.wrapping_add(1));
        });
        let days = days_of(&talk, &shown);
        chunks(shown.len())
            .into_iter()
            .enumerate()
            .map(|(at, range)| {
                let turns: Vec<(usize, Option<String>)> = range.map(|place| (shown[place], days[place].clone())).collect();
                view! { <Chunk at=at frame=frames.with_value(|frames| frames[at]) turns=turns talk=talk.clone() near=near aim=aim chosen=chosen href=href on_choose=on_choose on_calls=on_calls /> }
            })
            .collect_view()
    };
    view! { <div class="replay" data-replay="">{all}</div> }
}

/// The chunks near what is seen; they lie one under the other. None when the pane is not in front.
fn chunks_near(frames: &[NodeRef<Div>]) -> Option<Range<usize>> {
    let rect = |at: usize| frames[at].get_untracked().map(|element| element.get_bounding_client_rect());
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
    at: usize,
    frame: NodeRef<Div>,
    turns: Vec<(usize, Option<String>)>,
    talk: Arc<Conversation>,
    near: Memo<Range<usize>>,
    aim: RwSignal<Option<usize>>,
    chosen: Memo<Option<usize>>,
    href: Callback<usize, String>,
    on_choose: Callback<usize>,
    on_calls: Callback<usize>,
) -> impl IntoView {
    let height = StoredValue::new(turns.len() as f64 * TURN_HEIGHT);
    let built = Memo::new(move |before: Option<&bool>| {
        let now = aim.get() == Some(at) || near.with(|near| near.contains(&at));
        if before == Some(&true) && !now {
            // Its last height keeps its place.
            if let Some(element) = frame.get_untracked() {
                height.set_value(element.get_bounding_client_rect().height());
            }
        }
        now
    });
    let inside = move || {
        built.get().then(|| {
            turns
                .iter()
                .map(|(position, day)| {
                    let messages = talk.messages(*position).to_vec();
                    let day = day.clone().map(|day| view! { <h2 class="day" data-day="">{day}</h2> });
                    let card = talk.turn(*position).cloned().map(|turn| {
                        let earlier = turn.continues.as_ref().and_then(|of| talk.find(of));
                        let continues = earlier.and_then(|at| Some((at, format!("turn {}", talk.turn(at)?.index?))));
                        view! { <TurnCard position=*position turn=turn messages=messages continues=continues chosen=chosen href=href on_choose=on_choose on_calls=on_calls /> }
                    });
                    view! { {day} {card} }
                })
                .collect_view()
        })
    };
    let spare = move || if built.get() { String::new() } else { format!("{}px", height.get_value()) };
    view! { <div class="replay-chunk" node_ref=frame style:height=spare>{inside}</div> }
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
