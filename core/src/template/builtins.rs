//! What the template language has built in, with a sentence on each: filters, tests, functions, statements and what `loop` knows.
//! Completion and the reference page are made from it; a test holds it against the engine.

/// One word of the language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Known {
    /// The word.
    pub name: &'static str,
    /// How it is written.
    pub usage: &'static str,
    /// What it does, in one sentence.
    pub meaning: &'static str,
}

const fn known(name: &'static str, usage: &'static str, meaning: &'static str) -> Known {
    Known { name, usage, meaning }
}

/// Filters, which stand after `|`.
#[rustfmt::skip]
pub const FILTERS: &[Known] = &[
    known("abs", "n|abs", "The number without its sign."),
    known("attr", "map|attr(\"name\")", "The field of that name, as `map.name`."),
    known("batch", "list|batch(3)", "The list in rows of that many; a second argument fills the last row."),
    known("bool", "x|bool", "true or false, as an `if` would take the value."),
    known("capitalize", "text|capitalize", "The first letter in upper case, the others in lower case."),
    known("chain", "list|chain(other)", "Both lists, one after the other."),
    known("count", "list|count", "The same as `length`."),
    known("d", "x|d(\"none\", true)", "The same as `default`."),
    known("default", "x|default(\"none\", true)", "Another value where there is none; only with `true` also where it is null or empty."),
    known("dictsort", "map|dictsort", "The pairs of a map, sorted by key."),
    known("e", "x|e", "The same as `escape`."),
    known("escape", "x|escape", "The text with `<`, `>`, `&` and quotes as HTML entities; nothing else ever escapes."),
    known("first", "list|first", "The first item; fails on an empty list, so ask `{% if list %}` first."),
    known("float", "x|float(0.0)", "The value as a number with a fraction; the argument is taken where it is no number."),
    known("format", "\"%s: %s\"|format(a, b)", "The text with its places filled in."),
    known("groupby", "list|groupby(\"author\")", "Pairs of a value and the items whose field has it."),
    known("indent", "text|indent(4)", "Every line but the first moved to the right; with `true` the first, too."),
    known("int", "x|int(0)", "The value as a whole number; the argument is taken where it is no number."),
    known("items", "map|items", "The pairs of a map, for `{% for key, value in map|items %}`."),
    known("join", "list|join(\", \")", "The items as one text, with the argument between them; `attribute=` takes one field of each."),
    known("last", "list|last", "The last item; fails on an empty list, so ask `{% if list %}` first."),
    known("length", "list|length", "How many items a list has, or how many characters a text."),
    known("lines", "text|lines", "The lines of a text, as a list."),
    known("list", "text|list", "The value as a list: a text becomes its characters, a map its keys."),
    known("lower", "text|lower", "The text in lower case."),
    known("map", "list|map(attribute=\"name\")", "One field of each item, or with `map(\"upper\")` a filter applied to each."),
    known("max", "list|max", "The largest item."),
    known("min", "list|min", "The smallest item."),
    known("pprint", "x|pprint", "The value written out over several lines, for looking at."),
    known("reject", "list|reject(\"none\")", "The items that do not pass the test."),
    known("rejectattr", "list|rejectattr(\"kind\", \"equalto\", \"agent\")", "The items whose field does not pass the test."),
    known("replace", "text|replace(\"a\", \"b\")", "The text with each place of the first replaced by the second."),
    known("reverse", "list|reverse", "The items or characters from the last to the first."),
    known("round", "n|round(1)", "The number rounded to that many digits; `\"floor\"` or `\"ceil\"` says which way."),
    known("safe", "x|safe", "The value as it is: nothing is escaped here anyway."),
    known("select", "list|select(\"string\")", "The items that pass the test, or without one those that are not empty."),
    known("selectattr", "list|selectattr(\"kind\", \"equalto\", \"human\")", "The items whose field passes the test, or without one is not empty."),
    known("slice", "list|slice(3)", "The list cut into that many parts."),
    known("sort", "list|sort(attribute=\"at\")", "The items in order, by a field if one is named; `reverse=true` turns it round."),
    known("split", "text|split(\",\")", "The pieces between the separators, as a list; without one, the words."),
    known("string", "x|string", "The value as text."),
    known("sum", "list|sum", "The items added up; `attribute=` takes one field of each."),
    known("title", "text|title", "Each Word In Upper Case."),
    known("tojson", "x|tojson", "The value as JSON; `tojson(2)` over several lines."),
    known("trim", "text|trim", "The text without white space at its ends."),
    known("truncate", "text|truncate(80)", "The text cut at a word, with `...` behind it, where it is longer."),
    known("unique", "list|unique", "The items without those that came before."),
    known("upper", "text|upper", "The text in upper case."),
    known("wordcount", "text|wordcount", "How many words a text has."),
    known("wordwrap", "text|wordwrap(79)", "The text broken into lines of at most that length."),
    known("zip", "list|zip(other)", "Pairs of the items at the same place."),
];

