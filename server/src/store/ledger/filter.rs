//! Which rows of the ledger are asked for, as conditions of a query.

use crate::store::ORG;
use proem_core::log::{TurnSpan, find_span};
use sqlx::{QueryBuilder, Sqlite};

/// Which rows are asked for; what is absent leaves nothing out. Every part was found sound at the border.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// Session id.
    pub session: Option<String>,
    /// Turn: a reference of any form, or a turn id.
    pub turn: Option<String>,
    /// Hook point.
    pub hook: Option<String>,
    /// The check.
    pub plugin: Option<String>,
    /// Any of these.
    pub decisions: Vec<String>,
    /// Any of these.
    pub severities: Vec<String>,
    /// Exact, or all of a namespace when it ends in `:`.
    pub caller: Option<String>,
    /// Handler.
    pub handler: Option<String>,
    /// Answered by a deterministic handler or not.
    pub deterministic: Option<bool>,
    /// Not before this moment, microseconds since 1970.
    pub from_us: Option<i64>,
    /// Before this one.
    pub to_us: Option<i64>,
    /// Part of the reason; letters of ASCII match in both cases.
    pub q: Option<String>,
}

impl Filter {
    /// Adds where to look and its conditions, from `FROM` on. Only decisions match. `turn` is the turn it names, where it names one.
    pub(super) fn push(&self, turn: Option<&TurnRows>, sql: &mut QueryBuilder<Sqlite>) {
        // Left alone the database would take any index that begins with the organisation, of which there is one.
        let by_time = self.session.is_none() && self.turn.is_none();
        sql.push(" FROM governance_ledger").push(if by_time { " INDEXED BY governance_ledger_decisions" } else { "" });
        sql.push(" WHERE org_id = ").push_bind(ORG).push(" AND kind IS NULL AND plugin <> 'audit'");
        if let Some(session) = &self.session {
            of_session(sql, session);
        }
        let equal = [("hook_point", &self.hook), ("plugin", &self.plugin), ("handler", &self.handler)];
        for (column, value) in equal.into_iter().filter_map(|(column, value)| Some((column, value.as_ref()?))) {
            sql.push(format_args!(" AND {column} = ")).push_bind(value.clone());
        }
        for (column, values) in [("decision", &self.decisions), ("severity", &self.severities)] {
            if !values.is_empty() {
                sql.push(format_args!(" AND {column} IN (SELECT value FROM json_each(")).push_bind(list(values)).push("))");
            }
        }
        if let Some(caller) = &self.caller {
            if caller.ends_with(':') {
                sql.push(" AND substr(caller, 1, length(").push_bind(caller.clone()).push(")) = ").push_bind(caller.clone());
            } else {
                sql.push(" AND caller = ").push_bind(caller.clone());
            }
        }
        if let Some(deterministic) = self.deterministic {
            // What does not say so is not.
            sql.push(" AND COALESCE(deterministic, 0) = ").push_bind(deterministic);
        }
        if let Some(from) = self.from_us {
            sql.push(" AND ts_us >= ").push_bind(from);
        }
        if let Some(to) = self.to_us {
            sql.push(" AND ts_us < ").push_bind(to);
        }
        if let Some(part) = &self.q {
            sql.push(" AND instr(lower(reason), lower(").push_bind(part.clone()).push(")) > 0");
        }
        if let Some(turn) = turn {
            turn.push(sql);
        }
    }
}

/// The rows of one turn, as conditions: those that the core's `link` leads to it.
#[derive(Debug, Default)]
pub(super) struct TurnRows {
    /// The session, when a stored log of it was found.
    session: Option<String>,
    /// The turn id that rows may name.
    exact: Option<String>,
    window: Option<TurnWindow>,
}

/// When the turn was open. Rows that name another turn are not in it, and neither are those inside a turn that opened later.
#[derive(Debug)]
struct TurnWindow {
    opened: String,
    closed: String,
    /// JSON lists of opening and closing stamps: of all turns that opened later, and of those among them without an id.
    later: String,
    later_nameless: String,
    /// For a turn without an id: a JSON list of all ids in the session. A row with another id may still be of this turn.
    known_ids: Option<String>,
}

