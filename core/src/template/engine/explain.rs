//! Turns the engine's errors into sentences with a place: what is wrong, and what to write instead.

use super::super::guard::unclosed;
use super::super::problem::{Problem, widen};
use super::context::UnknownField;
use super::print::Refusal;
use minijinja::{Error, ErrorKind};
use std::error::Error as _;
use std::ops::Range;

/// The problem that an engine error means for the author of `source`.
pub(super) fn explain(source: &str, error: &Error) -> Problem {
    let range = widen(source, error.range().unwrap_or(0..0));
    if let Some(refusal) = cause::<Refusal>(error) {
        return explain_refusal(source, range, *refusal);
    }
    if let Some(unknown) = cause::<UnknownField>(error) {
        return explain_unknown(source, range, unknown);
    }
    let detail = error.detail().unwrap_or_default();
    match error.kind() {
        ErrorKind::SyntaxError | ErrorKind::BadEscape => explain_syntax(source, range, detail),
        ErrorKind::UndefinedError => explain_undefined(source, range, detail),
        ErrorKind::UnknownFilter => {
            let name = called(source, &range);
            Problem::error(source, range, "unknown-filter", format!("there is no filter `{name}`"))
        }
        ErrorKind::UnknownTest => {
            let name = called(source, &range);
            Problem::error(source, range, "unknown-test", format!("there is no test `{name}`"))
        }
        ErrorKind::UnknownFunction => {
            let name = called(source, &range);
            Problem::error(source, range, "unknown-function", format!("there is no function `{name}`"))
        }
        ErrorKind::UnknownMethod => Problem::error(source, range, "unknown-method", sentence("there is no such method", detail))
            .suggest("use a filter: {{ text|upper }}"),
        ErrorKind::OutOfFuel => {
            Problem::error(source, range, "too-much-work", "this template does too much work for one opening")
                .suggest("shorten its loops or the text it builds")
        }
        ErrorKind::InvalidOperation if detail.contains("recursion limit") => {
            Problem::error(source, range, "recursion", "macros or loops call themselves too deeply")
        }
        ErrorKind::InvalidOperation if detail.contains("nested too deeply") => explain_refusal(source, range, Refusal::TooDeep),
        kind => Problem::error(source, range, "invalid-operation", sentence(&kind.to_string(), detail)),
    }
}

fn sentence(what: &str, detail: &str) -> String {
    if detail.is_empty() { what.to_owned() } else { detail.to_owned() }
}

/// Our own reason somewhere in the chain of causes.
fn cause<T: std::error::Error + 'static>(error: &Error) -> Option<&T> {
    let mut cause = error.source();
    while let Some(inner) = cause {
        if let Some(found) = inner.downcast_ref::<T>() {
            return Some(found);
        }
        cause = inner.source();
    }
    None
}

fn explain_unknown(source: &str, range: Range<usize>, unknown: &UnknownField) -> Problem {
    let UnknownField { parent, name, nearest } = unknown;
    // The engine's range may begin at the dot, or at the tag.
    let end = if source[range.clone()].ends_with(name.as_str()) { range.end } else { 0 };
    let place = if end > 0 { path_start(source, end)..end } else { find_name(source, &range, name).unwrap_or(range) };
    // As it is called here, which may be through a loop's variable.
    let object = source[place.clone()].rsplit_once('.').map_or(String::new(), |(object, _)| format!("{object}."));
    let problem = Problem::error(source, place, "unknown-field", format!("there is no `{name}` in `{parent}`"));
    match nearest {
        Some(nearest) => problem.suggest(format!("did you mean `{object}{nearest}`?")),
        None => problem,
    }
}

/// Where the dotted path that ends at `end` begins.
fn path_start(source: &str, end: usize) -> usize {
    end - source[..end].chars().rev().take_while(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '.')).count()
}

/// The name of what is called in a range, without its arguments.
fn called<'a>(source: &'a str, range: &Range<usize>) -> &'a str {
    source[range.clone()].split('(').next().unwrap_or_default().trim_end()
}

