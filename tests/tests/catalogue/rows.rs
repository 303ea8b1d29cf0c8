//! Faults that users reported of other tools, a test a row. The numbers are the catalogue's; where a name stands outside the contract the
//! engine is asked with a plain context.

use super::look::{document, error, errors, fails, marked, prints, said, skill};
use proem_core::opening::builtin::BUILTINS;
use proem_core::opening::complete::complete;
use proem_core::opening::compose::{PartSource, PartText, compose};
use proem_core::opening::facts::Facts;
use proem_core::opening::kind::OpeningKind;
use proem_core::opening::reads::{Use, reads, trace};
use proem_core::opening::sample::{Sample, Variant};
use proem_core::opening::shape::contract;
use proem_core::opening::table::{FIELDS, Type};
use proem_core::opening::validate::validate;
use proem_core::skill::file::read;
use proem_core::template::check::check;
use proem_core::template::engine::{Printing, Template, tokens};
use proem_core::template::trace::Tracing;
use proem_core::worker::preview::Preview;
use proem_core::worker::{PreviewAnswer, PreviewRequest};
use serde_json::json;

/// 1: values were expanded again.
#[test]
fn row_01_a_value_is_never_a_template() {
    let note = "{{ role.name }} {% raw %} {# x #} {% if %}";
    assert_eq!(prints("Note: {{ note }}", json!({"note": note})), format!("Note: {note}"));
    let mut facts = document("task-start/populated");
    facts["role"]["name"] = note.into();
    let opening =
        compose(&Facts::from_json(facts).unwrap(), &[skill("a", "{{ role.name }}{% set x = role.name %}{{ x|upper|lower }}")]);
    assert_eq!(opening.text, format!("## a\n\n{note}{}\n", note.to_lowercase()));
}

/// 3: a value with braces made an install fail.
#[test]
fn row_03_only_the_template_is_checked() {
    assert_eq!(errors("Watch {{ role.name }}"), []);
    assert!(document("task-start/populated").to_string().contains("{{"), "the samples hold braces");
    let file =
        read("a", "---\nname: \"{{x}}\"\ndescription: \"{% if %}\"\nattachments: [\"{{.pdf\"]\n---\nWatch {{ role.name }}\n")
            .unwrap();
    assert_eq!(file.body, "Watch {{ role.name }}\n");
    let mut part = skill("{{x}}", &file.body);
    part.attachments = file.skill.attachments;
    let mut facts = document("task-start/empty");
    facts["role"]["name"] = "{{x}}".into();
    let opening = compose(&Facts::from_json(facts).unwrap(), &[part]);
    assert_eq!(opening.text, "## {{x}}\n\nAttached: {{.pdf\n\nWatch {{x}}\n");
}

/// 4: the scan for placeholders was quadratic. Four times the text is four times the tokens and the same one problem; the bench holds the
/// time.
#[test]
fn row_04_open_braces_are_one_problem_and_linear_work() {
    for open in ["{{", "{%", "{#", "{{ a.", "{% if a ", "{{ \"", "{{ (", "{% set a %}", "}}{{", "{{ a }}x{% if", "{{ a }} {{"] {
        let small = open.repeat(8_192 / open.len());
        let large = small.repeat(4);
        let found: Vec<_> = [&small, &large].map(|body| said(body)).into();
        assert_eq!((found[0].len(), found[1].len()), (1, 1), "{open}");
        assert_eq!((&found[0][0].code, &found[0][0].message), (&found[1][0].code, &found[1][0].message), "{open}");
        let counts = (tokens(&small).count(), tokens(&large).count());
        assert!(counts.1 <= 4 * counts.0 + 16, "{open} {counts:?}");
        assert_eq!(complete(&large, large.len()).items, complete(&small, small.len()).items, "{open}");
        let file = |body: &str| read("a", &format!("---\nname: a\ndescription: b\n---\n{body}"));
        assert_eq!(file(&large).unwrap().body, large);
    }
}

/// 5: an undefined variable was not named.
#[test]
fn row_05_an_undefined_variable_is_named() {
    let source = "Hi {{ opening.kidn }}";
    let problem = fails(source, json!({"opening": {"kind": "task-start"}}));
    assert_eq!((problem.message.as_str(), marked(source, &problem)), ("`opening.kidn` is undefined", "opening.kidn"));
    let problem = error(source);
    assert_eq!(problem.message, "there is no `kidn` in `opening`");
    assert_eq!((problem.line, problem.column, problem.range), (1, 7, (6, 18)));
    assert_eq!(problem.suggestion.as_deref(), Some("did you mean `opening.kind`?"));
}

