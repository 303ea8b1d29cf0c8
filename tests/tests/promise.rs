//! The promise of the product: a text that passes validation renders with any facts that keep the contract. Templates are drawn from a
//! grammar that holds everything the checker must refuse, facts with nulls and lists of none, one and many.
#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

use proem_core::opening::facts::Facts;
use proem_core::opening::kind::OpeningKind;
use proem_core::opening::shape::contract;
use proem_core::opening::table::{Field, Type, roots};
use proem_core::template::check::check;
use proem_core::template::engine::{Printing, Template};
use proem_core::template::problem::Severity;
use proptest::prelude::*;
use serde_json::{Map, Value};

/// Facts that follow a row of choices, which is read over and over.
struct Choices<'a> {
    row: &'a [u8],
    at: usize,
}

impl Choices<'_> {
    fn next(&mut self, of: usize) -> usize {
        self.at += 1;
        usize::from(self.row[self.at % self.row.len()]) % of
    }

    fn text(&mut self) -> Value {
        ["", "0", "7", "a b", "<x> & {{ y }}", "-3.5", "é🙂\nzwei", "1e400"][self.next(8)].into()
    }

    fn object(&mut self, fields: impl Iterator<Item = &'static Field>, kind: OpeningKind) -> Value {
        Value::Object(fields.map(|field| (field.name().to_owned(), self.field(field, kind))).collect::<Map<_, _>>())
    }

    fn field(&mut self, field: &'static Field, kind: OpeningKind) -> Value {
        let there = field.kinds.include(kind);
        match field.ty {
            Type::ObjectList | Type::TextList if !there => Value::Array(vec![]),
            Type::Integer if field.name() == "contract" => 1.into(),
            Type::Integer if !there => 0.into(),
            _ if !there || (field.nullable && self.next(2) == 0) => Value::Null,
            Type::Kind => kind.as_str().into(),
            Type::Text => self.text(),
            Type::Word(words) => words[self.next(words.len())].into(),
            Type::Integer => [0, 1, 2, 3, u64::from(u32::MAX), u64::MAX][self.next(6)].into(),
            Type::Object => self.object(field.fields(), kind),
            Type::ObjectList => {
                let count = [0, 1, 2, 5][self.next(4)];
                (0..count).map(|_| self.object(field.fields(), kind)).collect()
            }
            Type::TextList => {
                let count = [0, 1, 3][self.next(3)];
                (0..count).map(|_| self.text()).collect()
            }
        }
    }
}

fn facts(kind: OpeningKind, row: &[u8]) -> Facts {
    Facts::from_json(Choices { row, at: 0 }.object(roots(), kind)).unwrap()
}

fn pick(words: &'static [&'static str]) -> impl Strategy<Value = String> + Clone {
    prop::sample::select(words).prop_map(str::to_owned)
}

/// Things that are read.
fn path() -> impl Strategy<Value = String> + Clone {
    pick(&[
        "role.name",
        "role.description",
        "task",
        "task.title",
        "task.description",
        "conversation",
        "conversation.title",
        "conversation.participants",
        "opening.kind",
        "opening.stop_reason",
        "opening.handoff",
        "opening.handoff.from",
        "opening.handoff.note",
        "opening.updates",
        "opening.updates_omitted",
        "opening.messages",
        "opening.messages_omitted",
        "opening.peer",
        "opening.peer.organization_name",
        "opening.origin.title",
        "opening.contract",
        "x",
        "x.text",
        "x.author",
        "x.attachments",
        "x.name",
        "x.kind",
        "y",
        "y",
        "y.author",
        "ns.a",
        "ns.b",
        "ns.c",
        "loop.index",
        "loop.first",
        "loop.previtem",
        "loop.nextitem",
        "loop.length",
        "loop.previtem.text",
        "opening.kidn",
        "t",
    ])
}

