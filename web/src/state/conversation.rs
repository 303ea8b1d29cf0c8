//! A replayed session: its turns, which of them are shown, and which one is chosen.

use proem_core::log::Turn;

/// The rows of all turns as the reader sent them. Turns are known by their position.
#[derive(Debug, Default)]
pub struct Conversation {
    turns: Vec<Turn>,
}

impl Conversation {
    /// From the rows in the order of the file.
    pub fn new(turns: Vec<Turn>) -> Conversation {
        Conversation { turns }
    }

    /// The turn at a position.
    pub fn turn(&self, position: usize) -> Option<&Turn> {
        self.turns.get(position)
    }

    /// All turns, hidden ones included.
    pub fn turns(&self) -> &[Turn] {
        &self.turns
    }

    /// Positions of the turns on screen: the listed ones, or all; the chosen one always.
    pub fn shown(&self, all: bool, chosen: Option<usize>) -> Vec<usize> {
        (0..self.turns.len()).filter(|at| all || self.turns[*at].listed || chosen == Some(*at)).collect()
    }

    /// Position of the turn that a reference in any form means (specs: iris-session-log, 7.3).
    pub fn find(&self, reference: &str) -> Option<usize> {
        let exact = |turn: &Turn| turn.reference == reference || turn.trace_id.as_deref() == Some(reference);
        let by_id = || reference.rsplit('@').next().filter(|id| !id.is_empty());
        let by_index = || reference.rsplit('~').next().and_then(|index| index.parse::<u64>().ok());
        self.turns
            .iter()
            .position(exact)
            .or_else(|| by_id().and_then(|id| self.turns.iter().position(|turn| turn.turn_id.as_deref() == Some(id))))
            .or_else(|| by_index().and_then(|index| self.turns.iter().position(|turn| turn.index == Some(index))))
    }

    /// The turn that is chosen when a link names none: the first one on screen.
    pub fn first(&self) -> Option<usize> {
        self.turns.iter().position(|turn| turn.listed).or((!self.turns.is_empty()).then_some(0))
    }
}

/// The position `by` places further among those shown; stays at the ends.
pub fn step(shown: &[usize], from: Option<usize>, by: isize) -> Option<usize> {
    let last = shown.len().checked_sub(1)?;
    let at = from.and_then(|from| shown.iter().position(|position| *position == from));
    let next = at.map_or(0, |at| at.saturating_add_signed(by).min(last));
    shown.get(next).copied()
}

#[cfg(test)]
mod tests {
    use super::{Conversation, step};
    use proem_core::log::Log;

    fn example() -> Conversation {
        let bytes = include_bytes!("../../../public/example/session-example.jsonl").to_vec();
        let log = Log::read("session-example.jsonl", bytes, &mut || ()).unwrap();
        Conversation::new(log.turns().to_vec())
    }

    #[test]
    fn hidden_turns_come_on_demand_or_when_chosen() {
        let talk = example();
        assert_eq!(talk.shown(false, None), [0, 1, 2, 3, 4, 5, 6, 7, 9]);
        assert_eq!(talk.shown(false, Some(8)).len(), 10);
        assert_eq!(talk.shown(true, None).len(), 10);
    }

    #[test]
    fn a_turn_is_found_by_every_form_of_its_reference() {
        let talk = example();
        let third = &talk.turns()[2];
        let id = third.turn_id.clone().unwrap();
        for form in [third.reference.clone(), "example~2".to_owned(), format!("other@{id}"), id, "~2".to_owned(), "2".to_owned()]
        {
            assert_eq!(talk.find(&form), Some(2), "{form}");
        }
        for form in ["", "example~99", "example@", "nobody"] {
            assert_eq!(talk.find(form), None, "{form}");
        }
        assert_eq!(talk.first(), Some(0));
        assert_eq!(Conversation::default().first(), None);
    }

    #[test]
    fn steps_stay_inside() {
        let shown = [0, 2, 5];
        assert_eq!(step(&shown, None, 1), Some(0));
        assert_eq!(step(&shown, Some(2), 1), Some(5));
        assert_eq!(step(&shown, Some(5), 1), Some(5));
        assert_eq!(step(&shown, Some(0), -1), Some(0));
        assert_eq!(step(&[], Some(0), 1), None);
    }
}
