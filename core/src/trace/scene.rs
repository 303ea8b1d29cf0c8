//! A turn's events on one time scale: milliseconds after its opening.

use crate::log::{Event, Turn};

/// A turn with its events.
pub(super) struct Scene<'a> {
    pub turn: &'a Turn,
    pub session_id: &'a str,
    pub events: &'a [Event],
    /// The moment all others are counted from.
    base_us: i64,
    /// Whether the turn's opening stamp can be read; if not, every shown offset is 0.
    anchored: bool,
    /// The turn's latest stamp.
    pub latest: Option<f64>,
    /// Stamp of the last answer.
    pub answered: Option<f64>,
    /// Text of the last answer.
    pub answer: Option<&'a str>,
}

impl<'a> Scene<'a> {
    pub fn new(turn: &'a Turn, session_id: &'a str, started_us: Option<i64>, events: &'a [Event]) -> Scene<'a> {
        let stamps = || events.iter().filter_map(|event| event.stamp.as_ref().map(|stamp| stamp.us));
        let base_us = started_us.or_else(|| stamps().next()).unwrap_or(0);
        let answer = events.iter().rfind(|event| event.kind == "agent_response");
        let mut scene = Scene {
            turn,
            session_id,
            events,
            base_us,
            anchored: started_us.is_some(),
            latest: None,
            answered: None,
            answer: answer.map(|event| event.str("response").unwrap_or_default()),
        };
        scene.latest = stamps().max().map(|us| scene.millis(us));
        scene.answered = answer.and_then(|event| scene.at(event));
        scene
    }

    /// The stamp of an event; negative when it lies before the opening.
    pub fn at(&self, event: &Event) -> Option<f64> {
        event.stamp.as_ref().map(|stamp| self.millis(stamp.us))
    }

    /// An offset as it is shown: never negative, three decimals, 0 when it is not known.
    pub fn shown(&self, at: Option<f64>) -> f64 {
        at.filter(|_| self.anchored).map_or(0.0, |at| round3(at.max(0.0)))
    }

    /// A moment in microseconds since 1970, on the same scale as [`at`](Scene::at).
    pub fn at_us(&self, us: i64) -> f64 {
        self.millis(us)
    }

    fn millis(&self, us: i64) -> f64 {
        us.saturating_sub(self.base_us) as f64 / 1000.0
    }
}

/// Three decimals.
pub(super) fn round3(value: f64) -> f64 {
    let rounded = (value * 1000.0).round() / 1000.0;
    // Multiplying a huge value overflows; it has no decimals to round.
    if rounded.is_finite() { rounded } else { value }
}
