//! The nearest of some known names to one that is not known: what "did you mean" proposes (specs: engine notes, section 9).

/// Names longer than this are not compared: nobody writes them, and the work grows with the square.
const LONGEST: usize = 60;

/// The known name nearest to `name`: edit distance up to 2 (a transposition counts 1), or the same letters in another order.
/// The earlier wins a tie.
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let mut best: Option<(usize, &str)> = None;
    for candidate in known {
        let distance = if same_letters(name, candidate) { 1 } else { distance(name, candidate) };
        if distance <= 2 && distance < candidate.chars().count() && best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

fn same_letters(a: &str, b: &str) -> bool {
    let sorted = |text: &str| {
        let mut letters: Vec<char> = text.chars().collect();
        letters.sort_unstable();
        letters
    };
    a.len() == b.len() && sorted(a) == sorted(b)
}

/// Edit distance with transpositions of neighbours; anything above 2 may be reported as 3.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    if a.len().abs_diff(b.len()) > 2 || a.len().max(b.len()) > LONGEST {
        return 3;
    }
    let mut rows = vec![vec![0; b.len() + 1]; a.len() + 1];
    for (i, row) in rows.iter_mut().enumerate() {
        row[0] = i;
    }
    rows[0] = (0..=b.len()).collect();
    for i in 1..=a.len() {
        for j in 1..=b.len() {
            let change = usize::from(a[i - 1] != b[j - 1]);
            let mut least = (rows[i - 1][j] + 1).min(rows[i][j - 1] + 1).min(rows[i - 1][j - 1] + change);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                least = least.min(rows[i - 2][j - 2] + 1);
            }
            rows[i][j] = least;
        }
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearest_names() {
        let names = ["kind", "contract", "stop_reason"];
        assert_eq!(nearest("kidn", names), Some("kind"));
        assert_eq!(nearest("stopreason", names), Some("stop_reason"));
        assert_eq!(nearest("banana", names), None);
        let long = "x".repeat(60_000);
        assert_eq!(nearest(&long, [format!("{long}y").as_str()]), None);
    }
}
