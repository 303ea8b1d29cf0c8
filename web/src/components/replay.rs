//! The conversation of a session, turn by turn. Turns far from what is seen are not built.

use super::frames::{Frame, Frames};
use super::turn_card::TurnCard;
use crate::state::conversation::Conversation;
use crate::state::days::{day_begins, local_day};
use crate::state::said::Heard;
use js_sys::{Array, Date, Intl, Object, Reflect};
use leptos::prelude::*;
use proem_core::log::parse_stamp;
use std::sync::Arc;
use wasm_bindgen::prelude::*;

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
    let frames = Frames::new(shown, "turn", near, Callback::new(move |position| said.run(position) == Heard::Waiting));
    // The chosen turn is brought on screen; one that was clicked is there already.
    Effect::new(move |before: Option<Option<usize>>| {
        let now = chosen.get();
        if before != Some(now) && (before.is_some() || now != shown.with_untracked(|shown| shown.first().copied())) {
            frames.bring(now);
        }
        now
    });
    let all = move || {
        let shown = shown.get();
        let days = days_of(&talk, &shown);
        frames
            .cut(shown.len())
            .into_iter()
            .map(|(frame, range)| {
                let turns: Vec<(usize, Option<String>)> = range.map(|place| (shown[place], days[place].clone())).collect();
                view! { <Chunk frame=frame turns=turns talk=talk.clone() said=said on_again=on_again chosen=chosen href=href on_choose=on_choose on_calls=on_calls /> }
            })
            .collect_view()
    };
    view! { <div class="replay" data-replay="" on:wheel=move |_| frames.let_go() on:touchmove=move |_| frames.let_go()>{all}</div> }
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
