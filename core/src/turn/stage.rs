//! Stages as data, and the one loop that runs them.

use super::TurnError;
use super::running::Running;
use super::steps;

/// A stage of a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stage {
    /// Lets a declared opener answer.
    Open,
    /// Looks at a typed message before anything answers.
    Screen,
    /// Lets the first intercept that matches answer, else the last resort.
    Intercept,
    /// Checks the answer.
    Guard,
    /// Writes the answer down.
    Record,
}

/// The stages of a turn that the system opens (specs: system-opened-turns, 3.2).
pub const OPENER_STAGES: [Stage; 3] = [Stage::Open, Stage::Guard, Stage::Record];
/// The stages of a typed turn that needs no model.
pub const CHAT_STAGES: [Stage; 4] = [Stage::Screen, Stage::Intercept, Stage::Guard, Stage::Record];

/// Who works outside any stage.
pub(super) const NOBODY: &str = "unknown";

impl Stage {
    /// Under which name its events are logged (specs: iris-session-log, 1.5).
    pub fn agent(self) -> &'static str {
        match self {
            Stage::Open | Stage::Intercept => "intercept",
            Stage::Screen | Stage::Guard => "governance",
            Stage::Record => "turn_capture",
        }
    }

    fn run(self, turn: &mut Running) -> Result<Next, TurnError> {
        match self {
            Stage::Open => steps::open(turn),
            Stage::Screen => steps::screen(turn),
            Stage::Intercept => steps::intercept(turn),
            Stage::Guard => steps::guard(turn),
            Stage::Record => steps::record(turn),
        }
    }
}

/// What follows a stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Next {
    /// The next stage.
    GoOn,
    /// Record alone: the message was refused.
    RecordAlone,
}

/// Runs a turn's stages.
pub(super) fn run(stages: &[Stage], turn: &mut Running) -> Result<(), TurnError> {
    drive(stages, turn, &mut |stage, turn| stage.run(turn))
}

/// The loop. Each stage runs under its agent's name, and the name before it holds again afterwards, also after an error.
fn drive(
    stages: &[Stage],
    turn: &mut Running,
    run: &mut dyn FnMut(Stage, &mut Running) -> Result<Next, TurnError>,
) -> Result<(), TurnError> {
    let mut next = Next::GoOn;
    for stage in stages {
        if next == Next::RecordAlone && *stage != Stage::Record {
            continue;
        }
        let outer = std::mem::replace(&mut turn.agent, stage.agent());
        let ended = run(*stage, turn);
        turn.agent = outer;
        next = ended?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::{Config, ConfigTexts, Opening, Request, World};
    use super::*;
    use crate::ledger::LedgerRow;

    struct Nowhere;

    impl World for Nowhere {
        fn now_us(&mut self) -> i64 {
            0
        }
        fn turn_id(&mut self) -> String {
            "0".repeat(32)
        }
        fn record_id(&mut self) -> String {
            String::new()
        }
        fn event(&mut self, _: &str, _: String) -> Result<(), String> {
            Ok(())
        }
        fn decision(&mut self, _: LedgerRow) -> Result<(), String> {
            Ok(())
        }
    }

    /// Which stages ran, each with the agent it ran under, and who worked afterwards.
    fn ran(stages: &[Stage], answer: impl Fn(Stage) -> Result<Next, TurnError>) -> (Vec<(Stage, &'static str)>, &'static str) {
        let (config, mut world) = (Config::read(&ConfigTexts::default()), Nowhere);
        let opening = Opening::Opener("welcome");
        let request = Request { session_id: "s", channel: "console", audience: "owner", opening, skills: &[] };
        let mut deaf = |_| ();
        let mut turn = Running::new(&config, &request, &mut world, &mut deaf);
        let mut seen = Vec::new();
        let ended = drive(stages, &mut turn, &mut |stage, turn| {
            seen.push((stage, turn.agent));
            answer(stage)
        });
        assert_eq!(ended.is_err(), seen.last().is_some_and(|(stage, _)| answer(*stage).is_err()));
        (seen, turn.agent)
    }

    #[test]
    fn every_stage_runs_under_its_own_name_and_the_scope_is_restored() {
        let go_on = |_| Ok(Next::GoOn);
        let opener = vec![(Stage::Open, "intercept"), (Stage::Guard, "governance"), (Stage::Record, "turn_capture")];
        assert_eq!(ran(&OPENER_STAGES, go_on), (opener, NOBODY));
        let chat = vec![
            (Stage::Screen, "governance"),
            (Stage::Intercept, "intercept"),
            (Stage::Guard, "governance"),
            (Stage::Record, "turn_capture"),
        ];
        assert_eq!(ran(&CHAT_STAGES, go_on), (chat, NOBODY));
    }

    #[test]
    fn the_scope_is_restored_after_an_error_too() {
        for failing in OPENER_STAGES {
            let (seen, after) =
                ran(&OPENER_STAGES, |stage| if stage == failing { Err(TurnError::NotNamed) } else { Ok(Next::GoOn) });
            assert_eq!((seen.last().map(|(stage, _)| *stage), after), (Some(failing), NOBODY));
        }
    }

    #[test]
    fn a_refused_turn_runs_record_alone() {
        let refuse = |stage| Ok(if stage == Stage::Screen { Next::RecordAlone } else { Next::GoOn });
        let (seen, _) = ran(&CHAT_STAGES, refuse);
        assert_eq!(seen, [(Stage::Screen, "governance"), (Stage::Record, "turn_capture")]);
    }
}