/// Tests, which stand after `is` or `is not`.
#[rustfmt::skip]
pub const TESTS: &[Known] = &[
    known("boolean", "x is boolean", "It is true or false."),
    known("defined", "x is defined", "It is there. Facts always are, null or not; only `opening` can be absent, so ask `{% if x %}` for the others."),
    known("divisibleby", "n is divisibleby(3)", "It can be divided without a rest."),
    known("endingwith", "text is endingwith(\"?\")", "It ends with that text."),
    known("eq", "x is eq(y)", "It is equal, as `==`."),
    known("equalto", "x is equalto(y)", "It is equal, as `==`."),
    known("escaped", "x is escaped", "The same as `safe`."),
    known("even", "n is even", "It is an even number."),
    known("false", "x is false", "It is false."),
    known("filter", "\"upper\" is filter", "There is a filter of that name."),
    known("float", "x is float", "It is a number with a fraction."),
    known("ge", "n is ge(3)", "It is as large or larger, as `>=`."),
    known("greaterthan", "n is greaterthan(3)", "It is larger, as `>`."),
    known("gt", "n is gt(3)", "It is larger, as `>`."),
    known("in", "x is in(list)", "It is one of them, as `x in list`."),
    known("int", "x is int", "The same as `integer`."),
    known("integer", "x is integer", "It is a whole number."),
    known("iterable", "x is iterable", "A `for` can go over it."),
    known("le", "n is le(3)", "It is as small or smaller, as `<=`."),
    known("lessthan", "n is lessthan(3)", "It is smaller, as `<`."),
    known("lower", "text is lower", "It is all in lower case."),
    known("lt", "n is lt(3)", "It is smaller, as `<`."),
    known("mapping", "x is mapping", "It is a map or an object of the facts."),
    known("ne", "x is ne(y)", "It is not equal, as `!=`."),
    known("none", "x is none", "It is null: the fact is not set."),
    known("number", "x is number", "It is a number."),
    known("odd", "n is odd", "It is an odd number."),
    known("safe", "x is safe", "It is marked as safe for HTML, which nothing is here."),
    known("sameas", "x is sameas(y)", "It is the very same value."),
    known("sequence", "x is sequence", "It is a list."),
    known("startingwith", "text is startingwith(\"#\")", "It begins with that text."),
    known("string", "x is string", "It is text."),
    known("test", "\"even\" is test", "There is a test of that name."),
    known("true", "x is true", "It is true."),
    known("undefined", "x is undefined", "It is not there; the opposite of `defined`."),
    known("upper", "text is upper", "It is all in upper case."),
];

/// Functions, which are called by name.
pub const FUNCTIONS: &[Known] = &[
    known("dict", "dict(a=1)", "A map of what is named."),
    known("namespace", "namespace(found=false)", "An object whose fields `{% set ns.found = true %}` can change inside a loop."),
    known("range", "range(3)", "The whole numbers from 0, or from the first argument, up to but without the last."),
];

/// Statements, which stand first in `{% … %}`; those that are used most come first.
#[rustfmt::skip]
pub const STATEMENTS: &[Known] = &[
    known("if", "{% if x %}…{% elif y %}…{% else %}…{% endif %}", "Prints the inside when the condition holds."),
    known("elif", "{% elif x %}", "Another condition, asked when those before were false."),
    known("else", "{% else %}", "What is printed when no condition was true, or the list of a loop was empty."),
    known("for", "{% for item in list %}…{% else %}…{% endfor %}", "Prints the inside once for each item; `loop` knows the place."),
    known("break", "{% break %}", "Ends the loop."),
    known("continue", "{% continue %}", "Goes on with the next item of the loop."),
    known("set", "{% set name = x %}", "Gives a value a name; without `=`, the text up to `{% endset %}`."),
    known("with", "{% with name = x %}…{% endwith %}", "Gives a value a name inside it only."),
    known("macro", "{% macro name(a, b=1) %}…{% endmacro %}", "A piece of text with gaps, printed with `{{ name(1) }}`."),
    known("call", "{% call name() %}…{% endcall %}", "Calls a macro, which prints the inside where it says `caller()`."),
    known("filter", "{% filter upper %}…{% endfilter %}", "Applies a filter to all that is printed inside."),
    known("raw", "{% raw %}…{% endraw %}", "Prints the inside as it is, braces included."),
    known("do", "{% do name() %}", "Calls something and prints nothing."),
    known("block", "{% block name %}…{% endblock %}", "Names a part of the text; it prints where it stands."),
    known("autoescape", "{% autoescape false %}…{% endautoescape %}", "Switches HTML escaping of values on or off inside; it is off everywhere else."),
];

