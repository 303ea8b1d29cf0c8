//! Proem in the browser: pages over components over plain state. It decides nothing about templates and logs; the engine's
//! workers do, with the same core that the server has.

pub mod api;
pub mod app;
pub mod components;
pub mod drafts;
pub mod engine;
pub mod files;
pub mod greeting;
pub mod navigate;
pub mod page;
pub mod pages;
pub mod state;
