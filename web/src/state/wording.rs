//! What the session pages call things: plain words for what the log says in codes.

use proem_core::log::{OpenedBy, Outcome, Turn, TurnDurationSource};
use proem_core::trace::{DurationSource, duration_text};

/// Who opened a turn, in words.
pub fn opened_by(by: OpenedBy) -> &'static str {
    match by {
        OpenedBy::User => "A person",
        OpenedBy::System => "Nobody typed this: the system opened the turn",
        OpenedBy::Agent => "Another agent",
        OpenedBy::Unknown => "Resumed run",
    }
}

/// How a turn ended, in a word or two.
pub fn outcome(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Ok => "Answered",
        Outcome::Refused => "Refused",
        Outcome::Halted => "Halted by a check",
        Outcome::Failed => "Failed",
        Outcome::Error => "Error",
        Outcome::Unanswered => "Ended without a result",
    }
}

/// A turn's duration, and where it comes from.
pub fn turn_duration(turn: &Turn) -> (String, &'static str) {
    if turn.outcome == Outcome::Unanswered {
        return ("no end logged".to_owned(), "the log has no answer in this turn");
    }
    match turn.duration_source {
        TurnDurationSource::Reported => (duration_text(turn.duration_ms), "as the log reported it"),
        TurnDurationSource::Span => {
            (format!("{} by its stamps", duration_text(turn.duration_ms)), "from the opening to the last answer or stamp")
        }
        TurnDurationSource::None => ("no end logged".to_owned(), "the log has no end for this turn"),
    }
}

/// Where a call's duration comes from.
pub fn duration_source(source: DurationSource) -> &'static str {
    match source {
        DurationSource::Measured => "measured: the log holds it",
        DurationSource::Span => "between two stamps of this work",
        DurationSource::Gap => "up to the start of what came next",
        DurationSource::Estimated => "estimated: a constant, left out of sums",
        DurationSource::Open => "no end logged; up to the latest stamp of the turn",
        DurationSource::Reported => "the turn's own, as the log reported it",
        DurationSource::None => "nothing logged",
    }
}

/// A kind of call in words.
pub fn call_kind(kind: &str) -> &str {
    match kind {
        "runtime" => "Runtime",
        "intent_router" => "Intent router",
        "memory" => "Memory",
        "task_planner" => "Planner",
        "agent" => "Agent",
        "handler" => "Handler",
        "response_curator" => "Response curator",
        "guard" => "Response check",
        "governance" => "Decision",
        "tool" => "Tool",
        "llm" => "Model call",
        "error" => "Error",
        other => other,
    }
}

/// The family of a kind of call, which has a colour of its own.
pub fn call_family(kind: &str) -> &'static str {
    match kind {
        "agent" | "handler" => "agent",
        "llm" => "llm",
        "tool" => "tool",
        "guard" | "response_curator" => "guard",
        "governance" => "governance",
        "error" => "error",
        _ => "runtime",
    }
}

/// `1 turn`, `2 turns`, `1,204 turns`.
pub fn counted(count: u64, word: &str) -> String {
    format!("{} {word}{}", number(count), if count == 1 { "" } else { "s" })
}

/// `1 entry`, `2 entries`.
pub fn counted_as(count: usize, one: &str, many: &str) -> String {
    format!("{} {}", number(count as u64), if count == 1 { one } else { many })
}

/// Digits in groups of three.
pub fn number(value: u64) -> String {
    let digits = value.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `812 bytes`, `12 KB`, `3.4 MB`.
pub fn file_size(bytes: u64) -> String {
    match bytes {
        0..1_000 => counted(bytes, "byte"),
        1_000..999_500 => format!("{} KB", (bytes as f64 / 1e3).round()),
        999_500..999_950_000 => format!("{:.1} MB", bytes as f64 / 1e6),
        _ => format!("{:.1} GB", bytes as f64 / 1e9),
    }
}

/// The beginning of a text that is too long to show at once, or none: at most so many characters and lines.
pub fn beginning(text: &str) -> Option<&str> {
    const CHARACTERS: usize = 1_600;
    const LINES: usize = 24;
    let by_lines = text.match_indices('\n').nth(LINES - 1).map(|(at, _)| at);
    let by_characters = text.char_indices().nth(CHARACTERS).map(|(at, _)| at);
    let cut = by_lines.into_iter().chain(by_characters).min()?;
    // A text only a little longer is shown whole.
    (text.len() - cut > 200).then(|| &text[..cut])
}

/// A text longer than this is shown piece by piece, bytes.
pub const LONG_PIECE: usize = 64 * 1024;

/// How many bytes of a long text are shown after another piece was asked for, when so many are now.
pub fn pieces_to_show(text: &str, now: usize) -> usize {
    text.ceil_char_boundary(now.saturating_add(LONG_PIECE).min(text.len()))
}

#[cfg(test)]
mod tests {
    use super::{LONG_PIECE, beginning, counted, file_size, number, pieces_to_show};

    #[test]
    fn numbers_and_sizes() {
        assert_eq!([0, 999, 1000, 1_234_567].map(number), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!(counted(1, "turn"), "1 turn");
        assert_eq!(counted(0, "turn"), "0 turns");
        let sizes = [1, 812, 1_000, 12_345, 999_499, 999_500, 3_400_000, 2_147_483_648].map(file_size);
        assert_eq!(sizes, ["1 byte", "812 bytes", "1 KB", "12 KB", "999 KB", "1.0 MB", "3.4 MB", "2.1 GB"]);
    }

    #[test]
    fn huge_texts_grow_by_pieces() {
        let text = "é".repeat(LONG_PIECE);
        assert_eq!(pieces_to_show(&text, 0), LONG_PIECE);
        assert_eq!(pieces_to_show(&text, LONG_PIECE), text.len());
        assert_eq!(pieces_to_show(&text, text.len()), text.len());
        let odd = format!("x{text}");
        assert_eq!(pieces_to_show(&odd, 0), LONG_PIECE + 1);
    }

    #[test]
    fn long_texts_are_cut_between_characters() {
        assert_eq!(beginning("short"), None);
        assert_eq!(beginning(&"é".repeat(1_650)), None);
        assert_eq!(beginning(&"é".repeat(3_000)).map(|text| text.chars().count()), Some(1_600));
        let lines = "a line\n".repeat(100);
        assert_eq!(beginning(&lines).map(|text| text.lines().count()), Some(24));
    }
}
