//! The conditions around a place in words: what each had to be, and what it was.

use proem_core::template::why::{Condition, Wanted};

/// "Must be true, and was."
pub fn told(condition: &Condition) -> String {
    let wanted = match condition.wanted {
        Wanted::True => "be true",
        Wanted::False => "be false",
        Wanted::Items => "have items",
        Wanted::Empty => "be empty",
    };
    let did = if condition.wanted == Wanted::Items { ("had", "had none") } else { ("was", "was not") };
    match (condition.met, condition.missed) {
        (0, 0) => format!("Must {wanted}; it was not looked at."),
        (_, 0) => format!("Must {wanted}, and {}.", did.0),
        (0, _) => format!("Must {wanted}, and {}.", did.1),
        (met, missed) => format!("Must {wanted}, and {}: {met} of {} times.", did.0, met + missed),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_had_to_be_and_what_was() {
        let of = |wanted, met, missed| {
            told(&Condition { range: (0, 1), line: 1, text: "a".into(), wanted, met, missed, reasons: Vec::new() })
        };
        assert_eq!(of(Wanted::True, 0, 1), "Must be true, and was not.");
        assert_eq!(of(Wanted::False, 2, 0), "Must be false, and was.");
        assert_eq!(of(Wanted::Items, 0, 1), "Must have items, and had none.");
        assert_eq!(of(Wanted::Items, 1, 1), "Must have items, and had: 1 of 2 times.");
        assert_eq!(of(Wanted::Empty, 0, 0), "Must be empty; it was not looked at.");
    }
}