/// What `loop` knows inside a `for`.
#[rustfmt::skip]
pub const LOOP: &[Known] = &[
    known("changed", "loop.changed(x)", "Whether the value is another than in the round before."),
    known("cycle", "loop.cycle(\"a\", \"b\")", "One of its arguments after the other."),
    known("depth", "loop.depth", "How deep a recursive loop is, from 1."),
    known("depth0", "loop.depth0", "How deep a recursive loop is, from 0."),
    known("first", "loop.first", "Whether this is the first round."),
    known("index", "loop.index", "The number of this round, from 1."),
    known("index0", "loop.index0", "The number of this round, from 0."),
    known("last", "loop.last", "Whether this is the last round."),
    known("length", "loop.length", "How many rounds there are."),
    known("nextitem", "loop.nextitem", "The item of the next round; not there in the last."),
    known("previtem", "loop.previtem", "The item of the round before; not there in the first."),
    known("revindex", "loop.revindex", "How many rounds are left, this one included."),
    known("revindex0", "loop.revindex0", "How many rounds are left after this one."),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::template::engine::{Context, Printing, Template, names};

    fn words(table: &[Known]) -> Vec<&str> {
        table.iter().map(|known| known.name).collect()
    }

    #[test]
    fn the_tables_hold_what_the_engine_has_in_order() {
        let (filters, tests, functions) = names();
        assert_eq!(words(FILTERS), filters);
        // The signs (`==`) are tests, too, and need no explanation.
        let tests: Vec<String> = tests.into_iter().filter(|name| name.starts_with(|c: char| c.is_alphabetic())).collect();
        assert_eq!(words(TESTS), tests);
        assert_eq!(words(FUNCTIONS), functions);
    }

    #[test]
    fn every_way_of_writing_runs() {
        let context = serde_json::json!({"x": 1, "y": 1, "n": 3, "a": 1, "b": 2, "text": "Is it?", "map": {"name": 1}, "other": [5, 6],
            "list": [{"name": "A", "kind": "human", "author": "A", "at": "1"}]});
        let context = Context::from_json(&context);
        let run = |source: &str| Template::compile(source, Printing::Lenient).and_then(|template| template.render(&context));
        for known in FILTERS.iter().chain(TESTS).chain(FUNCTIONS) {
            // Numbers are what these take.
            let usage = match known.name {
                "max" | "min" | "sum" | "join" => known.usage.replace("list", "other"),
                _ => known.usage.to_owned(),
            };
            assert!(known.usage.contains(known.name), "{usage}");
            run(&format!("{{{{ {usage} }}}}")).unwrap_or_else(|problem| panic!("{usage}: {}", problem.message));
        }
        for known in LOOP {
            let source = format!("{{% for item in other %}}{{% if {} %}}{{% endif %}}{{% endfor %}}", known.usage);
            run(&source).unwrap_or_else(|problem| panic!("{source}: {}", problem.message));
        }
        let macros = "{% macro name(a=1) %}{{ caller() if caller }}{% endmacro %}";
        for known in STATEMENTS {
            let usage = known.usage.replace('…', "");
            let source = match known.name {
                "elif" | "else" => format!("{{% if x %}}{usage}{{% endif %}}"),
                "break" | "continue" => format!("{{% for item in other %}}{usage}{{% endfor %}}"),
                "call" | "do" => format!("{macros}{usage}"),
                _ => usage,
            };
            assert!(source.contains(&format!("{{% {} ", known.name)), "{source}");
            run(&source).unwrap_or_else(|problem| panic!("{source}: {}", problem.message));
        }
    }
}
