//! How errors are told, row by row of the engine notes' section 7.1: the code, the text that is underlined, the sentence, the suggestion.

use super::look::{fails, parts};
use serde_json::json;

macro_rules! rows {
    ($($name:ident: $source:expr => $code:expr, $marked:expr, $message:expr, $suggestion:expr;)*) => {
        $(#[test]
        fn $name() {
            let context = json!({"opening": {"kind": "task-start"}, "o": {"my": 1}, "a": "x", "b": true});
            let problem = fails($source, context);
            assert_eq!(parts($source, &problem), ($code, $marked, $message, $suggestion));
        })*
    };
}

const JINJA: &str = "this looks like Handlebars; skills are written in Jinja";
const WRITE: &str = "write {% if x %}…{% endif %} for {{#if x}}, and {{ x }} for {{{x}}}";
const CLOSE: &str = "remove it, or close the block that is open with its own end";

rows! {
    a_field: "Hi {{ opening.kidn }}" => "undefined", "opening.kidn", "`opening.kidn` is undefined", "";
    three_names: "{% if opening.task.id %}x{% endif %}" => "undefined", "opening.task", "`opening.task` is undefined", "";
    compared: "{% if opening.kidn == 'x' %}x{% endif %}" => "undefined", "opening.kidn", "`opening.kidn` is undefined", "";
    an_unknown_filter: "{{ a|uper }}" => "unknown-filter", "uper", "there is no filter `uper`", "";
    an_unknown_function: "{{ now() }}" => "unknown-function", "now()", "there is no function `now`", "";
    a_dash: "{{ o.my-var }}" => "invalid-operation", "o.my-var",
        "tried to use - operator on unsupported types number and undefined (`var` is undefined)", "";
    a_number: "{{ 10_ }}" => "syntax", " ", "'_' may not occur at end of number", "";
    an_open_if: "{% if a %}\nrest" => "unclosed", "{% if", "this `if` is never closed", "add {% endif %}";
    an_open_loop_inside_another: "{% for x in a %}{% for y in a %}{% endfor %}" => "unclosed", "{% for", "this `for` is never closed",
        "add {% endfor %}";
    an_open_value: "{{ a" => "unclosed", "{{", "this `{{` is never closed", "add `}}`";
    an_open_value_before_another: "{{ a\n{{ b }}" => "unclosed", "{{", "this `{{` is not closed before the next tag begins", "add `}}`";
    an_open_tag_before_another: "x {% set y = a\n{{ b }}" => "unclosed", "{%", "this `{%` is not closed before the next tag begins",
        "add `%}`";
    braces_inside_a_tag: "{{ b }}{% if {{ a }} == 1 %}x{% endif %}" => "syntax", "{{", "braces cannot stand inside a tag",
        "write the name alone, without braces";
    a_map_without_values: "{{ b }}{{ {a} }}" => "syntax", "}", "unexpected `}`, expected `:`", "";
    an_open_comment: "text {# .row }" => "unclosed", "{#", "this `{#` is never closed", "add `#}`";
    handlebars_if: "{{#if a}}x{{/if}}" => "handlebars", "{{#", JINJA, WRITE;
    handlebars_comment: "{{!-- c --}}" => "handlebars", "{{!", JINJA, WRITE;
    handlebars_triple: "{{{ a }}}" => "handlebars", "{{{ a }", JINJA, WRITE;
    typographic_quotes: "{{ “a” }}" => "syntax", "“", "typographic quotes do not begin a text", "write plain quotes: \"…\"";
    a_no_break_space: "{{ a\u{a0}}}" => "syntax", "\u{a0}", "this is a no-break space (U+00A0)", "write an ordinary space";
    inside_a_character: "^{{Ω}rel }" => "syntax", "Ω", "unexpected character", "";
    nothing_printed: "{{}}" => "syntax", "}}", "unexpected end of variable block", "";
    nothing_printed_with_a_blank: "{{ }}" => "syntax", "}}", "unexpected end of variable block", "";
    no_statement: "{%%}" => "syntax", "%}", "unknown end of block, expected statement", "";
    no_statement_with_a_blank: "{% %}" => "syntax", "%}", "unknown end of block, expected statement", "";
    else_if: "{% if a %}{% else if b %}{% endif %}" => "syntax", "if", "`else if` is not Jinja", "write {% elif … %}";
    and_in_signs: "{% if a && b %}{% endif %}" => "syntax", "&", "`&&` is not Jinja", "write `and`";
    or_in_signs: "{% if a || b %}{% endif %}" => "syntax", "|", "`||` is not Jinja", "write `or`";
    one_equals: "{% if a = 'x' %}{% endif %}" => "syntax", "=", "`=` does not compare", "write `==`";
    three_equals: "{% if a === 'x' %}{% endif %}" => "syntax", "=", "`===` is not Jinja", "write `==`";
    equals_as_a_word: "{% if a eq 'x' %}{% endif %}" => "syntax", "eq", "`eq` is not an operator", "write `==`";
    unless: "{% unless a %}{% endunless %}" => "syntax", "unless", "`unless` is not Jinja", "write {% if not … %}";
    an_end_too_many: "{% endif %}" => "syntax", "endif", "`endif` closes nothing here", CLOSE;
    another_blocks_end: "{% for x in a %}{% endif %}" => "syntax", "endif", "`endif` closes nothing here", CLOSE;
}

#[test]
fn closers_alone_are_text() {
    assert_eq!(super::look::prints("}} %} #}", json!({})), "}} %} #}");
}

/// Positions are said in bytes, in lines and columns of characters, and in the editor's units.
#[test]
fn every_reader_counts_in_its_own_units() {
    let source = "é世界 {{ a }}\n🙂{{ missing }}";
    let problem = fails(source, json!({"a": 1}));
    assert_eq!((problem.range, problem.utf16), ((24, 31), (17, 24)));
    assert_eq!((problem.line, problem.column), (2, 5));
}