impl TurnRows {
    /// Of a turn whose session has no stored log: only rows that name it can be told.
    pub fn of_unknown(reference: &str) -> TurnRows {
        let id = reference.rsplit_once('@').map_or(reference, |(_, id)| id);
        TurnRows { exact: Some(id.to_owned()), ..TurnRows::default() }
    }

    /// Of a turn among those of its session; none when there is no such turn.
    pub fn of_known(reference: &str, session: &str, spans: &[TurnSpan]) -> TurnRows {
        let session = Some(session.to_owned());
        let Some(at) = find_span(spans, reference) else { return TurnRows { session, ..TurnRows::default() } };
        let this = &spans[at];
        let first = spans.iter().position(|span| span.turn_id.is_some() && span.turn_id == this.turn_id);
        let window = this.opened_at.clone().zip(this.closed_at.clone()).map(|(opened, closed)| {
            let later = |only_nameless: bool| {
                let rank = |at: usize| (spans[at].opened_at.as_ref(), at);
                let later = (0..spans.len()).filter(|other| rank(*other) > rank(at) && spans[*other].opened_at <= this.closed_at);
                let wanted = later.filter(|other| !only_nameless || spans[*other].turn_id.is_none());
                let ends = wanted.filter_map(|other| spans[other].opened_at.as_ref().zip(spans[other].closed_at.as_ref()));
                serde_json::json!(ends.collect::<Vec<_>>()).to_string()
            };
            let ids = || list(&spans.iter().filter_map(|span| span.turn_id.clone()).collect::<Vec<_>>());
            let (later, later_nameless) = (later(false), later(true));
            TurnWindow { opened, closed, later, later_nameless, known_ids: this.turn_id.is_none().then(ids) }
        });
        TurnRows { session, exact: this.turn_id.clone().filter(|_| first == Some(at)), window }
    }

    fn push(&self, sql: &mut QueryBuilder<Sqlite>) {
        if let Some(session) = &self.session {
            of_session(sql, session);
        }
        sql.push(" AND (0");
        if let Some(id) = &self.exact {
            sql.push(" OR turn_id = ").push_bind(id.clone());
        }
        if let Some(window) = &self.window {
            sql.push(" OR (ts >= ").push_bind(window.opened.clone());
            sql.push(" AND ts <= ").push_bind(window.closed.clone());
            sql.push(" AND ((turn_id IS NULL");
            not_inside(sql, &window.later);
            sql.push(")");
            if let Some(ids) = &window.known_ids {
                sql.push(" OR (turn_id NOT IN (SELECT value FROM json_each(").push_bind(ids.clone()).push("))");
                not_inside(sql, &window.later_nameless);
                sql.push(")");
            }
            sql.push("))");
        }
        sql.push(")");
    }
}

/// A row is of a session when either column names it. Two look-ups: `OR` would look at every row.
fn of_session(sql: &mut QueryBuilder<Sqlite>, session: &str) {
    sql.push(" AND id IN (SELECT id FROM governance_ledger WHERE org_id = ").push_bind(ORG);
    sql.push(" AND session_id = ").push_bind(session.to_owned());
    sql.push(" UNION ALL SELECT id FROM governance_ledger WHERE org_id = ").push_bind(ORG);
    sql.push(" AND run_id = ").push_bind(session.to_owned()).push(")");
}

fn not_inside(sql: &mut QueryBuilder<Sqlite>, windows: &str) {
    sql.push(" AND NOT EXISTS (SELECT 1 FROM json_each(").push_bind(windows.to_owned());
    sql.push(") AS inside WHERE ts >= inside.value ->> 0 AND ts <= inside.value ->> 1)");
}

fn list(texts: &[String]) -> String {
    serde_json::json!(texts).to_string()
}
