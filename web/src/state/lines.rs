//! Which lines of two texts differ: for the eye only, when somebody has to choose between them.

/// More cells than this and everything between the common ends counts as different.
const MOST_CELLS: usize = 4_000_000;

/// For each line of `a` and of `b` (line ends included) whether the other text lacks it at that place.
pub fn differing_lines(a: &str, b: &str) -> (Vec<bool>, Vec<bool>) {
    let (a, b): (Vec<&str>, Vec<&str>) = (a.split_inclusive('\n').collect(), b.split_inclusive('\n').collect());
    let start = a.iter().zip(&b).take_while(|(a, b)| a == b).count();
    let end = a[start..].iter().rev().zip(b[start..].iter().rev()).take_while(|(a, b)| a == b).count();
    let (middle_a, middle_b) = (&a[start..a.len() - end], &b[start..b.len() - end]);
    let (mut in_a, mut in_b) = (vec![false; a.len()], vec![false; b.len()]);
    in_a[start..a.len() - end].fill(true);
    in_b[start..b.len() - end].fill(true);
    for (x, y) in common(middle_a, middle_b) {
        in_a[start + x] = false;
        in_b[start + y] = false;
    }
    (in_a, in_b)
}

/// A longest common subsequence, as pairs of positions in order.
fn common(a: &[&str], b: &[&str]) -> Vec<(usize, usize)> {
    let width = b.len() + 1;
    if a.len().saturating_mul(width) > MOST_CELLS {
        return Vec::new();
    }
    // lengths[x * width + y]: of the longest common subsequence of a[x..] and b[y..].
    let mut lengths = vec![0_u32; (a.len() + 1) * width];
    for x in (0..a.len()).rev() {
        for y in (0..b.len()).rev() {
            let at = x * width + y;
            lengths[at] = if a[x] == b[y] { lengths[at + width + 1] + 1 } else { lengths[at + width].max(lengths[at + 1]) };
        }
    }
    let (mut x, mut y, mut pairs) = (0, 0, Vec::new());
    while x < a.len() && y < b.len() {
        let at = x * width + y;
        if a[x] == b[y] {
            pairs.push((x, y));
            (x, y) = (x + 1, y + 1);
        } else if lengths[at + width] >= lengths[at + 1] {
            x += 1;
        } else {
            y += 1;
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marks(a: &str, b: &str) -> (String, String) {
        let shown = |marks: Vec<bool>| marks.into_iter().map(|mark| if mark { 'x' } else { '.' }).collect();
        let (a, b) = differing_lines(a, b);
        (shown(a), shown(b))
    }

    #[test]
    fn only_what_differs_is_marked() {
        assert_eq!(marks("a\nb\nc\n", "a\nx\ny\nc\n"), (".x.".into(), ".xx.".into()));
        assert_eq!(marks("mine\na\nb\nc\n", "a\nb\nc\ntheirs\n"), ("x...".into(), "...x".into()));
        assert_eq!(marks("a\nb\nc\nd\n", "a\nB\nc\nD\n"), (".x.x".into(), ".x.x".into()));
        assert_eq!(marks("same\n", "same\n"), (".".into(), ".".into()));
        assert_eq!(marks("", "x"), (String::new(), "x".into()));
    }

    #[test]
    fn very_long_texts_are_marked_whole() {
        let long = |word: &str| (0..3_000).map(|line| format!("{word}{line}\n")).collect::<String>();
        let (a, b) = differing_lines(&format!("start\n{}", long("a")), &format!("start\n{}", long("b")));
        assert!(!a[0] && !b[0] && a[1..].iter().chain(&b[1..]).all(|mark| *mark));
    }
}
