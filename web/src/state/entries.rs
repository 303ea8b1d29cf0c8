//! The entries of a preface while they are written: added, changed, moved, taken away and brought back.

use proem_core::context::preface::{Entry, Tier};

/// A field of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    /// The source.
    Source,
    /// The origin.
    Origin,
    /// The text.
    Body,
    /// The time of fetching.
    FetchedAt,
}

/// An entry that keeps its number while it moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Keyed {
    /// Its number, never used twice on a page.
    pub key: u32,
    /// The entry.
    pub entry: Entry,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Undo {
    /// One was at this place.
    Removed(usize, Keyed),
    /// These were there in place of the present ones.
    Replaced(Vec<Keyed>),
}

/// The entries of the page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EntryList {
    entries: Vec<Keyed>,
    next: u32,
    undo: Option<Undo>,
}

/// What can be named as a source: the tiers, then the beginnings of content keys.
pub fn sources() -> impl Iterator<Item = &'static str> {
    Tier::ALL.into_iter().map(Tier::as_str).chain(["memory:", "artifact:", "web:https://"])
}

impl EntryList {
    /// Starts with entries.
    pub fn of(entries: Vec<Entry>) -> EntryList {
        let mut list = EntryList::default();
        list.put(entries);
        list
    }

    /// Reads what [`Self::to_json`] wrote.
    pub fn from_json(json: &str) -> Option<EntryList> {
        serde_json::from_str(json).ok().map(EntryList::of)
    }

    /// The entries as they can be pasted again.
    pub fn to_json(&self) -> String {
        // Texts always can be written.
        serde_json::to_string_pretty(&self.all()).unwrap_or_default()
    }

    /// In order.
    pub fn all(&self) -> Vec<Entry> {
        self.entries.iter().map(|keyed| keyed.entry.clone()).collect()
    }

    /// With their numbers, in order.
    pub fn keyed(&self) -> &[Keyed] {
        &self.entries
    }

    /// How many.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// None at all.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Place of a number.
    pub fn place(&self, key: u32) -> Option<usize> {
        self.entries.iter().position(|keyed| keyed.key == key)
    }

    /// The entry with a number.
    pub fn entry(&self, key: u32) -> Option<&Entry> {
        self.entries.iter().find(|keyed| keyed.key == key).map(|keyed| &keyed.entry)
    }

    /// Adds one at the end and says its number.
    pub fn add(&mut self, entry: Entry) -> u32 {
        self.forget_replaced();
        let key = self.number();
        self.entries.push(Keyed { key, entry });
        key
    }

    /// Changes a field. An empty time is none.
    pub fn change(&mut self, key: u32, field: Field, value: String) {
        let Some(place) = self.place(key) else { return };
        self.forget_replaced();
        let entry = &mut self.entries[place].entry;
        match field {
            Field::Source => entry.source = value,
            Field::Origin => entry.origin = value,
            Field::Body => entry.body = value,
            Field::FetchedAt => entry.fetched_at = Some(value).filter(|value| !value.is_empty()),
        }
    }

    /// Moves one by so many places; false when it is at the end already.
    pub fn shift(&mut self, key: u32, by: isize) -> bool {
        let Some(from) = self.place(key) else { return false };
        let Some(to) = from.checked_add_signed(by).filter(|to| *to < self.entries.len()) else { return false };
        self.forget_replaced();
        let moved = self.entries.remove(from);
        self.entries.insert(to, moved);
        true
    }

    /// Takes one away and says which one is in its place now, or before it.
    pub fn remove(&mut self, key: u32) -> Option<u32> {
        let place = self.place(key)?;
        let removed = self.entries.remove(place);
        self.undo = Some(Undo::Removed(place, removed));
        self.entries.get(place).or(self.entries.last()).map(|keyed| keyed.key)
    }

    /// Puts others in their place.
    pub fn replace(&mut self, entries: Vec<Entry>) {
        let before = std::mem::take(&mut self.entries);
        self.put(entries);
        self.undo = (!before.is_empty()).then_some(Undo::Replaced(before));
    }

    /// Brings back what was taken away last, and says which one to go to.
    pub fn undo(&mut self) -> Option<u32> {
        match self.undo.take()? {
            Undo::Removed(place, keyed) => {
                let key = keyed.key;
                self.entries.insert(place.min(self.entries.len()), keyed);
                Some(key)
            }
            Undo::Replaced(entries) => {
                self.entries = entries;
                self.entries.first().map(|keyed| keyed.key)
            }
        }
    }

