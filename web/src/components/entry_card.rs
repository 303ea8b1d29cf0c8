//! One entry of a preface as it is written: its fields, what is to be remarked about it, and what became of it in the text.

use super::icon::{Icon, IconName};
use super::place_row::code_words;
use super::trust_mark::TrustMark;
use crate::state::age::age;
use crate::state::entries::Field;
use crate::state::wording::counted;
use js_sys::Date;
use leptos::ev::KeyboardEvent;
use leptos::prelude::*;
use proem_core::context::preface::{Entry, Trust};

/// Changes that are shown one by one.
const CHANGES_SHOWN: usize = 6;

/// What became of an entry in the text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EntryNotes {
    /// How far its source is trusted.
    pub trust: Option<Trust>,
    /// Sentences.
    pub remarks: Vec<String>,
    /// What was made harmless: before and after.
    pub harmless: Vec<(String, String)>,
    /// Attributes whose characters were exchanged.
    pub escaped: Vec<String>,
}

/// What is done with an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryMove {
    /// One place up.
    Up,
    /// One place down.
    Down,
    /// Away.
    Remove,
}

/// The card.
#[component]
pub fn EntryCard(
    /// Its number.
    key: u32,
    /// Its place from 0, and how many there are.
    #[prop(into)]
    place: Signal<(usize, usize)>,
    /// As it is.
    #[prop(into)]
    entry: Signal<Entry>,
    /// What became of it.
    #[prop(into)]
    notes: Signal<EntryNotes>,
    /// A field was changed.
    on_change: Callback<(Field, String)>,
    /// It is to be moved or taken away.
    on_move: Callback<EntryMove>,
) -> impl IntoView {
    let id = move |field: &str| format!("entry-{key}-{field}");
    let keys = move |event: KeyboardEvent| {
        let wanted = match event.key().as_str() {
            "ArrowUp" => EntryMove::Up,
            "ArrowDown" => EntryMove::Down,
            _ => return,
        };
        if event.alt_key() && !event.ctrl_key() && !event.meta_key() {
            event.prevent_default();
            on_move.run(wanted);
        }
    };
    let text =
        move |field: Field, name: &'static str, words: &'static str, list: Option<&'static str>, value: fn(&Entry) -> String| {
            view! {
                <div class="field">
                    <label for=id(name)>{words}</label>
                    <input
                        id=id(name)
                        class="input input-code"
                        name=name
                        type="text"
                        autocomplete="off"
                        spellcheck="false"
                        list=list
                        prop:value=move || entry.with(value)
                        on:input:target=move |event| on_change.run((field, event.target().value()))
                    />
                </div>
            }
        };
    let now = move |_| on_change.run((Field::FetchedAt, Date::new_0().to_iso_string().into()));
    let fetched = move || {
        let stamp = entry.with(|entry| entry.fetched_at.clone());
        stamp.map_or_else(|| "left out of the tag".to_owned(), |stamp| age(&stamp, Date::now()).words())
    };
    let button = move |wanted: EntryMove, words: &'static str, icon: IconName, is_off: Signal<bool>| {
        let label = move || format!("{words} entry {}", place.get().0 + 1);
        view! {
            <button type="button" class="button button-quiet button-glyph" data-move=words aria-label=label aria-disabled=move || is_off.get().to_string() on:click=move |_| on_move.run(wanted)>
                <Icon name=icon />
            </button>
        }
    };
    let is_first = Signal::derive(move || place.get().0 == 0);
    let is_last = Signal::derive(move || place.get().0 + 1 == place.get().1);
    view! {
        <li class="entry" data-entry=key on:keydown=keys>
            <div class="entry-head">
                <h3>"Entry " {move || place.get().0 + 1}</h3>
                {move || notes.with(|notes| notes.trust).map(|trust| view! { <TrustMark trust=trust /> })}
                <span class="entry-buttons">
                    {button(EntryMove::Up, "Move up", IconName::Up, is_first)}
                    {button(EntryMove::Down, "Move down", IconName::Down, is_last)}
                    {button(EntryMove::Remove, "Remove", IconName::Close, Signal::stored(false))}
                </span>
            </div>
            <div class="entry-fields">
                {text(Field::Source, "source", "Source", Some("preface-sources"), |entry| entry.source.clone())}
                {text(Field::Origin, "origin", "Origin", None, |entry| entry.origin.clone())}
                <div class="field entry-fetched">
                    <label for=id("fetched")>"Fetched at"</label>
                    <span class="entry-now">
                        <input
                            id=id("fetched")
                            class="input input-code"
                            name="fetched_at"
                            type="text"
                            autocomplete="off"
                            spellcheck="false"
                            aria-describedby=id("age")
                            prop:value=move || entry.with(|entry| entry.fetched_at.clone().unwrap_or_default())
                            on:input:target=move |event| on_change.run((Field::FetchedAt, event.target().value()))
                        />
                        <button type="button" class="button" data-now="" on:click=now>"Now"</button>
                    </span>
                    <span id=id("age") class="field-hint" data-age="">{fetched}</span>
                </div>
                <div class="field entry-body">
                    <label for=id("body")>"Body"</label>
                    <textarea
                        id=id("body")
                        class="input input-code"
                        name="body"
                        rows="3"
                        spellcheck="false"
                        dir="auto"
                        prop:value=move || entry.with(|entry| entry.body.clone())
                        on:input:target=move |event| on_change.run((Field::Body, event.target().value()))
                    ></textarea>
                </div>
            </div>
            {move || notes.with(notes_view)}
        </li>
    }
}

fn notes_view(notes: &EntryNotes) -> impl IntoView + use<> {
    let EntryNotes { remarks, harmless, escaped, .. } = notes.clone();
    let more = harmless.len().saturating_sub(CHANGES_SHOWN) as u64;
    let change = |(before, after): (String, String)| {
        view! { <li><code class="foreign">{before}</code> <span aria-label="became">" → "</span> <code class="foreign">{after}</code></li> }
    };
    let has_changes = !harmless.is_empty();
    view! {
        {(!remarks.is_empty())
            .then(|| view! { <ul class="entry-remarks">{remarks.into_iter().map(|remark| view! { <li class="warn-text" data-remark=""><Icon name=IconName::Warning /><span>{code_words(remark)}</span></li> }).collect_view()}</ul> })}
        {has_changes
            .then(|| {
                view! {
                    <div class="entry-changes" data-harmless="">
                        <p class="quiet">"Made harmless in its body:"</p>
                        <ul>{harmless.into_iter().take(CHANGES_SHOWN).map(change).collect_view()}</ul>
                        {(more > 0).then(|| view! { <p class="quiet">"and " {counted(more, "place")} " more"</p> })}
                    </div>
                }
            })}
        {(!escaped.is_empty()).then(|| view! { <p class="quiet" data-escaped="">"Written with other characters: " {escaped.join(", ")}</p> })}
    }
}
