//! `proem serve`: starts the server, prints the link to it, and ends it when asked to.

use super::{fail, home};
use crate::app::{AppState, Config, app};
use crate::assets::Assets;
use crate::border::hosts::Hosts;
use crate::engine::EngineMode;
use crate::token::Token;
use std::future::IntoFuture;
use std::io::Write;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::ExitCode;
use tokio::net::TcpListener;
use tokio::signal::unix::{Signal, SignalKind, signal};

/// What `proem serve` takes.
#[derive(clap::Args)]
pub struct ServeArgs {
    /// The folder that holds the database [default: ~/.proem]
    #[arg(long, value_name = "DIR")]
    home: Option<PathBuf>,
    /// Where to listen
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:7878")]
    listen: SocketAddr,
}

/// Runs `proem serve`.
pub fn run(args: ServeArgs) -> ExitCode {
    // One line a request.
    home::log("warn,proem=info");
    let outcome = match tokio::runtime::Builder::new_multi_thread().enable_all().build() {
        Ok(runtime) => runtime.block_on(serve(args)),
        Err(error) => Err(format!("the server cannot start: {error}")),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(sentence) => fail(&sentence),
    }
}

async fn serve(args: ServeArgs) -> Result<(), String> {
    let home = home::folder(args.home)?;
    let signals = Signals::listen().map_err(|error| format!("the server cannot listen for signals: {error}"))?;
    let listener = TcpListener::bind(args.listen).await.map_err(|error| match error.kind() {
        std::io::ErrorKind::AddrInUse => {
            format!("{} is in use, perhaps by another Proem: stop that one, or give another address with --listen", args.listen)
        }
        _ => format!("cannot listen on {}: {error}", args.listen),
    })?;
    let address = listener.local_addr().map_err(|error| format!("cannot listen on {}: {error}", args.listen))?;
    let program =
        std::env::current_exe().map_err(|error| format!("this program cannot find itself to run templates: {error}"))?;
    let token = Token::fresh().map_err(|error| format!("the system gives no random bytes for a token: {error}"))?;
    let config = Config {
        home,
        token: token.clone(),
        hosts: Hosts::of(address),
        engine: EngineMode::Children(program),
        assets: Assets::Built,
    };
    let state = AppState::open(config).await.map_err(|error| error.to_string())?;

    if !address.ip().is_loopback() {
        eprintln!(
            "proem: {address} can be reached from other machines; whoever has the link may read and change everything here"
        );
    }
    // Nobody may be reading; the server runs all the same.
    let _ = writeln!(std::io::stdout(), "http://{}/?token={}", reachable(address), token.reveal());
    run_until(signals, listener, state).await
}

/// The address a browser on this machine can open.
fn reachable(address: SocketAddr) -> SocketAddr {
    if address.ip().is_unspecified() { SocketAddr::from(([127, 0, 0, 1], address.port())) } else { address }
}

/// Serves until the first signal, finishes what is under way, and closes the store. A second signal does not wait.
async fn run_until(mut signals: Signals, listener: TcpListener, state: std::sync::Arc<AppState>) -> Result<(), String> {
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let server = axum::serve(listener, app(state.clone())).with_graceful_shutdown(async {
        let _ = stopped.await;
    });
    let mut server = tokio::spawn(server.into_future());
    let early = tokio::select! {
        ended = &mut server => Some(ended),
        () = signals.next() => None,
    };
    let ended = match early {
        Some(ended) => ended,
        None => {
            tracing::info!("finishing what is under way; once more to stop at once");
            let _ = stop.send(());
            tokio::select! {
                ended = &mut server => ended,
                () = signals.next() => return Ok(()),
            }
        }
    };
    state.store.close().await;
    ended.map_err(|error| format!("the server failed: {error}"))?.map_err(|error| format!("the server failed: {error}"))
}

/// What asks a server to end: Ctrl-C and the system's own way.
struct Signals {
    interrupt: Signal,
    terminate: Signal,
}

impl Signals {
    fn listen() -> std::io::Result<Signals> {
        Ok(Signals { interrupt: signal(SignalKind::interrupt())?, terminate: signal(SignalKind::terminate())? })
    }

    async fn next(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
        }
    }
}