/// 6: a typo inside a condition passed.
#[test]
fn row_06_a_typo_in_a_condition_is_found() {
    for source in ["{% if opnning.kind == \"task-start\" %}x{% endif %}", "{% if opnning %}x{% endif %}"] {
        let problem = error(source);
        assert_eq!((problem.code.as_str(), marked(source, &problem)), ("unknown-name", "opnning"));
        assert_eq!(problem.suggestion.as_deref(), Some("did you mean `opening`?"));
    }
}

/// 8: rendering failed before the template's own `is defined` could run.
#[test]
fn row_08_the_templates_own_test_runs_first() {
    let source = "{% if task.doc is defined %}{{ task.doc }}{% else %}none{% endif %}";
    assert_eq!(prints(source, json!({"task": {}})), "none");
    assert_eq!(prints(source, json!({"task": {"doc": "d"}})), "d");
}

/// 10: listing the variables never returned.
#[test]
fn row_10_unknown_names_in_a_loop_end() {
    let source = "{% for t in x.y.items() %}{{ z.q }}{{ t.n }}{% endfor %}";
    let names: Vec<&str> = check(source, contract()).iter().map(|problem| marked(source, problem)).collect();
    assert_eq!(names, ["x", "z"]);
    assert_eq!(errors(source).iter().map(|problem| marked(source, problem)).collect::<Vec<_>>(), ["x", "z"]);
}

/// How a text uses a fact in each situation, from the populated samples; nothing where it is not in the list.
fn uses(source: &str, path: &str) -> Option<[Use; 6]> {
    let facts = OpeningKind::ALL.map(|kind| Sample { kind, variant: Variant::Populated }.facts());
    let rows = reads(&Tracing::new(source), &facts.iter().collect::<Vec<_>>());
    rows.into_iter().find(|row| row.path == path).map(|row| row.uses.try_into().unwrap())
}

/// 12: a variable of a section inside another was not found.
#[test]
fn row_12_a_field_read_inside_two_guards_is_listed() {
    let source = "{% if opening %}{% if opening.handoff %}{{ opening.handoff.from }}{% endif %}{% endif %}";
    assert_eq!(errors(source), []);
    let task = [Use::Read, Use::Read, Use::Absent, Use::Absent, Use::Absent, Use::Absent];
    assert_eq!(uses(source, "opening.handoff.from"), Some(task));
    let asked = task.map(|used| if used == Use::Read { Use::Read } else { Use::ReadAbsent });
    assert_eq!(uses(source, "opening.handoff"), Some(asked));
    assert_eq!(uses("{% for m in opening.messages %}{{ m.text }}{% endfor %}", "opening.messages[].text").unwrap()[2], Use::Read);
    assert_eq!(prints("{% if a %}{% if a.b %}{{ a.b.c }}{% endif %}{% endif %}", json!({"a": {"b": {"c": "d"}}})), "d");
}

/// 13: variables that are only asked for did not reach the form.
#[test]
fn row_13_a_field_that_only_decides_is_listed() {
    let source = "{% if opening and opening.stop_reason %}slow{% else %}fast{% endif %}";
    let [start, resume, ..] = uses(source, "opening.stop_reason").unwrap();
    assert_eq!((start, resume), (Use::Read, Use::Read));
    let empty = Sample { kind: OpeningKind::TaskStart, variant: Variant::Empty }.facts();
    let rows = reads(&Tracing::new(source), &[&empty]);
    assert!(rows.iter().any(|row| row.path == "opening.stop_reason" && row.uses == [Use::ReadAbsent]));
}

/// 14: the blank between two tags was dropped.
#[test]
fn row_14_blanks_between_tags_stay() {
    assert_eq!(prints("{% for p in [\"a\",\"b\"] %}{{ p }} {% endfor %}.", json!({})), "a b .");
    assert_eq!(prints("{{ a }} {{ a }}\t{{ a }}\n{{ a }}", json!({"a": 1})), "1 1\t1\n1");
}

/// 16: HTML entities in prompt text.
#[test]
fn row_16_nothing_is_escaped_whatever_a_skill_is_called() {
    let value = "<a & 'b'> \"c\"";
    let mut facts = document("task-start/empty");
    facts["role"]["name"] = value.into();
    let facts = Facts::from_json(facts).unwrap();
    for name in ["notes", "notes.html", "notes.htm", "notes.xml", "notes.html.j2", "notes.json", "notes.yaml", "notes.js"] {
        assert_eq!(compose(&facts, &[skill(name, "{{ role.name }}")]).text, format!("## {name}\n\n{value}\n"));
    }
}

