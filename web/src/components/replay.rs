//! The conversation of a session, turn by turn. Turns far from what is seen are not built.

use super::turn_card::TurnCard;
use crate::state::conversation::Conversation;
use crate::state::days::{day_begins, local_day};
use crate::state::window::{TURN_HEIGHT, chunk_of, chunks};
use js_sys::{Array, Date, Intl, Object, Reflect};
use leptos::html::Div;
use leptos::prelude::*;
use proem_core::log::parse_stamp;
use std::sync::Arc;
use wasm_bindgen::prelude::*;
use web_sys::{Element, ScrollIntoViewOptions, ScrollLogicalPosition};

/// Turns are built within this distance of what is seen, pixels.
const NEAR: f64 = 1_200.0;

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
    let all = move || {
        let shown = shown.get();
        let days = days_of(&talk, &shown);
        chunks(shown.len())
            .into_iter()
            .enumerate()
            .map(|(at, range)| {
                let turns: Vec<(usize, Option<String>)> = range.map(|place| (shown[place], days[place].clone())).collect();
                view! { <Chunk at=at turns=turns talk=talk.clone() scrolled=scrolled aim=aim chosen=chosen href=href on_choose=on_choose on_calls=on_calls /> }
            })
            .collect_view()
    };
    view! { <div class="replay" data-replay="">{all}</div> }
}

/// Some turns, built while they are near what is seen.
#[component]
fn Chunk(
    at: usize,
    turns: Vec<(usize, Option<String>)>,
    talk: Arc<Conversation>,
    scrolled: RwSignal<u32>,
    aim: RwSignal<Option<usize>>,
    chosen: Memo<Option<usize>>,
    href: Callback<usize, String>,
    on_choose: Callback<usize>,
    on_calls: Callback<usize>,
) -> impl IntoView {
    let frame = NodeRef::<Div>::new();
    let height = StoredValue::new(turns.len() as f64 * TURN_HEIGHT);
    let near = Memo::new(move |before: Option<&bool>| {
        scrolled.track();
        let before = before.copied().unwrap_or(at == 0);
        if aim.get() == Some(at) {
            return true;
        }
        let Some(element) = frame.get() else { return before };
        let seen = window().inner_height().ok().and_then(|height| height.as_f64()).unwrap_or(1_000.0);
        let rect = element.get_bounding_client_rect();
        if before && rect.height() > 0.0 {
            height.set_value(rect.height());
        }
        // A pane that is not in front has no height, and keeps what it has.
        rect.height() == 0.0 && before || rect.height() > 0.0 && rect.top() < seen + NEAR && rect.bottom() > -NEAR
    });
    let inside = move || {
        near.get().then(|| {
            turns
                .iter()
                .map(|(position, day)| {
                    let messages = talk.messages(*position).to_vec();
                    let day = day.clone().map(|day| view! { <h2 class="day" data-day="">{day}</h2> });
                    let card = talk.turn(*position).cloned().map(|turn| {
                        view! { <TurnCard position=*position turn=turn messages=messages chosen=chosen href=href on_choose=on_choose on_calls=on_calls /> }
                    });
                    view! { {day} {card} }
                })
                .collect_view()
        })
    };
    let spare = move || if near.get() { String::new() } else { format!("{}px", height.get_value()) };
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
