//! One chromedriver for all tests that run at the same time; it ends with the last of them.

use std::io::{BufRead, BufReader};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

/// A running chromedriver, in a process group of its own.
pub struct Chromedriver {
    process: Child,
    /// `http://127.0.0.1:PORT`.
    pub address: String,
}

/// The one that runs now. It is held by the tests only, since what a static holds is never dropped.
static RUNNING: Mutex<Weak<Chromedriver>> = Mutex::new(Weak::new());

impl Chromedriver {
    /// The running one, or a new one on a free port.
    pub fn get() -> Arc<Chromedriver> {
        let mut running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
        running.upgrade().unwrap_or_else(|| {
            let started = Arc::new(Chromedriver::start());
            *running = Arc::downgrade(&started);
            started
        })
    }

    fn start() -> Chromedriver {
        let program = std::env::var("CHROMEDRIVER").unwrap_or_else(|_| "chromedriver".to_owned());
        let mut command = Command::new(&program);
        command.arg("--port=0").process_group(0).stdin(Stdio::null()).stdout(Stdio::piped());
        let mut process = command.stderr(Stdio::null()).spawn().unwrap_or_else(|error| {
            panic!("{program} does not start ({error}): scripts/test installs it, or CHROMEDRIVER names it")
        });
        let output = BufReader::new(process.stdout.take().expect("it is piped"));
        let (found, port) = std::sync::mpsc::channel();
        std::thread::spawn(move || {
            // Read to its end: a pipe that nobody reads would stop it one day.
            for line in output.lines().map_while(Result::ok) {
                if let Some((_, port)) = line.split_once("started successfully on port ") {
                    // Nobody waits for a second one.
                    let _ = found.send(port.trim().trim_end_matches('.').to_owned());
                }
            }
        });
        let port = port.recv_timeout(Duration::from_secs(30));
        let port = port.unwrap_or_else(|_| panic!("{program} does not say which port it listens on"));
        Chromedriver { process, address: format!("http://127.0.0.1:{port}") }
    }
}

impl Drop for Chromedriver {
    fn drop(&mut self) {
        // Its browsers belong to its group.
        let _ = Command::new("kill").args(["-KILL", "--", &format!("-{}", self.process.id())]).status();
        let _ = self.process.wait();
    }
}