/// 22: a present but empty object counts as absent. It does in every Jinja; the page on the language says so, and no fact is ever one.
#[test]
fn row_22_an_empty_object_is_false_and_no_fact_is_one() {
    let source = "{% if task %}T{% else %}F{% endif %}";
    assert_eq!(prints(source, json!({"task": {}})), "F");
    assert_eq!(prints(source, json!({"task": {"id": "1"}})), "T");
    assert!(include_str!("../../../docs/template-language.md").contains("an empty object"));
    let mut facts = document("task-start/empty");
    facts["task"] = json!({});
    assert!(Facts::from_json(facts).unwrap_err().to_string().contains("task.id"));
    // The preview says what the condition saw.
    let facts = Sample { kind: OpeningKind::HumanConversationStart, variant: Variant::Empty }.facts();
    let (tracing, rendered) =
        (Tracing::new(source), Template::compile(source, Printing::Lenient).unwrap().render(&facts.context()));
    let why = tracing.why(source, &trace(&tracing, &facts), &rendered, source.find('T').unwrap());
    assert_eq!(why.sentence, "Not reached: `task` is null (line 1).");
}

/// 23: a correct chain of filters was reported.
#[test]
fn row_23_a_chain_of_filters_is_no_fault() {
    let source = "{{ role.name|trim|upper|lower }}";
    assert_eq!(check(source, contract()), []);
    assert_eq!(validate(source, PartSource::Role, &mut || ()), []);
}

/// 24: the preview ignored a field of the payload. Every field of every sample prints what the sample says.
#[test]
fn row_24_every_field_prints_what_the_sample_says() {
    assert_eq!(prints("{{ opening.kind }}", json!({"opening": {"kind": "agent-resume"}})), "agent-resume");
    for kind in OpeningKind::ALL {
        let facts = Sample { kind, variant: Variant::Populated }.facts();
        let plain =
            |field: &&proem_core::opening::table::Field| !matches!(field.ty, Type::Object | Type::ObjectList | Type::TextList);
        for field in FIELDS.iter().filter(plain).filter(|field| field.kinds.include(kind)) {
            let path = field.path.replace("[]", "[0]");
            let pointer = format!("/{}", field.path.replace("[]", "/0").replace('.', "/"));
            let value = facts.document().pointer(&pointer).unwrap_or_else(|| panic!("{path} in {kind}"));
            let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            let opening = compose(&facts, &[skill("a", &format!("<{{{{ {path} }}}}>"))]);
            assert_eq!(opening.text, format!("## a\n\n<{text}>\n"), "{path} in {kind}");
        }
    }
}

/// 26: the preview substituted what a run does not. What the preview worker answers, from its memory or not, is what the one assembly makes
/// of the same facts, for the twelve samples, the twelve of an older server, and six documents; that wasm prints the same bytes is tested
/// with a browser.
#[test]
fn row_26_the_preview_is_the_run() {
    let parts: Vec<PartText> = BUILTINS.iter().map(|builtin| skill(builtin.slug, builtin.body)).collect();
    let mut preview = Preview::default();
    let mut compared = 0;
    for sample in Sample::all().chain(Sample::all()) {
        for old_server in [false, true] {
            let facts = if old_server { sample.facts().without_opening() } else { sample.facts() };
            let samples = vec![sample.to_string()];
            let request = PreviewRequest::Preview { parts: parts.clone(), samples, old_server, check: None };
            let PreviewAnswer::Preview { openings, .. } = preview.handle(request, &mut || ()) else { panic!("no preview") };
            assert_eq!(openings, [compose(&facts, &parts)], "{sample}");
            compared += 1;
        }
    }
    for kind in OpeningKind::ALL {
        let mut facts = Sample { kind, variant: Variant::Populated }.facts().document().clone();
        facts["role"]["name"] = "$& {{ x }} <é>".into();
        let request = PreviewRequest::Render { parts: parts.clone(), facts: facts.to_string() };
        let PreviewAnswer::Opening { opening } = preview.handle(request, &mut || ()) else { panic!("no opening") };
        assert_eq!(opening, compose(&Facts::from_json(facts).unwrap(), &parts), "{kind}");
        compared += 1;
    }
    assert_eq!(compared, 54);
}

/// 28: patterns such as `$'` in a value put template text in again.
#[test]
fn row_28_signs_of_replacement_patterns_are_text() {
    let origin = "a$'b$&c$1\\0${x}";
    let mut facts = document("agent-conversation-start/populated");
    facts["opening"]["origin"]["title"] = origin.into();
    let body = "<x title=\"{{ opening.origin.title }}\">{{ \"-x-\"|replace(\"x\", opening.origin.title) }}";
    let opening = compose(&Facts::from_json(facts).unwrap(), &[skill("a", body)]);
    assert_eq!(opening.text, format!("## a\n\n<x title=\"{origin}\">-{origin}-\n"));
}

