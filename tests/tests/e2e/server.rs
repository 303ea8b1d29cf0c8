//! A server in this process: a fresh home, a free port, the pages from `dist`.

use axum::Router;
use axum::body::Body;
use axum::http::{Method, Request, StatusCode};
use http_body_util::BodyExt;
use proem::app::{AppState, Config, app};
use proem::assets::Assets;
use proem::border::hosts::Hosts;
use proem::engine::EngineMode;
use proem::token::Token;
use proem_core::api::SkillDetail;
use serde_json::{Value, json};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use tempfile::TempDir;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tower::ServiceExt;

/// The token of every test server.
pub const TOKEN: &str = "the-token-of-this-start";

/// A server and its home.
pub struct Server {
    app: Router,
    address: SocketAddr,
    serving: JoinHandle<()>,
    home: TempDir,
}

impl Server {
    /// One that renders in this process.
    pub async fn start() -> Server {
        Server::with_engine(EngineMode::InProcess).await
    }

    /// One that renders in child processes, which a hostile template may take down.
    pub async fn guarded() -> Server {
        Server::with_engine(EngineMode::Children(program())).await
    }

    async fn with_engine(engine: EngineMode) -> Server {
        let dist = Path::new(env!("CARGO_MANIFEST_DIR")).join("../dist/index.html");
        assert!(dist.is_file(), "the pages are not built (there is no dist/index.html): run scripts/test, or trunk build");
        let home = tempfile::tempdir().unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let config = Config {
            home: home.path().to_owned(),
            token: Token::new(TOKEN),
            hosts: Hosts::of(address),
            engine,
            assets: Assets::Built,
        };
        let app = app(AppState::open(config).await.unwrap());
        let service = app.clone();
        let serving = tokio::spawn(async move { axum::serve(listener, service).await.unwrap() });
        Server { app, address, serving, home }
    }

    /// Writes a configuration file of the home, which the next turn reads.
    pub fn configure(&self, name: &str, text: &str) {
        let folder = self.home.path().join("config");
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join(name), text).unwrap();
    }

    /// Says something as a program; the id of the conversation.
    pub async fn say(&self, session: Option<&str>, text: &str) -> String {
        let mut request = json!({ "text": text });
        if let Some(session) = session {
            request["session_id"] = json!(session);
        }
        let answer = self.json(Method::POST, "/api/chat/messages", request).await;
        answer["session_id"].as_str().unwrap_or_else(|| panic!("no session in {answer}")).to_owned()
    }

    /// The address of a path.
    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// Asks as a program with the token; status and body.
    pub async fn ask(&self, method: Method, path: &str, body: impl Into<Body>) -> (StatusCode, Vec<u8>) {
        let request = Request::builder().method(method).uri(path).header("host", self.address.to_string());
        let request = request.header("authorization", format!("Bearer {TOKEN}")).header("content-type", "application/json");
        let response = self.app.clone().oneshot(request.body(body.into()).unwrap()).await.unwrap();
        let status = response.status();
        (status, response.into_body().collect().await.unwrap().to_bytes().to_vec())
    }

    /// The same, for what must succeed and is answered in JSON.
    pub async fn json(&self, method: Method, path: &str, body: Value) -> Value {
        let (status, bytes) = self.ask(method, path, body.to_string()).await;
        assert!(status.is_success(), "{path}: {status} {}", String::from_utf8_lossy(&bytes));
        serde_json::from_slice(&bytes).unwrap()
    }

    /// A skill as it is stored.
    pub async fn skill(&self, slug: &str) -> SkillDetail {
        let (_, bytes) = self.ask(Method::GET, &format!("/api/skills/{slug}"), Body::empty()).await;
        serde_json::from_slice(&bytes).unwrap()
    }

    /// Saves a text of a skill on top of what is stored.
    pub async fn save(&self, slug: &str, body: &str) {
        let base = self.skill(slug).await.head.number;
        self.json(Method::PUT, &format!("/api/skills/{slug}"), json!({ "base": base, "body": body })).await;
    }

    /// Stores a log; the id of its session.
    pub async fn upload(&self, name: &str, bytes: &[u8]) -> String {
        let path = format!("/api/uploads/{:016x}?name={name}&size={}&offset=0", bytes.len(), bytes.len());
        let (status, answer) = self.ask(Method::PUT, &path, bytes.to_vec()).await;
        assert!(status.is_success(), "{status} {}", String::from_utf8_lossy(&answer));
        let answer: Value = serde_json::from_slice(&answer).unwrap();
        answer["session"]["id"].as_str().unwrap_or_else(|| panic!("no session in {answer}")).to_owned()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

/// The `proem` binary: `PROEM_BIN`, else the one beside this test's folder.
pub fn program() -> PathBuf {
    let program = std::env::var_os("PROEM_BIN").map(PathBuf::from).unwrap_or_else(|| {
        let this = std::env::current_exe().unwrap();
        this.ancestors().nth(2).expect("a test lies two folders deep").join("proem")
    });
    assert!(program.is_file(), "{} is missing: run scripts/test, or cargo build -p proem", program.display());
    program
}
