//! Texts at the limits of the guard: the checker ends on a small stack, also in a debug build, and says something of what is too tangled.

use super::facts::contexts;
use proem_core::opening::shape::contract;
use proem_core::template::check::check;
use proem_core::template::engine::{Printing, Template};
use proem_core::template::guard::guard;

fn nested(count: usize, open: &str, inner: &str, close: &str) -> String {
    format!("{}{inner}{}", open.repeat(count), close.repeat(count))
}

fn filled(unit: &str) -> String {
    unit.repeat(65_000 / unit.len())
}

fn numbered(unit: impl Fn(usize) -> String) -> String {
    let mut text = String::new();
    for at in 0.. {
        let next = unit(at);
        if text.len() + next.len() > 65_000 {
            return text;
        }
        text += &next;
    }
    text
}

fn texts() -> Vec<(&'static str, String)> {
    let ifs = |inner: &str| nested(59, "{% if opening.peer %}", inner, "{% endif %}");
    let fors = |inner: &str| nested(59, "{% for x in opening.messages %}", inner, "{% endfor %}");
    let print = |expr: String| format!("{{{{ {expr} }}}}");
    let chain =
        |count: usize| format!("{{% if role.name == 'a' %}}{}{{% endif %}}", "{% elif role.name == 'b' %}x".repeat(count));
    let row = |sign: &str, count: usize| format!("1{}", format!("{sign}1").repeat(count));
    vec![
        ("sums", print(row(" + ", 400))),
        ("filters", print(format!("role.name{}", "|string".repeat(399)))),
        ("nots", print(format!("{}role", "not ".repeat(400)))),
        ("fields", print(format!("role{}", ".a".repeat(400)))),
        ("items", print(format!("x{}", "[0]".repeat(390)))),
        ("known fields", format!("{{% set n = namespace() %}}{{% set n.a = n %}}{}", print(format!("n{}", ".a".repeat(399))))),
        ("tests", print(format!("1{}", " is odd".repeat(400)))),
        ("inline ifs", print(format!("1{}", " if role else 2".repeat(199)))),
        ("inline ifs to the right", print(format!("{}2", "1 if role else ".repeat(199)))),
        ("compared in a row", print(row(" < ", 400))),
        ("ands", format!("{{% if {} %}}x{{% endif %}}", vec!["opening.peer"; 199].join(" and "))),
        ("joined", print(row(" ~ ", 400))),
        ("brackets", print(nested(59, "[", "1", "]"))),
        ("parentheses", print(nested(59, "(", "role.name", ")|upper"))),
        ("maps", print(nested(59, "{'a': ", "1", "}"))),
        ("calls", format!("{{% macro m(a) %}}{{{{ a }}}}{{% endmacro %}}{}", print(nested(59, "m(", "1", ")")))),
        ("ifs", ifs(&print(format!("{}1", "not ".repeat(400))))),
        ("ifs with filters", ifs(&print(format!("role{}", "|string".repeat(400))))),
        ("ifs with brackets", ifs(&print(nested(59, "[", &format!("1{}", "|string".repeat(330)), "]")))),
        ("fors", fors("{{ x.text }}")),
        ("fors with a row", fors(&print(row(" + ", 400)))),
        ("ifs and elifs", ifs(&chain(199))),
        ("elifs", chain(200).repeat(4)),
        ("filter blocks", nested(59, "{% filter upper %}", "x", "{% endfilter %}")),
        ("filters of a block", format!("{{% filter upper{} %}}x{{% endfilter %}}", "|upper".repeat(399))),
        ("nots in a row", format!("{{% if {}role %}}x{{% endif %}}", "not ".repeat(400))),
        ("minuses", print(format!("{}1", "- ".repeat(400)))),
        ("called in a row", format!("{{% macro m() %}}x{{% endmacro %}}{}", print(format!("m{}", "()".repeat(399))))),
        ("methods in a row", print(format!("role{}", ".a()".repeat(199)))),
        ("inline ifs in conditions", print(format!("{}role{}", "1 if ".repeat(60), " else 2".repeat(60)))),
        ("slices of slices", print(format!("{}1{}", "role.name[".repeat(59), "]".repeat(59)))),
        ("withs", nested(59, "{% with a = 1 %}", "{{ a }}", "{% endwith %}")),
        ("sets", nested(59, "{% set a %}", "x", "{% endset %}")),
        ("macros in macros", nested(59, "{% macro m(a) %}", "x", "{% endmacro %}")),
        ("macros that call macros", {
            let macros: String =
                (1..60).map(|at| format!("{{% macro m{at}(a) %}}{{{{ m{}(a) }}}}{{% endmacro %}}", at - 1)).collect();
            format!("{{% macro m0(a) %}}{{{{ a }}}}{{% endmacro %}}{macros}{{{{ m59(1) }}}}")
        }),
        ("macros that call macros inside blocks", {
            let inner = |call: String| nested(50, "{% if opening.peer %}", &call, "{% endif %}");
            let macros: String = (1..20)
                .map(|at| format!("{{% macro m{at}(a) %}}{}{{% endmacro %}}", inner(format!("{{{{ m{}(a) }}}}", at - 1))))
                .collect();
            format!("{{% macro m0(a) %}}{{{{ a }}}}{{% endmacro %}}{macros}{{{{ m19(1) }}}}")
        }),
        ("macros that call twice", {
            let macros: String = (1..20)
                .map(|at| format!("{{% macro m{at}(a) %}}{{{{ m{0}(a) }}}}{{{{ m{0}(1) }}}}{{% endmacro %}}", at - 1))
                .collect();
            format!("{{% macro m0(a) %}}{{{{ a }}}}{{% endmacro %}}{macros}{{{{ m19(1) }}}}")
        }),
        (
            "call blocks",
            format!("{{% macro m() %}}{{{{ caller() }}}}{{% endmacro %}}{}", nested(18, "{% call m() %}", "x", "{% endcall %}")),
        ),
        (
            "call blocks that call twice",
            format!(
                "{{% macro m() %}}{{{{ caller() }}}}{{{{ caller() }}}}{{% endmacro %}}{}",
                nested(18, "{% call m() %}", "x", "{% endcall %}")
            ),
        ),
        ("values", filled("{{ role.name }}")),
        ("faults", filled("{{ role.description }}")),
        ("absent facts", filled("{{ task.title }}")),
        ("unknown names", numbered(|at| format!("{{{{ x{at} }}}}"))),
        ("unknown names, many known", numbered(|at| format!("{{% set y{at}=z{at} %}}"))),
        ("unknown functions, many known", numbered(|at| format!("{{% set y{at}=z{at}() %}}"))),
        ("unknown filters", numbered(|at| format!("{{{{ 1|f{at} }}}}"))),
        ("unknown fields", numbered(|at| format!("{{{{ role.a{at} }}}}"))),
        ("names", numbered(|at| format!("{{% set a{at}=1 %}}"))),
        ("names, read", numbered(|at| if at < 2_000 { format!("{{% set a{at}=1 %}}") } else { "{{ a0 }}".to_owned() })),
        ("names in branches", numbered(|at| format!("{{% if role.name %}}{{% set a{at}=1 %}}{{% endif %}}"))),
        (
            "names, joined again and again",
            format!(
                "{}{}",
                numbered(|at| format!("{{% set a{at}=1 %}}")).split_at(30_000).0.rsplit_once("{%").unwrap().0,
                "{% if role.name %}{% set b=1 %}{% endif %}".repeat(800)
            ),
        ),
        ("a list of many", print(format!("[{}]", vec!["1"; 30_000].join(",")))),
        ("a list of many texts", print(format!("[{}]", numbered(|at| format!("'{at}',"))))),
        ("a map of many", print(format!("{{{}}}", numbered(|at| format!("'{at}':{at},"))))),
        ("in a list of many", format!("{{% if role.name in [{}] %}}x{{% endif %}}", numbered(|at| format!("'{at}',")))),
        ("a list that grows", "{% set l=[] %}".to_owned() + &filled("{% set l=l+[1] %}")),
        ("a list of lists", "{% set l=[1] %}".to_owned() + &filled("{% set l=[l,l] %}")),
        ("a map of maps", "{% set l={'a':1} %}".to_owned() + &filled("{% set l={'a':l,'b':l} %}")),
        ("a namespace", "{% set n=namespace() %}".to_owned() + &numbered(|at| format!("{{% set n.a{at}=1 %}}"))),
        (
            "a namespace that changes",
            "{% set n=namespace(a=1) %}".to_owned() + &filled("{% set n.a=[n.a,n] %}{% if n.a %}{{ n.a }}{% endif %}"),
        ),
        (
            "a namespace that grows slowly",
            "{% set n=namespace() %}".to_owned() + &numbered(|at| format!("{{% set n.a{}=n.a{at} %}}", at + 1)),
        ),
        ("namespaces", numbered(|at| format!("{{% set n{at}=namespace(a=1) %}}{{{{ n{at}.a }}}}"))),
        (
            "facts learnt",
            numbered(|at| format!("{{% set h{at}=[role] %}}{{% if h{at}[0] and h{at} %}}"))
                .split("{% if")
                .take(60)
                .collect::<Vec<_>>()
                .join("{% if")
                + "%}",
        ),
        ("conditions", format!("{{% if {} %}}x{{% endif %}}", vec!["opening.handoff.note"; 130].join(" and ")).repeat(20)),
        (
            "conditions of conditions",
            "{% set c0=role.description %}".to_owned()
                + &numbered(|at| format!("{{% set c{}=c{at} and c{at} %}}{{% if c{} %}}x{{% endif %}}", at + 1, at + 1)),
        ),
        (
            "alternatives",
            numbered(|at| {
                format!("{{% if role.description or task %}}{{% set c={at} %}}{{% else %}}{{% set c='{at}' %}}{{% endif %}}")
            }),
        ),
        (
            "words",
            "{% set c='' %}".to_owned() + &numbered(|at| format!("{{% if role.description %}}{{% set c='{at}' %}}{{% endif %}}")),
        ),
        ("dead branches", filled("{% if false %}{{ x }}{% endif %}")),
        ("chains of kinds", filled("{% if opening.kind=='task-start' %}{% elif opening.kind=='task-resume' %}{% endif %}")),
        ("brackets of many", filled("{{ (role.description)|upper }}")),
        ("loops", filled("{% for x in opening.messages %}{{ x.text }}{% endfor %}")),
        ("loops in loops", nested(5, "{% for x in opening.messages %}", &"{{ x.text }}".repeat(5_000), "{% endfor %}")),
        ("macros", numbered(|at| format!("{{% macro m{at}(a) %}}{{{{ a }}}}{{% endmacro %}}{{{{ m{at}(1) }}}}"))),
        ("one macro", "{% macro m(a) %}{{ a }}{{ a }}{{ a }}{{ a }}{% endmacro %}".to_owned() + &filled("{{ m(1) }}")),
        ("a large macro", format!("{{% macro m(a) %}}{}{{% endmacro %}}{}", "{{ a }}".repeat(4_000), "{{ m(1) }}".repeat(3_000))),
        ("names without end", format!("{{% set {}=1 %}}{{{{ {} }}}}", "a".repeat(30_000), "b".repeat(30_000))),
        ("joins", filled("{% if role.name %}{% set a=opening %}{% else %}{% set a=role %}{% endif %}")),
        ("slices", print(format!("role.name{}", "[:1]".repeat(390)))),
        ("rows of rows", print(format!("[1]{}", "|batch(1)".repeat(195)))),
        ("pairs of pairs", print(format!("[1]{}", "|zip([1])".repeat(100)))),
        ("maps of maps by filter", print(format!("[1]{}", "|map('list')".repeat(190)))),
    ]
}

