//! A process that is killed at any named point: what it was doing is complete or has not happened, and the next call finds a sound home.

use super::home::{Home, WELCOME_EVENTS, kinds, opened_by_system};
use proem::store::StoreError;
use proem::turns::Said;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Command, Stdio};

/// The home of a child, and what it is to do there. Only children have these.
const HOME: &str = "PROEM_TEST_CHILD_HOME";
const ACT: &str = "PROEM_TEST_CHILD_ACT";
/// The number of the point at which it stops, from 0.
const POINT: &str = "PROEM_TEST_CHILD_POINT";
/// How the line begins that says where.
const PARKED: &str = "parked at ";
const CONVERSATION: &str = "0123456789ab";

/// What a process does while it is killed.
#[derive(Clone, Copy, Debug)]
enum Act {
    Welcome,
    /// A welcome whose turn fails after `handler.end`.
    FailingWelcome,
    Message,
}

impl Act {
    /// Does it, with somebody who listens at every point.
    async fn run(self, home: &Home, listen: &mut (dyn FnMut(&str) + Send)) {
        let mut fails = matches!(self, Act::FailingWelcome);
        let mut points = |point: &str| {
            listen(point);
            match point == "event handler.end" && std::mem::take(&mut fails) {
                true => Err(StoreError::Damaged("a test".to_owned())),
                false => Ok(()),
            }
        };
        match self {
            Act::Welcome => assert!(home.welcome_with("web", &mut points).await.unwrap().created),
            Act::FailingWelcome => assert!(home.welcome_with("web", &mut points).await.is_err()),
            Act::Message => {
                let said = Said { session_id: Some(CONVERSATION), channel: "console", text: "time" };
                home.turns.say(&home.store, said, &mut points).await.unwrap();
            }
        }
    }

    /// Makes the home it happens in.
    async fn prepare(self, folder: &Path) {
        let home = Home::open(folder).await;
        if matches!(self, Act::Message) {
            home.say(Some(CONVERSATION), "help").await.unwrap();
        }
        home.store.close().await;
    }

    /// The points it reaches.
    async fn points(self) -> Vec<String> {
        let folder = tempfile::tempdir().unwrap();
        self.prepare(folder.path()).await;
        let mut seen = Vec::new();
        self.run(&Home::open(folder.path()).await, &mut |point| seen.push(point.to_owned())).await;
        seen
    }

    /// Lets a process do it and kills that at one point.
    fn killed(self, folder: &Path, place: usize, point: &str) {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "welcome::killed::child", "--nocapture"])
            .env(HOME, folder)
            .env(ACT, format!("{self:?}"))
            .env(POINT, place.to_string())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut said = BufReader::new(child.stderr.take().unwrap());
        let mut line = String::new();
        said.read_line(&mut line).unwrap();
        // SIGKILL: nothing of the process runs after it.
        child.kill().unwrap();
        child.wait().unwrap();
        if line.trim_end() != format!("{PARKED}{point}") {
            said.read_to_string(&mut line).unwrap();
            panic!("{self:?} was to stop at {point}: {line}");
        }
    }
}

/// The child: does what it is told up to a point, says so, and waits to be killed. Run as a test among others it has nothing to do.
#[tokio::test]
async fn child() {
    let Some(folder) = std::env::var_os(HOME) else { return };
    let (act, place) = (std::env::var(ACT).unwrap(), std::env::var(POINT).unwrap().parse::<usize>().unwrap());
    let act = [Act::Welcome, Act::FailingWelcome, Act::Message].into_iter().find(|known| format!("{known:?}") == act).unwrap();
    let mut reached = 0;
    let mut listen = |point: &str| {
        if reached == place {
            eprintln!("{PARKED}{point}");
            loop {
                std::thread::park();
            }
        }
        reached += 1;
    };
    act.run(&Home::open(Path::new(&folder)).await, &mut listen).await;
    eprintln!("it came to its end");
}

#[tokio::test]
async fn a_welcome_is_complete_or_has_not_happened() {
    let points = Act::Welcome.points().await;
    for event in WELCOME_EVENTS {
        assert!(points.contains(&format!("event {event}")), "{points:?}");
    }
    for (place, point) in points.iter().enumerate() {
        let folder = tempfile::tempdir().unwrap();
        Act::Welcome.prepare(folder.path()).await;
        Act::Welcome.killed(folder.path(), place, point);
        let home = Home::open(folder.path()).await;
        let done = point == "committed";
        let state = home.turns.state(&home.store).await.unwrap();
        assert_eq!((state.welcome.state.as_str(), state.audit_count > 0), (if done { "done" } else { "due" }, done), "{point}");
        assert_eq!((home.logs().await.len(), state.welcome.failures), (usize::from(done), 0), "{point}");
        let answer = home.welcome("web").await.unwrap();
        assert_eq!(answer.created, !done, "{point}");
        let logs = home.logs().await;
        assert_eq!((logs.len(), opened_by_system(&logs)), (1, 1), "{point}");
        assert_eq!((kinds(&logs[0].1), &logs[0].0.id), (WELCOME_EVENTS.to_vec(), &answer.session_id), "{point}");
        assert!(home.turns.state(&home.store).await.unwrap().audit_count > 0, "{point}");
    }
}

#[tokio::test]
async fn a_failed_welcome_is_noted_whole_or_not_at_all() {
    let points = Act::FailingWelcome.points().await;
    let begin = points.iter().position(|point| point == "begin attempt").unwrap();
    assert!(points[begin..].contains(&"write attempt".to_owned()), "{points:?}");
    for (place, point) in points.iter().enumerate().skip(begin) {
        let folder = tempfile::tempdir().unwrap();
        Act::FailingWelcome.prepare(folder.path()).await;
        Act::FailingWelcome.killed(folder.path(), place, point);
        let home = Home::open(folder.path()).await;
        let noted = point == "attempt committed";
        assert_eq!(home.turns.state(&home.store).await.unwrap().welcome.failures, u64::from(noted), "{point}");
        assert_eq!(home.logs().await.len(), usize::from(noted), "{point}");
        assert!(home.welcome("web").await.unwrap().created, "{point}");
    }
}

#[tokio::test]
async fn a_turn_is_in_the_log_whole_or_not_at_all() {
    let points = Act::Message.points().await;
    assert!(points.contains(&"event user_message".to_owned()) && points.contains(&"write frame".to_owned()), "{points:?}");
    for (place, point) in points.iter().enumerate() {
        let folder = tempfile::tempdir().unwrap();
        Act::Message.prepare(folder.path()).await;
        let before = Home::open(folder.path()).await.store.decisions().await.unwrap();
        Act::Message.killed(folder.path(), place, point);
        let home = Home::open(folder.path()).await;
        let done = point == "committed";
        let logs = home.logs().await;
        assert_eq!((logs.len(), logs[0].1.turns().len()), (1, 1 + usize::from(done)), "{point}");
        assert!(logs[0].1.turns().iter().all(|turn| turn.answers == 1), "{point}");
        assert_eq!(home.store.decisions().await.unwrap() > before, done, "{point}");
        let next = home.say(Some(CONVERSATION), "time").await.unwrap();
        assert_eq!(next.trace_id, format!("{CONVERSATION}~{}", 1 + usize::from(done)), "{point}");
    }
}
