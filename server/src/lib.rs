//! The server and the command line as a library, so that tests can run them in memory.

pub mod app;
pub mod assets;
pub mod border;
pub mod cli;
mod clock;
pub mod engine;
mod extract;
mod failure;
mod ids;
mod import;
mod routes;
pub mod store;
pub mod token;
pub mod turns;