fn expr() -> impl Strategy<Value = String> + Clone {
    let leaf = prop_oneof![
        6 => path(),
        2 => pick(&["1", "0", "2", "-1", "3.5", "none", "true", "false", "\"\"", "\"a\"", "\"task-start\"", "[]", "[1, 2]", "{}", "{\"a\": 1}", "\"%s\""]),
    ];
    leaf.prop_recursive(3, 16, 3, |inner| {
        let filter = pick(&[
            "upper", "length", "first", "last", "default('d')", "default('d', true)", "default(none)", "int", "int(0)", "float", "float(0)", "join", "join(', ')",
            "join(', ', 'text')", "sort", "sort(attribute='author')", "sort(attribute='text')", "map(attribute='text')", "map(attribute='author')",
            "map('upper')", "map('length')", "map(attribute='author', default='x')", "selectattr('author')", "rejectattr('author')", "select", "reject", "select('none')",
            "selectattr('text', 'eq', 'a')", "groupby('author')", "groupby('kind')", "unique", "list", "batch(2)", "slice(2)", "slice(0)", "reverse", "min", "max", "sum",
            "sum(attribute='text')", "round", "round(1)", "abs", "string", "tojson", "trim", "replace('a', 'b')", "indent(2)", "indent", "truncate(5)", "wordcount",
            "wordwrap(10)", "split", "split(',')", "split('')", "lines", "items", "dictsort", "title", "capitalize", "escape", "bool", "pprint", "format('x')", "format",
            "attr('text')", "attr('title')", "zip([1])", "chain([1])", "count", "tojson(2)", "safe", "lower", "unique(attribute='author')", "min(attribute='text')",
        ]);
        let test = pick(&[
            "none", "not none", "defined", "string", "mapping", "iterable", "odd", "even", "divisibleby(2)", "divisibleby(0)", "eq('a')", "ne(1)",
            "in(['a'])", "startingwith('a')", "number", "lower", "true", "sequence", "sameas(none)", "gt(1)", "test", "filter",
        ]);
        let operator = pick(&["+", "-", "*", "/", "//", "%", "**", "~", "==", "!=", "<", ">=", "in", "not in", "and", "or"]);
        prop_oneof![
            4 => (inner.clone(), filter).prop_map(|(value, filter)| format!("({value})|{filter}")),
            2 => (inner.clone(), test).prop_map(|(value, test)| format!("({value} is {test})")),
            4 => (inner.clone(), operator, inner.clone()).prop_map(|(a, operator, b)| format!("({a} {operator} {b})")),
            1 => inner.clone().prop_map(|value| format!("(not {value})")),
            1 => inner.clone().prop_map(|value| format!("(-{value})")),
            2 => (inner.clone(), inner.clone(), inner.clone()).prop_map(|(a, b, c)| format!("({a} if {b} else {c})")),
            1 => (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("({a} if {b})")),
            2 => (inner.clone(), pick(&["0", "-1", "2", "'text'", "'a'", "1:2", ":1", "::2", "::-1", "opening.kind", "opening.messages_omitted"]))
                .prop_map(|(value, key)| format!("({value})[{key}]")),
            1 => (inner.clone(), pick(&["text", "title", "author", "a", "grouper", "list", "first"])).prop_map(|(value, name)| format!("({value}).{name}")),
            1 => pick(&["range(3)", "range(2, 5)", "range(opening.messages_omitted)", "range(opening.messages|length)", "dict(a=1)", "m(role.name)",
                "m(role.description)", "m(task)", "m(opening.messages)", "loop.cycle('a', 'b')", "loop.changed(x)", "namespace(a=1)", "now()"]),
            1 => inner.clone().prop_map(|value| format!("range({value})")),
            1 => inner.clone().prop_map(|value| format!("m({value})")),
            1 => prop::collection::vec(inner.clone(), 0..3).prop_map(|items| format!("[{}]", items.join(", "))),
            1 => inner.prop_map(|value| format!("{{'a': {value}}}")),
        ]
    })
}

/// Conditions that rule something out, and some that do not.
fn guard() -> impl Strategy<Value = String> + Clone {
    prop_oneof![
        4 => path(),
        1 => path().prop_map(|path| format!("not {path}")),
        1 => path().prop_map(|path| format!("{path} is not none")),
        1 => path().prop_map(|path| format!("{path}|length > 1")),
        1 => path().prop_map(|path| format!("{path} > 0")),
        2 => (path(), path()).prop_map(|(a, b)| format!("{a} and {b}")),
        1 => (path(), path()).prop_map(|(a, b)| format!("{a} or not {b}")),
        3 => pick(&[
            "opening.kind == 'task-start'", "opening.kind in ['task-start', 'task-resume']", "opening.kind != 'task-start'", "task is none", "y is defined",
            "opening and opening.kind == 'human-conversation-start'", "opening.kind in ['agent-conversation-start', 'agent-conversation-resume']", "not loop.first",
            "not loop.last", "c", "loop.index0",
        ]),
        2 => expr(),
    ]
}

