//! How old something is, in words.

use proem_core::log::parse_stamp;

/// Distance of a stamp from now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Age {
    /// `4 minutes old`, `just now`.
    Past(String),
    /// `3 hours ahead of this clock`.
    Future(String),
    /// It is no stamp.
    Unknown,
}

impl Age {
    /// In words.
    pub fn words(&self) -> String {
        match self {
            Age::Past(words) | Age::Future(words) => words.clone(),
            Age::Unknown => "not a time that can be read".to_owned(),
        }
    }
}

/// The units and their seconds, the largest first.
const UNITS: [(&str, i64); 6] =
    [("year", 31_557_600), ("month", 2_629_800), ("day", 86_400), ("hour", 3_600), ("minute", 60), ("second", 1)];
/// Closer than this is now, seconds.
const NOW: i64 = 5;

/// The age of a stamp (RFC 3339). `now_ms` are milliseconds since 1970.
pub fn age(stamp: &str, now_ms: f64) -> Age {
    let Some(then) = parse_stamp(stamp.trim()) else { return Age::Unknown };
    let seconds = (now_ms / 1e3) as i64 - then.div_euclid(1_000_000);
    let distance = seconds.abs();
    if distance < NOW {
        return Age::Past("just now".to_owned());
    }
    let (unit, length) = UNITS.into_iter().find(|(_, length)| distance >= *length).unwrap_or(("second", 1));
    let count = distance / length;
    let words = format!("{count} {unit}{}", if count == 1 { "" } else { "s" });
    if seconds > 0 { Age::Past(format!("{words} old")) } else { Age::Future(format!("{words} ahead of this clock")) }
}

#[cfg(test)]
mod tests {
    use super::{Age, age};

    #[test]
    fn ages_are_told_in_the_largest_unit() {
        let now = 1_767_322_984_000.0; // 2026-01-02T03:03:04Z
        for (stamp, words) in [
            ("2026-01-02T03:03:02Z", "just now"),
            ("2026-01-02T03:03:06.5Z", "just now"),
            ("2026-01-02T03:02:24Z", "40 seconds old"),
            ("2026-01-02T03:02:04Z", "1 minute old"),
            ("2026-01-02T01:03:04+01:00", "3 hours old"),
            ("2025-12-30T03:03:04.000Z", "3 days old"),
            ("2025-09-30T03:03:04Z", "3 months old"),
            ("2020-01-02T03:03:04Z", "6 years old"),
            ("2026-01-02T05:03:04Z", "2 hours ahead of this clock"),
            ("yesterday", "not a time that can be read"),
            ("", "not a time that can be read"),
        ] {
            assert_eq!(age(stamp, now).words(), words, "{stamp}");
        }
        assert!(matches!(age("2026-01-02T05:03:04Z", now), Age::Future(_)));
        assert_eq!(age("2026-01-02T03:03:04Z", f64::NAN), Age::Future("56 years ahead of this clock".to_owned()));
    }
}
