//! The typed context: names that are no fields, and what must be as with plain values.

use proem_core::opening::builtin::{BUILTINS, DEFAULT_ROLE};
use proem_core::opening::facts::Facts;
use proem_core::opening::sample::Sample;
use proem_core::template::engine::{Context, Printing, Template};

fn render(source: &str, context: &Context) -> String {
    match Template::compile(source, Printing::Lenient).and_then(|template| template.render(context)) {
        Ok(rendered) => rendered.text,
        Err(problem) => problem.one_line(),
    }
}

fn facts(sample: &str) -> Facts {
    sample.parse::<Sample>().unwrap().facts()
}

#[test]
fn a_name_that_is_no_field_fails_wherever_it_is_read() {
    let context = facts("human-conversation-start/populated").context();
    for source in [
        "{{ opening.kidn }}",
        "{% if opening.kidn %}x{% endif %}",
        "{% if opening.kidn is defined %}x{% endif %}",
        "{{ opening.kidn|default('x') }}",
        "{% for m in opening.messages %}{{ m.txt }}{% endfor %}",
        "{{ opening.messages[0].txt }}",
        "{{ opening.messages|map(attribute='txt')|join(', ') }}",
        "{{ opening.messages|map(attribute='txt')|first }}",
        "{{ opening.messages|map(attribute='txt')|list }}",
        "{% set o = opening %}{% if o.messagse %}x{% endif %}",
        "{{ role.zzz }}",
        "a\n{% if 1 == 1 and\n  role.nmae == 'x' %}{% endif %}",
    ] {
        let shown = render(source, &context);
        assert!(
            shown.contains("there is no `") && (shown.contains("did you mean") || source.contains("zzz")),
            "{source}: {shown}"
        );
    }
    insta::assert_snapshot!(render("{% for m in opening.messages %}{% if m.txt %}{% endif %}{% endfor %}", &context), @"1:38: error: there is no `txt` in `opening.messages[]` (did you mean `m.text`?)");
    insta::assert_snapshot!(render("{{ opening.kidn }}", &context), @"1:4: error: there is no `kidn` in `opening` (did you mean `opening.kind`?)");
}

#[test]
fn what_is_a_field_and_not_set_is_null_and_the_rest_is_as_the_engine_has_it() {
    let context = facts("task-start/empty").context();
    let old = facts("task-start/empty").without_opening().context();
    for (source, new_text, old_text) in [
        ("{% if opening is defined %}there{% else %}not{% endif %}", "there", "not"),
        ("{% if opening and opening.kind == 'task-start' %}y{% endif %}", "y", ""),
        (
            "{{ conversation is none }}{{ 'zzz' in task }}{{ 'title' in task }}{{ task['zzz'] is defined }}",
            "truefalsetruefalse",
            "truefalsetruefalse",
        ),
        ("{{ conversation.title is defined }}", "false", "false"),
        ("{{ zzz is defined }}{{ range(2)|list }}{% set range = 1 %}{{ range }}", "false[0, 1]1", "false[0, 1]1"),
        (
            "{{ role.name.zzz is defined }}{{ task.description is none }}{{ task is sameas task }}",
            "falsetruetrue",
            "falsetruetrue",
        ),
        ("{% macro task() %}m{% endmacro %}{{ task() }}", "m", "m"),
    ] {
        assert_eq!((render(source, &context).as_str(), render(source, &old).as_str()), (new_text, old_text), "{source}");
    }
}

