//! Filters of the governance ledger, and their names in addresses: a page's, a request's and an export's are the same.

use proem_core::api::governance::LedgerQuery;

/// Hook points in the order in which a turn passes them (specs: system-opened-turns, 1.1).
pub const HOOKS: [&str; 9] = [
    "pre_turn",
    "pre_classify",
    "pre_llm_call",
    "pre_tool_use",
    "post_tool_use",
    "pre_egress",
    "post_egress",
    "post_step",
    "pre_response",
];

/// Rows of a page on screen.
pub const PAGE_ROWS: u32 = 50;

/// Names and values of an address, those that say something. Rows of a page are no part of what a link says.
pub fn pairs(query: &LedgerQuery) -> Vec<(&'static str, String)> {
    let LedgerQuery {
        cursor,
        limit: _,
        session,
        turn,
        hook,
        plugin,
        decision,
        severity,
        caller,
        handler,
        deterministic,
        from,
        to,
        q,
    } = query;
    let many = |name: &'static str, values: &[String]| values.iter().map(|value| (name, value.clone())).collect::<Vec<_>>();
    let one = |name: &'static str, value: &Option<String>| value.clone().map(|value| (name, value));
    let mut pairs = many("decision", decision);
    pairs.extend(many("severity", severity));
    let single = [
        one("plugin", plugin),
        one("hook", hook),
        one("handler", handler),
        one("caller", caller),
        one("deterministic", &deterministic.map(|is| is.to_string())),
        one("session", session),
        one("turn", turn),
        one("from", from),
        one("to", to),
        one("q", q),
        one("cursor", cursor),
    ];
    pairs.extend(single.into_iter().flatten());
    pairs
}

/// Reads the pairs of an address. Unknown names and empty values are left out; of a name that is said twice the first counts, unless it
/// may be said often.
pub fn read<'a>(pairs: impl Iterator<Item = (&'a str, &'a str)>) -> LedgerQuery {
    let mut query = LedgerQuery::default();
    for (name, value) in pairs.filter(|(_, value)| !value.is_empty()) {
        let many = |values: &mut Vec<String>| {
            if !values.iter().any(|have| have == value) {
                values.push(value.to_owned());
            }
        };
        match name {
            "decision" => many(&mut query.decision),
            "severity" => many(&mut query.severity),
            "deterministic" => query.deterministic = query.deterministic.or(value.parse().ok()),
            _ => {
                if let Some(field) = field(&mut query, name) {
                    field.get_or_insert_with(|| value.to_owned());
                }
            }
        }
    }
    query
}

/// The filter of that name which is one text.
pub fn field<'a>(query: &'a mut LedgerQuery, name: &str) -> Option<&'a mut Option<String>> {
    Some(match name {
        "cursor" => &mut query.cursor,
        "session" => &mut query.session,
        "turn" => &mut query.turn,
        "hook" => &mut query.hook,
        "plugin" => &mut query.plugin,
        "caller" => &mut query.caller,
        "handler" => &mut query.handler,
        "from" => &mut query.from,
        "to" => &mut query.to,
        "q" => &mut query.q,
        _ => return None,
    })
}

/// The query with one text exchanged, from its first page on. A blank text takes the filter away.
pub fn with(query: &LedgerQuery, name: &str, value: &str) -> LedgerQuery {
    let mut query = first_page(query);
    if let Some(field) = field(&mut query, name) {
        *field = Some(value.trim().to_owned()).filter(|value| !value.is_empty());
    }
    query
}

/// The query with a decision wanted or not, from its first page on.
pub fn with_decision(query: &LedgerQuery, decision: &str, wanted: bool) -> LedgerQuery {
    let mut query = first_page(query);
    query.decision.retain(|have| have != decision);
    if wanted {
        query.decision.push(decision.to_owned());
    }
    query
}

/// The newest rows of what is asked for.
pub fn first_page(query: &LedgerQuery) -> LedgerQuery {
    LedgerQuery { cursor: None, ..query.clone() }
}

/// The rows of one session or turn, and nothing else.
pub fn of_turn(reference: &str) -> LedgerQuery {
    LedgerQuery { turn: Some(reference.to_owned()), ..LedgerQuery::default() }
}

/// How many filters are set; the place in the list is none.
pub fn count(query: &LedgerQuery) -> usize {
    pairs(query).into_iter().filter(|(name, _)| *name != "cursor").count()
}

/// Whether a filter is set that is not among those always on screen.
pub fn has_more(query: &LedgerQuery) -> bool {
    pairs(query).into_iter().any(|(name, _)| !["decision", "q", "cursor"].contains(&name))
}

#[cfg(test)]
mod tests {
    use super::{count, first_page, has_more, pairs, read, with, with_decision};
    use proem_core::api::governance::LedgerQuery;

    fn full() -> LedgerQuery {
        let text = |text: &str| Some(text.to_owned());
        LedgerQuery {
            cursor: text("c1"),
            limit: None,
            session: text("3fa9"),
            turn: text("3fa9@cc"),
            hook: text("pre_response"),
            plugin: text("response_safety"),
            decision: vec!["deny".to_owned(), "transform".to_owned()],
            severity: vec!["warn".to_owned()],
            caller: text("mcp:"),
            handler: text("help"),
            deterministic: Some(true),
            from: text("2026-10-05T08:00:00Z"),
            to: text("2026-10-06T08:00:00+02:00"),
            q: text("nothing & all"),
        }
    }

    fn again(query: &LedgerQuery) -> LedgerQuery {
        let pairs = pairs(query);
        read(pairs.iter().map(|(name, value)| (*name, value.as_str())))
    }

    #[test]
    fn every_filter_comes_back_from_an_address() {
        assert_eq!(again(&full()), full());
        assert_eq!(again(&LedgerQuery::default()), LedgerQuery::default());
        assert_eq!(pairs(&full()).len(), 14);
    }

    #[test]
    fn foreign_addresses_do_no_harm() {
        let odd =
            [("deterministic", "perhaps"), ("limit", "9"), ("nonsense", "x"), ("session", ""), ("hook", "a"), ("hook", "b")];
        let query = read(odd.into_iter());
        assert_eq!(query, LedgerQuery { hook: Some("a".to_owned()), ..LedgerQuery::default() });
        let twice = read([("decision", "deny"), ("decision", "deny")].into_iter());
        assert_eq!(twice.decision, ["deny"]);
    }

    #[test]
    fn another_filter_begins_at_the_newest_rows() {
        let query = with(&full(), "handler", "  welcome ");
        assert_eq!((query.cursor, query.handler.as_deref()), (None, Some("welcome")));
        assert_eq!(with(&full(), "q", "  ").q, None);
        let fewer = with_decision(&full(), "deny", false);
        assert_eq!((fewer.cursor.as_ref(), fewer.decision.as_slice()), (None, ["transform".to_owned()].as_slice()));
        assert_eq!(with_decision(&with_decision(&fewer, "allow", true), "allow", true).decision, ["transform", "allow"]);
        assert_eq!(first_page(&full()).cursor, None);
    }

    #[test]
    fn filters_are_counted_without_the_place_in_the_list() {
        assert_eq!(count(&full()), 13);
        let simple = LedgerQuery { q: Some("a".to_owned()), cursor: Some("c".to_owned()), ..LedgerQuery::default() };
        assert_eq!((count(&simple), has_more(&simple), has_more(&full())), (1, false, true));
    }
}
