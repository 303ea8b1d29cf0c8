//! Everything in Proem that decides: what an opening says, whether a template is sound, how a log splits into turns and what a
//! turn's call trace looks like. It touches nothing outside itself: no files, clock, randomness, threads, browser or SQL.

pub mod api;
pub mod assertion;
pub mod context;
pub mod ledger;
pub mod log;
pub mod opening;
pub mod skill;
pub mod template;
pub mod trace;
pub mod turn;
pub mod worker;
