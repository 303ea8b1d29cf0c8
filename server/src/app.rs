//! The server as a function: from a state to something that answers requests, with or without a network.

use crate::assets::Assets;
use crate::border::hosts::Hosts;
use crate::border::{headers, hosts, record, session};
use crate::engine::{Engine, EngineMode};
use crate::extract::JSON_MAX;
use crate::routes;
use crate::store::{Store, StoreError};
use crate::token::Token;
use crate::turns::Turns;
use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware::{from_fn, from_fn_with_state, map_response};
use std::path::PathBuf;
use std::sync::Arc;
use tokio::sync::Semaphore;

/// What a server is started with.
pub struct Config {
    /// The folder that holds the database.
    pub home: PathBuf,
    /// The secret of this start.
    pub token: Token,
    /// The names it answers to.
    pub hosts: Hosts,
    /// Where templates run.
    pub engine: EngineMode,
    /// The pages.
    pub assets: Assets,
}

/// What handlers work with.
pub struct AppState {
    /// What is kept.
    pub store: Store,
    /// What runs turns.
    pub turns: Turns,
    /// What runs templates.
    pub engine: Engine,
    /// The secret of this start.
    pub token: Token,
    /// The names it answers to.
    pub hosts: Hosts,
    /// The pages.
    pub assets: Assets,
    /// One log at a time is read: it may be 2 GiB in memory.
    pub reading: Semaphore,
}

impl AppState {
    /// Opens the store, forgets uploads nobody continued, and starts the engine.
    ///
    /// # Errors
    /// When the home cannot be used, or a newer Proem wrote it.
    pub async fn open(config: Config) -> Result<Arc<AppState>, StoreError> {
        let store = Store::open(&config.home).await?;
        let forgotten = store.clean_uploads().await?;
        if forgotten > 0 {
            tracing::info!("forgot {forgotten} uploads that did not go on for a day");
        }
        Ok(Arc::new(AppState {
            store,
            turns: Turns::of(&config.home),
            engine: Engine::start(config.engine),
            token: config.token,
            hosts: config.hosts,
            assets: config.assets,
            reading: Semaphore::new(1),
        }))
    }
}

/// The server. Read from the bottom: the last layer sees a request first.
pub fn app(state: Arc<AppState>) -> Router {
    routes::all(state.clone())
        .layer(DefaultBodyLimit::max(JSON_MAX))
        .layer(from_fn_with_state(state.clone(), session::check))
        .layer(hosts::same_origin())
        .layer(from_fn_with_state(state, hosts::check))
        .layer(map_response(headers::add))
        .layer(from_fn(record::request))
}
