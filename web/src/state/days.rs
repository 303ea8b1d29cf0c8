//! Which day a moment belongs to for the reader, and where a new day begins in a list.

const DAY_MS: i64 = 24 * 60 * 60 * 1000;

/// Number of the day, from 1970-01-01, in a zone that is `minutes_east` of UTC.
pub fn local_day(epoch_ms: i64, minutes_east: i32) -> i64 {
    (epoch_ms + i64::from(minutes_east) * 60_000).div_euclid(DAY_MS)
}

/// For each entry whether another day begins with it. Entries without a time belong to the day before them.
pub fn day_begins(days: &[Option<i64>]) -> Vec<bool> {
    let mut current = None;
    days.iter()
        .map(|day| {
            let begins = day.is_some() && *day != current;
            current = day.or(current);
            begins
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{day_begins, local_day};
    use proem_core::log::parse_stamp;

    #[test]
    fn days_follow_the_readers_zone() {
        let late = parse_stamp("2026-10-05T23:50:00+00:00").unwrap() / 1000;
        let early = parse_stamp("2026-10-06T00:10:00+00:00").unwrap() / 1000;
        let days = |east| (local_day(late, east), local_day(early, east));
        let utc = days(0);
        assert_eq!(utc.0 + 1, utc.1);
        assert_eq!(days(-300), (utc.0, utc.0));
        assert_eq!(days(540), (utc.1, utc.1));
        assert_eq!(local_day(-1, 0), -1);
    }

    #[test]
    fn entries_without_a_time_begin_no_day() {
        assert_eq!(
            day_begins(&[None, Some(4), Some(4), None, Some(4), Some(5), Some(4)]),
            [false, true, false, false, false, true, true]
        );
        assert!(day_begins(&[]).is_empty());
    }
}
