//! Faults that users reported of other tools of this kind, each with the right behaviour here, and the tables of the engine notes.
//!
//! | what | where |
//! |---|---|
//! | rows 1 to 35 of the catalogue's part on templates | `rows` |
//! | traps without a report, and the engine notes' rows 41 to 49 | `traps` |
//! | the engine notes' section 3: undefined and null | `undefined` |
//! | the engine notes' section 7.1: how errors are told | `errors` |
//!
//! Rows that need more than a function call have the rest of their tests elsewhere:
//!
//! | row | needs | test |
//! |---|---|---|
//! | 26 | the page, the server and the command line | `e2e/parity.rs`: the same bytes in 24 openings, built-in and tricky skills |
//! | 26 | the server in memory | `api/openings.rs`: `every_sample_is_what_the_core_makes_of_it`, `facts_keep_every_digit` |
//! | 29 | the command line | `skill_files.rs` (`broken-colon`), `server/tests/check_and_render.rs`: `check_tells_every_fault_with_its_place` |
//! | 33 | the server in memory | `quiet.rs`: `row_33_a_half_typed_template_logs_its_request_only` |
//! | 46 | a process that can be killed | `server/tests/engine.rs`: `an_endless_template_is_stopped_and_the_next_one_is_answered` |
//! | 46 | the page | `e2e/hostile.rs`: `each_gets_a_clear_error_and_the_page_goes_on` |
//! | 49 | a process that would abort | `server/tests/check_and_render.rs`: `hostile_templates_end_with_a_clear_error_and_the_rest_is_there` |
//!
//! Rows 17 to 20 and 36 to 38 belong to the editor and to conversion. Numbers that are not there are gaps of the catalogue's own.
#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

mod catalogue {
    mod errors;
    mod look;
    mod rows;
    mod traps;
    mod undefined;
}

#[test]
fn every_row_has_a_test() {
    let here = [include_str!("catalogue/rows.rs"), include_str!("catalogue/traps.rs")].concat();
    for row in [1, 3, 4, 5, 6, 8, 10, 12, 13, 14, 16, 22, 23, 24, 26, 28, 29, 31, 32, 33, 35].into_iter().chain(41..=49) {
        assert_eq!(here.matches(&format!("fn row_{row:02}_")).count(), 1, "row {row}");
    }
}
