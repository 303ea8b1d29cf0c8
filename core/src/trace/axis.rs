//! The time axis in numbers and words: round ticks, and durations as text.

use super::model::{DurationSource, Node, Tick};

/// At most so many steps between the ends of the axis.
const MOST_STEPS: f64 = 5.0;
/// Round steps past a minute, in seconds.
const LONG_STEPS: [f64; 11] = [10.0, 15.0, 30.0, 60.0, 120.0, 300.0, 600.0, 900.0, 1800.0, 3600.0, 7200.0];
const SECOND: f64 = 1000.0;
const MINUTE: f64 = 60.0 * SECOND;
const HOUR: f64 = 60.0 * MINUTE;
const DAY: f64 = 24.0 * HOUR;
/// From here on a number is no time any more.
const AGES: f64 = 365_000.0 * DAY;

/// Round positions from 0 to at most the end of the axis, as parts of it.
pub(super) fn ticks(scale_ms: f64) -> Vec<Tick> {
    let step = step(scale_ms);
    (0..=MOST_STEPS as u32)
        .map(|i| f64::from(i) * step)
        .take_while(|ms| *ms <= scale_ms)
        .map(|ms| Tick { at: ms / scale_ms, text: round_text(ms) })
        .collect()
}

/// The smallest round step that needs few enough of them.
fn step(scale_ms: f64) -> f64 {
    let least = scale_ms / MOST_STEPS;
    if least > 5.0 * SECOND {
        if let Some(seconds) = LONG_STEPS.iter().find(|seconds| **seconds * SECOND >= least) {
            return seconds * SECOND;
        }
        let hours = least / HOUR;
        return decimal_step(hours) * HOUR;
    }
    decimal_step(least)
}

/// 1, 2, 2.5 or 5 times a power of ten.
fn decimal_step(least: f64) -> f64 {
    let magnitude = 10f64.powf(least.log10().floor());
    [1.0, 2.0, 2.5, 5.0, 10.0].iter().map(|factor| factor * magnitude).find(|step| *step >= least).unwrap_or(least)
}

/// A round time: `0 ms`, `250 ms`, `1.2 s`, `1 min 30 s`, `2 h`.
fn round_text(ms: f64) -> String {
    match ms {
        ms if ms < SECOND => format!("{} ms", trimmed(ms)),
        ms if ms < MINUTE => format!("{} s", trimmed(ms / SECOND)),
        ms => long_text(ms),
    }
}

/// From a minute on, in two units.
fn long_text(ms: f64) -> String {
    match ms {
        ms if ms < HOUR => two_parts(ms, MINUTE, "min", SECOND, "s"),
        ms if ms < DAY => two_parts(ms, HOUR, "h", MINUTE, "min"),
        ms if ms < AGES => two_parts(ms, DAY, "d", HOUR, "h"),
        _ => "over 1,000 years".to_owned(),
    }
}

fn two_parts(ms: f64, large: f64, large_name: &str, small: f64, small_name: &str) -> String {
    // Rounded to the smaller unit first, so that 59.9 s never reads as 60 s.
    let smalls = (ms / small).round();
    let per_large = large / small;
    let (whole, rest) = ((smalls / per_large).floor(), smalls % per_large);
    if rest == 0.0 { format!("{whole} {large_name}") } else { format!("{whole} {large_name} {rest} {small_name}") }
}

/// Up to three decimals, none at the end that says nothing.
fn trimmed(value: f64) -> String {
    let text = format!("{value:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// A duration as text: `0.4 ms`, `12 ms`, `1.05 s`, `2 min 5 s`, `1 d 3 h`.
pub fn duration(ms: f64) -> String {
    match ms {
        ms if ms < 10.0 => format!("{} ms", trimmed((ms * 10.0).round() / 10.0)),
        ms if ms.round() < SECOND => format!("{} ms", ms.round()),
        ms if (ms / 10.0).round() * 10.0 < MINUTE => format!("{:.2} s", ms / SECOND),
        ms => long_text(ms),
    }
}

/// A node's duration with what is known about it: `≈ 6 ms` for a constant, `open` without an end, `end without start` for a lone end.
pub(super) fn node_duration(node: &Node) -> String {
    match node.duration_source {
        DurationSource::Estimated => format!("≈ {}", duration(node.duration_ms)),
        DurationSource::Open => "open".to_owned(),
        DurationSource::None => match node.kind.as_str() {
            "runtime" => "no time logged".to_owned(),
            "error" => "error".to_owned(),
            "llm" => "no duration logged".to_owned(),
            _ => "end without start".to_owned(),
        },
        _ => duration(node.duration_ms),
    }
}

#[cfg(test)]
mod tests {
    use super::{duration, ticks};

    #[test]
    fn ticks_are_round_and_few() {
        let texts = |scale: f64| ticks(scale).into_iter().map(|tick| tick.text).collect::<Vec<_>>().join(", ");
        assert_eq!(texts(1.0), "0 ms, 0.2 ms, 0.4 ms, 0.6 ms, 0.8 ms, 1 ms");
        assert_eq!(texts(1452.0), "0 ms, 500 ms, 1 s");
        assert_eq!(texts(90_000.0), "0 ms, 30 s, 1 min, 1 min 30 s");
        assert_eq!(texts(40_000_000.0), "0 ms, 2 h 30 min, 5 h, 7 h 30 min, 10 h");
        for scale in [1.0, 3.7, 999.9, 1e6, 1e9, 1e15, f64::MAX] {
            let ticks = ticks(scale);
            assert!(
                (2..=6).contains(&ticks.len()) && ticks.iter().all(|tick| (0.0..=1.0).contains(&tick.at)),
                "{scale}: {ticks:?}"
            );
        }
    }

    #[test]
    fn durations_read_well() {
        let texts: Vec<String> =
            [0.0, 0.44, 9.0, 9.96, 12.3, 999.4, 999.6, 1048.0, 59_996.0, 125_000.0, 3_600_000.0, 9e7, 1e308].map(duration).into();
        assert_eq!(
            texts,
            [
                "0 ms",
                "0.4 ms",
                "9 ms",
                "10 ms",
                "12 ms",
                "999 ms",
                "1.00 s",
                "1.05 s",
                "1 min",
                "2 min 5 s",
                "1 h",
                "1 d 1 h",
                "over 1,000 years"
            ]
        );
    }
}
