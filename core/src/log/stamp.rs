//! Reads the time stamps of logs into microseconds and writes them again, without a calendar library.

/// A stamp: the moment, and the text it was read from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stamp {
    /// Microseconds since 1970, UTC.
    pub us: i64,
    /// As it stands in the log.
    pub text: String,
}

/// Microseconds since 1970 of a text like `2026-10-03T08:15:20.310000+00:00`: the fraction may be absent or have one to nine
/// digits (those past the sixth are cut), the zone is `Z` or an offset. `None` for anything else, also for impossible dates.
pub fn parse_stamp(text: &str) -> Option<i64> {
    let bytes = text.as_bytes();
    let number = |from: usize, to: usize| -> Option<i64> {
        bytes.get(from..to)?.iter().try_fold(0i64, |sum, b| b.is_ascii_digit().then(|| sum * 10 + i64::from(b - b'0')))
    };
    let is = |at: usize, allowed: &[u8]| bytes.get(at).is_some_and(|b| allowed.contains(b));
    let (year, month, day) = (number(0, 4)?, number(5, 7)?, number(8, 10)?);
    let (hour, minute, second) = (number(11, 13)?, number(14, 16)?, number(17, 19)?);
    let separators = is(4, b"-") && is(7, b"-") && is(10, b"Tt ") && is(13, b":") && is(16, b":");
    // A leap second is written as second 60.
    if !separators || year < 1 || hour > 23 || minute > 59 || second > 60 || day < 1 || day > days_in(year, month)? {
        return None;
    }
    let mut at = 19;
    let mut fraction = 0;
    if is(at, b".,") {
        let digits = bytes[at + 1..].iter().take_while(|b| b.is_ascii_digit()).count();
        if !(1..=9).contains(&digits) {
            return None;
        }
        fraction = number(at + 1, at + 1 + digits.min(6))? * 10i64.pow(6 - digits.min(6) as u32);
        at += 1 + digits;
    }
    let offset_minutes = match &bytes[at..] {
        [b'Z' | b'z'] => 0,
        [sign @ (b'+' | b'-'), rest @ ..] => {
            let minutes_at = match rest.len() {
                2 => None,
                4 => Some(at + 3),
                5 if rest[2] == b':' => Some(at + 4),
                _ => return None,
            };
            let hours = number(at + 1, at + 3)?;
            let minutes = minutes_at.map_or(Some(0), |from| number(from, from + 2))?;
            if hours > 23 || minutes > 59 {
                return None;
            }
            (hours * 60 + minutes) * if *sign == b'-' { -1 } else { 1 }
        }
        _ => return None,
    };
    let seconds = days_since_1970(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second - offset_minutes * 60;
    Some(seconds * 1_000_000 + fraction)
}

/// A moment on the calendar, UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moment {
    /// 1 to 9999.
    pub year: i64,
    /// 1 to 12.
    pub month: i64,
    /// 1 to 31.
    pub day: i64,
    /// From Monday, 0 to 6.
    pub weekday: i64,
    /// 0 to 23.
    pub hour: i64,
    /// 0 to 59.
    pub minute: i64,
    /// 0 to 59.
    pub second: i64,
    /// 0 to 999,999.
    pub microsecond: i64,
}

/// Where microseconds since 1970 lie on the calendar. Years of other than four digits have no stamp; the first or last year stands for them.
pub fn moment(us: i64) -> Moment {
    const DAY: i64 = 86_400_000_000;
    let us = us.clamp(days_since_1970(1, 1, 1) * DAY, days_since_1970(10_000, 1, 1) * DAY - 1);
    let (days, rest) = (us.div_euclid(DAY), us.rem_euclid(DAY));
    let (year, month, day) = date_of(days);
    let of_day = |unit: i64, per: i64| rest / unit % per;
    Moment {
        year,
        month,
        day,
        // 1970 began on a Thursday.
        weekday: (days + 3).rem_euclid(7),
        hour: of_day(3_600_000_000, 24),
        minute: of_day(60_000_000, 60),
        second: of_day(1_000_000, 60),
        microsecond: rest % 1_000_000,
    }
}

