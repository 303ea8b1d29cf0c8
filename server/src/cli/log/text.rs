//! Turns, replay and trace as text for people. Foreign text is shown as text: control characters never reach the terminal.

use proem_core::log::{
    Log, Message, OpenedBy, Outcome, Replay, Role, SessionSummary, Turn, TurnDurationSource, TurnList, clock, counted,
};
use proem_core::trace::{GovernanceEvent, Layout, NodeBox, Status, Step, Trace, duration_text};
use std::fmt::Write;

/// Characters of a request in a list.
const REQUEST: usize = 70;
/// Characters of a bar.
const BAR: usize = 30;

/// The list of turns.
pub fn turns(summary: &SessionSummary, list: &TurnList, all: bool) -> String {
    let mut out = format!("Session {}: {}\n", one_line(&summary.session_id), one_line(&summary.title));
    let _ = writeln!(
        out,
        "{} listed, {} hidden, {} before the first turn, {}, {}\n",
        counted(summary.turn_count, "turn"),
        summary.hidden_turns,
        counted(summary.preamble_events, "event"),
        counted(summary.total_tokens, "token"),
        duration_text(summary.total_duration_ms)
    );
    let mut rows = vec![["turn", "time", "opened by", "outcome", "took", "tokens", "request"].map(str::to_owned)];
    for turn in list.turns.iter().filter(|turn| all || turn.listed) {
        rows.push([
            turn.index.map_or("-".to_owned(), |index| index.to_string()),
            clock(turn.started_at.as_deref()),
            opener(turn),
            turn.outcome.as_str().to_owned(),
            took(turn),
            turn.total_tokens.to_string(),
            request(turn),
        ]);
    }
    out.push_str(&table(&rows, &[0, 4, 5]));
    let hidden = list.turns.iter().filter(|turn| !turn.listed).count();
    if !all && hidden > 0 {
        let _ = writeln!(out, "\n{hidden} hidden: answered without any work (--all shows them).");
    }
    out
}

fn took(turn: &Turn) -> String {
    match turn.duration_source {
        TurnDurationSource::None => "?".to_owned(),
        _ => duration_text(turn.duration_ms),
    }
}

fn opener(turn: &Turn) -> String {
    match turn.opened_by {
        OpenedBy::User => "a person".to_owned(),
        OpenedBy::System => format!("the system ({})", turn.opener.as_deref().map_or("?".to_owned(), one_line)),
        OpenedBy::Agent => "an agent".to_owned(),
        OpenedBy::Unknown => "unknown".to_owned(),
    }
}

fn request(turn: &Turn) -> String {
    match turn.request.trim() {
        "" if turn.opened_by == OpenedBy::Unknown => match &turn.continues {
            Some(earlier) => format!("(resumed run, continues {})", one_line(earlier)),
            None => "(resumed run)".to_owned(),
        },
        "" => "(empty message)".to_owned(),
        request => cut(&one_line(request), REQUEST),
    }
}

/// The conversation.
pub fn replay(log: &Log, replay: &Replay) -> String {
    let mut out = String::new();
    let mut current: Option<&str> = None;
    for message in &replay.messages {
        if current != Some(&message.reference) {
            current = Some(&message.reference);
            heading(&mut out, log.turns().iter().find(|turn| turn.reference == message.reference));
        }
        let mut lines = message.text.lines();
        let _ = writeln!(out, "{:>8}  {:<9}  {}", clock(message.ts.as_deref()), speaker(message), said(message, lines.next()));
        for line in lines {
            let line = format!("{:>21}{}", "", one_line(line));
            let _ = writeln!(out, "{}", line.trim_end());
        }
    }
    out
}

fn heading(out: &mut String, turn: Option<&Turn>) {
    if !out.is_empty() {
        out.push('\n');
    }
    let _ = match turn {
        None => writeln!(out, "-- before the first turn"),
        Some(turn) => {
            let number = turn.index.map_or("resumed run".to_owned(), |index| format!("turn {index}"));
            let by = match turn.opened_by {
                OpenedBy::System => format!(", opened by the system: {}", request(turn)),
                _ => String::new(),
            };
            writeln!(out, "-- {number}{by}")
        }
    };
}

fn speaker(message: &Message) -> String {
    match message.role {
        Role::User => "you".to_owned(),
        Role::Assistant => "agent".to_owned(),
        Role::Notice => "--".to_owned(),
        Role::Tool => cut(&one_line(message.code.as_deref().unwrap_or("event")), 24),
    }
}

fn said(message: &Message, first: Option<&str>) -> String {
    let first = one_line(first.unwrap_or_default());
    match message.role {
        Role::Notice => {
            let why = match message.code.as_deref() {
                Some("resumed") => "resumed run",
                Some("failed") => "the opener failed, no answer",
                Some("error") => "no answer, an error was logged",
                Some("halted") => "stopped by a check, no answer",
                _ => "no answer was logged",
            };
            if first.is_empty() { why.to_owned() } else { format!("{why}: {first}") }
        }
        Role::User if message.text.trim().is_empty() => "(empty message)".to_owned(),
        Role::Assistant => match message.outcome {
            Some(Outcome::Ok) | None => first,
            Some(outcome) => format!("[{}] {first}", outcome.as_str()),
        },
        _ => first,
    }
}

