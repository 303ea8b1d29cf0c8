//! What every request and every answer passes at the border of the server.

pub mod headers;
pub mod hosts;
pub mod record;
pub mod session;
