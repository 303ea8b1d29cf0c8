//! What undefined and null do, row by row of the engine notes' section 3: what is printed, or the sentence of the error.

use super::look::render;
use serde_json::json;

macro_rules! rows {
    ($($name:ident: $source:expr, $context:tt => $expected:expr;)*) => {
        $(#[test]
        fn $name() {
            let (source, expected): (&str, Result<&str, &str>) = ($source, $expected);
            let told = render(source, &json!($context)).map_err(|problem| problem.message);
            assert_eq!(told.as_deref().map_err(String::as_str), expected);
        })*
    };
}

// The first table: a field that is not there.
rows! {
    printed_fails: "{{ o.miss }}", {"o": {}} => Err("`o.miss` is undefined");
    a_bare_guard_is_false: "{% if o.miss %}x{% endif %}", {"o": {}} => Ok("");
    its_opposite_is_true: "{% if not o.miss %}n{% endif %}", {"o": {}} => Ok("n");
    compared_fails: "{% if o.miss == 'a' %}x{% endif %}", {"o": {}} => Err("`o.miss` is undefined");
    read_further_fails: "{% if o.miss.deep %}x{% endif %}", {"o": {}} => Err("`o.miss` is undefined");
    looped_over_fails: "{% for i in o.miss %}x{% endfor %}", {"o": {}} => Err("`o.miss` is undefined");
    filtered_fails: "{{ o.miss|upper }}", {"o": {}} => Err("`o.miss` is undefined");
    counted_fails: "{{ o.miss|length }}", {"o": {}} => Err("`o.miss` is undefined");
    a_default_replaces_it: "{{ o.miss|default('d') }}", {"o": {}} => Ok("d");
    joined_fails: "{{ 'a' ~ o.miss }}", {"o": {}} => Err("`o.miss` is undefined");
    searched_fails: "{% if 'a' in o.miss %}x{% endif %}", {"o": {}} => Err("`o.miss` is undefined");
    it_is_not_defined: "{{ o.miss is defined }}", {"o": {}} => Ok("false");
}

const DEFINED: &str = "{% if opening is defined and opening.kind == 'task-start' %}y{% else %}n{% endif %}";
const NOT_NONE: &str =
    "{% if opening is defined and opening is not none and opening.kind == 'task-start' %}y{% else %}n{% endif %}";
const SHORT: &str = "{% if opening and opening.kind == 'task-start' %}y{% else %}n{% endif %}";
const MACRO: &str = "{% macro m(a) %}<{{ a }}>{% endmacro %}{{ m() }}";

// The second table.
rows! {
    defined_guards_absence: DEFINED, {} => Ok("n");
    defined_does_not_guard_null: DEFINED, {"opening": null} => Err("`opening.kind` is undefined");
    defined_and_not_none_guards_both: NOT_NONE, {"opening": null} => Ok("n");
    the_short_form_guards_absence: SHORT, {} => Ok("n");
    the_short_form_guards_null: SHORT, {"opening": null} => Ok("n");
    the_short_form_lets_the_kind_pass: SHORT, {"opening": {"kind": "task-start"}} => Ok("y");
    defined_does_not_guard_what_is_above: "{% if o.a.b is defined %}x{% endif %}", {"o": {}} => Err("`o.a` is undefined");
    nor_at_the_root: "{{ x.y.z is defined }}", {} => Err("`x` is undefined");
    nor_does_default: "{{ missing.attr|default('d') }}", {} => Err("`missing` is undefined");
    default_keeps_a_null: "{{ a|default('d') }}", {"a": null} => Ok("");
    default_with_true_does_not: "{{ a|default('d', true) }}", {"a": null} => Ok("d");
    null_loops_as_empty: "{% for x in a %}y{% else %}n{% endfor %}", {"a": null} => Ok("n");
    a_default_list_loops_as_empty: "{% for x in o.miss|default([]) %}y{% else %}n{% endfor %}", {"o": {}} => Ok("n");
    an_index_past_the_end: "{{ xs[9] }}", {"xs": [1]} => Err("`xs[9]` is undefined");
    the_first_of_nothing: "{{ xs|first }}", {"xs": []} => Err("`xs|first` is undefined");
    an_argument_that_is_not_given: MACRO, {} => Err("`a` is undefined");
    an_inline_if_without_else: "{{ x if y }}", {"y": false} => Ok("");
    null_sorts_below_numbers: "{{ a < 1 }}", {"a": null} => Ok("true");
    a_set_block_fails_though_never_printed: "{% set x %}a{{ o.miss }}{% endset %}", {"o": {}} => Err("`o.miss` is undefined");
    unknown_names_of_a_branch_that_does_not_run: "{% if false %}{{ x|uper }}{{ now() }}{{ x is evn }}{% endif %}fine", {} => Ok("fine");
}

// The third table, which compares engines: what ours does.
rows! {
    the_kind_compared_without_a_guard: "{% if opening.kind == 'task-start' %}y{% endif %}", {} => Err("`opening` is undefined");
    a_bare_guard_on_a_field: "{% if opening.note %}y{% else %}n{% endif %}", {"opening": {}} => Ok("n");
    a_null_field_prints_nothing: "<{{ o.a }}>", {"o": {"a": null}} => Ok("<>");
    true_prints_in_lower_case: "{{ o.a }}", {"o": {"a": true}} => Ok("true");
    an_unknown_filter_fails_in_a_render: "{{ 'a'|uper }}", {} => Err("there is no filter `uper`");
    the_last_line_end_is_kept: "a\n\n", {} => Ok("a\n\n");
    a_tag_alone_on_its_line_takes_the_line: "a\n  {% if true %}\nb\n  {% endif %}\nc\n", {} => Ok("a\nb\nc\n");
}

/// What a save says where a render finds nothing: the misspelt name in a bare guard, and names in branches that never run.
#[test]
fn what_a_render_does_not_see_a_save_does() {
    let code = |source: &str| super::look::errors(source).into_iter().map(|problem| problem.code).collect::<Vec<_>>();
    assert_eq!(code("{% if task.titel %}x{% endif %}"), ["unknown-field"]);
    assert_eq!(
        code("{% if false %}{{ role.name|uper }}{{ now() }}{{ role.name is evn }}{% endif %}fine"),
        ["unknown-filter", "unknown-function", "unknown-test"]
    );
}
