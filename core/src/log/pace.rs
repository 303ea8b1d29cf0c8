//! When long work says that it is still alive: after so many records or bytes, whichever comes first.

const RECORDS: u32 = 512;
const BYTES: u64 = 256 * 1024;

/// Counts work and calls `progress` in time; a host that hears it too often only has to look at its clock.
pub(crate) struct Pace<'a> {
    progress: &'a mut dyn FnMut(),
    records: u32,
    bytes: u64,
}

impl<'a> Pace<'a> {
    /// Tells once at the start.
    pub fn new(progress: &'a mut dyn FnMut()) -> Pace<'a> {
        progress();
        Pace { progress, records: 0, bytes: 0 }
    }

    /// One more record of so many bytes was worked on.
    pub fn step(&mut self, bytes: u64) {
        self.records += 1;
        self.bytes = self.bytes.saturating_add(bytes);
        if self.records >= RECORDS || self.bytes >= BYTES {
            (self.records, self.bytes) = (0, 0);
            (self.progress)();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{BYTES, Pace, RECORDS};

    #[test]
    fn many_records_and_large_ones_are_told() {
        let mut told = 0;
        let mut count = || told += 1;
        let mut pace = Pace::new(&mut count);
        for _ in 0..RECORDS * 2 {
            pace.step(1);
        }
        pace.step(BYTES);
        pace.step(BYTES - 1);
        assert_eq!(told, 4);
    }
}
