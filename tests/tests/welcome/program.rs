//! Two servers as two processes on one home.

use super::home::{Home, opened_by_system};
use proem_core::api::chat::WelcomeAnswer;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// A running server; it ends with its test.
struct Server {
    process: Child,
    /// `127.0.0.1:PORT`.
    address: String,
    token: String,
}

impl Server {
    fn start(home: &Path) -> Server {
        let mut command = Command::new(program());
        command.args(["serve", "--listen", "127.0.0.1:0", "--home"]).arg(home);
        let mut process = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut link = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut link).unwrap();
        let (address, token) = link.trim_end().strip_prefix("http://").unwrap().split_once("/?token=").unwrap();
        Server { process, address: address.to_owned(), token: token.to_owned() }
    }

    /// Connects and sends all of a request for the welcome but its last byte.
    fn prepare(&self) -> TcpStream {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        let (address, token) = (&self.address, &self.token);
        let head = format!(
            "POST /api/chat/welcome HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {token}\r\nConnection: close\r\nContent-Length: 0\r\n\r"
        );
        stream.write_all(head.as_bytes()).unwrap();
        stream
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The `proem` binary: `PROEM_BIN`, else the one beside this test's folder.
fn program() -> PathBuf {
    let program = std::env::var_os("PROEM_BIN").map(PathBuf::from).unwrap_or_else(|| {
        let this = std::env::current_exe().unwrap();
        this.ancestors().nth(2).expect("a test lies two folders deep").join("proem")
    });
    assert!(program.is_file(), "{} is missing: run scripts/test, or cargo build -p proem", program.display());
    program
}

fn answer(mut stream: TcpStream) -> WelcomeAnswer {
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap();
    assert!(text.starts_with("HTTP/1.1 200"), "{text}");
    serde_json::from_str(text.split_once("\r\n\r\n").unwrap().1).unwrap()
}

#[tokio::test]
async fn two_servers_on_one_home_make_one_welcome() {
    let folder = tempfile::tempdir().unwrap();
    let servers = [Server::start(folder.path()), Server::start(folder.path())];
    // Twenty requests wait for their last byte; then all of them get it.
    let mut waiting: Vec<TcpStream> = (0..20).map(|number| servers[number % 2].prepare()).collect();
    for stream in &mut waiting {
        stream.write_all(b"\n").unwrap();
    }
    let answers: Vec<WelcomeAnswer> = waiting.into_iter().map(answer).collect();
    assert_eq!(answers.iter().filter(|answer| answer.created).count(), 1);
    for answer in &answers {
        assert_eq!((&answer.session_id, &answer.response), (&answers[0].session_id, &answers[0].response));
    }
    let home = Home::open(folder.path()).await;
    let logs = home.logs().await;
    assert_eq!((logs.len(), opened_by_system(&logs)), (1, 1));
    assert_eq!(logs[0].0.id, answers[0].session_id);
}