/// 29: a skill with a colon in its description vanished.
#[test]
fn row_29_a_file_that_is_no_yaml_is_broken_at_its_line_with_the_fix() {
    let file = |line: &str| format!("---\nname: Plan\n{line}\n---\nBody\n");
    for (line, message, fix) in [
        (
            "description: Two steps: plan, do",
            "the value of `description` holds a colon",
            "put it in quotes: description: \"Two steps: plan, do\"",
        ),
        (
            "argument-hint: [x] — y",
            "the value of `argument-hint` begins like a list",
            "put it in quotes: argument-hint: \"[x] — y\"",
        ),
    ] {
        let text = file(line);
        let problem = read("plan", &text).unwrap_err();
        assert_eq!((problem.line, problem.code.as_str(), problem.message.as_str()), (3, "broken", message));
        assert_eq!(problem.suggestion.as_deref(), Some(fix));
        assert!(line.ends_with(marked(&text, &problem)), "{line}");
    }
}

/// 31: repetition allocated without bound.
#[test]
fn row_31_repetition_is_stopped_by_fuel() {
    for source in ["{{ 'x' * 100000000 }}", "{{ 'a'|indent(100000000) }}", "{{ ('a\\n' * 9000)|indent(9000) }}"] {
        assert_eq!(fails(source, json!({})).code, "too-much-work", "{source}");
        assert_eq!(error(source).code, "too-much-work", "{source}");
    }
}

/// 32: deep nesting and macros that call themselves overflowed the stack.
#[test]
fn row_32_nesting_and_recursion_are_clean_errors() {
    let parentheses = format!("{{{{ {}1{} }}}}", "(".repeat(150), ")".repeat(150));
    let ifs = "{% if true %}".repeat(300) + &"{% endif %}".repeat(300);
    for source in [parentheses, ifs] {
        assert_eq!((fails(&source, json!({})).code, error(&source).code), ("too-deep".to_owned(), "too-deep".to_owned()));
    }
    let itself = "{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}";
    let each_other = "{% macro a() %}{{ b() }}{% endmacro %}{% macro b() %}{{ a() }}{% endmacro %}{{ a() }}";
    for source in [itself, each_other] {
        assert_eq!(fails(source, json!({})).code, "recursion", "{source}");
        assert!(errors(source).iter().all(|problem| problem.code == "recursion") && !errors(source).is_empty(), "{source}");
    }
}

/// 33: a half-typed template flooded the log. Every beginning of a text has problems at most, and the last word typed is one place; that
/// the server logs none of it is tested in `quiet.rs`.
#[test]
fn row_33_every_beginning_of_a_text_has_problems_at_most() {
    let source = "é{% if opening and opening.kind == \"task-start\" -%}\n🙂{{ task.title|default('d', true) }}{% for u in opening.updates if u.author %}\
                  {{ loop.index }}: {{ u['text'][:3] ~ \"}}\" }}{% else %}{# none #}{% endfor %}{% elif [1, {'a': 2}] %}{% raw %}{{{% endraw %}{% endif %}";
    assert_eq!(errors(source), []);
    for (end, _) in source.char_indices() {
        let beginning = &source[..end];
        complete(beginning, end);
        for problem in said(beginning) {
            let (from, to) = problem.range;
            assert!(from <= to && beginning.is_char_boundary(from) && beginning.is_char_boundary(to), "{beginning}: {problem:?}");
            assert!(!problem.message.is_empty() && problem.message.lines().count() == 1, "{beginning}: {problem:?}");
        }
    }
    let typed = said("{{ opening.ki");
    assert_eq!((typed.len(), typed[0].code.as_str()), (1, "unclosed"));
}

/// 35: the context was parsed by JavaScript, which rounds.
#[test]
fn row_35_digits_are_kept() {
    let context = serde_json::from_str(r#"{"channel_id": 1234567890123456789, "n": 1, "f": 1.0}"#).unwrap();
    assert_eq!(
        prints("{{ channel_id }} {{ n }} {{ [channel_id, n] }} {{ f }}", context),
        "1234567890123456789 1 [1234567890123456789, 1] 1.0"
    );
    let mut facts = document("task-start/empty");
    facts["opening"]["updates_omitted"] = 1_234_567_890_123_456_789_u64.into();
    let facts = Facts::parse(&facts.to_string()).unwrap();
    assert_eq!(compose(&facts, &[skill("a", "{{ opening.updates_omitted }}")]).text, "## a\n\n1234567890123456789\n");
}
