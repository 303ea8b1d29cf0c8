//! Traps that nobody reported, and the inputs of the engine notes' section 12 (`row_41` and on).

use super::look::{document, error, errors, fails, marked, parts, prints, said, skill};
use proem_core::opening::compose::compose;
use proem_core::opening::facts::Facts;
use proem_core::opening::shape::contract;
use proem_core::template::check::check;
use proem_core::template::guard::{SOURCE_LIMIT, guard};
use proem_core::template::normalize;
use serde_json::json;

#[test]
fn row_41_debug_shows_nothing() {
    for source in ["{{ debug() }}", "{% if true %}{{ debug(1) }}{% endif %}", "{{ debug }}"] {
        let problem = fails(source, json!({"secret": "hidden"}));
        assert!(["unknown-function", "undefined"].contains(&problem.code.as_str()), "{problem:?}");
        assert!(!problem.message.contains("hidden"), "{problem:?}");
        assert_eq!(errors(source).len(), 1, "{source}");
    }
    assert_eq!(error("{% if false %}{{ debug() }}{% endif %}").code, "unknown-function");
}

#[test]
fn row_42_json_is_left_as_it_is() {
    let value = json!({"x": "<a href='b'>&amp;</a> é \" \\"});
    assert_eq!(prints("{{ x|tojson }}", value.clone()), r#""<a href='b'>&amp;</a> é \" \\""#);
    assert_eq!(prints("{{ [x] }}", value), r#"["<a href='b'>&amp;</a> é \" \\"]"#);
}

#[test]
fn row_43_a_set_in_a_loop_ends_with_the_round() {
    let source = "{% for i in [1,2] %}{% if not seen is defined %}new{% endif %}{% set seen = 1 %};{% endfor %}";
    assert_eq!(prints(source, json!({})), "new;new;");
    assert_eq!(errors(source), []);
    assert_eq!(prints("{% if true %}{% set seen = 1 %}{% endif %}{{ seen }}", json!({})), "1");
}

#[test]
fn row_44_a_byte_order_mark_goes_on_save() {
    assert_eq!(normalize("\u{feff}{% if x %}"), "{% if x %}");
    assert_eq!(normalize("\u{feff}"), "");
    // One inside is text of the author's, and is pointed out.
    assert_eq!(normalize("a\u{feff}"), "a\u{feff}");
    assert!(said("a\u{feff}").iter().any(|problem| problem.code == "invisible"));
}

#[test]
fn row_45_nul_is_for_values_only() {
    assert_eq!(prints("<{{ x }}>", json!({"x": "a\0b"})), "<a\0b>");
    let mut facts = document("task-start/empty");
    facts["role"]["name"] = "a\0b".into();
    let facts = Facts::parse(&facts.to_string()).unwrap();
    assert_eq!(compose(&facts, &[skill("a", "{{ role.name }}")]).text, "## a\n\na\0b\n");
    let problem = error("é\n{{ \"a\0\" }}");
    assert_eq!((problem.code.as_str(), problem.line, problem.column, problem.range), ("nul", 2, 6, (8, 9)));
}

/// The render that never ends is stopped by the clock, which needs a process or a page. The checker, which runs on every keystroke, ends and
/// finds nothing: time is no fault of the text's that it could see.
#[test]
fn row_46_the_checker_ends_where_a_render_would_not() {
    for rounds in [24, 60, 99_999] {
        let source = format!(
            "{{% set ns = namespace(a=[1]) %}}{{% for i in range({rounds}) %}}{{% set ns.a = ns.a + ns.a %}}{{% endfor %}}{{{{ ns.a|length }}}}"
        );
        assert_eq!(check(&source, contract()), [], "{rounds}");
    }
}

#[test]
fn row_47_each_limit_takes_its_value_and_refuses_the_next() {
    let operators = |count: usize| format!("{{{{ 1{} }}}}", "+1".repeat(count));
    let elifs = |count: usize| format!("{{% if true %}}{}{{% endif %}}", "{% elif true %}".repeat(count));
    let blocks = |count: usize| "{% if true %}".repeat(count) + &"{% endif %}".repeat(count);
    let brackets = |count: usize| format!("{{{{ {}1{} }}}}", "[".repeat(count), "]".repeat(count));
    for (taken, refused, code) in [
        ("x".repeat(SOURCE_LIMIT), "x".repeat(SOURCE_LIMIT + 1), "too-large"),
        (operators(400), operators(401), "too-many-operators"),
        (elifs(200), elifs(201), "too-many-elif"),
        (elifs(200).repeat(5), elifs(200).repeat(5) + &elifs(1), "too-many-elif"),
        (blocks(60), blocks(61), "too-deep"),
        (brackets(60), brackets(61), "too-deep"),
    ] {
        assert_eq!(guard(&taken), Ok(()), "{code}");
        assert_eq!(guard(&refused).unwrap_err().code, code);
        // What the guard takes neither the parser nor the checker overflows over.
        assert!(check(&taken, contract()).iter().all(|problem| problem.code != code));
    }
    assert_eq!(SOURCE_LIMIT, 65_536);
}

#[test]
fn row_48_lines_are_counted_by_us() {
    let far = "\n".repeat(65_500) + "{{ x.y }}";
    let problem = fails(&far, json!({"x": {}}));
    assert_eq!((problem.line, problem.column, marked(&far, &problem)), (65_501, 4, "x.y"));
    let problem = error(&far);
    assert_eq!((problem.line, problem.column, marked(&far, &problem)), (65_501, 4, "x"));
    // 70,000 lines are more than a template may have; the place is the first byte too many.
    let problem = error(&("\n".repeat(70_000) + "{{ x.y }}"));
    assert_eq!((problem.code.as_str(), problem.line, problem.range.0), ("too-large", 65_537, 65_536));
}

/// On a stack as the hosts have it.
#[test]
fn row_49_deep_values_are_told_not_printed() {
    let source = "{% set x=[x] %}".repeat(4_000) + "{{ x }}";
    let run = move || {
        assert_eq!(fails(&source, json!({"x": 1})).code, "value-too-deep");
        assert!(!errors(&source).is_empty());
    };
    std::thread::Builder::new().stack_size(proem::engine::STACK_BYTES).spawn(run).unwrap().join().unwrap();
}

#[test]
fn the_last_line_end_and_the_order_of_maps_stay() {
    assert_eq!(prints("a\n", json!({})), "a\n");
    assert_eq!(prints("{{ {'b': 1, 'a': 2, 'c': 3} }}", json!({})), r#"{"b": 1, "a": 2, "c": 3}"#);
    assert_eq!(prints("{{ x }}{% for k in x %}{{ k }}{% endfor %}", json!({"x": {"b": 1, "a": 2}})), r#"{"b": 1, "a": 2}ba"#);
    let facts = Facts::from_json(document("task-start/empty")).unwrap();
    let text = compose(&facts, &[skill("a", "{% for key in role %}{{ key }} {% endfor %}")]).text;
    assert_eq!(text.trim_start_matches("## a\n\n"), "id name description \n");
}

#[test]
fn what_is_not_jinja_is_told_in_jinjas_words() {
    for (source, code, mark, suggestion) in [
        ("a\n{% if task %}\nb\n", "unclosed", "{% if", "add {% endif %}"),
        ("{% if task %}a{% else if opening %}b{% endif %}", "syntax", "if", "write {% elif … %}"),
        ("{% if task && opening %}a{% endif %}", "syntax", "&", "write `and`"),
        ("{{#if task}}a{{/if}}", "handlebars", "{{#", "write {% if x %}…{% endif %} for {{#if x}}, and {{ x }} for {{{x}}}"),
    ] {
        let problem = error(source);
        let (told, underlined, _, advice) = parts(source, &problem);
        assert_eq!((told, underlined, advice), (code, mark, suggestion), "{source}");
    }
}
