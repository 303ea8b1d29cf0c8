//! What a cache layout is called, and the two requests that the meter begins with.

use super::wording::number;
use proem_core::context::cache::{LayoutName, Measured, Meter, Ttl};
use serde_json::{Value, json};

/// A layout in words.
pub fn layout_words(layout: LayoutName) -> &'static str {
    match layout {
        LayoutName::A => "Layout A: three system blocks and a mark at the top level",
        LayoutName::B => "Layout B: up to three marked system blocks; the fourth mark is unused",
        LayoutName::C => "Layout C: four system blocks, the last one for setup and variables",
        LayoutName::Flat => "One text without marks, as providers without such a cache are given",
        LayoutName::Unknown => "No layout that is known here",
    }
}

/// How long a part is kept, in words.
pub fn ttl_words(ttl: Ttl) -> &'static str {
    match ttl {
        Ttl::None => "no mark",
        Ttl::FiveMinutes => "5 min",
        Ttl::OneHour => "1 h",
    }
}

/// How a part compares with the request before.
pub fn stable_words(part: &Measured) -> String {
    match part.stable {
        stable if stable == part.bytes => "all of it is the same".to_owned(),
        0 => "nothing is the same".to_owned(),
        stable => format!("the first {} are the same", bytes(stable)),
    }
}

/// What a byte that changes with every turn would cost at its start.
pub fn cost_words(part: &Measured) -> String {
    match part.turn_local_cost {
        0 => "nothing: it is not read from the cache".to_owned(),
        cost => format!("{} sent anew with every turn", bytes(cost)),
    }
}

/// The whole in one sentence.
pub fn sum_words(meter: &Meter) -> String {
    match meter.cacheable {
        0 => "Nothing is marked, so nothing is kept.".to_owned(),
        all => format!("{} of the {} up to the last mark come from the cache.", bytes(meter.cached), bytes(all)),
    }
}

/// A share in percent, for drawing.
pub fn percent(part: usize, whole: usize) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 * 100.0 / whole as f64 }
}

fn bytes(count: usize) -> String {
    format!("{} byte{}", number(count as u64), if count == 1 { "" } else { "s" })
}

/// Two requests of one conversation, one after the other.
pub fn example() -> (String, String) {
    let marked =
        |text: &str, ttl: &str| json!({ "type": "text", "text": text, "cache_control": { "type": "ephemeral", "ttl": ttl } });
    let request = |time: &str, more: &[Value]| {
        let preface = format!(
            "<retrieved_content provenance=\"system-config\" origin=\"temporal\" fetched_at=\"{time}\">\n## Context Facts\n- Time: {time}\n</retrieved_content>"
        );
        let mut messages = vec![json!({ "role": "user", "content": preface })];
        messages.push(json!({ "role": "user", "content": "When does the pool open?" }));
        messages.extend_from_slice(more);
        let body = json!({
            "tools": [{ "name": "search", "description": "Searches the house's pages." }],
            "system": [
                marked("You answer guests of the lido. You never promise a place. Quote the price list word for word.", "1h"),
                marked("Workspace: lido. Skills: prices, opening hours, lost property.", "1h"),
                marked("The guest is a member since 2019.", "5m"),
            ],
            "messages": messages,
        });
        serde_json::to_string_pretty(&body).unwrap_or_default()
    };
    let later = [json!({ "role": "assistant", "content": "At nine." }), json!({ "role": "user", "content": "And on Sundays?" })];
    (request("2026-01-02T08:30:00.000Z", &[]), request("2026-01-02T08:31:10.000Z", &later))
}

#[cfg(test)]
mod tests {
    use super::{cost_words, example, percent, stable_words, sum_words};
    use proem_core::context::cache::{LayoutName, meter, request};

    #[test]
    fn the_example_is_read_from_the_cache_up_to_its_last_mark() {
        let (earlier, later) = example();
        let meter = meter(&request(&earlier).unwrap(), &request(&later).unwrap());
        assert_eq!((meter.layout, meter.findings.len()), (LayoutName::B, 0));
        assert_eq!((meter.cached, meter.cacheable > 200), (meter.cacheable, true));
        assert!(meter.parts[4].preface && meter.parts[4].stable < meter.parts[4].bytes);
        assert_eq!(stable_words(&meter.parts[1]), "all of it is the same");
        assert!(stable_words(&meter.parts[4]).starts_with("the first "));
        assert!(cost_words(&meter.parts[0]).ends_with("sent anew with every turn"));
        assert!(cost_words(&meter.parts[4]).starts_with("nothing"));
        assert!(sum_words(&meter).contains("come from the cache"));
        assert_eq!([percent(1, 4), percent(0, 0)], [25.0, 0.0]);
    }
}
