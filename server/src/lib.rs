//! The server and the command line as a library, so that tests can run them in memory.

pub mod cli;
