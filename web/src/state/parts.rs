//! A long list of which only the parts near those on screen are here: pages that come and go, so that it never stands here whole.

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::Arc;

/// Entries that are asked for together.
pub const PAGE: usize = 16;
/// So many pages are kept, the wanted ones first.
pub const KEPT: usize = 48;

/// What is known of one entry.
#[derive(Clone, Debug)]
pub enum Part<T> {
    /// It is on its way.
    Waiting,
    /// Here it is.
    Here(Arc<T>),
    /// A sentence says why it is not.
    Failed(String),
}

impl<T> PartialEq for Part<T> {
    fn eq(&self, other: &Part<T>) -> bool {
        match (self, other) {
            (Part::Waiting, Part::Waiting) => true,
            (Part::Here(one), Part::Here(two)) => Arc::ptr_eq(one, two),
            (Part::Failed(one), Part::Failed(two)) => one == two,
            _ => false,
        }
    }
}

type Page<T> = Result<Vec<Arc<T>>, String>;

/// The pages that are here, latest arrival last.
#[derive(Debug)]
pub struct Parts<T> {
    pages: VecDeque<(usize, Page<T>)>,
}

impl<T> Default for Parts<T> {
    fn default() -> Parts<T> {
        Parts { pages: VecDeque::new() }
    }
}

impl<T> Parts<T> {
    /// The entry at a position.
    pub fn of(&self, position: usize) -> Part<T> {
        match self.page(page_of(position)) {
            None => Part::Waiting,
            // A page may end early only when the list does, and then nobody asks for what is behind.
            Some(Ok(page)) => page.get(position % PAGE).map_or(Part::Waiting, |entry| Part::Here(entry.clone())),
            Some(Err(sentence)) => Part::Failed(sentence.clone()),
        }
    }

    /// The first page that is not here of those that hold the wanted entries.
    pub fn missing(&self, wanted: &[usize]) -> Option<usize> {
        wanted.iter().map(|position| page_of(*position)).find(|page| self.page(*page).is_none())
    }

    /// A page came, or failed with a sentence. The oldest ones that nobody wants make room for it.
    pub fn take(&mut self, page: usize, answer: Result<Vec<T>, String>, wanted: &[usize]) {
        self.pages.retain(|(at, _)| *at != page);
        self.pages.push_back((page, answer.map(|entries| entries.into_iter().map(Arc::new).collect())));
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

    fn page(&self, page: usize) -> Option<&Page<T>> {
        self.pages.iter().find(|(at, _)| *at == page).map(|(_, page)| page)
    }
}

/// The page that holds a position.
pub fn page_of(position: usize) -> usize {
    position / PAGE
}

/// The positions of a page, whether or not the list has so many.
pub fn places_of(page: usize) -> Range<usize> {
    page * PAGE..(page + 1) * PAGE
}

#[cfg(test)]
mod tests {
    use super::{KEPT, PAGE, Part, Parts, page_of, places_of};

    fn page(words: &str) -> Vec<String> {
        (0..PAGE).map(|at| format!("{words} {at}")).collect()
    }

    #[test]
    fn entries_arrive_by_pages() {
        let mut parts = Parts::<String>::default();
        let wanted: Vec<usize> = (PAGE - 2..PAGE + 2).collect();
        assert_eq!((parts.missing(&wanted), parts.of(PAGE)), (Some(0), Part::Waiting));
        parts.take(0, Ok(page("a")), &wanted);
        assert_eq!(parts.missing(&wanted), Some(1));
        parts.take(1, Ok(page("b")), &wanted);
        assert_eq!(parts.missing(&wanted), None);
        let Part::Here(words) = parts.of(PAGE + 1) else { panic!("nothing is here") };
        assert_eq!(*words, "b 1");
        assert!(places_of(page_of(PAGE + 1)).contains(&(PAGE + 1)));
    }

    #[test]
    fn a_failed_page_is_not_asked_for_again_by_itself() {
        let mut parts = Parts::<String>::default();
        parts.take(2, Err("it broke".into()), &[PAGE * 2]);
        assert_eq!((parts.missing(&[PAGE * 2]), parts.of(PAGE * 2)), (None, Part::Failed("it broke".into())));
        parts.forget_failures();
        assert_eq!(parts.missing(&[PAGE * 2]), Some(2));
    }

    #[test]
    fn the_oldest_go_but_never_a_wanted_one() {
        let mut parts = Parts::<String>::default();
        let wanted = [0, PAGE];
        for at in 0..KEPT + 10 {
            parts.take(at, Ok(page("x")), &wanted);
        }
        assert_eq!(parts.pages.len(), KEPT);
        assert_eq!(parts.missing(&[0, PAGE, (KEPT + 9) * PAGE]), None);
        assert_eq!(parts.missing(&[2 * PAGE]), Some(2));
    }
}