/// The stamp of microseconds since 1970: always six decimals and `+00:00`, so that stamps compare as texts (specs: iris-session-log, 6).
pub fn stamp_text(us: i64) -> String {
    let Moment { year, month, day, hour, minute, second, microsecond, .. } = moment(us);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{microsecond:06}+00:00")
}

fn is_leap(year: i64) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

fn days_in(year: i64, month: i64) -> Option<i64> {
    match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => Some(31),
        4 | 6 | 9 | 11 => Some(30),
        2 => Some(if is_leap(year) { 29 } else { 28 }),
        _ => None,
    }
}

/// Days from 1970-01-01 to a date of the Gregorian calendar. Counting years from March puts the leap day last, so that the
/// days before a month are a linear formula.
fn days_since_1970(year: i64, month: i64, day: i64) -> i64 {
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let leap_days = year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    // 719,468 days lie between 0000-03-01 and 1970-01-01.
    year * 365 + leap_days + (153 * month + 2) / 5 + day - 1 - 719_468
}

/// The date of so many days after 1970-01-01: the other way round, with years counted from March again.
fn date_of(days: i64) -> (i64, i64, i64) {
    // 400 years are 146,097 days; inside them the leap days before a day are taken away, so that all years have 365.
    let (cycle, of_cycle) = ((days + 719_468).div_euclid(146_097), (days + 719_468).rem_euclid(146_097));
    let year = (of_cycle - of_cycle / 1460 + of_cycle / 36_524 - of_cycle / 146_096) / 365;
    let of_year = of_cycle - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let (month, next) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    (cycle * 400 + year + next, month, day)
}

#[cfg(test)]
mod tests {
    use super::{days_since_1970, moment, parse_stamp, stamp_text};

    #[test]
    fn writes_what_it_reads() {
        for text in [
            "0001-01-01T00:00:00.000000+00:00",
            "1969-12-31T23:59:59.999999+00:00",
            "1970-01-01T00:00:00.000000+00:00",
            "2000-02-29T12:30:01.000001+00:00",
            "2026-10-03T08:15:20.310000+00:00",
            "9999-12-31T23:59:59.999999+00:00",
        ] {
            assert_eq!(parse_stamp(text).map(stamp_text).as_deref(), Some(text));
        }
        assert_eq!((moment(0).weekday, moment(1_791_015_320_310_000).weekday), (3, 5));
        assert_eq!(stamp_text(i64::MIN), "0001-01-01T00:00:00.000000+00:00");
        assert_eq!(stamp_text(i64::MAX), "9999-12-31T23:59:59.999999+00:00");
    }

    #[test]
    fn every_day_of_four_centuries_is_found_again() {
        for day in days_since_1970(1799, 12, 31)..days_since_1970(2201, 1, 2) {
            let found = moment(day * 86_400_000_000);
            assert_eq!(days_since_1970(found.year, found.month, found.day), day);
        }
    }

    #[test]
    fn reads_every_form_of_one_moment() {
        let moment = Some(1_791_015_320_310_000);
        for text in [
            "2026-10-03T08:15:20.310000+00:00",
            "2026-10-03T08:15:20.31Z",
            "2026-10-03T10:15:20.310000999+02:00",
            "2026-10-03 03:15:20.31-0500",
            "2026-10-03T09:15:20,31+01",
        ] {
            assert_eq!(parse_stamp(text), moment, "{text}");
        }
        assert_eq!(parse_stamp("1970-01-01T00:00:00Z"), Some(0));
        assert_eq!(parse_stamp("1969-12-31T23:59:59.999999Z"), Some(-1));
        assert_eq!(parse_stamp("2000-02-29T00:00:00Z"), Some(951_782_400_000_000));
    }

    #[test]
    fn refuses_what_is_no_moment() {
        for text in [
            "",
            "not-a-time",
            "2026-13-45T99:99:99",
            "2026-02-29T00:00:00Z",
            "2026-10-03T08:15:20",
            "2026-10-03T08:15:20.Z",
            "2026-10-03T08:15:20.1234567890Z",
            "2026-10-03T08:15:20+0",
            "2026-10-03T08:15:20+00:0",
            "1796036512",
            "２０２６-10-03T08:15:20Z",
        ] {
            assert_eq!(parse_stamp(text), None, "{text}");
        }
    }
}
