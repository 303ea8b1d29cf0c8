//! What the seed page calls things, and where in a text something stands that belongs to another conversation.

use proem_core::context::seed::LeakPlace;
use proem_core::context::seed::{Counts, Mark, Reason, TermKind};
use proem_core::worker::context::{Compared, Found, SeedRow, SeedRowBlock, SeedSummary};
use std::ops::Range;

/// Why a block was left out, in the words of the rules.
pub fn reason_words(reason: &Reason) -> String {
    match reason {
        Reason::Thinking => "thinking".to_owned(),
        Reason::Notice { mark: Mark::ChannelNotice, .. } => "notice: kind".to_owned(),
        Reason::Notice { mark: Mark::Speaker, .. } => "notice: speaker".to_owned(),
        Reason::Repeats { id, .. } if id.is_empty() => "repeats a notice".to_owned(),
        Reason::Repeats { id, .. } => format!("repeats notice {id}"),
        Reason::Unanswered => "unanswered call".to_owned(),
        Reason::Orphaned => "orphaned result".to_owned(),
    }
}

/// What that means, for those who meet it first.
pub fn reason_meaning(reason: &Reason) -> &'static str {
    match reason {
        Reason::Thinking => "What the template thought belongs to the template.",
        Reason::Notice { mark: Mark::ChannelNotice, .. } => "A notice about channels, written for the template alone.",
        Reason::Notice { mark: Mark::Speaker, .. } => "A notice that names who spoke, written for the template alone.",
        Reason::Repeats { .. } => "The same text as a notice that was written for the template alone.",
        Reason::Unanswered => "A call to which no result belongs.",
        Reason::Orphaned => "A result to which no call belongs.",
    }
}

/// What was left out, with the words of the spawn line.
pub fn counts(counts: &Counts) -> [(&'static str, u64); 4] {
    let Counts { thinking, notices, unanswered, orphaned } = *counts;
    [
        ("thinking blocks", thinking),
        ("channel or by-name notices", notices),
        ("unanswered tool calls", unanswered),
        ("orphaned tool results", orphaned),
    ]
}

/// How the fork's own messages compare, in a sentence, and whether that is as it should be.
pub fn compared_words(compared: Compared, seeded: usize) -> (String, bool) {
    let Compared { own, same } = compared;
    match same {
        _ if own == 0 => ("The fork's file holds no message.".to_owned(), false),
        same if same == seeded => {
            let more = own - same;
            let after = if more == 0 { String::new() } else { format!(" {more} of its own follow.") };
            (format!("The fork begins with all {seeded} messages of this seed.{after}"), true)
        }
        same if same == own => (format!("All {own} messages of the fork are those of this seed, which has {seeded}."), false),
        0 => ("The fork's first message is another one than the seed's.".to_owned(), false),
        same => (format!("The first {same} messages are the same; message {} of the fork is another one.", same + 1), false),
    }
}

/// Whether anything stands in the way of what the page was asked for.
pub fn misses_a_name(summary: &SeedSummary) -> Option<&'static str> {
    match (summary.template.is_empty(), summary.fork.is_empty()) {
        (true, _) => Some("The dump does not say who the template is: name it above, so that its messages become the fork's."),
        (false, true) => Some("Name the fork above: what belongs to its own conversation is not counted among what remains."),
        _ => None,
    }
}

/// The terms that remain, in the order of their places.
pub fn by_place(found: &[Found]) -> Vec<(LeakPlace, Vec<Found>)> {
    let mut groups: Vec<(LeakPlace, Vec<Found>)> = Vec::new();
    for found in found {
        match groups.iter_mut().find(|(place, _)| *place == found.place) {
            Some((_, group)) => group.push(found.clone()),
            None => groups.push((found.place, vec![found.clone()])),
        }
    }
    groups
}

/// What a term is, in a word.
pub fn term_word(kind: TermKind) -> &'static str {
    match kind {
        TermKind::Identifier => "identifier",
        TermKind::Label => "label",
        TermKind::Name => "name",
    }
}

/// What a block still holds of other conversations, each once.
pub fn mentions(block: &SeedRowBlock) -> Vec<String> {
    let mut terms: Vec<String> = Vec::new();
    for leak in &block.leaks {
        if let Some(term) = leak.excerpt.get(leak.range.clone()).filter(|term| !terms.iter().any(|have| have == term)) {
            terms.push(term.to_owned());
        }
    }
    terms
}

