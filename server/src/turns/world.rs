//! What a turn needs of the world: the clock, random ids, and somewhere to put its events and decisions until they are stored.

use super::files::Loaded;
use crate::clock;
use crate::store::{self, Place, Ran, Turn};
use proem_core::ledger::LedgerRow;
use proem_core::turn::{self, Opening, Request, SkillLine, World};

/// Called at every named point of a turn's way into the store; an error ends it there. Nobody listens in production.
pub type Points<'a> = &'a mut (dyn FnMut(&str) -> store::Result<()> + Send);

/// A turn that waits to be run by the store.
pub(super) struct Runner<'a> {
    pub config: &'a Loaded,
    pub place: Place<'a>,
    pub opening: Opening<'a>,
    pub points: Points<'a>,
}

impl Turn for Runner<'_> {
    fn run(&mut self, session_id: &str, skills: &[SkillLine]) -> Ran {
        let Place { channel, audience } = self.place;
        let request = Request { session_id, channel, audience, opening: self.opening, skills };
        let mut notes = Notes { lines: String::new(), rows: Vec::new(), points: &mut *self.points, no_random: None };
        let ended = turn::run(&self.config.config, &request, &mut notes);
        Ran { lines: notes.lines, rows: notes.rows, ended }
    }

    fn reached(&mut self, point: &str) -> store::Result<()> {
        (self.points)(point)
    }
}

/// What a turn writes down.
struct Notes<'a> {
    lines: String,
    rows: Vec<LedgerRow>,
    points: Points<'a>,
    /// Why the system gave no random bytes: the turn ends at its next event.
    no_random: Option<String>,
}

impl Notes<'_> {
    fn random<const N: usize>(&mut self) -> [u8; N] {
        let mut bytes = [0; N];
        if let Err(error) = getrandom::fill(&mut bytes) {
            self.no_random = Some(format!("the system gives no random bytes for ids: {error}"));
        }
        bytes
    }

    fn reached(&mut self, point: &str) -> Result<(), String> {
        match &self.no_random {
            Some(sentence) => Err(sentence.clone()),
            None => (self.points)(point).map_err(|error| error.to_string()),
        }
    }
}

impl World for Notes<'_> {
    fn now_us(&mut self) -> i64 {
        clock::unix_us()
    }

    fn turn_id(&mut self) -> String {
        format!("{:032x}", u128::from_be_bytes(self.random()))
    }

    fn record_id(&mut self) -> String {
        ulid(clock::unix_us() / 1000, self.random())
    }

    fn event(&mut self, kind: &str, line: String) -> Result<(), String> {
        self.lines += &line;
        self.reached(&format!("event {kind}"))
    }

    fn decision(&mut self, row: LedgerRow) -> Result<(), String> {
        let point = format!("decision {}", row.hook_point);
        self.rows.push(row);
        self.reached(&point)
    }
}

/// A ULID: milliseconds since 1970 in 48 bits, then 80 random ones, in Crockford's 32 letters. Texts sort as their times do.
fn ulid(ms: i64, random: [u8; 10]) -> String {
    const LETTERS: [char; 32] = [
        '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'A', 'B', 'C', 'D', 'E', 'F', 'G', 'H', 'J', 'K', 'M', 'N', 'P', 'Q',
        'R', 'S', 'T', 'V', 'W', 'X', 'Y', 'Z',
    ];
    let mut bytes = [0; 16];
    bytes[..6].copy_from_slice(&ms.to_be_bytes()[2..]);
    bytes[6..].copy_from_slice(&random);
    let bits = u128::from_be_bytes(bytes);
    (0..26).rev().map(|place| LETTERS[(bits >> (place * 5)) as usize & 31]).collect()
}

#[cfg(test)]
mod tests {
    use super::ulid;

    #[test]
    fn ids_of_records_sort_as_their_times() {
        assert_eq!(ulid(0, [0; 10]), "0".repeat(26));
        assert_eq!(ulid(1_469_918_176_385, [0xff; 10]), "01ARYZ6S41ZZZZZZZZZZZZZZZZ");
        assert!(ulid(1, [0; 10]) > ulid(0, [0xff; 10]));
    }
}
