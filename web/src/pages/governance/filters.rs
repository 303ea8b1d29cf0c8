//! The filters of the ledger. What they say is the address, so that each state of the list is a link.

use crate::components::{Icon, IconName, field_of_moment, moment_of_field};
use crate::navigate::use_navigation;
use crate::page::Page;
use crate::state::decisions::decision_word;
use crate::state::filters::{self, HOOKS, has_more, with, with_decision};
use crate::state::wording::counted;
use leptos::prelude::*;
use proem_core::api::governance::{LedgerPage, LedgerQuery};
use proem_core::ledger::Decision;

/// Whole namespaces of callers, and what they are called.
const NAMESPACES: [(&str, &str); 3] =
    [("plugin:", "Every plugin"), ("mcp:", "Every MCP client"), ("core:", "Every workflow of the core")];

/// All filters.
#[component]
pub fn Filters(
    /// What is asked for.
    query: Signal<LedgerQuery>,
    /// The page on screen, which knows what can be chosen.
    page: Memo<Option<LedgerPage>>,
) -> impl IntoView {
    let navigation = use_navigation();
    let go = Callback::new(move |query: LedgerQuery| navigation.go(&Page::Governance(Box::new(query))));
    let decision = move |decision: Decision| {
        let name = decision.as_str().to_owned();
        let (own, key) = (name.clone(), name.clone());
        let is_wanted = move || query.with(|query| query.decision.contains(&own));
        view! {
            <label class="check">
                <input
                    type="checkbox"
                    data-decision-filter=key
                    prop:checked=is_wanted
                    on:change:target=move |event| go.run(query.with_untracked(|query| with_decision(query, &name, event.target().checked())))
                />
                {decision_word(&decision).to_owned()}
            </label>
        }
    };
    let known = move |of: fn(&LedgerPage) -> &Vec<String>| {
        move || page.with(|page| page.as_ref().map(|page| plain(of(page))).unwrap_or_default())
    };
    let callers = move || {
        let namespaces = NAMESPACES.iter().filter(|(namespace, _)| {
            page.with(|page| page.as_ref().is_some_and(|page| page.callers.iter().any(|caller| caller.starts_with(namespace))))
        });
        let mut all: Vec<(String, String)> =
            namespaces.map(|(value, words)| ((*value).to_owned(), (*words).to_owned())).collect();
        all.extend(known(|page| &page.callers)());
        all
    };
    let set = move || query.with(filters::count) as u64;
    view! {
        <form class="filters" on:submit=move |event: leptos::ev::SubmitEvent| event.prevent_default()>
            <div class="filters-first">
                <label class="filter">
                    <Icon name=IconName::Search />
                    <span class="visually-hidden">"Part of the reason"</span>
                    <input
                        type="search"
                        class="input"
                        data-filter=""
                        autocomplete="off"
                        placeholder="Part of the reason"
                        prop:value=move || query.with(|query| query.q.clone().unwrap_or_default())
                        on:change:target=move |event| go.run(query.with_untracked(|query| with(query, "q", &event.target().value())))
                    />
                    <kbd aria-hidden="true">"/"</kbd>
                </label>
                <fieldset class="filters-decisions">
                    <legend class="visually-hidden">"Decisions"</legend>
                    {Decision::ALL.map(decision).collect_view()}
                </fieldset>
            </div>
            <details class="filters-more" prop:open=query.with_untracked(has_more)>
                <summary>"By check, hook, handler, caller, session, turn or time"</summary>
                <div class="filters-fields">
                    <Choice words="Check" name="plugin" query=query go=go known=Signal::derive(known(|page| &page.plugins)) />
                    <Choice words="Hook" name="hook" query=query go=go known=Signal::derive(|| plain(&HOOKS.map(str::to_owned))) />
                    <Choice words="Handler" name="handler" query=query go=go known=Signal::derive(known(|page| &page.handlers)) />
                    <Choice words="Caller" name="caller" query=query go=go known=Signal::derive(callers) />
                    <Text words="Session" name="session" query=query go=go />
                    <Text words="Turn" name="turn" query=query go=go />
                    <Text words="From" name="from" query=query go=go is_time=true />
                    <Text words="Before" name="to" query=query go=go is_time=true />
                </div>
            </details>
            {move || (set() > 0).then(|| view! {
                <p class="filters-set numbers">
                    {counted(set(), "filter")} " set "
                    <a data-clear-filters="" href=Page::Governance(Box::default()).to_url()>"Clear"</a>
                </p>
            })}
        </form>
    }
}

/// Values that are shown as they are.
fn plain(values: &[String]) -> Vec<(String, String)> {
    values.iter().map(|value| (value.clone(), value.clone())).collect()
}

fn value_of(query: &LedgerQuery, name: &str) -> String {
    // The one list of fields hands them out to be changed.
    filters::field(&mut query.clone(), name).and_then(Option::take).unwrap_or_default()
}

/// One of what is known.
#[component]
fn Choice(
    words: &'static str,
    name: &'static str,
    query: Signal<LedgerQuery>,
    go: Callback<LedgerQuery>,
    known: Signal<Vec<(String, String)>>,
) -> impl IntoView {
    let chosen = Memo::new(move |_| query.with(|query| value_of(query, name)));
    // What a link asks for is among the choices, whether it is known or not.
    let options = Memo::new(move |_| {
        let mut options = vec![(String::new(), "Any".to_owned())];
        options.extend(known.get());
        let chosen = chosen.get();
        if !options.iter().any(|(value, _)| *value == chosen) {
            options.push((chosen.clone(), chosen));
        }
        options
    });
    let option = move |(value, words): (String, String)| {
        let own = value.clone();
        view! { <option value=value prop:selected=move || chosen.with(|chosen| *chosen == own)>{words}</option> }
    };
    view! {
        <label class="field">
            <span class="field-label">{words}</span>
            <select
                class="input"
                name=name
                on:change:target=move |event| go.run(query.with_untracked(|query| with(query, name, &event.target().value())))
            >
                {move || options.get().into_iter().map(option).collect_view()}
            </select>
        </label>
    }
}

/// What is typed: taken over when the field is left, or with Enter.
#[component]
fn Text(
    words: &'static str,
    name: &'static str,
    query: Signal<LedgerQuery>,
    go: Callback<LedgerQuery>,
    /// A moment, in the reader's zone.
    #[prop(optional)]
    is_time: bool,
) -> impl IntoView {
    let shown = move || {
        let value = query.with(|query| value_of(query, name));
        if is_time { field_of_moment(&value) } else { value }
    };
    let take = move |typed: String| {
        let value = if is_time { moment_of_field(&typed) } else { typed };
        go.run(query.with_untracked(|query| with(query, name, &value)));
    };
    view! {
        <label class="field">
            <span class="field-label">{words}</span>
            <input
                class="input"
                name=name
                type=if is_time { "datetime-local" } else { "text" }
                autocomplete="off"
                spellcheck="false"
                prop:value=shown
                on:change:target=move |event| take(event.target().value())
            />
        </label>
    }
}