/// The call trace, drawn, and the steps.
pub fn trace(turn: &Turn, trace: &Trace, layout: &Layout, all: bool) -> String {
    let mut out = format!("Turn {}\n", one_line(&trace.reference));
    let asked = if trace.opened_by_system { "Nobody typed: the system opened it" } else { "Asked" };
    let _ = writeln!(out, "{asked}: {}", request(turn));
    let _ = writeln!(
        out,
        "Started {}, took {}, {}, outcome {}\n",
        trace.started_at.as_deref().map_or("at an unknown time".to_owned(), one_line),
        took(turn),
        counted(trace.total_tokens, "token"),
        turn.outcome.as_str()
    );
    let mut rows = vec![["start", "took", "", "call", "kind"].map(str::to_owned)];
    let mut after = false;
    for place in &layout.boxes {
        let node = &trace.nodes[place.node];
        if place.after_answer && !after {
            after = true;
            rows.push(["", "", "after the answer", "", ""].map(str::to_owned));
        }
        let mark = match node.status {
            Status::Ok => "",
            Status::Error => " !",
            Status::Open => " …",
        };
        rows.push([
            duration_text(node.t_offset_ms),
            place.duration_text.clone(),
            bar(place),
            format!("{}{}{mark}", "  ".repeat(place.depth.min(12) as usize), cut(&one_line(&node.label), 48)),
            one_line(&node.kind),
        ]);
    }
    out.push_str(&table(&rows, &[0, 1]));
    out.push_str("\nSteps\n");
    let steps = table(&trace.steps.iter().map(step).collect::<Vec<_>>(), &[0]);
    for (row, step) in steps.lines().zip(&trace.steps) {
        let _ = writeln!(out, "{row}");
        for line in step.detail.iter().filter(|_| all).flat_map(|detail| detail.lines()) {
            let line = format!("      {}", one_line(line));
            let _ = writeln!(out, "{}", line.trim_end());
        }
    }
    if !trace.governance.is_empty() {
        out.push_str("\nDecisions\n");
        let mut rows = vec![["time", "at", "hook", "decision", "check", "reason"].map(str::to_owned)];
        rows.extend(trace.governance.iter().map(decision));
        out.push_str(&table(&rows, &[0]));
    }
    out
}

fn decision(event: &GovernanceEvent) -> [String; 6] {
    let entry = &event.entry;
    // What a reason leaves open: how grave it is, what the data is, and where it goes.
    let severity = Some(entry.severity.as_str()).filter(|severity| *severity != "info");
    let about = [severity, entry.classification.as_deref(), entry.locality.as_deref()].into_iter().flatten().collect::<Vec<_>>();
    let about = if about.is_empty() { String::new() } else { format!(" [{}]", about.join(", ")) };
    [
        duration_text(event.t_offset_ms),
        one_line(&event.node),
        cut(&one_line(&entry.hook_point), 24),
        one_line(entry.decision.as_str()),
        cut(&one_line(&entry.plugin), 32),
        cut(&one_line(&entry.reason), 100) + &one_line(&about),
    ]
}

fn step(step: &Step) -> [String; 3] {
    let time = if step.time_unknown { "?".to_owned() } else { duration_text(step.t_offset_ms) };
    let mark = match step.status {
        Status::Ok => " ",
        Status::Error => "!",
        Status::Open => "…",
    };
    [time, mark.to_owned(), cut(&one_line(&step.title), 120)]
}

fn bar(place: &NodeBox) -> String {
    // Both are parts of the axis between 0 and 1, so the products stay within the bar.
    let from = (place.left * BAR as f64) as usize;
    let to = ((place.left + place.width) * BAR as f64).ceil() as usize;
    (0..BAR).map(|at| if (from..to.max(from + 1)).contains(&at) { '█' } else { '·' }).collect()
}

/// Aligned columns, two spaces apart; those in `right` are aligned right.
fn table<const N: usize>(rows: &[[String; N]], right: &[usize]) -> String {
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..N).map(width).collect();
    let mut out = String::new();
    for row in rows {
        let cells = row.iter().enumerate().map(|(column, cell)| {
            let gap = " ".repeat(widths[column] - cell.chars().count());
            if right.contains(&column) { format!("{gap}{cell}") } else { format!("{cell}{gap}") }
        });
        let line = cells.collect::<Vec<_>>().join("  ");
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}

/// A text on one line, without characters that would move the cursor or turn the writing direction.
fn one_line(text: &str) -> String {
    let shown = |c: char| match c {
        c if c.is_whitespace() => ' ',
        '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' => '\u{FFFD}',
        c if c.is_control() => '\u{FFFD}',
        c => c,
    };
    text.chars().map(shown).collect()
}

fn cut(text: &str, limit: usize) -> String {
    match text.char_indices().nth(limit) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