fn parts() -> impl Strategy<Value = Vec<String>> {
    let leaf = prop_oneof![
        1 => pick(&["text ", "\n", "é "]),
        5 => expr().prop_map(|expr| format!("{{{{ {expr} }}}}")),
        4 => path().prop_map(|path| format!("{{{{ {path} }}}}")),
        2 => expr().prop_map(|expr| format!("{{% set y = {expr} %}}")),
        1 => (expr(), path()).prop_map(|(a, b)| format!("{{% set y = {b} or {a} %}}")),
        1 => guard().prop_map(|guard| format!("{{% set c = {guard} %}}")),
        1 => expr().prop_map(|expr| format!("{{% set ns.a = {expr} %}}")),
        1 => pick(&["{% set ns.b = x %}", "{% set ns.a = ns.a + 1 %}", "{% set ns.a = ns.a + ns.a %}", "{% set ns.c = [ns.c] %}", "{% set ns.b = [x] + ns.b %}",
            "{% set a, b = [1, 2] %}", "{% set a, b = opening.messages %}", "{% continue %}", "{% break %}", "{% do loop.changed(1) %}"]),
    ];
    let body = leaf.prop_recursive(3, 24, 4, |inner| {
        let inside = prop::collection::vec(inner, 0..4).prop_map(|parts| parts.concat());
        prop_oneof![
            4 => (guard(), inside.clone()).prop_map(|(guard, body)| format!("{{% if {guard} %}}{body}{{% endif %}}")),
            2 => (guard(), inside.clone(), guard(), inside.clone(), inside.clone())
                .prop_map(|(a, yes, b, or, no)| format!("{{% if {a} %}}{yes}{{% elif {b} %}}{or}{{% else %}}{no}{{% endif %}}")),
            4 => (path(), inside.clone(), inside.clone()).prop_map(|(list, body, none)| format!("{{% for x in {list} %}}{body}{{% else %}}{none}{{% endfor %}}")),
            2 => (expr(), inside.clone()).prop_map(|(list, body)| format!("{{% for x in {list} %}}{body}{{% endfor %}}")),
            1 => (expr(), guard(), inside.clone()).prop_map(|(list, guard, body)| format!("{{% for x in {list} if {guard} %}}{body}{{% endfor %}}")),
            1 => (expr(), inside.clone()).prop_map(|(map, body)| format!("{{% for x, y in {map} %}}{body}{{% endfor %}}")),
            1 => (expr(), inside.clone()).prop_map(|(value, body)| format!("{{% with y = {value} %}}{body}{{% endwith %}}")),
            1 => inside.clone().prop_map(|body| format!("{{% set y %}}{body}{{% endset %}}")),
            1 => inside.clone().prop_map(|body| format!("{{% filter upper %}}{body}{{% endfilter %}}")),
            1 => inside.clone().prop_map(|body| format!("{{% macro m(t, u='z') %}}{body}{{% endmacro %}}")),
            1 => inside.prop_map(|body| format!("{{% call m('a') %}}{body}{{% endcall %}}")),
        ]
    });
    prop::collection::vec(body, 2..10)
}

/// What stands before every template: a namespace and a macro.
const START: &str = "{% set ns = namespace(a=0, b=none) %}{% macro m(t) %}{% if t %}{{ t }}{% if caller %}{{ caller() }}{% endif %}{% endif %}{% endmacro %}";

fn passes(source: &str) -> bool {
    check(source, contract()).iter().all(|problem| problem.severity == Severity::Warning)
}

/// The parts that pass one after the other, as one template.
fn passing(parts: &[String]) -> (String, usize) {
    let mut source = START.to_owned();
    let mut kept = 0;
    for part in parts {
        let longer = format!("{source}{part}");
        if passes(&longer) {
            (source, kept) = (longer, kept + 1);
        }
    }
    (source, kept)
}

fn cases() -> u32 {
    std::env::var("PROEM_PROMISE_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(3_000)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), failure_persistence: None, max_shrink_iters: 4_000, ..ProptestConfig::default() })]

    #[test]
    fn what_passes_the_checker_renders_with_any_facts(
        parts in parts(),
        kind in prop::sample::select(OpeningKind::ALL.to_vec()),
        rows in prop::collection::vec(prop::collection::vec(any::<u8>(), 1..40), 6),
    ) {
        let (source, _) = passing(&parts);
        let template = Template::compile(&source, Printing::Strict).unwrap();
        for row in rows {
            let facts = facts(kind, &row);
            if let Err(problem) = template.render(&facts.context()) {
                let limit = matches!(problem.code.as_str(), "too-much-work" | "output-too-large");
                prop_assert!(limit, "{}\n{}\n{}", source, problem.long(&source, "template"), facts.document());
            }
        }
    }
}

/// How much of what is drawn passes: the property above must not be about refused templates only.
#[test]
fn enough_of_what_is_drawn_passes() {
    use proptest::strategy::ValueTree;
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let kept: usize = (0..100).map(|_| passing(&parts().new_tree(&mut runner).unwrap().current()).1).sum();
    assert!(kept > 60, "only {kept} parts of 100 templates");
}
