//! Templates that mostly compile, with everything that wrapping a condition could be fooled by.

use proptest::prelude::*;

/// Expressions: facts that are there and that are not, loops' variables, calculations, tests, filters, inline `if`s in each other.
fn expression() -> BoxedStrategy<String> {
    let leaf = prop::sample::select(vec![
        "opening",
        "opening.kind",
        "opening.stop_reason",
        "opening.handoff",
        "opening.updates",
        "opening.messages",
        "opening.updates_omitted",
        "task",
        "task.title",
        "task.description",
        "conversation.participants",
        "role.name",
        "role.description",
        "organization",
        "x",
        "x.text",
        "x.kind",
        "loop.index",
        "loop.last",
        "y",
        "1",
        "0",
        "2.5",
        "none",
        "true",
        "'%}'",
        "\"}} {{ x\"",
        "'if'",
        "[]",
        "[1, 2]",
        "{'a': 1}",
        "(1, 'b')",
        "opening['kind']",
        "opening.messages[0]",
        "range(3)",
        "-1",
        "missing",
        "task.if",
        "opening.updates[0].text",
        "m(role)",
    ])
    .prop_map(str::to_owned);
    leaf.prop_recursive(4, 24, 3, |inner| {
        let two = (inner.clone(), inner.clone());
        prop_oneof![
            (two.clone(), prop::sample::select(vec!["==", "!=", "<", ">=", "and", "or", "in", "not in", "~", "+", "*", "//"]))
                .prop_map(|((a, b), op)| format!("{a} {op} {b}")),
            (inner.clone(), inner.clone(), inner.clone()).prop_map(|(a, b, c)| format!("{a} if {b} else {c}")),
            two.clone().prop_map(|(a, b)| format!("({a} if {b})")),
            inner.clone().prop_map(|a| format!("({a})")),
            inner.clone().prop_map(|a| format!("not {a}")),
            (
                inner.clone(),
                prop::sample::select(vec![
                    "length",
                    "upper",
                    "default('d', true)",
                    "list",
                    "string",
                    "first",
                    "items",
                    "tojson",
                    "sort",
                    "reverse"
                ])
            )
                .prop_map(|(a, filter)| format!("{a}|{filter}")),
            (
                inner.clone(),
                prop::sample::select(vec![
                    "defined",
                    "none",
                    "not none",
                    "string",
                    "divisibleby 2",
                    "divisibleby(2)",
                    "in [1]",
                    "mapping"
                ])
            )
                .prop_map(|(a, test)| format!("{a} is {test}")),
            two.clone().prop_map(|(a, b)| format!("[{a}, {b}]")),
            two.clone().prop_map(|(a, b)| format!("{{'k': {a}, 'l': {b}}}")),
            two.prop_map(|(a, b)| format!("{a}|default({b})")),
        ]
    })
    .boxed()
}

/// Delimiters of a tag, with every kind of white space control.
fn tag(inner: impl Strategy<Value = String>) -> impl Strategy<Value = String> {
    (
        inner,
        prop::sample::select(vec!["{%", "{%-", "{%+", "  {%"]),
        prop::sample::select(vec!["%}", "-%}", "+%}", "%}\n", "%}  \n "]),
    )
        .prop_map(|(inner, open, close)| format!("{open} {inner} {close}"))
}

/// A template.
pub(crate) fn template() -> BoxedStrategy<String> {
    let leaf = prop_oneof![
        4 => prop::sample::select(vec!["text ", "\n", "a\n  b\n", "é🙂", "{% raw %}{% if x %}{{ y }}{% endraw %}", "{# {% if a %} #}", "%} }}", " "]).prop_map(str::to_owned),
        4 => expression().prop_map(|e| format!("{{{{ {e} }}}}")),
        1 => expression().prop_map(|e| format!("{{{{- {e} -}}}}")),
        1 => tag(expression().prop_map(|e| format!("set y = {e}"))),
        1 => tag((expression(), expression()).prop_map(|(a, b)| format!("set y = {a}, {b}"))),
    ];
    leaf.prop_recursive(4, 40, 4, |inner| {
        let body = prop::collection::vec(inner, 0..4).prop_map(|pieces| pieces.concat()).boxed();
        let branch = (tag(expression().prop_map(|e| format!("elif {e}"))), body.clone()).prop_map(|(tag, body)| tag + &body);
        let chain = prop::collection::vec(branch, 0..3).prop_map(|branches| branches.concat());
        let or_else = prop_oneof![Just(String::new()), (tag(Just("else".to_owned())), body.clone()).prop_map(|(tag, body)| tag + &body)].boxed();
        let one = |open: BoxedStrategy<String>, end: &str| {
            (tag(open), body.clone(), tag(Just(end.to_owned()))).prop_map(|(open, body, end)| format!("{open}{body}{end}"))
        };
        let control = prop::sample::select(vec!["", "", "", "{% if loop.index > 1 %}{% break %}{% endif %}", "{% if x %}{% continue %}{% endif %}"]);
        let head = prop_oneof![
            expression().prop_map(|e| format!("for x in ({e})|list")),
            Just("for x in opening.updates".to_owned()),
            Just("for x in opening.messages|default([])".to_owned()),
            expression().prop_map(|e| format!("for x in opening.updates if {e}")),
            Just("for x in [[1], [2, [3]]] recursive".to_owned()),
            Just("for x, y in organization|items".to_owned()),
            Just("for (x, y) in [(1, 2), (3, 4)] if x in [1] if y".to_owned()),
        ];
        prop_oneof![
            3 => (tag(expression().prop_map(|e| format!("if {e}"))), body.clone(), chain, or_else.clone(), tag(Just("endif".to_owned())))
                .prop_map(|(open, body, chain, or_else, end)| format!("{open}{body}{chain}{or_else}{end}")),
            3 => (tag(head), body.clone(), control, or_else, tag(Just("endfor".to_owned())))
                .prop_map(|(open, body, control, or_else, end)| format!("{open}{body}{control}{or_else}{end}")),
            1 => one(expression().prop_map(|e| format!("with y = {e}, x = 1 if y else 2")).boxed(), "endwith"),
            1 => one(Just("filter upper".to_owned()).boxed(), "endfilter"),
            1 => one(expression().prop_map(|e| format!("filter default({e})")).boxed(), "endfilter"),
            1 => one(Just("set y".to_owned()).boxed(), "endset"),
            1 => one(expression().prop_map(|e| format!("macro n(x, y=({e}))")).boxed(), "endmacro").prop_map(|m| m + "{{ n(task) }}"),
            1 => one(expression().prop_map(|e| format!("call m({e} if x else y)")).boxed(), "endcall"),
        ]
    })
    .prop_map(|body| format!("{{% macro m(x) %}}{{% if x %}}[{{{{ x.name or x }}}}{{{{ caller() if caller }}}}]{{% endif %}}{{% endmacro %}}{body}"))
    .boxed()
}