    /// What can be brought back, in words.
    pub fn undo_words(&self) -> Option<String> {
        match self.undo.as_ref()? {
            Undo::Removed(place, _) => Some(format!("Entry {} was removed.", place + 1)),
            Undo::Replaced(before) => Some(format!(
                "{} before {} replaced.",
                if before.len() == 1 { "The entry".to_owned() } else { format!("The {} entries", before.len()) },
                if before.len() == 1 { "was" } else { "were" }
            )),
        }
    }

    /// Once the present ones are worked on, those before are gone.
    fn forget_replaced(&mut self) {
        self.undo = self.undo.take().filter(|undo| matches!(undo, Undo::Removed(..)));
    }

    fn put(&mut self, entries: Vec<Entry>) {
        self.entries = entries.into_iter().map(|entry| Keyed { key: self.number(), entry }).collect();
    }

    fn number(&mut self) -> u32 {
        self.next = self.next.wrapping_add(1);
        self.next
    }
}

#[cfg(test)]
mod tests {
    use super::{EntryList, Field};
    use proem_core::context::preface::Entry;

    fn list(sources: &[&str]) -> EntryList {
        EntryList::of(sources.iter().map(|source| Entry { source: (*source).to_owned(), ..Entry::default() }).collect())
    }

    fn sources(list: &EntryList) -> String {
        list.all().into_iter().map(|entry| entry.source).collect()
    }

    #[test]
    fn entries_move_and_keep_their_numbers() {
        let mut entries = list(&["a", "b", "c"]);
        let b = entries.keyed()[1].key;
        assert!(entries.shift(b, 1));
        assert!(!entries.shift(b, 1));
        assert_eq!((sources(&entries).as_str(), entries.place(b)), ("acb", Some(2)));
        assert!(entries.shift(b, -1) && entries.shift(b, -1) && !entries.shift(b, -1));
        assert_eq!(sources(&entries), "bac");
        entries.change(b, Field::FetchedAt, "now".into());
        assert_eq!(entries.entry(b).unwrap().fetched_at.as_deref(), Some("now"));
        entries.change(b, Field::FetchedAt, String::new());
        assert_eq!(entries.entry(b).unwrap().fetched_at, None);
    }

    #[test]
    fn what_was_removed_comes_back_to_its_place_whatever_was_done_since() {
        let mut entries = list(&["a", "b", "c"]);
        let keys: Vec<u32> = entries.keyed().iter().map(|keyed| keyed.key).collect();
        assert_eq!(entries.remove(keys[2]), Some(keys[1]));
        assert_eq!(entries.undo_words().as_deref(), Some("Entry 3 was removed."));
        assert_eq!(entries.undo(), Some(keys[2]));
        assert_eq!(entries.remove(keys[0]), Some(keys[1]));
        entries.change(keys[1], Field::Source, "B".into());
        let added = entries.add(Entry { source: "d".into(), ..Entry::default() });
        assert!(!keys.contains(&added));
        assert_eq!(entries.undo(), Some(keys[0]));
        assert_eq!(sources(&entries), "aBcd");
        assert_eq!((entries.undo(), entries.undo_words()), (None, None));
        let mut last = list(&["a"]);
        assert_eq!(last.remove(last.keyed()[0].key), None);
        assert!(last.is_empty());
    }

    #[test]
    fn what_was_replaced_comes_back_until_the_new_ones_are_worked_on() {
        let mut entries = list(&["a", "b"]);
        entries.replace(list(&["x"]).all());
        assert_eq!(entries.undo_words().as_deref(), Some("The 2 entries before were replaced."));
        entries.undo();
        assert_eq!(sources(&entries), "ab");
        entries.replace(list(&["x"]).all());
        let x = entries.keyed()[0].key;
        entries.change(x, Field::Source, "y".into());
        assert_eq!(entries.undo(), None);
        let mut none = EntryList::default();
        none.replace(list(&["x"]).all());
        assert_eq!(none.undo_words(), None);
    }

    #[test]
    fn kept_entries_are_those_that_can_be_pasted() {
        let mut entries = list(&["a", "external"]);
        let first = entries.keyed()[0].key;
        entries.change(first, Field::Body, "line 1\nline 2 \"\u{feff}".into());
        let again = EntryList::from_json(&entries.to_json()).unwrap();
        assert_eq!(again.all(), entries.all());
        assert_eq!(EntryList::from_json("{"), None);
        assert_eq!(super::sources().count(), 7);
    }
}
