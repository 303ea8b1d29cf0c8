//! A server in memory, and what its answers are looked at with. Every answer of every test must carry the policy headers.

use axum::Router;
use axum::body::Body;
use axum::http::{HeaderMap, Method, Request, StatusCode};
use http_body_util::BodyExt;
use proem::app::{AppState, Config, app};
use proem::assets::Assets;
use proem::border::headers::POLICY;
use proem::border::hosts::Hosts;
use proem::engine::EngineMode;
use proem::token::Token;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::path::Path;
use tempfile::TempDir;
use tower::ServiceExt;

/// The token of every test server.
pub const TOKEN: &str = "the-token-of-this-start";
/// Where every test server believes to listen.
pub const HOST: &str = "127.0.0.1:7878";

/// A server and its home.
pub struct Server {
    app: Router,
    home: TempDir,
}

/// An answer, read to its end.
pub struct Answer {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub bytes: Vec<u8>,
}

impl Server {
    /// One in a fresh home, without pages.
    pub async fn start() -> Server {
        Server::with_pages(Assets::given([])).await
    }

    /// One in a fresh home, with these pages.
    pub async fn with_pages(assets: Assets) -> Server {
        let home = tempfile::tempdir().unwrap();
        Server { app: app_in(home.path(), assets).await, home }
    }

    /// Another start on the same home.
    pub async fn restart(self) -> Server {
        let Server { app, home } = self;
        drop(app);
        Server { app: app_in(home.path(), Assets::given([])).await, home }
    }

    /// Its home folder.
    pub fn home(&self) -> &Path {
        self.home.path()
    }

    /// Sends a request as it is.
    pub async fn send(&self, request: Request<Body>) -> Answer {
        let what = format!("{} {}", request.method(), request.uri());
        let response = self.app.clone().oneshot(request).await.unwrap();
        let (head, body) = response.into_parts();
        for (name, value) in
            [("content-security-policy", POLICY), ("x-content-type-options", "nosniff"), ("referrer-policy", "no-referrer")]
        {
            assert_eq!(head.headers.get(name).map(|found| found.to_str().unwrap()), Some(value), "{name} of {what}");
        }
        let bytes = body.collect().await.unwrap().to_bytes().to_vec();
        Answer { status: head.status, headers: head.headers, bytes }
    }

    /// Gets a path as a program with the token.
    pub async fn get(&self, path: &str) -> Answer {
        self.send(bearer(Method::GET, path).body(Body::empty()).unwrap()).await
    }

    /// Sends JSON as a program with the token.
    pub async fn json(&self, method: Method, path: &str, body: &Value) -> Answer {
        self.text(method, path, &body.to_string()).await
    }

    /// Sends what claims to be JSON.
    pub async fn text(&self, method: Method, path: &str, body: &str) -> Answer {
        let request = bearer(method, path).header("content-type", "application/json");
        self.send(request.body(Body::from(body.to_owned())).unwrap()).await
    }
}

impl Answer {
    /// The body, which must be JSON of this shape.
    pub fn json<T: DeserializeOwned>(&self) -> T {
        serde_json::from_slice(&self.bytes).unwrap_or_else(|error| panic!("{error} in {} {}", self.status, self.body()))
    }

    /// The body as text.
    pub fn body(&self) -> String {
        String::from_utf8(self.bytes.clone()).unwrap()
    }

    /// A header, which must be there.
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).unwrap_or_else(|| panic!("no {name}")).to_str().unwrap()
    }
}

/// A request to the server by its right name.
pub fn plain(method: Method, path: &str) -> axum::http::request::Builder {
    Request::builder().method(method).uri(path).header("host", HOST)
}

/// The same with the token.
pub fn bearer(method: Method, path: &str) -> axum::http::request::Builder {
    plain(method, path).header("authorization", format!("Bearer {TOKEN}"))
}

async fn app_in(home: &Path, assets: Assets) -> Router {
    let config = Config {
        home: home.to_owned(),
        token: Token::new(TOKEN),
        hosts: Hosts::of(HOST.parse().unwrap()),
        engine: EngineMode::InProcess,
        assets,
    };
    app(AppState::open(config).await.unwrap())
}
