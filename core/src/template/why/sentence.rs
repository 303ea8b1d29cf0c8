//! The answer in a sentence.

use super::super::engine::probe::Event;
use super::super::lexemes::{TagKind, tags};
use super::super::sites::{Captured, SiteKind};
use super::reason::quoted;
use super::{Condition, Place, Reach, Wanted};

const TRIMMED: &str = "White space beside a tag is left out here.";

/// A condition kept the place out.
pub(super) fn blocked(condition: &Condition, is_filter: bool) -> String {
    let reasons = condition.reasons.iter().map(|reason| {
        let some = reason.rounds < condition.missed;
        if some { format!("{} ({} of {} times)", reason.text, reason.rounds, condition.missed) } else { reason.text.clone() }
    });
    let reasons = reasons.collect::<Vec<_>>().join(", and ");
    let line = condition.line;
    let often = if condition.missed > 1 { format!(" in any of {} rounds", condition.missed) } else { String::new() };
    match condition.wanted {
        _ if is_filter => {
            format!("Not reached: of {} items none passes the filter in line {line}, as {reasons}.", condition.missed)
        }
        Wanted::True | Wanted::Items => format!("Not reached{often}: {reasons} (line {line})."),
        Wanted::False => format!("Not reached{often}: the condition in line {line} holds, as {reasons}."),
        Wanted::Empty => format!("Not reached{often}: the loop in line {line} has something to go through, as {reasons}."),
    }
}

/// No condition kept the place out; `unseen` when one around it was never looked at.
pub(super) fn reached(place: &Place, unseen: bool) -> (Reach, String) {
    let Place { source, position, tracing, trace, rendered } = place;
    let tag = place.tag();
    let printed = tag.as_ref().map_or(0, |(range, _)| match rendered {
        Ok(rendered) => rendered
            .spans
            .iter()
            .map(|span| &span.template)
            .filter(|template| if template.contains(position) { true } else { !is_text(&tag) && within(template, range) })
            .count(),
        Err(_) => 0,
    });
    if printed > 0 {
        let blank = rendered.as_ref().is_ok_and(|rendered| rendered.text.trim().is_empty());
        let times = if printed == 1 { "once".to_owned() } else { format!("{printed} times") };
        let blank = if blank { ", but all that the text prints is blank" } else { "" };
        return (Reach::Printed, format!("It is there, printed {times}{blank}."));
    }
    if let Err(problem) = rendered {
        let here = tag.as_ref().is_some_and(|(range, _)| range.contains(&problem.range.0));
        let place = if here { "The text fails here".to_owned() } else { format!("The text fails in line {}", problem.line) };
        if here || unseen || !was_seen(place_of(tracing, &tag), trace) {
            return (Reach::Failed, format!("{place}: {}.", problem.message));
        }
    }
    let Some((range, kind)) = &tag else {
        let what = if place.is_comment() { "A comment is never printed." } else { TRIMMED };
        return (Reach::Silent, what.to_owned());
    };
    let captured =
        tracing.captured.iter().filter(|captured| captured.body.contains(position)).max_by_key(|captured| captured.body.start);
    if let Some(captured) = captured
        && (captured.keyword == "macro" || !unseen)
    {
        return capture(place, captured);
    }
    let jump = tracing.sites.iter().filter(|site| site.kind == SiteKind::For).filter_map(|site| site.yes.as_ref()).any(|body| {
        body.contains(position) && tracing.jumps.iter().any(|jump| body.contains(&jump.start) && jump.end <= *position)
    });
    let seen = place_of(tracing, &tag).map(|id| (id, values(trace, id)));
    match kind {
        TagKind::Print if seen.as_ref().is_some_and(|(_, values)| !values.is_empty()) => {
            let value = seen.and_then(|(_, values)| values.last().map(|value| (*value).to_owned())).unwrap_or_default();
            let site = place_of(tracing, &tag).map_or(range.clone(), |id| tracing.sites[id].range.clone());
            (Reach::Silent, format!("Reached, but it prints nothing: {} is {value}.", quoted(source, site)))
        }
        _ if jump => (Reach::NotReached, "Not reached: a `break` or `continue` before it ends the round.".to_owned()),
        _ if unseen => (Reach::NotReached, "Not reached: nothing asked for the conditions around it.".to_owned()),
        TagKind::Text if source[*position..].starts_with(char::is_whitespace) => (Reach::Silent, TRIMMED.to_owned()),
        TagKind::Block(_) => (Reach::Silent, "Reached; a tag prints nothing by itself.".to_owned()),
        TagKind::Text | TagKind::Print => (Reach::Silent, "Reached, but nothing of it is printed here.".to_owned()),
    }
}

/// The place is inside a block whose text goes elsewhere.
fn capture(place: &Place, captured: &Captured) -> (Reach, String) {
    let Place { source, tracing, trace, .. } = place;
    let inside = |id: &usize| tracing.sites.get(*id).is_some_and(|site| captured.body.contains(&site.range.start));
    let called = trace.events.iter().any(|event| matches!(event, Event::Seen { id, .. } if inside(id)));
    let names =
        tags(source).into_iter().flat_map(|tag| tag.lexemes).filter(|lexeme| source[lexeme.range.clone()] == captured.name);
    let calls = names.filter(|lexeme| !captured.body.contains(&lexeme.range.start)).count();
    let has_sites = (0..tracing.sites.len()).any(|id| inside(&id));
    match captured.keyword.as_str() {
        "macro" if !called && (has_sites || calls < 2) => {
            (Reach::NotReached, format!("Not reached: the macro `{}` is not called.", captured.name))
        }
        "macro" => (Reach::Silent, format!("What the macro `{}` prints stands where it is called.", captured.name)),
        "set" => (Reach::Silent, "What is printed here goes into a variable, and stands where that is printed.".to_owned()),
        "call" => (Reach::Silent, "What is printed here stands where the macro prints `caller()`.".to_owned()),
        _ => (Reach::Silent, "What is printed here goes through a filter, and stands at the filter's tag.".to_owned()),
    }
}

fn is_text(tag: &Option<(std::ops::Range<usize>, TagKind)>) -> bool {
    matches!(tag, Some((_, TagKind::Text)))
}

fn within(inner: &std::ops::Range<usize>, outer: &std::ops::Range<usize>) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}

/// The id of the value that a `{{ … }}` prints.
fn place_of(tracing: &super::Tracing, tag: &Option<(std::ops::Range<usize>, TagKind)>) -> Option<usize> {
    let (range, _) = tag.as_ref()?;
    tracing.sites.iter().position(|site| site.kind == SiteKind::Print && within(&site.range, range))
}

fn values(trace: &super::Trace, of: usize) -> Vec<&str> {
    let seen = trace.events.iter().filter_map(move |event| match event {
        Event::Seen { id, value, .. } if *id == of => Some(value.as_str()),
        _ => None,
    });
    seen.collect()
}

fn was_seen(id: Option<usize>, trace: &super::Trace) -> bool {
    id.is_some_and(|id| !values(trace, id).is_empty())
}
