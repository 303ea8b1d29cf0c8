//! Windows of time, and the question which of those that hold a moment opened last.

/// Windows with both ends inside. Each question costs a logarithm, however many windows there are and however they overlap.
pub(crate) struct Windows<T> {
    /// When each opened, rising, and the number it was given.
    opened: Vec<(T, usize)>,
    /// A tree over `opened`: a node holds the latest end below it, a leaf the end of its window. The root is at 1.
    latest: Vec<Option<T>>,
}

impl<T: PartialOrd + Copy> Windows<T> {
    /// Of windows given as start, end and a number; of those that open at the same moment the last given counts as opened last. Ends and
    /// starts must be comparable with each other.
    pub fn new(mut windows: Vec<(T, T, usize)>) -> Windows<T> {
        windows.sort_by(|a, b| a.0.partial_cmp(&b.0).unwrap_or(std::cmp::Ordering::Equal));
        // One leaf more than there are windows, so that the place behind the last is a leaf as well.
        let leaves = (windows.len() + 1).next_power_of_two();
        let mut latest = vec![None; 2 * leaves];
        for (place, (_, end, _)) in windows.iter().enumerate() {
            latest[leaves + place] = Some(*end);
        }
        for node in (1..leaves).rev() {
            latest[node] = later(latest[2 * node], latest[2 * node + 1]);
        }
        Windows { opened: windows.into_iter().map(|(start, _, number)| (start, number)).collect(), latest }
    }

    /// The number of the window that opened last among those that hold the moment.
    pub fn last_opened(&self, at: T) -> Option<usize> {
        let leaves = self.latest.len() / 2;
        let holds = |node: usize| self.latest[node].is_some_and(|end| end >= at);
        let mut node = leaves + self.opened.partition_point(|(start, _)| *start <= at);
        // Up, until what lies left of here holds one; then down to the last of those.
        loop {
            if node <= 1 {
                return None;
            }
            if node % 2 == 1 && holds(node - 1) {
                break;
            }
            node /= 2;
        }
        node -= 1;
        while node < leaves {
            node = if holds(2 * node + 1) { 2 * node + 1 } else { 2 * node };
        }
        Some(self.opened[node - leaves].1)
    }

    /// The numbers of the windows that opened last before or at the moment, and first after it. Of those that open at the same moment it is
    /// the last given.
    pub fn neighbours(&self, at: T) -> [Option<(T, usize)>; 2] {
        let place = self.opened.partition_point(|(start, _)| *start <= at);
        let after = self.opened.get(place).map(|(next, _)| {
            let end = self.opened.partition_point(|(start, _)| start <= next);
            self.opened[end - 1]
        });
        [place.checked_sub(1).map(|before| self.opened[before]), after]
    }
}

fn later<T: PartialOrd>(a: Option<T>, b: Option<T>) -> Option<T> {
    match (a, b) {
        (Some(a), Some(b)) => Some(if b > a { b } else { a }),
        (a, b) => a.or(b),
    }
}

#[cfg(test)]
mod tests {
    use super::Windows;

    #[test]
    fn finds_what_looking_at_every_window_finds() {
        let mut seed = 7u64;
        let mut random = |below: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) % below
        };
        for count in 0..40 {
            let given: Vec<(u64, u64, usize)> = (0..count)
                .map(|number| {
                    let start = random(30);
                    // Some end before they begin, and so hold nothing.
                    (start, (start + random(12)).saturating_sub(2), number)
                })
                .collect();
            let windows = Windows::new(given.clone());
            for at in 0..45 {
                let holding = given.iter().filter(|(start, end, _)| *start <= at && at <= *end);
                let slow = holding.max_by_key(|(start, _, number)| (*start, *number)).map(|window| window.2);
                assert_eq!(windows.last_opened(at), slow, "{given:?} at {at}");
                let before = given.iter().filter(|w| w.0 <= at).max_by_key(|w| (w.0, w.2)).map(|w| (w.0, w.2));
                let first = given.iter().map(|w| w.0).filter(|start| *start > at).min();
                let after = given.iter().filter(|w| Some(w.0) == first).max_by_key(|w| w.2).map(|w| (w.0, w.2));
                assert_eq!(windows.neighbours(at), [before, after], "{given:?} at {at}");
            }
        }
    }
}