fn explain_refusal(source: &str, range: Range<usize>, refusal: Refusal) -> Problem {
    match refusal {
        Refusal::TooDeep => {
            Problem::error(source, range, "value-too-deep", "this template nests values too deeply to print them")
        }
        Refusal::NullPrinted => {
            let range = leaf(source, range);
            let name = source[range.clone()].trim().to_owned();
            let suggestion = if name.contains("default(") {
                "`default` alone keeps a null; write default(…, true)".to_owned()
            } else {
                format!("guard it with {{% if {name} %}}, or write {{{{ {name}|default(\"…\", true) }}}}")
            };
            Problem::error(source, range, "null-printed", format!("`{name}` can be missing, and then nothing is printed here"))
                .suggest(suggestion)
        }
    }
}

fn explain_undefined(source: &str, range: Range<usize>, detail: &str) -> Problem {
    let Some(name) = detail.strip_prefix('`').and_then(|rest| rest.split('`').next()) else {
        let text = source[range.clone()].trim();
        let message = match (detail, text) {
            ("", "") => "this value is undefined".to_owned(),
            ("", text) => format!("`{text}` is undefined"),
            (detail, _) => detail.to_owned(),
        };
        return Problem::error(source, range, "undefined", message);
    };
    let place = find_name(source, &range, name).unwrap_or(range);
    Problem::error(source, place, "undefined", format!("`{name}` is undefined"))
}

/// The engine's range of a path may begin after its first part; the name's own place in the same tag is exact.
fn find_name(source: &str, range: &Range<usize>, name: &str) -> Option<Range<usize>> {
    let tag_start = tag_start(source, range.start.max(1));
    let limit = source.len().min(range.end + name.len() + 2);
    let area = widen(source, tag_start..limit);
    let mut best: Option<Range<usize>> = None;
    for (at, _) in source[area.clone()].match_indices(name) {
        let found = area.start + at..area.start + at + name.len();
        let distance = |place: &Range<usize>| place.start.abs_diff(range.start);
        if best.as_ref().is_none_or(|known| distance(&found) < distance(known)) {
            best = Some(found);
        }
    }
    best
}

/// Where the tag that holds or precedes `at` begins.
fn tag_start(source: &str, at: usize) -> usize {
    let before = &source[..widen(source, at..at).end];
    let block = before.rfind("{%").unwrap_or(0);
    let variable = before.rfind("{{").unwrap_or(0);
    let start = block.max(variable);
    // `{{{` is one opening, whichever two of its braces were found.
    start - before[..start].chars().rev().take_while(|c| *c == '{').count()
}

/// The engine begins the range of some expressions at the tag; an underline begins at the expression.
fn leaf(source: &str, range: Range<usize>) -> Range<usize> {
    let text = &source[range.clone()];
    if let Some(inner) = text.strip_prefix("{{") {
        let inner_start = range.end - inner.trim_start_matches(['-', '+']).trim_start().len();
        return inner_start..range.end;
    }
    // `.title` of `task.title`: take in the names before the dot.
    let mut start = range.start;
    if text.starts_with('.') || text.starts_with('[') {
        start = path_start(source, start);
    }
    start..range.end
}

/// Where a tag begins that stands inside another, when that is what the parser stumbled over.
fn inner_tag(source: &str, range: &Range<usize>, detail: &str) -> Option<usize> {
    let here = &source[range.start..];
    if detail.contains("expected end of") {
        return (here.starts_with("{{") || here.starts_with("{%")).then_some(range.start);
    }
    // It takes the braces for those of a map.
    let inner = source[..range.start].rfind("{{").filter(|_| detail == "unexpected `}`, expected `:`")?;
    let outer = &source[tag_start(source, inner)..inner];
    let is_open = outer.starts_with(['{']) && !outer.contains("}}") && !outer.contains("%}");
    is_open.then_some(inner)
}

