//! `proem serve` as a process: the link it prints, what it logs, and how it ends.

// A failed `unwrap` is a failed test, in helpers as well.
#![allow(clippy::unwrap_used)]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

/// A running server; killed when a test fails before ending it.
struct Server {
    process: Child,
    /// `127.0.0.1:PORT`.
    address: String,
    token: String,
}

impl Server {
    fn start(home: &Path) -> Server {
        let mut process = proem(home, "127.0.0.1:0").spawn().unwrap();
        let mut link = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut link).unwrap();
        let (address, token) = link.trim_end().strip_prefix("http://").unwrap().split_once("/?token=").unwrap();
        Server { process, address: address.to_owned(), token: token.to_owned() }
    }

    /// One request; the whole answer as text.
    fn get(&self, path: &str) -> String {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        write!(
            stream,
            "GET {path} HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {}\r\nConnection: close\r\n\r\n",
            self.address, self.token
        )
        .unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    }

    /// Asks it to end as the system does; what it wrote to standard error, once it has ended well.
    fn end(mut self) -> String {
        assert!(Command::new("kill").arg(self.process.id().to_string()).status().unwrap().success());
        let mut log = String::new();
        self.process.stderr.take().unwrap().read_to_string(&mut log).unwrap();
        assert_eq!(self.process.wait().unwrap().code(), Some(0), "{log}");
        log
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn proem(home: &Path, listen: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_proem"));
    command.args(["serve", "--listen", listen, "--home"]).arg(home).env_remove("RUST_LOG");
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

#[test]
fn the_printed_link_opens_it_and_no_secret_is_logged() {
    let home = tempfile::tempdir().unwrap();
    let server = Server::start(home.path());
    let token = server.token.clone();
    assert_eq!(token.len(), 64);
    let signed_in = server.get(&format!("/skills?token={token}"));
    assert!(signed_in.starts_with("HTTP/1.1 303"), "{signed_in}");
    assert!(server.get("/api/skills?secret=hush").starts_with("HTTP/1.1 200"));
    let log = server.end();
    assert!(log.contains("GET /skills 303") && log.contains("GET /api/skills 200"), "{log}");
    assert!(!log.contains(&token) && !log.contains("hush"), "{log}");
}

#[test]
fn two_servers_share_a_home_and_have_tokens_of_their_own() {
    let home = tempfile::tempdir().unwrap();
    let (one, other) = (Server::start(home.path()), Server::start(home.path()));
    assert_ne!(one.token, other.token);
    let body = |answer: String| answer.split_once("\r\n\r\n").unwrap().1.to_owned();
    assert_eq!(body(one.get("/api/skills")), body(other.get("/api/skills")));
    one.end();
    other.end();
}

#[test]
fn a_port_in_use_is_a_sentence() {
    let home = tempfile::tempdir().unwrap();
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let Output { status, stderr, stdout } = proem(home.path(), &address).output().unwrap();
    assert_eq!(status.code(), Some(2));
    assert!(stdout.is_empty());
    let expected =
        format!("proem: {address} is in use, perhaps by another Proem: stop that one, or give another address with --listen\n");
    assert_eq!(String::from_utf8(stderr).unwrap(), expected);
}

#[test]
fn a_home_that_cannot_be_made_is_a_sentence() {
    let home = tempfile::NamedTempFile::new().unwrap();
    let output = proem(home.path(), "127.0.0.1:0").output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let sentence = String::from_utf8(output.stderr).unwrap();
    assert!(sentence.starts_with(&format!("proem: the home folder {} cannot be used:", home.path().display())), "{sentence}");
}
