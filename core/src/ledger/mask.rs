//! Hides who an e-mail address belongs to, in texts that are shown (specs: iris-session-log, 4.1).

/// The text with every e-mail address masked: the domain stays; a local part of up to 2 characters becomes that many `*`, of 3 or 4
/// characters its first letter and `***`, a longer one its first two, `***`, and its last two.
pub fn masked(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut from = 0;
    for (at, _) in text.match_indices('@') {
        // An `@` inside what was taken for a domain cannot be: domains hold none.
        let local = local_part(&text[from..at]);
        let Some(domain) = domain_length(&text[at + 1..]).filter(|_| !local.is_empty()) else { continue };
        out.push_str(&text[from..at - local.len()]);
        hide(local, &mut out);
        out.push_str(&text[at..at + 1 + domain]);
        from = at + 1 + domain;
    }
    out.push_str(&text[from..]);
    out
}

/// The characters right before an `@` that can belong to the address.
fn local_part(before: &str) -> &str {
    let belongs = |c: char| c.is_alphanumeric() || matches!(c, '.' | '_' | '%' | '+' | '-');
    let start = before.char_indices().rev().take_while(|(_, c)| belongs(*c)).last().map_or(before.len(), |(at, _)| at);
    &before[start..]
}

/// Bytes of the longest domain that a text begins with: labels with dots between them, the last of at least two letters.
fn domain_length(after: &str) -> Option<usize> {
    let end = after.find(|c: char| !c.is_alphanumeric() && !matches!(c, '.' | '-')).unwrap_or(after.len());
    let run = &after[..end];
    let ends_at = |(dot, _): (usize, &str)| {
        let letters = run[dot + 1..].chars().take_while(|c| c.is_alphabetic());
        let (count, bytes) = letters.fold((0, 0), |(count, bytes), c| (count + 1, bytes + c.len_utf8()));
        (dot > 0 && count >= 2).then_some(dot + 1 + bytes)
    };
    run.rmatch_indices('.').find_map(ends_at)
}

fn hide(local: &str, out: &mut String) {
    let count = local.chars().count();
    match count {
        0..=2 => out.extend(std::iter::repeat_n('*', count)),
        3..=4 => {
            out.extend(local.chars().take(1));
            out.push_str("***");
        }
        _ => {
            out.extend(local.chars().take(2));
            out.push_str("***");
            out.extend(local.chars().skip(count - 2));
        }
    }
}
