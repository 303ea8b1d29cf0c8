//! Masks e-mail addresses in texts that are shown (specs: iris-session-log, 4.1). What is kept stays as it was written.

/// The text with the local part of every e-mail address masked; the domain stays. A local part of up to 2 characters becomes that many
/// `*`, one of 3 or 4 its first character and `***`, a longer one its first two, `***` and its last two.
pub fn masked(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut done = 0;
    for (at, _) in text.match_indices('@') {
        // An address that was masked reaches to the end of its domain; the next begins behind it.
        if at < done {
            continue;
        }
        let before = &text[done..at];
        let local = &before[before.trim_end_matches(is_local).len()..];
        let after = &text[at + 1..];
        let domain = &after[..after.find(|c| !is_domain(c)).unwrap_or(after.len())];
        if local.is_empty() || !has_ending(domain) {
            continue;
        }
        out.push_str(&before[..before.len() - local.len()]);
        out.push_str(&mask(local));
        done = at + 1 + domain.len();
        out.push_str(&text[at..done]);
    }
    out.push_str(&text[done..]);
    out
}

fn is_local(c: char) -> bool {
    c.is_alphanumeric() || "._%+-".contains(c)
}

fn is_domain(c: char) -> bool {
    c.is_alphanumeric() || ".-".contains(c)
}

/// Whether a dot inside the domain is followed by two letters or more.
fn has_ending(domain: &str) -> bool {
    let mut labels = domain.split('.');
    let named = labels.next().is_some_and(|first| !first.is_empty());
    named && labels.any(|label| label.chars().take(2).filter(|c| c.is_alphabetic()).count() == 2)
}

fn mask(local: &str) -> String {
    let letters: Vec<char> = local.chars().collect();
    match letters.as_slice() {
        [_] | [_, _] => "*".repeat(letters.len()),
        [first, _, _] | [first, _, _, _] => format!("{first}***"),
        [first, second, .., last_but_one, last] => format!("{first}{second}***{last_but_one}{last}"),
        [] => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::masked;

    #[test]
    fn the_domain_stays_and_the_name_does_not() {
        for (text, shown) in [
            ("a@x.org", "*@x.org"),
            ("ab@x.org", "**@x.org"),
            ("abc@x.org", "a***@x.org"),
            ("abcd@x.org", "a***@x.org"),
            ("abcde@x.org", "ab***de@x.org"),
            ("write to jane.doe+x@mail.example.org, please", "write to ja***+x@mail.example.org, please"),
            ("<jürgen@bäcker.example>", "<jü***en@bäcker.example>"),
            ("one@x.org,two@y.org", "o***@x.org,t***@y.org"),
            ("a@b.example@c.org", "*@b.example@c.org"),
            ("first@second@third.org", "first@se***nd@third.org"),
        ] {
            assert_eq!(masked(text), shown);
        }
    }

    #[test]
    fn what_is_no_address_stays() {
        for text in ["", "@", "a@", "@x.org", "a@b", "a@.org", "a@b.1", "a @x.org", "a@b.c", "@@@"] {
            assert_eq!(masked(text), text);
        }
    }
}
