//! Which part of a long list is built: turns in chunks of unlike height, rows of a trace one by one.

use std::ops::Range;

/// Turns that are built and taken away together.
pub const CHUNK: usize = 8;
/// Turns are built within this distance of what is seen, pixels.
pub const NEAR: f64 = 1_200.0;
/// Height that a turn is taken to have before it was measured, pixels.
pub const TURN_HEIGHT: f64 = 190.0;
/// Rows of a trace built beyond each edge of what is seen.
const SPARE_ROWS: usize = 12;

/// A list cut into chunks.
pub fn chunks(length: usize) -> Vec<Range<usize>> {
    (0..length.div_ceil(CHUNK)).map(|at| chunk(at, length)).collect()
}

/// The places of one chunk of a list.
pub fn chunk(at: usize, length: usize) -> Range<usize> {
    (at * CHUNK).min(length)..((at + 1) * CHUNK).min(length)
}

/// The chunk that holds a place in the list.
pub fn chunk_of(place: usize) -> usize {
    place / CHUNK
}

/// The rows to build of `count` rows of one height, for what is seen of them. Pixels.
pub fn visible_rows(scrolled: f64, seen: f64, row: f64, count: usize) -> Range<usize> {
    // Casts of floats saturate, so a browser's odd number gives an end of the list.
    let first = (scrolled.max(0.0) / row).floor() as usize;
    let last = ((scrolled.max(0.0) + seen.max(0.0)) / row).ceil() as usize;
    first.saturating_sub(SPARE_ROWS).min(count)..last.saturating_add(SPARE_ROWS).min(count)
}

#[cfg(test)]
mod tests {
    use super::{CHUNK, chunk_of, chunks, visible_rows};

    #[test]
    fn chunks_hold_every_entry_once() {
        for length in [0, 1, CHUNK, CHUNK + 1, 5000] {
            let all: Vec<usize> = chunks(length).into_iter().flatten().collect();
            assert_eq!(all, (0..length).collect::<Vec<_>>());
        }
        let last = chunks(5000).len() - 1;
        assert_eq!(chunk_of(4999), last);
    }

    #[test]
    fn rows_around_what_is_seen() {
        assert_eq!(visible_rows(0.0, 280.0, 28.0, 5), 0..5);
        assert_eq!(visible_rows(2800.0, 280.0, 28.0, 20_000), 88..122);
        assert_eq!(visible_rows(1e12, 280.0, 28.0, 100), 100..100);
        assert_eq!(visible_rows(-40.0, f64::NAN, 28.0, 100), 0..12);
    }
}
