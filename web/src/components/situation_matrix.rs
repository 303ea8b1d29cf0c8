//! A table of something against the six situations; each mark is a word and a sign.

use super::glyph::SituationGlyph;
use crate::state::matrix::Row;
use leptos::prelude::*;
use proem_core::opening::kind::OpeningKind;

/// The table.
#[component]
pub fn SituationMatrix(
    /// What the rows are, over the first column.
    title: &'static str,
    /// The rows.
    #[prop(into)]
    rows: Signal<Vec<Row>>,
    /// A row with a line was chosen: its position ([`Row::at`]).
    #[prop(into)]
    on_pick: Callback<usize>,
) -> impl IntoView {
    let column = |kind: OpeningKind| {
        view! {
            <th scope="col" title=kind.label()>
                <SituationGlyph kind=kind />
                <span class="visually-hidden">{kind.label()}</span>
            </th>
        }
    };
    let row = move |row: Row| {
        let head = view! { <code>{row.title}</code>" "<span class="matrix-note">{row.note}{(row.never && !row.note.is_empty()).then_some(", never")}</span> };
        let head = match row.line {
            Some(line) => view! {
                <button type="button" class="matrix-pick" on:click=move |_| on_pick.run(row.at)>
                    <span class="matrix-line"><span class="visually-hidden">"line "</span>{line}</span>
                    <span>{head}</span>
                </button>
            }
            .into_any(),
            None => head.into_any(),
        };
        let mark = |word: &'static str| view! { <td data-mark=word title=word><span class="visually-hidden">{word}</span></td> };
        view! { <tr class:matrix-never=row.never><th scope="row">{head}</th>{row.marks.map(mark).collect_view()}</tr> }
    };
    view! {
        <table class="matrix">
            <thead><tr><th scope="col">{title}</th>{OpeningKind::ALL.map(column).collect_view()}</tr></thead>
            <tbody>{move || rows.get().into_iter().map(row).collect_view()}</tbody>
        </table>
    }
}