fn explain_syntax(source: &str, range: Range<usize>, detail: &str) -> Problem {
    let problem = |code: &str, message: String| Problem::error(source, range.clone(), code, message);
    let tag = tag_start(source, range.end);
    let text = source[tag..].split('\n').next().unwrap_or_default();
    let body = text.trim_start_matches(['{', '%', '-', '+']).trim_start();
    let here = &source[range.start..];
    if text.starts_with("{{#")
        || text.starts_with("{{!")
        || text.starts_with("{{/")
        || text.starts_with("{{{")
        || text.starts_with("{{>")
    {
        return Problem::error(
            source,
            tag..range.end.max(tag + 3),
            "handlebars",
            "this looks like Handlebars; skills are written in Jinja",
        )
        .suggest("write {% if x %}…{% endif %} for {{#if x}}, and {{ x }} for {{{x}}}");
    }
    if body.starts_with("else if") {
        return problem("syntax", "`else if` is not Jinja".to_owned()).suggest("write {% elif … %}");
    }
    if body.starts_with("unless") {
        return problem("syntax", "`unless` is not Jinja".to_owned()).suggest("write {% if not … %}");
    }
    for (wrong, right) in [("&&", "and"), ("||", "or"), ("===", "=="), ("!==", "!="), ("!", "not")] {
        if here.starts_with(wrong) || (here.starts_with(['=', '&', '|']) && body.contains(wrong) && wrong != "!") {
            return problem("syntax", format!("`{wrong}` is not Jinja")).suggest(format!("write `{right}`"));
        }
    }
    if here.starts_with('=') && (body.starts_with("if") || body.starts_with("elif")) {
        return problem("syntax", "`=` does not compare".to_owned()).suggest("write `==`");
    }
    if detail.contains("unexpected identifier") && (here.starts_with("eq ") || here.starts_with("ne ")) {
        return problem("syntax", format!("`{}` is not an operator", &here[..2])).suggest(if here.starts_with("eq") {
            "write `==`"
        } else {
            "write `!=`"
        });
    }
    if let Some(statement) = detail.strip_prefix("unknown statement end") {
        return problem("syntax", format!("`end{statement}` closes nothing here"))
            .suggest("remove it, or close the block that is open with its own end");
    }
    for (opener, end, what) in [("{#", "#}", "comment"), ("{{", "}}", "variable block")] {
        if let Some(at) = source.rfind(opener)
            && detail.contains(&format!("end of {what}"))
            && !source[at..].contains(end)
        {
            return Problem::error(source, at..at + 2, "unclosed", format!("this `{opener}` is never closed"))
                .suggest(format!("add `{end}`"));
        }
    }
    if let Some(inner) = inner_tag(source, &range, detail) {
        let outer = tag_start(source, inner);
        let (opener, end) = if source[outer..].starts_with("{%") { ("{%", "%}") } else { ("{{", "}}") };
        if source[inner..].starts_with("{{") && detail.contains("expected `:`") {
            let message = "braces cannot stand inside a tag";
            return Problem::error(source, inner..inner + 2, "syntax", message).suggest("write the name alone, without braces");
        }
        let message = format!("this `{opener}` is not closed before the next tag begins");
        return Problem::error(source, outer..outer + 2, "unclosed", message).suggest(format!("add `{end}`"));
    }
    if detail.contains("unexpected end of input")
        && let Some((word, opener)) = unclosed(source)
    {
        // Where the text ends says nothing: the end is missing somewhere behind the opener.
        return Problem::error(source, opener, "unclosed", format!("this `{word}` is never closed"))
            .suggest(format!("add {{% end{word} %}}"));
    }
    if here.starts_with(['“', '”', '„', '‘', '’', '«', '»']) {
        return problem("syntax", "typographic quotes do not begin a text".to_owned()).suggest("write plain quotes: \"…\"");
    }
    if here.starts_with('\u{a0}') {
        return problem("syntax", "this is a no-break space (U+00A0)".to_owned()).suggest("write an ordinary space");
    }
    problem("syntax", if detail.is_empty() { "this is not a template".to_owned() } else { detail.to_owned() })
}