#[test]
fn a_check_ends_on_a_small_stack() {
    for (name, text) in texts() {
        let text = text.chars().take(65_536).collect::<String>();
        if guard(&text).is_err() {
            continue;
        }
        let run = move || drop(check(&text, contract()));
        let ended = std::thread::Builder::new().stack_size(2 << 20).spawn(run).unwrap().join();
        assert!(ended.is_ok(), "{name}");
    }
}

/// What passes renders: macros, loops and blocks inside each other count as the engine counts them.
#[test]
fn the_recursion_limit_is_the_engines() {
    let (mut passed, mut refused) = (0, 0);
    for macros in 1..24 {
        for loops in 0..4 {
            for withs in 0..3 {
                let inside = |inner: &str| {
                    let inner = nested(withs, "{% with a = 1 %}", inner, "{% endwith %}");
                    nested(loops, "{% for x in [1] %}", &inner, "{% endfor %}")
                };
                let called = |at: usize| inside(&format!("{{{{ m{at}() }}}}"));
                let defined: String =
                    (1..macros).map(|at| format!("{{% macro m{at}() %}}{}{{% endmacro %}}", called(at - 1))).collect();
                let source = format!("{{% macro m0() %}}{}{{% endmacro %}}{defined}{}", inside("x"), called(macros - 1));
                match super::passes(&source) {
                    true => {
                        let rendered = Template::compile(&source, Printing::Strict).unwrap().render(&contexts(0)[0].1);
                        assert!(
                            rendered.is_ok(),
                            "{macros} macros, {loops} loops, {withs} withs: {:?}",
                            rendered.err().map(|problem| problem.message)
                        );
                        passed += 1;
                    }
                    false => {
                        let rendered = Template::compile(&source, Printing::Strict).unwrap().render(&contexts(0)[0].1);
                        assert!(rendered.is_err(), "{macros} macros, {loops} loops, {withs} withs are refused");
                        refused += 1;
                    }
                }
            }
        }
    }
    assert!(passed > 50 && refused > 50, "{passed} {refused}");
}

/// Not a test: how long each takes (`--ignored --nocapture`, in a release build).
#[test]
#[ignore = "a measurement"]
fn how_long_a_check_takes() {
    let mut rows = Vec::new();
    for (name, text) in texts() {
        let refused = guard(&text).err().map(|problem| problem.message);
        let started = std::time::Instant::now();
        let problems = check(&text, contract());
        let codes: std::collections::BTreeSet<&str> = problems.iter().map(|problem| problem.code.as_str()).collect();
        rows.push((started.elapsed(), format!("{name}: {} {refused:?} {codes:?}", problems.len())));
    }
    rows.sort();
    rows.iter().rev().for_each(|(time, row)| println!("{:>8.1} ms  {row}", time.as_secs_f64() * 1_000.0));
}
