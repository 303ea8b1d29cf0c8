//! A world for turns: a clock that ticks, ids that count, and lists in place of a log and a ledger.

use proem_core::ledger::LedgerRow;
use proem_core::log::{Log, parse_stamp};
use proem_core::turn::{Answer, Config, ConfigTexts, Opening, Request, SkillLine, TraceEvent, TurnError, World, run, stream};

pub const SESSION: &str = "3fa9c07be21d";
pub const CHANNEL: &str = "console";

/// See [`World`].
pub struct Here {
    /// What the clock says next; the last moment is said for ever, a tenth of a millisecond later each time.
    pub clock: Vec<i64>,
    pub events: Vec<(String, String)>,
    pub rows: Vec<LedgerRow>,
    pub turns: usize,
    /// How many events and decisions are taken before one is refused.
    pub room: usize,
}

pub fn opened_at() -> i64 {
    parse_stamp("2026-10-03T08:15:00.100000+00:00").unwrap()
}

impl Default for Here {
    fn default() -> Here {
        Here { clock: vec![opened_at()], events: Vec::new(), rows: Vec::new(), turns: 0, room: usize::MAX }
    }
}

impl Here {
    fn take(&mut self) -> Result<(), String> {
        self.room = self.room.checked_sub(1).ok_or("the disk is full")?;
        Ok(())
    }

    /// The kinds of its events, with the phase where that says more.
    pub fn kinds(&self) -> Vec<String> {
        let phase = |line: &str| serde_json::from_str::<serde_json::Value>(line).unwrap()["phase"].as_str().map(str::to_owned);
        self.events.iter().map(|(kind, line)| phase(line).unwrap_or_else(|| kind.clone())).collect()
    }

    /// The log as a file.
    pub fn file(&self) -> String {
        self.events.iter().map(|(_, line)| line.as_str()).collect()
    }

    pub fn log(&self) -> Log {
        Log::read(&format!("session-{SESSION}.jsonl"), self.file().into_bytes(), &mut || ()).unwrap()
    }

    /// The payload or the fields of the one event of a kind.
    pub fn event(&self, kind: &str) -> serde_json::Value {
        let found: Vec<&String> = self.events.iter().filter(|event| event.0 == kind).map(|event| &event.1).collect();
        assert_eq!(found.len(), 1, "{kind} in {:?}", self.kinds());
        serde_json::from_str(found[0]).unwrap()
    }
}

impl World for Here {
    fn now_us(&mut self) -> i64 {
        if self.clock.len() > 1 {
            return self.clock.remove(0);
        }
        let now = self.clock[0];
        self.clock[0] = now.saturating_add(100);
        now
    }

    fn turn_id(&mut self) -> String {
        self.turns += 1;
        format!("{:032x}", 0xaaaa_0000 + self.turns)
    }

    fn record_id(&mut self) -> String {
        format!("01K6M0000000000000000000{:02}", self.rows.len())
    }

    fn event(&mut self, kind: &str, line: String) -> Result<(), String> {
        self.take()?;
        self.events.push((kind.to_owned(), line));
        Ok(())
    }

    fn decision(&mut self, row: LedgerRow) -> Result<(), String> {
        self.take()?;
        self.rows.push(row);
        Ok(())
    }
}

pub fn built_in() -> Config {
    let config = Config::read(&ConfigTexts::default());
    assert_eq!(config.problems(), []);
    config
}

/// Configurations that differ from the built-in one in one file.
pub fn intercepts(text: &str) -> Config {
    Config::read(&ConfigTexts { intercepts: Some(text), ..ConfigTexts::default() })
}

pub fn checks(text: &str) -> Config {
    Config::read(&ConfigTexts { response_checks: Some(text), ..ConfigTexts::default() })
}

pub fn welcome(text: &str) -> Config {
    Config::read(&ConfigTexts { welcome: Some(text), ..ConfigTexts::default() })
}

pub fn problems(config: &Config) -> Vec<String> {
    config.problems().iter().map(ToString::to_string).collect()
}

pub fn skills() -> Vec<SkillLine> {
    let line = |name: &str, summary: &str| SkillLine { name: name.to_owned(), summary: summary.to_owned() };
    vec![
        line("Refund rules", "Knows what may be refunded"),
        line("House style", ""),
        line("Opening hours", "Knows when we are open"),
    ]
}

pub fn request<'a>(opening: Opening<'a>, skills: &'a [SkillLine]) -> Request<'a> {
    Request { session_id: SESSION, channel: CHANNEL, audience: "owner", opening, skills }
}

/// Runs a turn plainly, in a world of its own.
pub fn turn(config: &Config, opening: Opening) -> (Result<Answer, TurnError>, Here) {
    let mut here = Here::default();
    let answer = run(config, &request(opening, &skills()), &mut here);
    (answer, here)
}

pub fn answered(config: &Config, opening: Opening) -> (Answer, Here) {
    let (answer, here) = turn(config, opening);
    (answer.unwrap(), here)
}

/// Runs a turn that is listened to, in a world of its own.
pub fn heard(config: &Config, opening: Opening) -> (Vec<TraceEvent>, Here) {
    let mut here = Here::default();
    let mut told = Vec::new();
    stream(config, &request(opening, &skills()), &mut here, &mut |event| told.push(event));
    (told, here)
}