/// What one can do with a map or a list, on every map and list of every sample.
#[test]
fn typed_maps_and_lists_are_like_plain_ones() {
    let uses = [
        "{{ V }}",
        "{{ V|tojson }}",
        "{{ V|string }}",
        "{{ V|length }}",
        "{{ V|list }}",
        "{{ V|items|list }}",
        "{{ V|dictsort }}",
        "{{ V|sort }}",
        "{{ V|reverse|list }}",
        "{% for x in V %}{{ loop.index }}/{{ loop.length }}{{ loop.last }}{{ x }};{% endfor %}",
        "{% for a, b in V|items %}{{ a }}={{ b }};{% endfor %}",
        "{{ V == V }}{{ V != {} }}{{ V == [] }}{{ V < [1] }}{{ V|tojson == V|tojson }}",
        "{{ V == (V|list) }}",
        "{{ V if V else 'empty' }}{{ not V }}",
        "{{ V ~ 'x' }}",
        "{{ V is mapping }}{{ V is sequence }}{{ V is iterable }}{{ V is none }}{{ V is string }}{{ V is sameas V }}",
        "{{ V|first }}",
        "{{ V|last }}",
        "{{ V[0] }}",
        "{{ V[-1] }}",
        "{{ V[:1] }}{{ V[1:]|length }}",
        "{{ V + V }}",
        "{{ V|unique|list }}",
        "{{ V|batch(2)|list }}",
        "{{ V|join(', ') }}",
        "{{ dict(V, x=1) }}",
        "{{ V|groupby('kind') }}",
        "{{ V|map(attribute='text')|list }}",
        "{{ V|selectattr('text')|list|length }}",
        "{{ V|pprint }}",
        "{{ V in [V] }}{{ 'kind' in V }}{{ 0 in V }}",
        "{{ V|default('d') }}",
        "{{ V.items() }}",
        "{{ V|max }}{{ V|min }}",
        "{{ V|attr('kind') }}",
        "{{ [V, V]|unique|list|length }}",
        "{{ V|zip(V)|list }}",
        "{{ {V: 1} }}",
        "{{ V|tojson(2) }}",
        "{{ V.0 }}",
        "{{ V * 2 }}",
        "{{ V|slice(2)|list }}",
        "{% with a = V %}{{ a }}{% endwith %}",
        "{{ V|sum }}",
        "{{ V|abs }}",
        "{{ V|upper }}",
        "{{ V|urlencode }}",
        "{{ V|split(',') }}",
        "{{ V|lines }}",
        "{{ V|bool }}",
        "{{ V|int }}",
        "{{ V|format(1) }}",
    ];
    let values = [
        "organization",
        "role",
        "task",
        "conversation",
        "opening",
        "opening.updates",
        "opening.messages",
        "opening.handoff",
        "opening.peer",
        "opening.origin",
        "conversation.participants",
        "opening.messages[0]",
        "opening.messages[0].attachments",
        "opening.updates_omitted",
        "role.description",
        "task.title",
    ];
    for sample in Sample::all() {
        let facts = sample.facts();
        let (plain, typed) = (Context::from_json(facts.document()), facts.context());
        for value in values {
            for form in uses {
                let source = form.replace('V', value);
                let (plain, typed) = (render(&source, &plain), render(&source, &typed));
                // A field that the plain value does not have is the one difference.
                assert!(plain == typed || typed.contains("there is no `"), "{sample}: {source}\nplain {plain}\ntyped {typed}");
            }
        }
    }
}

#[test]
fn the_product_and_all_cases_render_alike() {
    let mut sources: Vec<String> =
        BUILTINS.iter().map(|builtin| builtin.body.to_owned()).chain([DEFAULT_ROLE.to_owned()]).collect();
    for path in proem_tests::files(&proem_tests::cases("templates"), ".txt") {
        sources.push(std::fs::read_to_string(path).unwrap().split_once("\n---\n").unwrap().1.to_owned());
    }
    for source in sources {
        let Ok(template) = Template::compile(&source, Printing::Lenient) else { continue };
        for facts in Sample::all().flat_map(|sample| [sample.facts(), sample.facts().without_opening()]) {
            match (template.render(&Context::from_json(facts.document())), template.render(&facts.context())) {
                (plain, typed) if plain == typed => {}
                (_, Err(problem)) => assert!(problem.code == "unknown-field", "{source}: {problem:?}"),
                (plain, typed) => panic!("{source}: {plain:?} {typed:?}"),
            }
        }
    }
}

#[test]
fn names_of_the_measuring_calls_are_refused() {
    let shown = render("{{ __b(1, 2) }}", &facts("task-start/empty").context());
    insta::assert_snapshot!(shown, @"1:4: error: `__b` is a name of Proem's own (use another name)");
}
