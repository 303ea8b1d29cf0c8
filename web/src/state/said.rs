//! What was said in the turns near those on screen: pages of turns that come and go, so that a long log never stands here whole.

use proem_core::log::Message;
use std::collections::VecDeque;
use std::ops::Range;
use std::sync::Arc;

/// Turns that are asked for together.
pub const PAGE: usize = 16;
/// So many pages are kept, the wanted ones first.
pub const KEPT: usize = 48;

/// What is known of the words of one turn.
#[derive(Clone, Debug)]
pub enum Heard {
    /// They are on their way.
    Waiting,
    /// Here they are.
    Here(Arc<Vec<Message>>),
    /// A sentence says why they are not.
    Failed(String),
}

impl PartialEq for Heard {
    fn eq(&self, other: &Heard) -> bool {
        match (self, other) {
            (Heard::Waiting, Heard::Waiting) => true,
            (Heard::Here(one), Heard::Here(two)) => Arc::ptr_eq(one, two),
            (Heard::Failed(one), Heard::Failed(two)) => one == two,
            _ => false,
        }
    }
}

type Page = Result<Vec<Arc<Vec<Message>>>, String>;

/// The pages that are here, latest arrival last.
#[derive(Debug, Default)]
pub struct Said {
    pages: VecDeque<(usize, Page)>,
}

impl Said {
    /// What was said in the turn at a position.
    pub fn of(&self, position: usize) -> Heard {
        match self.page(page_of(position)) {
            None => Heard::Waiting,
            // A page may end early only when the log does, and then nobody asks for what is behind.
            Some(Ok(said)) => said.get(position % PAGE).map_or(Heard::Waiting, |said| Heard::Here(said.clone())),
            Some(Err(sentence)) => Heard::Failed(sentence.clone()),
        }
    }

    /// The first page that is not here of those that hold the wanted turns.
    pub fn missing(&self, wanted: &[usize]) -> Option<usize> {
        wanted.iter().map(|position| page_of(*position)).find(|page| self.page(*page).is_none())
    }

    /// A page came, or failed with a sentence. The oldest ones that nobody wants make room for it.
    pub fn take(&mut self, page: usize, answer: Result<Vec<Vec<Message>>, String>, wanted: &[usize]) {
        self.pages.retain(|(at, _)| *at != page);
        self.pages.push_back((page, answer.map(|said| said.into_iter().map(Arc::new).collect())));
        while self.pages.len() > KEPT {
            let spare = self.pages.iter().position(|(at, _)| *at != page && !wanted.iter().any(|turn| page_of(*turn) == *at));
            let Some(spare) = spare else { break };
            self.pages.remove(spare);
        }
    }

    /// Forgets what failed, so that it is asked for again.
    pub fn forget_failures(&mut self) {
        self.pages.retain(|(_, page)| page.is_ok());
    }

    fn page(&self, page: usize) -> Option<&Page> {
        self.pages.iter().find(|(at, _)| *at == page).map(|(_, page)| page)
    }
}

/// The page that holds the turn at a position.
pub fn page_of(position: usize) -> usize {
    position / PAGE
}

/// The positions of a page's turns, whether or not the log has so many.
pub fn turns_of(page: usize) -> Range<usize> {
    page * PAGE..(page + 1) * PAGE
}

#[cfg(test)]
mod tests {
    use super::{Heard, KEPT, PAGE, Said, page_of, turns_of};
    use proem_core::log::{Message, Role};

    fn page(words: &str) -> Vec<Vec<Message>> {
        let message = |turn: usize| Message {
            role: Role::User,
            text: format!("{words} {turn}"),
            ts: None,
            reference: String::new(),
            is_final: false,
            outcome: None,
            code: None,
        };
        (0..PAGE).map(|turn| vec![message(turn)]).collect()
    }

    #[test]
    fn words_arrive_by_pages() {
        let mut said = Said::default();
        let wanted: Vec<usize> = (PAGE - 2..PAGE + 2).collect();
        assert_eq!((said.missing(&wanted), said.of(PAGE)), (Some(0), Heard::Waiting));
        said.take(0, Ok(page("a")), &wanted);
        assert_eq!(said.missing(&wanted), Some(1));
        said.take(1, Ok(page("b")), &wanted);
        assert_eq!(said.missing(&wanted), None);
        let Heard::Here(words) = said.of(PAGE + 1) else { panic!("nothing was heard") };
        assert_eq!(words[0].text, "b 1");
        assert!(turns_of(page_of(PAGE + 1)).contains(&(PAGE + 1)));
    }

    #[test]
    fn a_failed_page_is_not_asked_for_again_by_itself() {
        let mut said = Said::default();
        said.take(2, Err("it broke".into()), &[PAGE * 2]);
        assert_eq!((said.missing(&[PAGE * 2]), said.of(PAGE * 2)), (None, Heard::Failed("it broke".into())));
        said.forget_failures();
        assert_eq!(said.missing(&[PAGE * 2]), Some(2));
    }

    #[test]
    fn the_oldest_go_but_never_a_wanted_one() {
        let mut said = Said::default();
        let wanted = [0, PAGE];
        for at in 0..KEPT + 10 {
            said.take(at, Ok(page("x")), &wanted);
        }
        assert_eq!(said.pages.len(), KEPT);
        assert_eq!(said.missing(&[0, PAGE, (KEPT + 9) * PAGE]), None);
        assert_eq!(said.missing(&[2 * PAGE]), Some(2));
    }
}