/// A text cut where terms stand in it as whole words; true are the terms.
pub fn cut_at_terms(text: &str, terms: &[String]) -> Vec<(Range<usize>, bool)> {
    let mut hits: Vec<Range<usize>> = Vec::new();
    for term in terms.iter().filter(|term| !term.is_empty()) {
        hits.extend(text.match_indices(term.as_str()).map(|(at, _)| at..at + term.len()).filter(|hit| is_whole(text, hit)));
    }
    // Of two that begin together the longer one.
    hits.sort_by_key(|hit| (hit.start, std::cmp::Reverse(hit.end)));
    let mut pieces = Vec::new();
    let mut at = 0;
    for hit in hits {
        if hit.start < at {
            continue;
        }
        if hit.start > at {
            pieces.push((at..hit.start, false));
        }
        at = hit.end;
        pieces.push((hit, true));
    }
    if at < text.len() {
        pieces.push((at..text.len(), false));
    }
    pieces
}

fn is_whole(text: &str, hit: &Range<usize>) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '~' | '@');
    let before = &text[..hit.start];
    // In JSON a line end before a word looks like a letter.
    let free = before.ends_with("\\n") || before.ends_with("\\t") || !before.ends_with(is_word);
    free && !text[hit.end..].starts_with(is_word)
}

/// What the seed's side of a row says when there is nothing of the message.
pub fn absent_words(row: &SeedRow) -> &'static str {
    if row.blocks.is_empty() { "It was empty already." } else { "Left out altogether." }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proem_core::context::seed::{Leak, Term};

    #[test]
    fn reasons_have_the_words_of_the_rules() {
        let (id, mark) = ("m7".to_owned(), Mark::Speaker);
        let all = [
            Reason::Thinking,
            Reason::Notice { id: id.clone(), mark: Mark::ChannelNotice },
            Reason::Notice { id: id.clone(), mark },
            Reason::Repeats { id, mark },
            Reason::Repeats { id: String::new(), mark },
            Reason::Unanswered,
            Reason::Orphaned,
        ];
        let words = [
            "thinking",
            "notice: kind",
            "notice: speaker",
            "repeats notice m7",
            "repeats a notice",
            "unanswered call",
            "orphaned result",
        ];
        assert_eq!(all.each_ref().map(reason_words), words);
        assert!(all.iter().all(|reason| reason_meaning(reason).ends_with('.')));
    }

    #[test]
    fn a_fork_is_compared_in_a_sentence() {
        let say = |own, same, seeded| compared_words(Compared { own, same }, seeded);
        for (sentence, good) in [say(4, 4, 4), say(9, 4, 4)] {
            assert!(good && sentence.starts_with("The fork begins with all 4 messages"), "{sentence}");
        }
        assert!(say(9, 4, 4).0.ends_with("5 of its own follow."));
        assert!(say(2, 2, 4).0.starts_with("All 2 messages"));
        assert!(say(5, 2, 4).0.contains("message 3 of the fork"));
        assert!(say(5, 0, 4).0.contains("first message is another"));
        assert!(say(0, 0, 0).0.contains("no message"));
        assert!([say(2, 2, 4), say(5, 2, 4), say(5, 0, 4), say(0, 0, 0)].iter().all(|(_, good)| !good));
    }

    #[test]
    fn terms_are_found_as_whole_words_only() {
        let terms = ["slack:C2".to_owned(), "#general".to_owned(), "C2".to_owned(), "Ada Lovelace".to_owned()];
        let text = "slack:C2, slack:C22; x\\n#general é Ada Lovelace! AC2";
        let cut = cut_at_terms(text, &terms);
        assert_eq!(cut.iter().map(|(range, _)| &text[range.clone()]).collect::<String>(), text);
        let hits: Vec<&str> = cut.iter().filter(|(_, hit)| *hit).map(|(range, _)| &text[range.clone()]).collect();
        assert_eq!(hits, ["slack:C2", "#general", "Ada Lovelace"]);
        assert_eq!(cut_at_terms("", &terms), []);
        assert_eq!(cut_at_terms("plain", &[String::new()]), [(0..5, false)]);
    }

    #[test]
    fn a_block_mentions_each_term_once() {
        let leak = |excerpt: &str, range| Leak {
            term: 0,
            message: 0,
            block: 0,
            place: LeakPlace::Summary,
            excerpt: excerpt.into(),
            range,
        };
        let block = SeedRowBlock {
            kind: "text".into(),
            text: "a b".into(),
            reason: None,
            marked: None,
            leaks: vec![leak("see C2", 4..6), leak("C2 now", 0..2), leak("é", 1..2)],
        };
        assert_eq!(mentions(&block), ["C2"]);
    }

    #[test]
    fn what_remains_is_grouped_by_its_place() {
        let found = |text: &str, place| Found {
            term: Term { text: text.into(), kind: TermKind::Label, from: String::new(), channel: None },
            place,
            count: 1,
            first: 0,
        };
        let groups =
            by_place(&[found("a", LeakPlace::ToolResult), found("b", LeakPlace::ToolResult), found("a", LeakPlace::Summary)]);
        assert_eq!(
            groups.iter().map(|(place, group)| (*place, group.len())).collect::<Vec<_>>(),
            [(LeakPlace::ToolResult, 2), (LeakPlace::Summary, 1)]
        );
    }
}
