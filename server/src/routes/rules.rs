//! The organisation's rules, and the proof bundle: what came of the built-in rules over what is stored.

use crate::app::AppState;
use crate::clock;
use crate::extract::{Fields, Json};
use crate::failure::Failure;
use crate::import::OWNER;
use crate::store::{Finished, SavedRules, StoreError};
use axum::extract::State;
use proem_core::api::governance::{Invariant, ProofBundle, RulesDocument, SaveRules, StoredViolation};
use proem_core::assertion::{Report, Row, RuleReport, Rules, Run, Verdict};
use proem_core::ledger::LedgerEntry;
use proem_core::log::{Log, counted, parse_stamp};
use proem_core::opening::table::CONTRACT;
use proem_core::skill::Revision;
use proem_core::template::normalize;
use serde::Deserialize;
use std::collections::HashMap;
use std::sync::Arc;

/// Days that a proof looks back when nobody says, and at most.
const DAYS: u32 = 7;
const DAYS_MAX: u32 = 366;
const DAY_US: i64 = 24 * 60 * 60 * 1_000_000;

/// The newest rules.
pub async fn read(State(app): State<Arc<AppState>>) -> Result<axum::Json<RulesDocument>, Failure> {
    Ok(axum::Json(app.store.rules().await?))
}

/// Makes a text the newest rules, unless it has faults or somebody else saved first.
pub async fn save(State(app): State<Arc<AppState>>, Json(wanted): Json<SaveRules>) -> Result<axum::Json<RulesDocument>, Failure> {
    let stored = app.store.rules().await?;
    let body = normalize(&wanted.body);
    // First of all: a save that is sent again because its answer was lost finds its own text and is content.
    if stored.revision > 0 && body == stored.body {
        return Ok(axum::Json(stored));
    }
    if stored.revision != wanted.base {
        return Err(stale(stored, wanted.base));
    }
    if let Err(problems) = Rules::parse(&body) {
        let message = format!("These rules have {}, so nothing was saved.", counted(problems.len() as u64, "error"));
        return Err(Failure::refused(message).with_problems(problems));
    }
    match app.store.save_rules(wanted.base, &body, OWNER).await? {
        SavedRules::Stored(document) => Ok(axum::Json(document)),
        SavedRules::Stale(document) => Err(stale(document, wanted.base)),
    }
}

fn stale(stored: RulesDocument, base: u32) -> Failure {
    let RulesDocument { revision, body, author, time } = stored;
    let message = format!(
        "Your rules are based on revision {base}, but revision {revision} by {author} is stored now. Nothing was saved: compare the two."
    );
    Failure::stale(message).with_head(Revision { number: revision, body, author, time, note: String::new(), contract: CONTRACT })
}

/// The query of a proof.
#[derive(Deserialize)]
pub struct Asked {
    days: Option<String>,
}

/// Holds the stored logs with activity in the last days, and the rows of the ledger of that time, against the built-in rules. One log is in
/// memory at a time.
pub async fn proof(State(app): State<Arc<AppState>>, Fields(asked): Fields<Asked>) -> Result<axum::Json<ProofBundle>, Failure> {
    let days = match &asked.days {
        None => DAYS,
        Some(days) => days.parse().ok().filter(|days| (1..=DAYS_MAX).contains(days)).ok_or_else(|| {
            Failure::refused(format!(
                "`days` is a whole number from 1 to {DAYS_MAX}, not `{}`.",
                days.chars().take(20).collect::<String>()
            ))
        })?,
    };
    let from_us = clock::unix_us() - i64::from(days) * DAY_US;
    let mut run = Run::new(Rules::built_in());
    let mut stored = HashMap::new();
    for session in app.store.sessions(true).await? {
        let active = session.summary.last_activity_at.as_deref().and_then(parse_stamp).is_some_and(|last| last >= from_us);
        // A log that was replaced or removed meanwhile is looked up anew.
        let id = session.id.parse().ok().filter(|_| active);
        let Some(finished) = (match &id {
            Some(id) => app.store.session(id).await?,
            None => None,
        }) else {
            continue;
        };
        let session_id = &finished.session.summary.session_id;
        let decisions = app.store.decisions_of(session_id).await.map_err(unreadable)?;
        stored.insert(session_id.clone(), finished.session.id.clone());
        run = judged(&app, run, finished, decisions).await?;
    }
    let mut after = 0;
    loop {
        let rows = app.store.ledger_rows(from_us, after).await.map_err(unreadable)?;
        let Some(last) = rows.last() else { break };
        after = last.id;
        run.rows(rows.iter().map(Row::Kept), &mut || ());
    }
    Ok(axum::Json(bundle(days, run.finish(), &stored)))
}

/// A log against the rules, on a thread of its own. An imported session of which the ledger knows nothing may have its rows elsewhere:
/// rules that look for rows do not judge it.
async fn judged(app: &AppState, mut run: Run, finished: Finished, decisions: Vec<LedgerEntry>) -> Result<Run, Failure> {
    let _one = app.reading.acquire().await.map_err(Failure::internal)?;
    let Finished { session, content, bytes } = finished;
    let bytes = app.store.content(&content, bytes).await?;
    let work = tokio::task::spawn_blocking(move || {
        match Log::read(&session.file_name, bytes, &mut || ()) {
            Ok(log) => {
                let known = session.live || !decisions.is_empty();
                run.log(&session.file_name, &log, known.then_some(decisions.as_slice()), &mut || ());
            }
            Err(error) => run.left_out(&session.file_name, error.to_string()),
        }
        run
    });
    work.await.map_err(Failure::internal)
}

fn bundle(days: u32, report: Report, stored: &HashMap<String, String>) -> ProofBundle {
    let invariant = |rule: RuleReport| Invariant {
        id: rule.id,
        statement: rule.says,
        ok: rule.verdict != Verdict::Violated,
        verdict: rule.verdict,
        evidence: [(rule.over, rule.judged)].into(),
        violation_count: rule.violation_count,
        violations: rule
            .violations
            .into_iter()
            .map(|violation| {
                let of = violation.spot.session.as_ref().and_then(|session| stored.get(session)).cloned();
                StoredViolation { violation, stored: of }
            })
            .collect(),
    };
    ProofBundle {
        ok: report.ok,
        days,
        ledger_rows: report.rows,
        logs: report.logs,
        turns: report.turns,
        left_out: report.left_out,
        invariants: report.rules.into_iter().map(invariant).collect(),
    }
}

/// As everywhere, what cannot be read is an error and no empty view.
fn unreadable(error: StoreError) -> Failure {
    let message = "The ledger cannot be read now, so nothing was judged; what happened is in the server's log, on the terminal where it was \
                   started.";
    Failure::unreadable(message, error)
}
