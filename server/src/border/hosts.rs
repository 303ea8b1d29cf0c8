//! Which names the server answers to, so that a foreign name that was pointed at this machine gets nothing (DNS rebinding), and
//! which pages may make it change something.

use crate::app::AppState;
use crate::failure::Failure;
use axum::extract::{Request, State};
use axum::http::header::HOST;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use tower_http::csrf::{CsrfLayer, ProtectionError};

/// The names a server answers to.
#[derive(Clone, Debug)]
pub struct Hosts {
    listen: SocketAddr,
}

impl Hosts {
    /// Those of an address that is listened on: itself, and this machine's own names, each with its port.
    pub fn of(listen: SocketAddr) -> Hosts {
        Hosts { listen }
    }

    /// The port they all carry.
    pub fn port(&self) -> u16 {
        self.listen.port()
    }

    /// Whether a `Host` is one of them. Listening on every address, any *number* will do: only names can be pointed elsewhere.
    pub fn allow(&self, host: &str) -> bool {
        let (name, port) = match host.rsplit_once(':') {
            Some((name, port)) if !port.ends_with(']') => (name, port.parse().ok()),
            _ => (host, Some(80)),
        };
        let number = name.strip_prefix('[').and_then(|name| name.strip_suffix(']')).unwrap_or(name).parse::<IpAddr>().ok();
        let known = match number {
            Some(ip) => ip.is_loopback() || ip == self.listen.ip() || self.listen.ip().is_unspecified(),
            None => name.eq_ignore_ascii_case("localhost"),
        };
        known && port == Some(self.port())
    }
}

/// Refuses a request that names another host.
pub async fn check(State(app): State<Arc<AppState>>, request: Request, next: Next) -> Response {
    let mut named = request.headers().get_all(HOST).iter().map(|value| value.to_str().unwrap_or_default());
    let host = request.uri().authority().map(|authority| authority.as_str()).or_else(|| named.next()).unwrap_or_default();
    if app.hosts.allow(host) && named.next().is_none() {
        return next.run(request).await;
    }
    let port = app.hosts.port();
    Failure::forbidden(format!(
        "This server answers to http://127.0.0.1:{port}, http://localhost:{port} and the address it listens on, not to the host this request names."
    ))
    .into_response()
}

/// Refuses what changes something when another site's page asks for it. Programs, which send no `Origin`, pass.
pub fn same_origin() -> CsrfLayer<fn(ProtectionError) -> Response> {
    CsrfLayer::new().with_rejection_response(|_| {
        Failure::forbidden("A page of another site asked for this; only this server's own pages and programs may.")
            .into_response()
    })
}

#[cfg(test)]
mod tests {
    use super::Hosts;

    #[test]
    fn own_names_only() {
        let own = Hosts::of("127.0.0.1:7878".parse().unwrap());
        for host in ["127.0.0.1:7878", "localhost:7878", "LOCALHOST:7878", "[::1]:7878"] {
            assert!(own.allow(host), "{host}");
        }
        for host in [
            "",
            "127.0.0.1",
            "localhost",
            "127.0.0.1:80",
            "evil.example:7878",
            "127.0.0.1.evil.example:7878",
            "10.0.0.7:7878",
            "[::1]",
            ":7878",
        ] {
            assert!(!own.allow(host), "{host}");
        }
        let one = Hosts::of("10.0.0.7:80".parse().unwrap());
        assert!(one.allow("10.0.0.7") && one.allow("10.0.0.7:80") && one.allow("[::1]") && !one.allow("10.0.0.8"));
        let every = Hosts::of("0.0.0.0:7878".parse().unwrap());
        assert!(every.allow("10.0.0.8:7878") && every.allow("[fe80::1]:7878") && !every.allow("evil.example:7878"));
    }
}
